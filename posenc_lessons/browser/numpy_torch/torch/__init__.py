"""PyTorch's names on NumPy: the torch of a page without a kernel.

It has nothing of the lessons: encodings, attention, models and exercises are in the package, and run on this
torch as they run on PyTorch. It has the names that explorers, lessons, exercises, solutions and question
pages use. Gradients come from a tape (``_tape.py``). It is imported
as ``torch`` if this folder's parent is on Python's path, as in the page, but never in a kernel.
"""

# ruff: noqa: F401 - they are for those who import this
import math
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from . import (
    _conversions,
    _creation,
    _elementwise,
    _indexing,
    _numbers,
    _places,
    _printing,
    _products,
    _reductions,
    _shapes,
    autograd,
    linalg,
    nn,
    optim,
    random,
)
from ._narrow import finfo
from ._operations import TORCH
from ._tensor import Tensor
from ._types import BFLOAT16, DTYPES, Size, device, dtype, promote_types
from .autograd import inference_mode, no_grad
from .random import Generator

__version__ = "NumPy"
inf, nan, pi, e = math.inf, math.nan, math.pi, math.e
contiguous_format = None  # NumPy chooses the memory layout of results
uint8, int8, int16 = DTYPES["uint8"], DTYPES["int8"], DTYPES["int16"]
int32, int64 = DTYPES["int32"], DTYPES["int64"]
float16, float32, float64, bfloat16 = DTYPES["float16"], DTYPES["float32"], DTYPES["float64"], BFLOAT16
complex64, complex128 = DTYPES["complex64"], DTYPES["complex128"]
bool, int, long, half, float, double = DTYPES["bool"], int32, int64, float16, float32, float64
cfloat, cdouble = complex64, complex128
strided = "torch.strided"
# A page has no GPU and compiles nothing.
cuda = SimpleNamespace(is_available=lambda: False)
backends = SimpleNamespace(mps=cuda)
compiler = SimpleNamespace(is_compiling=lambda: False)


globals().update(TORCH)


def get_num_threads() -> Any:
    return 1


def set_num_threads(number: Any) -> None: ...


if TYPE_CHECKING:  # the names of TORCH

    def __getattr__(name: str) -> Any: ...
