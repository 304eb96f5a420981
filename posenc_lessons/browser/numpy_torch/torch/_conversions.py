"""Change the type or the device of a tensor: ``to``, and the methods that are named after a type."""

from typing import Any

import numpy as np

from ._tape import State, recorded
from ._tensor import Tensor
from ._types import BFLOAT16, DTYPES
from ._types import device as Device
from ._types import dtype as DType


def _to(
    x: Tensor,
    *to: Any,
    dtype: Any = None,
    device: Any = None,
    copy: bool = False,
    memory_format: object = None,
) -> Tensor:
    """Return ``x`` if it already has this type, else a copy. RuntimeError for an unknown device."""
    kind = dtype
    for item in (*to, device):
        if isinstance(item, Tensor):
            kind = item.dtype
        elif isinstance(item, DType):
            kind = item
        elif item is not None and not isinstance(item, bool):
            Device(item)
    if kind is None or kind is x.dtype:
        return x.clone() if copy else x
    if kind is BFLOAT16:
        State.narrow = True
    return _converted(x, kind)


def _convert(x: Tensor, kind: Any) -> Tensor:
    with np.errstate(invalid="ignore", over="ignore"):
        return Tensor(x.array.astype(kind.array))


_converted = recorded("to", _convert)

Tensor.to = _to
_KINDS = {"float": "float32", "double": "float64", "half": "float16", "long": "int64", "int": "int32"}
for _name, _kind in {**_KINDS, "bool": "bool", "cfloat": "complex64", "cdouble": "complex128"}.items():
    setattr(Tensor, _name, lambda self, _kind=DTYPES[_kind]: self.to(_kind))
setattr(Tensor, "bfloat16", lambda self: self.to(BFLOAT16))  # noqa: B010
