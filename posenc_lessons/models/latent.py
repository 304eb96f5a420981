"""Latent attention (MLA): keys and values are compressed, and only a small part of a key is rotated.

Each token keeps one short vector, its latent c = norm(W_c x); all heads make their keys and values from it,
k = W_k c and v = W_v c. Without positions a score is qᵀ W_k c = (W_kᵀ q)ᵀ c, so W_k can be absorbed into the
query, and W_v into the output: while decoding, keys and values are never made. RoPE would put a rotation,
another matrix for each distance, between q and W_k, and W_k could not be absorbed. So positions have separate
features: a few more in each query, and one short key that all heads share. Only these are rotated.

Source: DeepSeek-AI 2024, "DeepSeek-V2", arXiv 2405.04434, §2.1.2 and §2.1.3, and appendix C.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings import PositionEncoding, ScaledQueries
from posenc_lessons.encodings.arguments import number, probability, whole_number
from posenc_lessons.encodings.positions import Positions
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.attention import fused, mask_for_attention, masked_scores
from posenc_lessons.models.cache import KeyValueCache
from posenc_lessons.models.checks import check_inputs
from posenc_lessons.models.masks import positions_read


class LatentAttention(nn.Module):
    """Self-attention with compressed keys and values and their own rotary part (decoupled RoPE).

    The head of a query is [d_head features without position | d_rotary rotated]. A cache keeps d_latent +
    d_rotary numbers for each token, for any number of heads: the latent in ``cache.values`` [B, 1, L,
    d_latent], the rotated key in ``cache.keys`` [B, 1, L, d_rotary].

    Args:
        d_model, n_heads: width of the inputs and of the output; heads.
        d_latent: width of the latent; 512 in DeepSeek-V2 and V3.
        d_head: features of a head without position; 128 in these models.
        d_rotary: features of a head with position, 64 in these models; 0 for no positions.
        encoding: an encoding of door 2 for the rotary part, ``RotaryEncoding(d_rotary)``; None for none.
        dropout: the share of attention weights set to zero, in training only.
        scale: what multiplies the scores; 1/√(d_head + d_rotary) for None. DeepSeek's YaRN multiplies it by
            the square of a second factor, mscale.

    Raises:
        ValueError: sizes below 1 (d_rotary below 0); an ``encoding`` of another door than 2, or one that
            scales queries, because it would scale only their rotary part.

    >>> attention = LatentAttention(16, 2, d_latent=6, d_head=8, d_rotary=4, encoding=RotaryEncoding(4))
    >>> cache, x = KeyValueCache(), torch.randn(1, 5, 16)
    >>> step_by_step = [attention(x[:, n : n + 1], causal=True, cache=cache) for n in range(5)]
    >>> torch.allclose(torch.cat(step_by_step, dim=1), attention(x, causal=True), atol=1e-5)
    True
    >>> cache.numbers_per_token  # d_latent + d_rotary
    10

    It can replace the attention in a model:

    >>> model = DecoderOnly(vocab_size=9, d_model=16, n_heads=2, n_layers=1)
    >>> model.layers[0].attention = attention
    >>> model(torch.tensor([[3, 1, 4]])).shape
    torch.Size([1, 3, 9])
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_latent: int,
        d_head: int,
        d_rotary: int,
        encoding: PositionEncoding | None = None,
        dropout: float = 0.0,
        *,
        scale: float | None = None,
    ) -> None:
        super().__init__()
        self.d_model, self.n_heads = whole_number("d_model", d_model, 1), whole_number("n_heads", n_heads, 1)
        self.d_latent, self.d_head = whole_number("d_latent", d_latent, 1), whole_number("d_head", d_head, 1)
        self.d_rotary = whole_number("d_rotary", d_rotary, 0)
        self.encoding = _of_door_two(encoding)
        self.dropout = probability("dropout", dropout)
        width = self.d_head + self.d_rotary
        self.scale = 1 / math.sqrt(width) if scale is None else number("scale", scale, above=0)

        def linear(width_in: int, width_out: int) -> nn.Linear:
            return nn.Linear(width_in, width_out, bias=False)

        self.w_query = linear(self.d_model, self.n_heads * width)
        self.w_latent = linear(self.d_model, self.d_latent)
        self.latent_norm = nn.RMSNorm(self.d_latent, 1e-6)
        self.w_rotary_key = linear(self.d_model, self.d_rotary) if self.d_rotary else None
        self.w_key = linear(self.d_latent, self.n_heads * self.d_head)
        self.w_value = linear(self.d_latent, self.n_heads * self.d_head)
        self.w_out = linear(self.n_heads * self.d_head, self.d_model)

    def forward(
        self,
        query: Tensor,
        mask: Tensor | None = None,
        query_positions: Positions | None = None,
        need_weights: bool = False,
        *,
        causal: bool = False,
        cache: KeyValueCache | None = None,
        absorbed: bool | None = None,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Attend: [B, L, d_model] → [B, L, d_model].

        Args:
            query, mask, query_positions, need_weights, causal, cache: as ``MultiHeadAttention.forward``.
            absorbed: True absorbs W_k into the queries and multiplies them by the latents; False makes the
                keys and values of every head. The result is the same, up to rounding. None: True if ``cache``
                holds tokens.

        Raises:
            ValueError: shapes, mask or positions that do not fit, named in the message.
        """
        check_inputs(query, None, None, None, self.d_model)
        cached, n_cached = (None, 0) if cache is None else (cache.positions, cache.length)
        positions = positions_read("query_positions", query_positions, query, self.encoding, cached)
        shape = (query.shape[0], self.n_heads, query.shape[1], query.shape[1] + n_cached)
        mask = mask_for_attention(mask, causal, shape, query.device)
        absorbed = bool(n_cached) if absorbed is None else absorbed

        queries, rotated_queries = self._queries(query, positions)  # [B, H, L, d_head], [B, H, L, d_rotary]
        latent, rotated_keys = self._compressed(query, positions)  # [B, 1, L, d_latent], [B, 1, L, d_rotary]
        if cache is not None:
            rotated_keys, latent, _ = cache.extend(rotated_keys, latent, positions)
        if absorbed:
            queries = queries @ self._matrices(self.w_key, queries)  # [B, H, L, d_latent]
            keys = values = latent  # [B, 1, Lk, d_latent]
        else:
            keys, values = self._split(self.w_key(latent[:, 0])), self._split(self.w_value(latent[:, 0]))
        rotated_keys = rotated_keys.expand(-1, keys.shape[1], -1, -1)
        queries = torch.cat((queries, rotated_queries), dim=-1)  # [B, H, L, d_head or d_latent, + d_rotary]
        keys = torch.cat((keys, rotated_keys), dim=-1)
        heads, weights = self._attend(queries, keys, values, mask, causal, need_weights)
        if absorbed:
            heads = heads @ self._matrices(self.w_value, heads).mT  # [B, H, L, d_latent] → [B, H, L, d_head]
        out = self.w_out(heads.transpose(1, 2).flatten(2))  # [B, L, d_model]
        return (out, weights) if weights is not None else out

    def _split(self, x: Tensor) -> Tensor:
        """Split heads: [B, L, H · d] → [B, H, L, d]."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def _matrices(self, layer: nn.Linear, like: Tensor) -> Tensor:
        """Return the matrix of each head in a ``layer`` from the latent, [H, d, d_latent], as ``like``."""
        return layer.weight.unflatten(0, (self.n_heads, -1)).to(like.dtype)

    def _queries(self, x: Tensor, positions: Positions) -> tuple[Tensor, Tensor]:
        """Return queries without position [B, H, L, d_head], and rotated ones [B, H, L, d_rotary]."""
        queries = self._split(self.w_query(x))
        plain, rotary = queries.split((self.d_head, self.d_rotary), dim=-1)
        positions = self.encoding.reads(positions)
        return plain, self.encoding.turn(rotary, positions, "query") if self.d_rotary else rotary

    def _compressed(self, x: Tensor, positions: Positions) -> tuple[Tensor, Tensor]:
        """Return the tensors for a cache: latents [B, 1, L, d_latent], rotated keys [B, 1, L, d_rotary]."""
        latent = self.latent_norm(self.w_latent(x))[:, None]  # [B, 1, L, d_latent]
        if self.w_rotary_key is None:
            return latent, latent[..., :0]
        keys, positions = self.w_rotary_key(x)[:, None], self.encoding.reads(positions)
        return latent, self.encoding.turn(keys, positions, "key")

    def _attend(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        mask: Tensor | None,
        causal: bool,
        need_weights: bool,
    ) -> tuple[Tensor, Tensor | None]:
        """Attend with queries [B, H, L, d] to keys and values of H heads or of one; weights if needed."""
        keys, values = (x.expand(-1, self.n_heads, -1, -1) for x in (keys, values))
        if not need_weights:
            dropout = self.dropout if self.training else 0.0
            return fused(queries, keys, values, mask, causal, dropout, scale=self.scale), None
        scores = masked_scores(queries, keys, 1 / self.scale, mask, causal)
        weights = scores.softmax(dim=-1).to(values.dtype)
        return F.dropout(weights, self.dropout, self.training) @ values, weights

    def extra_repr(self) -> str:
        sizes = f"d_latent={self.d_latent}, d_head={self.d_head}, d_rotary={self.d_rotary}"
        return f"{self.d_model}, n_heads={self.n_heads}, {sizes}"


def _of_door_two(encoding: PositionEncoding | None) -> PositionEncoding:
    """Return ``encoding``, for None one without positions; ValueError if it does more than turn."""
    checked: object = PositionEncoding() if encoding is None else encoding
    if (
        not isinstance(checked, PositionEncoding)
        or set(checked.doors) - {2}
        or any(isinstance(part, ScaledQueries) for part in checked.modules())
    ):
        raise BilingualValueError(
            f"encoding 必须是只用门 2、不缩放查询的编码，例如 RotaryEncoding，或者 None，收到 {encoding!r}",
            f"encoding must have door 2 only and not scale queries, as RotaryEncoding, or be None; "
            f"got {encoding!r}",
        )
    return checked
