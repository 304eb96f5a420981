"""The variants in a race: tables of other sizes, a hybrid, random positions, and two yardsticks.

``t5_short``, ``shaw_long`` and ``cope_short`` have a table of another size. Training reaches every row that a
short table reads; the last rows of a long table keep their random numbers. ``control`` shows how well a model
of this size learns without extrapolation, ``order_blind`` how well a model does that sees which tokens came
before, but not in which order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from posenc_lessons.encodings import CoPE, PositionEncoding, ShawRelative, T5RelativeBias
from posenc_lessons.models.registry import COURSE_ENCODINGS

COPE_ROWS = 12  # as many as lesson 06 leaves of its table


class Measures(NamedTuple):
    """The sizes of a race's models on which the sizes of tables depend."""

    n_heads: int
    d_head: int
    trained: int
    longest: int


@dataclass(frozen=True)
class Variant:
    """The difference between a model and the one with the encoding ``of``.

    Args:
        sized: makes the encoding of each layer, instead of the encoding ``of``.
        last_layer_free: the last layer has no encoding.
        random_positions: tokens have ``RandomPositions``.
        trained_at_longest: it is trained at the longest test length, with as many answers in a step.
        order_blind: the model is an ``OrderBlind``.
    """

    of: str
    sized: Callable[[Measures], PositionEncoding] | None = None
    last_layer_free: bool = False
    random_positions: bool = False
    trained_at_longest: bool = False
    order_blind: bool = False


def _t5_short(of: Measures) -> T5RelativeBias:
    """Return T5 with a bucket for each distance up to half the trained length.

    The last bucket begins at three quarters of it. Some buckets between hold no whole distance, so nothing
    ever reads them.
    """
    return T5RelativeBias(
        of.n_heads,
        n_buckets=max(of.trained, 4),
        max_distance=max(3 * of.trained // 4, 3),
        bidirectional=False,
    )


VARIANTS: dict[str, Variant] = {
    "shaw_long": Variant("shaw", lambda of: ShawRelative(of.d_head, of.longest - 1)),
    "t5_short": Variant("t5", _t5_short),
    "cope_short": Variant("cope", lambda of: CoPE(of.d_head, COPE_ROWS)),
    "hybrid": Variant("rotary", last_layer_free=True),
    "learned_random": Variant("learned", random_positions=True),
    "rotary_random": Variant("rotary", random_positions=True),
    "control": Variant("rotary", trained_at_longest=True),
    "order_blind": Variant("none", order_blind=True),
}
RACE_ENCODINGS: tuple[str, ...] = (*COURSE_ENCODINGS, *VARIANTS)
PLAIN = {name: Variant(name) for name in COURSE_ENCODINGS}


def variant_named(name: str) -> Variant:
    """Return one of ``RACE_ENCODINGS``; a course encoding is a variant that changes nothing."""
    return VARIANTS.get(name) or PLAIN[name]
