"""The tensor: a NumPy array with PyTorch's names, indexing and conversions.

Operations are functions, here and in the modules beside this one; ``function``, ``method``, ``operation``
and ``elementwise`` say where each is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from ._types import CPU, DTYPES, Size, dtype_of, lacking
from ._types import device as Device
from ._types import dtype as DType

Operation = TypeVar("Operation", bound=Callable[..., Any])

TORCH: dict[str, Any] = {}  # the functions of the package, by name


class Tensor:
    """``array`` holds the numbers; views of a tensor are views of its array."""

    __array_priority__ = 1000  # so that NumPy leaves arithmetic with a tensor to the tensor
    requires_grad = False  # there are no gradients in the page

    def __init__(self, array: Any) -> None:
        self.array = np.asarray(array)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(lacking(f"torch.Tensor.{name}"), name=name, obj=self)

    def __deepcopy__(self, memo: dict[int, object]) -> Tensor:
        copied = type(self)(self.array.copy())
        memo[id(self)] = copied
        return copied

    # ---- what it is ----

    @property
    def dtype(self) -> DType:
        return dtype_of(self.array)

    @property
    def device(self) -> Device:
        return CPU

    @property
    def shape(self) -> Size:
        return Size(self.array.shape)

    @property
    def ndim(self) -> int:
        return self.array.ndim

    @property
    def data(self) -> Tensor:
        return Tensor(self.array)

    @data.setter
    def data(self, given: Tensor) -> None:
        self.array = given.array

    @property
    def T(self) -> Tensor:
        return Tensor(self.array.T)

    @property
    def mT(self) -> Tensor:
        return Tensor(self.array.swapaxes(-1, -2))

    @property
    def real(self) -> Tensor:
        return Tensor(self.array.real)

    @property
    def imag(self) -> Tensor:
        if not self.is_complex():
            raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
        return Tensor(self.array.imag)

    def size(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self.shape[dim]

    def numel(self) -> int:
        return self.array.size

    def stride(self, dim: int | None = None) -> Any:
        steps = tuple(step // self.array.itemsize for step in self.array.strides)
        return steps if dim is None else steps[dim]

    def storage_offset(self) -> int:
        base = self.array
        while isinstance(base.base, np.ndarray):
            base = base.base
        start, first = (each.__array_interface__["data"][0] for each in (base, self.array))
        return (first - start) // self.array.itemsize

    def is_floating_point(self) -> bool:
        return self.array.dtype.kind == "f"

    def is_complex(self) -> bool:
        return self.array.dtype.kind == "c"

    def is_contiguous(self) -> bool:
        return bool(self.array.flags.c_contiguous)

    # ---- to Python and NumPy ----

    def item(self) -> Any:
        if self.array.size != 1:
            raise RuntimeError(f"a Tensor with {self.array.size} elements cannot be converted to Scalar")
        return self.array.item()

    def tolist(self) -> Any:
        return self.array.tolist()

    def numpy(self) -> np.ndarray:
        return self.array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.array if dtype is None else self.array.astype(dtype, copy=False)
        return array.copy() if copy and array is self.array else array

    def __bool__(self) -> bool:
        if self.array.size != 1:
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(self.array.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __index__(self) -> int:
        if self.array.dtype.kind not in "bi" or self.array.size != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.array.item())

    def __len__(self) -> int:
        if not self.array.ndim:
            raise TypeError("len() of a 0-d tensor")
        return len(self.array)

    def __iter__(self) -> Iterator[Tensor]:
        if not self.array.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return (Tensor(row) for row in self.array)

    def __format__(self, form: str) -> str:
        return format(self.item(), form) if not self.array.ndim else object.__format__(self, form)

    def __repr__(self) -> str:
        return f"tensor({np.array2string(self.array, separator=', ')})"

    def __hash__(self) -> int:
        return id(self)

    # ---- parts ----

    def __getitem__(self, index: Any) -> Tensor:
        return Tensor(self.array[_index(index)])

    def __setitem__(self, index: Any, given: Any) -> None:
        by_places = any(isinstance(each, (Tensor, list)) for each in _listed(index))
        if by_places and isinstance(given, Tensor) and given.numel() != 1 and given.dtype is not self.dtype:
            raise RuntimeError(f"Index put requires {self.dtype} for the source, got {given.dtype}")
        self.array[_index(index)] = given.array if isinstance(given, Tensor) else given

    # ---- conversions ----

    def to(
        self,
        *to: Any,
        dtype: Any = None,
        device: Any = None,
        copy: bool = False,
        memory_format: object = None,
    ) -> Tensor:
        """This tensor if it is so already, else a copy."""
        kind = dtype
        for each in (*to, device):
            if isinstance(each, Tensor):
                kind = each.dtype
            elif isinstance(each, DType):
                kind = each
            elif each is not None and not isinstance(each, bool):
                Device(each)
        if kind is None or kind.array == self.array.dtype:
            return self.clone() if copy else self
        with np.errstate(invalid="ignore", over="ignore"):
            return Tensor(self.array.astype(kind.array))

    def cpu(self) -> Tensor:
        return self

    def detach(self) -> Tensor:
        return Tensor(self.array)

    def clone(self) -> Tensor:
        return Tensor(self.array.copy())

    def contiguous(self) -> Tensor:
        return self if self.is_contiguous() else Tensor(np.ascontiguousarray(self.array))

    def new_zeros(self, *size: Any, dtype: Any = None, device: Any = None) -> Tensor:
        return Tensor(np.zeros(shape_of(size), self.array.dtype if dtype is None else dtype.array))


def function(given: Operation) -> Operation:
    """``torch.name``."""
    TORCH[given.__name__] = given
    return given


def method(given: Operation) -> Operation:
    """``Tensor.name``."""
    setattr(Tensor, given.__name__, given)
    return given


def operation(given: Operation) -> Operation:
    """``torch.name`` and ``Tensor.name``, neither of which ever warns of infinities, as NumPy does."""
    return function(method(np.errstate(all="ignore")(given)))


def elementwise(given: Operation) -> Operation:
    """An ``operation``, and ``Tensor.name_`` that writes the result into the tensor itself."""
    found = operation(given)
    setattr(Tensor, f"{given.__name__}_", lambda x, *y, **named: into(x, found(x, *y, **named).array))
    return found


def array_of(x: Any) -> Any:
    """A tensor's array; anything else (a Python number) as it is."""
    return x.array if isinstance(x, Tensor) else x


