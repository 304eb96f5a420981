"""Layers of models."""

# ruff: noqa: F401 - they are for those who import this
from . import attention, functional, init
from .layers import Dropout, Embedding, Identity, LayerNorm, Linear, ModuleList, ReLU, RMSNorm, Sequential
from .modules import Module, Parameter
