"""Change the type or the device of a tensor: ``to``, and the methods that are named after a type."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._devices import check_has_numbers
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
    """Return ``x`` if it already has this type and device, else a copy."""
    kind, place = dtype, x.device
    for item in (*to, device):
        if isinstance(item, Tensor):
            kind, place = item.dtype, item.device
        elif isinstance(item, DType):
            kind = item
        elif item is not None and not isinstance(item, bool):
            place = Device(item)
    if place != x.device:
        return _moved(x, place).to(dtype=kind)
    if kind is None or kind is x.dtype:
        return x.clone() if copy else x
    if kind is BFLOAT16:
        State.narrow = True
    return _converted(x, kind)


def _moved(x: Tensor, place: Device) -> Tensor:
    check_has_numbers(x)
    result = Tensor(np.broadcast_to(x.array.dtype.type(0), x.array.shape))._as(x)
    result.on_meta = place.type == "meta"
    return result


def _convert(x: Tensor, kind: Any) -> Tensor:
    with np.errstate(invalid="ignore", over="ignore"):
        return Tensor(x.array.astype(kind.array))


_converted = recorded("to", _convert)

Tensor.to = _to
_KINDS = {"float": "float32", "double": "float64", "half": "float16", "long": "int64", "int": "int32"}
for _name, _kind in {**_KINDS, "bool": "bool", "cfloat": "complex64", "cdouble": "complex128"}.items():
    setattr(Tensor, _name, lambda self, _kind=DTYPES[_kind]: self.to(_kind))
setattr(Tensor, "bfloat16", lambda self: self.to(BFLOAT16))  # noqa: B010
