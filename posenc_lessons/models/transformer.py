"""A language model and a sequence-to-sequence model with any encoding, from tokens to logits.

Source: Vaswani et al. 2017, "Attention Is All You Need", §3; a decoder without encoder, Liu et al. 2018,
"Generating Wikipedia by Summarizing Long Sequences", §4.2.
"""

from typing import Unpack

from torch import Tensor, nn

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.models.attention import MultiHeadAttention
from posenc_lessons.models.blocks import TokenEmbedding
from posenc_lessons.models.cache import Cache
from posenc_lessons.models.settings import LayerEncodings, LayerOptions
from posenc_lessons.models.stacks import AttentionWeights, TransformerDecoder, TransformerEncoder


class DecoderOnly(nn.Module):
    """A language model: from each token and the earlier ones, logits for the next token (or any answer).

    Args:
        vocab_size: how many tokens there are.
        d_model, n_heads, n_layers, encoding, max_len, options: as for ``TransformerEncoder``.
        n_answers: how many logits, if the answers are not tokens; ``vocab_size`` for None.

    With each encoding of the course, ``torch.compile(fullgraph=True)`` and strict ``torch.export`` take the
    model whole, forward and backward, unless a cache is used.

    Two texts packed into one row, each with its own positions and blind to the other:

    >>> import torch
    >>> model = DecoderOnly(vocab_size=9, d_model=8, n_heads=2, n_layers=2, encoding="rotary").eval()
    >>> tokens = torch.tensor([[3, 1, 4, 1, 5]])
    >>> text = torch.tensor([0, 0, 0, 1, 1])
    >>> packed = model(tokens, positions=torch.tensor([0, 1, 2, 0, 1]), mask=text[:, None] == text)
    >>> torch.allclose(packed[:, 3:], model(tokens[:, 3:]), atol=1e-6)
    True

    Layers that rotate and look at the last 4 tokens, and one in three that looks at all, without positions:

    >>> mixed = DecoderOnly(9, 8, 2, n_layers=3, encoding=["rotary", "rotary", "none"], window=[4, 4, None])
    >>> mixed(tokens).shape
    torch.Size([1, 5, 9])

    Another encoding put into a trained model, whose other weights stay as they are:

    >>> from posenc_lessons.encodings import ContextExtension, RotaryEncoding
    >>> longer = ContextExtension("yarn", factor=4, original_length=512)
    >>> for attention in model.attentions:
    ...     attention.encoding = RotaryEncoding(d_head=4, extension=longer)
    >>> model(tokens).shape
    torch.Size([1, 5, 9])
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        n_heads: int,
        n_layers: int,
        encoding: LayerEncodings = "none",
        max_len: int = 512,
        *,
        n_answers: int | None = None,
        **options: Unpack[LayerOptions],
    ) -> None:
        super().__init__()
        self.embedding = TokenEmbedding(vocab_size, d_model)
        self.decoder = TransformerDecoder(
            d_model, n_heads, n_layers, encoding, max_len, cross_attention=False, **options
        )
        n_answers = vocab_size if n_answers is None else whole_number("n_answers", n_answers, 1)
        self.to_logits = nn.Linear(d_model, n_answers)

    @property
    def layers(self) -> nn.ModuleList:
        """The decoder's layers."""
        return self.decoder.layers

    @property
    def attentions(self) -> list[MultiHeadAttention]:
        """The attention of each layer, the lowest first."""
        return self.decoder.attentions

    def new_cache(self) -> Cache:
        """Return an empty cache for one batch of sequences."""
        return self.decoder.new_cache()

    def forward(
        self,
        tokens: Tensor,
        positions: Tensor | None = None,
        mask: Tensor | None = None,
        cache: Cache | None = None,
        *,
        real: Tensor | None = None,
        need_weights: bool = False,
    ) -> Tensor | tuple[Tensor, list[Tensor]]:
        """Return the logits [B, L, n_answers] of tokens [B, L].

        Args:
            positions: [L] or [B, L]; [L, axes] or [B, L, axes] if the encodings read several coordinates (see
                ``PositionEncoding.axes``). If None, they are counted from 0 (or on from the last in
                ``cache``), without padding.
            mask: bool, True = may look, broadcastable to [B, n_heads, L, Lk], where Lk counts the tokens in
                ``cache`` too. It can only hide more: no token sees a later one, and each token sees itself.
            cache: a cache from ``new_cache()``: the tokens follow those in the cache and are appended to it.
                If the call fails, the cache stays as it was.
            real: bool [B, L], False at padding: no token looks at padding, it takes no position, and its
                output means nothing. The cache remembers ``real``, but not ``mask``.
            need_weights: also return the weights [B, H, L, Lk] of each layer.

        Raises:
            ValueError: arguments that do not fit.
            IndexError: a token outside the vocabulary, a position outside a learned table.
        """
        out = self.decoder(
            self.embedding(tokens), None, positions, mask, cache, real=real, need_weights=need_weights
        )
        if need_weights:
            out, weights = out
            return self.to_logits(out), weights.decoder
        return self.to_logits(out)


