"""One attention for every position encoding: it calls the four doors and knows no encoding by name.

Source: Vaswani et al. 2017, "Attention Is All You Need", §3.2 (equation 1 and multi-head attention); keys and
values shared by groups of heads, Ainslie et al. 2023, "GQA", §2.2.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.encodings.arguments import probability
from posenc_lessons.encodings.positions import Positions
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
from posenc_lessons.models.masks import causal_rows, positions_read


class Context(NamedTuple):
    """What stands between queries and keys besides themselves: who may look, where each token stands.

    ``mask``: bool, broadcastable to [B, H, Lq, Lk], or None. ``causal``: without a mask, hide later keys.
    ``query_positions``, ``key_positions``: as the encoding reads them.
    """

    mask: Tensor | None
    causal: bool
    query_positions: Tensor
    key_positions: Tensor


class MultiHeadAttention(nn.Module):
    """softmax(q·kᵀ/√d_head) v in ``n_heads`` heads, with any position encoding.

    With each encoding of the course, ``torch.compile(fullgraph=True)`` and strict ``torch.export`` take it
    whole, forward and backward, unless a cache is used. Compiled code does not check values: it accepts a
    mask that hides every key from a query, or a position outside a learned table. PyTorch's fused kernels for
    the CPU have no gradient of a gradient: for one, compute in
    ``torch.nn.attention.sdpa_kernel(SDPBackend.MATH)``.

    Args:
        d_model: width of the inputs.
        n_heads: how many heads of queries; must divide d_model, unless ``d_head`` is given.
        encoding: the position encoding whose doors are called. None means no positions.
        dropout: the share of attention weights set to zero, in training only.
        n_kv_heads: how many heads of keys and values; n_heads / n_kv_heads heads of queries share each
            (grouped-query attention, as in Llama; 1 is multi-query attention). ``n_heads`` for None.
        d_head: width of a head; d_model / n_heads for None.
        bias: whether the four projections add a bias.

    >>> attention = MultiHeadAttention(d_model=16, n_heads=4, encoding=RotaryEncoding(d_head=4), n_kv_heads=2)
    >>> x = torch.randn(2, 5, 16)  # [B, L, d_model]
    >>> out, weights = attention(x, causal=True, need_weights=True)
    >>> out.shape, weights.shape
    (torch.Size([2, 5, 16]), torch.Size([2, 4, 5, 5]))
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
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.d_head = head_width(d_model, n_heads, d_head)
        self.d_model, self.n_heads = int(d_model), int(n_heads)
        self.n_kv_heads = heads_of_keys(self.n_heads, n_kv_heads)
        checked: object = PositionEncoding() if encoding is None else encoding
        if not isinstance(checked, PositionEncoding):
            came = checked.__name__ if isinstance(checked, type) else type(checked).__name__
            raise BilingualValueError(
                f"encoding 必须是 PositionEncoding 的对象（不是类本身）或 None，收到 {came}",
                f"encoding must be a PositionEncoding (an object, not its class) or None; got {came}",
            )
        self.encoding = checked
        self.dropout = probability("dropout", dropout)

        def linear(width_in: int, width_out: int) -> nn.Linear:
            return nn.Linear(width_in, width_out, bias)

        self.w_query = linear(self.d_model, self.n_heads * self.d_head)
        self.w_key = linear(self.d_model, self.n_kv_heads * self.d_head)
        self.w_value = linear(self.d_model, self.n_kv_heads * self.d_head)
        self.w_out = linear(self.n_heads * self.d_head, self.d_model)

    def forward(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        mask: Tensor | None = None,
        query_positions: Positions | None = None,
        key_positions: Positions | None = None,
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
            query_positions, key_positions: [L] or [B, L], or [L, axes] or [B, L, axes] for an encoding that
                reads several coordinates. If None, 0 … L−1; in self-attention with a cache, they go on after
                the cache's last position. (With ``key`` and a cache, give ``query_positions`` at each step.)
                Self-attention has one set of tokens and takes only ``query_positions``.
            need_weights: also return the weights. The fused kernel does not return them, so this is slower.
            causal: True hides from each query the keys after it: the last query sees all keys, the one before
                it all except the last, and so on. The result is that of a ``causal_mask``, which is not built
                if the kernel has its own.
            cache: in self-attention, append these tokens to the cache and look at all of them; Lk then counts
                the cached tokens too. With ``key`` and ``value``, compute their keys and values the first
                time and use them again later.

        Returns:
            [B, Lq, d_model]; with ``need_weights`` also the weights [B, n_heads, Lq, Lk], before dropout, so
            that each row sums to 1.

        Raises:
            ValueError: shapes, mask or positions that do not fit, named in the message.
        """
        check_inputs(query, key, value, key_positions, self.d_model)
        encoding, own_cache = self.encoding, cache if key is None else None
        cached = None if own_cache is None else own_cache.positions
        query_positions = positions_read("query_positions", query_positions, query, encoding, cached)
        n_keys = query.shape[1] if key is None else key.shape[1]
        n_keys += 0 if own_cache is None else own_cache.length
        shape = (query.shape[0], self.n_heads, query.shape[1], n_keys)
        mask = mask_for_attention(mask, causal, shape, query.device)

        positions = encoding.reads(query_positions)
        x = encoding.add_to_embeddings(query, positions)  # [B, Lq, d_model]
        queries = self._split(self.w_query(x), self.n_heads)  # [B, n_heads, Lq, d_head]
        queries = encoding.turn(queries, positions, "query")
        if key is None or value is None:
            keys, values, key_positions = self._of_same_tokens(x, query_positions, cache)
        else:
            keys, values, key_positions = self._of_other_tokens(key, value, key_positions, cache)
        keys, values = self._for_every_head(keys), self._for_every_head(values)  # [B, n_heads, Lk, d_head]

        context = Context(mask, causal, positions, encoding.reads(key_positions))
        explicit = need_weights or encoding.reads_scores or 4 in encoding.doors
        attend = self._explicit if explicit else self._fused
        heads, weights = attend(queries, keys, values, context)  # [B, n_heads, Lq, d_head]
        out = self.w_out(heads.transpose(1, 2).flatten(2))  # [B, Lq, n_heads · d_head] → [B, Lq, d_model]
        return (out, weights) if need_weights and weights is not None else out

    def _of_same_tokens(
        self, x: Tensor, positions: Positions, cache: KeyValueCache | None
    ) -> tuple[Tensor, Tensor, Positions]:
        """Return keys, values and positions of ``x`` after those in ``cache``."""
        keys, values = self._keys_and_values(x, x, self.encoding.reads(positions))
        return (keys, values, positions) if cache is None else cache.extend(keys, values, positions)

    def _of_other_tokens(
        self, key: Tensor, value: Tensor, positions: Positions | None, cache: KeyValueCache | None
    ) -> tuple[Tensor, Tensor, Positions]:
        """Return keys, values and positions of other tokens; with a cache, compute them only once."""
        if cache is not None and cache.length:
            return cache.of_source(key)
        positions = positions_read("key_positions", positions, key, self.encoding)
        coordinates = self.encoding.reads(positions)
        for_keys = self.encoding.add_to_embeddings(key, coordinates)
        for_values = for_keys if value is key else self.encoding.add_to_embeddings(value, coordinates)
        keys, values = self._keys_and_values(for_keys, for_values, coordinates)
        if cache is not None:
            cache.source = key
            cache.extend(keys, values, positions)
        return keys, values, positions

    def _keys_and_values(self, key: Tensor, value: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        keys = self.encoding.turn(self._split(self.w_key(key), self.n_kv_heads), positions, "key")
        return keys, self._split(self.w_value(value), self.n_kv_heads)  # [B, n_kv_heads, L, d_head] each

    def _split(self, x: Tensor, n_heads: int) -> Tensor:
        """Split heads: [B, L, n_heads · d_head] → [B, n_heads, L, d_head]."""
        return x.reshape(*x.shape[:2], n_heads, self.d_head).transpose(1, 2)

    def _for_every_head(self, x: Tensor) -> Tensor:
        """Repeat shared heads: [B, n_kv_heads, L, d_head] → [B, n_heads, L, d_head]."""
        groups = self.n_heads // self.n_kv_heads  # heads 0 … groups−1 share the first, and so on
        return x if groups == 1 else x.repeat_interleave(groups, dim=1)

    def _explicit(
        self, queries: Tensor, keys: Tensor, values: Tensor, context: Context
    ) -> tuple[Tensor, Tensor | None]:
        """Compute attention step by step, with the weights; scores are in float32 at least."""
        mask, causal = context.mask, context.causal
        scores = masked_scores(queries, keys, math.sqrt(self.d_head), mask, causal)  # [B, H, Lq, Lk]
        bias = self._bias(queries, keys, context, scores if self.encoding.reads_scores else None)
        if bias is not None:
            scores = scores + bias
        weights = self._weigh(scores).to(values.dtype)
        weights_after_dropout = F.dropout(weights, self.dropout, self.training)
        heads = weights_after_dropout @ values  # [B, H, Lq, d_head]
        extra = self.encoding.value_bias(
            weights_after_dropout, context.query_positions, context.key_positions
        )
        return heads if extra is None else heads + extra, weights

    def _weigh(self, scores: Tensor) -> Tensor:
        """Turn scores [B, H, Lq, Lk], −inf at hidden keys, into weights."""
        return scores.softmax(dim=-1)

    def _fused(
        self, queries: Tensor, keys: Tensor, values: Tensor, context: Context
    ) -> tuple[Tensor, Tensor | None]:
        """Use PyTorch's kernel, which never stores the weights; a bias is passed as a float mask."""
        bias = self._bias(queries, keys, context, None)
        dropout = self.dropout if self.training else 0.0
        return fused(queries, keys, values, context.mask, context.causal, dropout, bias), None

    def _bias(self, queries: Tensor, keys: Tensor, context: Context, scores: Tensor | None) -> Tensor | None:
        """Return what the encoding adds to the scores, or None; ``scores`` for one that reads them."""
        positions = context.query_positions, context.key_positions
        bias = self.encoding.score_bias(queries, keys, *positions, scores)
        shape = (*queries.shape[:3], keys.shape[2])
        if bias is not None and not fits(bias.shape, shape):
            raise BilingualValueError(
                f"score_bias 的结果必须能广播到 {list(shape)}，收到 {list(bias.shape)}",
                f"score_bias must return something broadcastable to {list(shape)}; got {list(bias.shape)}",
            )
        return bias

    def extra_repr(self) -> str:
        groups = "" if self.n_kv_heads == self.n_heads else f", n_kv_heads={self.n_kv_heads}"
        return f"{self.d_model}, n_heads={self.n_heads}{groups}, dropout={self.dropout:g}"


def mask_for_attention(
    mask: Tensor | None, causal: bool, full: tuple[int, int, int, int], device: torch.device
) -> Tensor | None:
    """Return ``mask``, checked and combined with the causal mask; None if there is no ``mask``.

    ``full`` is (B, n_heads, Lq, Lk).
    """
    *_, n_queries, n_keys = full
    if causal and n_queries > n_keys:
        raise BilingualValueError(
            f"causal=True 时查询不能比键多：{n_queries} 个查询、{n_keys} 个键，第 0 行查询会看不到任何键",
            f"with causal=True there must be no more queries than keys; got {n_queries} and {n_keys}, "
            f"so that query row 0 would see no key",
        )
    if mask is None:
        return None
    mask = mask_of_four_axes(mask, full)
    mask = mask & causal_rows(n_queries, n_keys, device) if causal else mask
    check_no_row_is_hidden(mask)
    return mask


def products_in_float32(queries: Tensor, keys: Tensor, divisor: float) -> Tensor:
    """Return q·kᵀ/divisor [B, H, Lq, Lk] in float32 at least, even under autocast."""
    wide, kind = torch.promote_types(queries.dtype, torch.float32), queries.device.type
    queries, keys = queries.to(wide) / divisor, keys.to(wide).transpose(-2, -1)
    if kind == "meta" or not torch.is_autocast_enabled(kind):  # meta has no autocast
        return queries @ keys
    with torch.autocast(kind, enabled=False):
        return queries @ keys


def masked_scores(queries: Tensor, keys: Tensor, divisor: float, mask: Tensor | None, causal: bool) -> Tensor:
    """Return q·kᵀ/divisor [B, H, Lq, Lk] in float32 at least, −inf at keys that the mask hides."""
    scores, n_queries = products_in_float32(queries, keys, divisor), queries.shape[2]
    if mask is None and causal and n_queries > 1:  # a single query sees all keys
        mask = causal_rows(n_queries, keys.shape[2], queries.device)
    return scores if mask is None else scores.masked_fill(~mask, -math.inf)


def fused(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    mask: Tensor | None,
    causal: bool,
    dropout: float,
    bias: Tensor | None = None,
    scale: float | None = None,
) -> Tensor:
    """Return PyTorch's ``scaled_dot_product_attention`` [B, H, Lq, d]; a bias is passed as a float mask."""
    n_queries, n_keys = queries.shape[2], keys.shape[2]
    by_kernel = False  # set in branches: compiled for any length, a comparison of sizes is no bool
    if causal and mask is None and n_queries > 1:
        if bias is None and n_queries == n_keys:
            by_kernel = True
        else:
            mask = causal_rows(n_queries, n_keys, queries.device)
    if bias is not None:
        bias = bias.to(queries.dtype)
        mask = bias if mask is None else torch.where(mask, bias, -math.inf)
    return F.scaled_dot_product_attention(
        queries, keys, values, attn_mask=mask, dropout_p=dropout, is_causal=by_kernel, scale=scale
    )
