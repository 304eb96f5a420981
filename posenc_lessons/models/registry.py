"""Make the course's encodings by name, for a model's sizes."""

from collections.abc import Callable
from typing import NamedTuple

from posenc_lessons.encodings import (
    ALiBi,
    AxialRotary,
    CoPE,
    GridSinusoidal,
    LearnedEncoding,
    MixedRotary,
    PositionEncoding,
    RotaryEncoding,
    ShawRelative,
    SinusoidalEncoding,
    T5RelativeBias,
)
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.checks import head_width

#: The encodings that the course compares on texts: raced, trained, coloured and shown in explorers.
#: All of them read one coordinate, the place of a token (``PositionEncoding.axes``).
COURSE_ENCODINGS = ("none", "sinusoidal", "learned", "shaw", "t5", "alibi", "rotary", "cope")


class ModelSizes(NamedTuple):
    """The sizes of the model that an encoding is made for."""

    d_model: int
    n_heads: int
    d_head: int
    max_len: int  # the longest sequence
    causal: bool  # True if a token never sees later ones


Maker = Callable[[ModelSizes], PositionEncoding]

# The learned table starts with the standard deviation of the embeddings that it is added to. In BERT both are
# 0.02. The embeddings of our models have 1 (``TokenEmbedding``), and a table with 0.02 added to them would
# need many more steps to matter.
_MAKERS: dict[str, Maker] = {
    "none": lambda sizes: PositionEncoding(),
    "sinusoidal": lambda sizes: SinusoidalEncoding(sizes.d_model, sizes.max_len),
    "learned": lambda sizes: LearnedEncoding(sizes.d_model, sizes.max_len, std=1.0),
    "shaw": lambda sizes: ShawRelative(sizes.d_head),
    "t5": lambda sizes: T5RelativeBias(sizes.n_heads, bidirectional=not sizes.causal),
    "alibi": lambda sizes: ALiBi(sizes.n_heads),
    "rotary": lambda sizes: RotaryEncoding(sizes.d_head),
    "cope": lambda sizes: CoPE(sizes.d_head, sizes.max_len + 1),
    # For pictures: they read a patch's row and column.
    "grid_sinusoidal": lambda sizes: GridSinusoidal(sizes.d_model),
    "axial": lambda sizes: AxialRotary(sizes.d_head),
    "mixed": lambda sizes: MixedRotary(sizes.d_head, sizes.n_heads),
}


def encoding_named(
    name: str, d_model: int, n_heads: int, max_len: int, *, d_head: int | None = None, causal: bool = False
) -> PositionEncoding:
    """Return a new encoding; settings that do not depend on the model are those of its paper.

    Args:
        name: one of ``COURSE_ENCODINGS``; or "grid_sinusoidal", "axial" or "mixed" for pictures, whose
            positions are ``grid_positions(height, width)``.
        d_model, n_heads, d_head: sizes of the model; ``d_head`` is d_model / n_heads for None.
        max_len: the longest sequence. The learned table has so many rows (a later position is an error), the
            sinusoidal table stores so many (others are computed), and CoPE counts up to ``max_len``. Other
            encodings do not use it.
        causal: True if a token never sees later ones: T5 then uses all its buckets for earlier keys.

    Raises:
        ValueError: an unknown name, sizes that do not fit together.

    >>> encoding_named("learned", d_model=16, n_heads=2, max_len=100)
    LearnedEncoding(16, max_len=100)
    """
    d_head = head_width(d_model, n_heads, d_head)
    if not isinstance(name, str) or name not in _MAKERS:
        names = ", ".join(map(repr, _MAKERS))
        raise BilingualValueError(
            f"encoding 必须是 {names} 之一，或者一个 PositionEncoding，收到 {name!r}",
            f"encoding must be one of {names}, or a PositionEncoding; got {name!r}",
        )
    sizes = ModelSizes(d_model, n_heads, d_head, whole_number("max_len", max_len, 1), causal)
    return _MAKERS[name](sizes)
