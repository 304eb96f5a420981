"""The encodings of the course by name, each fitted to a model's sizes."""

from __future__ import annotations

from collections.abc import Callable

from posenc_lessons.encodings import (
    ALiBi,
    CoPE,
    LearnedEncoding,
    PositionEncoding,
    RotaryEncoding,
    ShawRelative,
    SinusoidalEncoding,
    T5RelativeBias,
)
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.refusals import head_width

ENCODING_NAMES = ("none", "sinusoidal", "learned", "shaw", "t5", "alibi", "rotary", "cope")


def encoding_named(
    name: str, d_model: int, n_heads: int, max_len: int, *, causal: bool = False
) -> PositionEncoding:
    """A fresh encoding, with the numbers of its paper where they do not depend on the model.

    The learned table starts as loud as the words that it is added to. BERT starts both from a spread of 0.02;
    the words of our models have spread 1 (``TokenEmbedding``), and a table of 0.02 beside them would take
    many more steps to be heard.

    Args:
        name: one of ``ENCODING_NAMES``.
        d_model, n_heads: of the model it is for.
        max_len: the longest sequence: rows of the learned table (one more is an error), rows kept of the
            sinusoidal one (more are worked out), and the furthest position CoPE can tell apart. The others
            have no use for it.
        causal: True where a token never sees later ones: T5 then spends all its buckets on earlier keys.

    Raises:
        ValueError: an unknown name, sizes that do not go together.
    """
    d_head, max_len = head_width(d_model, n_heads), whole_number("max_len", max_len, 1)
    makers: dict[str, Callable[[], PositionEncoding]] = {
        "none": PositionEncoding,
        "sinusoidal": lambda: SinusoidalEncoding(d_model, max_len),
        "learned": lambda: LearnedEncoding(max_len, d_model, std=1.0),
        "shaw": lambda: ShawRelative(d_head),
        "t5": lambda: T5RelativeBias(n_heads, bidirectional=not causal),
        "alibi": lambda: ALiBi(n_heads),
        "rotary": lambda: RotaryEncoding(d_head),
        "cope": lambda: CoPE(d_head, max_len + 1),
    }
    if not isinstance(name, str) or name not in makers:
        there = ", ".join(map(repr, ENCODING_NAMES))
        raise BilingualValueError(
            f"encoding 必须是 {there} 之一，或者一个 PositionEncoding，收到 {name!r}",
            f"encoding must be one of {there}, or a PositionEncoding; got {name!r}",
        )
    return makers[name]()
