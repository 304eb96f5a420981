"""Queries lengthened with their position: "scalable softmax" as Llama 4 has it in layers that do not turn
(Nakanishi 2025, arXiv 2501.19399; transformers' ``models/llama4/modeling_llama4.py``)."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.encodings.doors import PositionEncoding, Role
from posenc_lessons.encodings.positions import positions_of, real_positions


class QueryTemperature(PositionEncoding):
    """Door 2, queries alone: multiply the query at position p by 1 + scale · ln(1 + ⌊(p + 1) / step⌋).

    The longer the text before it, the sharper a query's softmax. Keys stay, so a cache of them stays good.

    Args:
        scale: how much sharper, 0.1 in Llama 4.
        step: nothing happens to the first step − 1 positions; 8192 in Llama 4.
    """

    def __init__(self, scale: float = 0.1, step: int = 8192) -> None:
        super().__init__()
        self.scale, self.step = number("scale", scale, least=0), whole_number("step", step, 1)

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """``x`` [B, H, L, d_head] at ``positions`` [L] or [B, L]; same shape and dtype, keys untouched."""
        positions = positions_of("positions", positions, x.shape[0], x.shape[-2], x.device)
        positions = real_positions("positions", positions)
        if role == "key":
            return x
        wide = torch.promote_types(x.dtype, torch.float32)
        steps = ((positions + 1) / self.step).floor().clamp(min=0).to(wide)  # [L] or [B, L]
        lengths = 1 + self.scale * steps.log1p()
        return (x.to(wide) * lengths[..., None, :, None]).to(x.dtype)

    def extra_repr(self) -> str:
        return f"scale={self.scale:g}, step={self.step}"
