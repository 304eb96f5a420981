"""Print tensors as PyTorch does."""

import math
from typing import Any

import numpy as np

from ._operations import function
from ._tensor import Tensor
from ._types import DTYPES

SHORTENED = 1000  # a tensor of more numbers is printed without its middle
EDGE = 3  # how many numbers or rows at each end of an axis are printed then


class Options:
    """The settings of printing; ``set_printoptions`` changes them."""

    precision, linewidth = 4, 80
    sci_mode: bool | None = None


@function
def set_printoptions(
    precision: int | None = None, linewidth: int | None = None, sci_mode: bool | None = None
) -> None:
    Options.precision = Options.precision if precision is None else precision
    Options.linewidth = Options.linewidth if linewidth is None else linewidth
    Options.sci_mode = sci_mode


class _Format:
    """One form for all numbers of a tensor: whole, with decimals, or with powers of ten."""

    def __init__(self, array: np.ndarray) -> None:
        self.floating, self.width, self.powers, self.whole = array.dtype.kind == "f", 1, False, True
        values = array.reshape(-1)
        if not self.floating:
            self.width = max((len(str(item)) for item in values.tolist()), default=1)
            return
        counted = values[np.isfinite(values) & (values != 0)]
        if not counted.size:
            return
        sizes = np.abs(counted).astype(np.float64 if array.dtype.itemsize > 4 else np.float32)
        least, most = sizes.min(), sizes.max()
        self.whole = bool((counted == np.ceil(counted)).all())
        extreme = bool(most / least > 1000.0 or most > 1e8 or least < 1e-4)
        self.powers = extreme if Options.sci_mode is None else Options.sci_mode
        dot = 1 if self.whole and not self.powers else 0
        self.width = max(len(self._bare(item)) + dot for item in counted.tolist())

    def _bare(self, value: float) -> str:
        if self.powers:
            return f"{value:.{Options.precision}e}"
        return f"{value:.0f}" if self.whole else f"{value:.{Options.precision}f}"

    def __call__(self, value: Any) -> str:
        if not self.floating:
            text = str(value)
        else:
            text = self._bare(value)
            if self.whole and not self.powers and math.isfinite(value):
                text += "."
        return text.rjust(self.width)


def _joined(real: str, imaginary: str) -> str:
    imaginary = (imaginary + "j").lstrip()
    return real + (imaginary if imaginary[0] in "+-" else "+" + imaginary)


def _edges(array: np.ndarray) -> np.ndarray:
    """Keep only the ends of long axes, which are printed."""
    for axis in range(array.ndim):
        length = array.shape[axis]
        if length > 2 * EDGE:
            array = np.take(array, [*range(EDGE), *range(length - EDGE, length)], axis=axis)
    return array


def _said(array: np.ndarray, indent: int, short: bool, formats: list[_Format]) -> str:
    def number(value: Any) -> str:
        if len(formats) == 1:
            return formats[0](value)
        return _joined(formats[0](value.real), formats[1](value.imag))

    if array.ndim == 0:
        return number(array.item())
    cut = short and len(array) > 2 * EDGE
    rows = [*array[:EDGE], *array[-EDGE:]] if cut else list(array)
    if array.ndim > 1:
        parts = [_said(row, indent + 1, short, formats) for row in rows]
        parts = [*parts[:EDGE], "...", *parts[EDGE:]] if cut else parts
        return "[" + ("," + "\n" * (array.ndim - 1) + " " * (indent + 1)).join(parts) + "]"
    words = [number(item.item()) for item in rows]
    words = [*words[:EDGE], " ...", *words[EDGE:]] if cut else words
    width = formats[0].width + 2 + (formats[1].width + 1 if len(formats) > 1 else 0)
    per_line = max(1, (Options.linewidth - indent) // width)
    lines = [", ".join(words[at : at + per_line]) for at in range(0, len(words), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _contents(array: np.ndarray, indent: int) -> str:
    if not array.size:
        return "[]"
    short = array.size > SHORTENED
    view = _edges(array) if short else array
    parts = [view.real, view.imag] if array.dtype.kind == "c" else [view]
    return _said(array, indent, short, [_Format(part) for part in parts])


_SILENT = {DTYPES[name] for name in ("float32", "complex64", "int64", "bool")}


def said(x: Tensor) -> str:
    """Return the text of PyTorch's ``repr`` for a tensor."""
    text = "tensor(" + _contents(x.array, len("tensor("))
    suffixes = []
    if not x.array.size and x.array.ndim != 1:
        suffixes.append(f"size={tuple(x.array.shape)}")
    if x.dtype not in _SILENT or (not x.array.size and x.dtype is not DTYPES["float32"]):
        suffixes.append(f"dtype={x.dtype}")
    if x.node is not None:
        suffixes.append(f"grad_fn={x.node!r}")
    elif x.requires_grad:
        suffixes.append("requires_grad=True")
    length = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if length + len(suffix) + 2 > Options.linewidth:
            text += ",\n" + " " * len("tensor(") + suffix
            length = len("tensor(") + len(suffix)
        else:
            text += ", " + suffix
            length += len(suffix) + 2
    return text + ")"


def _repr(self: Tensor) -> str:
    return said(self)


setattr(Tensor, "__repr__", _repr)  # noqa: B010
