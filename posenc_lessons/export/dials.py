"""The moving picture of the front page: a sentence, with dials below each word that show its position."""

from __future__ import annotations

import html
import math

from posenc_lessons.export import texts
from posenc_lessons.language import Language, Text

WORDS = Text("小 狗 追 小 猫", "the dog bites the man")  # a word that occurs twice has different dials
SPEEDS = (1.0, 0.5, 0.2, 0.05)  # radians per position
PAIR = (1, 4)  # the two words whose positions are compared
FARTHEST = 200  # the last position at which the sentence can begin
_COLUMN, _ROW, _RADIUS, _TOP = 92, 58, 23, 76  # in units of the drawing


def dials(language: Language) -> str:
    """Return the figure with its slider; without a script it shows the sentence at position 0."""
    words = WORDS.show("en" if language == "en" else "zh").split()
    width, height = _COLUMN * len(words), _TOP + _ROW * len(SPEEDS) - 12
    columns = "".join(_word(word, at) for at, word in enumerate(words))
    first, second = (words[at] for at in PAIR)
    reading = texts.DIALS_READ.format(first=first, second=second, apart=PAIR[1] - PAIR[0]).show(language)
    label = html.escape(texts.DIALS_SLIDER.show(language))
    product = sum(math.cos((PAIR[1] - PAIR[0]) * speed) for speed in SPEEDS)
    at_start = reading.format(m=PAIR[0], n=PAIR[1], product=f"{product:.3f}")
    alt = html.escape(texts.DIALS_ALT.format(sentence=" ".join(words), dials=len(SPEEDS)).show(language))
    return f"""<figure class="dials" data-pair="{PAIR[0]} {PAIR[1]}">
<svg viewBox="0 0 {width} {height}" role="img" aria-label="{alt}">{columns}</svg>
<label class="move" hidden><span>{label}</span>
<input type="range" min="0" max="{FARTHEST}" step="1" value="0" autocomplete="off"></label>
<p class="reading" aria-live="polite" data-said="{html.escape(reading)}">{html.escape(at_start)}</p>
</figure>"""


def _word(word: str, at: int) -> str:
    x = _COLUMN * (at + 0.5)
    pair = " of-pair" if at in PAIR else ""
    hands = "".join(_dial(x, row, at, speed) for row, speed in enumerate(SPEEDS))
    return (
        f'<g class="word{pair}"><text class="said" x="{x}" y="24">{html.escape(word)}</text>'
        f'<text class="at" x="{x}" y="45" data-word="{at}">{at}</text>{hands}</g>'
    )


def _dial(x: float, row: int, at: int, speed: float) -> str:
    """Return a dial whose hand starts at twelve and turns clockwise."""
    y = _TOP + _ROW * row + _RADIUS - 8
    degrees = math.degrees(at * speed)
    tip = y - _RADIUS + 4
    return (
        f'<circle cx="{x}" cy="{y}" r="{_RADIUS}"/>'
        f'<g class="hand speed{row}" data-word="{at}" data-speed="{speed}" '
        f'style="transform-origin:{x}px {y}px;transform:rotate({degrees:.2f}deg)">'
        f'<path d="M{x} {y}V{tip + 5}"/><path class="tip" d="M{x} {tip}l-5 9h10z"/></g>'
    )
