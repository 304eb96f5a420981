"""The picture on a lesson's card: its idea as a small drawing, computed from the lesson's mathematics.

A drawing has one colour (``currentColor``) in several strengths, so that it follows the theme, and no words,
so that it is clear at 240 pixels. The cover of a lesson's slides has it large and adds words.
"""

import html
import math
import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

WIDTH, HEIGHT = 280, 120  # in units of the drawing
Point = tuple[float, float]
_TEXT = re.compile("<text.*?</text>")


def motif(lesson: str, words: Sequence[str] | None = None) -> str:
    """Return the drawing of a lesson (its file's name begins with its number) as SVG; "" if it has none.

    ``words`` fill the places that the drawing has for them, in its order; without ``words`` it has no text.
    """
    draw = _DRAWINGS.get(lesson[:2])
    if draw is None:
        return ""
    drawing = "".join(draw())
    drawing = drawing.format(*map(html.escape, words)) if words is not None else _TEXT.sub("", drawing)
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{drawing}</svg>'


# ---- Strokes; ``strength`` is between 0 and 1 ----


def _dot(x: float, y: float, radius: float, strength: float = 1) -> str:
    return f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{radius:g}" fill="currentColor" opacity="{strength:.2g}"/>'


def _cell(x: float, y: float, width: float, height: float, strength: float = 1) -> str:
    box = f'x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" rx="2.5"'
    return f'<rect {box} fill="currentColor" opacity="{strength:.2g}"/>'


def _ring(x: float, y: float, radius: float, strength: float) -> str:
    place = f'cx="{x:.4g}" cy="{y:.4g}" r="{radius:g}"'
    return f'<circle {place} fill="none" stroke="currentColor" stroke-width="2" opacity="{strength:g}"/>'


