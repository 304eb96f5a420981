"""The tape: it records the operations that lead to a tensor, and computes gradients back through them.

``recorded`` wraps each operation. If an argument needs a gradient, the result keeps a ``Node``: the
operation's name and its arguments. ``run_backward`` follows the nodes from the last to the first and calls
its rule (``_rules.py``) for each; for an operation without a rule, it raises an error with its name. If no
tensor needs a gradient, or under ``no_grad``, the only cost is a check of the arguments.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ._narrow import narrow, narrowed, rounded, tensors_in
from ._types import BFLOAT16, lacking

Rule = Callable[..., Iterable[tuple[Any, Any]]]

RULES: dict[str, Rule] = {}  # operation: (gradient, result, *arguments) → (argument, its gradient), …
ANY_VALUES: set[str] = set()  # operations whose rule does not read the numbers of their arguments
COMPOSED: set[str] = set()  # operations made of others, which are recorded instead
# Operations whose result depends on the shape of an argument, but not on its numbers.
CONSTANT = frozenset({f"{name}_like" for name in ("zeros", "ones", "empty", "full")})
# Operations whose result may share the memory of their argument.
VIEWS = frozenset(
    {
        *("diagonal", "expand", "flatten", "getitem", "movedim", "part", "permute", "reshape"),
        *("squeeze", "transpose", "unsqueeze", "view_as_complex", "view_as_real"),
    }
)


class State:
    """Whether operations are recorded now."""

    recording = True
    narrow = False  # whether there has been a tensor of bfloat16


class Tracked:
    """The attributes of a tensor for gradients: whether it needs one, the node that made it, its gradient."""

    array: np.ndarray
    requires_grad = False
    grad: Any = None
    node: Node | None = None
    rounds = False  # whether it is of bfloat16: float32 numbers that are rounded

    @property
    def grad_fn(self) -> Node | None:
        """The operation that made it; None for a leaf."""
        return self.node


class Made:
    """The result of an operation, for its rule: only the numbers."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array


class Node:
    """One recorded operation.

    It refers to the nodes that made its arguments, not to the arguments themselves: if an argument is later
    written into, another node has made it.
    """

    def __init__(
        self,
        name: str,
        args: tuple[Any, ...],
        named: Mapping[str, Any],
        tensors: Collection[Any],
        array: np.ndarray,
    ) -> None:
        """Record an operation; ``tensors`` are the tensors among its arguments."""
        self.name, self.args, self.named = name, args, named
        self.sources = {id(item): source_of(item) for item in tensors if item.requires_grad}
        self.freed = False
        self.result = Made(array)
        reads = () if name in ANY_VALUES else tensors
        self.watched = [(item.array, version_of(item.array)) for item in reads]
        self.version = version_of(array)

    def __repr__(self) -> str:
        return f"<{self.name.title().replace('_', '')}Backward0>"

    def written_since(self) -> bool:
        """Return whether numbers that the rule needs were written into."""
        if self.name in ANY_VALUES:
            return False
        watched = [*self.watched, (self.result.array, self.version)]
        return any(version_of(array) != version for array, version in watched)

    def set_aside(self, array: np.ndarray) -> None:
        """Keep ``array``, a copy of the result, before the result is written into."""
        if version_of(self.result.array) == self.version:
            self.result, self.version = Made(array), version_of(array)

    def free(self) -> None:
        """Release everything that was kept for the gradient."""
        self.args, self.named, self.watched, self.sources, self.freed = (), {}, [], {}, True


def source_of(tensor: Any) -> Any:
    """Return the receiver of a tensor's gradient: the operation that made it, or the leaf itself."""
    return tensor if tensor.node is None else tensor.node


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """Record nothing in the ``with`` block."""
    previous, State.recording = State.recording, False
    try:
        yield
    finally:
        State.recording = previous


