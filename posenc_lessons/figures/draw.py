"""Draw a scene as a Matplotlib Figure, the still of a live picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from posenc_lessons.figures.colors import color_table
from posenc_lessons.figures.scene import Arrows, ColorBar, Heatmap, Labels, Layer, Line, Panel, Scene
from posenc_lessons.figures.style import MONO, PX, Picture, drawable, styled
from posenc_lessons.figures.theme import Theme
from posenc_lessons.language import Language

TICK_LENGTH, TICK_GAP = 4, 3  # CSS pixels, as in explorers/panel/paint.js
TICK_SIZE = 11  # CSS pixels, as the lengths below
BELOW, BESIDE = 34, 46  # from the box to the axis labels, CSS pixels
BELOW_WORDS, BESIDE_WORDS = 72, 84  # the same where ticks are words
HEAD = 10  # length of an arrow head
SLANT = 45  # degrees


def draw(scene: Scene, language: Language | None = None) -> Picture:
    """Return ``scene`` as a Figure, with its words in ``language`` (the reader's when None)."""
    with styled():
        picture = Picture(scene.width, scene.height, scene.alt, facecolor=scene.theme.paper)
        for panel in scene.panels:
            _draw_panel(picture, scene, panel, language)
    return picture


def _draw_panel(picture: Picture, scene: Scene, panel: Panel, language: Language | None) -> None:
    theme = scene.theme
    axes = _axes(picture, scene, panel.box)
    is_map = any(isinstance(layer, Heatmap) for layer in panel.layers)
    axes.set_facecolor(theme.paper)
    axes.spines[:].set(visible=True, color=theme.ink, linewidth=PX)
    axes.grid(not is_map)
    for layer in panel.layers:
        _draw_layer(axes, layer, panel)
    axes.set(xlim=(panel.x.start, panel.x.end), ylim=(panel.y.start, panel.y.end))
    for set_ticks, axis in ((axes.set_xticks, panel.x), (axes.set_yticks, panel.y)):
        values, labels = zip(*axis.shown_ticks(), strict=True) if axis.shown_ticks() else ((), ())
        set_ticks(values, [drawable(label) for label in labels])
    for line in (*axes.get_xgridlines(), *axes.get_ygridlines()):
        line.set(snap=False, color=theme.grid)  # not moved to whole pixels, as the lines of layers
    _style_ticks(axes, theme)
    if panel.words:
        for label in axes.get_xticklabels():
            label.set(rotation=SLANT, ha="right", va="top", rotation_mode="default")
    _words(picture, scene, panel, language)
    if panel.color_bar is not None:
        _draw_color_bar(picture, scene, panel.box, panel.color_bar)


def _axes(picture: Picture, scene: Scene, box: tuple[float, float, float, float]) -> Axes:
    left, top, width, height = box
    return picture.add_axes(
        (left / scene.width, 1 - (top + height) / scene.height, width / scene.width, height / scene.height)
    )


def _words(picture: Picture, scene: Scene, panel: Panel, language: Language | None) -> None:
    """Write title and axis labels, placed from the box so that changing tick labels do not move them."""
    left, top, width, height = panel.box
    middle = left + width / 2
    scale = scene.theme.type_scale
    below = top + height + scale * (BELOW_WORDS if panel.words else BELOW)
    beside = left - scale * (BESIDE_WORDS if panel.words else BESIDE)

    def write(text: str, x: float, y: float, size: float, **look: Any) -> None:
        look = {"color": scene.theme.ink, **look}
        picture.text(x / scene.width, 1 - y / scene.height, text, fontsize=scale * size * PX, **look)

    write(panel.title.show(language), left, top - 10, 13, ha="left", va="bottom")
    write(panel.x.label.show(language), middle, below, 12, ha="center", va="center")
    write(panel.y.label.show(language), beside, top + height / 2, 12, ha="center", va="center", rotation=90)

    for place, (name, color) in enumerate(reversed(panel.legend)):
        write(
            f"— {name.show(language)}",
            left + width - 50 * scale * place,
            top - 10,
            12,
            ha="right",
            va="bottom",
            color=color,
        )


def _draw_layer(axes: Axes, layer: Layer, panel: Panel) -> None:
    if isinstance(layer, Heatmap):
        rows, columns = layer.values.shape
        _, _, width, height = panel.box
        # As on the canvas: a magnified cell keeps sharp edges, a table larger than the screen is averaged.
        fits = columns <= 2 * width and rows <= 2 * height
        left, top, right, bottom = layer.within or (-0.5, -0.5, columns - 0.5, rows - 0.5)
        if layer.within is not None:
            across = width * (right - left) / (panel.x.end - panel.x.start)
            down = height * (bottom - top) / (panel.y.start - panel.y.end)
            fits = columns <= abs(across) and rows <= abs(down)
        axes.imshow(
            color_table(layer.colors)[layer.indices()],
            extent=(left, right, bottom, top),
            aspect="auto",
            interpolation="nearest" if fits else "hanning",
        )
    elif isinstance(layer, Line):
        dashes = (0, (4, 2.5)) if layer.dashed else "-"
        # As on the canvas, not moved to whole pixels, so that thin lines stay at their numbers.
        axes.plot(
            layer.x, layer.y, color=layer.color, linewidth=layer.width * PX, linestyle=dashes, snap=False
        )
    elif isinstance(layer, Arrows):
        look = {"color": layer.color, "linewidth": layer.width * PX, "shrinkA": 0, "shrinkB": 0}
        style = f"-|>,head_length={HEAD * PX},head_width={HEAD / 2 * PX}"
        for start, end in zip(layer.start, layer.end, strict=True):
            axes.annotate("", end, start, arrowprops={"arrowstyle": style, "mutation_scale": 1, **look})
    elif isinstance(layer, Labels):
        placed: Any = {"color": layer.color, "size": layer.size * PX, "ha": layer.align, "va": "center"}
        if layer.mono:
            placed["family"] = MONO
        for x, y, text in zip(layer.x, layer.y, layer.texts, strict=True):
            axes.text(x, y, drawable(text), **placed)
    else:
        axes.plot(layer.x, layer.y, "o", color=layer.color, markersize=layer.size * PX, markeredgewidth=0)


def _draw_color_bar(
    picture: Picture, scene: Scene, box: tuple[float, float, float, float], bar: ColorBar
) -> None:
    left, top, width, height = box
    axes = _axes(picture, scene, (left + width + 12, top, 12, height))
    ramp = color_table(bar.colors)[np.arange(1, 256, dtype=np.uint8)][:, None]
    axes.imshow(
        ramp, extent=(0, 1, bar.low, bar.high), aspect="auto", origin="lower", interpolation="nearest"
    )
    axes.grid(False)
    axes.spines[:].set(visible=True, color=scene.theme.ink, linewidth=PX)
    axes.set_xticks([])
    axes.yaxis.tick_right()
    values, labels = zip(*bar.shown_ticks(), strict=True)
    axes.set_yticks(values, labels)
    _style_ticks(axes, scene.theme)


def _style_ticks(axes: Axes, theme: Theme) -> None:
    size = theme.type_scale * TICK_SIZE * PX
    length, gap = TICK_LENGTH * PX, TICK_GAP * PX
    axes.tick_params(length=length, pad=gap, labelsize=size, color=theme.ink, labelcolor=theme.ink)