class Seq2Seq(nn.Module):
    """The Transformer of the paper: an encoder reads the source, a decoder writes the target.

    Args:
        source_vocab, target_vocab: how many tokens there are on each side.
        d_model, n_heads, n_layers, encoding, max_len, options: as for ``TransformerEncoder``, for the encoder
            and for the decoder. Each side has its own encodings; attention from one to the other has none
            (``DecoderLayer``).

    >>> model = Seq2Seq(7, 9, d_model=8, n_heads=2, n_layers=1, encoding="sinusoidal")
    >>> model(torch.tensor([[3, 1, 4]]), torch.tensor([[0, 2]])).shape
    torch.Size([1, 2, 9])
    """

    def __init__(
        self,
        source_vocab: int,
        target_vocab: int,
        d_model: int,
        n_heads: int,
        n_layers: int,
        encoding: LayerEncodings = "none",
        max_len: int = 512,
        **options: Unpack[LayerOptions],
    ) -> None:
        super().__init__()
        self.source_embedding = TokenEmbedding(source_vocab, d_model)
        self.target_embedding = TokenEmbedding(target_vocab, d_model)
        self.encoder = TransformerEncoder(d_model, n_heads, n_layers, encoding, max_len, **options)
        self.decoder = TransformerDecoder(d_model, n_heads, n_layers, encoding, max_len, **options)
        self.to_logits = nn.Linear(d_model, target_vocab)

    def new_cache(self) -> Cache:
        """Return an empty cache for ``decode``, for one batch of sources."""
        return self.decoder.new_cache()

    def encode(self, source: Tensor, source_real: Tensor | None = None) -> Tensor:
        """Encode source [B, S] → memory [B, S, d_model]."""
        return self.encoder(self.source_embedding(source, "source"), real=source_real)

    def decode(
        self, target: Tensor, memory: Tensor, memory_real: Tensor | None = None, cache: Cache | None = None
    ) -> Tensor:
        """Decode target [B, T] with memory [B, S, d_model] → logits [B, T, target_vocab].

        With a cache, ``target`` are the tokens after those in the cache; keys and values of the memory are
        computed only at the first call.
        """
        embedded = self.target_embedding(target, "target")
        return self.to_logits(self.decoder(embedded, memory, cache=cache, memory_real=memory_real))

    def forward(
        self, source: Tensor, target: Tensor, source_real: Tensor | None = None, need_weights: bool = False
    ) -> Tensor | tuple[Tensor, AttentionWeights]:
        """Return logits [B, T, target_vocab] for source [B, S] and target [B, T] (a start token first).

        Args:
            source_real: bool [B, S], False at padding.
            need_weights: also return ``AttentionWeights``.
        """
        if not need_weights:
            return self.decode(target, self.encode(source, source_real), source_real)
        embedded = self.source_embedding(source, "source")
        memory, of_encoder = self.encoder(embedded, real=source_real, need_weights=True)
        embedded = self.target_embedding(target, "target")
        out, weights = self.decoder(embedded, memory, memory_real=source_real, need_weights=True)
        return self.to_logits(out), weights._replace(encoder=of_encoder)
