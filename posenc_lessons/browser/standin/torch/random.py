"""Random numbers as PyTorch's CPU makes them: MT19937, and how floats, bells and orders are made of it."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from ._tensor import Tensor, function, into, method, shape_of
from ._types import CPU, FLOAT32, INT64, lacking
from ._types import device as Device

_SEED = 67280421310721  # PyTorch's own, until another is chosen
_DIGITS = 24  # of a float32 between 0 and 1


class Generator:
    """A stream of random numbers that a seed decides."""

    def __init__(self, device: Any = "cpu") -> None:
        self.device = Device(device)
        self.manual_seed(_SEED)

    def manual_seed(self, seed: int) -> Generator:
        """Begin the stream of ``seed``, of which 32 bits count."""
        word = seed & 0xFFFFFFFF
        words = [word]
        for at in range(1, 624):
            word = (1812433253 * (word ^ (word >> 30)) + at) & 0xFFFFFFFF
            words.append(word)
        self._engine = Random()  # the same generator in Python
        self._engine.setstate((3, (*words, 624), None))
        self._spare: float | None = None  # bells come in pairs
        return self

    def get_state(self) -> Any:
        return self._engine.getstate(), self._spare

    def set_state(self, state: Any) -> Generator:
        self._engine.setstate(state[0])
        self._spare = state[1]
        return self

    def words(self, count: int) -> np.ndarray:
        """The next 32-bit words, [count] uint32."""
        return np.frombuffer(self._engine.getrandbits(32 * count).to_bytes(4 * count, "little"), "<u4")

    def evenly(self, count: int) -> np.ndarray:
        """Numbers from 0 up to, not including, 1: float32 [count]."""
        return (self.words(count) & ((1 << _DIGITS) - 1)).astype(np.float32) * np.float32(2.0**-_DIGITS)

    def bells(self, count: int) -> np.ndarray:
        """Numbers of mean 0 and spread 1, float32 [count]: sixteen at a time, or a few one by one."""
        if count < 16:
            return np.array([self._one_bell() for _ in range(count)], np.float32)
        made = self.evenly(count)
        whole = count - count % 16
        made[:whole] = _by_sixteen(made[:whole])
        if count % 16:
            made[-16:] = _by_sixteen(self.evenly(16))
        return made

    def _one_bell(self) -> float:
        if self._spare is not None:
            given, self._spare = self._spare, None
            return given
        first, second = self._fine(), self._fine()
        radius, angle = math.sqrt(-2 * math.log1p(-second)), 2 * math.pi * first
        self._spare = radius * math.sin(angle)
        return radius * math.cos(angle)

    def _fine(self) -> float:
        high, low = self.words(2).tolist()
        return ((high << 32 | low) & ((1 << 53) - 1)) * 2.0**-53


def _by_sixteen(even: np.ndarray) -> np.ndarray:
    """Box and Muller's bells from [16·n] even numbers: eight radii, then eight angles."""
    pairs = even.reshape(-1, 2, 8)
    radius = np.sqrt(np.float32(-2) * np.log(np.float32(1) - pairs[:, 0]))
    angle = np.float32(2 * math.pi) * pairs[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()


default_generator = Generator()


@function
def manual_seed(seed: int) -> Generator:
    return default_generator.manual_seed(seed)


@contextlib.contextmanager
def fork_rng(devices: Any = ()) -> Iterator[None]:
    """What is drawn inside leaves the shared stream as it was."""
    before = default_generator.get_state()
    try:
        yield
    finally:
        default_generator.set_state(before)


def _drawn(how: str, size: tuple[Any, ...], generator: Generator | None, dtype: Any, device: Any) -> Tensor:
    if dtype not in (None, FLOAT32):
        raise NotImplementedError(lacking(f"random numbers of {dtype}"))
    if device is not None:
        Device(device)
    shape = shape_of(size)
    return Tensor(getattr(generator or default_generator, how)(math.prod(shape)).reshape(shape))


@function
def rand(*size: Any, generator: Generator | None = None, dtype: Any = None, device: Any = None) -> Tensor:
    return _drawn("evenly", size, generator, dtype, device)


@function
def randn(*size: Any, generator: Generator | None = None, dtype: Any = None, device: Any = None) -> Tensor:
    return _drawn("bells", size, generator, dtype, device)


@function
def randperm(n: int, *, generator: Generator | None = None, device: Any = None) -> Tensor:
    """The numbers 0 … n − 1 in a random order."""
    order = list(range(n))
    for at, word in enumerate((generator or default_generator).words(max(n - 1, 0)).tolist()):
        other = at + word % (n - at)
        order[at], order[other] = order[other], order[at]
    return Tensor(np.array(order, INT64.array))


@function
def randint(
    low: int, high: int, size: Any, *, generator: Generator | None = None, device: Any = None
) -> Tensor:
    """Whole numbers low … high − 1."""
    shape, span = shape_of((size,)), high - low
    if not 0 < span < 1 << 24:
        raise NotImplementedError(lacking(f"torch.randint over {span} numbers"))
    words = (generator or default_generator).words(math.prod(shape))
    return Tensor((words % np.uint32(span)).astype(INT64.array).reshape(shape) + low)


@method
def uniform_(x: Tensor, a: float = 0.0, b: float = 1.0, *, generator: Generator | None = None) -> Tensor:
    even = _drawn("evenly", x.array.shape, generator, x.dtype, CPU).array
    return into(x, even * np.float32(b - a) + np.float32(a))


@method
def normal_(x: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Generator | None = None) -> Tensor:
    bells = _drawn("bells", x.array.shape, generator, x.dtype, CPU).array
    return into(x, bells * np.float32(std) + np.float32(mean))
