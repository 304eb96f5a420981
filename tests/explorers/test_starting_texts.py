"""Text boxes begin in the reader's language, or with both languages for a reader of both."""

import re

import pytest

from posenc_lessons import language
from posenc_lessons.explorers import GateExplorer, ShuffleExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.language import CHINESE

LATIN = re.compile("[a-zA-Z]")


@pytest.mark.parametrize(("make", "name"), [(ShuffleExplorer, "sentence"), (GateExplorer, "text")])
def test_a_text_follows_the_language_until_the_reader_changes_it(make: type[Explorer], name: str) -> None:
    explorer = make()
    together = explorer.initial[name]
    language.choose("zh")
    chinese = explorer.initial[name]
    assert CHINESE.search(chinese) and not LATIN.search(chinese)
    language.choose("en")
    english = explorer.initial[name]
    assert explorer.controls[name].value == english and not CHINESE.search(english)
    given_text = make(**{name: together})
    language.choose("both")
    assert explorer.initial[name] == explorer.controls[name].value == together
    explorer.controls[name].value = "狗 dog"
    language.choose("en")
    assert explorer.controls[name].value == "狗 dog"
    explorer.reset()
    assert explorer.controls[name].value == english
    language.choose("zh")
    assert explorer.controls[name].value == chinese
    assert given_text.initial[name] == given_text.controls[name].value == together
