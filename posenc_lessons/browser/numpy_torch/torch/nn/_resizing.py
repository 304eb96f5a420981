"""``interpolate`` and ``pad``: change the size of pictures and rows, by a matrix for each axis."""

import math
from typing import Any

import numpy as np

from .._operations import TORCH
from .._products import matmul
from .._tensor import Tensor
from .._types import lacking

_BENT = {"linear": 1, "bilinear": 2, "bicubic": 2}


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    """Return ``input`` with all axes after the first two resized."""
    axes = input.ndim - 2
    if mode not in ("nearest", *_BENT) or (mode in _BENT and _BENT[mode] != axes):
        raise NotImplementedError(lacking(f"interpolate(mode={mode!r}) of {input.ndim} axes"))
    if (size is None) == (scale_factor is None):
        raise ValueError("only one of size or scale_factor should be defined")
    if mode == "nearest" and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | "
            "bicubic | trilinear"
        )
    factors = _each(scale_factor, axes)
    olds = input.shape[2:]
    if size is None:
        sizes = [math.floor(float(old) * factor) for old, factor in zip(olds, factors, strict=True)]
    else:
        sizes = [int(item) for item in _each(size, axes)]
    result = input
    for axis, (old, new, factor) in enumerate(zip(olds, sizes, factors, strict=True), start=2):
        ratio = old / new if factor is None else 1 / factor
        if mode == "nearest":
            at = np.minimum(np.floor(np.arange(new) * np.float32(ratio)).astype(np.int64), old - 1)
            result = TORCH["index_select"](result, axis, Tensor(at))
            continue
        weights = _mixed(old, new, ratio, bool(align_corners), mode == "bicubic")
        matrix = Tensor(weights.astype(input.array.dtype))
        result = TORCH["movedim"](matmul(TORCH["movedim"](result, axis, -1), matrix.T), -1, axis)
    return result.contiguous()


def _each(value: Any, axes: int) -> list[Any]:
    return list(value) if isinstance(value, (tuple, list)) else [value] * axes


def _cubic(apart: np.ndarray) -> np.ndarray:
    bend = -0.75
    near = ((bend + 2) * apart - (bend + 3)) * apart * apart + 1
    far = ((bend * apart - 5 * bend) * apart + 8 * bend) * apart - 4 * bend
    return np.where(apart <= 1, near, np.where(apart < 2, far, 0))


def _mixed(old: int, new: int, ratio: float, aligned: bool, cubic: bool) -> np.ndarray:
    """Return weights [new, old]: the share of each old place in each new one."""
    at = np.arange(new)
    place = at * ((old - 1) / (new - 1) if new > 1 else 0.0) if aligned else (at + 0.5) * ratio - 0.5
    if not cubic:
        place = np.clip(place, 0, None)
    low = np.floor(place).astype(int)
    result = np.zeros((new, old))
    for step in range(-1, 3) if cubic else range(2):
        apart = np.abs(place - (low + step))
        share = _cubic(apart) if cubic else 1 - apart
        np.add.at(result, (at, np.clip(low + step, 0, old - 1)), share)
    return result


def pad(input: Tensor, pad: Any, mode: str = "constant", value: Any = None) -> Tensor:
    """Add ``value`` at both ends of the last axis, then of the one before it, …; negative sizes cut."""
    if mode != "constant":
        raise NotImplementedError(lacking(f"pad(mode={mode!r})"))
    result = input
    for back, (previous, after) in enumerate(zip(pad[::2], pad[1::2], strict=True), start=1):
        axis = result.ndim - back
        cut = slice(max(-previous, 0), result.shape[axis] - max(-after, 0))
        result = result[(slice(None),) * axis + (cut,)]
        parts = [
            TORCH["full"](
                (*result.shape[:axis], n, *result.shape[axis + 1 :]),
                0 if value is None else value,
                dtype=result.dtype,
            )
            for n in (max(previous, 0), max(after, 0))
        ]
        result = TORCH["cat"]([parts[0], result, parts[1]], dim=axis)
    return result
