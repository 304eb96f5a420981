"""Rotary encoding at work: two arrows that rotate, a dial for each pair, the score against distance."""

from __future__ import annotations

import numpy as np

from posenc_lessons.figures.colors import BLUE, GREEN, INK, MUTED, PURPLE, VERMILLION
from posenc_lessons.figures.scene import Arrows, Axis, Labels, Line, Panel, Points, Scene
from posenc_lessons.figures.scene_parts import NOTHING
from posenc_lessons.language import Text

WIDTH, HEIGHT = 980, 480
PALE_BLUE, PALE_ORANGE, PALE = "#A9CDE6", "#F0C4A3", "#C9CED6"
DIALS = (500, 40, 456, 220)  # the box of the dials

SCORE = Text("分数", "score")
DISTANCE = Text("相对位置 $n-m$", "relative position $n-m$")


def rotation_scene(
    query: np.ndarray,
    key: np.ndarray,
    turned_query: np.ndarray,
    turned_key: np.ndarray,
    query_angles: np.ndarray,
    key_angles: np.ndarray,
    pair: int,
    products: np.ndarray,
    most: float,
    distances: np.ndarray,
    scores: np.ndarray,
    envelope: np.ndarray,
    distance: int,
    score: float,
) -> Scene:
    """Draw one pair of features as arrows, all pairs as dials, and the whole score against distance.

    ``query``, ``key`` and their rotated versions [2] are unit arrows in the plane of pair ``pair``;
    ``query_angles`` and ``key_angles`` [d/2] are the angles of the pairs, in radians; ``products``
    [d/2] are their shares of the score, within ±``most`` at any distance. ``scores`` and ``envelope`` [n]
    belong to ``distances`` [n]; the dot is at ``distance`` and ``score``, perhaps beyond the curve's end.
    """
    return Scene(
        WIDTH,
        HEIGHT,
        (
            _plane_panel(query, key, turned_query, turned_key),
            _products_panel(products, most, pair),
            _dials_panel(query_angles, key_angles, pair),
            _score_panel(distances, scores, envelope, distance, score),
        ),
        alt=Text(
            "第 {pair} 对特征里旋转后的查询和键；各对的乘积，加起来是分数；{n} 个表盘；"
            "分数随相对位置 n−m 变化的曲线，当前在 {distance}。",
            "Query and key after rotation in pair {pair}; each pair's product, together the score; {n} "
            "{dials}; the score against the relative position n−m, now {distance}.",
        ).format(
            pair=pair,
            n=len(query_angles),
            dials="dial" if len(query_angles) == 1 else "dials",
            distance=distance,
        ),
    )


def _plane_panel(
    query: np.ndarray, key: np.ndarray, turned_query: np.ndarray, turned_key: np.ndarray
) -> Panel:
    start, end = (np.arctan2(arrow[1], arrow[0]) for arrow in (turned_query, turned_key))
    sweep = (end - start + np.pi) % (2 * np.pi) - np.pi
    arc = start + sweep * np.linspace(0, 1, 40)
    circle = np.linspace(0, 2 * np.pi, 121)
    names = 1.16 * np.stack([turned_query, turned_key])
    origin = np.zeros((1, 2))
    return Panel(
        "plane",
        box=(52, 40, 380, 280),
        title=Text("这一对特征的平面", "The plane of this pair"),
        equal=True,
        x=Axis(NOTHING, -1.28 * 380 / 280, 1.28 * 380 / 280, ()),
        y=Axis(NOTHING, -1.28, 1.28, ()),
        layers=(
            Line("circle", np.cos(circle), np.sin(circle), PALE),
            Arrows("query", origin, query[None], PALE_BLUE),
            Arrows("key", origin, key[None], PALE_ORANGE),
            Line("angle", 0.35 * np.cos(arc), 0.35 * np.sin(arc), PURPLE, width=3),
            Arrows("turned_query", origin, turned_query[None], BLUE, width=3),
            Arrows("turned_key", origin, turned_key[None], VERMILLION, width=3),
            Labels("names", names[:, 0], names[:, 1], ("q", "k"), INK, size=15),
        ),
        legend=((Text("q", "q"), BLUE), (Text("k", "k"), VERMILLION)),
    )


