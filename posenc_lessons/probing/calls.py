"""Call an unknown function in a form that it accepts, and read what it does as matrices."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.language import BilingualValueError, Text

Turn = Callable[[Tensor, Tensor], Any]  # (x [..., L, d_head], positions [L]) → a tensor like x
CUBE = 5  # the first call has 5 sequences, 5 heads and 5 tokens, so that positions fit along each axis
NEAR = list(range(CUBE))
AXES = {-2: "tokens", -3: "heads", -4: "batch"}
LARGEST = 2**20  # numbers in a call of a function that counts its tokens itself


class FunctionRaises(BilingualValueError):
    """The unknown function raised."""


class NotARotation(Exception):
    """What the function does instead of a rotation."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self.text = Text(zh, en)


class Caller:
    """A function and the form in which it can be called: number of axes, dtypes, axis of the positions.

    Args:
        turn: ``turn(x, positions)``, the unknown function.
        d_head: features of a head.

    Raises:
        FunctionRaises: ``turn`` raises in each form that is tried.
        NotARotation: it returns something else than a tensor of the shape of ``x``.
    """

    def __init__(self, turn: Turn, d_head: int) -> None:
        self.turn, self.d_head = turn, d_head
        self.axis = -2  # of x, along which positions run
        self.counts = False  # whether it counts tokens itself
        vector, raised, problem = noise(d_head), None, None
        kinds = (torch.int64, torch.float64)
        forms = itertools.product((4, 3, 2), (torch.float64, torch.float32), kinds, (False, True))
        for self.ndim, self.dtype, self.kind, self.in_rows in forms:
            shape = [CUBE] * (self.ndim - 1) + [d_head]
            try:
                self.axis = _axis_of_positions(self._call(vector.expand(shape), NEAR))
                return
            except FunctionRaises as error:
                raised = raised or error
            except NotARotation as what:
                problem = problem or what
        if problem is not None:
            raise problem
        assert raised is not None  # the loop has run
        raise FunctionRaises(
            "怎样调用都报错：x 有 4、3、2 维，float64 和 float32，位置是 [L] 或 [1, L]，整数或浮点数。"
            f"第一个错误：{raised.zh}",
            "the function raises, whatever it is called with: x of 4, 3 and 2 axes in float64 and float32, "
            f"positions [L] and [1, L], whole and floating. The first error: {raised.en}",
        ) from raised

    def _call(self, x: Tensor, positions: Sequence[float], dtype: torch.dtype | None = None) -> Tensor:
        """Return ``turn(x, positions)`` in float64; ``x`` has the axes that the function is called with."""
        x = x.to(dtype or self.dtype).clone()  # the function may change it in place
        try:
            with torch.no_grad():
                result = self.turn(x, self._positions(positions, x.dtype))
        except NotARotation:
            raise
        except Exception as error:  # any error of a function that is not ours
            form = f"x {list(x.shape)} {str(x.dtype)[6:]}, {type(error).__name__}"
            raise FunctionRaises(f"报错，{form}：{error}", f"{form}: {error}") from error
        if not isinstance(result, Tensor):
            kind = type(result).__name__
            raise NotARotation(f"函数返回的是 {kind}，不是张量", f"it returns a {kind}, not a tensor")
        if result.shape != x.shape or result.is_complex():
            change = f"{list(x.shape)} → {list(result.shape)}, {str(result.dtype)[6:]}"
            raise NotARotation(f"形状或类型变了：{change}", f"shape or type change: {change}")
        return result.to(torch.float64)

    def _positions(self, positions: Sequence[float], dtype: torch.dtype) -> Tensor:
        values = torch.tensor([float(position) for position in positions], dtype=torch.float64)
        if self.kind == torch.int64 and all(float(position).is_integer() for position in positions):
            values = values.to(torch.int64)
        elif dtype == torch.float32:
            values = values.to(torch.float32)
        return values[None] if self.in_rows else values  # [1, L] or [L]

    def rotated(self, x: Tensor, positions: Sequence[float], dtype: torch.dtype | None = None) -> Tensor:
        """Return ``x`` [N, L, d_head] rotated: float64 [N, L, d_head]."""
        if self.ndim == 2:
            return torch.stack([self._call(rows, positions, dtype) for rows in x])
        between = x.unflatten(0, (-1, *[1] * (self.ndim - 3)))  # [N, L, d] or [N, 1, L, d]
        rows = self._call(between.transpose(self.axis, -2), positions, dtype)
        return rows.transpose(self.axis, -2).reshape(x.shape)

    def cube(self, x: Tensor) -> Tensor:
        """Return ``x`` [5, …, 5, d_head] rotated at positions 0 … 4, tokens on axis -2."""
        return self._call(x.transpose(self.axis, -2), NEAR).transpose(self.axis, -2)

    def matrices(self, positions: Sequence[float]) -> Tensor:
        """Return the matrix of each position: float64 [L, d_head, d_head]."""
        basis = eye(self.d_head)[:, None].expand(-1, len(positions), -1)
        return self.rotated(basis, positions).permute(1, 2, 0)

    def at(self, vectors: Tensor, position: float, dtype: torch.dtype | None = None) -> Tensor | None:
        """Return ``vectors`` [N, d_head] at ``position``: [N, d_head]; None where the function raises."""
        positions = [position]
        if self.counts:
            if position != int(position) or vectors.numel() * (position + 1) > LARGEST:
                return None
            positions = list(range(int(position) + 1))
        x = vectors[:, None].expand(-1, len(positions), -1)
        rotated = attempted(lambda: self.rotated(x, positions, dtype))
        return None if rotated is None or not bool(rotated.isfinite().all()) else rotated[:, -1]


def attempted(call: Callable[[], Tensor]) -> Tensor | None:
    """Return what ``call`` returns, None where the unknown function raises or gives another shape."""
    try:
        return call()
    except (FunctionRaises, NotARotation):
        return None


def eye(n: int) -> Tensor:
    return torch.eye(n, dtype=torch.float64)


def size(values: Tensor) -> float:
    """Return the largest absolute value, 0 of none."""
    return float(values.abs().max()) if values.numel() else 0.0


def coarse(values: Tensor) -> bool:
    """Return whether all ``values`` are numbers of float16 or all of bfloat16: they were rounded to it."""
    return any(
        torch.equal(values.to(kind).to(torch.float64), values) for kind in (torch.float16, torch.bfloat16)
    )


def noise(*shape: int) -> Tensor:
    """Return random float64 numbers; the global generator is left alone."""
    generator = torch.Generator()
    generator.manual_seed(len(shape))
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _axis_of_positions(result: Tensor) -> int:
    """Return the axis of ``result`` [5, …, d_head] along which equal vectors became different.

    It is axis -2 unless the vectors differ along another one and hardly along that.
    """
    spread = {axis: size(result - result.flip(axis)) for axis in AXES if result.ndim >= -axis}
    widest = max(spread, key=lambda axis: spread[axis])
    return -2 if spread[-2] >= 1e-3 * spread[widest] else widest
