"""The size of numbers before training: outputs and gradients against depth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.colors import CYCLE
from posenc_lessons.figures.line_names import LineEnd, names_at_ends
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text


@dataclass(frozen=True)
class Depth:
    """A stack of layers: its name, and two numbers for each layer [n], the lowest layer first."""

    name: str
    sizes: np.ndarray
    gradients: np.ndarray


@styled()
def depth_figure(stacks: Sequence[Depth]) -> Picture:
    """Draw the ``sizes`` of ``stacks`` on the left and their ``gradients`` on the right, layer by layer."""
    names = [stack.name for stack in stacks]
    picture = new_picture(
        800,
        270,
        alt=Text(
            f"每一层的标准差（左）和梯度（右）：{'、'.join(names)}。",
            f"Standard deviation (left) and gradient (right) in each layer: {', '.join(names)}.",
        ),
        ncols=2,
    )
    left, right = picture.axes
    for number, stack in enumerate(stacks):
        layers, marker = np.arange(1, len(stack.sizes) + 1), "os"[number % 2]
        for axes, values in ((left, stack.sizes), (right, stack.gradients)):
            axes.plot(layers, values, marker=marker, markersize=4 * PX, linewidth=1.5 * PX, label=stack.name)
    for axes, title in (
        (left, Text("$x$ 的标准差", "standard deviation of $x$")),
        (right, Text("权重的梯度（范数）", "gradient of a weight (norm)")),
    ):
        axes.set_title(title.show(between="\n"))
        axes.set_xlabel(Text("第几层", "layer").show())
        axes.set_ylim(bottom=0)
    for axes, last in ((left, "sizes"), (right, "gradients")):
        ends = [
            LineEnd(stack.name, CYCLE[number % len(CYCLE)], float(getattr(stack, last)[-1]))
            for number, stack in enumerate(stacks)
        ]
        names_at_ends(axes, ends, 160)
    return picture
