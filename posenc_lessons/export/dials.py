"""The moving picture of the front page: a sentence with a dial for each word and speed, and what stays.

The hands of a word show its position. Beside them, two words' hands are in one dial: the angle between them
depends only on how far apart the words are.
"""

from __future__ import annotations

import html
import math

from posenc_lessons.export import texts
from posenc_lessons.language import Language, Text

WORDS = Text("小 狗 追 小 猫", "the dog bites the man")  # a word that occurs twice has different dials
SPEEDS = (1.0, 0.4, 0.1)  # radians per position
PAIR = (1, 4)  # the two words whose positions are compared
FARTHEST = 200  # the last position at which the sentence can begin
_COLUMN, _ROW, _TOP, _BESIDE = 86, 92, 60, 176  # in units of the drawing
_RADIUS, _LARGE = 33, 41  # of a word's dial, and of one with two hands


def dials(language: Language) -> str:
    """Return the figure with its slider; without a script it shows the sentence at position 0."""
    words = WORDS.show("en" if language == "en" else "zh").split()
    end = _COLUMN * len(words)
    first, second = (words[at] for at in PAIR)
    named = {"first": first, "second": second, "apart": PAIR[1] - PAIR[0]}
    apart = texts.DIALS_APART.format(**named).show(language)
    columns = "".join(_word(word, at) for at, word in enumerate(words)) + _pair(
        end + _BESIDE * 0.42, f"{first} ∠ {second}", apart
    )
    alt = texts.DIALS_ALT.format(sentence=" ".join(words), dials=len(SPEEDS), **named).show(language)
    return f"""<figure class="dials">
<figcaption>{texts.as_html(texts.DIALS_STAYS, language)}</figcaption>
<svg viewBox="0 0 {end + _BESIDE} {_TOP + _ROW * len(SPEEDS)}" role="img"
aria-label="{html.escape(alt)}">{columns}</svg>
<label class="move" hidden><span>{texts.as_html(texts.DIALS_SLIDER, language)}</span>
<input type="range" min="0" max="{FARTHEST}" step="1" value="0" autocomplete="off"></label>
</figure>"""


def _word(word: str, at: int) -> str:
    x = _COLUMN * (at + 0.5)
    pair = ' class="of-pair"' if at in PAIR else ""
    place = f'<tspan data-word="{at}">{at}</tspan>'
    hands = "".join(_dial(x, row, _RADIUS, at, _arrow(_RADIUS)) for row in range(len(SPEEDS)))
    return f"<g{pair}>{_head(x, word, place)}{hands}</g>"


def _pair(x: float, words: str, apart: str) -> str:
    """Return the dials with both words' hands, which turn together, and the angle between them."""
    parts = [_head(x, words, apart)]
    for row, speed in enumerate(SPEEDS):
        angle = (PAIR[1] - PAIR[0]) * speed
        end = f"{_LARGE * math.sin(angle):.1f} {-_LARGE * math.cos(angle):.1f}"
        wedge = f'<path class="wedge" d="M0 0V{-_LARGE}A{_LARGE} {_LARGE} 0 0 1 {end}z"/>'
        parts.append(
            _dial(x, row, _LARGE, PAIR[0], wedge + _arrow(_LARGE) + _arrow(_LARGE, math.degrees(angle)))
        )
        parts.append(
            f'<text class="angle" x="{x + 52}" y="{_middle(row) + 7}">{math.degrees(angle):.0f}°</text>'
        )
    return f'<g class="of-pair">{"".join(parts)}</g>'


def _head(x: float, word: str, position: str) -> str:
    return f'<text class="said" x="{x}" y="24">{word}</text><text class="at" x="{x}" y="48">{position}</text>'


def _middle(row: int) -> float:
    return _TOP + _ROW * (row + 0.5)


def _dial(x: float, row: int, radius: float, at: int, hands: str) -> str:
    """Return a dial; its ``hands``, drawn around (0, 0), turn clockwise with the position of word ``at``."""
    speed = SPEEDS[row]
    turned = f"transform:rotate({math.degrees(at * speed):.2f}deg)"
    return (
        f'<g transform="translate({x} {_middle(row)})"><circle r="{radius}"/><g class="hand speed{row}" '
        f'data-word="{at}" data-speed="{speed}" style="{turned}">{hands}</g></g>'
    )


def _arrow(radius: float, degrees: float = 0) -> str:
    """Return an arrow that is turned clockwise from the top."""
    tip = 4 - radius
    return (
        f'<g transform="rotate({degrees:.2f})"><path d="M0 0V{tip + 6}"/>'
        f'<path class="tip" d="M0 {tip}l-5.5 10h11z"/></g>'
    )
