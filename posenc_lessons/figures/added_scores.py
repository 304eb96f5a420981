"""What several encodings add to the scores of one text, side by side, and one row of each as a curve."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from posenc_lessons.figures.axis_names import KEY_N, QUERY_M
from posenc_lessons.figures.colors import INK
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.figures.scene import Axis, End, Heatmap, Layer, Line, Panel, Points, Scene
from posenc_lessons.figures.scene_parts import NOTHING, color_key, rectangle
from posenc_lessons.language import Text

WIDTH, HEIGHT = 960, 480
LEFT, TOP, SIDE, APART = 64, 40, 230, 46
ROW_TOP, ROW_HEIGHT = 358, 80


def added_scores_scene(added: Mapping[str, np.ndarray], text: str, head: int, query: int, key: int) -> Scene:
    """Draw ``added`` {encoding: [H, L, L]}: a map of ``head`` (from 1) for each; below, the row of ``query``.

    All maps and all heads have the same colour scale; the curves below share one axis.
    """
    largest = max(float(np.abs(scores).max()) for scores in added.values())
    text = text.replace(" ", "␣")
    ticks = tuple((float(at), symbol) for at, symbol in enumerate(text))
    panels = []
    for place, (name, scores) in enumerate(added.items()):
        panels.append(
            Panel(
                name,
                box=(LEFT + place * (SIDE + APART), TOP, SIDE, SIDE),
                asked=("added",),
                title=LOOKS[name].name,
                x=Axis(KEY_N, -0.5, len(text) - 0.5, ticks),
                y=Axis(QUERY_M if place == 0 else NOTHING, len(text) - 0.5, -0.5, ticks),
                layers=(
                    Heatmap("added", scores[head - 1], -largest, largest, "diverging"),
                    rectangle("row", (-0.5, len(text) - 0.5), (query - 0.5, query + 0.5), INK, 1.2),
                    rectangle("cell", (key - 0.5, key + 0.5), (query - 0.5, query + 0.5), INK, 2.6),
                ),
            )
        )
    across = len(added) * (SIDE + APART) - APART
    panels.append(color_key("key", (LEFT + across + 46, TOP, 12, SIDE), (-largest, largest), "diverging"))
    rows = {name: scores[head - 1, query].astype(float) for name, scores in added.items()}
    panels.append(_row_panel(rows, key, across, ticks, text[query], query))
    return Scene(WIDTH, HEIGHT, tuple(panels), alt=_alt(rows, text, head, query, key))


def _row_panel(
    rows: Mapping[str, np.ndarray],
    key: int,
    across: int,
    ticks: tuple[tuple[float, str], ...],
    symbol: str,
    query: int,
) -> Panel:
    low, high = (float(pick(np.stack(list(rows.values())))) for pick in (np.min, np.max))
    margin = 0.12 * (high - low or 1)
    at = np.arange(len(ticks), dtype=float)
    layers: list[Layer] = [
        Line("key", np.full(2, float(key)), np.array([low - margin, high + margin]), INK, 1.2, dashed=True),
    ]
    for name, row in rows.items():
        look = LOOKS[name]
        layers.append(Line(f"line_{name}", at, row, look.color, 2, look.dashed))
        layers.append(Points(f"dots_{name}", at, row, look.color, 5))
        layers.append(Points(f"here_{name}", at[[key]], row[[key]], look.color, 10))
    return Panel(
        "row",
        box=(LEFT, ROW_TOP, across, ROW_HEIGHT),
        asked=tuple(f"dots_{name}" for name in rows),
        title=Text(
            "查询“{q}”（m = {m}）的那一行，三个画在一起",
            "The row of query “{q}” (m = {m}), all three together",
        ).format(q=symbol, m=query),
        x=Axis(KEY_N, -0.5, len(ticks) - 0.7, ticks),
        y=Axis(Text("加的分数", "added score"), low - margin, high + margin),
        layers=tuple(layers),
        ends=tuple(End(LOOKS[name].name, LOOKS[name].color, float(row[-1])) for name, row in rows.items()),
    )


def _alt(rows: Mapping[str, np.ndarray], text: str, head: int, query: int, key: int) -> Text:
    zh = "，".join(f"{LOOKS[name].name.zh} {row[key]:.2f}" for name, row in rows.items())
    en = ", ".join(f"{LOOKS[name].name.en} {row[key]:.2f}" for name, row in rows.items())
    return Text(
        f"文本 {text} 的每个查询和键，第 {head} 个头在 softmax 之前加的分数，三种编码并排，同一把色尺；"
        f"下面是查询 {query} 那一行的三条曲线。在键 {key} 上：{zh}。",
        f"What head {head} adds before softmax for each query and key of {text}, by three encodings side by "
        f"side on one colour scale; below, the row of query {query} as three curves. At key {key}: {en}.",
    )
