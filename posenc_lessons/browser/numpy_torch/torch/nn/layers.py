"""The layers that models are made of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from .._operations import TORCH
from .._tape import paused
from .._tensor import Tensor
from ..random import normal_, uniform_
from . import functional as F
from .modules import Module, Parameter


class _Row(Module):
    """The common part of ``ModuleList`` and ``Sequential``."""

    def _of(self, modules: list[Module]) -> Module:
        """Return another row, of these modules."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __getitem__(self, at: Any) -> Any:
        match = list(self._modules.values())[at]
        return self._of(match) if isinstance(at, slice) else match


class ModuleList(_Row):
    """Modules in a row."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        super().__init__()
        self._modules.update((str(at), module) for at, module in enumerate(modules))

    def _of(self, modules: list[Module]) -> Module:
        return type(self)(modules)

    def append(self, module: Module) -> ModuleList:
        self._modules[str(len(self))] = module
        return self


class Sequential(_Row):
    """Modules one after the other."""

    def __init__(self, *modules: Module) -> None:
        super().__init__()
        self._modules.update((str(at), module) for at, module in enumerate(modules))

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def _of(self, modules: list[Module]) -> Module:
        return Sequential(*modules)


class ReLU(Module):
    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)


class Identity(Module):
    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Dropout(Module):
    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = p

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace=False"


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
            result = (
                uniform_(TORCH["empty"](size, device=device, dtype=dtype), -bound, bound) if wanted else None
            )
            self.register_parameter(name, None if result is None else Parameter(result))

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.linear(input, self.weight, self.bias)
        return result

    def extra_repr(self) -> str:
        sizes = f"in_features={self.in_features}, out_features={self.out_features}"
        return f"{sizes}, bias={self.bias is not None}"


class LayerNorm(Module):
    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True
    ) -> None:
        super().__init__()
        listed = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = listed, eps, elementwise_affine
        for name, of in (("weight", "ones"), ("bias", "zeros")):
            wanted = elementwise_affine and (bias or name == "weight")
            self.register_parameter(name, Parameter(TORCH[of](listed)) if wanted else None)

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)
        return result

    def extra_repr(self) -> str:
        affine = f"eps={self.eps}, elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        return f"{self.normalized_shape}, {affine}"


class RMSNorm(Module):
    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        listed = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = listed, eps, elementwise_affine
        ones = TORCH["ones"](listed, device=device, dtype=dtype) if elementwise_affine else None
        self.register_parameter("weight", None if ones is None else Parameter(ones))

    def forward(self, input: Tensor) -> Tensor:
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class Embedding(Module):
    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        if padding_idx is not None and padding_idx < 0:
            padding_idx += num_embeddings
        self.padding_idx = padding_idx
        sizes = (num_embeddings, embedding_dim)
        self.weight = Parameter(normal_(TORCH["empty"](*sizes, device=device, dtype=dtype)))
        if padding_idx is not None:
            with paused():
                self.weight[padding_idx] = 0

    def forward(self, input: Tensor) -> Tensor:
        result: Tensor = F.embedding(input, self.weight, self.padding_idx)
        return result

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"
