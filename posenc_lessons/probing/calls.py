"""Call an unknown function in a form that it accepts, and read what it does as matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.language import BilingualValueError, Text

Turn = Callable[[Tensor, Tensor], Any]  # (x [..., L, d_head], positions [L]) → a tensor like x
CUBE = 5  # the first call has 5 sequences, 5 heads and 5 tokens, so that positions fit along each axis
AXES = {-2: "tokens", -3: "heads", -4: "batch"}


class NotARotation(Exception):
    """What the function does instead of a rotation."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self.text = Text(zh, en)


class Caller:
    """A function with the form in which it can be called: number of axes, dtypes, axis of the positions.

    Args:
        turn: ``turn(x, positions)``, the unknown function.
        d_head: features of a head.
        axes: coordinates of a position; above 1, positions are [axes, L].

    Raises:
        ValueError: ``turn`` raises in each form that was tried.
        NotARotation: it returns something else than a tensor of the shape of ``x``.
    """

    def __init__(self, turn: Turn, d_head: int, axes: int = 1) -> None:
        self.turn, self.d_head, self.axes = turn, d_head, axes
        self.axis = -2
        self.changes_input = False
        self.column = -1  # the coordinate that is asked for, of several; -1: all of them
        self._find_form()

    def _find_form(self) -> None:
        tried, last = [], None
        vector = noise(self.d_head)
        for ndim in (4, 3, 2):
            for dtype in (torch.float64, torch.float32):
                for kind in (torch.int64, dtype):
                    self.ndim, self.dtype, self.kind = ndim, dtype, kind
                    shape = [CUBE] * (ndim - 1) + [self.d_head]
                    try:
                        result = self._raw(vector.expand(shape), list(range(CUBE)))
                    except BilingualValueError as error:
                        tried.append(f"x {shape} {str(dtype)[6:]}, positions {str(kind)[6:]}")
                        last = error.__cause__
                        continue
                    self.axis = _axis_of_positions(result)
                    return
        forms = "; ".join(tried)
        raise BilingualValueError(
            f"函数在试过的每种调用方式下都报错（{forms}）。最后一个错误是 {type(last).__name__}：{last}",
            f"the function raised in each form that was tried ({forms}). "
            f"The last error was {type(last).__name__}: {last}",
        ) from last

    def _raw(self, x: Tensor, positions: Sequence[float], dtype: torch.dtype | None = None) -> Tensor:
        """Return ``turn(x, positions)`` in float64; ``x`` has the axes that the function is called with."""
        x = x.to(dtype or self.dtype).clone()
        before = x.clone()
        try:
            with torch.no_grad():
                result = self.turn(x, self._positions(positions))
        except Exception as error:  # any error of a function that is not ours
            raise BilingualValueError(
                f"x 的形状是 {list(x.shape)}（{str(x.dtype)[6:]}）时函数报错，{type(error).__name__}：{error}",
                f"with x {list(x.shape)}, {str(x.dtype)[6:]}, the function raised "
                f"{type(error).__name__}: {error}",
            ) from error
        if not isinstance(result, Tensor):
            kind = type(result).__name__
            raise NotARotation(f"函数返回的是 {kind}，不是张量", f"it returns a {kind}, not a tensor")
        if result.shape != x.shape:
            raise NotARotation(
                f"输入的形状是 {list(x.shape)}，输出的是 {list(result.shape)}",
                f"its input has the shape {list(x.shape)}, its output {list(result.shape)}",
            )
        if not torch.equal(x, before):
            self.changes_input = True
        return result.to(torch.float64)

    def _positions(self, positions: Sequence[float]) -> Tensor:
        whole = all(float(position).is_integer() for position in positions)
        values = torch.tensor([float(position) for position in positions], dtype=torch.float64)
        values = values.to(self.kind if whole else torch.float64 if self.kind == torch.int64 else self.kind)
        if self.axes == 1:
            return values
        rows = [values if self.column in (-1, row) else values * 0 for row in range(self.axes)]
        return torch.stack(rows)

    def rotated(self, x: Tensor, positions: Sequence[float], dtype: torch.dtype | None = None) -> Tensor:
        """Return ``x`` [N, L, d_head] rotated: float64 [N, L, d_head]."""
        if self.ndim == 2:
            return torch.stack([self._raw(rows, positions, dtype) for rows in x])
        if self.ndim == 3:
            along = x if self.axis == -2 else x.transpose(0, 1)
            result = self._raw(along, positions, dtype)
            return result if self.axis == -2 else result.transpose(0, 1)
        along = x[:, None]  # [N, 1, L, d_head]
        if self.axis != -2:
            along = along.transpose(self.axis, -2)
        result = self._raw(along, positions, dtype)
        return (result if self.axis == -2 else result.transpose(self.axis, -2))[:, 0]

    def cube(self, x: Tensor) -> Tensor:
        """Return ``x`` [5, …, 5, d_head] rotated at positions 0 … 4, tokens on axis -2."""
        along = x.transpose(self.axis, -2)
        return self._raw(along, list(range(CUBE))).transpose(self.axis, -2)

    def matrices(self, positions: Sequence[float]) -> Tensor:
        """Return the matrix of each position: float64 [L, d_head, d_head], without what is added to 0."""
        basis = torch.eye(self.d_head, dtype=torch.float64)[:, None].expand(-1, len(positions), -1)
        columns = self.rotated(basis, positions)  # [input feature, L, output feature]
        return (columns - self.rotated(basis[:1] * 0, positions)).permute(1, 2, 0)


def attempted(call: Callable[[], Tensor]) -> Tensor | None:
    """Return what ``call`` returns, None where the unknown function raises or gives another shape."""
    try:
        return call()
    except (BilingualValueError, NotARotation):
        return None


def eye(n: int) -> Tensor:
    return torch.eye(n, dtype=torch.float64)


def noise(*shape: int, seed: int = 0) -> Tensor:
    """Return random float64 numbers; the global generator is left alone."""
    generator = torch.Generator()
    generator.manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _axis_of_positions(result: Tensor) -> int:
    """Return the axis of ``result`` [5, …, d_head] along which equal vectors became different.

    It is axis -2 unless the vectors differ along another one and hardly along that.
    """
    spread = {axis: float((result - result.flip(axis)).abs().max()) for axis in AXES if result.ndim >= -axis}
    widest = max(spread, key=lambda axis: spread[axis])
    return -2 if spread[-2] >= 1e-3 * spread[widest] else widest
