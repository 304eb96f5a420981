"""Sizes in a vision tower's configuration, and the table that is added to its patches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posenc_lessons.encodings.config.keys import MOST, Keys, whole_up_to
from posenc_lessons.encodings.config.rope import Beside
from posenc_lessons.encodings.grid_learned import GridLearned
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.language import BilingualValueError

if TYPE_CHECKING:
    from posenc_lessons.encodings.config.towers import Tower


def table_beside(keys: Keys, tower: Tower) -> Beside | None:
    """Return what is added to the embeddings; None if nothing is, or what none of our encodings does."""
    if tower.beside not in ("table", "row_column"):
        return None
    width = keys.whole(tower.keys["width"])
    if tower.beside == "row_column":
        side = keys.whole(tower.keys["rows"])
        return Beside(GridLearned, {"d_model": width, "rows": side, "columns": side})
    rows = patches_of(keys, tower) + (0 if tower.left_out else tower.special) + tower.apart
    return Beside(LearnedEncoding, {"d_model": width, "max_len": rows})


def patches_of(keys: Keys, tower: Tower) -> int:
    """Return how many patches the picture has that a tower is made for, or its table."""
    if named := tower.keys.get("rows"):
        found = 1
        for name in named.split(" * "):
            found *= keys.whole(name)
        return found
    down, across = grid_of(keys, tower.keys.get("picture", "image_size"))
    return down * across


def grid_of(keys: Keys, picture: str = "image_size") -> tuple[int, int]:
    """Return how many patches a picture has down and across; ValueError for none."""
    (height, width), (down, across) = two(keys, picture), step(keys)
    if height < down or width < across:
        raise BilingualValueError(
            f"{keys.where}{picture} 是 {height} × {width}，比一个图块 {down} × {across} 还小",
            f"{keys.where}{picture} is {height} × {width}, smaller than a patch of {down} × {across}",
        )
    return height // down, width // across


def step(keys: Keys) -> tuple[int, int]:
    """Return how many pixels the next patch begins after the last: a patch's size, if they do not overlap."""
    patch = two(keys, "patch_size")
    return two(keys, "patch_stride") if keys.said("patch_stride") is not None else patch


def two(keys: Keys, name: str) -> tuple[int, int]:
    """Return a size down and across: a number is both."""
    value: Any = keys.said(name)
    if isinstance(value, list | tuple) and len(value) == 2:
        first, second = (whole_up_to(f"{keys.where}{name}[{i}]", each) for i, each in enumerate(value))
        return first, second
    return keys.whole(name), keys.whole(name)


def numbers(keys: Keys, name: str, least: int = 1, most: int = MOST) -> list[int]:
    """Return a list of whole numbers of ``least`` to ``most``; ValueError for anything else."""
    given = keys.said(name)
    if not isinstance(given, list | tuple) or not given:
        raise BilingualValueError(
            f"{keys.where}{name} 应当是列表，每一段一个数，收到 {given!r}",
            f"{keys.where}{name} must be a list, a number for each stage; got {given!r}",
        )
    return [whole_up_to(f"{keys.where}{name}[{i}]", each, least, most) for i, each in enumerate(given)]