def shape_of(size: tuple[Any, ...]) -> tuple[int, ...]:
    """Sizes given one by one, or all in one."""
    listed = size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    return tuple(int(each) for each in listed)


def into(target: Tensor, given: Any) -> Tensor:
    """Write ``given`` into ``target``, which keeps its type and shape; RuntimeError where it cannot."""
    given = np.asarray(given)
    if dtype_of(given).category > target.dtype.category:
        came, own = dtype_of(given), target.dtype
        raise RuntimeError(f"result type {came} can't be cast to the desired output type {own}")
    if np.broadcast_shapes(given.shape, target.array.shape) != target.array.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(given.shape)}"
        )
    target.array[...] = given
    return target


def _listed(index: Any) -> tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)


def _index(index: Any) -> Any:
    """``index`` as NumPy takes it; a step backwards is refused, as in PyTorch."""
    if isinstance(index, tuple):
        return tuple(_index(each) for each in index)
    if isinstance(index, Tensor):
        return index.array if index.array.ndim or index.array.dtype.kind == "b" else int(index.array)
    if isinstance(index, slice) and index.step is not None and index.step < 1:
        raise ValueError("step must be greater than zero")
    return index


for _name, _kind in {"float": "float32", "double": "float64", "long": "int64", "bool": "bool"}.items():
    setattr(Tensor, _name, lambda self, _kind=_kind: self.to(DTYPES[_kind]))
