"""What runs beside the course's encodings: other sizes of table, a hybrid, random positions, a control.

``t5_short``, ``shaw_long`` and ``cope_short`` are the same encoding with a table of another size: short ones
have no row that training leaves as it was, long ones have. A ``control`` shows what a model of this size
learns when nothing has to be extrapolated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from posenc_lessons.encodings import CoPE, PositionEncoding, ShawRelative, T5RelativeBias
from posenc_lessons.models.registry import COURSE_ENCODINGS

if TYPE_CHECKING:
    from posenc_lessons.experiments.race.settings import Race

COPE_ROWS = 12  # those that lesson 06 cuts its table to


@dataclass(frozen=True)
class Variant:
    """How a model differs from the one with the encoding ``of``.

    ``sized`` makes each layer's encoding instead. ``last_layer_free`` takes it out of the last layer.
    ``random_positions`` numbers the tokens with ``RandomPositions``. ``trained_at_longest`` trains on
    sequences of the longest test length, and on so many fewer of them that a step has no more tokens.
    """

    of: str
    sized: Callable[[Race], PositionEncoding] | None = None
    last_layer_free: bool = False
    random_positions: bool = False
    trained_at_longest: bool = False


def _t5_short(race: Race) -> T5RelativeBias:
    """A bucket for each distance up to half the trained length; the last begins before three quarters."""
    return T5RelativeBias(
        race.n_heads,
        n_buckets=max(race.train_length, 4),
        max_distance=max(3 * race.train_length // 4, 3),
        bidirectional=False,
    )


VARIANTS: dict[str, Variant] = {
    "shaw_long": Variant(
        "shaw", lambda race: ShawRelative(race.d_model // race.n_heads, race.test_lengths[-1] - 1)
    ),
    "t5_short": Variant("t5", _t5_short),
    "cope_short": Variant("cope", lambda race: CoPE(race.d_model // race.n_heads, COPE_ROWS)),
    "hybrid": Variant("rotary", last_layer_free=True),
    "learned_random": Variant("learned", random_positions=True),
    "rotary_random": Variant("rotary", random_positions=True),
    "control": Variant("rotary", trained_at_longest=True),
}
RACE_ENCODINGS: tuple[str, ...] = (*COURSE_ENCODINGS, *VARIANTS)
PLAIN = {name: Variant(name) for name in COURSE_ENCODINGS}


def variant_named(name: str) -> Variant:
    """One of ``RACE_ENCODINGS``; those of the course are variants of themselves that change nothing."""
    return VARIANTS.get(name) or PLAIN[name]
