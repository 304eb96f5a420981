"""Record every explorer at many settings, as the page's host answers, over PyTorch or the page's torch.

``python tests/page/sweep.py FILE EVERY`` writes {explorer: [{"calls", "view", "code"}, …]} to FILE, a pickle,
at one setting of EVERY.
"""

import pickle
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from posenc_lessons.explorers.host import NAMES, Host
from tests.support.hostile import AS_NOTHING
from tests.support.hostile import TEXTS as HOSTILE

Call = tuple[str, list[Any]]

TEXTS: dict[str, tuple[str, ...]] = {
    "sentence": ("the dog bites the man 狗咬人", "a b c", "one", "深度学习 is fun and 有趣 isn't it 对吧"),
    "text": (
        "I saw a dog. It ran! 狗跑了。Yes",
        "3.14 is pi?! 对……吗",
        "猫" * 30,
        "March 7, 2024",
        "2024年3月7日",
        "7 May 1999",
        "badge",
        "abcdefghijab",
    ),
    "chosen": ("dog", "狗", "cat"),
    "words": ("banana abracadabra cocoa", "noon level", "mississippi tart kayak"),
    "order": ("", "3 1 2"),
    "turned": ("", "0"),
}
TOO_MUCH = ("w " * 41, "x" * 10_001)  # texts for some of the text boxes
IN_EVERY_BOX = ("image", "format", "matplotlib", "right to left", "half", "zero byte", "control")


def places(control: dict[str, Any], chance: random.Random) -> list[Any]:
    """Return values of a control that the host has described: both ends and random values."""
    kind, low, high = control["kind"], control.get("min"), control.get("max")
    if kind == "slider":
        step = control["step"]
        between = [low + step * chance.randrange((high - low) // step + 1) for _ in range(3)]
        return sorted({low, high, *between})
    if kind == "log":
        steps = round((high - low) / control["step"])
        return [10.0 ** (low + (high - low) * at / steps) for at in (0, chance.randrange(steps), steps)]
    if kind == "choice":
        return list(range(len(control["options"])))
    if kind == "tick":
        return [False, True]
    hostile = (HOSTILE[kind] for kind in IN_EVERY_BOX)
    return [*TEXTS.get(control["name"], ()), *AS_NOTHING.values(), *TOO_MUCH, *hostile]


def settings(view: dict[str, Any], at_random: int = 14) -> Iterator[list[Call]]:
    """Yield the calls that lead from the start to each setting: one control or all; a try; a point."""
    chance = random.Random(view["explorer"])
    by_control = {control["name"]: places(control, chance) for control in view["controls"]}
    yield []
    for name, values in by_control.items():
        for value in values:
            yield [("restore", [{name: value}])]
    for _ in range(at_random):
        corner = {name: chance.choice(values) for name, values in by_control.items()}
        words = {name: chance.choice(TEXTS[name]) for name in corner if name in TEXTS}
        yield [("restore", [corner | words])]  # nearly always valid, or a complaint would hide the rest
    for number in range(len(view["tries"])):
        yield [("follow_try", [number])]
    for panel, axes in view["axes"].items():
        at = [
            axis["start"] + chance.random() * (axis["end"] - axis["start"]) for axis in (axes["x"], axes["y"])
        ]
        for kind in ("hover", "press"):
            yield [("point", [panel, *at, kind])]
    for language in ("zh", "en", "both"):
        yield [("set_language", [language])]
    for mode in ("dark", "projector", "light"):
        yield [("set_mode", [mode])]


def sweep(name: str, every: int = 1) -> list[dict[str, Any]]:
    """Return the view and the code of explorer ``name`` at each ``every``-th setting."""
    host = Host()
    try:
        host.answer("start", [name])
        match = []
        for number, calls in enumerate(settings(host.answer("view"))):
            if number % every and calls[0][0] not in ("set_language", "set_mode"):  # resets keep these
                continue
            host.answer("reset")
            message = [host.answer(call, arguments).get("alert", "") for call, arguments in calls]
            match.append(
                {
                    "calls": calls,
                    "told": message,
                    "view": host.answer("view"),
                    "code": host.answer("code").get("code"),
                }
            )
        return match
    finally:
        host.close()


if __name__ == "__main__":
    out, every = Path(sys.argv[1]), int(sys.argv[2])
    out.write_bytes(pickle.dumps({name: sweep(name, every) for name in NAMES}))
