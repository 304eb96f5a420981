"""PyTorch's attention and encoder, with its names of parameters and its order of random numbers."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np

from .._operations import TORCH
from .._tensor import Tensor
from . import functional as F
from .init import constant_, xavier_uniform_
from .layers import Dropout, LayerNorm, Linear, ModuleList
from .modules import Module, Parameter


class MultiheadAttention(Module):
    """Attention in several heads, for batches; True in a mask hides, [query, key] or [head, query, key]."""

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        *,
        batch_first: bool = False,
    ) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.dropout, self.batch_first = dropout, batch_first
        self.in_proj_weight = Parameter(TORCH["empty"](3 * embed_dim, embed_dim))
        self.register_parameter("in_proj_bias", Parameter(TORCH["empty"](3 * embed_dim)) if bias else None)
        self.out_proj = Linear(embed_dim, embed_dim, bias=bias)
        xavier_uniform_(self.in_proj_weight)
        if bias:
            constant_(self.in_proj_bias, 0.0)
            constant_(self.out_proj.bias, 0.0)  # type: ignore[arg-type]

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        inputs = [item if self.batch_first else item.transpose(0, 1) for item in (query, key, value)]
        heads = [self._heads(item, at) for at, item in enumerate(inputs)]
        scores = heads[0] / math.sqrt(self.head_dim) @ heads[1].mT
        if key_padding_mask is not None:
            scores = _hidden(scores, key_padding_mask[:, None, None])
        if attn_mask is not None:
            scores = _hidden(scores, attn_mask)
        weights = F.dropout(scores.softmax(dim=-1), self.dropout, self.training)
        # Positions come first in memory, as in PyTorch, because dropout draws in memory order.
        joined = self.out_proj((weights @ heads[2]).permute(2, 0, 1, 3).flatten(2))
        output = joined.transpose(0, 1) if self.batch_first else joined
        return output, weights.mean(dim=1) if need_weights else None

    def _heads(self, x: Tensor, at: int) -> Tensor:
        width, bias = self.embed_dim, self.in_proj_bias
        part = slice(at * width, (at + 1) * width)
        result = F.linear(x, self.in_proj_weight[part], None if bias is None else bias[part])
        return result.unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)


def _hidden(scores: Tensor, mask: Tensor) -> Tensor:
    result: Tensor = (
        TORCH["masked_fill"](scores, mask, -math.inf) if mask.array.dtype == np.bool_ else scores + mask
    )
    return result


class TransformerEncoderLayer(Module):
    """Self-attention and a feed-forward part, each added to its input; normalised after or before."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
    ) -> None:
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first)
        self.linear1 = Linear(d_model, dim_feedforward)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model)
        self.norm_first = norm_first
        self.norm1, self.norm2 = LayerNorm(d_model, layer_norm_eps), LayerNorm(d_model, layer_norm_eps)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        self.activation = F.relu if activation == "relu" else activation

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), src_mask, src_key_padding_mask)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, src_mask, src_key_padding_mask))
        return self.norm2(x + self._ff_block(x))

    # PyTorch's private names, which lessons call.
    def _sa_block(self, x: Tensor, mask: Tensor | None, padding: Tensor | None) -> Any:
        match, _ = self.self_attn(x, x, x, key_padding_mask=padding, need_weights=False, attn_mask=mask)
        return self.dropout1(match)

    def _ff_block(self, x: Tensor) -> Any:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerEncoder(Module):
    """Copies of one layer, one after the other."""

    def __init__(
        self,
        encoder_layer: TransformerEncoderLayer,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
    ) -> None:
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask)
        return src if self.norm is None else self.norm(src)
