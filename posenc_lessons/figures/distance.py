"""The values of a relative encoding for each query and key: a matrix, and a curve against distance."""

from collections.abc import Sequence

import numpy as np

from posenc_lessons.figures.axis_names import KEY_N, QUERY_M, RELATIVE
from posenc_lessons.figures.colors import CHOSEN, ECHO, RESULT
from posenc_lessons.figures.scene import Axis, Heatmap, Layer, Line, Panel, Points, Scene
from posenc_lessons.figures.scene_parts import cell_numbers, color_key, rectangle, strokes
from posenc_lessons.figures.words import position_ticks
from posenc_lessons.language import Text

WIDTH, HEIGHT = 860, 480
LEFT, SIDE = 64, 380
LEFT_WITH_WORDS, SIDE_WITH_WORDS = 104, 340
MOST_NUMBERED = 12  # up to this many rows and columns, each cell shows its number


def distance_scene(
    values: np.ndarray,
    query: int,
    key: int,
    distances: np.ndarray,
    profile: np.ndarray,
    name: Text,
    colors: str,
    fan: Sequence[np.ndarray] = (),
    words: Sequence[str] = (),
) -> Scene:
    """Draw ``values`` [Lq, Lk], a cursor at (``query``, ``key``), and ``profile`` [n] over ``distances``.

    ``name`` says what the values are; ``colors`` is a name in colors.RAMPS; "diverging" is centred on 0.
    ``fan`` has the profiles of all heads, each [n]; ``words`` stand at positions 0, 1, … of both axes.
    """
    low, high = color_range(values, colors)
    left, side = (LEFT_WITH_WORDS, SIDE_WITH_WORDS) if words else (LEFT, SIDE)
    len_q, len_k = values.shape
    return Scene(
        WIDTH,
        HEIGHT,
        (
            _matrix_panel(
                Heatmap("values", values, low, high, colors), query, key, name, words, (left, 40, side, side)
            ),
            color_key("key", (left + side + 46, 40, 12, side), (low, high), colors),
            _profile_panel(distances, profile, key - query, float(values[query, key]), name, fan, side),
        ),
        alt=Text(
            "{len_q} 个查询、{len_k} 个键的{name}；光标在查询 {query}、键 {key}，值为 {value:g}。",
            "{name} for {len_q} queries and {len_k} keys; the cursor is at query {query}, key {key}, "
            "where it is {value:g}.",
        ).format(len_q=len_q, len_k=len_k, name=name, query=query, key=key, value=float(values[query, key])),
    )


def color_range(values: np.ndarray, colors: str) -> tuple[float, float]:
    """Return the lowest and highest colour value: symmetric about 0 for "diverging", never the same."""
    low, high = float(values.min()), float(values.max())
    if colors == "diverging":
        high = max(abs(low), abs(high))
        low = -high
    return (low, high) if low < high else (low - 1, high)


def _matrix_panel(
    heatmap: Heatmap,
    query: int,
    key: int,
    name: Text,
    words: Sequence[str],
    box: tuple[float, float, float, float],
) -> Panel:
    len_q, len_k = heatmap.values.shape
    layers: list[Layer] = [heatmap]
    if max(len_q, len_k) <= MOST_NUMBERED:
        layers += cell_numbers(heatmap, lambda value: f"{value + 0.0:.3g}".replace("-", "−"))
    # The rows of cells at this distance, [n, 1].
    rows = np.arange(max(0, query - key), min(len_q, len_k + query - key))[:, None]
    corners = 0.5 * np.array([[-1, 1, 1, -1, -1], [-1, -1, 1, 1, -1]])
    layers.append(strokes("alike", rows + key - query + corners[0], rows + corners[1], CHOSEN, 1.2))
    cell = (key - 0.5, key + 0.5), (query - 0.5, query + 0.5)
    layers.append(rectangle("cursor", *cell, CHOSEN, 3))
    return Panel(
        "matrix",
        box=box,
        asked=("values",),
        title=Text("{name}：斜线上都相同", "{name}: equal along a diagonal").format(name=name),
        x=Axis(KEY_N, -0.5, len_k - 0.5, position_ticks(words, len_k) if words else None, whole=True),
        y=Axis(QUERY_M, len_q - 0.5, -0.5, position_ticks(words, len_q) if words else None, whole=True),
        layers=tuple(layers),
        words=bool(words),
    )


def _profile_panel(
    distances: np.ndarray,
    profile: np.ndarray,
    distance: int,
    value: float,
    name: Text,
    fan: Sequence[np.ndarray],
    side: float,
) -> Panel:
    everything = np.stack([profile, *fan])
    low, high = float(everything.min()), float(everything.max())
    margin = 0.08 * (high - low or 1)
    return Panel(
        "profile",
        box=(610, 40, 220, 0.64 * side),
        asked=("profile",),
        title=Text("只看距离", "By distance"),
        x=Axis(RELATIVE, float(distances[0]), float(distances[-1]), whole=True),
        y=Axis(name, low - margin, high + margin),
        layers=(
            *(Line(f"head_{number}", distances, head, ECHO, 1.2) for number, head in enumerate(fan, 1)),
            Points("profile", distances, profile, RESULT, size=4),
            Points("here", np.array([float(distance)]), np.array([value]), CHOSEN, size=9),
        ),
    )
