"""Operations that reshape, split, transpose and reorder an array."""

import itertools
import math
from typing import Any

import numpy as np

from ._operations import TORCH, function, method, operation, shape_of
from ._rules import Pairs, rearranging, rule
from ._tape import COMPOSED, Made
from ._tensor import Tensor

Array = np.ndarray

COMPOSED.update(("view", "unflatten", "unbind", "split", "chunk", "expand_as", "atleast_1d", "ravel"))

# ---- one array from one array ----


def _permuted(x: Array, *dims: Any) -> Array:
    axes = shape_of(dims)
    if len(axes) != x.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
            f"desired ordering of dimensions i.e. input.dim() = {x.ndim} is not equal to "
            f"len(dims) = {len(axes)}"
        )
    return x.transpose(axes)


def _permuted_back(g: Array, x: Array, *dims: Any) -> Array:
    return g.transpose(np.argsort([axis % g.ndim for axis in shape_of(dims)]))


def _reshaped(x: Array, *shape: Any) -> Array:
    try:
        return x.reshape(shape_of(shape))
    except ValueError as error:
        raise RuntimeError(
            f"shape '{list(shape_of(shape))}' is invalid for input of size {x.size}"
        ) from error


def _flattened(x: Array, start_dim: int = 0, end_dim: int = -1) -> Array:
    shape = x.shape or (1,)
    start, end = start_dim % len(shape), end_dim % len(shape)
    return x.reshape(*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :])


def _squeezed(x: Array, dim: Any = None) -> Array:
    axes = range(x.ndim) if dim is None else dim if isinstance(dim, (tuple, list)) else (dim,)
    return x.squeeze(tuple(axis for axis in axes if x.ndim and x.shape[axis] == 1))


def _into_shape(g: Array, x: Array, *_: Any, **__: Any) -> Array:
    return g.reshape(x.shape)


def _expanded(x: Array, *size: Any) -> Array:
    sizes = shape_of(size)
    own = (1,) * (len(sizes) - x.ndim) + x.shape
    shape = tuple(had if wanted == -1 else wanted for wanted, had in zip(sizes, own, strict=True))
    try:
        return np.broadcast_to(x, shape)
    except ValueError as error:
        raise RuntimeError(
            f"a tensor of shape {list(x.shape)} cannot be expanded to {list(sizes)}"
        ) from error


def _complex_neighbours(input: Array) -> Array:
    if input.shape[-1] != 2:
        raise RuntimeError("the last axis must have two numbers: the real and the imaginary part")
    try:
        return input.view(np.complex64 if input.dtype == np.float32 else np.complex128)[..., 0]
    except ValueError as error:
        raise RuntimeError("the two numbers of the last axis must be neighbours in memory") from error


rearranging("reshape", _reshaped, _into_shape)
rearranging("flatten", _flattened, _into_shape)
rearranging("squeeze", _squeezed, _into_shape)
rearranging("unsqueeze", lambda x, dim: np.expand_dims(x, dim), _into_shape)
rearranging("permute", _permuted, _permuted_back)
rearranging(
    "transpose", lambda x, dim0, dim1: x.swapaxes(dim0, dim1), lambda g, x, dim0, dim1: g.swapaxes(dim0, dim1)
)
rearranging("movedim", lambda x, source, destination: np.moveaxis(x, source, destination))
rearranging("expand", _expanded, lambda g, x, *_: g, only="method")
rearranging("repeat", lambda x, *sizes: np.tile(x, shape_of(sizes)), only="method")
rearranging("repeat_interleave", lambda x, repeats, dim=None: np.repeat(x, repeats, axis=dim))
rearranging("flip", lambda x, *dims: np.flip(x, shape_of(dims)).copy())
rearranging("roll", lambda x, shifts, dims=None: np.roll(x, shifts, dims))
rearranging("tril", lambda x, diagonal=0: np.tril(x, diagonal))
rearranging("triu", lambda x, diagonal=0: np.triu(x, diagonal))
rearranging("diagonal", lambda x, offset=0, dim1=0, dim2=1: np.diagonal(x, offset, dim1, dim2))
rearranging("diag", lambda input, diagonal=0: np.diag(input, diagonal).copy(), only="function")
rearranging(
    "view_as_real",
    lambda x: x[..., None].view(x.real.dtype),
    lambda g, x: g[..., 0] + 1j * g[..., 1],
    only="function",
)
rearranging(
    "view_as_complex",
    _complex_neighbours,
    lambda g, x: np.stack([g.real, g.imag], axis=-1),
    only="function",
)

