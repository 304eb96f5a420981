"""The settings that all layers of a model share."""

from collections.abc import Sequence
from typing import TypedDict

from posenc_lessons.encodings import PositionEncoding

OneEncoding = str | PositionEncoding
#: One encoding for all layers, or a list of one for each.
LayerEncodings = OneEncoding | Sequence[OneEncoding]
#: How many keys a layer looks at, None for all of them; one for all layers, or a list.
LayerWindows = int | None | Sequence[int | None]


class LayerOptions(TypedDict, total=False):
    """The options, by name, of the layers of every model.

    Args:
        d_feed: width inside the feed-forward; 4 · d_model for None, the default.
        dropout: see ``EncoderLayer``; also applied to the input of the first layer. By default 0.
        norm_first: True, the default: norm before each sublayer, and one more at the end. False: norm after
            each sum.
        window: a token looks at itself and at ``window`` − 1 real tokens on each side (in a decoder, before
            it). None, the default, for all tokens; or a list of ``n_layers`` of these.

    >>> options: LayerOptions = {"d_feed": 32, "window": 4}
    >>> DecoderOnly(9, 16, 2, n_layers=3, encoding="rotary", **options).layers[0].feed.up
    Linear(in_features=16, out_features=32, bias=True)
    """

    d_feed: int | None
    dropout: float
    norm_first: bool
    window: LayerWindows
