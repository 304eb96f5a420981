"""What a relative encoding sees for each query and key: a matrix, and the same against distance."""

from __future__ import annotations

import numpy as np

from posenc_lessons.figures.draw import color_table
from posenc_lessons.figures.scene import Axis, Heatmap, Labels, Layer, Line, Panel, Points, Scene
from posenc_lessons.figures.style import GREEN, INK, PURPLE
from posenc_lessons.language import Text

WIDTH, HEIGHT = 960, 480
SIDE = 380
MOST_NUMBERED = 12  # up to this many rows and columns, each cell shows its number
WHITE = "#FFFFFF"

QUERY = Text("查询位置 $i$", "query position $i$")
KEY = Text("键位置 $j$", "key position $j$")
DISTANCE = Text("距离 $j-i$", "distance $j-i$")


def distance_scene(
    values: np.ndarray,
    query: int,
    key: int,
    distances: np.ndarray,
    profile: np.ndarray,
    name: Text,
    colors: str,
) -> Scene:
    """``values`` [Lq, Lk] with a cursor at (``query``, ``key``), and ``profile`` [n] over ``distances`` [n].

    ``name`` says what the values are; ``colors`` is a name in draw.COLOR_MAPS; "diverging" is centred on 0.
    """
    low, high = color_range(values, colors)
    len_q, len_k = values.shape
    return Scene(
        WIDTH,
        HEIGHT,
        (
            _matrix_panel(Heatmap("values", values, low, high, colors), query, key, name),
            _key_panel(low, high, colors),
            _profile_panel(distances, profile, key - query, float(values[query, key]), name),
        ),
        alt=Text(
            "{len_q} 个查询、{len_k} 个键的{name}；光标在查询 {query}、键 {key}，值为 {value:g}。",
            "{name_en} for {len_q} queries and {len_k} keys; the cursor is at query {query}, key {key}, "
            "where it is {value:g}.",
        ).format(
            len_q=len_q,
            len_k=len_k,
            name=name.zh,
            name_en=name.en,
            query=query,
            key=key,
            value=float(values[query, key]),
        ),
    )


def color_range(values: np.ndarray, colors: str) -> tuple[float, float]:
    """The lowest and highest colour: symmetric about 0 for "diverging"; never an empty range."""
    low, high = float(values.min()), float(values.max())
    if colors == "diverging":
        high = max(abs(low), abs(high))
        low = -high
    return (low, high) if low < high else (low - 1, high)


def _matrix_panel(heatmap: Heatmap, query: int, key: int, name: Text) -> Panel:
    len_q, len_k = heatmap.values.shape
    edge = np.array([-0.5, 0.5])
    layers: list[Layer] = [heatmap]
    if max(len_q, len_k) <= MOST_NUMBERED:
        layers += _numbers(heatmap)
    layers.append(Line("cursor", key + edge[[0, 1, 1, 0, 0]], query + edge[[0, 0, 1, 1, 0]], PURPLE, width=3))
    return Panel(
        "matrix",
        box=(64, 40, SIDE, SIDE),
        title=name,
        x=Axis(KEY, -0.5, len_k - 0.5, whole=True),
        y=Axis(QUERY, len_q - 0.5, -0.5, whole=True),
        layers=tuple(layers),
    )


def _numbers(heatmap: Heatmap) -> list[Layer]:
    """The value in every cell, dark on light cells and light on dark ones."""
    lightness = color_table(heatmap.colors)[heatmap.indices()][..., :3] @ [0.2126, 0.7152, 0.0722]
    layers: list[Layer] = []
    for layer, color, cells in (("dark", INK, lightness > 128), ("light", WHITE, lightness <= 128)):
        rows, columns = np.nonzero(cells)
        texts = tuple(f"{value:.3g}".replace("-", "−") for value in heatmap.values[rows, columns])
        layers.append(Labels(layer, columns.astype(float), rows.astype(float), texts, color))
    return layers


def _key_panel(low: float, high: float, colors: str) -> Panel:
    """The colours of the matrix, as a panel of its own so that its numbers can follow the sliders."""
    ramp = np.linspace(high, low, 255)[:, None]
    # A cell is one unit wide and the ramp has 255 of them, so the axis counts cells and ticks name values.
    ticks = Axis(Text("", ""), low, high).shown_ticks()
    cells = tuple(((high - value) / (high - low) * 254, label) for value, label in ticks)
    return Panel(
        "key",
        box=(64 + SIDE + 46, 40, 12, SIDE),
        title=Text("", ""),
        x=Axis(Text("", ""), -0.5, 0.5, ()),
        y=Axis(Text("", ""), 254.5, -0.5, cells),
        layers=(Heatmap("ramp", ramp, low, high, colors),),
    )


def _profile_panel(
    distances: np.ndarray, profile: np.ndarray, distance: int, value: float, name: Text
) -> Panel:
    low, high = float(profile.min()), float(profile.max())
    margin = 0.08 * (high - low or 1)
    return Panel(
        "profile",
        box=(590, 40, 340, SIDE),
        title=Text("只看距离", "By distance alone"),
        x=Axis(DISTANCE, float(distances[0]), float(distances[-1]), whole=True),
        y=Axis(name, low - margin, high + margin),
        layers=(
            Points("profile", distances, profile, GREEN, size=4),
            Points("here", np.array([float(distance)]), np.array([value]), PURPLE, size=9),
        ),
    )
