"""Small pictures, ruled into patches."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from posenc_lessons.figures.colors import BLUE
from posenc_lessons.figures.style import PX, Picture, new_row, styled
from posenc_lessons.language import Text


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
