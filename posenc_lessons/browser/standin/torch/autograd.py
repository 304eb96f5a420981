"""Gradients, which there are none of here: whatever switches them has nothing to switch."""

from __future__ import annotations

import contextlib
from typing import Any

from ._tensor import function


class no_grad(contextlib.ContextDecorator):
    """For ``with`` and as a decorator."""

    def __enter__(self) -> None: ...

    def __exit__(self, *exception: object) -> None: ...


class inference_mode(no_grad):
    def __init__(self, mode: bool = True) -> None: ...


@function
def is_grad_enabled() -> bool:
    return False


@function
def is_autocast_enabled(device_type: str = "cpu") -> bool:
    return False


class Function:
    """Its ``forward`` is called, its ``backward`` never."""

    @classmethod
    def apply(cls, *inputs: Any) -> Any:
        forward: Any = getattr(cls, "forward")  # noqa: B009 - a subclass has it
        return forward(*inputs)