def _products_panel(products: np.ndarray, most: float, pair: int) -> Panel:
    at = np.arange(float(len(products)))
    gap = np.full(len(at), np.nan)  # lifts the pen between stems
    stems = np.stack([at, at, gap], axis=1), np.stack([0 * at, products, gap], axis=1)
    dot = min(8.0, 0.5 * 380 / len(products))
    return Panel(
        "products",
        box=(52, 356, 380, 68),
        title=Text("每对的乘积，加起来就是分数", "Each pair's product: together, the score"),
        x=Axis(Text("第几对", "pair"), -0.75, len(products) - 0.25, whole=True),
        y=Axis(NOTHING, -1.1 * most, 1.1 * most),
        layers=(
            Line("stems", stems[0].ravel(), stems[1].ravel(), GREEN, width=2),
            Points("dots", at, products, GREEN, size=dot),
            Line("own_stem", stems[0][pair], stems[1][pair], PURPLE, width=3),
            Points("own", at[[pair]], products[[pair]], PURPLE, size=dot + 1),
            Line("zero", np.array([-0.75, len(products) - 0.25]), np.zeros(2), MUTED, width=1),
        ),
    )


def dials_a_row(n: int) -> int:
    """Return how many of ``n`` dials stand in a row when they are as large as their box allows."""
    return max(range(1, n + 1), key=lambda a_row: _dial_size(n, a_row))


def _dial_size(n: int, a_row: int) -> float:
    """Return the CSS pixels for a dial and the room around it, with ``a_row`` dials in a row."""
    return min(DIALS[2] / (a_row + 0.1), DIALS[3] / (-(-n // a_row) + 0.1), 110.0)


def _dials_panel(query_angles: np.ndarray, key_angles: np.ndarray, pair: int) -> Panel:
    n = len(query_angles)
    a_row, unit = dials_a_row(n), _dial_size(n, dials_a_row(n))
    number, rows = np.arange(n), -(-n // a_row)
    centres = np.stack([number % a_row, number // a_row], axis=1).astype(float)
    across, down = DIALS[2] / unit, DIALS[3] / unit  # both in dials, so that they stay round
    rim = np.append(np.linspace(0, 2 * np.pi, 37), np.nan)  # NaN lifts the pen between dials
    rims = centres[:, None] + 0.42 * np.stack([np.cos(rim), np.sin(rim)], axis=1)
    own = rims[pair]
    rims = rims.reshape(-1, 2)
    return Panel(
        "dials",
        box=DIALS,
        title=Text("每对一个表盘", "A dial for each pair"),
        equal=True,
        x=Axis(NOTHING, (a_row - 1 - across) / 2, (a_row - 1 + across) / 2, ()),
        y=Axis(NOTHING, (rows - 1 + down) / 2, (rows - 1 - down) / 2, ()),
        layers=(
            Line("rims", rims[:, 0], rims[:, 1], PALE),
            Line("own", own[:, 0], own[:, 1], PURPLE, width=2.5),
            Arrows("query", centres, centres + 0.4 * _hands(query_angles), BLUE, width=1.5),
            Arrows("key", centres, centres + 0.4 * _hands(key_angles), VERMILLION, width=1.5),
        ),
        legend=((Text("n", "n"), VERMILLION), (Text("m", "m"), BLUE))[::-1],
    )


def _hands(angles: np.ndarray) -> np.ndarray:
    """Return unit hands [n, 2], anticlockwise from the right; the minus is there because y points down."""
    return np.stack([np.cos(angles), -np.sin(angles)], axis=1)


def _score_panel(
    distances: np.ndarray, scores: np.ndarray, envelope: np.ndarray, distance: int, score: float
) -> Panel:
    top = 1.1 * float(envelope.max())
    return Panel(
        "score",
        box=(548, 308, 408, 116),
        title=Text("整个分数随相对位置的变化", "The whole score against relative position"),
        x=Axis(DISTANCE, float(distances[0]), float(distances[-1]), whole=True),
        y=Axis(SCORE, -top, top),
        layers=(
            Line("above", distances, envelope, MUTED, dashed=True),
            Line("below", distances, -envelope, MUTED, dashed=True),
            Line("curve", distances, scores, GREEN),
            Points("here", np.array([float(distance)]), np.array([score]), PURPLE, size=9),
        ),
    )
