"""Two exercises of lesson 10 about layers: which of them rotate, and the receptive field of a stack."""

import math
from collections.abc import Callable
from typing import Any

from torch import Tensor

from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import one_number
from posenc_lessons.exercises.solutions import not_every_layer as solutions
from posenc_lessons.exercises.verdict import Wrong
from posenc_lessons.language import Text

# ---- which layers rotate --------------------------------------------------------------------------


def _list_of_booleans(value: Any) -> list[bool]:
    """Return a list, tuple or tensor of booleans or of 0 and 1 as a list of booleans."""
    listed = value.tolist() if isinstance(value, Tensor) else value
    if not isinstance(listed, list | tuple) or not all(entry in (0, 1) for entry in listed):
        raise Wrong(
            "应当返回一个列表，每层一个 True 或 False。",
            "A list with True or False for each layer should be returned.",
        )
    return [bool(entry) for entry in listed]


ROTATING = Exercise(
    solutions.rotating,
    questions=(
        ({"num_hidden_layers": 8, "no_rope_layer_interval": 4, "no_rope_layers": [1, 1, 1, 0, 1, 1, 1, 0]},),
        ({"num_hidden_layers": 8, "no_rope_layer_interval": 4},),
        ({"num_hidden_layers": 5, "no_rope_layer_interval": 2, "no_rope_layers": [1, 0, 0, 1, 1]},),
        ({"num_hidden_layers": 7, "no_rope_layer_interval": 3},),
        ({"num_hidden_layers": 3, "no_rope_layers": [0, 0, 1]},),
    ),
    praise=Text(
        "对。1 是“旋转”；有列表就按列表，没有就每组最后一层不旋转。",
        "Right. 1 means that the layer rotates; a list decides, and without one the last layer of each group "
        "does not.",
    ),
    read=_list_of_booleans,
    changed=CHANGED,
)


def _without_a_list(rotates: Callable[[int, int], bool]) -> Answer:
    """Return the answer that goes by a list rightly, and otherwise by ``rotates(layer, interval)``."""

    def layers(config: dict[str, Any]) -> list[bool]:
        if "no_rope_layers" in config:
            return solutions.rotating(config)
        every = config["no_rope_layer_interval"]
        return [rotates(layer, every) for layer in range(config["num_hidden_layers"])]

    return layers


ROTATING.mistake(
    "列表读反了：名字叫 no_rope_layers，可 1 是有 RoPE。",
    "The list is read the wrong way round: the name says no_rope_layers, yet 1 means with RoPE.",
)(
    lambda config: [rotates != ("no_rope_layers" in config) for rotates in solutions.rotating(config)],
    lambda config: [not rotates for rotates in solutions.rotating(config)],
)
ROTATING.mistake(
    "只看了间隔。文件里有列表时，代码用列表。",
    "Only the interval was read. Where the file has a list, the code goes by the list.",
)(
    lambda config: solutions.rotating(
        {"no_rope_layer_interval": 4} | {key: config[key] for key in config if key != "no_rope_layers"}
    )
)
ROTATING.mistake(
    "不旋转的是每组的最后一层，你的是第一层：层号从 0 数，所以要看 (layer + 1) % no_rope_layer_interval。",
    "The first layer of each group does not rotate: use (layer + 1) % no_rope_layer_interval.",
)(_without_a_list(lambda layer, every: layer % every != 0))
ROTATING.mistake(
    "间隔用反了：每 no_rope_layer_interval 层里，只有一层不旋转。",
    "The interval is inverted: in each group of no_rope_layer_interval layers only one does not rotate.",
)(
    _without_a_list(lambda layer, every: (layer + 1) % every == 0),
    _without_a_list(lambda layer, every: layer % every == 0),
)
ROTATING.mistake(
    "你让每一层都旋转。列表说哪些层旋转；没有列表，间隔说哪些层不旋转。",
    "You let every layer rotate. The list says which do, and without a list the interval says which do not.",
)(
    _without_a_list(lambda layer, every: True),
    lambda config: [True] * config["num_hidden_layers"],
)


# ---- how far a stack reaches ----------------------------------------------------------------------

REACH = Exercise(
    solutions.reach,
    questions=(
        ([3, 5, 4], 100),
        ([4], 100),
        ([8, 8, 8, None], 100),
        ([None, 2], 50),
        ([16, 16, 16], 20),
        ([1, 1, 5], 9),
        ([256] * 3, 1000),
    ),
    praise=Text(
        "对。窗口 w 每层多 w − 1 个，自己只算一次；只要有一层看得见全部，就到了开头。",
        "Right. A window of w adds w − 1 in each layer, and the token itself counts once; one layer that "
        "sees all reaches the beginning.",
    ),
    read=one_number,
    tolerance=0.01,
    changed=CHANGED,
)


def _reached(total: Callable[[list[int]], int]) -> Answer:
    """Return the answer ``total(windows)``, at most the length, which a layer without a window reaches."""
    return lambda windows, length: length if None in windows else min(length, total(windows))


REACH.mistake(
    "把窗口加起来，每层就多算了一个：窗口 w 里有自己，往回只有 w − 1 步。",
    "Adding up the windows counts one too many in each layer: a window of w goes w − 1 steps back.",
)(_reached(sum))
REACH.mistake(
    "窗口会接起来：每层从下面那层再往回看 w − 1 个。不止最大的窗口，也不止最上面一层；是相加，不是相乘。",
    "Windows join up: each layer looks w − 1 further back than the one below it, so they are added.",
)(
    _reached(max),
    _reached(math.prod),
    lambda windows, length: length if windows[-1] is None else min(length, windows[-1]),
)
REACH.mistake(
    "看得见全部的那一层没有算：有它在，感受野就是全文。",
    "The layer that sees all was left out: with it, everything is within reach.",
)(lambda windows, length: min(length, 1 + sum(window - 1 for window in windows if window)))
REACH.mistake(
    "够不到文本开头之前：最多是 length。", "Nothing lies before the beginning of the text: length at most."
)(lambda windows, length: length if None in windows else 1 + sum(window - 1 for window in windows))
REACH.mistake("少了一个：它自己也算。", "Your count is one short: the token itself counts too.")(
    _reached(lambda windows: sum(windows) - len(windows))
)
