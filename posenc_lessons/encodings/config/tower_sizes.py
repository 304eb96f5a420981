"""Read sizes from a vision tower's configuration, and the table that is added to its patches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.config.keys import Keys
from posenc_lessons.encodings.config.rope import Beside
from posenc_lessons.encodings.grid_learned import GridLearned
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.language import BilingualValueError

if TYPE_CHECKING:
    from posenc_lessons.encodings.config.towers import Tower


def table_beside(keys: Keys, tower: Tower) -> Beside | None:
    """Return the table that is added to the embeddings; None without one, or if no encoding here has it."""
    if tower.beside not in ("table", "row_column"):
        return None
    width = keys.whole(tower.keys["width"])
    if tower.beside == "row_column":
        side = keys.whole(tower.keys["rows"])
        return Beside(GridLearned, {"d_model": width, "rows": side, "columns": side})
    rows = patches_of(keys, tower) + (0 if tower.left_out else tower.special) + tower.apart
    return Beside(LearnedEncoding, {"d_model": width, "max_len": rows})


def patches_of(keys: Keys, tower: Tower) -> int:
    """Return how many patches the tower's table has rows for, or else its default picture has."""
    if named := tower.keys.get("rows"):
        found = 1
        for name in named.split(" * "):
            found *= keys.whole(name)
        return found
    (height, width), (down, across) = two(keys, tower.keys.get("picture", "image_size")), step(keys)
    return (height // down) * (width // across)


def step(keys: Keys) -> tuple[int, int]:
    """Return how many pixels lie from one patch's start to the next's, down and across."""
    patch = two(keys, "patch_size")
    return two(keys, "patch_stride") if keys.said("patch_stride") is not None else patch


def two(keys: Keys, name: str) -> tuple[int, int]:
    """Return a size down and across; a single number counts for both."""
    value: Any = keys.said(name)
    if isinstance(value, list | tuple) and len(value) == 2:
        first, second = (whole_number(f"{keys.where}{name}[{i}]", each, 1) for i, each in enumerate(value))
        return first, second
    return keys.whole(name), keys.whole(name)


def numbers(keys: Keys, name: str, least: int = 1) -> list[int]:
    """Return a list of whole numbers of at least ``least``; ValueError for anything else."""
    given = keys.said(name)
    if not isinstance(given, list | tuple) or not given:
        raise BilingualValueError(
            f"{keys.where}{name} 应当是列表，每一段一个数，收到 {given!r}",
            f"{keys.where}{name} must be a list, a number for each stage; got {given!r}",
        )
    return [whole_number(f"{keys.where}{name}[{i}]", each, least) for i, each in enumerate(given)]
