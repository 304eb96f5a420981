"""Guesses: tables are complete in both languages, lessons ask and settle each once, choices are kept."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import ipywidgets
import nbformat
import pytest

from posenc_lessons import progress
from posenc_lessons.course import guess as cards
from posenc_lessons.course.guess import answer_html, guess, question_html, settle
from posenc_lessons.course.guesses import Guess, find, tables
from posenc_lessons.course.lessons import lesson_names, shipped_lessons
from posenc_lessons.language import Text
from tests.notebooks import bilingual
from tests.support.duties import assert_complete

GUESSES = [each for table in tables().values() for each in table]
CALL = re.compile(r"^(guess|settle)\((.*)\)$", re.MULTILINE)
ROPE = find("rope-parameters")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Start as a reader without guesses in a fresh kernel; return the folder of the progress."""
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path))
    monkeypatch.setattr(cards, "_cards", {})
    yield tmp_path
    ipywidgets.Widget.close_all()


def texts(asked: Guess) -> list[Text]:
    return [asked.asks, *itertools.chain.from_iterable((each.says, each.why) for each in asked.choices)]


@pytest.mark.parametrize("asked", GUESSES, ids=lambda asked: asked.name)
def test_a_guess_has_one_right_choice_and_speaks_both_languages(asked: Guess) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", asked.name)
    assert len(asked.choices) >= 3 and sum(choice.right for choice in asked.choices) == 1
    for zh, en in ((text.zh, text.en) for text in texts(asked)):
        assert zh.strip() and en.strip() and zh.count("`") % 2 == en.count("`") % 2 == 0
        assert not bilingual.CHINESE.search(en), en
        if zh != en:  # a number or a formula is the same in both
            cell = f'<div lang="zh">\n\n{zh}\n\n</div>\n<div lang="en">\n\n{en}\n\n</div>'
            assert bilingual.HAN.search(zh) and bilingual.problems(cell) == []


def test_a_saved_choice_that_no_longer_exists_is_ignored() -> None:
    progress.guessed(ROPE.name, len(ROPE.choices))
    assert guess(ROPE.name).picked == -1


def test_no_two_guesses_have_the_same_name() -> None:
    assert len({asked.name for asked in GUESSES}) == len(GUESSES)


def test_every_lesson_asks_its_own_guesses_and_settles_each_further_down() -> None:
    for lesson in lesson_names(shipped_lessons()):
        cells = nbformat.read(shipped_lessons() / f"{lesson}.ipynb", as_version=4).cells
        calls = [call for cell in cells if cell.cell_type == "code" for call in CALL.findall(cell.source)]
        own = [f'"{asked.name}"' for asked in tables().get(lesson[3:], ())]
        for wanted in ("guess", "settle"):
            found = [name for verb, name in calls if verb == wanted]
            unknown = f"{lesson} calls {wanted}({{}}), and course/guesses/ has no such guess for it"
            assert_complete(own, found, f"{lesson} has no cell with {wanted}({{}})", unknown)
            assert len(found) == len(own), f"{lesson} calls {wanted} twice for a guess"
        for name in own:
            assert calls.index(("guess", name)) < calls.index(("settle", name)), f"{lesson} {name}"


def test_the_question_does_not_reveal_the_answer() -> None:
    shown = guess("rope-parameters")._repr_mimebundle_()[0]
    for mime in ("text/html", "text/plain"):
        assert ROPE.choices[0].says.en in shown[mime]
        assert "✔" not in shown[mime] and ROPE.choices[2].why.en not in shown[mime]


def test_the_browser_gets_everything_that_it_draws() -> None:
    sent = guess("rope-parameters").get_state()
    script = (Path(cards.__file__).parent / "guess.js").read_text("utf-8")
    drawn = re.findall(r'model\.get\("(\w+)"\)', script)
    assert {name: sent[name] for name in drawn} == {
        **{"asks": ROPE.asks.parts(), "choices": [choice.says.parts() for choice in ROPE.choices]},
        **{"picked": -1, "locked": False, "said": {}},
    }


@pytest.mark.parametrize("last", [0, 1])
def test_a_choice_is_kept_and_can_change_until_it_is_settled(home: Path, last: int) -> None:
    card = guess("rope-parameters")
    for picked in (2, last):
        card.picked = picked
        assert card.said == cards.KEPT.parts()
    assert json.loads((home / "progress.json").read_text())["guessed"] == {"rope-parameters": last}
    cards._cards.clear()
    card = guess("rope-parameters")
    assert (card.picked, card.locked) == (last, False)
    settle("rope-parameters")
    assert card.locked and progress.so_far()[0].settled == {"rope-parameters"}
    cards._cards.clear()
    again = guess("rope-parameters")
    assert (again.picked, again.locked) == (last, True)


class Handle:
    """The result of ``display`` in a notebook; it records what is shown."""

    shown: ClassVar[list[str]] = []

    def update(self, data: dict[str, str]) -> None:
        self.shown.append(data["text/html"])

    def display(self, data: dict[str, str], *, updatable: bool) -> Handle:
        assert updatable
        self.update(data)
        return self


@pytest.mark.parametrize(("picked", "said"), [(2, cards.RIGHT), (0, cards.WRONG)])
def test_after_running_the_whole_lesson_one_can_still_guess_once(
    picked: int, said: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Handle, "shown", [])
    monkeypatch.setattr(cards, "display", Handle().display)
    card = guess("rope-parameters")
    settle("rope-parameters")
    assert not guess("rope-parameters").locked and Handle.shown == [answer_html(ROPE, None)]
    card.picked = picked
    assert card.locked and Handle.shown[1:] == [answer_html(ROPE, picked)]
    assert said.en.format(letter="AC"[picked // 2], answer="C") in Handle.shown[1]


def test_a_file_that_cannot_be_written_is_reported(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").write_text("no folder")
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(home / "file" / "home"))
    card = guess("rope-parameters")
    card.picked = 0
    assert "could not be saved" in card.said["en"] and "没能存到" in card.said["zh"]


def test_a_settled_card_reports_it_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "display", Handle().display)
    card = guess("rope-parameters")
    settle("rope-parameters")
    (home / "progress.json").write_text("{")
    card.recall()
    assert card.picked == -1 and "could not be read" in card.said["en"]
    card.picked = 0
    assert card.locked and card.said == cards.LOCKED.parts()
    (home / "file").write_text("no folder")
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(home / "file" / "home"))
    card.picked = 1
    assert "could not be saved" in card.said["en"]


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"guessed": 1, "settled": [], "solved": []}', '{"guessed": {}}']
)
def test_a_damaged_file_is_reported_and_written_again(home: Path, content: str) -> None:
    (home / "progress.json").write_text(content)
    card = guess("rope-parameters")
    assert "could not be read" in card.said["en"] and card.picked == -1
    card.picked = 2
    assert progress.so_far() == (progress.Progress({"rope-parameters": 2}), None)


def test_words_of_a_guess_are_text_and_code_in_backticks() -> None:
    asked = Guess("x", Text("`a<b`？", "`a<b`?"), ROPE.choices)
    assert "<code>a&lt;b</code>？" in question_html(asked)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match="got 'nothing'"):
        guess("nothing")
