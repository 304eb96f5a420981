"""The moving picture of the front page: a sentence with a dial for each word and speed, and what stays.

The hands of a word show its position. Beside them, two words' hands are in one dial: the angle between them
depends only on how far apart the words are.
"""

import math

from markupsafe import Markup

from posenc_lessons.export import texts
from posenc_lessons.export.document import templates, words_in
from posenc_lessons.language import Language, Text

WORDS = Text("小 狗 追 小 猫", "the dog bites the man")  # a word that occurs twice has different dials
SPEEDS = (1.0, 0.4, 0.1)  # radians per position
PAIR = (1, 4)  # the two words whose positions are compared
FARTHEST = 200  # the last position at which the sentence can begin


def dials(language: Language) -> Markup:
    """Return the figure with its slider; without a script it shows the sentence at position 0."""
    words = WORDS.show("en" if language == "en" else "zh").split()
    first, second = (words[at] for at in PAIR)
    apart = PAIR[1] - PAIR[0]
    named = {"first": first, "second": second, "apart": apart}
    angles = [apart * speed for speed in SPEEDS]
    figure = templates().get_template("dials.html.j2")
    return Markup(
        figure.render(
            **words_in(language),
            **named,
            sentence=words,
            pair=PAIR,
            farthest=FARTHEST,
            alt=texts.DIALS_ALT.format(sentence=" ".join(words), dials=len(SPEEDS), **named).show(language),
            turns=[(speed, math.degrees(speed)) for speed in SPEEDS],
            between=[(math.degrees(angle), math.sin(angle), -math.cos(angle)) for angle in angles],
        )
    )
