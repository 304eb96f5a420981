"""Layers of models."""

# ruff: noqa: F401 - they are for those who import this
from typing import Any

from .._types import lacking
from . import attention, functional, init
from .layers import (
    Dropout,
    Embedding,
    Identity,
    LayerNorm,
    Linear,
    ModuleList,
    ReLU,
    RMSNorm,
    Sequential,
)
from .modules import Module, Parameter
from .transformer import MultiheadAttention, TransformerEncoder, TransformerEncoderLayer


def __getattr__(name: str) -> Any:
    raise AttributeError(lacking(f"torch.nn.{name}"))
