"""Switch the recording of gradients on and off, and define operations with a backward of their own."""

import contextlib
from typing import Any

import numpy as np

from ._operations import function
from ._tape import ANY_VALUES, RULES, Made, State, recorded, version_of
from ._tensor import Tensor
from ._types import lacking


class _Mode(contextlib.ContextDecorator):
    """A ``with`` block or a decorator in which operations are recorded or not."""

    def __init__(self, mode: bool) -> None:
        self._mode = mode
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(State.recording)
        State.recording = self._mode

    def __exit__(self, *exception: object) -> None:
        State.recording = self._before.pop()


class no_grad(_Mode):
    """Record nothing."""

    def __init__(self) -> None:
        super().__init__(False)


class inference_mode(_Mode):
    """Record nothing."""

    def __init__(self, mode: bool = True) -> None:
        super().__init__(not mode)


@function
def is_grad_enabled() -> bool:
    return State.recording


@function
def is_autocast_enabled(device_type: str = "cpu") -> bool:
    return False


class Context:
    """The data that a ``Function`` keeps from forward to backward."""

    _saved: tuple[Any, ...] = ()
    _versions: tuple[int, ...] = ()
    needs_input_grad: tuple[bool, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        self._saved = tensors
        self._versions = tuple(version_of(item.array) for item in tensors if item is not None)

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The saved tensors; RuntimeError if one was written into after it was saved."""
        if self._versions != tuple(version_of(item.array) for item in self._saved if item is not None):
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an inplace "
                "operation: it was saved for backward"
            )
        return self._saved


class Function:
    """An operation with its own backward.

    A subclass has ``forward(*inputs)`` and ``setup_context(ctx, inputs, output)``, or only
    ``forward(ctx, *inputs)``.
    """

    @classmethod
    def apply(cls, *inputs: Any) -> Any:
        return _applied(cls, Context(), *inputs)


def _apply(kind: Any, context: Context, *inputs: Any) -> Any:
    context.needs_input_grad = tuple(isinstance(item, Tensor) and item.requires_grad for item in inputs)
    if hasattr(kind, "setup_context"):
        result = kind.forward(*inputs)
        kind.setup_context(context, inputs, result)
    else:
        result = kind.forward(context, *inputs)
    if isinstance(result, tuple) and any(context.needs_input_grad):
        raise NotImplementedError(lacking("the gradient of a Function with several results"))
    return result


def _back_of_function(g: np.ndarray, out: Made, kind: Any, context: Context, *inputs: Any) -> Any:
    result = kind.backward(context, Tensor(g))
    parts = result if isinstance(result, tuple) else (result,)
    return [
        (argument, None if part is None else part.array)
        for argument, part in zip(inputs, parts, strict=False)
    ]


_applied = recorded("Function", _apply)
RULES["Function"] = _back_of_function
ANY_VALUES.add("Function")
