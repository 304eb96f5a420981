"""Settings that may differ from layer to layer: the encoding, and how far a layer looks."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from torch import Tensor

from posenc_lessons.encodings import PositionEncoding, Together
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.registry import encoding_named

OneEncoding = str | PositionEncoding
#: One encoding for all layers, a list of one for each, or a function of the layer's number.
LayerEncodings = OneEncoding | Sequence[OneEncoding] | Callable[[int], OneEncoding]
#: How many keys a layer looks at, None for all of them; one for all layers, a list, or a function.
LayerWindows = int | None | Sequence[int | None] | Callable[[int], int | None]

_Setting = TypeVar("_Setting")


def by_layer(
    name: str, given: Sequence[_Setting] | Callable[[int], _Setting], n_layers: int
) -> list[_Setting]:
    """Return the setting of each layer, the lowest first; ValueError for a list of another length.

    A function is called with 0, 1, … ``n_layers`` − 1, once each.
    """
    if callable(given):
        return [given(layer) for layer in range(n_layers)]
    if len(given) != n_layers:
        raise BilingualValueError(
            f"{name} 这个列表有 {len(given)} 项，而层数 n_layers={n_layers}：每层要有一项",
            f"the list {name} has {len(given)} entries for n_layers={n_layers}: give one for each layer",
        )
    return list(given)


def windows_by_layer(given: LayerWindows, n_layers: int) -> list[int | None]:
    """Return the window of each layer, None if it looks at all tokens; ValueError for a window below 1."""
    many: Any = given if callable(given) or isinstance(given, (list, tuple)) else [given] * n_layers
    windows = by_layer("window", many, n_layers)
    return [None if window is None else whole_number("window", window, 1) for window in windows]


def encodings_by_layer(
    given: LayerEncodings, n_layers: int, d_model: int, n_heads: int, max_len: int, causal: bool
) -> tuple[PositionEncoding, list[PositionEncoding]]:
    """Return the encoding below the first layer, and that of each layer's attention.

    Given objects are copied; an object given for several layers becomes one copy that they share.
    """

    def made(encoding: OneEncoding) -> PositionEncoding:
        if isinstance(encoding, PositionEncoding):
            return encoding
        return encoding_named(encoding, d_model, n_heads, max_len, causal=causal)

    if not _for_all_layers(given):
        listed = [made(each) for each in by_layer("encoding", given, n_layers)]
        for layer, encoding in enumerate(listed):
            _refuse_door_one(encoding, layer)
        return PositionEncoding(), copy.deepcopy(listed)  # the whole list at once: shared objects stay shared

    def fresh() -> PositionEncoding:
        encoding = made(given)  # type: ignore[arg-type]
        return copy.deepcopy(encoding) if encoding is given else encoding

    first = fresh()
    if first.doors == (1,):
        return first, [PositionEncoding() for _ in range(n_layers)]
    if 1 in first.doors:
        return first, [_WithoutDoorOne(first)] * n_layers
    if not any(True for _ in first.parameters()):
        return PositionEncoding(), [first] * n_layers
    return PositionEncoding(), [first, *(fresh() for _ in range(n_layers - 1))]


def _for_all_layers(given: object) -> bool:
    """Return True unless ``given`` is a list or a function. (An encoding, or its class, is callable too.)"""
    if isinstance(given, (str, PositionEncoding, type)):
        return True
    return not (callable(given) or isinstance(given, (list, tuple)))


def _refuse_door_one(encoding: PositionEncoding, layer: int) -> None:
    if 1 in encoding.doors:
        name = type(encoding).__name__
        raise BilingualValueError(
            f"encoding 的第 {layer} 项 {name} 用门 1：往嵌入里加位置只有一次，在第一层下面，不属于某一层。"
            f"请把它作为整个模型的 encoding，或者给这一层门 2 到 4 的编码",
            f"entry {layer} of encoding, {name}, uses door 1: positions are added to the embeddings once, "
            f"below the first layer, and belong to no layer. Give it as the encoding of the whole model, or "
            f"give this layer an encoding of doors 2 to 4",
        )


class _WithoutDoorOne(Together):
    """Doors 2 to 4 of an encoding whose door 1 is applied at the bottom of the stack.

    The encoding and its parameters belong to the stack. Here it is in a tuple, so that its parameters are
    neither saved nor counted twice.
    """

    def __init__(self, whole: PositionEncoding) -> None:
        super().__init__(whole)
        del self.encodings
        self._whole = (whole,)

    @property
    def parts(self) -> tuple[PositionEncoding, ...]:
        return self._whole

    @property
    def doors(self) -> tuple[int, ...]:
        return tuple(door for door in self._whole[0].doors if door != 1)

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        return embeddings
