"""Draw a scene as a Matplotlib Figure, the still of a live picture."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from posenc_lessons.figures.colors import color_table
from posenc_lessons.figures.places import (
    ABOVE,
    BAR_BESIDE,
    BAR_WIDTH,
    DESCENT,
    END_STEP,
    LABEL_SIZE,
    LEADER,
    LEGEND_GAP,
    TICK_SIZE,
    TITLE_SIZE,
    apart,
    label_places,
    slanted,
)
from posenc_lessons.figures.scene import Arrows, ColorBar, Heatmap, Labels, Layer, Line, Panel, Scene
from posenc_lessons.figures.style import PX, Picture, drawable, styled
from posenc_lessons.figures.theme import Theme
from posenc_lessons.language import Language

TICK_LENGTH, TICK_GAP = 4, 3  # CSS pixels, as in explorers/panel/sizes.js
HEAD = 10  # length of the head of an arrow that is 2 wide or more, CSS pixels
HALO = 5  # line width of the paper around a label, as in explorers/panel/paint.js
SLANT = 45  # degrees


def draw(scene: Scene, language: Language | None = None) -> Picture:
    """Return ``scene`` as a Figure, with its words in ``language`` (None: the reader's)."""
    with styled():
        picture = Picture(scene.width, scene.height, scene.alt, facecolor=scene.theme.paper)
        for panel in scene.panels:
            _draw_panel(picture, scene, panel, language)
    return picture


def _draw_panel(picture: Picture, scene: Scene, panel: Panel, language: Language | None) -> None:
    theme = scene.theme
    axes = _axes(picture, scene, panel.box)
    axes.set_facecolor(theme.paper)
    axes.spines[:].set(visible=False, color=theme.rule, linewidth=PX)
    if has_lines(panel):
        axes.spines["left"].set_visible(bool(panel.y.shown_ticks()))
        axes.spines["bottom"].set_visible(bool(panel.x.shown_ticks()))
        if panel.y.shown_ticks() and panel.y.start * panel.y.end < 0:
            axes.axhline(0, color=theme.rule, linewidth=PX, snap=False, zorder=0)
    for layer in panel.layers:
        _draw_layer(axes, layer, panel)
    axes.set(xlim=(panel.x.start, panel.x.end), ylim=(panel.y.start, panel.y.end))
    for set_ticks, axis in ((axes.set_xticks, panel.x), (axes.set_yticks, panel.y)):
        values, labels = zip(*axis.shown_ticks(), strict=True) if axis.shown_ticks() else ((), ())
        set_ticks(values, [drawable(label) for label in labels])
    _style_ticks(axes, theme, marks=has_lines(panel), words=panel.words)
    if slanted(panel):
        for label in axes.get_xticklabels():
            label.set(rotation=SLANT, ha="right", va="top", rotation_mode="default")
    _words(picture, scene, panel, language)
    _names_at_ends(picture, scene, panel, language)
    if panel.color_bar is not None:
        _draw_color_bar(picture, scene, panel.box, panel.color_bar)


def has_lines(panel: Panel) -> bool:
    """Return whether ``panel`` has lines at its left and bottom, as panels of curves have."""
    return not panel.equal and not any(isinstance(layer, Heatmap) for layer in panel.layers)


def _axes(picture: Picture, scene: Scene, box: tuple[float, float, float, float]) -> Axes:
    left, top, width, height = box
    return picture.add_axes(
        (left / scene.width, 1 - (top + height) / scene.height, width / scene.width, height / scene.height)
    )


def _words(picture: Picture, scene: Scene, panel: Panel, language: Language | None) -> None:
    """Write title and axis labels at fixed distances from the box, which do not depend on tick labels."""
    left, top, width, height = panel.box
    middle = left + width / 2
    theme = scene.theme
    scale = theme.type_scale
    places = label_places(panel)
    below, beside = top + height + scale * places[1], left - scale * places[0]
    quiet: Any = {"color": theme.quiet, "ha": "center", "va": "center"}

    def write(text: str, x: float, y: float, size: float, **look: Any) -> Text:
        look = {"color": theme.ink, **look}
        return picture.text(x / scene.width, 1 - y / scene.height, text, fontsize=scale * size * PX, **look)

    write(panel.x.label.show(language), middle, below, LABEL_SIZE, **quiet)
    write(panel.y.label.show(language), beside, top + height / 2, LABEL_SIZE, rotation=90, **quiet)

    end, baseline = left + width, top - ABOVE - scale * DESCENT * LABEL_SIZE
    for name, color in reversed(panel.legend):
        look: Any = {"color": color, "ha": "right", "va": "baseline"}
        end -= _width(write(name.show(language), end, baseline, LABEL_SIZE, **look)) + scale * LEGEND_GAP
    title = write(panel.heading.show(language), left, top - ABOVE, TITLE_SIZE, ha="left", va="bottom")
    if panel.legend and left + _width(title) > end:  # the title moves to a line above the legend
        title.set_y(title.get_position()[1] + scale * END_STEP * LABEL_SIZE / scene.height)


def _width(text: Text) -> float:
    """Return the width of ``text`` in CSS pixels, not rounded to pixels of a screen."""
    said = text.get_text()
    width, _, _ = text_to_path.get_text_width_height_descent(said, text.get_fontproperties(), "$" in said)
    return width / PX


def _names_at_ends(picture: Picture, scene: Scene, panel: Panel, language: Language | None) -> None:
    left, top, width, height = panel.box
    scale = scene.theme.type_scale
    begin, stop, word = (left + width + scale * far for far in LEADER)
    span = panel.y.end - panel.y.start
    ends = [top + height - (end.y - panel.y.start) / span * height for end in panel.ends]
    places = apart(ends, END_STEP * LABEL_SIZE * scale, top, top + height)
    for end, at, place in zip(panel.ends, ends, places, strict=True):
        x, y = np.array([begin, stop]) / scene.width, 1 - np.array([at, place]) / scene.height
        look: Any = {"color": end.color, "linewidth": PX, "solid_capstyle": "butt"}
        picture.add_artist(Line2D(x, y, transform=picture.transFigure, **look))
        look = {"color": end.color, "fontsize": scale * LABEL_SIZE * PX, "ha": "left", "va": "center"}
        name = end.name.show(language)
        picture.text(word / scene.width, 1 - place / scene.height, name, **look)


def _draw_layer(axes: Axes, layer: Layer, panel: Panel) -> None:
    if isinstance(layer, Heatmap):
        rows, columns = layer.values.shape
        _, _, width, height = panel.box
        # As on the canvas: large cells keep sharp edges, a table with more cells than pixels is averaged.
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
        # As on the canvas, lines are not moved to whole pixels, so that thin lines stay at their numbers.
        axes.plot(
            *(layer.x, layer.y),
            color=layer.color,
            linewidth=layer.width * PX,
            linestyle=dashes,
            snap=False,
            clip_on=has_lines(panel),  # without clipping, the frame of a cell at an edge is whole
        )
    elif isinstance(layer, Arrows):
        look = {"color": layer.color, "linewidth": layer.width * PX, "shrinkA": 0, "shrinkB": 0}
        head = HEAD * PX * min(1, layer.width / 2)
        style = f"-|>,head_length={head},head_width={head / 2}"
        for start, end in zip(layer.start, layer.end, strict=True):
            axes.annotate("", end, start, arrowprops={"arrowstyle": style, "mutation_scale": 1, **look})
    elif isinstance(layer, Labels):
        placed: Any = {"color": layer.color, "size": layer.size * PX, "ha": layer.align, "va": "center"}
        if panel.equal:  # among arrows and arcs
            placed["path_effects"] = [withStroke(linewidth=HALO * PX, foreground=axes.get_facecolor())]
        for x, y, text in zip(layer.x, layer.y, layer.texts, strict=True):
            axes.text(x, y, drawable(text), **placed)
    else:
        axes.plot(
            layer.x,
            layer.y,
            "o",
            color=layer.color,
            markersize=layer.size * PX,
            markeredgewidth=0,
            clip_on=has_lines(panel),
        )


def _draw_color_bar(
    picture: Picture, scene: Scene, box: tuple[float, float, float, float], bar: ColorBar
) -> None:
    left, top, width, height = box
    axes = _axes(picture, scene, (left + width + BAR_BESIDE, top, BAR_WIDTH, height))
    ramp = color_table(bar.colors)[np.arange(1, 256, dtype=np.uint8)][:, None]
    axes.imshow(
        ramp, extent=(0, 1, bar.low, bar.high), aspect="auto", origin="lower", interpolation="nearest"
    )
    axes.spines[:].set(visible=False)
    axes.set_xticks([])
    axes.yaxis.tick_right()
    values, labels = zip(*bar.shown_ticks(), strict=True)
    axes.set_yticks(values, labels)
    _style_ticks(axes, scene.theme, marks=False, words=False)


def _style_ticks(axes: Axes, theme: Theme, marks: bool, words: bool) -> None:
    """Style ticks: quiet colours, ink for ``words``; without ``marks`` labels stand at the same distance."""
    size = theme.type_scale * TICK_SIZE * PX
    length, gap = TICK_LENGTH * PX * marks, (TICK_GAP + TICK_LENGTH * (not marks)) * PX
    color = theme.ink if words else theme.quiet
    axes.tick_params(length=length, pad=gap, labelsize=size, color=theme.rule, labelcolor=color)
