"""Guesses: their words are complete in both languages, lessons ask and settle each once, choices are kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import ipywidgets
import nbformat
import pytest

from posenc_lessons import progress
from posenc_lessons.course import guess as cards
from posenc_lessons.course.guess import answer_html
from posenc_lessons.course.lessons import lesson_names, shipped_lessons
from posenc_lessons.language import Text
from tests.notebooks import bilingual

ROPE = cards.Guess(
    "rope-parameters",
    Text("RoPE 有几个参数？", "How many parameters has RoPE?"),
    (Text("`d` 个", "`d` of them"), Text("一个", "One"), Text("没有", "None")),
)
ANSWER = cards.Answer(2, (Text("不用。", "No."), Text("也不用。", "Nor one."), Text("只转。", "It rotates.")))


def code_cells() -> Iterator[tuple[str, Any]]:
    for lesson in lesson_names(shipped_lessons()):
        for cell in nbformat.read(shipped_lessons() / f"{lesson}.ipynb", as_version=4).cells:
            if cell.cell_type == "code":
                yield lesson, cell


GUESSES = {cell.metadata.guess: (lesson, cell) for lesson, cell in code_cells() if "guess" in cell.metadata}
SETTLED = {
    cell.metadata.settles.guess: (lesson, cell) for lesson, cell in code_cells() if "settles" in cell.metadata
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Start as a reader without guesses in a fresh kernel; return the folder of the progress."""
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path))
    monkeypatch.setattr(cards, "_cards", {})
    yield tmp_path
    ipywidgets.Widget.close_all()


def rope() -> cards.GuessCard:
    return cards.guess(ROPE.name, ROPE.question, *ROPE.choices)


def settle(right: int = ANSWER.right) -> None:
    cards.settle(ROPE.name, *ANSWER.comments, right=right)


def test_every_lesson_settles_its_guesses_once_further_down() -> None:
    order = [cell.metadata for _, cell in code_cells() if {"guess", "settles"} & set(cell.metadata)]
    asked = [known.guess for known in order if "guess" in known]
    settled = [known.settles.guess for known in order if "settles" in known]
    assert len(set(asked)) == len(asked) and sorted(asked) == sorted(settled)
    for name, (lesson, cell) in GUESSES.items():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
        below, answer = SETTLED[name]
        assert below == lesson and order.index(cell.metadata) < order.index(answer.metadata)
    with_call = [cell.id for _, cell in code_cells() if re.search(r"^(guess|settle)\(", cell.source, re.M)]
    assert with_call == [cell.id for _, cell in code_cells() if {"guess", "settles"} & set(cell.metadata)], (
        "a cell without its metadata"
    )


@pytest.mark.parametrize("name", GUESSES)
def test_a_guess_has_one_right_choice_and_speaks_both_languages(name: str) -> None:
    exec(GUESSES[name][1].source, space := {})
    exec(SETTLED[name][1].source, space)
    card = cards._cards[name]
    assert card.answer is not None and card.answer.right == SETTLED[name][1].metadata.settles.right
    assert len(card.guess.choices) >= 3
    for text in (card.guess.question, *card.guess.choices, *card.answer.comments):
        assert text.zh.strip() and text.en.strip() and text.zh.count("`") % 2 == text.en.count("`") % 2 == 0
        assert not bilingual.CHINESE.search(text.en), text.en
        if text.zh != text.en:  # a number or a formula is the same in both
            cell = f'<div lang="zh">\n\n{text.zh}\n\n</div>\n<div lang="en">\n\n{text.en}\n\n</div>'
            assert bilingual.HAN.search(text.zh) and bilingual.problems(cell) == []


def test_the_question_does_not_reveal_the_answer() -> None:
    shown = rope()._repr_mimebundle_()[0]
    for mime in ("text/html", "text/plain"):
        assert "None" in shown[mime] and "✔" not in shown[mime] and "rotates" not in shown[mime]
    assert "<code>d</code> of them" in shown["text/html"]


@pytest.mark.parametrize("last", [0, 1])
def test_a_choice_is_kept_and_can_change_until_it_is_settled(home: Path, last: int) -> None:
    card = rope()
    for picked in (2, last):
        card.picked = picked
        assert card.status == cards.KEPT.html()
    assert json.loads((home / "progress.json").read_text())["guessed"] == {ROPE.name: last}
    cards._cards.clear()
    card = rope()
    assert (card.picked, card.locked) == (last, False)
    settle()
    assert card.locked and progress.so_far()[0].settled == {ROPE.name}
    cards._cards.clear()
    again = rope()
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


@pytest.mark.parametrize(("picked", "verdict"), [(2, "C, and that is right."), (0, "A; the answer is C.")])
def test_after_running_the_whole_lesson_one_can_still_guess_once(
    picked: int, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Handle, "shown", [])
    monkeypatch.setattr(cards, "display", Handle().display)
    card = rope()
    settle()
    assert not card.locked and Handle.shown == [answer_html(ROPE, ANSWER, None)]
    assert f">You guessed {verdict}</span>" not in Handle.shown[0] and "<details>" in Handle.shown[0]
    card.picked = picked
    assert card.locked and Handle.shown[1:] == [answer_html(ROPE, ANSWER, picked)]
    assert f">You guessed {verdict}</span>" in Handle.shown[1] and "<details open>" in Handle.shown[1]


def test_a_file_that_cannot_be_read_or_written_is_reported(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cards, "display", Handle().display)
    (home / "progress.json").write_text('{"guessed": 1, "settled": [], "solved": []}')
    card = rope()
    assert "could not be read" in card.status and card.picked == -1
    card.picked = 2
    assert progress.so_far() == (progress.Progress({ROPE.name: 2}), None)
    settle()
    (home / "progress.json").write_text("{")
    card.recall()
    assert card.picked == -1 and "could not be read" in card.status
    card.picked = 0
    assert card.locked and card.status == cards.LOCKED.html()
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(home / "progress.json" / "home"))
    card.picked = 1
    assert "could not be saved" in card.status and "没能存到" in card.status


def test_a_cell_that_runs_too_early_or_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="this kernel has not asked 'rope-parameters' yet"):
        settle()
    rope()
    for right in (-1, 3):
        with pytest.raises(ValueError, match=f"right = {right}"):
            settle(right)
    with pytest.raises(ValueError, match="got 1 comments"):
        cards.settle(ROPE.name, ANSWER.comments[0], right=0)


def test_an_edited_question_gets_a_new_card_without_a_choice_that_is_gone() -> None:
    progress.guessed(ROPE.name, len(ROPE.choices))
    card = rope()
    assert card.picked == -1 and rope() is card
    edited = cards.guess(ROPE.name, Text("`a<b`？", "`a<b`?"), *ROPE.choices)
    assert edited is not card and "<code>a&lt;b</code>？" in edited.card
