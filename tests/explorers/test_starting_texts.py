"""Text boxes begin in the reader's language, or with both languages for a reader of both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, GateExplorer, ShuffleExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import TextBox
from posenc_lessons.explorers.tokens import word_tokens
from posenc_lessons.language import CHINESE

LATIN = re.compile("[a-zA-Z]")
TOGETHER = {
    ShuffleExplorer: ("sentence", "the dog bites the man 狗咬人"),
    GateExplorer: (
        "text",
        "我看见一只小狗。它跑了！The dog saw a cat and the dog ran home. Is it raining? Yes",
    ),
}


@pytest.fixture(autouse=True)
def both_again() -> Iterator[None]:
    yield
    language.only("both")


def texts(explorer: Explorer) -> dict[str, str]:
    """Return the texts in the text boxes, by name."""
    found: dict[str, Any] = explorer.parameters()
    return {name: found[name] for name, box in explorer.controls.items() if isinstance(box, TextBox)}


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.__name__)
def test_in_an_english_copy_no_explorer_begins_with_chinese(make: type[Explorer]) -> None:
    language.only("en")
    explorer = make()
    scene, reading = explorer.present_scene()
    shown = [*texts(explorer).values(), scene.alt.show(), reading.show()]
    shown += explorer.code(explorer.parameters()).splitlines()
    assert [each for each in shown if CHINESE.search(each)] == []
    explorer.close()


@pytest.mark.parametrize("make", TOGETHER, ids=lambda make: make.__name__)
def test_a_text_follows_the_language_until_the_reader_changes_it(make: type[Explorer]) -> None:
    name, together = TOGETHER[make]
    language.choose("zh")
    explorer = make()
    chinese = explorer.initial[name]
    assert CHINESE.search(chinese) and not LATIN.search(chinese)
    language.choose("en")
    english = explorer.initial[name]
    assert explorer.controls[name].value == english
    assert not CHINESE.search(english)
    asked: dict[str, Any] = {name: together}
    asked_for = make(**asked)
    language.choose("both")
    assert explorer.initial[name] == explorer.controls[name].value == together
    explorer.controls[name].value = "狗 dog"
    language.choose("en")
    assert explorer.controls[name].value == "狗 dog"
    explorer.reset()
    assert explorer.controls[name].value == english
    language.choose("zh")
    assert explorer.controls[name].value == chinese
    assert asked_for.initial[name] == asked_for.controls[name].value == together
    explorer.close()
    asked_for.close()


def test_the_texts_of_the_gates_have_the_same_tokens_to_count() -> None:
    explorer = GateExplorer()

    def counted() -> list[tuple[bool, bool]]:
        text, dog = explorer.initial["text"], explorer.initial["chosen"]
        return [(token.ends_sentence, token.text == dog) for token in word_tokens(text)]

    together = counted()
    for spoken in ("zh", "en"):
        language.choose(spoken)
        assert counted() == together and explorer.initial["query"] == 20
    explorer.close()
