"""Random numbers as on PyTorch's CPU: MT19937, and uniform numbers, normal numbers and orders from it."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from ._operations import function, into, method, shape_of
from ._tape import check_writable
from ._tensor import Tensor
from ._types import CPU, FLOAT32, INT64, lacking
from ._types import device as Device

_SEED = 67280421310721  # PyTorch's default seed
_DIGITS = 24  # the bits of a float32 between 0 and 1


class Generator:
    """A stream of random numbers that depends on a seed."""

    def __init__(self, device: Any = "cpu") -> None:
        self.device = Device(device)
        self.manual_seed(_SEED)

    def manual_seed(self, seed: int) -> Generator:
        """Begin the stream of ``seed``, which uses the lowest 32 bits."""
        word = seed & 0xFFFFFFFF
        words = [word]
        for at in range(1, 624):
            word = (1812433253 * (word ^ (word >> 30)) + at) & 0xFFFFFFFF
            words.append(word)
        self._engine = Random()  # Python's generator is also MT19937
        self._engine.setstate((3, (*words, 624), None))
        self._spare: float | None = None  # the second one of a pair of normal numbers
        return self

    def get_state(self) -> Any:
        return self._engine.getstate(), self._spare

    def set_state(self, state: Any) -> Generator:
        self._engine.setstate(state[0])
        self._spare = state[1]
        return self

    def words(self, count: int) -> np.ndarray:
        """Return the next 32-bit words, [count] uint32."""
        return np.frombuffer(self._engine.getrandbits(32 * count).to_bytes(4 * count, "little"), "<u4")

    def uniform(self, count: int, fine: bool = False) -> np.ndarray:
        """Return uniform numbers, 0 ≤ x < 1: [count], float32, or float64 if ``fine``."""
        if fine:
            high, low = self.words(2 * count).astype(np.uint64).reshape(-1, 2).T
            return ((high << np.uint64(32) | low) & np.uint64((1 << 53) - 1)).astype(np.float64) * 2.0**-53
        return (self.words(count) & ((1 << _DIGITS) - 1)).astype(np.float32) * np.float32(2.0**-_DIGITS)

    def normal(self, count: int, fine: bool = False) -> np.ndarray:
        """Return normal numbers [count] of mean 0 and spread 1: sixteen at a time, fewer one by one."""
        if count < 16:
            return np.array([self._one_normal() for _ in range(count)], np.float64 if fine else np.float32)
        result = self.uniform(count, fine)
        whole = count - count % 16
        result[:whole] = _by_sixteen(result[:whole])
        if count % 16:
            result[-16:] = _by_sixteen(self.uniform(16, fine))
        return result

    def _one_normal(self) -> float:
        if self._spare is not None:
            argument, self._spare = self._spare, None
            return argument
        first, second = self._fine(), self._fine()
        radius, angle = math.sqrt(-2 * math.log1p(-second)), 2 * math.pi * first
        self._spare = radius * math.sin(angle)
        return radius * math.cos(angle)

    def _fine(self) -> float:
        high, low = self.words(2).tolist()
        return ((high << 32 | low) & ((1 << 53) - 1)) * 2.0**-53


def _by_sixteen(even: np.ndarray) -> np.ndarray:
    """Return normal numbers from [16·n] uniform ones by Box and Muller: eight radii, then eight angles."""
    pairs = even.reshape(-1, 2, 8)
    kind = even.dtype.type
    radius = np.sqrt(kind(-2) * np.log(kind(1) - pairs[:, 0]))
    angle = kind(2 * math.pi) * pairs[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()


default_generator = Generator()


@function
def manual_seed(seed: int) -> Generator:
    return default_generator.manual_seed(seed)


@contextlib.contextmanager
def fork_rng(devices: Any = ()) -> Iterator[None]:
    """Restore the shared generator at the end, so that drawing inside does not change it."""
    previous = default_generator.get_state()
    try:
        yield
    finally:
        default_generator.set_state(previous)


def _drawn(
    how: str, size: tuple[Any, ...], generator: Generator | None, dtype: Any, device: Any
) -> np.ndarray:
    """Draw numbers of ``dtype``; a complex number is two real ones, which share a spread of 1."""
    kind = FLOAT32 if dtype is None else dtype
    if kind.name not in ("float32", "float64", "complex64", "complex128"):
        raise NotImplementedError(lacking(f"random numbers of {kind}"))
    if device is not None:
        Device(device)
    shape = shape_of(size)
    fine = kind.name in ("float64", "complex128")
    count = math.prod(shape) * (2 if kind.is_complex else 1)
    numbers: np.ndarray = getattr(generator or default_generator, how)(count, fine)
    if kind.is_complex:
        share = numbers.dtype.type(math.sqrt(0.5)) if how == "normal" else numbers.dtype.type(1)
        numbers = (numbers * share).view(kind.array)
    return numbers.reshape(shape)


def _random(name: str, how: str) -> None:
    """Make ``torch.rand`` or ``torch.randn``."""

    def named(
        *size: Any,
        generator: Generator | None = None,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Tensor:
        result = Tensor(_drawn(how, size, generator, dtype, device))
        return result.requires_grad_() if requires_grad else result

    named.__name__ = name
    function(named)


_random("rand", "uniform")
_random("randn", "normal")


@function
def randperm(n: int, *, generator: Generator | None = None, device: Any = None) -> Tensor:
    """Return the numbers 0 … n − 1 in a random order."""
    order = list(range(n))
    for at, word in enumerate((generator or default_generator).words(max(n - 1, 0)).tolist()):
        other = at + word % (n - at)
        order[at], order[other] = order[other], order[at]
    return Tensor(np.array(order, INT64.array))


@function
def randint(
    low: int, high: Any, size: Any = None, *, generator: Generator | None = None, device: Any = None
) -> Tensor:
    """Return whole numbers from low to high − 1; ``randint(high, size)`` begins at 0."""
    if size is None:
        low, high, size = 0, low, high
    shape, span = shape_of((size,)), high - low
    if not 0 < span < 1 << 24:
        raise NotImplementedError(lacking(f"torch.randint over {span} numbers"))
    words = (generator or default_generator).words(math.prod(shape))
    return Tensor((words % np.uint32(span)).astype(INT64.array).reshape(shape) + low)


def _check_undrawn(x: Tensor) -> None:
    if check_writable(x, ()):
        raise NotImplementedError(lacking("random numbers written under autograd"))


@method
def uniform_(x: Tensor, a: float = 0.0, b: float = 1.0, *, generator: Generator | None = None) -> Tensor:
    _check_undrawn(x)
    even = _drawn("uniform", x.array.shape, generator, x.dtype, CPU)
    return into(x, even * even.dtype.type(b - a) + even.dtype.type(a))


@method
def normal_(x: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Generator | None = None) -> Tensor:
    _check_undrawn(x)
    normal = _drawn("normal", x.array.shape, generator, x.dtype, CPU)
    return into(x, normal * normal.dtype.type(std) + normal.dtype.type(mean))
