"""How a message shows a value: small arrays whole, of large ones a part."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

ROWS, COLUMNS = 6, 8  # how large an array may be to be shown whole
SOME = 3, 6  # how many rows and columns are shown of a larger one


def in_short(value: Any) -> str:
    """Return an answer as a message shows it: a tensor by its first numbers, anything else as Python does."""
    if not isinstance(value, Tensor) or not value.numel():
        return f"{value!r:.200}"
    part, words = part_around((0,) * value.ndim, value.shape)
    return listed(value[part]) + (f"  # {words}" if words else "")


def part_around(place: Iterable[int], shape: Iterable[int]) -> tuple[tuple[slice, ...], str]:
    """Return the part of an array that a message shows, with ``place`` in it, as an index and as words.

    It is a matrix, or a part of one. The words are "" if that is the whole array.
    """
    shape = tuple(shape)
    rooms = [1] * (len(shape) - 2)
    for length, most, some in [*zip(shape[::-1], (COLUMNS, ROWS), SOME[::-1], strict=False)][::-1]:
        rooms.append(length if length <= most else some)
    part: list[slice] = []
    words: list[str] = []
    for at, length, room in zip(place, shape, rooms, strict=True):
        start = max(0, min(at, length - room))
        end = min(length, start + room)
        part.append(slice(start, end))
        whole = (start, end) == (0, length)
        words.append(f"{start}" if room == 1 else ":" if whole else f"{start}:{end}")
    all_of_it = all(side == slice(0, length) for side, length in zip(part, shape, strict=True))
    return tuple(part), "" if all_of_it else f"[{', '.join(words)}]"


def listed(values: Tensor, form: str = ".3f") -> str:
    """Write a number, a list, or a matrix with its rows below each other; ``form`` if they are not whole."""
    if not values.ndim:
        return figures(values.reshape(1), form)[0]
    words = figures(values.flatten(), form)
    width, columns = max(map(len, words)), values.shape[-1]
    padded = [word.rjust(width) for word in words]
    lines = [f"[{', '.join(padded[at : at + columns])}]" for at in range(0, len(words), columns)]
    return lines[0] if values.ndim == 1 else "[" + ",\n ".join(lines) + "]"


def figures(values: Tensor, form: str) -> list[str]:
    """Write numbers [n] in the format ``form``, all with as few decimals as that needs."""
    form = form if values.nan_to_num().abs().max() < 1e9 else ".3g"
    words = [f"{number:{form}}" for number in values.tolist()]
    decimals = max(len(word.partition(".")[2].rstrip("0")) for word in words)
    return [f"{number:z.{decimals}f}" for number in values.tolist()] if form.endswith("f") else words


def is_small(value: Any) -> bool:
    """Return whether a message has room for the numbers of an array, below the call."""
    if not isinstance(value, Tensor) or not value.is_floating_point() or not value.ndim:
        return False
    *front, rows, columns = (1, 1, *value.shape)
    return set(front) <= {1} and rows <= ROWS and columns <= COLUMNS


def brief(name: str, value: Any) -> str:
    """Return an argument as a message names it: short to read, and exact where the learner can type it."""
    if is_small(value):
        return name
    if isinstance(value, Tensor):
        if value.dtype == torch.int64 and value.ndim == 1 and torch.equal(value, torch.arange(len(value))):
            return f"arange({len(value)})"
        if value.is_floating_point() or value.numel() > 12:
            return f"{name} {list(value.shape)}"
        return f"tensor({value.tolist()})"
    return f"{value:g}" if isinstance(value, float) else str(value)
