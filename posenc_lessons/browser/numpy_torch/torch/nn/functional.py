"""The operations of modules, as functions."""

import math
import warnings
from typing import Any

import numpy as np

from .._elementwise import masked_fill
from .._errors import product_error
from .._operations import TORCH
from .._places import gather
from .._products import matmul
from .._rules import Pairs, rule
from .._tape import COMPOSED, Made, recorded
from .._tensor import Tensor
from ..random import default_generator
from ._resizing import interpolate as interpolate
from ._resizing import pad as pad

COMPOSED.update(("layer_norm", "cross_entropy"))


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    result: Tensor = getattr(input, "relu_")() if inplace else TORCH["relu"](input)  # noqa: B009 - made elsewhere
    return result


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set numbers to zero with probability ``p``, drawn as PyTorch draws, and divide the others by 1 − p."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or not p:
        return input
    if p == 1:
        return input * 0.0
    numbers = default_generator.uniform(input.numel(), fine=True)
    order = np.argsort([-step for step in input.array.strides], kind="stable")  # the axes' order in memory
    stays = numbers.reshape([input.array.shape[axis] for axis in order]).transpose(np.argsort(order)) < 1 - p
    return input * Tensor(stays.astype(input.array.dtype) / input.array.dtype.type(1 - p))


def softmax(input: Tensor, dim: int | None = None, dtype: Any = None) -> Tensor:
    """Return the softmax; without ``dim`` PyTorch picks axis 0 or 1 by the number of axes, and warns."""
    if dim is None:
        warnings.warn(
            "Implicit dimension choice for softmax has been deprecated. Change the call to include dim=X as "
            "an argument.",
            stacklevel=2,
        )
        dim = 0 if input.ndim in (0, 1, 3) else 1
    result: Tensor = TORCH["softmax"](input, dim, dtype)
    return result


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    if tensor.array.dtype.kind != "i":
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if tensor.array.size and tensor.array.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    classes = int(tensor.array.max()) + 1 if num_classes < 0 else num_classes
    if tensor.array.size and tensor.array.max() >= classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return Tensor((tensor.array[..., None] == np.arange(classes)).astype(np.int64))


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    result: Tensor = input / TORCH["norm"](input, p, dim, True).clamp(min=eps)
    return result


def rms_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    axes = tuple(range(-len(normalized_shape), 0))
    least = float(np.finfo(input.array.dtype).eps) if eps is None else eps
    result: Tensor = input * TORCH["rsqrt"](TORCH["mean"](input * input, axes, True) + least)
    return result if weight is None else result * weight


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    lengths = [TORCH["norm"](item, 2, dim, True).clamp(min=eps) for item in (x1, x2)]
    result: Tensor = TORCH["sum"]((x1 / lengths[0]) * (x2 / lengths[1]), dim)
    return result


TORCH["cosine_similarity"] = cosine_similarity


def _recorded(operation: Any) -> Any:
    return recorded(operation.__name__, operation)


@_recorded
def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None) -> Tensor:
    if input.array.size and not 0 <= input.array.min() <= input.array.max() < len(weight):
        raise IndexError("index out of range in self")
    return Tensor(weight.array[input.array])


@rule("embedding")
def _embedding(
    g: Any, out: Made, input: Tensor, weight: Tensor, padding_idx: int | None = None, **_: Any
) -> Pairs:
    sums = np.zeros_like(weight.array)
    at = input.array.ravel()
    order = np.argsort(at, kind="stable")
    firsts = np.flatnonzero(np.diff(at[order], prepend=-1))  # the start of each row of ``weight``
    if len(firsts):
        sums[at[order][firsts]] = np.add.reduceat(g.reshape(len(at), -1)[order], firsts, axis=0)
    if padding_idx is not None:
        sums[padding_idx] = 0
    return ((weight, sums),)


@_recorded
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    if input.array.shape[-1] != weight.array.shape[1]:
        raise product_error(input.array.reshape(-1, input.array.shape[-1]).shape, weight.array.T.shape)
    # All rows in one product, because NumPy multiplies the matrices of a stack one by one.
    rows = input.array.reshape(-1, input.array.shape[-1]) @ weight.array.T
    if bias is not None:
        rows += bias.array
    return Tensor(rows.reshape(*input.array.shape[:-1], len(weight)))


@rule("linear")
def _linear(g: Any, out: Made, input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Pairs:
    rows, vectors = g.reshape(-1, g.shape[-1]), input.array.reshape(-1, input.array.shape[-1])
    return (
        (input, lambda: (rows @ weight.array.conj()).reshape(input.array.shape)),
        (weight, lambda: rows.T @ vectors.conj()),
        (bias, lambda: rows.sum(axis=0)),
    )


@_recorded
def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize over the last axes, as many as ``normalized_shape`` has."""
    axes = tuple(range(-len(normalized_shape), 0))
    if tuple(input.array.shape[axes[0] :]) != tuple(normalized_shape):
        raise RuntimeError(
            f"Given normalized_shape={list(normalized_shape)}, expected input with shape "
            f"[*, {', '.join(map(str, normalized_shape))}], but got input of size{list(input.shape)}"
        )
    from_mean = input - TORCH["mean"](input, axes, True)
    variance = TORCH["mean"](from_mean * from_mean, axes, True)
    normed: Tensor = from_mean / TORCH["sqrt"](variance + eps)
    normed = normed if weight is None else normed * weight
    return normed if bias is None else normed + bias


@_recorded
def cross_entropy(input: Tensor, target: Tensor, ignore_index: int = -100, reduction: str = "mean") -> Tensor:
    """Return −ln of the probability of ``target`` [B, …], from logits ``input`` [B, classes, …]."""
    counted = target.array != ignore_index
    places = Tensor(np.where(counted, target.array, 0)[:, None])
    chosen = gather(TORCH["log_softmax"](input, 1), 1, places)[:, 0]
    losses: Tensor = masked_fill(-chosen, Tensor(~counted), 0.0)
    if reduction == "none":
        return losses
    total: Tensor = TORCH["sum"](losses)
    return total if reduction == "sum" else total / int(counted.sum())


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Return softmax(q·kᵀ/√d + mask) v; a row that sees nothing gives zeros."""
    if is_causal and attn_mask is not None:
        raise RuntimeError("Explicit attn_mask should not be set when is_causal=True")
    if enable_gqa:
        times = query.shape[-3] // key.shape[-3]
        key, value = (item.repeat_interleave(times, -3) for item in (key, value))
    products = matmul(query, key.mT)
    scores = products / math.sqrt(query.shape[-1]) if scale is None else products * scale
    if is_causal:
        attn_mask = Tensor(np.tri(*scores.shape[-2:], dtype=bool))
    if attn_mask is not None and attn_mask.array.dtype == bool:
        scores = masked_fill(scores, Tensor(~attn_mask.array), -math.inf)
    elif attn_mask is not None:
        scores = scores + attn_mask
    nothing = Tensor((scores.array == -math.inf).all(axis=-1, keepdims=True))
    return matmul(dropout(masked_fill(softmax(scores, -1), nothing, 0.0), dropout_p), value)
