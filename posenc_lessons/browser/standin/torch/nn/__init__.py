"""Layers of models."""

from typing import Any

from .._types import lacking
from . import functional as functional
from . import init as init
from .modules import Dropout, Embedding, Identity, LayerNorm, Linear, Module, ModuleList, Parameter

__all__ = [
    "Dropout",
    "Embedding",
    "Identity",
    "LayerNorm",
    "Linear",
    "Module",
    "ModuleList",
    "Parameter",
    "functional",
    "init",
]


def __getattr__(name: str) -> Any:
    raise AttributeError(lacking(f"torch.nn.{name}"))
