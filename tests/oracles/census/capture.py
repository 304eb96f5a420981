"""Watch a model's attention from outside: queries, keys and scores of every layer, for any code.

The code depends on no model. Scores are the input of a softmax over the keys; queries and keys are the
factors of the last product before it that has their shape.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

#: Names of arguments of an attention that are not its hidden states.
_NOT_HIDDEN = re.compile(r"pos|cos|sin|freq|rotary|mask|bias|alibi|past|cache|embed_index|encoder")
_PRODUCTS = {
    torch.matmul,
    Tensor.matmul,
    Tensor.__matmul__,
    torch.bmm,
    torch.baddbmm,
    Tensor.bmm,
    Tensor.baddbmm,
}
_SOFTMAX = {torch.softmax, Tensor.softmax, F.softmax, nn.functional.softmax}


@cache
def _signature(module: type[nn.Module]) -> inspect.Signature:
    return inspect.signature(module.forward)


@dataclass
class Attended:
    """The input of a softmax over the keys. ``query`` and ``key`` [B, H, L, d], ``scores`` [B, H, L, Lk]."""

    module: nn.Module
    name: str
    scores: Tensor
    query: Tensor | None = None
    key: Tensor | None = None
    product: Tensor | None = None
    linear: list[Tensor] = field(default_factory=list)


@dataclass
class Looked:
    """A table that was looked up with ``indices``; ``weight`` [rows, width]."""

    module: nn.Module
    name: str
    indices: Tensor


class Watch(TorchFunctionMode):
    """Record every softmax over keys, and every lookup, while the model ``network`` runs.

    With ``still`` the hidden states of every attention are the same at all positions, so that only the
    attention's own positions appear in its queries, keys and scores.
    """

    def __init__(self, network: nn.Module, length: int, still: bool) -> None:
        super().__init__()
        self.names = {id(module): name for name, module in network.named_modules()}
        self.length, self.still = length, still
        self.stack: list[nn.Module] = []
        self.products: list[tuple[Tensor, Tensor, Tensor]] = []
        self.linear: list[Tensor] = []
        self.attended: list[Attended] = []
        self.looked: list[Looked] = []
        self.attentions: set[int] = set()
        self.first: Tensor | None = None

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in _SOFTMAX:
            given = args[0] if args else kwargs["input"]
            if given.ndim >= 3 and self._over_keys(given):
                self._softmax(given)
        result = func(*args, **kwargs)
        if func in _PRODUCTS and result.ndim >= 3 and result.shape[-2] == self.length:
            factors = [each for each in (*args, *kwargs.values()) if isinstance(each, Tensor)]
            if len(factors) >= 2 and result.shape[-1] == self.length:
                plain = result if len(factors) == 2 else factors[-2] @ factors[-1]  # baddbmm adds something
                self.products.append((plain, *factors[-2:]))
        elif func is F.linear and result.ndim >= 2:
            self.linear.append(result.detach())
        elif func is F.scaled_dot_product_attention:
            self._kernel(*args, **kwargs)
        elif func is F.embedding:
            indices = args[0]
            name = self.names.get(id(self.stack[-1]), "") if self.stack else ""
            self.looked.append(
                Looked(self.stack[-1] if self.stack else nn.Identity(), name, indices.detach())
            )
        return result

    def _over_keys(self, scores: Tensor) -> bool:
        return scores.shape[-2] == self.length and scores.shape[-1] - self.length in (0, 1)

    def _attention(self) -> nn.Module:
        """Return the innermost module with hidden states [B, L, D] as input."""
        for module in reversed(self.stack):
            if id(module) in self.hidden_of and self.hidden_of[id(module)]:
                return module
        return self.stack[-1]

    def _softmax(self, scores: Tensor) -> None:
        module = self._attention()
        self.attentions.add(id(module))
        same = [each for each in self.products if each[0].numel() == scores[..., : self.length].numel()]
        seen = Attended(module, self.names.get(id(module), ""), scores.detach(), linear=self.linear)
        if same:
            product, query, key = same[-1]
            shape = scores.shape[:-2]
            seen.product = product.detach().reshape(*shape, self.length, self.length)
            seen.query = query.detach().reshape(*shape, self.length, -1)
            key = key.detach()
            key = (
                key.transpose(-1, -2)
                if key.shape[-1] == self.length and key.shape[-2] != self.length
                else key
            )
            seen.key = key.transpose(-1, -2) if key.shape[-2] != self.length else key
            if key.shape[-1] == key.shape[-2] == self.length:
                seen.key = None
            elif seen.key.numel() == seen.query.numel():
                seen.key = seen.key.reshape(*shape, self.length, -1)
        self.attended.append(seen)
        self.products, self.linear = [], []

    def _kernel(
        self, query: Tensor, key: Tensor, value: Tensor, attn_mask: Any = None, *rest: Any, **more: Any
    ) -> None:
        if query.shape[-2] != self.length or key.shape[-2] != self.length:
            return
        module = self._attention()
        self.attentions.add(id(module))
        if key.shape[1] != query.shape[1]:
            key = key.repeat_interleave(query.shape[1] // key.shape[1], 1)
        product = query @ key.transpose(-1, -2)
        scores = product * more.get("scale") if more.get("scale") else product / query.shape[-1] ** 0.5
        mask = attn_mask if attn_mask is not None else more.get("attn_mask")
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e30) if mask.dtype == torch.bool else scores + mask
        if more.get("is_causal") or (len(rest) > 1 and rest[1]):
            scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -1e30)
        self.attended.append(
            Attended(
                module,
                self.names.get(id(module), ""),
                scores.detach(),
                query.detach(),
                key.detach(),
                product.detach(),
                self.linear,
            )
        )
        self.products, self.linear = [], []

    hidden_of: dict[int, list[str]]

    def before(self, module: nn.Module, args: Any, kwargs: Any) -> Any:
        """Return a hook that makes the hidden states of ``module`` the same at every position."""
        self.stack.append(module)
        try:
            bound = _signature(type(module)).bind_partial(module, *args, **kwargs)
        except (TypeError, ValueError):
            return None
        hidden = []
        for name, value in list(bound.arguments.items()):
            if not isinstance(value, Tensor) or value.ndim != 3 or not value.is_floating_point():
                continue
            if value.shape[1] == self.length and not _NOT_HIDDEN.search(name):
                hidden.append(name)
        self.hidden_of[id(module)] = hidden
        if id(module) in self.to_still:
            for name in hidden:
                value = bound.arguments[name]
                bound.arguments[name] = value[:, :1].expand_as(value).contiguous()
            return bound.args[1:], bound.kwargs
        return None

    to_still: set[int]


@contextmanager
def _hooked(network: nn.Module, watch: Watch) -> Iterator[None]:
    handles = []
    watch.hidden_of = {}
    for module in network.modules():
        handles.append(module.register_forward_pre_hook(watch.before, with_kwargs=True))

        def after(module: nn.Module, args: Any, result: Any) -> None:
            while watch.stack and watch.stack.pop() is not module:
                pass

        handles.append(module.register_forward_hook(after))
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def watched(network: nn.Module, inputs: dict[str, Any], length: int, still: bool = True) -> Watch:
    """Run ``network`` and return the record; with ``still`` run it twice, to find the attentions first."""
    attentions: set[int] = set()
    for quiet in (False, True) if still else (False,):
        watch = Watch(network, length, quiet)
        watch.to_still = attentions if quiet else set()
        with torch.no_grad(), _hooked(network, watch), watch:
            network(**inputs)
        attentions = watch.attentions
    return watch