def _line(points: Sequence[Point], strength: float = 1, width: float = 2.5, dash: str = "") -> str:
    path = "L".join(f"{x:.4g} {y:.4g}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    look = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="M{path}" {look} stroke-width="{width:.2g}" opacity="{strength:.2g}"{dashes}/>'


def _label(x: float, y: float, text: str = "{}", anchor: str = "middle") -> str:
    """Write ``text``, or the next word, around (x, y), or with its "start" or "end" there."""
    place = f'x="{x:.4g}" y="{y + 2.6:.4g}" text-anchor="{anchor}"'
    return f'<text {place} font-size="7.6" fill="currentColor">{text}</text>'


def _hand(x: float, y: float, radius: float, angle: float, strength: float = 1, width: float = 3) -> str:
    """Draw a dial's hand; its angle is clockwise from the top."""
    tip = (x + radius * math.sin(angle), y - radius * math.cos(angle))
    return _line([(x, y), tip], strength, width) + _dot(*tip, width * 1.3, strength)


# ---- One drawing for each lesson ----


def _start_here() -> Iterator[str]:
    """Draw the same three words in two orders: attention sees them as equal."""
    for side, order in ((24, (0, 1, 2)), (184, (2, 1, 0))):
        for place, word in enumerate(order):
            yield _dot(side + 36 * place, 52, 15, (1, 0.55, 0.2)[word]) + _label(side + 36 * place, 78)
    yield _line([(129, 45), (151, 45)], 0.8, 4.5) + _line([(129, 59), (151, 59)], 0.8, 4.5) + _label(140, 78)


def _why_position() -> Iterator[str]:
    """Draw the weights of three words; words 0 and 2 change places, and what are the weights then?"""
    weights = np.array([[0.40, 0.27, 0.33], [0.00, 0.13, 0.87], [0.05, 0.92, 0.03]])
    for corner, word, anchor, values in (
        (46, 40, "end", weights),
        (162, 240, "start", np.zeros((3, 3))),
    ):
        for m, n in np.ndindex(3, 3):
            yield _cell(corner + 24 * n, 25 + 24 * m, 22, 22, 0.1 + values[m, n])
        yield from (_label(word, 36 + 24 * place, anchor=anchor) for place in range(3))
    yield from (_line([(122, 36 + 24 * m), (156, 84 - 24 * m)], 0.6, 2.5) for m in range(3))


def _sinusoidal() -> Iterator[str]:
    """Draw sine and cosine of a fast pair and a slow one, and their values at one position."""
    xs = np.arange(44, 237, 2)
    at = 54  # the position in ``xs``
    yield _line([(xs[at], 4), (xs[at], 104)], 0.3, 2) + _label(xs[at], 113)
    for row, (wave, wavelength) in enumerate(((np.sin, 36), (np.cos, 36), (np.sin, 180), (np.cos, 180))):
        heights = 16 + 25.5 * row - 9 * wave(math.tau * (xs - 44) / wavelength)
        yield _line([*zip(xs.tolist(), heights.tolist(), strict=True)], 0.85 - 0.15 * row)
        yield _dot(xs[at], heights[at], 5) + _label(38, 16 + 25.5 * row, wave.__name__, "end")
    yield _label(243, 29, anchor="start") + _label(243, 80, anchor="start")


def _learned() -> Iterator[str]:
    """Draw a table with a vector for each position; those behind the trained ones are as at the beginning."""
    numbers = np.random.default_rng(1).random((5, 14))
    for row, column in np.ndindex(5, 14):
        strength = 0.12 + 0.88 * numbers[row, column] if column < 10 else 0.04 + 0.12 * numbers[row, column]
        yield _cell(22 + 17 * column, 22 + 17 * row, 15, 15, strength)
    yield _line([(191, 12), (191, 116)], 1, 2, "5 5") + _label(106, 12) + _label(227, 12)


def _relative() -> Iterator[str]:
    """Draw how a query looks back: what counts is the distance, here with ALiBi's weights."""
    query, step, floor = 246, 36, 96
    yield from (_label(query - step * distance, 113) for distance in range(4))
    for distance in range(7):
        x, strength = query - step * distance, math.exp(-distance / 2.2)
        yield _dot(x, floor, 6, 1 if not distance else max(0.15, strength))
        if distance:
            turned = np.linspace(0, math.pi, 25)
            reach = step * distance / 2
            arc = [(x + reach + reach * math.cos(t), floor - 11 - 0.65 * reach * math.sin(t)) for t in turned]
            yield _line(arc, max(0.12, strength), 1.5 + 3 * strength)


def _rotary() -> Iterator[str]:
    """Draw a query at positions 0, 2 and 4: pale where it began, and the angle by which it has turned."""
    radius, y = 30, 52
    for place in range(3):
        x, angle = 50 + 90 * place, -1.1 * place
        turned = np.linspace(0, angle, 15)
        arc = [(x + 12 * math.sin(t), y - 12 * math.cos(t)) for t in turned]
        yield _ring(x, y, 36, 0.25) + _hand(x, y, radius, 0, 0.4)
        yield _line(arc, 0.55, 4) + _hand(x, y, radius, angle)
        yield _label(x + 43 * math.sin(angle), y - 43 * math.cos(angle), "q")
        if place:
            yield _label(x + 22 * math.sin(angle / 2), y - 22 * math.cos(angle / 2), f"{2 * place}θ")
        yield _label(x, 110, f"m = {2 * place}")


def _cope() -> Iterator[str]:
    """Draw how gates open at full stops: back from the last token, the position counts open gates."""
    gates = (0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0)
    width, stairs = 22, [(261.0, 72.0)]
    for place, gate in reversed([*enumerate(gates)]):
        x, y = 19 + width * place, stairs[-1][1] - 16 * gate
        yield _cell(x + 3, 82, width - 6, 16, 1 if gate else 0.18)
        stairs += [(x + width, y), (x, y)]
    yield _line(stairs, 0.8, 3.5)
    yield from (_label(30 + width * place, 109) for place in range(len(gates)))
    yield from (_label(x, 64 - 16 * count, str(count)) for count, x in enumerate((239, 173, 96, 41)))


def _transformer() -> Iterator[str]:
    """Draw two layers of causal attention: each token reads those before it, each with another weight."""
    rows, columns = (98, 58, 18), range(7)
    for layer in (0, 1):
        yield _label(36, 78 - 40 * layer, anchor="end")
        for m in columns:
            scores = np.cos((1 + layer) * (m - np.arange(m + 1)) - 0.6 * layer) * 1.8
            for n, weight in enumerate(np.exp(scores) / np.exp(scores).sum()):
                ends = [(48 + 33 * n, rows[layer]), (48 + 33 * m, rows[layer + 1])]
                yield _line(ends, 0.12 + 0.75 * weight, 1 + 4 * weight)
    yield from (_dot(48 + 33 * column, row, 6.5) for row in rows for column in columns)
    yield _label(147, 115)


def _longer() -> Iterator[str]:
    """Draw how an angle leaves the range of training: stretched to half its speed, it stays inside."""
    trained, far, floor, top = 142, 258, 100, 22
    yield _cell(22, floor - 39, far - 22, 39, 0.12)
    yield _line([(trained, 12), (trained, floor)], 0.6, 2, "5 5")
    yield _line([(22, floor), (trained, floor - 39)], 1, 4)
    yield _line([(trained, floor - 39), (far, top)], 0.35, 4, "1 8")
    yield _line([(22, floor), (far, floor - 39)], 0.55, 4) + _dot(far, floor - 39, 6)
    yield _label(trained, 109) + _label(148, 20, anchor="start") + _label(254, 91, anchor="end")


def _whose_position() -> Iterator[str]:
    """Draw rows of a batch: padding at the left, and several documents; in each, positions begin anew."""
    for row, (padding, *lengths) in enumerate(((3, 9), (0, 7, 5), (6, 6), (0, 3, 4, 5))):
        ids = [n for length in lengths for n in range(length)]
        y = 18 + 23 * row
        yield from (_ring(31.5 + 19.5 * place, y + 9, 3, 0.4) for place in range(padding))
        for place, position in enumerate(ids):
            x = 23 + 19.5 * (padding + place)
            yield _cell(x, y, 17, 18, 0.2 + 0.09 * position)
            if row in (0, 3):
                yield _label(x + 8.5, 10 if row == 0 else 114, str(position))
            if place and not position:
                yield _line([(x - 1.2, y - 2), (x - 1.2, y + 20)], 1, 2.5)
    yield _label(51, 10)


def _not_every_layer() -> Iterator[str]:
    """Draw layers by pairs of features: some layers do not rotate, and in the others only some pairs do."""
    for layer in range(3):
        yield _label(52, 20 + 35 * layer, anchor="end")
        for pair in range(7):
            x, y, turns = 74 + 31 * pair, 20 + 35 * layer, layer != 1 and pair < 4
            yield _ring(x, y, 13, 0.6 if turns else 0.2)
            if turns:
                yield _hand(x, y, 9, (1 + layer) * 2.4 * 0.45**pair)
    yield _label(120.5, 113) + _label(229, 113)


def _more_coordinates() -> Iterator[str]:
    """Draw patches of a video's first frame: the score falls with the distance in both directions."""
    rows, columns, (m, n) = 6, 12, (2, 4)
    for frame in (2, 1):
        x, y = 36 + 12 * frame, 24 - 8 * frame
        yield _line([(x, y), (x + 192, y), (x + 192, y + 84)], 0.6 / frame, 2)
    for row, column in np.ndindex(rows, columns):
        away = (row - m) ** 2 + (column - n) ** 2
        yield _cell(36 + 16 * column, 24 + 14 * row, 14.5, 12.5, 0.1 + 0.9 * math.exp(-away / 5))
    x, y = 43 + 16 * n, 30 + 14 * m
    yield _line([(36, y), (227, y)], 0.5, 1.5) + _line([(x, 24), (x, 107)], 0.5, 1.5)
    yield _label(32, y, anchor="end") + _label(x, 114) + _label(256, 96, anchor="start")


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
