"""Operations that reshape, split, transpose and reorder an array."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._operations import function, method, operation, shape_of
from ._tape import recorded
from ._tensor import Tensor


@operation
def reshape(x: Tensor, *shape: Any) -> Tensor:
    try:
        return Tensor(x.array.reshape(shape_of(shape)))
    except ValueError as error:
        raise RuntimeError(
            f"shape '{list(shape_of(shape))}' is invalid for input of size {x.numel()}"
        ) from error


@method
def view(x: Tensor, *shape: Any) -> Tensor:
    viewed = reshape(x, *shape)
    if x.array.size and not np.may_share_memory(viewed.array, x.array):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans "
            "across two contiguous subspaces). Use .reshape(...) instead."
        )
    return viewed


@operation
def flatten(x: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    shape = x.array.shape or (1,)
    start, end = start_dim % len(shape), end_dim % len(shape)
    return Tensor(x.array.reshape(*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]))


@operation
def unflatten(x: Tensor, dim: int, sizes: tuple[int, ...]) -> Tensor:
    shape = x.array.shape
    dim %= len(shape)
    return reshape(x, *shape[:dim], *sizes, *shape[dim + 1 :])


@operation
def transpose(x: Tensor, dim0: int, dim1: int) -> Tensor:
    return Tensor(x.array.swapaxes(dim0, dim1))


Tensor.T = property(recorded("T", lambda x: Tensor(x.array.T)))
Tensor.mT = property(lambda x: transpose(x, -1, -2))


@operation
def permute(x: Tensor, *dims: Any) -> Tensor:
    axes = shape_of(dims)
    if len(axes) != x.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
            f"desired ordering of dimensions i.e. input.dim() = {x.ndim} is not equal to "
            f"len(dims) = {len(axes)}"
        )
    return Tensor(x.array.transpose(axes))


@operation
def squeeze(x: Tensor, dim: Any = None) -> Tensor:
    axes = range(x.ndim) if dim is None else dim if isinstance(dim, (tuple, list)) else (dim,)
    ones = tuple(axis for axis in axes if x.ndim and x.array.shape[axis] == 1)
    return Tensor(x.array.squeeze(ones))


@operation
def unsqueeze(x: Tensor, dim: int) -> Tensor:
    return Tensor(np.expand_dims(x.array, dim))


@operation
def diagonal(x: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    return Tensor(np.diagonal(x.array, offset, dim1, dim2))


@method
def repeat(x: Tensor, *sizes: Any) -> Tensor:
    return Tensor(np.tile(x.array, shape_of(sizes)))


@operation
def chunk(x: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    return split(x, max(-(-x.array.shape[dim] // chunks), 1), dim)


@operation
def movedim(x: Tensor, source: Any, destination: Any) -> Tensor:
    return Tensor(np.moveaxis(x.array, source, destination))


@method
def expand(x: Tensor, *size: Any) -> Tensor:
    sizes = shape_of(size)
    own = (1,) * (len(sizes) - x.ndim) + x.array.shape
    shape = tuple(had if wanted == -1 else wanted for wanted, had in zip(sizes, own, strict=True))
    try:
        return Tensor(np.broadcast_to(x.array, shape))
    except ValueError as error:
        raise RuntimeError(
            f"a tensor of shape {list(x.shape)} cannot be expanded to {list(sizes)}"
        ) from error


@method
def expand_as(x: Tensor, other: Tensor) -> Tensor:
    return expand(x, *other.shape)


@method
def view_as(x: Tensor, other: Tensor) -> Tensor:
    return view(x, *other.shape)


@method
def reshape_as(x: Tensor, other: Tensor) -> Tensor:
    return reshape(x, *other.shape)


@operation
def unbind(x: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    rows = np.moveaxis(x.array, dim, 0)
    return tuple(Tensor(rows[at, ...]) for at in range(len(rows)))  # with "...", numbers are views too


@operation
def split(x: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    length = x.array.shape[dim]
    if isinstance(split_size_or_sections, int):
        cuts = list(range(split_size_or_sections, length, split_size_or_sections))
    else:
        cuts = np.cumsum(split_size_or_sections).tolist()
        if cuts[-1] != length:
            raise RuntimeError(f"split sizes must add up to {length}, got {list(split_size_or_sections)}")
        cuts = cuts[:-1]
    return tuple(Tensor(part) for part in np.split(x.array, cuts, axis=dim))


@operation
def flip(x: Tensor, *dims: Any) -> Tensor:
    return Tensor(np.flip(x.array, shape_of(dims)).copy())


@operation
def roll(x: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    return Tensor(np.roll(x.array, shifts, dims))


@operation
def repeat_interleave(x: Tensor, repeats: int, dim: int | None = None) -> Tensor:
    return Tensor(np.repeat(x.array, repeats, axis=dim))


@operation
def tril(x: Tensor, diagonal: int = 0) -> Tensor:
    return Tensor(np.tril(x.array, diagonal))


@operation
def triu(x: Tensor, diagonal: int = 0) -> Tensor:
    return Tensor(np.triu(x.array, diagonal))


@operation
def ravel(x: Tensor) -> Tensor:
    return reshape(x, -1)


@operation
def narrow(x: Tensor, dim: int, start: int, length: int) -> Tensor:
    return x[(slice(None),) * (dim % x.ndim) + (slice(start, start + length),)]


@function
def atleast_1d(x: Tensor) -> Tensor:
    return x if x.ndim else reshape(x, 1)


@function
def view_as_real(x: Tensor) -> Tensor:
    return Tensor(x.array[..., None].view(x.array.real.dtype))


@function
def view_as_complex(x: Tensor) -> Tensor:
    steps = [step for step, length in zip(x.stride()[:-1], x.shape, strict=False) if length > 1]
    if x.shape[-1] != 2 or x.stride(-1) != 1 or any(step % 2 for step in steps) or x.storage_offset() % 2:
        raise RuntimeError("a complex view needs neighbours: two numbers in the last axis, even strides")
    kind = np.complex64 if x.array.dtype == np.float32 else np.complex128
    return Tensor(x.array.view(kind)[..., 0])