def recorded(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the operation ``compute`` so that its results keep a node."""

    def rounding(*args: Any, **named: Any) -> Any:
        return narrowed(name, compute, args, named)

    @functools.wraps(compute)
    def call(*args: Any, **named: Any) -> Any:
        if named and named.get("dtype") is BFLOAT16:
            State.narrow = True
        do = rounding if State.narrow else compute
        if not State.recording or (not needs_grad(args) and not (named and needs_grad(named.values()))):
            return do(*args, **named)
        if name in CONSTANT:
            return do(*args, **named)
        if name in COMPOSED:
            return compute(*args, **named)
        with paused():
            result = do(*args, **named)
        keep(name, args, named, result)
        return result

    return call


def keep(name: str, args: tuple[Any, ...], named: Mapping[str, Any], result: Any) -> None:
    """Give each floating result of an operation a node."""
    argument = {id(item): item for item in tensors_in((args, named) if named else args)}
    for part in result if isinstance(result, (tuple, list)) else (result,):
        if isinstance(part, Tracked) and part.array.dtype.kind in "fc" and id(part) not in argument:
            part.requires_grad = True
            part.node = Node(name, args, named, argument.values(), part.array)
            if name in VIEWS and part.array.base is not None:
                note_view(part)


def needs_grad(values: Iterable[Any]) -> bool:
    """Return whether a tensor among ``values``, or in a list among them, needs a gradient."""
    for value in values:
        if isinstance(value, Tracked):
            if value.requires_grad:
                return True
        elif isinstance(value, (list, tuple)) and needs_grad(value):
            return True
    return False


# ---- gradients ----


def run_backward(end: Any, gradient: np.ndarray, retain_graph: bool) -> None:
    """Compute gradients from the tensor ``end``, which has this ``gradient``, back to the leaves.

    Raises RuntimeError for an operation without a rule, for a second time without ``retain_graph``, and for
    an argument that was written into after its use.
    """
    order = _in_order(source_of(end))
    sums: dict[int, np.ndarray] = {}
    _add(sums, source_of(end), end, gradient)
    with paused(), np.errstate(all="ignore"):
        for source in reversed(order):
            if id(source) not in sums:
                continue
            gradient = sums.pop(id(source))
            if not isinstance(source, Node):
                _accumulate(source, gradient)
                continue
            for argument, part in _back(source, gradient):
                if isinstance(argument, Tracked) and id(argument) in source.sources and part is not None:
                    _add(sums, source.sources[id(argument)], argument, part() if callable(part) else part)
    if not retain_graph:
        for source in order:
            if isinstance(source, Node):
                source.free()


def _back(node: Node, gradient: np.ndarray) -> Iterable[tuple[Any, Any]]:
    """Return the gradients of the arguments of one operation."""
    if node.freed:
        raise RuntimeError(
            "Trying to backward through the graph a second time (or directly access saved tensors after they "
            "have already been freed). Specify retain_graph=True if you need to backward through it twice."
        )
    if node.written_since():
        raise RuntimeError(
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"an argument or the result of {node.name}"
        )
    if node.name not in RULES:
        raise NotImplementedError(lacking(f"the gradient of {node.name}"))
    return RULES[node.name](gradient, node.result, *node.args, **node.named)


def _in_order(end: Any) -> list[Any]:
    """Return every operation and leaf that leads to ``end``, each after those it depends on."""
    order: list[Any] = []
    visited: set[int] = set()
    waiting = [(end, False)]
    while waiting:
        source, finished = waiting.pop()
        if finished:
            order.append(source)
        elif id(source) not in visited:
            visited.add(id(source))
            waiting.append((source, True))
            if isinstance(source, Node):
                waiting.extend((item, False) for item in source.sources.values())
    return order


def _add(sums: dict[int, np.ndarray], source: Any, tensor: Any, gradient: Any) -> None:
    """Add a gradient of ``tensor`` to the sum for ``source``, the operation that made it."""
    fitting = summed_to(np.asarray(gradient), tensor.array.shape)
    if fitting.dtype.kind == "c" and tensor.array.dtype.kind != "c":
        fitting = fitting.real
    fitting = fitting.astype(tensor.array.dtype, copy=False)
    if tensor.rounds:
        fitting = rounded(fitting)
    previous = sums.get(id(source))
    sums[id(source)] = fitting if previous is None else np.asarray(previous + fitting)


def _accumulate(tensor: Any, gradient: np.ndarray) -> None:
    previous = tensor.grad
    tensor.grad = tensor.wrap(gradient.copy() if previous is None else previous.array + gradient)
    if tensor.rounds:
        narrow(tensor.grad)


def summed_to(gradient: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Add up ``gradient`` along the axes that broadcasting from ``shape`` made."""
    if gradient.shape == shape:
        return gradient
    extra = gradient.ndim - len(shape)
    if extra > 0:
        gradient = gradient.sum(axis=tuple(range(extra)))
    grown = tuple(n for n, (had, own) in enumerate(zip(gradient.shape, shape, strict=True)) if had != own)
    return gradient.sum(axis=grown, keepdims=True) if grown else gradient


# ---- writing in place ----

_VERSIONS: dict[int, tuple[Any, int]] = {}  # for the id of a memory's owner: a reference to it, and a count


def _owner(array: np.ndarray) -> np.ndarray:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def version_of(array: np.ndarray) -> int:
    """Return how often the memory of ``array`` has been written into."""
    existing = _VERSIONS.get(id(_owner(array)))
    return 0 if existing is None else existing[1]


def written(array: np.ndarray) -> None:
    """Record that the memory of ``array`` was written into."""
    owner = _owner(array)
    key = id(owner)
    reference = weakref.ref(owner, lambda _: _VERSIONS.pop(key, None))
    _VERSIONS[key] = (reference, version_of(array) + 1)


_VIEWS: dict[int, list[weakref.ref[Any]]] = {}  # for the id of a memory's owner: its recorded views


def note_view(view: Any) -> None:
    """Record that ``view`` shares its memory with the tensor from which it was made."""
    owner = _owner(view.array)
    key = id(owner)
    if key not in _VIEWS:
        weakref.finalize(owner, _VIEWS.pop, key, None).atexit = False
        _VIEWS[key] = []
    _VIEWS[key].append(weakref.ref(view))


def _shared(target: Any) -> bool:
    """Return whether another tensor uses the memory of ``target``, and would not notice a change."""
    owner = _owner(target.array)
    if target.node is not None:
        views = (item() for item in _VIEWS.get(id(owner), ()))
        return target.node.name in VIEWS or any(item is not None and item is not target for item in views)
    # No operation was recorded for it, so Python's count of references tells whether anything else uses its
    # memory. Three are expected: the array (or its base), ``owner`` here, and the argument of the count.
    return sys.getrefcount(owner) > 3


def check_writable(target: Any, sources: Iterable[Any]) -> bool:
    """Return whether writing into ``target`` has to be recorded; RuntimeError if it cannot be recorded.

    A leaf that needs a gradient cannot be written into, as in PyTorch. Unlike there, memory that another
    tensor uses cannot be written into either, because that tensor would not notice.
    """
    if not State.recording:
        return False
    if target.requires_grad and target.node is None:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    if not target.requires_grad and not needs_grad(sources):
        return False
    if _shared(target):
        raise NotImplementedError(lacking("writing into a view under autograd"))
    return True
