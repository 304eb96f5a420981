"""The tensor: a NumPy array with PyTorch's names.

Operations are functions in the modules beside this one, which add them here as methods (``_operations.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ._tape import Tracked, recorded, run_backward
from ._types import BFLOAT16, CPU, Size, dtype_of
from ._types import device as Device
from ._types import dtype as DType


class Tensor(Tracked):
    """An array with PyTorch's names: ``array`` has the numbers; views of a tensor are views of its array."""

    __array_priority__ = 1000  # so that NumPy leaves arithmetic with a tensor to the tensor

    # What the modules beside this one add and a type checker has to know.
    __add__: Any
    __sub__: Any
    __mul__: Any
    __truediv__: Any
    __pow__: Any
    __matmul__: Any
    __getitem__: Any
    __setitem__: Any
    T: Any
    mT: Any
    to: Any

    def __init__(self, array: Any) -> None:
        self.array = np.asarray(array)

    if TYPE_CHECKING:  # methods that the modules beside this one add

        def __getattr__(self, name: str) -> Any: ...

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
        """Copy the attributes of ``other`` that its array does not have; return this tensor."""
        if other.rounds:
            self.rounds = True
        return self

    @staticmethod
    def wrap(array: Any) -> Tensor:
        """Return a tensor of ``array``, for the tape."""
        return Tensor(array)

    # ---- properties ----

    @property
    def dtype(self) -> DType:
        return BFLOAT16 if self.rounds else dtype_of(self.array)

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
        return self.detach()

    @data.setter
    def data(self, value: Tensor) -> None:
        self.array, self.rounds = value.array, value.rounds

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
        start, first = (entry.__array_interface__["data"][0] for entry in (base, self.array))
        return (first - start) // self.array.itemsize

    def dim(self) -> int:
        return self.array.ndim

    @property
    def nbytes(self) -> int:
        return self.array.size * self.dtype.itemsize

    layout = "torch.strided"

    def to_dense(self) -> Tensor:
        return self

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
        if self.rounds:
            raise TypeError("Got unsupported ScalarType BFloat16")
        if self.requires_grad:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
            )
        return self.array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
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

    def _before_writing(self) -> Tensor:
        """Return a copy that takes this tensor's place on the tape before it is written into."""
        previous = Tensor(self.array.copy())._as(self)
        previous.requires_grad, previous.node = self.requires_grad, self.node
        if self.node is not None:
            self.node.set_aside(previous.array)
        return previous

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

    def backward(self, gradient: Any = None, retain_graph: bool = False) -> None:
        if not self.requires_grad:
            raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
        if gradient is None and self.array.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        run_backward(self, np.ones_like(self.array) if gradient is None else gradient.array, retain_graph)

    # ---- copies ----

    def cpu(self) -> Tensor:
        return self.to("cpu")

    def detach(self) -> Tensor:
        return Tensor(self.array)._as(self)

    def clone(self) -> Tensor:
        return _copied(self)

    def contiguous(self) -> Tensor:
        return self if self.is_contiguous() else _copied(self)


_copied = recorded("clone", lambda x: Tensor(x.array.copy()))
_part = recorded("part", lambda x, part: Tensor(getattr(x.array, part)))
