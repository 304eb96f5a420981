"""Layers of models."""

from typing import Any

from .._types import lacking
from . import attention as attention
from . import functional as functional
from . import init as init
from .layers import (
    Dropout,
    Embedding,
    Identity,
    LayerNorm,
    Linear,
    ModuleList,
    ParameterList,
    ReLU,
    RMSNorm,
    Sequential,
)
from .modules import Module, Parameter
from .transformer import MultiheadAttention, TransformerEncoder, TransformerEncoderLayer

__all__ = [
    "Dropout",
    "Embedding",
    "Identity",
    "LayerNorm",
    "Linear",
    "Module",
    "ModuleList",
    "MultiheadAttention",
    "Parameter",
    "ParameterList",
    "RMSNorm",
    "ReLU",
    "Sequential",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "attention",
    "functional",
    "init",
]


def __getattr__(name: str) -> Any:
    raise AttributeError(lacking(f"torch.nn.{name}"))
