"""Modules: parameters, buffers and parts by name; and the layers that models are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .._tensor import TORCH, Tensor
from .._types import dtype
from ..random import normal_, uniform_
from . import functional as F

_KINDS = ("_parameters", "_buffers", "_modules")


class Parameter(Tensor):
    """A tensor that belongs to the module it is put into."""

    def __init__(self, data: Any, requires_grad: bool = True) -> None:
        super().__init__(data.array if isinstance(data, Tensor) else data)
        self.requires_grad = requires_grad


class _Handle:
    def __init__(self, hooks: list[Callable[..., Any]], hook: Callable[..., Any]) -> None:
        self._hooks, self._hook = hooks, hook

    def remove(self) -> None:
        self._hooks.remove(self._hook)


class Module:
    """The base of all: calling it calls ``forward``."""

    training: bool

    def __init__(self) -> None:
        for kind in _KINDS:
            object.__setattr__(self, kind, {})
        self._hooks: list[Callable[..., Any]] = []
        self.training = True

    def __setattr__(self, name: str, value: Any) -> None:
        kept = self.__dict__
        for kind, belongs in (("_parameters", Parameter), ("_modules", Module)):
            if isinstance(value, belongs):
                if kind not in kept:
                    raise AttributeError("cannot assign parts before Module.__init__() call")
                for each in (kept, *(kept[other] for other in _KINDS)):
                    each.pop(name, None)
                kept[kind][name] = value
                return
        for kind in _KINDS:
            if name in kept.get(kind, ()):
                kept[kind][name] = value
                return
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for kind in _KINDS:
            if name in (kept := self.__dict__.get(kind, {})):
                return kept[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        self._buffers[name] = tensor

    def register_forward_hook(self, hook: Callable[..., Any]) -> _Handle:
        """Call ``hook(module, inputs, output)`` after each ``forward``; what it returns is used instead."""
        self._hooks.append(hook)
        return _Handle(self._hooks, hook)

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        output = self.forward(*inputs, **named)
        for hook in list(self._hooks):
            instead = hook(self, inputs, output)
            output = output if instead is None else instead
        return output

    def named_modules(self, memo: set[int] | None = None, prefix: str = "") -> Iterator[tuple[str, Module]]:
        """This module and all in it, each once."""
        seen = set() if memo is None else memo
        if id(self) in seen:
            return
        seen.add(id(self))
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(seen, f"{prefix}.{name}" if prefix else name)

    def modules(self) -> Iterator[Module]:
        return (module for _, module in self.named_modules())

    def children(self) -> Iterator[Module]:
        return (module for module in self._modules.values() if module is not None)

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        seen = set()
        for prefix, module in self.named_modules():
            for name, parameter in module._parameters.items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield f"{prefix}.{name}" if prefix else name, parameter

    def parameters(self) -> Iterator[Parameter]:
        return (parameter for _, parameter in self.named_parameters())

    def train(self, mode: bool = True) -> Module:
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Module:
        return self.train(False)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Module:
        if recurse:
            for module in self.children():
                module._apply(fn)
        for parameter in self._parameters.values():
            if parameter is not None:
                parameter.data = fn(parameter)
        for name, buffer in self._buffers.items():
            self._buffers[name] = None if buffer is None else fn(buffer)
        return self

    def to(self, *to: Any, device: Any = None, dtype: Any = None) -> Module:
        """On ``device``, and floating numbers of type ``dtype``."""
        kinds, places = _sorted((*to, device, dtype))

        def moved(x: Tensor) -> Tensor:
            return x.to(*places, *(kinds if x.is_floating_point() else ()))

        return self._apply(moved)


def _sorted(given: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    named = [each for each in given if each is not None]
    kinds = [each for each in named if isinstance(each, dtype)]
    return kinds, [each for each in named if not isinstance(each, dtype)]


class ModuleList(Module):
    """Modules in a row."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        super().__init__()
        self._modules.update((str(at), module) for at, module in enumerate(modules))

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __getitem__(self, at: int) -> Module:
        return list(self._modules.values())[at]


class Identity(Module):
    def forward(self, input: Tensor) -> Tensor:
        return input


class Dropout(Module):
    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = p

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training)


class Linear(Module):
    bias: Parameter | None

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        bound = 1 / math.sqrt(in_features)
        for name, size in (("weight", (out_features, in_features)), ("bias", (out_features,))):
            wanted = bias or name == "weight"
            made = (
                uniform_(TORCH["empty"](size, device=device, dtype=dtype), -bound, bound) if wanted else None
            )
            self.register_parameter(name, None if made is None else Parameter(made))

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)


class LayerNorm(Module):
    def __init__(self, normalized_shape: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.normalized_shape, self.eps = (normalized_shape,), eps
        self.weight, self.bias = (Parameter(TORCH[of](normalized_shape)) for of in ("ones", "zeros"))

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class Embedding(Module):
    def __init__(self, num_embeddings: int, embedding_dim: int) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.weight = Parameter(normal_(TORCH["empty"](num_embeddings, embedding_dim)))

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(input, self.weight)
