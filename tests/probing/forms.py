"""Functions to probe: rotations in many forms, and what is none, written from public code's descriptions."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.encodings import apply_rotary, rotary_frequencies

Turn = Callable[[Tensor, Tensor], Any]


def rotation(
    pairs: Sequence[tuple[int, int]], frequencies: Sequence[float], scale: float = 1, phase: float = 0
) -> Turn:
    """Return the rotation of ``pairs`` by position · frequency + phase, times ``scale``, in float64."""

    def turn(x: Tensor, positions: Tensor) -> Tensor:
        result = x.clone()
        for (a, b), frequency in zip(pairs, frequencies, strict=True):
            angles = positions.to(torch.float64) * frequency + phase
            cos, sin = (scale * angles.cos()).to(x.dtype), (scale * angles.sin()).to(x.dtype)
            result[..., a] = x[..., a] * cos - x[..., b] * sin
            result[..., b] = x[..., a] * sin + x[..., b] * cos
        return result

    return turn


def angles_of(x: Tensor, positions: Tensor) -> Tensor:
    return torch.outer(positions.double(), rotary_frequencies(x.shape[-1]))  # [L, d/2]


def rotate_half(x: Tensor) -> Tensor:
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)


def rotate_neighbours(x: Tensor) -> Tensor:
    return torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)


def llama(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1) -> tuple[Tensor, Tensor]:
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


def from_scratch(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """LLMs-from-scratch's apply_rope: [batch, heads, L, head_dim], the first L rows of the tables."""
    _, _, length, _ = x.shape
    cos, sin = cos[:length][None, None], sin[:length][None, None]
    return (x * cos + rotate_half(x) * sin).to(x.dtype)


def metas(xq: Tensor, xk: Tensor, freqs_cis: Tensor) -> tuple[Tensor, Tensor]:
    """Meta's LLaMA: complex numbers, [B, L, H, d]."""
    q, k = (torch.view_as_complex(x.double().unflatten(-1, (-1, 2))) for x in (xq, xk))
    turns = freqs_cis[None, :, None]
    return torch.view_as_real(q * turns).flatten(-2), torch.view_as_real(k * turns).flatten(-2)


def only(asked: Callable[[Tensor, Tensor], bool]) -> Turn:
    """Return a rotation that raises unless ``asked(x, positions)``."""

    def turn(x: Tensor, positions: Tensor) -> Tensor:
        if not asked(x, positions):
            raise RuntimeError("not what was asked for")
        return apply_rotary(x, positions)

    return turn


class Labml(torch.nn.Module):
    """labml's annotated module: [L, B, H, d], the first ``d`` features, cached tables, from position 0."""

    def __init__(self, d: int, base: float = 10_000) -> None:
        super().__init__()
        self.d, self.base = d, base
        self.cos_cached = self.sin_cached = torch.empty(0)

    def forward(self, x: Tensor) -> Tensor:
        if len(self.cos_cached) < len(x):
            theta = 1.0 / (self.base ** (torch.arange(0, self.d, 2).float() / self.d))
            angles = torch.einsum("n,d->nd", torch.arange(len(x)).float(), theta)
            angles = torch.cat([angles, angles], dim=1)
            self.cos_cached, self.sin_cached = angles.cos()[:, None, None], angles.sin()[:, None, None]
        rope, rest = x[..., : self.d], x[..., self.d :]
        cos, sin = self.cos_cached[: len(x)], self.sin_cached[: len(x)]
        return torch.cat([rope * cos + rotate_half(rope) * sin, rest], dim=-1)


class Cs336(torch.nn.Module):
    """CS336's module: tables of max_seq_len rows, [..., L, d_k], rows picked by token_positions."""

    def __init__(self, theta: float, d_k: int, max_seq_len: int) -> None:
        super().__init__()
        angles = torch.outer(torch.arange(max_seq_len).float(), 1 / theta ** (torch.arange(0, d_k, 2) / d_k))
        self.cos, self.sin = angles.cos(), angles.sin()

    def forward(self, x: Tensor, token_positions: Tensor) -> Tensor:
        cos, sin = self.cos[token_positions], self.sin[token_positions]
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


# What is none, with a part of what the probe says about it.


def never_adds_the_second_product(x: Tensor, positions: Tensor) -> Tensor:
    """Published: neighbours, tables in halves, and each feature of a pair has only the other's product."""
    cos, sin = angles_of(x, positions).cos(), angles_of(x, positions).sin()
    cos, sin = torch.cat([cos, cos], dim=-1), torch.cat([sin, sin], dim=-1)
    result = torch.empty_like(x)
    result[..., 0::2] = -x[..., 1::2] * cos[..., 0::2]
    result[..., 1::2] = x[..., 0::2] * sin[..., 1::2]
    return result


