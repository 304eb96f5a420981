"""The device "meta": operations on its tensors give shapes and types, but no numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


def placed(compute: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """Compute, and put the results on the device of the arguments, or on ``device=`` if it is given.

    Raises RuntimeError if the arguments are on two devices; a number without axes may come from the CPU.
    """
    tensors = list(tensors_in((args, named)))
    meta = any(item.on_meta for item in tensors)
    if meta and any(item.array.ndim and not item.on_meta for item in tensors):
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, meta and cpu!"
        )
    result = compute(*args, **named)
    wanted = named.get("device")
    if meta if wanted is None else str(wanted) == "meta":
        for each in result if isinstance(result, (tuple, list)) else (result,):
            if hasattr(each, "on_meta"):
                each.on_meta = True
    return result


def tensors_in(value: Any) -> Iterator[Any]:
    """Yield the tensors in lists, tuples and dictionaries, however deep."""
    if hasattr(value, "on_meta"):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from tensors_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)


def check_has_numbers(tensor: Any) -> None:
    """Raise PyTorch's error if ``tensor`` is on "meta", which has no numbers."""
    if tensor.on_meta:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
