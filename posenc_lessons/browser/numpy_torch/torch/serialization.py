"""Read files of ``torch.save``: a zip with a pickle of the structure and the bytes of each storage."""

from __future__ import annotations

import collections
import io
import os
import pickle
import zipfile
from typing import Any

import numpy as np

from ._operations import function
from ._tensor import Tensor
from ._types import DTYPES, dtype, lacking

_STORAGES = {
    "HalfStorage": DTYPES["float16"],
    "FloatStorage": DTYPES["float32"],
    "DoubleStorage": DTYPES["float64"],
    "LongStorage": DTYPES["int64"],
    "BoolStorage": DTYPES["bool"],
}


@function
def load(f: str | os.PathLike[str], map_location: object = None, *, weights_only: bool = True) -> Any:
    """Return the tensors in the file, in their dicts and lists; other objects are refused.

    Raises:
        pickle.UnpicklingError: the file names something that is neither a tensor nor a storage.
        zipfile.BadZipFile: it is not a file of ``torch.save``.
    """
    if not weights_only:
        raise NotImplementedError(lacking("torch.load(weights_only=False)"))
    with zipfile.ZipFile(f) as archive:
        names = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        if len(names) != 1:
            raise pickle.UnpicklingError("no data.pkl: not a file that torch.save has written")
        return _Reader(archive, names[0]).load()


class _Reader(pickle.Unpickler):
    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        super().__init__(io.BytesIO(archive.read(name)))
        self._archive, self._folder = archive, name.removesuffix("data.pkl")

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _rebuilt
        if module == "torch" and name in _STORAGES:
            return _STORAGES[name]
        raise pickle.UnpicklingError(f"{module}.{name} is not allowed in a file of weights")

    def persistent_load(self, pid: Any) -> np.ndarray:
        _, kind, key, _, _ = pid
        if not isinstance(kind, dtype):
            raise pickle.UnpicklingError(f"{kind} is no storage")
        return np.frombuffer(self._archive.read(f"{self._folder}data/{key}"), kind.array)


def _rebuilt(
    storage: np.ndarray, offset: int, size: tuple[int, ...], stride: tuple[int, ...], *_: Any
) -> Tensor:
    steps = [step * storage.itemsize for step in stride]
    last = offset + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
    if offset < 0 or (min(size, default=1) > 0 and not 0 <= last < len(storage)):
        raise pickle.UnpicklingError("a tensor reaches beyond its storage")
    return Tensor(np.lib.stride_tricks.as_strided(storage[offset:], size, steps).copy())
