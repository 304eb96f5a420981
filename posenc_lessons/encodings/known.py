"""Keep what one layer found out about a tensor for the other layers, and say whether a tensor has numbers.

To read the values of a tensor, the host waits for the device. All layers of a model get the same tensor of
positions, so each value is read once and each table computed once for that tensor (``computed_once``).

Hooks of an encoding get plain tensors, so that anyone's encoding can compute with them. Results therefore
stand beside the tensor, in one table by identity, and go when the tensor goes. Only tensors that went
through ``keep_results_of`` have a place in it; for others, everything is computed again on every call. While
``torch.compile`` or ``torch.export`` traces, the table is not used: the graph computes everything itself.
"""

import weakref
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

import torch
from torch import Tensor

_Result = TypeVar("_Result")
# For the identity of each living tensor: by name and other tensor, a reference to that one, and the result.
_RESULTS: dict[int, dict[Hashable, tuple[weakref.ref[Tensor], Any]]] = {}


def keep_results_of(tensor: Tensor, **results: Any) -> Tensor:
    """Return ``tensor``; from now on its results are kept, beginning with those given here by name."""
    if not torch.compiler.is_compiling():
        if id(tensor) not in _RESULTS:
            weakref.finalize(tensor, _RESULTS.pop, id(tensor))
        _RESULTS[id(tensor)] = {
            (name, id(tensor)): (weakref.ref(tensor), result) for name, result in results.items()
        }
    return tensor


def keeps_results(tensor: Tensor) -> bool:
    """Return True if results of ``tensor`` are kept."""
    return not torch.compiler.is_compiling() and id(tensor) in _RESULTS


def result_of(tensor: Tensor, name: str) -> Any:
    """Return the result of this name that is kept for ``tensor``; None if there is none."""
    if not keeps_results(tensor):
        return None
    _, result = _RESULTS[id(tensor)].get((name, id(tensor)), (None, None))
    return result


def computed_once(
    tensor: Tensor, name: Hashable, compute: Callable[[], _Result], other: Tensor | None = None
) -> _Result:
    """Return ``compute()``; where results of ``tensor`` are kept, it is called once for each ``name``.

    ``name`` holds all that the result depends on, besides the numbers of ``tensor`` and of the ``other`` one.
    """
    if not keeps_results(tensor):
        return compute()
    results = _RESULTS[id(tensor)]
    other = tensor if other is None else other
    reference, result = results.get((name, id(other)), (None, None))
    # The other tensor is not held here, or two that held each other would never go.
    if reference is None or reference() is not other:  # an identity may be used again
        with torch.inference_mode(False):  # a tensor made in inference mode could not be used in training
            result = compute()
        results[name, id(other)] = weakref.ref(other), result
    return cast(_Result, result)


def hides_numbers(x: Tensor) -> bool:
    """Return True if the values of ``x`` cannot be read: while PyTorch compiles or exports, or on meta."""
    return torch.compiler.is_compiling() or x.device.type == "meta"
