"""Count open gates, and interpolate a table at those counts: the arithmetic of CoPE.

On a CPU, large scores are processed in strips of some queries each. Intermediate results then stay in the
cache, and keys that no query of the strip sees are skipped. Only the result is kept; the gradient computes
each strip again.
"""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.encodings.known import hides_numbers

QUERIES = 32  # in a strip; fewer would skip more keys, but cost more calls
NUMBERS = 1 << 18  # in a strip, one for each query and key
KEYS = 64  # with fewer, a strip skips too few hidden keys to be faster
DENSE = torch.contiguous_format


def reverse_cumsum(gates: Tensor) -> Tensor:
    """Return the sum of each gate and all gates after it: [..., Lk] → [..., Lk]."""
    return gates.flip(-1).cumsum(dim=-1).flip(-1)


def interpolate_at_gates(z: Tensor, logits: Tensor, later: Tensor | None = None) -> Tensor:
    """Interpolate ``z`` [..., Lq, n], given at counts 0 … n − 1, at ``reverse_cumsum(σ(logits))``.

    Returns [..., Lq, Lk]. Where ``later``, bool [Lq, Lk], is True, gates are closed for all ``logits``
    [..., Lq, Lk].
    """
    on_cpu = logits.device.type == "cpu" and not hides_numbers(logits)
    if on_cpu and logits.numel() >= NUMBERS and logits.shape[-1] >= KEYS:
        return _InStrips.apply(z, logits, later)
    return _all_at_once(z, logits, later)


def _all_at_once(z: Tensor, logits: Tensor, later: Tensor | None = None) -> Tensor:
    logits = logits if later is None else logits.masked_fill(later, -math.inf)
    counts = reverse_cumsum(logits.sigmoid())  # [..., Lq, Lk]
    below = _row_below(z, counts)
    return torch.addcmul(z.gather(-1, below), counts.frac(), _slopes(z).gather(-1, below))


def _row_below(z: Tensor, counts: Tensor) -> Tensor:
    # Also clamped from below, because NaN becomes an index far below 0.
    return counts.detach().long().clamp(0, z.shape[-1] - 1)


def _slopes(z: Tensor) -> Tensor:
    """Return the difference from each row to the next; 0 for the last row, which larger counts read."""
    return z.diff(dim=-1, append=z[..., -1:])


class _InStrips(torch.autograd.Function):
    @staticmethod
    def forward(z: Tensor, logits: Tensor, later: Tensor | None) -> Tensor:
        bias = torch.empty_like(logits, memory_format=DENSE)
        for of_z, of_logits, of_bias, last in _strips(later, z, logits, bias):
            counts = reverse_cumsum(of_logits[..., :last].sigmoid())  # [heads, queries, last]
            below = _row_below(of_z, counts)
            beyond = _slopes(of_z).gather(-1, below).mul_(counts.frac_())
            torch.add(of_z.gather(-1, below), beyond, out=of_bias[..., :last])
            of_bias[..., last:] = of_z[..., :1]  # no gate is open: count 0
        return bias

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor, Tensor | None], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        z, logits, later = ctx.saved_tensors
        if torch.is_grad_enabled():  # a gradient of the gradient will be asked for
            return *torch.func.vjp(partial(_all_at_once, later=later), z, logits)[1](gradient), None
        z_gradient, logits_gradient = (torch.zeros_like(x, memory_format=DENSE) for x in (z, logits))
        parts = (z, logits, gradient, z_gradient, logits_gradient)
        for of_z, of_logits, of_gradient, to_z, to_logits, last in _strips(later, *parts):
            _add_gradient(of_z, of_logits[..., :last], of_gradient[..., :last], to_z, to_logits[..., :last])
            to_z[..., 0] += of_gradient[..., last:].sum(dim=-1)
        return z_gradient, logits_gradient, None


def _add_gradient(z: Tensor, logits: Tensor, gradient: Tensor, to_z: Tensor, to_logits: Tensor) -> None:
    """Add the gradients of ``interpolate_at_gates(z, logits)`` to ``to_z``, and write ``to_logits``.

    ``z``, ``to_z`` [heads, queries, n]; ``logits``, ``gradient``, ``to_logits`` [heads, queries, keys].
    """
    gates = logits.sigmoid()
    counts = reverse_cumsum(gates)
    below = _row_below(z, counts)
    # The row below a count gets (1 − fraction) of its gradient, the row above gets the fraction. One sum of
    # complex numbers adds up the gradients and their fractions, in little more time than a sum of real ones.
    both = torch.complex(gradient, counts.frac_().mul_(gradient))
    both = torch.zeros_like(z, dtype=both.dtype).scatter_add_(-1, below, both)  # [heads, queries, n]
    beyond = both.imag[..., :-1]
    to_z += both.real
    to_z[..., :-1] -= beyond
    to_z[..., 1:] += beyond
    # A gate is part of the counts of its own key and of all keys before it.
    of_gates = _slopes(z).gather(-1, below).mul_(gradient).cumsum_(dim=-1)
    torch.mul(of_gates.mul_(gates), gates.neg_().add_(1), out=to_logits)


def _strips(later: Tensor | None, z: Tensor, logits: Tensor, *more: Tensor) -> Iterator[tuple[Any, ...]]:
    """Yield strips [heads, queries, any] of each tensor [..., Lq, any], and how many keys they can see.

    The strips of ``logits`` are −inf where ``later``. A tensor that will be written to must be ``DENSE``:
    strips of other tensors may be copies.
    """
    parts = [x.reshape(-1, *x.shape[-2:]) for x in (z, logits, *more)]  # [B · H, Lq, any]
    heads, len_q, len_k = parts[1].shape
    ends = torch.arange(1, len_k + 1, device=logits.device)
    height, several = QUERIES, max(1, NUMBERS // (QUERIES * len_k))
    if torch.get_num_threads() > 1:  # threads wait for each other at each step, so fewer and larger strips
        height, several = max(QUERIES, math.ceil(len_q / 4)), max(1, heads)
    for start in range(0, len_q, height):
        queries = slice(start, start + height)
        for head in range(0, heads, several):
            of_z, of_logits, *rest = (x[head : head + several, queries] for x in parts)
            visible = of_logits.amax(dim=0) != -math.inf  # [queries, Lk]
            if later is not None and (visible & later[queries]).any():
                of_logits = of_logits.masked_fill(later[queries], -math.inf)
                visible = visible & ~later[queries]
            yield of_z, of_logits, *rest, int((visible * ends).amax())
