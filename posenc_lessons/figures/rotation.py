"""Rotary encoding at work: two arrows that rotate, a dial for each pair, the score against distance."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from posenc_lessons.figures.colors import CHOSEN, KEY, MUTED, PALE, QUERY, RESULT
from posenc_lessons.figures.places import wide
from posenc_lessons.figures.scene import Arrows, Axis, Labels, Line, Panel, Points, Scene
from posenc_lessons.figures.scene_parts import NOTHING, strokes
from posenc_lessons.language import Text

WIDTH, HEIGHT = 770, 430
PALE_QUERY, PALE_KEY = "#BDC9F6", "#F4D0A2"
PLANE = (16, 36, 456, 388)  # the box of the arrows
DIALS = (530, 44, 228, 176)  # the box of the dials
SCORES = (530, 276, 228, 104)
UNIT = PLANE[3] / 2.4  # CSS pixels: the radius of the circle
# Radii of the arcs that show how far the arrows have turned, and of the name of the angle between them.
QUERY_ARC, KEY_ARC, APART = 0.84, 0.62, 0.44
ANGLES = 240  # places on a circle among which a label chooses
SHORTEST = 0.12  # radians of an arc with a name
NARROWEST = 0.2  # radians between the names of the arrows, however close these are
STEPS_SIZE = 16.0
HALF = 60  # points of an arc to its middle
LARGEST = 1.2  # the size of a label on a slide, as a share of its size here

BEFORE = Text("旋转前", "before")
DISTANCE = Text("$n-m$", "$n-m$")


@dataclass(frozen=True)
class Rotated:
    """What the picture shows of a query at position ``m`` and a key at ``n``, of d features.

    ``query``, ``key`` and their rotated versions [2] are unit arrows in the plane of pair ``pair``;
    ``query_angles`` and ``key_angles`` [d/2] are the angles of the pairs, in radians; ``products``
    [d/2] are their shares of the score. ``scores`` [n] belong to ``distances`` [n]; the
    dot is at ``distance`` and ``score``, perhaps beyond the curve's end.
    """

    query: np.ndarray
    key: np.ndarray
    turned_query: np.ndarray
    turned_key: np.ndarray
    query_angles: np.ndarray
    key_angles: np.ndarray
    pair: int
    products: np.ndarray
    distances: np.ndarray
    scores: np.ndarray
    distance: int
    score: float
    m: int = 0
    n: int = 0


def rotation_scene(numbers: Rotated) -> Scene:
    """Draw one pair of features as arrows, all pairs as dials, and the whole score against distance."""
    return Scene(
        WIDTH,
        HEIGHT,
        (
            _plane_panel(numbers),
            _dials_panel(numbers.query_angles, numbers.key_angles, numbers.pair),
            _score_panel(numbers),
        ),
        alt=Text(
            "第 {pair} 对特征里旋转后的查询和键；{n} 个表盘；"
            "分数随相对位置 n−m 变化的曲线，当前在 {distance}。",
            "Query and key after rotation in pair {pair}; {n} {dials}; the score against the relative "
            "position n−m, now {distance}.",
        ).format(
            pair=numbers.pair,
            n=len(numbers.query_angles),
            dials="dial" if len(numbers.query_angles) == 1 else "dials",
            distance=numbers.distance,
        ),
    )


def _plane_panel(numbers: Rotated) -> Panel:
    query, key = numbers.turned_query, numbers.turned_key
    start, end = (np.arctan2(arrow[1], arrow[0]) for arrow in (query, key))
    sweep = (end - start + np.pi) % (2 * np.pi) - np.pi
    arc = start + sweep * np.linspace(0, 1, 40)
    circle = np.linspace(0, 2 * np.pi, 121)
    middle, half = start + sweep / 2, max(abs(sweep), NARROWEST) / 2 * (1 if sweep >= 0 else -1)
    angles = np.array([middle - half, middle + half])
    query_name, key_name = _names(np.cos(angles), np.sin(angles))
    pale = float(np.arctan2(numbers.query[1], numbers.query[0]))
    # Whether the other names leave room.
    clear = bool((np.cos(np.append(angles, [start, end]) - pale) < 0.9).all())
    before, beyond = BEFORE.show(between=" ") if clear else "", 1.1 + 0.12 * abs(np.cos(pale))
    origin = np.zeros((1, 2))
    labels = Free([np.arctan2(y, x) for x, y in (numbers.query, numbers.key, query, key)])
    turns = numbers.query_angles[numbers.pair], numbers.key_angles[numbers.pair]
    query_arc = _turned("query", numbers.query, turns[0], QUERY, QUERY_ARC)
    key_arc = _turned("key", numbers.key, turns[1], KEY, KEY_ARC)
    degrees = labels.write("apart", f"{abs(np.degrees(sweep)):.0f}°", middle, APART, CHOSEN)
    query_steps = labels.write(
        "query_steps", _steps(numbers.m, turns[0]), _middle(query_arc), QUERY_ARC, QUERY
    )
    key_steps = labels.write("key_steps", _steps(numbers.n, turns[1]), _middle(key_arc), KEY_ARC, KEY)
    return Panel(
        "plane",
        box=PLANE,
        hero=True,
        asked=("turned_query", "turned_key", "query", "key"),
        title=Text("一对特征：走一步，转一个 θ", "one pair of features: a step turns it by θ"),
        equal=True,
        x=Axis(NOTHING, -1.2 * PLANE[2] / PLANE[3], 1.2 * PLANE[2] / PLANE[3], ()),
        y=Axis(NOTHING, -1.2, 1.2, ()),
        layers=(
            Line("circle", np.cos(circle), np.sin(circle), PALE),
            Arrows("query", origin, numbers.query[None], PALE_QUERY, width=3),
            Arrows("key", origin, numbers.key[None], PALE_KEY, width=3),
            _broken(query_arc, query_steps),
            _broken(key_arc, key_steps),
            Line("angle", 0.26 * np.cos(arc), 0.26 * np.sin(arc), CHOSEN, width=4),
            degrees,
            query_steps,
            key_steps,
            Arrows("turned_query", origin, query[None], QUERY, width=4),
            Arrows("turned_key", origin, key[None], KEY, width=4),
            query_name,
            key_name,
            Labels("before", *_at(pale, beyond), (before,), MUTED, 14.5),
        ),
    )


def _at(angle: float, radius: float) -> tuple[np.ndarray, np.ndarray]:
    return radius * np.cos([angle]), radius * np.sin([angle])


def _turned(name: str, arrow: np.ndarray, turn: float, color: str, radius: float) -> Line:
    """Draw how far ``arrow`` [2] turned, at most a whole circle."""
    arc = np.arctan2(arrow[1], arrow[0]) + min(float(turn), 2 * np.pi) * np.linspace(0, 1, 2 * HALF + 1)
    return Line(f"{name}_arc", radius * np.cos(arc), radius * np.sin(arc), color, 1.6, dashed=True)


def _steps(n: int, turn: float) -> str:
    """Name an arc, unless it is too short to be seen."""
    return f"{n}·θ" if turn > SHORTEST else ""


def _middle(arc: Line) -> float:
    return float(np.arctan2(arc.y[HALF], arc.x[HALF]))


def _broken(arc: Line, label: Labels) -> Line:
    """Return ``arc`` without what would go through ``label``, which may be larger on a slide."""
    half = LARGEST * _half_size(label.texts[0]) * bool(label.texts[0])
    hidden = (np.abs(arc.x - label.x) < half[0]) & (np.abs(arc.y - label.y) < half[1])
    return replace(arc, x=np.where(hidden, np.nan, arc.x), y=np.where(hidden, np.nan, arc.y))


def _half_size(text: str) -> np.ndarray:
    """Return half the width and height of ``text`` with some room, as shares of the circle's radius."""
    half: np.ndarray = np.array([0.5 * wide(text) + 0.2, 0.65]) * STEPS_SIZE / UNIT
    return half


