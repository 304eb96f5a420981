"""Forget gates: a penalty for distance that depends on the tokens passed.

Source: Lin et al. 2025, "Forgetting Transformer: Softmax Attention with a Forget Gate", arXiv 2503.02130, §3.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.language import BilingualValueError


class ForgetGate(PositionEncoding):
    """Door 3: add the sum of log f_l over the tokens l between key and query to each score.

    Each token has a gate for each head, f = sigmoid(w·x + b), where x is the layer's input: a gate near 1
    keeps the tokens before it, a gate near 0 forgets them. A constant gate f = e^(−m) is ALiBi with slope m.
    If a token's position is s steps after the one before it, its log f counts s times, as ALiBi's slope does.
    Keys after the query get the same penalty as keys before it.

    Args:
        d_model: width of the layer's input.
        n_heads: heads of the attention; each has its own gate.
        slopes: start from ALiBi: [n_heads], positive. The weights then start at 0 and the bias so that
            log f = −slope. None: start as ``nn.Linear`` does, gates near 1/2.

    Raises:
        ValueError: sizes below 1, slopes that are not ``n_heads`` positive numbers; in cross-attention, whose
            keys come from other tokens.

    >>> from posenc_lessons.models import MultiHeadAttention
    >>> attention = MultiHeadAttention(d_model=16, n_heads=4, encoding=ForgetGate(d_model=16, n_heads=4))
    >>> attention(torch.randn(2, 5, 16), causal=True).shape
    torch.Size([2, 5, 16])
    """

    reads_input = True

    def __init__(self, d_model: int, n_heads: int, slopes: Tensor | None = None) -> None:
        super().__init__()
        self.n_gates = whole_number("n_heads", n_heads, 1)
        self.to_gates = nn.Linear(whole_number("d_model", d_model, 1), self.n_gates)
        if slopes is not None:
            slopes = _checked(slopes, self.n_gates)
            nn.init.zeros_(self.to_gates.weight)
            with torch.no_grad():  # sigmoid(b) = e^(−m) where b = −log(e^m − 1)
                self.to_gates.bias.copy_(-slopes.double().expm1().log())

    def log_gates(self, inputs: Tensor) -> Tensor:
        """Return log f, [B, n_heads, L], for ``inputs`` [B, L, d_model], in float32 at least."""
        wide = torch.promote_types(inputs.dtype, torch.float32)
        weight, bias = self.to_gates.weight.to(wide), self.to_gates.bias.to(wide)
        gates = F.logsigmoid(F.linear(inputs.to(wide), weight, bias).to(wide))  # [B, L, n_heads]
        return gates.transpose(1, 2)

    def gate_bias(self, query_gates: Tensor, key_gates: Tensor) -> Tensor:
        """Return −|c_i − c_j|, [B, H, Lq, Lk], of cumulative log gates [B, H, Lq] and [B, H, Lk].

        The result has the dtype of the weights, float32 at least. Sums in float64 are split into a rounded
        part and what rounding left over: the differences are then as good as float64's, in half the memory.
        """
        kind = torch.promote_types(self.to_gates.weight.dtype, torch.float32)
        rounded_query, rounded_key = query_gates.to(kind), key_gates.to(kind)
        differences = rounded_query[..., :, None] - rounded_key[..., None, :]
        if kind != query_gates.dtype:
            differences = differences + (query_gates - rounded_query).to(kind)[..., :, None]
            differences = differences - (key_gates - rounded_key).to(kind)[..., None, :]
        return -differences.abs()

    def extra_repr(self) -> str:
        return f"{self.to_gates.in_features}, n_heads={self.n_gates}"


def _checked(slopes: Any, n_heads: int) -> Tensor:
    """Return ``slopes`` if they are [n_heads], positive and finite; ValueError otherwise."""
    tensor = isinstance(slopes, Tensor)
    if not (tensor and slopes.shape == (n_heads,) and bool((slopes > 0).all() & slopes.isfinite().all())):
        came = slopes.tolist() if tensor else slopes
        raise BilingualValueError(
            f"slopes 必须是形状 [{n_heads}] 的张量，每个头一个正数，收到 {came}",
            f"slopes must be a tensor of shape [{n_heads}], a positive number for each head; got {came}",
        )
    return slopes
