"""Patches of a picture: scores with one, small pictures, and the coordinate that each rotary pair reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.patches import Rectangle

from posenc_lessons.figures.colors import BLUE, GREEN, INK, PAPER, VERMILLION
from posenc_lessons.figures.style import DIVERGING, PX, Picture, new_picture, new_row, styled
from posenc_lessons.language import Text, joined

ROW, COLUMN = Text("行", "row"), Text("列", "column")
COORDINATES = (Text("时间 t", "time t"), Text("行 h", "row h"), Text("列 w", "column w"))


@dataclass(frozen=True)
class PatchMap:
    """``scores`` [height, width] of one query with the key of every patch; ``query`` is its (row, column)."""

    title: Text
    scores: np.ndarray
    query: tuple[int, int]


@styled()
def patch_maps_figure(maps: Sequence[PatchMap]) -> Picture:
    """Draw scores side by side, one colour scale for all, with a frame round the query's patch."""
    says = Text(
        "一个图块作查询，和每个图块的分数：{titles}。", "Scores of one patch with every other: {titles}."
    )
    picture = new_row(min(30 + 225 * len(maps), 960), 290, says, (one.title for one in maps), sharey=True)
    most = max(float(np.abs(one.scores).max()) for one in maps)
    axes_of_maps = list(picture.axes)
    for axes, one in zip(axes_of_maps, maps, strict=True):
        image = axes.imshow(one.scores, cmap=DIVERGING, vmin=-most, vmax=most, aspect="equal")
        row, column = one.query
        for color, wide in ((PAPER, 4), (INK, 2)):  # visible on dark and on light cells
            axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, ec=color, lw=wide * PX))
        axes.set_xlabel(COLUMN.show())
    axes_of_maps[0].set_ylabel(ROW.show())
    picture.colorbar(image, ax=axes_of_maps, shrink=0.75, pad=0.02)
    return picture


@styled()
def pictures_figure(pictures: Mapping[Text, np.ndarray], patch: int) -> Picture:
    """Draw grey pictures {title: [pixels, pixels]} side by side, with lines every ``patch`` pixels."""
    says = Text("图片，按图块分格：{titles}。", "Pictures, ruled into patches: {titles}.")
    picture = new_row(min(20 + 190 * len(pictures), 960), 240, says, pictures)
    for axes, pixels in zip(picture.axes, pictures.values(), strict=True):
        axes.imshow(pixels, cmap="gray", vmin=-0.2, vmax=1.2, aspect="equal")
        axes.set_xticks(np.arange(patch, pixels.shape[1], patch) - 0.5, minor=True)
        axes.set_yticks(np.arange(patch, pixels.shape[0], patch) - 0.5, minor=True)
        axes.grid(which="minor", color=BLUE, linewidth=0.6 * PX, alpha=0.6)
        axes.set(xticks=(), yticks=())
    return picture


@styled()
def pair_coordinates_figure(layouts: Mapping[Text, Sequence[int]], wavelengths: np.ndarray) -> Picture:
    """Draw each pair as a dot: x is its wavelength [n] in steps, y the coordinate that it reads.

    ``layouts`` {name: (coordinate of each pair)}: 0 time, 1 row, 2 column.
    """
    picture = new_picture(
        760,
        90 + 130 * len(layouts),
        alt=Text(
            "每一对特征的波长和它读的坐标：{names}。",
            "The wavelength of every pair and the coordinate that it reads: {names}.",
        ).format(names=joined(layouts, "；", "; ")),
        nrows=len(layouts),
        sharex=True,
        squeeze=False,
    )
    for axes, (name, coordinates) in zip(picture.axes, layouts.items(), strict=True):
        for coordinate, color in enumerate((VERMILLION, BLUE, GREEN)):
            own = wavelengths[np.asarray(coordinates) == coordinate]
            axes.plot(own, np.full(len(own), coordinate), "o", color=color, markersize=6 * PX)
        axes.set_title(name.show(between=" · "))
        axes.set_yticks(range(3), [coordinate.show() for coordinate in COORDINATES])
        axes.set(xscale="log", ylim=(2.6, -0.6))
    axes.set_xlabel(Text("波长（步）", "wavelength in steps").show())
    return picture
