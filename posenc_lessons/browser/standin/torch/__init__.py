"""What stands in for PyTorch in a page without a kernel: array operations on NumPy under PyTorch's names.

Nothing here knows a lesson: encodings, attention and models are the package's own, and run on this as they
run on PyTorch. It holds what the explorers reach and no more; the rest says that it is lacking. There are no
gradients, so nothing can be trained with it. It is found as ``torch`` only where this folder's parent is put
on the path, which the page does and a kernel never does.
"""

# ruff: noqa: F401 - they are for those who import this
from __future__ import annotations

import math
from typing import Any

from . import (
    _creation,
    _elementwise,
    _reductions,
    _shapes,
    autograd,
    backends,
    compiler,
    cuda,
    nn,
    random,
    serialization,
)
from ._tensor import TORCH, Tensor
from ._types import BFLOAT16, DTYPES, Size, device, dtype, lacking, promote_types
from .autograd import inference_mode, no_grad
from .random import Generator

__version__ = "stand-in"
inf, nan, pi, e = math.inf, math.nan, math.pi, math.e
contiguous_format = None  # how results lie in memory is NumPy's choice
int32, int64 = DTYPES["int32"], DTYPES["int64"]
float16, float32, float64, bfloat16 = DTYPES["float16"], DTYPES["float32"], DTYPES["float64"], BFLOAT16
complex64, complex128 = DTYPES["complex64"], DTYPES["complex128"]
bool, long, float, double = DTYPES["bool"], int64, float32, float64


globals().update(TORCH)


def get_num_threads() -> Any:
    return 1


def set_num_threads(number: Any) -> None: ...


def __getattr__(name: str) -> Any:
    raise AttributeError(lacking(f"torch.{name}"))
