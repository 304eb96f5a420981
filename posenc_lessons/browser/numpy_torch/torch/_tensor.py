"""The tensor: a NumPy array with PyTorch's names, indexing and conversions.

Operations are functions, here and in the modules beside this one; ``function``, ``method``, ``operation``
and ``elementwise`` say where each is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from ._devices import check_has_numbers
from ._narrow import rounded
from ._tape import State, Tracked, check_writable, keep, recorded, run_backward, written
from ._types import BFLOAT16, CPU, DTYPES, Size, dtype_of, lacking
from ._types import device as Device
from ._types import dtype as DType

Operation = TypeVar("Operation", bound=Callable[..., Any])

TORCH: dict[str, Any] = {}  # the functions of the package, by name


class Tensor(Tracked):
    """``array`` holds the numbers; views of a tensor are views of its array."""

    __array_priority__ = 1000  # so that NumPy leaves arithmetic with a tensor to the tensor

    # The operators, which ``_elementwise.py`` puts here.
    __add__: Any
    __radd__: Any
    __sub__: Any
    __rsub__: Any
    __mul__: Any
    __rmul__: Any
    __truediv__: Any
    __rtruediv__: Any
    __pow__: Any
    __matmul__: Any
    __neg__: Any
    __invert__: Any
    __mod__: Any

    def __init__(self, array: Any) -> None:
        self.array = np.asarray(array)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(lacking(f"torch.Tensor.{name}"), name=name, obj=self)

    def __deepcopy__(self, memo: dict[int, object]) -> Tensor:
        if self.node is not None:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
                "the moment."
            )
        copied = type(self)(self.array.copy())
        copied._as(self).requires_grad = self.requires_grad
        memo[id(self)] = copied
        return copied

    def _as(self, other: Tensor) -> Tensor:
        """Take over what ``other`` is beside its array; return this tensor."""
        if other.rounds or other.on_meta:
            self.rounds, self.on_meta = other.rounds, other.on_meta
        return self

    @staticmethod
    def wrap(array: Any) -> Tensor:
        """Return a tensor of ``array``, for the tape."""
        return Tensor(array)

    # ---- what it is ----

    @property
    def dtype(self) -> DType:
        return BFLOAT16 if self.rounds else dtype_of(self.array)

    @property
    def device(self) -> Device:
        return Device("meta") if self.on_meta else CPU

    @property
    def is_meta(self) -> bool:
        return self.on_meta

    @property
    def shape(self) -> Size:
        return Size(self.array.shape)

    @property
    def ndim(self) -> int:
        return self.array.ndim

    @property
    def data(self) -> Tensor:
        return self.detach()

    @data.setter
    def data(self, given: Tensor) -> None:
        self.array, self.rounds, self.on_meta = given.array, given.rounds, given.on_meta

    @property
    def T(self) -> Tensor:
        return _transposed(self)

    @property
    def mT(self) -> Tensor:
        return TORCH["transpose"](self, -1, -2)

    @property
    def real(self) -> Tensor:
        return _part(self, "real")

    @property
    def imag(self) -> Tensor:
        if not self.is_complex():
            raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
        return _part(self, "imag")

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

    def dim(self) -> int:
        return self.array.ndim

    def data_ptr(self) -> int:
        return int(self.array.__array_interface__["data"][0])

    def element_size(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.array.size * self.dtype.itemsize

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    is_sparse = is_cuda = False
    layout = "torch.strided"

    def to_sparse(self) -> Tensor:
        """Return a copy that says that it is sparse and keeps all its numbers."""
        made = self.clone()
        made.is_sparse, made.layout = True, "torch.sparse_coo"
        return made

    def to_dense(self) -> Tensor:
        return self.clone() if self.is_sparse else self

    def is_floating_point(self) -> bool:
        return self.array.dtype.kind == "f"

    def is_complex(self) -> bool:
        return self.array.dtype.kind == "c"

    def is_contiguous(self) -> bool:
        return bool(self.array.flags.c_contiguous)

    # ---- to Python and NumPy ----

    def item(self) -> Any:
        check_has_numbers(self)
        if self.array.size != 1:
            raise RuntimeError(f"a Tensor with {self.array.size} elements cannot be converted to Scalar")
        return self.array.item()

    def tolist(self) -> Any:
        check_has_numbers(self)
        return self.array.tolist()

    def numpy(self) -> np.ndarray:
        check_has_numbers(self)
        if self.rounds:
            raise TypeError("Got unsupported ScalarType BFloat16")
        if self.requires_grad:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
            )
        return self.array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        check_has_numbers(self)
        array = self.array if dtype is None else self.array.astype(dtype, copy=False)
        return array.copy() if copy and array is self.array else array

    def __bool__(self) -> bool:
        if self.array.size != 1:
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __index__(self) -> int:
        if self.array.dtype.kind not in "bi" or self.array.size != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __len__(self) -> int:
        if not self.array.ndim:
            raise TypeError("len() of a 0-d tensor")
        return len(self.array)

    def __iter__(self) -> Iterator[Tensor]:
        if not self.array.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return iter([self[at] for at in range(len(self.array))])

    def __format__(self, form: str) -> str:
        return format(self.item(), form) if not self.array.ndim else object.__format__(self, form)

    def __hash__(self) -> int:
        return id(self)

    # ---- parts ----

    def __getitem__(self, index: Any) -> Tensor:
        return _picked(self, index)

    def __setitem__(self, index: Any, given: Any) -> None:
        recording = check_writable(self, (given,))
        before = self._before_writing() if recording else None
        by_places = any(isinstance(each, (Tensor, list)) for each in _listed(index))
        if by_places and isinstance(given, Tensor) and given.numel() != 1 and given.dtype is not self.dtype:
            raise RuntimeError(f"Index put requires {self.dtype} for the source, got {given.dtype}")
        value = given.array if isinstance(given, Tensor) else given
        self.array[_index(index)] = rounded(value) if self.rounds else value
        written(self.array)
        if recording:
            keep("setitem", (before, index, given), {}, self)

    def _before_writing(self) -> Tensor:
        """Return a copy that stands on the tape for this tensor as it was."""
        before = Tensor(self.array.copy())._as(self)
        before.requires_grad, before.node = self.requires_grad, self.node
        if self.node is not None:
            self.node.set_aside(before.array)
        return before

    # ---- gradients ----

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        if requires_grad and self.array.dtype.kind not in "fc":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if self.node is not None and not requires_grad:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed "
                "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        self.requires_grad = requires_grad
        return self

    def retain_grad(self) -> None:
        if self.node is not None and not any(each is self for each in self.node.keepers):
            self.node.keepers.append(self)

    def backward(self, gradient: Any = None, retain_graph: bool = False) -> None:
        if not self.requires_grad:
            raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
        if gradient is None and self.array.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        run_backward([(self, np.ones_like(self.array) if gradient is None else gradient.array)], retain_graph)

    # ---- conversions ----

    def to(
        self,
        *to: Any,
        dtype: Any = None,
        device: Any = None,
        copy: bool = False,
        memory_format: object = None,
    ) -> Tensor:
        """Return this tensor if it is so already, else a copy."""
        kind, place = dtype, self.device
        for each in (*to, device):
            if isinstance(each, Tensor):
                kind, place = each.dtype, each.device
            elif isinstance(each, DType):
                kind = each
            elif each is not None and not isinstance(each, bool):
                place = Device(each)
        if place != self.device:
            return self._moved(place).to(dtype=kind)
        if kind is None or kind is self.dtype:
            return self.clone() if copy else self
        if kind is BFLOAT16:
            State.narrow = True
        return _converted(self, kind)

    def _moved(self, place: Device) -> Tensor:
        check_has_numbers(self)
        made = Tensor(np.broadcast_to(self.array.dtype.type(0), self.array.shape))._as(self)
        made.on_meta = place.type == "meta"
        return made

    def cpu(self) -> Tensor:
        return self.to("cpu")

    def detach(self) -> Tensor:
        return Tensor(self.array)._as(self)

    def clone(self) -> Tensor:
        return _copied(self)

    def contiguous(self) -> Tensor:
        return self if self.is_contiguous() else _copied(self)

    def _place(self, device: Any) -> Any:
        return self.device if device is None else device

    def new_zeros(
        self, *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False
    ) -> Tensor:
        made: Tensor = TORCH["zeros"](
            shape_of(size), dtype=self.dtype if dtype is None else dtype, device=self._place(device)
        )
        return made.requires_grad_() if requires_grad else made

    def new_ones(self, *size: Any, dtype: Any = None, device: Any = None) -> Tensor:
        made: Tensor = TORCH["ones"](
            shape_of(size), dtype=self.dtype if dtype is None else dtype, device=self._place(device)
        )
        return made

    def new_full(self, size: Any, fill_value: Any, dtype: Any = None, device: Any = None) -> Tensor:
        made: Tensor = TORCH["full"](
            size, fill_value, dtype=self.dtype if dtype is None else dtype, device=self._place(device)
        )
        return made

    def new_tensor(self, data: Any, dtype: Any = None, device: Any = None) -> Tensor:
        made: Tensor = TORCH["tensor"](
            data, dtype=self.dtype if dtype is None else dtype, device=self._place(device)
        )
        return made


def function(given: Operation) -> Operation:
    """``torch.name``, which never warns of infinities, as NumPy does."""
    made: Any = recorded(given.__name__, np.errstate(all="ignore")(given))
    TORCH[given.__name__] = made
    return made


def method(given: Operation) -> Operation:
    """``Tensor.name``."""
    made: Any = given if given.__name__.endswith("_") else recorded(given.__name__, given)
    setattr(Tensor, given.__name__, made)
    return made


def operation(given: Operation) -> Operation:
    """``torch.name`` and ``Tensor.name``, neither of which warns of infinities."""
    made: Any = recorded(given.__name__, np.errstate(all="ignore")(given))
    TORCH[given.__name__] = made
    setattr(Tensor, given.__name__, made)
    return made


def elementwise(given: Operation) -> Operation:
    """Make an ``operation``, and ``Tensor.name_`` that writes the result into the tensor itself."""
    found = operation(given)
    setattr(Tensor, f"{given.__name__}_", lambda x, *y, **named: in_place(found, x, *y, **named))
    return found


def in_place(found: Callable[..., Any], x: Tensor, *y: Any, **named: Any) -> Tensor:
    """Write the result of an operation on ``x`` into ``x``, which the tape then knows by that operation."""
    if not check_writable(x, (*y, *named.values())):
        return into(x, found(x, *y, **named).array)
    result = found(x._before_writing(), *y, **named)
    into(x, result.array)
    x.requires_grad, x.node = result.requires_grad, result.node
    return x


def array_of(x: Any) -> Any:
    """Return a tensor's array; anything else (a Python number) as it is."""
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
    target.array[...] = rounded(given) if target.rounds else given
    written(target.array)
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


def _getitem(x: Tensor, index: Any) -> Tensor:
    found = x.array[_index(index)]
    if isinstance(found, np.generic) and not any(each is ... for each in _listed(index)):
        found = x.array[(*_listed(_index(index)), ...)]  # a view of one number
    return Tensor(found)


def _convert(x: Tensor, kind: Any) -> Tensor:
    with np.errstate(invalid="ignore", over="ignore"):
        return Tensor(x.array.astype(kind.array))


_picked = recorded("getitem", _getitem)
_converted = recorded("to", _convert)
_copied = recorded("clone", lambda x: Tensor(x.array.copy()))
_transposed = recorded("T", lambda x: Tensor(x.array.T))
_part = recorded("part", lambda x, part: Tensor(getattr(x.array, part)))

_KINDS = {"float": "float32", "double": "float64", "half": "float16", "long": "int64", "int": "int32"}
for _name, _kind in {**_KINDS, "bool": "bool", "cfloat": "complex64", "cdouble": "complex128"}.items():
    setattr(Tensor, _name, lambda self, _kind=DTYPES[_kind]: self.to(_kind))
setattr(Tensor, "bfloat16", lambda self: self.to(BFLOAT16))  # noqa: B010
