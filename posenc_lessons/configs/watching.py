"""Watch a model's attention from outside while it runs: queries, keys and scores, for any code.

Nothing here depends on a model. Scores are the input of a softmax over the keys; queries and keys are the
factors of the last product before it that has the scores' shape.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

#: Arguments of an attention that are not its hidden states.
_NOT_HIDDEN = re.compile(r"pos|cos|sin|freq|rotary|mask|bias|alibi|past|cache|embed_index|encoder|key_value")
_PRODUCTS = {
    torch.matmul,
    Tensor.matmul,
    Tensor.__matmul__,
    torch.bmm,
    torch.baddbmm,
    Tensor.bmm,
    Tensor.baddbmm,
    torch.einsum,
}
_SOFTMAX = {torch.softmax, Tensor.softmax, F.softmax}
#: Below this a score is masked.
MASKED = -1e4

Replace = Callable[[Tensor], Tensor]


@dataclass
class Attended:
    """A softmax over the keys. ``query`` and ``key`` [B, H, L, d], ``scores`` [B, H, L, keys].

    layer: the number of the layer it ran in. product: query · key before anything is added. linear: results
    of the linear maps that ran before it. of: "attention", or "indexer" for scores that only choose keys.
    """

    module: nn.Module
    name: str
    layer: int
    scores: Tensor
    query: Tensor | None = None
    key: Tensor | None = None
    product: Tensor | None = None
    value: Tensor | None = None
    linear: list[Tensor] = field(default_factory=list)
    of: str = "attention"


@dataclass
class Lookup:
    """A table that was read with ``indices``."""

    name: str
    table: Tensor
    indices: Tensor


@cache
def _signature(forward: Any) -> inspect.Signature:
    return inspect.signature(forward)


def _is_hidden(value: Tensor, length: int, streams: bool) -> bool:
    if streams:
        return (value.ndim == 4 and value.shape[1] == length) or (
            value.ndim == 3 and value.shape[0] == length
        )
    return value.ndim == 3 and value.shape[1] == length


class Watch(TorchFunctionMode):
    """Record each softmax over keys, each lookup and each layer while ``network`` runs on ``length`` tokens.

    Args:
        unseen: modules whose
            softmax is not over all keys, and the layers that they ran in.
        replace: if given, it replaces the hidden states [B, L, D] that the modules ``attentions`` (their ids)
            receive, so that what they do is seen without what came before.
    """

    def __init__(
        self,
        network: nn.Module,
        length: int,
        attentions: frozenset[int] = frozenset(),
        replace: Replace | None = None,
    ) -> None:
        super().__init__()
        self.names = {id(module): name for name, module in network.named_modules()}
        lists = {
            name: module for name, module in network.named_modules() if isinstance(module, nn.ModuleList)
        }
        self.elements = {id(element): name for name, module in lists.items() for element in module}
        self.length, self.attentions, self.replace = length, attentions, replace
        self.stack: list[nn.Module] = []
        self.hidden_of: dict[int, list[str]] = {}
        self.products: list[tuple[Tensor, Tensor, Tensor]] = []
        self.linear: list[Tensor] = []
        self.attended: list[Attended] = []
        self.lookups: list[Lookup] = []
        self.outputs: dict[int, list[tuple[int, Tensor]]] = {}
        self.layers: list[nn.Module] = []
        self.calls: list[int] = []
        self.inputs: list[Tensor | None] = []
        self.unseen: list[tuple[nn.Module, int]] = []
        self._depth: int | None = None

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in _SOFTMAX:
            scores = args[0] if args else kwargs["input"]
            over_keys = scores.shape[-1] - self.length in (0, 1)
            if scores.ndim >= 3 and scores.shape[-2] == self.length and over_keys:
                self._softmax(scores)
            elif scores.ndim >= 3 and self.stack and "tten" in type(self._attention()).__name__:
                self.unseen.append((self._attention(), self._layer()))
        result = func(*args, **kwargs)
        if func in _PRODUCTS and self.attended and self.attended[-1].value is None:
            self._value([value for value in (*args, *kwargs.values()) if isinstance(value, Tensor)])
        if func in _PRODUCTS and result.ndim >= 3 and result.shape[-1] == self.length:
            factors = [value for value in (*args, *kwargs.values()) if isinstance(value, Tensor)]
            if len(factors) >= 2:
                plain = result
                if func in (torch.baddbmm, Tensor.baddbmm):  # it also adds something
                    plain = factors[-2] @ factors[-1]
                self._product(plain, *factors[-2:])
        elif func is F.linear and result.ndim >= 2:
            self.linear.append(result.detach())
        elif func is F.scaled_dot_product_attention:
            self._kernel(*args, **kwargs)
        elif func is F.embedding:
            name = self.names.get(id(self.stack[-1]), "") if self.stack else ""
            self.lookups.append(Lookup(name, args[1].detach(), args[0].detach()))
        return result

    def _value(self, factors: list[Tensor]) -> None:
        """Note the values, if this is the product of the last weights with them."""
        seen = self.attended[-1]
        weights = len(factors) == 2 and factors[0].shape[-2:] == (self.length, self.length)
        if weights and factors[1].shape[-2] == self.length and factors[1].ndim == factors[0].ndim:
            seen.value = factors[1].detach()

    def _product(self, result: Tensor, query: Tensor, key: Tensor) -> None:
        indexer = next((module for module in reversed(self.stack) if "ndexer" in type(module).__name__), None)
        if (
            indexer is not None
            and query.ndim == 4
            and query.shape[-1] == key.shape[-2]
            and key.shape[-1] == self.length
        ):
            if self.length in query.shape[1:3]:
                heads_last = query.shape[1] == self.length
                query = query.transpose(1, 2) if heads_last else query
                seen = Attended(indexer, self._name(indexer), self._layer(), result.detach(), of="indexer")
                seen.query, seen.linear = query.detach(), list(self.linear)
                self.attended.append(seen)
        elif result.shape[-2] == self.length:
            self.products.append((result, query, key))

    def _attention(self) -> nn.Module:
        """Return the innermost module that has hidden states [B, L, D] as an argument."""
        for module in reversed(self.stack):
            if self.hidden_of.get(id(module)):
                return module
        return self.stack[-1]

    def _name(self, module: nn.Module) -> str:
        return self.names.get(id(module), "")

    def _layer(self) -> int:
        return len(self.calls) - 1 if self._depth is not None else -1

    def _softmax(self, scores: Tensor) -> None:
        module = self._attention()
        seen = Attended(module, self._name(module), self._layer(), scores.detach(), linear=self.linear)
        same = [item for item in self.products if item[0].numel() == scores[..., : self.length].numel()]
        if same:
            product, query, key = same[-1]
            shape = scores.shape[:-2]
            seen.product = product.detach().reshape(*shape, self.length, self.length)
            seen.query = query.detach().reshape(*shape, self.length, -1)
            key = key.detach()
            if key.shape[-1] == self.length and key.shape[-2] != self.length:
                key = key.transpose(-1, -2)
            if key.numel() == seen.query.numel():
                seen.key = key.reshape(*shape, self.length, -1)
        self.attended.append(seen)
        self.products, self.linear = [], []

    def _kernel(
        self, query: Tensor, key: Tensor, value: Tensor, attn_mask: Any = None, *rest: Any, **more: Any
    ) -> None:
        if query.shape[-2] != self.length or key.shape[-2] != self.length:
            return
        module = self._attention()
        if key.shape[1] != query.shape[1]:
            key = key.repeat_interleave(query.shape[1] // key.shape[1], 1)
        product = query @ key.transpose(-1, -2)
        scores = product * more["scale"] if more.get("scale") else product / query.shape[-1] ** 0.5
        if attn_mask is not None:
            masked = attn_mask.dtype == torch.bool
            scores = scores.masked_fill(~attn_mask, -1e30) if masked else scores + attn_mask
        if more.get("is_causal") or (len(rest) > 1 and rest[1]):
            scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -1e30)
        seen = Attended(
            module, self._name(module), self._layer(), scores.detach(), query.detach(), key.detach()
        )
        seen.product, seen.linear, seen.value = product.detach(), self.linear, value.detach()
        self.attended.append(seen)
        self.products, self.linear = [], []

    def before(self, module: nn.Module, args: Any, kwargs: Any) -> Any:
        """Note where the model is, and replace hidden states where that is wanted."""
        self.stack.append(module)
        hidden = self._hidden(module, args, kwargs)
        leaf = next(module.children(), None) is None
        inside = self._depth is None and id(module) in self.elements and not leaf
        if inside and (hidden or self._hidden(module, args, kwargs, streams=True)):
            hidden = hidden or self._hidden(module, args, kwargs, streams=True)
            self._depth = len(self.stack)
            self.calls.append(id(module))
            self.layers.append(module)
            bound = _signature(type(module).forward).bind_partial(module, *args, **kwargs)
            self.inputs.append(bound.arguments[hidden[0]].detach())
        if not self.hidden_of.get(id(module)) or self.replace is None or id(module) not in self.attentions:
            return None
        bound = _signature(type(module).forward).bind_partial(module, *args, **kwargs)
        for name in hidden:
            bound.arguments[name] = self.replace(bound.arguments[name])
        return bound.args[1:], bound.kwargs

    def _hidden(self, module: nn.Module, args: Any, kwargs: Any, streams: bool = False) -> list[str]:
        """Return the names of the arguments of ``module`` that are hidden states [B, L, D].

        ``streams`` looks for several states of a token instead, [B, L, n, D], or for [L, B, D].
        """
        try:
            bound = _signature(type(module).forward).bind_partial(module, *args, **kwargs)
        except (TypeError, ValueError):
            return []
        names = [
            name
            for name, value in bound.arguments.items()
            if isinstance(value, Tensor)
            and value.is_floating_point()
            and _is_hidden(value, self.length, streams)
            and not _NOT_HIDDEN.search(name)
        ]
        if not streams:
            self.hidden_of[id(module)] = names
        return names

    def after(self, module: nn.Module, args: Any, result: Any) -> None:
        """Note a module's result, and that it has ended."""
        if id(module) in self.attentions:
            first = result[0] if isinstance(result, tuple) else result
            if isinstance(first, Tensor):
                self.outputs.setdefault(id(module), []).append((self._layer(), first.detach()))
        if self._depth == len(self.stack):
            self._depth = None
        while self.stack and self.stack.pop() is not module:
            pass


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
    with torch.no_grad(), _hooked(network, watch), watch:
        network(**inputs)
    return watch
