"""Patches of a picture: small pictures, and the coordinate that each rotary pair reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from posenc_lessons.figures.colors import BLUE, GREEN, VERMILLION
from posenc_lessons.figures.style import PX, Picture, new_picture, new_row, styled
from posenc_lessons.language import Text, joined

COORDINATES = (Text("时间 t", "time t"), Text("行 h", "row h"), Text("列 w", "column w"))


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
