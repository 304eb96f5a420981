"""One attention for every position encoding: it calls the four doors and knows no encoding by name.

Heads of keys and values may be shared by several heads of queries, for example with n_heads=4:

    ┌───┐┌───┐┌───┐┌───┐    ┌───┐    ┌───┐            ┌───┐
    │ v ││ v ││ v ││ v │    │ v │    │ v │            │ v │
    └───┘└───┘└───┘└───┘    └───┘    └───┘            └───┘
      │    │    │    │        │        │                │
    ┌───┐┌───┐┌───┐┌───┐    ┌───┐    ┌───┐            ┌───┐
    │ k ││ k ││ k ││ k │    │ k │    │ k │            │ k │
    └───┘└───┘└───┘└───┘    └───┘    └───┘            └───┘
      │    │    │    │      ┌─┴──┐   ┌─┴──┐     ┌────┬──┴─┬────┐
    ┌───┐┌───┐┌───┐┌───┐  ┌───┐┌───┐┌───┐┌───┐ ┌───┐┌───┐┌───┐┌───┐
    │ q ││ q ││ q ││ q │  │ q ││ q ││ q ││ q │ │ q ││ q ││ q ││ q │
    └───┘└───┘└───┘└───┘  └───┘└───┘└───┘└───┘ └───┘└───┘└───┘└───┘
            MHA                   GQA                  MQA
       n_kv_heads=4          n_kv_heads=2         n_kv_heads=1

Source: Vaswani et al. 2017, "Attention Is All You Need", §3.2 (equation 1 and multi-head attention); keys and
values shared by groups of heads, Ainslie et al. 2023, "GQA", §2.2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.encodings.arguments import (
    flag,
    float64_device,
    present_device,
    probability,
    whole_number,
)
from posenc_lessons.encodings.positions import Positions, places_in
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


class MultiHeadAttention(nn.Module):
    """softmax(q·kᵀ/√d_head) v in ``n_heads`` heads, with any position encoding.

    With each encoding of the course, ``torch.compile(fullgraph=True)`` and strict ``torch.export`` take it
    whole, forward and backward, unless a cache is used. Compiled code does not check values: it accepts a
    mask that hides every key from a query, or a position outside a learned table.

    Args:
        d_model: width of the inputs.
        n_heads: how many heads of queries; must divide d_model, unless ``d_head`` is given.
        encoding: the position encoding whose doors are called. None means no positions.
        dropout: the share of attention weights set to zero, in training only.
        n_kv_heads: how many heads of keys and values; n_heads / n_kv_heads heads of queries share each
            (grouped-query attention, as in Llama; 1 is multi-query attention). ``n_heads`` for None.
        d_head: width of a head; d_model / n_heads for None.
        d_out: width of the output; d_model for None.
        bias: whether the four projections add a bias.
        device, dtype: of the four projections; the encoding keeps its own.

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
            [B, Lq, d_out]; with ``need_weights`` also the weights [B, n_heads, Lq, Lk], before dropout, so
            that each row sums to 1.

        Raises:
            ValueError: shapes, devices, mask or positions that do not fit, named in the message.
        """
        check_inputs(query, key, value, key_positions, self.w_query.weight)
        earlier = cache if key is None else None
        kept = None if earlier is None else earlier.positions
        query_positions = positions_read("query_positions", query_positions, query, self.encoding, kept)
        n_keys = key.shape[1] if key is not None else query.shape[1] + (earlier.length if earlier else 0)
        full = (query.shape[0], self.n_heads, query.shape[1], n_keys)
        mask = mask_for_attention(mask, causal, full, query.device)

        encoding = self.encoding
        q_at = encoding.reads(query_positions)
        x = encoding.add_to_embeddings(query, q_at)  # [B, Lq, d_model]
        q = self._split(self.w_query(x), self.n_heads)  # [B, n_heads, Lq, d_head]
        q = encoding.turn(q, q_at, "query")
        gates = self._gates(x, places_in(query_positions), earlier, key is None)  # [B, n_gates, Lq]
        from_gates = None
        if key is not None and value is not None:
            k, v, key_positions = self._of_other_tokens(key, value, key_positions, cache)
        else:
            (k, v), key_positions = self._keys_and_values(x, x, q_at), query_positions
            if earlier is not None:
                k, v, key_positions = earlier.extend(k, v, query_positions, gates)
            if gates is not None:
                all_gates = gates if earlier is None or earlier.gates is None else earlier.gates
                from_gates = encoding.gate_bias(gates, all_gates)  # [B, H, Lq, Lk]
        k, v = self._for_every_head(k), self._for_every_head(v)  # [B, n_heads, Lk, d_head] each
        fused = not (need_weights or encoding.reads_scores or 4 in encoding.doors)
        attend = self._fused if fused else self._explicit
        heads, weights = attend(q, k, v, mask, causal, q_at, encoding.reads(key_positions), from_gates)
        out = self.w_out(heads.transpose(1, 2).flatten(2))  # [B, Lq, n_heads · d_head] → [B, Lq, d_out]
        return (out, weights) if need_weights and weights is not None else out

    def _gates(
        self, x: Tensor, positions: Tensor, earlier: KeyValueCache | None, of_itself: bool
    ) -> Tensor | None:
        """Return the cumulative log gates [B, n_gates, L] of tokens ``x``; None if the encoding has none."""
        if not self.encoding.reads_input:
            return None
        if not of_itself:
            name = type(self.encoding).__name__
            raise BilingualValueError(
                f"{name} 只用于自注意力：它的门从每个词元读出，查询和键必须是同一串词元",
                f"{name} is for self-attention: its gates are read from each token, so queries and keys must "
                f"be the same tokens",
            )
        return cumulative_gates(self.encoding.log_gates(x), positions, earlier)

    def _keys_and_values(self, key: Tensor, value: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        k = self.encoding.turn(self._split(self.w_key(key), self.n_kv_heads), positions, "key")
        return k, self._split(self.w_value(value), self.n_kv_heads)

    def _of_other_tokens(
        self, key: Tensor, value: Tensor, positions: Positions | None, cache: KeyValueCache | None
    ) -> tuple[Tensor, Tensor, Positions]:
        """Return keys, values and positions of other tokens; with a cache, compute them only once."""
        if cache is not None and cache.length:
            return cache.of_source(key)
        positions = positions_read("key_positions", positions, key, self.encoding)
        at = self.encoding.reads(positions)
        inputs = self.encoding.add_to_embeddings(key, at)
        other = inputs if value is key else self.encoding.add_to_embeddings(value, at)
        k, v = self._keys_and_values(inputs, other, at)
        if cache is not None:
            cache.source = key
            cache.extend(k, v, positions)
        return k, v, positions

    def _split(self, x: Tensor, n_heads: int) -> Tensor:
        """Split heads: [B, L, n_heads · d_head] → [B, n_heads, L, d_head]."""
        return x.reshape(*x.shape[:2], n_heads, self.d_head).transpose(1, 2)

    def _for_every_head(self, x: Tensor) -> Tensor:
        """Repeat shared heads: [B, n_kv_heads, L, d_head] → [B, n_heads, L, d_head]."""
        groups = self.n_heads // self.n_kv_heads  # heads 0 … groups−1 share the first, and so on
        return x if groups == 1 else x.repeat_interleave(groups, dim=1)

    def _explicit(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        mask: Tensor | None,
        causal: bool,
        q_at: Tensor,
        k_at: Tensor,
        from_gates: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Compute attention step by step, with the weights; scores are in float32 at least."""
        scores = products_in_float32(q, k, math.sqrt(self.d_head))  # [B, H, Lq, Lk]
        if mask is None and causal and q.shape[2] > 1:
            mask = causal_rows(q.shape[2], k.shape[2], q.device)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        bias = self._bias(q, k, q_at, k_at, scores if self.encoding.reads_scores else None, from_gates)
        if bias is not None:
            scores = scores + bias
        weights = self._weigh(scores).to(v.dtype)
        used = F.dropout(weights, self.dropout, self.training)
        heads = used @ v  # [B, H, Lq, d_head]
        extra = self.encoding.value_bias(used, q_at, k_at)
        return heads if extra is None else heads + extra, weights

    def _weigh(self, scores: Tensor) -> Tensor:
        """Turn scores [B, H, Lq, Lk], −inf at hidden keys, into weights."""
        return scores.softmax(dim=-1)

    def _fused(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        mask: Tensor | None,
        causal: bool,
        q_at: Tensor,
        k_at: Tensor,
        from_gates: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Use PyTorch's kernel, which never stores the weights; a bias is passed as a float mask."""
        bias = self._bias(q, k, q_at, k_at, None, from_gates)
        by_kernel = False
        if causal and mask is None and q.shape[2] > 1:  # a single query sees all keys
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

    def _bias(
        self,
        q: Tensor,
        k: Tensor,
        q_at: Tensor,
        k_at: Tensor,
        scores: Tensor | None,
        from_gates: Tensor | None,
    ) -> Tensor | None:
        bias = self.encoding.score_bias(q, k, q_at, k_at, scores)
        full = (*q.shape[:3], k.shape[2])
        if bias is not None and not fits(bias.shape, full):
            raise BilingualValueError(
                f"score_bias 的结果必须能广播到 {list(full)}，收到 {list(bias.shape)}",
                f"score_bias must return something broadcastable to {list(full)}; got {list(bias.shape)}",
            )
        if from_gates is not None:
            from_gates = from_gates.to(torch.promote_types(q.dtype, torch.float32))
            bias = from_gates if bias is None else bias + from_gates
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
    mask = mask_of_four_axes(mask, full, device)
    mask = mask & causal_rows(n_queries, n_keys, device) if causal else mask
    check_no_row_is_hidden(mask)
    return mask


def cumulative_gates(log_gates: Tensor, positions: Tensor, earlier: KeyValueCache | None) -> Tensor:
    """Add up ``log_gates`` [B, n, L] along the text, starting from the last sum in ``earlier``: [B, n, L].

    Each is multiplied by the step of position from the token before.
    """
    device = float64_device(log_gates.device)
    kind = torch.float64 if device == log_gates.device else log_gates.dtype
    at, before = positions.to(kind), positions[..., :1].to(kind)
    if earlier is not None and earlier.positions is not None:
        before = places_in(earlier.positions)[..., -1:].to(kind)
    first = at[..., :1] - before  # [1] or [B, 1]
    steps = torch.cat((first, at.diff(dim=-1).expand(*first.shape[:-1], -1)), dim=-1)  # [L] or [B, L]
    sums = (log_gates.to(kind) * steps[..., None, :]).cumsum(dim=-1)  # [B, n, L]
    return sums if earlier is None or earlier.gates is None else sums + earlier.gates[..., -1:]


def products_in_float32(q: Tensor, k: Tensor, divisor: float) -> Tensor:
    """Return q·kᵀ/divisor [B, H, Lq, Lk] in float32 at least, even under autocast."""
    wide = torch.promote_types(q.dtype, torch.float32)
    q, k = q.to(wide) / divisor, k.to(wide).transpose(-2, -1)
    if q.device.type == "meta" or not torch.is_autocast_enabled(q.device.type):  # meta has no autocast
        return q @ k
    with torch.autocast(q.device.type, enabled=False):
        return q @ k
