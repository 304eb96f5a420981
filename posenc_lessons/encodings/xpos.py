"""xPos: rotation whose scores fade with the distance.

Source: Sun et al. 2022, "A Length-Extrapolatable Transformer", arXiv 2212.10554, §2.1 and algorithm 1.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import number
from posenc_lessons.encodings.doors import Role
from posenc_lessons.encodings.pairing import Pairing
from posenc_lessons.encodings.positions import hides_numbers, real_positions, summary_of, worked_out_once
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.language import BilingualValueError


class XPos(RotaryEncoding):
    """Door 2, by role: rotate as RoPE does, then shrink queries and grow keys with their positions.

    Pair i of a query at position m is multiplied by ζ_i^(m/scale_base), that of a key at n by
    ζ_i^(−n/scale_base), with ζ_i = (2i/rotary_dim + γ) / (1 + γ), below 1. So the pair's part of the score
    has the factor ζ_i^((m−n)/scale_base): it fades with the distance, that of the fastest pair the most. For
    *later* keys it grows with the distance, so xPos is for causal attention.

    In long texts the two factors leave the range of the dtype: with the paper's settings, in float32, beyond
    position 36,000.

    Args:
        d_head, base, pairing, rotary_dim: as ``RotaryEncoding``.
        gamma: γ, 0.4 in the paper; above 0. A larger one fades less.
        scale_base: 512 in the paper, above 0. A larger one fades less.

    >>> encoding, x = XPos(d_head=4, scale_base=1.0), torch.ones(1, 1, 1, 4)
    >>> at = torch.tensor([1])
    >>> rotated = encoding.turn(x, at, "query"), encoding.turn(x, at, "key")
    >>> (rotated[0] * rotated[1]).sum()  # at distance 0: the product of x with itself
    tensor(4.0000)
    """

    def __init__(
        self,
        d_head: int,
        base: float = 10000.0,
        pairing: Pairing = "interleaved",
        rotary_dim: int | None = None,
        *,
        gamma: float = 0.4,
        scale_base: float = 512.0,
    ) -> None:
        super().__init__(d_head, base, pairing, rotary_dim)
        self.gamma, self.scale_base = (
            number("gamma", gamma, above=0),
            number("scale_base", scale_base, above=0),
        )

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """Return ``x`` [B, H, L, d_head] rotated and scaled by ``positions`` [L] or [B, L], for its role.

        Raises:
            ValueError: as ``RotaryEncoding.turn``; positions at which the factors leave the dtype's range.
        """
        wide = torch.promote_types(x.dtype, torch.float32)
        rotated = super().turn(x.to(wide), positions, role)
        what = "xpos", x.device, x.dtype, self.rotary_dim, self.pairing, self.gamma, self.scale_base
        factors = worked_out_once(positions, what, lambda: self._factors(positions, x.dtype))
        factors = factors if role == "query" else 1 / factors  # [L, rotary_dim] or [B, 1, L, rotary_dim]
        return torch.cat(
            (rotated[..., : self.rotary_dim] * factors, rotated[..., self.rotary_dim :]), dim=-1
        ).to(x.dtype)

    def _factors(self, positions: Tensor, kind: torch.dtype) -> Tensor:
        """Return the factor of each rotated feature of a query of dtype ``kind``, in float32 at least."""
        positions = real_positions("positions", positions)
        self._check_range(positions, kind)
        kind = torch.promote_types(kind, torch.float32)
        n = self.rotary_dim // 2
        decays = (torch.arange(n, device="cpu") / n + self.gamma) / (1 + self.gamma)  # ζ [n]
        powers = positions.to(kind) / self.scale_base
        factors = torch.exp(powers[..., None] * decays.log().to(kind).to(positions.device))  # [..., L, n]
        both = factors.repeat_interleave(2, dim=-1)  # [..., L, rotary_dim]
        if self.pairing == "half_split":
            both = torch.cat((factors, factors), dim=-1)
        return both if positions.ndim == 1 else both[:, None]

    def _check_range(self, positions: Tensor, kind: torch.dtype) -> None:
        if hides_numbers(positions):
            return
        summary = summary_of(positions)
        furthest = max(abs(summary.first), abs(summary.last))
        most = math.log(torch.finfo(kind).max) * self.scale_base / math.log((1 + self.gamma) / self.gamma)
        if furthest >= most:
            raise BilingualValueError(
                f"XPos 的缩放在 {kind} 里只到位置 {int(most)} 为止，再远就超出数的范围，收到 {furthest:g}。"
                f"请用更大的 scale_base，或者 float64",
                f"XPos scales within the range of {kind} up to position {int(most)}; got {furthest:g}. "
                f"Use a larger scale_base, or float64",
            )

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, gamma={self.gamma:g}, scale_base={self.scale_base:g}"
