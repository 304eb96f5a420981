"""The parts of a Transformer: embedding, feed-forward, encoder layer, decoder layer.

Source: Vaswani et al. 2017, "Attention Is All You Need", §3; norms before the sublayers, Xiong et al. 2020,
"On Layer Normalization in the Transformer Architecture".
"""

import math
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.encodings.arguments import probability, whole_number
from posenc_lessons.encodings.positions import Positions
from posenc_lessons.models.attention import MultiHeadAttention
from posenc_lessons.models.cache import KeyValueCache
from posenc_lessons.models.checks import check_tokens


class TokenEmbedding(nn.Module):
    """Tokens [B, L] → vectors [B, L, d_model], multiplied by √d_model as in the paper (§3.4).

    ``nn.Embedding`` starts from N(0, 1); with d_model = 512, √512 times that would be 32 times as large as a
    sinusoidal position (root mean square 0.71). So the table starts from N(0, 1/d_model): after scaling,
    every feature has standard deviation 1, about as large as the position.

    >>> TokenEmbedding(vocab_size=9, d_model=16)(torch.tensor([[3, 1, 4]])).shape
    torch.Size([1, 3, 16])
    """

    def __init__(self, vocab_size: int, d_model: int) -> None:
        super().__init__()
        self.vocab_size = whole_number("vocab_size", vocab_size, 1)
        self.scale = math.sqrt(whole_number("d_model", d_model, 1))
        self.table = nn.Embedding(self.vocab_size, d_model)
        nn.init.normal_(self.table.weight, std=1 / self.scale)

    def forward(self, tokens: Tensor, name: str = "tokens") -> Tensor:
        """Embed ``tokens`` [B, L] → [B, L, d_model]; ``name`` is their name in an error.

        Raises:
            ValueError: tokens that are not whole numbers [B, L].
            IndexError: a token outside the vocabulary.
        """
        check_tokens(name, tokens, self.vocab_size)
        return self.table(tokens.long()) * self.scale


class FeedForward(nn.Module):
    """The same small network at every position: d_model → d_feed, ReLU, d_feed → d_model (equation 2).

    >>> FeedForward(d_model=16, d_feed=64)(torch.randn(2, 5, 16)).shape
    torch.Size([2, 5, 16])
    """

    def __init__(self, d_model: int, d_feed: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.up = nn.Linear(whole_number("d_model", d_model, 1), whole_number("d_feed", d_feed, 1))
        self.down = nn.Linear(d_feed, d_model)
        self.dropout = nn.Dropout(probability("dropout", dropout))

    def forward(self, x: Tensor) -> Tensor:
        """Apply the network to ``x`` [..., d_model]; the same shape."""
        return self.down(self.dropout(F.relu(self.up(x))))


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward, each with dropout, a residual sum and a norm over d_model.

    Args:
        d_model, n_heads, encoding: see ``MultiHeadAttention``.
        d_feed: width inside the feed-forward; 4 · d_model for None.
        dropout: the share set to zero in training: of the attention weights, inside the feed-forward, and of
            the output of each sublayer.
        norm_first: True: x + sublayer(norm(x)). False, as in the paper: norm(x + sublayer(x)).

    >>> out, weights = EncoderLayer(d_model=16, n_heads=2)(torch.randn(2, 5, 16), need_weights=True)
    >>> out.shape, weights.shape
    (torch.Size([2, 5, 16]), torch.Size([2, 2, 5, 5]))
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        encoding: PositionEncoding | None = None,
        d_feed: int | None = None,
        dropout: float = 0.0,
        norm_first: bool = True,
    ) -> None:
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads, encoding, dropout)
        self.feed = FeedForward(d_model, 4 * d_model if d_feed is None else d_feed, dropout)
        self.norm_attention, self.norm_feed = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        positions: Positions | None = None,
        need_weights: bool = False,
        *,
        causal: bool = False,
        cache: KeyValueCache | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Return x [B, L, d_model] after the layer, and the weights [B, H, L, Lk] (None unless needed).

        ``mask``, ``positions``, ``causal`` and ``cache`` are as in ``MultiHeadAttention.forward``.
        """
        how: dict[str, Any] = {"mask": mask, "query_positions": positions, "need_weights": need_weights}
        x, weights = self._attend(self.attention, self.norm_attention, x, causal=causal, cache=cache, **how)
        return self._feed_forward(x), weights

    def _attend(
        self, attention: MultiHeadAttention, norm: nn.Module, x: Tensor, *memory: Tensor, **how: Any
    ) -> tuple[Tensor, Tensor | None]:
        """Return x + attention(norm(x)), or norm(x + attention(x)), and the weights or None."""
        out = attention(norm(x) if self.norm_first else x, *memory, **how)
        out, weights = out if how["need_weights"] else (out, None)
        x = x + self.dropout(out)
        return x if self.norm_first else norm(x), weights

    def _feed_forward(self, x: Tensor) -> Tensor:
        if self.norm_first:
            return x + self.dropout(self.feed(self.norm_feed(x)))
        return self.norm_feed(x + self.dropout(self.feed(x)))


class DecoderLayer(EncoderLayer):
    """An encoder layer with cross-attention to the encoder's output between its two sublayers.

    The arguments are those of ``EncoderLayer``.

    Cross-attention has no position encoding: positions of target and source are counted in two different
    sentences, so their difference means nothing. The memory tells where a source token stood, because it
    contains the encoder's positions.

    >>> layer = DecoderLayer(d_model=16, n_heads=2)
    >>> out, own, cross = layer(torch.randn(2, 3, 16), memory=torch.randn(2, 5, 16), need_weights=True)
    >>> out.shape, own.shape, cross.shape
    (torch.Size([2, 3, 16]), torch.Size([2, 2, 3, 3]), torch.Size([2, 2, 3, 5]))
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        d_model, n_heads = self.attention.d_model, self.attention.n_heads
        self.cross_attention = MultiHeadAttention(d_model, n_heads, None, self.attention.dropout)
        self.norm_cross = nn.LayerNorm(d_model)

    def forward(  # type: ignore[override]  # an encoder layer has no memory
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        positions: Positions | None = None,
        need_weights: bool = False,
        *,
        causal: bool = False,
        cache: KeyValueCache | None = None,
        cross_cache: KeyValueCache | None = None,
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Return x [B, T, d_model] after the layer, its own weights, and those on memory [B, S, d_model]."""
        how: dict[str, Any] = {"mask": mask, "query_positions": positions, "need_weights": need_weights}
        x, weights = self._attend(self.attention, self.norm_attention, x, causal=causal, cache=cache, **how)
        how = {"mask": memory_mask, "need_weights": need_weights, "cache": cross_cache}
        x, cross_weights = self._attend(self.cross_attention, self.norm_cross, x, memory, memory, **how)
        return self._feed_forward(x), weights, cross_weights
