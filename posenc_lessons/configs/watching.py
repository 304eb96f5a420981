"""Watch a model's attention from outside while it runs: queries, keys and scores, for any code.

Nothing here depends on a model: whatever its code calls, PyTorch runs a few operations. Scores are the
input of a softmax over the keys; queries and keys are the factors of the last product before it that has as
many entries.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._python_dispatch import TorchDispatchMode

#: Arguments of a module that are not its hidden states.
_NOT_HIDDEN = re.compile(r"pos|cos|sin|freq|rotary|mask|bias|alibi|past|cache|embed_index|encoder|key_value")
_ATEN = torch.ops.aten
#: Below this a score is masked.
MASKED = -1e4

Replace = Callable[[Tensor], Tensor]


@dataclass
class Attended:
    """A softmax over the keys: queries, keys and values [B, H, L, d], scores and products [B, H, L, L].

    Keys that are not the text's (a sink, an encoder's, summaries) are cut off. layer: the number of the layer
    it ran in. product: query · key before anything is added. linear: the first row of each result of the
    linear maps that ran before it. of: "attention", or "indexer" for scores that only choose keys. sink: a
    score without a key. more: keys that are not the text's.
    """

    module: nn.Module
    name: str
    layer: int
    scores: Tensor
    linear: list[Tensor]
    of: str = "attention"
    query: Tensor | None = None
    key: Tensor | None = None
    product: Tensor | None = None
    value: Tensor | None = None
    sink: bool = False
    more: int = 0


@dataclass
class Lookup:
    """A table that was read with ``indices``."""

    name: str
    table: Tensor
    indices: Tensor


@dataclass
class Call:
    """One run of a layer: an element of a list of modules that takes ``hidden`` states."""

    module: nn.Module
    list: str
    hidden: Tensor


_signature = cache(inspect.signature)


class Watch(TorchDispatchMode):
    """Record each softmax over keys, each lookup and each layer while ``network`` runs on ``length`` tokens.

    Args:
        attentions: ids of modules whose results are kept in ``outputs``.
        replace: if given, it replaces the hidden states [B, L, D] that ``attentions`` receive, so that what
            they do is seen without what came before.

    ``unseen`` are modules whose softmax is not over all keys, and the layers that they ran in.
    """

    def __init__(
        self,
        network: nn.Module,
        length: int,
        attentions: frozenset[int],
        replace: Replace | None,
    ) -> None:
        super().__init__()
        self.names = {id(module): name for name, module in network.named_modules()}
        self.elements = {
            id(element): name
            for name, module in network.named_modules()
            if isinstance(module, nn.ModuleList)
            for element in module
        }
        self.length, self.attentions, self.replace = length, attentions, replace
        self.stack: list[nn.Module] = []
        self.hidden_of: dict[int, list[str]] = {}
        self.products: list[tuple[Tensor, Tensor, Tensor]] = []
        self.linear: list[Tensor] = []
        self.attended: list[Attended] = []
        self.lookups: list[Lookup] = []
        self.outputs: list[tuple[int, Tensor]] = []
        self.calls: list[Call] = []
        self.unseen: list[tuple[nn.Module, int]] = []
        self._depth: int | None = None

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        operation = func.overloadpacket
        if operation in (_ATEN._softmax, _ATEN._safe_softmax):
            self._softmax(args[0])
        result = func(*args, **(kwargs or {}))
        if operation is _ATEN.bmm:
            self._product(args[0], args[1], result)
        elif operation is _ATEN.baddbmm:  # it also adds something to the product
            self._product(args[1], args[2], torch.bmm(args[1], args[2]))
        elif operation in (_ATEN.mm, _ATEN.addmm) and len(result):
            self.linear.append(result[0].clone())
        elif operation is _ATEN.embedding:
            name = self._name(self.stack[-1]) if self.stack else ""
            self.lookups.append(Lookup(name, args[0].detach(), args[1]))
        return result

    def _product(self, left: Tensor, right: Tensor, result: Tensor) -> None:
        """Note a product of queries and keys, of weights and values, or of an indexer's queries and keys.

        ``left`` is [N, rows, d], ``right`` [N, d, columns]. Rows are the text's; an indexer's may be heads.
        """
        length, last = self.length, self.attended[-1] if self.attended else None
        rows, width = left.shape[1:]
        if last is not None and last.value is None and rows == length <= width:
            last.value = right[:, :length]
        indexer = next((module for module in reversed(self.stack) if "ndexer" in type(module).__name__), None)
        if indexer is None and rows % length == 0 and right.shape[-1] >= length:
            self.products.append((result, left, right.mT))
        elif indexer is not None and (len(left) * rows) % length == 0:
            record = Attended(indexer, self._name(indexer), self._layer(), result, list(self.linear))
            record.of = "indexer"
            heads = 1 if rows == length else rows // length or rows
            record.query = left.reshape(-1, length, heads, width).transpose(1, 2)  # [B, H, L, d]
            self.attended.append(record)

    def _attention(self) -> nn.Module:
        """Return the innermost module that has hidden states [B, L, D] as an argument."""
        inside = (module for module in reversed(self.stack) if self.hidden_of.get(id(module)))
        return next(inside, self.stack[-1])

    def _name(self, module: nn.Module) -> str:
        return self.names.get(id(module), "")

    def _layer(self) -> int:
        return len(self.calls) - 1 if self._depth is not None else -1

    def _softmax(self, scores: Tensor) -> None:
        length, keys = self.length, scores.shape[-1]
        if scores.ndim < 3 or not self.stack:
            return
        # A sink is one key that no product has.
        sizes = {scores.numel(): False, scores[..., :-1].numel(): True}
        factors = next((item for item in reversed(self.products) if item[0].numel() in sizes), None)
        wide = scores.ndim == 4 and keys > length and factors is not None
        if scores.shape[-2] != length or not (keys - length in (0, 1) or wide):
            if "tten" in type(self._attention()).__name__:
                self.unseen.append((self._attention(), self._layer()))
            return
        record = self._attended(scores)
        record.sink = keys == length + 1
        if factors is not None:
            product, query, key = factors
            shape = scores.shape[:-2]
            record.sink = sizes[product.numel()]
            record.more = keys - record.sink - length
            record.product = product.reshape(*shape, length, -1)[..., :length]
            record.query = query.reshape(*shape, length, -1)
            if key.numel() * length == record.query.numel() * (keys - record.sink):
                record.key = key.reshape(*shape, keys - record.sink, -1)[..., :length, :]

    def _attended(self, scores: Tensor) -> Attended:
        module = self._attention()
        scores = scores.detach()[..., : self.length]
        self.attended.append(Attended(module, self._name(module), self._layer(), scores, self.linear))
        self.products, self.linear = [], []
        return self.attended[-1]

    def before(self, module: nn.Module, args: Any, kwargs: Any) -> Any:
        """Note where the model is, and replace hidden states where that is wanted."""
        self.stack.append(module)
        try:
            bound = _signature(type(module).forward).bind_partial(module, *args, **kwargs)
        except (TypeError, ValueError):
            return None
        values = {
            name: value
            for name, value in bound.arguments.items()
            if isinstance(value, Tensor) and value.is_floating_point() and not _NOT_HIDDEN.search(name)
        }
        usual = [name for name, value in values.items() if value.ndim == 3 and value.shape[1] == self.length]
        streams = [name for name, value in values.items() if _is_stream(value, self.length)]
        self.hidden_of[id(module)] = usual
        has_parts = next(module.children(), None) is not None
        if self._depth is None and id(module) in self.elements and has_parts and (usual or streams):
            self._depth = len(self.stack)
            hidden = values[(usual or streams)[0]].detach()
            self.calls.append(Call(module, self.elements[id(module)], hidden))
        if not usual or self.replace is None or id(module) not in self.attentions:
            return None
        for name in usual:
            bound.arguments[name] = self.replace(bound.arguments[name])
        return bound.args[1:], bound.kwargs

    def after(self, module: nn.Module, args: Any, result: Any) -> None:
        """Note a module's result, and that it has ended."""
        first = result[0] if isinstance(result, tuple) and result else result
        if id(module) in self.attentions and isinstance(first, Tensor):
            self.outputs.append((self._layer(), first.detach()))
        if self._depth == len(self.stack):
            self._depth = None
        while self.stack and self.stack.pop() is not module:
            pass


def _is_stream(value: Tensor, length: int) -> bool:
    """Return whether ``value`` is several states of each token, [B, L, n, D], or [L, B, D]."""
    return (value.ndim == 4 and value.shape[1] == length) or (value.ndim == 3 and value.shape[0] == length)


@contextmanager
def _hooked(network: nn.Module, watch: Watch) -> Iterator[None]:
    handles = []
    for module in network.modules():
        handles.append(module.register_forward_pre_hook(watch.before, with_kwargs=True))
        handles.append(module.register_forward_hook(watch.after))
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def watched(
    network: nn.Module,
    inputs: dict[str, Any],
    length: int,
    attentions: frozenset[int] = frozenset(),
    replace: Replace | None = None,
) -> Watch:
    """Run ``network`` on ``inputs`` of ``length`` tokens and return what was recorded."""
    watch = Watch(network, length, attentions, replace)
    with torch.no_grad(), sdpa_kernel(SDPBackend.MATH), _hooked(network, watch), watch:
        network(**inputs)
    return watch
