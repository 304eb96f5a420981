"""Two exercises of lesson 09: keys of a sliding cache, and the base in a configuration."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import one_number
from posenc_lessons.exercises.solutions import whose_position as solutions
from posenc_lessons.language import Text

# ---- how much further kept keys are turned --------------------------------------------------------

TURN_FURTHER = Exercise(
    solutions.turn_further,
    questions=(
        (torch.tensor([3, 7, 8, 9, 10, 11, 12]), 2, 3),  # positions that do not begin at 0
        (torch.arange(8), 1, 4),
        (torch.arange(10), 2, 3),
        (torch.tensor([0, 4, 5, 6, 7, 8]), 1, 4),
        (torch.arange(6), 0, 3),
        (torch.arange(3), 1, 2),
        (torch.tensor([4, 5, 6, 7]), 2, 0),  # positions[-0:] is all of them
    ),
    praise=Text(
        "对。再转“新减旧”这么多：开头的不动，后面的往回转。",
        "Right. Turn on by new minus old: the first stay, the later ones are turned back.",
    ),
    changed=CHANGED,
)

recurring.negated(
    TURN_FURTHER,
    "旧位置大，新位置小，要往回转，是负数。",
    "old positions are larger than new ones, so it is a turn back, a negative number.",
)
TURN_FURTHER.mistake(
    "你给的是新位置本身。键已经按旧位置转过了，只要再转两者之差。",
    "Those are the new positions themselves. The keys have been turned by the old ones: only the difference "
    "is left to do.",
)(lambda positions, first, latest: torch.arange(first + latest))
TURN_FURTHER.mistake(
    "一点没转：旧键还停在旧位置上，和新的计数对不上。",
    "Nothing is turned: the old keys stay where they were and do not fit the new count.",
)(lambda positions, first, latest: torch.zeros(first + latest, dtype=torch.long))
TURN_FURTHER.mistake(
    "开头那几个也转了：它们的位置没有变，应当是 0。",
    "The first ones are turned as well: their positions have not changed, so 0.",
)(lambda *given: solutions.turn_further(*given)[-1:].expand(given[1] + given[2]))
TURN_FURTHER.mistake(
    "后面的键又从 0 数了，和开头留下的撞在一起。它们接在开头的后面。",
    "The later keys were counted from 0 and collide with the first ones. They come after those.",
)(
    lambda positions, first, latest: (
        solutions.turn_further(positions, first, latest) - first * (torch.arange(first + latest) >= first)
    )
)
TURN_FURTHER.mistake(
    "留下的是最前面的 first + latest 个：应当是开头 first 个，和最近 latest 个。",
    "Yours keeps the first first + latest of them: keep the first and the latest.",
)(lambda positions, first, latest: torch.arange(first + latest) - positions[: first + latest])


@TURN_FURTHER.mistake(
    "latest 可以是 0，而 positions[-0:] 是全部：从 len(positions) - latest 开始取。",
    "latest may be 0, and positions[-0:] is all of them: begin at len(positions) - latest.",
)
def latest_by_a_negative_index(positions: Tensor, first: int, latest: int) -> Tensor:
    remaining = torch.cat([positions[:first], positions[-latest:]])
    return torch.arange(len(remaining)) - remaining


TURN_FURTHER.mistake(
    "你按扔掉了几个来转。要看每个键现在在哪里：positions 也许早就编过号，也不一定从 0 开始。",
    "You rotate by how many were dropped. It depends on where each key stands now: positions may have been "
    "counted again before, and need not begin at 0.",
)(
    lambda positions, first, latest: torch.cat(
        [torch.zeros(first), torch.full((latest,), float(first + latest - len(positions)))]
    )
)


# ---- the base in a configuration ------------------------------------------------------------------

READ_BASE = Exercise(
    solutions.read_base,
    questions=(
        ({"model_type": "llama", "rope_theta": 500000.0},),
        ({"model_type": "llama", "rope_parameters": {"rope_type": "default", "rope_theta": 1000000.0}},),
        ({"model_type": "llama", "hidden_size": 64},),
        ({"rope_theta": 10000.0, "rope_parameters": {"rope_theta": 500000.0}},),
        ({"rope_theta": 20000.0, "rope_parameters": {"rope_theta": 20000.0}},),
        ({"rope_theta": 70000.0, "rope_parameters": {"rope_type": "default"}},),
    ),
    praise=Text(
        "对。两种写法都认；没写、或者自相矛盾，就说不知道，绝不猜。",
        "Right. Both styles are read; where nothing is said, or two things, it is unknown, and nothing is "
        "guessed.",
    ),
    read=one_number,
    relative=1e-6,
    nothing=Text(
        "{call} 返回了 None。不知道的时候，这里说好返回 math.nan。",
        "{call} returned None. What stands for “unknown” here is math.nan.",
    ),
)


def _reading(choose: Callable[[list[float], list[float]], float]) -> Answer:
    """Return the answer that chooses from what the old and the new style say, lists of at most one number."""

    def read(config: dict[str, Any]) -> float:
        styles = (config, config.get("rope_parameters", {}))
        old, new = ([style["rope_theta"]] if "rope_theta" in style else [] for style in styles)
        return float(choose(old, new))

    return read


READ_BASE.mistake(
    "没写的时候，你悄悄用了 10000。这正是让人查了几个星期的那个错误：返回 nan（两处矛盾时也是）。",
    "Where it is not said you quietly took 10000, the very mistake that took others weeks to find. Return "
    "nan (and also where two places disagree).",
)(
    _reading(lambda old, new: math.nan if len({*old, *new}) > 1 else [*old, *new, 10000.0][0]),
    _reading(lambda old, new: [*old, *new, 10000.0][0]),
    _reading(lambda old, new: [*new, *old, 10000.0][0]),
)
READ_BASE.mistake(
    "这正是病例 2：只读顶层的 rope_theta，没有就用 10000。新写法在 rope_parameters 里面，而且不要默认值。",
    "This is case 2 itself: only rope_theta at the top level is read, and 10000 is taken where it is "
    "missing. In the new style it is inside rope_parameters, and there must be no default.",
)(_reading(lambda old, new: [*old, 10000.0][0]))
READ_BASE.mistake(
    "两处写得不一样，你挑了一个。自相矛盾时返回 nan。",
    "The two places disagree and you chose one. Where they contradict each other, return nan.",
)(_reading(lambda old, new: [*new, *old, math.nan][0]), _reading(lambda old, new: [*old, *new, math.nan][0]))
READ_BASE.mistake(
    "只读了旧写法。新写法在 rope_parameters 里面。",
    "Only the old style is read. In the new one it is inside rope_parameters.",
)(_reading(lambda old, new: [*old, math.nan][0]))
READ_BASE.mistake(
    "只读了新写法。旧写法是顶层的 rope_theta。",
    "Only the new style is read. In the old one it is rope_theta at the top level.",
)(_reading(lambda old, new: [*new, math.nan][0]))
READ_BASE.mistake(
    "两处一样时，你却说不知道。一样就不矛盾。",
    "Where both places say the same you say unknown. The same twice is no contradiction.",
)(_reading(lambda old, new: math.nan if old and new else [*old, *new, math.nan][0]))