class Free:
    """Writes labels on circles where neither an arrow from the centre nor an earlier label crosses them."""

    def __init__(self, arrows: Sequence[float]) -> None:
        """``arrows``: their angles in radians."""
        self.arrows = np.array(arrows)
        self.labels: list[tuple[np.ndarray, np.ndarray]] = []  # their middles and half their sizes

    def write(self, name: str, text: str, angle: float, radius: float, color: str) -> Labels:
        """Return ``text`` on the circle with ``radius``, at the free angle that is nearest to ``angle``."""
        half = _half_size(text)
        far = np.pi * np.arange(ANGLES) / ANGLES
        angles = angle + np.stack([far, -far], axis=1).ravel()
        middles = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        between = angles[:, None] - self.arrows
        reach = half[0] * np.abs(np.sin(self.arrows)) + half[1] * np.abs(np.cos(self.arrows))
        crossed = ((radius * np.abs(np.sin(between)) < reach) & (np.cos(between) > 0)).any(axis=1)
        for middle, size in self.labels:
            crossed |= (np.abs(middles - middle) < half + size).all(axis=1)
        place = middles[np.argmin(crossed)]
        self.labels.append((place, half))
        return Labels(name, place[:1], place[1:], (text,), color, STEPS_SIZE)


def _names(x: np.ndarray, y: np.ndarray) -> tuple[Labels, Labels]:
    """Name the arrows, outside the circle at ``x`` [2], ``y`` [2]."""
    query, key = 1.1 * np.stack([x, y], axis=1)
    return (
        Labels("q", query[:1], query[1:], ("q",), QUERY, 18),
        Labels("k", key[:1], key[1:], ("k",), KEY, 18),
    )