def overwritten(x: Tensor, positions: Tensor, first: int = 0) -> Tensor:
    """The classic one: one half is overwritten before the other has used it."""
    cos, sin = angles_of(x, positions).cos(), angles_of(x, positions).sin()
    x1, x2 = x.chunk(2, dim=-1)
    if first == 0:
        x1 = x1 * cos - x2 * sin
        return torch.cat([x1, x1 * sin + x2 * cos], dim=-1)
    x2 = x1 * sin + x2 * cos
    return torch.cat([x1 * cos - x2 * sin, x2], dim=-1)


def of_two(a: Callable[..., Tensor], b: Callable[..., Tensor]) -> Turn:
    """Return a function of neighbours x, y whose results are a and b of (x, y, cos, sin)."""

    def turn(x: Tensor, positions: Tensor) -> Tensor:
        angles = angles_of(x, positions)
        parts = (x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin())
        return torch.stack([a(*parts), b(*parts)], dim=-1).flatten(-2)

    return turn


def with_tables(partner: Callable[[Tensor], Tensor], widen: Callable[[Tensor], Tensor]) -> Turn:
    def turn(x: Tensor, positions: Tensor) -> Tensor:
        wide = widen(angles_of(x, positions))
        return x * wide.cos() + partner(x) * wide.sin()

    return turn


def concatenated(angles: Tensor) -> Tensor:
    return torch.cat([angles, angles], dim=-1)


def repeated(angles: Tensor) -> Tensor:
    return angles.repeat_interleave(2, dim=-1)


def before_the_heads_are_split(x: Tensor, positions: Tensor) -> Tensor:
    whole = x.transpose(-2, -3).flatten(-2)  # [..., L, H · d]
    return apply_rotary(whole, positions).unflatten(-1, (-1, x.shape[-1])).transpose(-2, -3)


def in_another_basis(x: Tensor, positions: Tensor) -> Tensor:
    generator = torch.Generator().manual_seed(0)
    basis = torch.linalg.qr(torch.randn(x.shape[-1], x.shape[-1], generator=generator).double())[0]
    return apply_rotary(x.double() @ basis, positions) @ basis.T


NOT_ROTATIONS: dict[str, tuple[Callable[..., Any], str]] = {
    "queries and keys differ": (lambda q, k, p: (apply_rotary(q, p), apply_rotary(k, -p)), "differently"),
    "the second product is missing": (never_adds_the_second_product, "no cosine"),
    "identity": (lambda x, positions: x, "never rotates"),
    "adds": (lambda x, positions: x + positions[:, None].sin(), "adds a vector"),
    "adds a table": (lambda x, positions: 2 * x + angles_of(x, positions).sum(), "adds something"),
    "the same everywhere": (lambda x, positions: x.flip(-1), "same at every position"),
    "content": (lambda x, positions: apply_rotary(x, positions) * x.norm(dim=-1, keepdim=True), "content"),
    "mixes tokens": (lambda x, positions: apply_rotary(x, positions).cumsum(-2), "other tokens"),
    "random": (lambda x, positions: apply_rotary(x, positions) + 1e-3 * torch.rand(x.shape), "two calls"),
    "not finite": (lambda x, positions: apply_rotary(x, positions) / (positions[:, None] - 2), "NaN"),
    "another shape": (lambda x, positions: x[..., ::2], "shape"),
    "no tensor": (lambda x, positions: "rotated", "a str"),
    "only cosines": (lambda x, positions: x * concatenated(angles_of(x, positions)).cos(), "no sine"),
    "one sine": (of_two(lambda x, y, c, s: x * c - y * s, lambda x, y, c, s: y * c), "one sine is missing"),
    "one cosine": (of_two(lambda x, y, c, s: x * c - y * s, lambda x, y, c, s: x * s), "1 has no cosine"),
    "same signs": (of_two(lambda x, y, c, s: x * c + y * s, lambda x, y, c, s: x * s + y * c), "same sign"),
    "mirror": (of_two(lambda x, y, c, s: x * c + y * s, lambda x, y, c, s: x * s - y * c), "mirror"),
    "x1 overwritten": (overwritten, "overwritten"),
    "x2 overwritten": (lambda x, positions: overwritten(x, positions, 1), "overwritten"),
    "halves, table of neighbours": (with_tables(rotate_half, repeated), "another pairing"),
    "before the heads are split": (before_the_heads_are_split, "before the heads are split"),
    "logarithm of the position": (lambda x, p: apply_rotary(x, (p + 1.0).log()), "do not grow evenly"),
    "lengths grow": (lambda x, p: apply_rotary(x, p) * 1.001 ** p.double()[:, None], "length changes"),
    "another basis": (in_another_basis, "do not turn in pairs"),
    "idle feature is halved": (
        lambda x, p: torch.cat([apply_rotary(x[..., :6], p), x[..., 6:] / 2], dim=-1),
        "multiplied by 0.5",
    ),
}
