"""Attention whose softmax may put its weight nowhere: one learned logit per head beside the scores.

Source: OpenAI 2025, gpt-oss, released code (``sinks``); why a softmax wants such a place, Xiao et al. 2023,
"Efficient Streaming Language Models with Attention Sinks", arXiv 2309.17453, §3.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from posenc_lessons.models.attention import MultiHeadAttention


class SinkAttention(MultiHeadAttention):
    """``MultiHeadAttention`` with a learned sink: a_ij = exp(s_ij) / (exp(b) + Σ_j exp(s_ij)).

    ``sink`` [n_heads] holds b, which competes with the scores and is then dropped, so that a row of weights
    may sum to less than 1. The arguments are those of ``MultiHeadAttention``.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.sink = nn.Parameter(torch.zeros(self.n_heads))

    def _weigh(self, scores: Tensor) -> Tensor:
        sink = self.sink.to(scores.dtype)[:, None, None].expand(*scores.shape[:-1], 1)  # [B, H, Lq, 1]
        return torch.cat((scores, sink), dim=-1).softmax(dim=-1)[..., :-1]

    def _fused(self, *arguments: Any) -> tuple[Tensor, Tensor | None]:
        """PyTorch's kernel knows no sink: step by step instead."""
        heads, _ = self._explicit(*arguments)
        return heads, None