def dials_a_row(n: int) -> int:
    """Return how many of ``n`` dials stand in a row if they are as large as their box allows."""
    return max(range(1, n + 1), key=lambda a_row: _dial_size(n, a_row))


def _dial_size(n: int, a_row: int) -> float:
    """Return the CSS pixels for a dial and the room around it, with ``a_row`` dials in a row."""
    return min(DIALS[2] / (a_row + 0.1), DIALS[3] / (-(-n // a_row) + 0.1), 110.0)


def _dials_panel(query_angles: np.ndarray, key_angles: np.ndarray, pair: int) -> Panel:
    n = len(query_angles)
    a_row, unit = dials_a_row(n), _dial_size(n, dials_a_row(n))
    number, rows = np.arange(n), -(-n // a_row)
    centres = np.stack([number % a_row, number // a_row], axis=1).astype(float)
    one_row = rows == 1  # which has room for names
    left, top, width, _ = DIALS
    height = 1.5 * unit if one_row else DIALS[3]
    across, down = width / unit, height / unit  # both in dials, so that they stay round
    rim = np.linspace(0, 2 * np.pi, 73 if one_row else 37)
    rims = centres[:, None] + 0.42 * np.stack([np.cos(rim), np.sin(rim)], axis=1)
    names = _dial_names(query_angles) if one_row else ()
    ring = np.full_like(rims[pair], np.nan) if one_row else rims[pair]  # marks the pair of the large picture
    return Panel(
        "dials",
        box=(left, top, width, height),
        asked=("query",),
        title=NOTHING if one_row else Text("各对", "all pairs"),
        equal=True,
        x=Axis(NOTHING, (a_row - 1 - across) / 2, (a_row - 1 + across) / 2, ()),
        y=Axis(NOTHING, (rows - 1 + down) / 2, (rows - 1 - down) / 2, ()),
        layers=(
            strokes("rims", rims[..., 0], rims[..., 1], PALE),
            Line("own", ring[:, 0], ring[:, 1], CHOSEN, width=2.5),
            Labels("names", np.arange(float(len(names))), np.full(len(names), 0.57), names, QUERY, 12),
            # Like the hands of a clock: where they coincide, both are seen.
            Arrows("key", centres, centres + 0.44 * _hands(key_angles), KEY, width=1.5),
            Arrows("query", centres, centres + 0.3 * _hands(query_angles), QUERY, width=1.5),
        ),
    )


def _dial_names(turned: np.ndarray) -> tuple[str, ...]:
    """Name each pair with how far its query has ``turned``, in radians."""
    name = Text("第 {pair} 对：{turn}°", "pair {pair}: {turn}°")
    turns = [f"{turn:.0f}" if turn >= 10 else f"{turn:.1f}" for turn in np.degrees(turned)]
    return tuple(name.format(pair=pair, turn=turn).show(between="\n") for pair, turn in enumerate(turns))


def _hands(angles: np.ndarray) -> np.ndarray:
    """Return unit vectors [n, 2], anticlockwise from the right; the minus is needed because y points down."""
    return np.stack([np.cos(angles), -np.sin(angles)], axis=1)


def _score_panel(numbers: Rotated) -> Panel:
    distances, scores = numbers.distances, numbers.scores
    low, high = min(float(scores.min()), 0.0), max(float(scores.max()), 0.0)
    margin = 0.12 * (high - low)
    return Panel(
        "score",
        box=SCORES,
        asked=("curve", "here"),
        title=Text("分数", "the score"),
        x=Axis(DISTANCE, float(distances[0]), float(distances[-1]), whole=True),
        y=Axis(NOTHING, low - margin, high + margin),
        layers=(
            Line("curve", distances, scores, RESULT),
            Points("here", np.array([float(numbers.distance)]), np.array([numbers.score]), CHOSEN, size=9),
        ),
    )
