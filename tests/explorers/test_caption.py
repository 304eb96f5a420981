"""The sentence below a picture: its numbers have colours, and the rest is plain text."""

import pytest

from posenc_lessons.explorers.caption import Caption, Colored, as_html, filled, number, sentences, with_minus
from posenc_lessons.figures.colors import ORANGE, PURPLE
from posenc_lessons.figures.theme import LIGHT
from posenc_lessons.language import Language, Text


def colored(reading: Caption, spoken: Language) -> list[tuple[str, str]]:
    """Return the coloured parts of the sentence in that language, with their colours."""
    sentence = reading.show(spoken)
    return [(sentence[start:end], color) for start, end, color, _ in reading.spans[spoken]]


def test_filled_works_as_format_and_keeps_colours() -> None:
    template = Text("{{{a}}} 比 {b:.1f} 大，{a}", "{a} beats {b:.1f}")
    reading = filled(template, a=number(-0.5, PURPLE), b=-2)
    plain = template.format(a="−0.50", b=-2)
    assert (reading.zh, reading.en) == ("{−0.50} 比 −2.0 大，−0.50", "−0.50 beats −2.0")
    assert (plain.zh, plain.en) == (reading.zh.replace("−2", "-2"), reading.en.replace("−2", "-2"))
    assert colored(reading, "zh") == [("−0.50", PURPLE)] * 2 and colored(reading, "en") == [("−0.50", PURPLE)]


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (-3, "", "−3"),
        (-1234.5, ",.1f", "−1,234.5"),
        (-0.001, ".0%", "0%"),
        (-0.0, ".2f", "0.00"),
        (2, "d", "2"),
    ],
)
def test_a_number_has_a_minus_sign_below_zero_only(value: float, form: str, shown: str) -> None:
    assert with_minus(value, form) == shown


def test_joined_sentences_keep_their_colours() -> None:
    one = filled(Text("甲 {a}。", "A {a}."), a=Colored("1", PURPLE))
    two = filled(Text("乙 {a}。", "B {a}."), a=Colored("2", ORANGE))
    both = sentences(one, Text("", ""), Text("无。", "None."), two)
    assert (both.zh, both.en) == ("甲 1。无。乙 2。", "A 1. None. B 2.")
    assert colored(both, "zh") == colored(both, "en") == [("1", PURPLE), ("2", ORANGE)]


def test_quoted_text_stays_text() -> None:
    hostile = '"><script>alert(1)</script>&amp;{0.__class__}'
    reading = filled(Text("“{it}”{n}", "“{it}” {n}"), it=hostile, n=Colored(hostile, PURPLE))
    html = as_html(reading, LIGHT)
    assert "<script" not in html and html.count("<span") == 2 and html.count("&lt;script&gt;") == 4
