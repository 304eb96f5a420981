"""One attention for every position encoding: it calls the four doors and knows no encoding by name.

Source: Vaswani et al. 2017, "Attention Is All You Need", §3.2 (equation 1 and multi-head attention).
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.encodings.arguments import present_device, probability, whole_number
from posenc_lessons.models.refusals import check_inputs, checked_mask, fits, positions_for


def causal_mask(length: int, device: torch.device | str | None = None) -> Tensor:
    """The mask [length, length] with which a token sees itself and what came before: True = may look.

    With a cache the queries are fewer than the keys; then write
    ``key_positions <= query_positions[:, None]``, which is this mask when the positions are 0 … length−1.
    """
    length = whole_number("length", length, 1)
    return torch.ones(length, length, dtype=torch.bool, device=present_device(device)).tril()


class MultiHeadAttention(nn.Module):
    """softmax(q·kᵀ/√d_head) v in ``n_heads`` heads, with any position encoding.

    Args:
        d_model: width of the inputs and of the output; each head has d_head = d_model / n_heads.
        n_heads: how many heads; must divide d_model.
        encoding: the position encoding whose doors are called. None lets no position in.
        dropout: the share of attention weights set to zero, in training only.
    """

    def __init__(
        self, d_model: int, n_heads: int, encoding: PositionEncoding | None = None, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.d_model = whole_number("d_model", d_model, 1)
        self.n_heads = whole_number("n_heads", n_heads, 1)
        if self.d_model % self.n_heads:
            raise ValueError(
                f"n_heads must divide d_model; got d_model={d_model}, n_heads={n_heads}\n"
                f"n_heads 必须整除 d_model，收到 d_model={d_model}，n_heads={n_heads}"
            )
        given: object = PositionEncoding() if encoding is None else encoding
        if not isinstance(given, PositionEncoding):
            came = given.__name__ if isinstance(given, type) else type(given).__name__
            raise ValueError(
                f"encoding must be a PositionEncoding (an object, not its class) or None; got {came}\n"
                f"encoding 必须是 PositionEncoding 的对象（不是类本身）或 None，收到 {came}"
            )
        self.d_head = self.d_model // self.n_heads
        self.encoding = given
        self.dropout = probability("dropout", dropout)
        self.w_query = nn.Linear(d_model, d_model)
        self.w_key = nn.Linear(d_model, d_model)
        self.w_value = nn.Linear(d_model, d_model)
        self.w_out = nn.Linear(d_model, d_model)

    def forward(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        mask: Tensor | None = None,
        query_positions: Tensor | None = None,
        key_positions: Tensor | None = None,
        need_weights: bool = False,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Attend.

        Args:
            query: [B, Lq, d_model].
            key, value: [B, Lk, d_model], both or neither; neither is self-attention.
            mask: bool, True = may look, broadcastable to [B, n_heads, Lq, Lk]. (PyTorch's own
                MultiheadAttention means the opposite: True = hidden.) Each query must see at least one key.
            query_positions, key_positions: [L] or [B, L]; 0 … L−1 when not given. Self-attention has one set
                of tokens and takes ``query_positions`` alone.
            need_weights: also return the weights. They never leave the fused kernel, so this is slower.

        Returns:
            [B, Lq, d_model]; with ``need_weights`` also the weights [B, n_heads, Lq, Lk], before dropout, so
            that each row sums to 1.

        Raises:
            ValueError: shapes, devices, mask or positions that do not fit, named in the message.
        """
        check_inputs(query, key, value, key_positions, self.w_query.weight)
        query_positions = positions_for("query_positions", query_positions, query)
        if key is None or value is None:
            query = key = value = self.encoding.add_to_embeddings(query, query_positions)
            key_positions = query_positions
        else:
            key_positions = positions_for("key_positions", key_positions, key)
            same = value is key
            query = self.encoding.add_to_embeddings(query, query_positions)
            key = self.encoding.add_to_embeddings(key, key_positions)
            value = key if same else self.encoding.add_to_embeddings(value, key_positions)
        if mask is not None:
            full = (query.shape[0], self.n_heads, query.shape[1], key.shape[1])
            mask = checked_mask(mask, full, query.device)

        q = self.encoding.turn(self._split(self.w_query(query)), query_positions)
        k = self.encoding.turn(self._split(self.w_key(key)), key_positions)
        v = self._split(self.w_value(value))
        fused = not (need_weights or self.encoding.reads_scores or 4 in self.encoding.doors)
        attend = self._fused if fused else self._explicit
        heads, weights = attend(q, k, v, mask, query_positions, key_positions)
        out = self.w_out(heads.transpose(1, 2).flatten(2))
        return (out, weights) if need_weights and weights is not None else out

    def _split(self, x: Tensor) -> Tensor:
        """[B, L, d_model] → [B, n_heads, L, d_head]."""
        return x.unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)

    def _explicit(
        self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, q_at: Tensor, k_at: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """Every step in the open. Scores are held in float32 at least, as the fused kernel holds them."""
        wide = torch.promote_types(q.dtype, torch.float32)
        scores = (q.to(wide) / math.sqrt(self.d_head)) @ k.to(wide).transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        bias = self._bias(q, k, q_at, k_at, scores if self.encoding.reads_scores else None)
        if bias is not None:
            scores = scores + bias
        weights = scores.softmax(dim=-1).to(v.dtype)
        used = F.dropout(weights, self.dropout, self.training)
        heads = used @ v
        extra = self.encoding.value_bias(used, q_at, k_at)
        return heads if extra is None else heads + extra, weights

    def _fused(
        self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, q_at: Tensor, k_at: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """PyTorch's kernel, which never stores the weights. A bias travels as a mask of numbers."""
        bias = self._bias(q, k, q_at, k_at, None)
        if bias is not None:
            bias = bias.to(q.dtype)
            mask = bias if mask is None else torch.where(mask, bias, -math.inf)
        dropout = self.dropout if self.training else 0.0
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout), None

    def _bias(self, q: Tensor, k: Tensor, q_at: Tensor, k_at: Tensor, scores: Tensor | None) -> Tensor | None:
        bias = self.encoding.score_bias(q, q_at, k_at, scores)
        full = (*q.shape[:3], k.shape[2])
        if bias is not None and not fits(bias.shape, full):
            raise ValueError(
                f"score_bias must return something broadcastable to {list(full)}; got {list(bias.shape)}\n"
                f"score_bias 的结果必须能广播到 {list(full)}，收到 {list(bias.shape)}"
            )
        return bias

    def extra_repr(self) -> str:
        return f"{self.d_model}, n_heads={self.n_heads}, dropout={self.dropout:g}"
