"""One attention for every position encoding: it calls the four doors and knows no encoding by name.

Source: Vaswani et al. 2017, "Attention Is All You Need", §3.2 (equation 1 and multi-head attention); keys and
values shared by groups of heads, Ainslie et al. 2023, "GQA", §2.2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.encodings.arguments import flag, present_device, probability, whole_number
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.cache import KeyValueCache
from posenc_lessons.models.checks import (
    check_inputs,
    check_no_row_is_hidden,
    fits,
    head_width,
    heads_of_keys,
    mask_of_four_axes,
)
from posenc_lessons.models.masks import causal_rows, positions_for


class MultiHeadAttention(nn.Module):
    """softmax(q·kᵀ/√d_head) v in ``n_heads`` heads, with any position encoding.

    With each encoding of the course, ``torch.compile(fullgraph=True)`` and strict ``torch.export`` take it
    whole, forward and backward, unless a cache is used. Compiled, nothing is refused for its numbers: a mask
    that hides every key from a query, or a position outside a learned table.

    Args:
        d_model: width of the inputs.
        n_heads: how many heads of queries; must divide d_model, unless ``d_head`` is given.
        encoding: the position encoding whose doors are called. None lets no position in.
        dropout: the share of attention weights set to zero, in training only.
        n_kv_heads: how many heads of keys and values, each serving n_heads / n_kv_heads heads of queries
            (grouped-query attention, as in Llama; 1 is multi-query attention). ``n_heads`` for None.
        d_head: width of a head; d_model / n_heads for None.
        d_out: width of the output; d_model for None.
        bias: whether the four projections add a bias.
        device, dtype: of the four projections; the encoding stays as it is.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        encoding: PositionEncoding | None = None,
        dropout: float = 0.0,
        *,
        n_kv_heads: int | None = None,
        d_head: int | None = None,
        d_out: int | None = None,
        bias: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.d_head = head_width(d_model, n_heads, d_head)
        self.d_model, self.n_heads = int(d_model), int(n_heads)
        self.n_kv_heads = heads_of_keys(self.n_heads, n_kv_heads)
        self.d_out = self.d_model if d_out is None else whole_number("d_out", d_out, 1)
        given: object = PositionEncoding() if encoding is None else encoding
        if not isinstance(given, PositionEncoding):
            came = given.__name__ if isinstance(given, type) else type(given).__name__
            raise BilingualValueError(
                f"encoding 必须是 PositionEncoding 的对象（不是类本身）或 None，收到 {came}",
                f"encoding must be a PositionEncoding (an object, not its class) or None; got {came}",
            )
        self.encoding = given
        self.dropout = probability("dropout", dropout)
        bias, device = flag("bias", bias), None if device is None else present_device(device)

        def linear(width_in: int, width_out: int) -> nn.Linear:
            return nn.Linear(width_in, width_out, bias, device, dtype)

        self.w_query = linear(self.d_model, self.n_heads * self.d_head)
        self.w_key = linear(self.d_model, self.n_kv_heads * self.d_head)
        self.w_value = linear(self.d_model, self.n_kv_heads * self.d_head)
        self.w_out = linear(self.n_heads * self.d_head, self.d_out)

    def forward(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        mask: Tensor | None = None,
        query_positions: Tensor | None = None,
        key_positions: Tensor | None = None,
        need_weights: bool = False,
        *,
        causal: bool = False,
        cache: KeyValueCache | None = None,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Attend.

        Args:
            query: [B, Lq, d_model].
            key, value: [B, Lk, d_model], both or neither; neither is self-attention.
            mask: bool, True = may look, broadcastable to [B, n_heads, Lq, Lk]. (PyTorch's own
                MultiheadAttention means the opposite: True = hidden.) Each query must see at least one key.
            query_positions, key_positions: [L] or [B, L]; when not given, 0 … L−1, or on from the last
                position in ``cache``. Self-attention has one set of tokens and takes ``query_positions``
                alone.
            need_weights: also return the weights. They never leave the fused kernel, so this is slower.
            causal: True hides from each query what comes after it: the last query sees all keys, the one
                before it all but the last, and so on. The same as a ``causal_mask``, without building one
                where the kernel can do so.
            cache: in self-attention, put these tokens behind those kept, and look at all of them; Lk then
                counts the kept ones too. With ``key`` and ``value``, work out their keys and values the
                first time and use them again thereafter.

        Returns:
            [B, Lq, d_out]; with ``need_weights`` also the weights [B, n_heads, Lq, Lk], before dropout, so
            that each row sums to 1.

        Raises:
            ValueError: shapes, devices, mask or positions that do not fit, named in the message.
        """
        check_inputs(query, key, value, key_positions, self.w_query.weight)
        earlier = cache if key is None else None
        kept = None if earlier is None else earlier.positions
        query_positions = positions_for("query_positions", query_positions, query, kept)
        n_keys = key.shape[1] if key is not None else query.shape[1] + (earlier.length if earlier else 0)
        mask = self._mask(mask, causal, query, n_keys)

        encoding = self.encoding
        x = encoding.add_to_embeddings(query, query_positions)
        q = encoding.turn(self._split(self.w_query(x), self.n_heads), query_positions, "query")
        if key is not None and value is not None:
            k, v, k_at = self._of_other_tokens(key, value, key_positions, cache)
        else:
            (k, v), k_at = self._keys_and_values(x, x, query_positions), query_positions
            if earlier is not None:
                k, v, k_at = earlier.extend(k, v, k_at)
        k, v = self._for_every_head(k), self._for_every_head(v)
        fused = not (need_weights or encoding.reads_scores or 4 in encoding.doors)
        attend = self._fused if fused else self._explicit
        heads, weights = attend(q, k, v, mask, causal, query_positions, k_at)
        out = self.w_out(heads.transpose(1, 2).flatten(2))  # [B, Lq, n_heads · d_head] → [B, Lq, d_out]
        return (out, weights) if need_weights and weights is not None else out

    def _mask(self, mask: Tensor | None, causal: bool, query: Tensor, n_keys: int) -> Tensor | None:
        """``mask`` checked, and the causal one in it; None where there is none or only the causal one."""
        batch, n_queries = query.shape[:2]
        if causal and n_queries > n_keys:
            raise BilingualValueError(
                f"causal=True 时查询不能比键多：{n_queries} 个查询、{n_keys} 个键，第 0 行查询会看不到任何键",
                f"with causal=True there must be no more queries than keys; got {n_queries} and {n_keys}, "
                f"so that query row 0 would see no key",
            )
        if mask is None:
            return None
        mask = mask_of_four_axes(mask, (batch, self.n_heads, n_queries, n_keys), query.device)
        mask = mask & causal_rows(n_queries, n_keys, query.device) if causal else mask
        check_no_row_is_hidden(mask)
        return mask

    def _keys_and_values(self, key: Tensor, value: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        k = self.encoding.turn(self._split(self.w_key(key), self.n_kv_heads), positions, "key")
        return k, self._split(self.w_value(value), self.n_kv_heads)

    def _of_other_tokens(
        self, key: Tensor, value: Tensor, positions: Tensor | None, cache: KeyValueCache | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Keys, values and positions of tokens that are not the queries' own."""
        if cache is not None and cache.length:
            return cache.of_source(key)
        positions = positions_for("key_positions", positions, key)
        inputs = self.encoding.add_to_embeddings(key, positions)
        other = inputs if value is key else self.encoding.add_to_embeddings(value, positions)
        k, v = self._keys_and_values(inputs, other, positions)
        if cache is not None:
            cache.source = key
            cache.extend(k, v, positions)
        return k, v, positions

    def _split(self, x: Tensor, n_heads: int) -> Tensor:
        """[B, L, n_heads · d_head] → [B, n_heads, L, d_head]."""
        return x.reshape(*x.shape[:2], n_heads, self.d_head).transpose(1, 2)

    def _for_every_head(self, x: Tensor) -> Tensor:
        """[B, n_kv_heads, L, d_head] → [B, n_heads, L, d_head]: heads 0 … g−1 share the first, and so on."""
        groups = self.n_heads // self.n_kv_heads
        return x if groups == 1 else x.repeat_interleave(groups, dim=1)

    def _explicit(
        self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, causal: bool, q_at: Tensor, k_at: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """Step by step, with the weights. Scores are in float32 at least, as the fused kernel has them."""
        wide = torch.promote_types(q.dtype, torch.float32)
        scores = (q.to(wide) / math.sqrt(self.d_head)) @ k.to(wide).transpose(-2, -1)  # [B, H, Lq, Lk]
        if mask is None and causal and q.shape[2] > 1:
            mask = causal_rows(q.shape[2], k.shape[2], q.device)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        bias = self._bias(q, k, q_at, k_at, scores if self.encoding.reads_scores else None)
        if bias is not None:
            scores = scores + bias
        weights = self._weigh(scores).to(v.dtype)
        used = F.dropout(weights, self.dropout, self.training)
        heads = used @ v  # [B, H, Lq, d_head]
        extra = self.encoding.value_bias(used, q_at, k_at)
        return heads if extra is None else heads + extra, weights

    def _weigh(self, scores: Tensor) -> Tensor:
        """Scores [B, H, Lq, Lk], −inf at hidden keys → weights of the same shape."""
        return scores.softmax(dim=-1)

    def _fused(
        self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, causal: bool, q_at: Tensor, k_at: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """PyTorch's kernel, which never stores the weights. A bias travels as a mask of numbers."""
        bias = self._bias(q, k, q_at, k_at, None)
        by_kernel = False
        if causal and mask is None and q.shape[2] > 1:  # the last query alone sees everything
            if bias is None and q.shape[2] == k.shape[2]:
                by_kernel = True
            else:
                mask = causal_rows(q.shape[2], k.shape[2], q.device)
        if bias is not None:
            bias = bias.to(q.dtype)
            mask = bias if mask is None else torch.where(mask, bias, -math.inf)
        dropout = self.dropout if self.training else 0.0
        heads = F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, dropout_p=dropout, is_causal=by_kernel
        )
        return heads, None

    def _bias(self, q: Tensor, k: Tensor, q_at: Tensor, k_at: Tensor, scores: Tensor | None) -> Tensor | None:
        bias = self.encoding.score_bias(q, k, q_at, k_at, scores)
        full = (*q.shape[:3], k.shape[2])
        if bias is not None and not fits(bias.shape, full):
            raise BilingualValueError(
                f"score_bias 的结果必须能广播到 {list(full)}，收到 {list(bias.shape)}",
                f"score_bias must return something broadcastable to {list(full)}; got {list(bias.shape)}",
            )
        return bias

    def extra_repr(self) -> str:
        groups = "" if self.n_kv_heads == self.n_heads else f", n_kv_heads={self.n_kv_heads}"
        return f"{self.d_model}, n_heads={self.n_heads}{groups}, dropout={self.dropout:g}"
