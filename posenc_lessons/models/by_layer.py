"""Settings that may differ from layer to layer: the encoding, and how far a layer looks."""

import copy
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from torch import Tensor

from posenc_lessons.encodings import PositionEncoding, Together
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.settings import LayerEncodings, LayerWindows, OneEncoding

_Setting = TypeVar("_Setting")


def by_layer(name: str, settings: Sequence[_Setting], n_layers: int) -> list[_Setting]:
    """Return the setting of each layer, the lowest first; ValueError for a list of another length."""
    if len(settings) != n_layers:
        raise BilingualValueError(
            f"{name} 这个列表有 {len(settings)} 项，而层数 n_layers={n_layers}：每层要有一项",
            f"the list {name} has {len(settings)} entries for n_layers={n_layers}: give one for each layer",
        )
    return list(settings)


def windows_by_layer(window: LayerWindows, n_layers: int) -> list[int | None]:
    """Return the window of each layer, None if it looks at all tokens; ValueError for a window below 1."""
    many: Any = window if isinstance(window, (list, tuple)) else [window] * n_layers
    windows = by_layer("window", many, n_layers)
    return [None if window is None else whole_number("window", window, 1) for window in windows]


def encodings_by_layer(
    encoding: LayerEncodings, n_layers: int, named: Callable[[str], PositionEncoding]
) -> tuple[PositionEncoding, list[PositionEncoding]]:
    """Return the encoding below the first layer, and that of each layer's attention.

    Given encodings are copied; an object for several layers becomes one copy that they share. ``named`` makes
    one from its name.
    """

    def encoding_of(one: OneEncoding) -> PositionEncoding:
        return one if isinstance(one, PositionEncoding) else named(one)

    if isinstance(encoding, (list, tuple)):
        listed = [encoding_of(one) for one in by_layer("encoding", encoding, n_layers)]
        for layer, one in enumerate(listed):
            _refuse_door_one(one, layer)
        return PositionEncoding(), copy.deepcopy(listed)  # the whole list at once: shared objects stay shared

    def fresh() -> PositionEncoding:
        one = encoding_of(encoding)  # type: ignore[arg-type]
        return copy.deepcopy(one) if one is encoding else one

    first = fresh()
    if first.doors == (1,):
        return first, [PositionEncoding() for _ in range(n_layers)]
    if 1 in first.doors:
        return first, [_WithoutDoorOne(first)] * n_layers
    if not any(True for _ in first.parameters()):
        return PositionEncoding(), [first] * n_layers
    return PositionEncoding(), [first, *(fresh() for _ in range(n_layers - 1))]


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