Tensor.T = property(lambda x: TORCH["permute"](x, range(x.ndim)[::-1]))
Tensor.mT = property(lambda x: TORCH["transpose"](x, -1, -2))


# ---- made of those above ----


@method
def view(x: Tensor, *shape: Any) -> Tensor:
    viewed: Tensor = TORCH["reshape"](x, *shape)
    if x.array.size and not np.may_share_memory(viewed.array, x.array):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans "
            "across two contiguous subspaces). Use .reshape(...) instead."
        )
    return viewed


@operation
def unflatten(x: Tensor, dim: int, sizes: tuple[int, ...]) -> Any:
    shape = x.array.shape
    dim %= len(shape)
    return TORCH["reshape"](x, *shape[:dim], *sizes, *shape[dim + 1 :])


@method
def expand_as(x: Tensor, other: Tensor) -> Any:
    return x.expand(*other.shape)


@operation
def ravel(x: Tensor) -> Any:
    return TORCH["reshape"](x, -1)


@function
def atleast_1d(x: Tensor) -> Any:
    return x if x.ndim else TORCH["reshape"](x, 1)


# ---- several pieces, and one of several ----


@operation
def unbind(x: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    return tuple(_along(x, dim, at) for at in range(x.array.shape[dim]))


def _along(x: Tensor, dim: int, at: Any) -> Any:
    """Return ``x[at]``, but along the axis ``dim``."""
    return x[(slice(None),) * (dim % x.ndim) + (at,)]


@operation
def split(x: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    length = x.array.shape[dim]
    if isinstance(split_size_or_sections, int):
        ends = [*range(split_size_or_sections, length, split_size_or_sections), length]
    else:
        ends = list(itertools.accumulate(split_size_or_sections))
        if ends[-1] != length:
            raise RuntimeError(f"split sizes must add up to {length}, got {list(split_size_or_sections)}")
    return tuple(_along(x, dim, slice(*ends)) for ends in itertools.pairwise([0, *ends]))


@operation
def chunk(x: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    return split(x, max(-(-x.array.shape[dim] // chunks), 1), dim)


@function
def cat(tensors: Any, dim: int = 0) -> Tensor:
    try:
        return Tensor(np.concatenate([tensor.array for tensor in tensors], axis=dim))
    except ValueError as error:
        raise RuntimeError(f"Sizes of tensors must match except in dimension {dim}: {error}") from error


@rule("cat", any_values=True)
def _cat(g: Any, out: Made, tensors: Any, dim: int = 0) -> Pairs:
    cuts = np.cumsum([tensor.array.shape[dim] for tensor in tensors])[:-1]
    return zip(tensors, np.split(g, cuts, axis=dim), strict=True)


@function
def stack(tensors: Any, dim: int = 0) -> Tensor:
    try:
        return Tensor(np.stack([tensor.array for tensor in tensors], axis=dim))
    except ValueError as error:
        raise RuntimeError(f"stack expects each tensor to be equal size: {error}") from error


@rule("stack", any_values=True)
def _stack(g: Any, out: Made, tensors: Any, dim: int = 0) -> Pairs:
    return zip(tensors, np.moveaxis(g, dim, 0), strict=True)


@function
def block_diag(*tensors: Tensor) -> Tensor:
    rows, columns = ([tensor.array.shape[axis] for tensor in tensors] for axis in (0, 1))
    whole = np.zeros((sum(rows), sum(columns)), tensors[0].array.dtype)
    for at, tensor in enumerate(tensors):
        top, remaining = sum(rows[:at]), sum(columns[:at])
        whole[top : top + rows[at], remaining : remaining + columns[at]] = tensor.array
    return Tensor(whole)
