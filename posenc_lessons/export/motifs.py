"""The picture on a lesson's card: its idea as a small drawing, computed from the lesson's mathematics.

A drawing has no words and one colour (``currentColor``) in several strengths, so that it is clear at 240
pixels and follows the theme.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

WIDTH, HEIGHT = 280, 120  # in units of the drawing
MIDDLE = HEIGHT / 2
Point = tuple[float, float]


def motif(lesson: str) -> str:
    """Return the drawing of a lesson (its file's name begins with its number) as SVG; "" if it has none."""
    draw = _DRAWINGS.get(lesson[:2])
    if draw is None:
        return ""
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{"".join(draw())}</svg>'


# ---- Strokes; ``strength`` is between 0 and 1 ----


def _dot(x: float, y: float, radius: float, strength: float = 1) -> str:
    return f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{radius:g}" fill="currentColor" opacity="{strength:.2g}"/>'


def _cell(x: float, y: float, width: float, height: float, strength: float = 1) -> str:
    box = f'x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" rx="2.5"'
    return f'<rect {box} fill="currentColor" opacity="{strength:.2g}"/>'


def _ring(x: float, y: float, radius: float, strength: float = 0.35, width: float = 2) -> str:
    place = f'cx="{x:.4g}" cy="{y:.4g}" r="{radius:g}"'
    return (
        f'<circle {place} fill="none" stroke="currentColor" stroke-width="{width:g}" opacity="{strength:g}"/>'
    )


def _line(points: Sequence[Point], strength: float = 1, width: float = 2.5, dash: str = "") -> str:
    path = "L".join(f"{x:.4g} {y:.4g}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    look = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="M{path}" {look} stroke-width="{width:.2g}" opacity="{strength:.2g}"{dashes}/>'


def _hand(x: float, y: float, radius: float, angle: float, strength: float = 1, width: float = 3) -> str:
    """Draw a dial's hand; its angle is clockwise from the top."""
    tip = (x + radius * math.sin(angle), y - radius * math.cos(angle))
    return _line([(x, y), tip], strength, width) + _dot(*tip, width * 1.3, strength)


# ---- One drawing for each lesson ----


def _start_here() -> Iterator[str]:
    """Draw the same three words in two orders: attention sees them as equal."""
    for side, order in ((34, (0, 1, 2)), (174, (2, 1, 0))):
        for place, word in enumerate(order):
            yield _dot(side + 36 * place, MIDDLE, 15, (1, 0.55, 0.2)[word])
    yield _line([(129, 53), (151, 53)], 0.8, 4.5) + _line([(129, 67), (151, 67)], 0.8, 4.5)


def _why_position() -> Iterator[str]:
    """Draw attention of words in two orders: its rows and columns only change places."""
    angles = np.array([0.2, 1.1, 1.9, 3.3, 4.6])
    weights = np.exp(2.2 * np.cos(angles[:, None] - angles))
    order = np.array([3, 0, 4, 2, 1])
    for corner, matrix in ((24, weights), (172, weights[np.ix_(order, order)])):
        strengths = matrix / matrix.max()
        for m, n in np.ndindex(5, 5):
            yield _cell(corner + 17 * n, 18 + 17 * m, 15, 15, 0.1 + 0.9 * strengths[m, n])
    for new, old in enumerate(order):
        yield _line([(115, 25.5 + 17 * old), (165, 25.5 + 17 * new)], 0.45, 2)


def _sinusoidal() -> Iterator[str]:
    """Draw waves, each slower than the one above, and their values at one position."""
    xs = np.arange(20, 261, 3)
    at = 49  # the position in ``xs``
    yield _line([(xs[at], 10), (xs[at], 110)], 0.3, 2)
    for row, wavelength in enumerate((34, 68, 136, 272)):
        heights = 22 + 25.5 * row - 9 * np.sin(math.tau * (xs - 20) / wavelength)
        yield _line([*zip(xs.tolist(), heights.tolist(), strict=True)], 0.85 - 0.15 * row) + _dot(
            xs[at], heights[at], 5
        )


def _learned() -> Iterator[str]:
    """Draw a table with a vector for each position; beyond the last trained one it is empty."""
    numbers = np.random.default_rng(1).random((5, 14))
    for row, column in np.ndindex(5, 14):
        strength = 0.12 + 0.88 * numbers[row, column] if column < 10 else 0.06
        yield _cell(22 + 17 * column, 18 + 17 * row, 15, 15, strength)
    yield _line([(191, 8), (191, 112)], 1, 2, "5 5")


def _relative() -> Iterator[str]:
    """Draw how a query looks back: what counts is the distance, here with ALiBi's weights."""
    query, step, floor = 236, 32, 92
    for distance in range(7):
        x, strength = query - step * distance, math.exp(-distance / 2.2)
        yield _dot(x, floor, 6, 1 if not distance else max(0.15, strength))
        if distance:
            turned = np.linspace(0, math.pi, 25)
            reach = step * distance / 2
            arc = [(x + reach + reach * math.cos(t), floor - 11 - 0.7 * reach * math.sin(t)) for t in turned]
            yield _line(arc, max(0.12, strength), 1.5 + 3 * strength)


def _rotary() -> Iterator[str]:
    """Draw how a query and a key turn with their positions; the angle between them stays."""
    apart, radius = 1.1, 34
    for place, angle in enumerate((-0.35, 0.75, 1.85)):
        x = 50 + 90 * place
        yield _ring(x, MIDDLE, 40, 0.25)
        turned = np.linspace(angle, angle + apart, 15)
        arc = [(x + 17 * math.sin(t), MIDDLE - 17 * math.cos(t)) for t in turned]
        yield (
            _line(arc, 0.55, 5)
            + _hand(x, MIDDLE, radius, angle)
            + _hand(x, MIDDLE, radius, angle + apart, 0.55)
        )


def _cope() -> Iterator[str]:
    """Draw how a gate opens at some tokens: the position counts open gates, not tokens."""
    gates = (0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0)
    width, stairs = 22, [(19.0, 74.0)]
    for place, gate in enumerate(gates):
        x, y = 19 + width * place, stairs[-1][1] - 19 * gate
        yield _cell(x + 3, 88, width - 6, 18, 1 if gate else 0.18)
        stairs += [(x, y), (x + width, y)]
    yield _line(stairs, 0.8, 3.5)


def _transformer() -> Iterator[str]:
    """Draw two layers of causal attention: each token reads those before it, each with another weight."""
    rows, columns = (102, 60, 18), range(7)
    for layer in (0, 1):
        for m in columns:
            scores = np.cos((1 + layer) * (m - np.arange(m + 1)) - 0.6 * layer) * 1.8
            for n, weight in enumerate(np.exp(scores) / np.exp(scores).sum()):
                ends = [(38 + 34 * n, rows[layer]), (38 + 34 * m, rows[layer + 1])]
                yield _line(ends, 0.12 + 0.75 * weight, 1 + 4 * weight)
    yield from (_dot(38 + 34 * column, row, 6.5) for row in rows for column in columns)


def _longer() -> Iterator[str]:
    """Draw how an angle leaves the range of training: stretched to half its speed, it stays inside."""
    trained, far, floor, top = 142, 258, 100, 22
    yield _cell(22, floor - 39, far - 22, 39, 0.12)
    yield _line([(trained, 12), (trained, floor)], 0.6, 2, "5 5")
    yield _line([(22, floor), (trained, floor - 39)], 1, 4)
    yield _line([(trained, floor - 39), (far, top)], 0.35, 4, "1 8")
    yield _line([(22, floor), (far, floor - 39)], 0.55, 4) + _dot(far, floor - 39, 6)


def _whose_position() -> Iterator[str]:
    """Draw rows of a batch: padding at the left, and several documents; in each, positions begin anew."""
    for row, (padding, *lengths) in enumerate(((3, 9), (0, 7, 5), (6, 6), (0, 3, 4, 5))):
        starts = [0, *np.cumsum(lengths)[:-1]]
        ids = [n for length in lengths for n in range(length)]
        y = 16 + 23 * row
        yield from (_ring(31.5 + 19.5 * place, y + 9, 3, 0.4) for place in range(padding))
        for place, position in enumerate(ids):
            x = 23 + 19.5 * (padding + place)
            yield _cell(x, y, 17, 18, 0.2 + 0.09 * position)
            if place in starts and place:
                yield _line([(x - 1.2, y - 2), (x - 1.2, y + 20)], 1, 2.5)


def _not_every_layer() -> Iterator[str]:
    """Draw layers by pairs of features: some layers do not rotate, and in the others only some pairs do."""
    for layer in range(3):
        for pair in range(7):
            x, y, turns = 32 + 36 * pair, 22 + 38 * layer, layer != 1 and pair < 4
            yield _ring(x, y, 13, 0.6 if turns else 0.2)
            if turns:
                yield _hand(x, y, 9, (1 + layer) * 2.4 * 0.45**pair)


def _more_coordinates() -> Iterator[str]:
    """Draw patches of a picture: the score falls with the distance in both directions."""
    rows, columns, (m, n) = 6, 14, (2, 5)
    for row, column in np.ndindex(rows, columns):
        away = (row - m) ** 2 + (column - n) ** 2
        yield _cell(22 + 17 * column, 9.5 + 17 * row, 15, 15, 0.1 + 0.9 * math.exp(-away / 5))
    x, y = 29.5 + 17 * n, 17 + 17 * m
    yield _line([(22, y), (258, y)], 0.5, 1.5) + _line([(x, 6), (x, 114)], 0.5, 1.5)


_DRAWINGS: dict[str, Callable[[], Iterator[str]]] = {
    "00": _start_here,
    "01": _why_position,
    "02": _sinusoidal,
    "03": _learned,
    "04": _relative,
    "05": _rotary,
    "06": _cope,
    "07": _transformer,
    "08": _longer,
    "09": _whose_position,
    "10": _not_every_layer,
    "11": _more_coordinates,
}
