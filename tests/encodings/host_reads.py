"""Watch operations: how often the host reads numbers (it would wait for a GPU), how large tensors are."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

# Operations for which the host waits for a GPU: Python gets numbers, or the result's shape depends on them.
READS = {"_local_scalar_dense", "equal", "nonzero", "is_nonzero", "item", "tolist", "masked_select", "unique"}


class _Functions(TorchFunctionMode):
    """``tolist`` reads a CPU tensor without an operation, so it is counted only here."""

    def __init__(self, seen: Counter[str]) -> None:
        super().__init__()
        self.seen = seen

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if getattr(func, "__name__", "") == "tolist":
            self.seen["tolist"] += 1
        return func(*args, **(kwargs or {}))


class _Operations(TorchDispatchMode):
    def __init__(self, seen: Counter[str]) -> None:
        super().__init__()
        self.seen = seen

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func.overloadpacket.__name__
        masks = name == "index" and any(i is not None and i.dtype == torch.bool for i in args[1])
        if name in READS or masks:
            self.seen[name] += 1
        return func(*args, **(kwargs or {}))


@contextmanager
def reads() -> Iterator[Counter[str]]:
    recorded: Counter[str] = Counter()
    with torch.no_grad(), _Functions(recorded), _Operations(recorded):
        yield recorded


class Largest(TorchDispatchMode):
    """Record the bytes of the largest tensor that any operation makes."""

    bytes = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for tensor in out if isinstance(out, (tuple, list)) else (out,):
            if isinstance(tensor, Tensor):
                self.bytes = max(self.bytes, tensor.untyped_storage().nbytes())
        return out
