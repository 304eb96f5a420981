"""Layers of models."""

from typing import Any

from .._types import lacking
from . import attention as attention
from . import functional as functional
from . import init as init
from . import utils as utils
from .layers import (
    GELU,
    CrossEntropyLoss,
    Dropout,
    Embedding,
    Identity,
    LayerNorm,
    Linear,
    ModuleDict,
    ModuleList,
    ParameterList,
    ReLU,
    RMSNorm,
    Sequential,
    Sigmoid,
    SiLU,
    Tanh,
)
from .modules import Module, Parameter
from .transformer import MultiheadAttention, Transformer, TransformerEncoder, TransformerEncoderLayer

__all__ = [
    "GELU",
    "CrossEntropyLoss",
    "Dropout",
    "Embedding",
    "Identity",
    "LayerNorm",
    "Linear",
    "Module",
    "ModuleDict",
    "ModuleList",
    "MultiheadAttention",
    "Parameter",
    "ParameterList",
    "RMSNorm",
    "ReLU",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "Tanh",
    "Transformer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "attention",
    "functional",
    "init",
    "utils",
]


def __getattr__(name: str) -> Any:
    raise AttributeError(lacking(f"torch.nn.{name}"))
