"""Layers of models."""

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
