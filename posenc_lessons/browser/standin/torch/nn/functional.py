"""What modules do, as functions."""

from __future__ import annotations

import math

import numpy as np

from .._elementwise import masked_fill, matmul, softmax
from .._reductions import gather
from .._tensor import TORCH, Tensor, into
from .._types import lacking


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    made: Tensor = TORCH["relu"](input)
    return into(input, made.array) if inplace else made


def dropout(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    if training and p:
        raise NotImplementedError(lacking("dropout in training"))
    return input


def embedding(input: Tensor, weight: Tensor) -> Tensor:
    if input.array.size and not 0 <= input.array.min() <= input.array.max() < len(weight):
        raise IndexError("index out of range in self")
    return Tensor(weight.array[input.array])


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    # All rows in one product of matrices: NumPy multiplies a stack of them one by one.
    rows = input.array.reshape(-1, input.array.shape[-1]) @ weight.array.T
    if bias is not None:
        rows += bias.array
    return Tensor(rows.reshape(*input.array.shape[:-1], len(weight)))


def layer_norm(
    input: Tensor, normalized_shape: tuple[int, ...], weight: Tensor, bias: Tensor, eps: float = 1e-5
) -> Tensor:
    """Over the last axis."""
    kind = input.array.dtype
    from_mean = input.array - input.array.mean(axis=-1, keepdims=True, dtype=kind)
    variance = (from_mean * from_mean).mean(axis=-1, keepdims=True, dtype=kind)
    return Tensor(from_mean / np.sqrt(variance + kind.type(eps)) * weight.array + bias.array)


def cross_entropy(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """−ln of the probability of ``target`` [B, …], from logits ``input`` [B, classes, …]."""
    from_largest = input.array - input.array.max(axis=1, keepdims=True)
    ln_all = np.log(np.exp(from_largest).sum(axis=1))
    chosen = gather(Tensor(from_largest), 1, Tensor(target.array[:, None])).array[:, 0]
    losses = ln_all - chosen
    return Tensor(losses if reduction == "none" else losses.mean(dtype=losses.dtype))


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
) -> Tensor:
    """softmax(q·kᵀ/√d + mask) v; a row that sees nothing gives zeros."""
    if dropout_p:
        raise NotImplementedError(lacking("dropout in training"))
    if is_causal and attn_mask is not None:
        raise RuntimeError("Explicit attn_mask should not be set when is_causal=True")
    scores = Tensor(matmul(query, key.mT).array / query.array.dtype.type(math.sqrt(query.shape[-1])))
    if is_causal:
        attn_mask = Tensor(np.tri(*scores.shape[-2:], dtype=bool))
    if attn_mask is not None and attn_mask.array.dtype == bool:
        scores = masked_fill(scores, Tensor(~attn_mask.array), -math.inf)
    elif attn_mask is not None:
        scores = Tensor(scores.array + attn_mask.array)
    nothing = Tensor((scores.array == -math.inf).all(axis=-1, keepdims=True))
    return matmul(masked_fill(softmax(scores, -1), nothing, 0.0), value)
