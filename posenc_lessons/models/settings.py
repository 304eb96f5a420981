"""The settings that all layers of a model share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from posenc_lessons.encodings import PositionEncoding

OneEncoding = str | PositionEncoding
#: One encoding for all layers, a list of one for each, or a function of the layer's number.
LayerEncodings = OneEncoding | Sequence[OneEncoding] | Callable[[int], OneEncoding]
#: How many keys a layer looks at, None for all of them; one for all layers, a list, or a function.
LayerWindows = int | None | Sequence[int | None] | Callable[[int], int | None]


@dataclass(frozen=True)
class LayerSettings:
    """The arguments of ``TransformerEncoder``, ``TransformerDecoder``, ``DecoderOnly`` and ``Seq2Seq``.

    These take the arguments below, by place or by name, or such an object, and hand them on as one.

    Args:
        d_model, n_heads, n_layers: width, heads of each layer, layers.
        encoding: a name (see ``encoding_named``) or a PositionEncoding, which the stack copies and does not
            change. Door 1 is applied once, below the first layer; doors 2 to 4 are inside attention, and
            each layer has a copy with its own parameters. An encoding without parameters, or with door 1 and
            others, is one object for the whole stack.
            Or one for each layer, the lowest first: a list of ``n_layers`` names or encodings (not of door
            1), or a function that is called with 0, 1, … ``n_layers`` − 1. Layers with the same object share
            its parameters, so ``[T5RelativeBias(n_heads)] * n_layers`` is one table in all layers, as in T5.
        max_len: the longest sequence, for encodings that need it; see ``encoding_named``.
        d_feed: width inside the feed-forward; 4 · d_model for None.
        dropout: see ``EncoderLayer``; also applied to the input of the first layer.
        norm_first: True: norm before each sublayer, and one more at the end. False: norm after each sum.
        window: a token looks at itself and at ``window`` − 1 real tokens on each side (in a decoder, before
            it). None for all tokens; or a list of ``n_layers`` of these, or a function, as for ``encoding``.
            Only by name.

    Encodings that read several coordinates must all read the same number of them. An encoding that reads one
    gets the place in the sequence; windows, caches and causal order always count places.

    >>> LayerSettings(16, 2, n_layers=3, encoding="rotary").norm_first
    True
    """

    d_model: int
    n_heads: int
    n_layers: int
    encoding: LayerEncodings = "none"
    max_len: int = 512
    d_feed: int | None = None
    dropout: float = 0.0
    norm_first: bool = True
    window: LayerWindows = field(default=None, kw_only=True)

    @classmethod
    def of(cls, *arguments: Any, **named: Any) -> LayerSettings:
        """Return the settings with these arguments, or the object itself if it is the only argument."""
        if len(arguments) == 1 and isinstance(arguments[0], cls) and not named:
            return arguments[0]
        return cls(*arguments, **named)
