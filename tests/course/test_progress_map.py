"""A reader's progress is kept only in a notebook with a reader, shown as a map, forgotten on request."""

import datetime
import json
import re
from collections.abc import Iterator
from pathlib import Path

import ipywidgets
import pytest

from posenc_lessons import progress
from posenc_lessons.course import guess as cards
from posenc_lessons.course import progress_map
from posenc_lessons.course.html_table import Link
from posenc_lessons.course.lessons import lesson_names, shipped_lessons
from posenc_lessons.exercises.solutions.start_here import swap_ends
from posenc_lessons.exercises.start_here import SWAP_ENDS, check_swap_ends
from posenc_lessons.language import Text
from posenc_lessons.progress import Progress

READING = "/home/reader/posenc_lessons/00_start_here.ipynb"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path))
    monkeypatch.setenv("JPY_SESSION_NAME", READING)
    monkeypatch.setattr(cards, "_cards", {})
    yield tmp_path
    ipywidgets.Widget.close_all()


def rope() -> cards.GuessCard:
    return cards.guess("rope-parameters", *(Text(letter, letter) for letter in "?ABC"))


def test_a_solved_exercise_is_kept_and_a_wrong_answer_is_not(home: Path) -> None:
    check_swap_ends(lambda words: words[::-1])
    assert list(home.iterdir()) == []
    assert check_swap_ends(swap_ends).message == SWAP_ENDS.praise
    assert progress.so_far() == (Progress(solved=frozenset({"start_here.swap_ends"})), None)


@pytest.mark.parametrize("notebook", [None, "/home/reader/posenc_lessons/solutions/00_start_here.ipynb"])
def test_without_a_reader_nothing_is_kept(
    notebook: str | None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME")
    if notebook is not None:
        monkeypatch.setenv("JPY_SESSION_NAME", notebook)
    assert check_swap_ends(swap_ends).passed and list(home.iterdir()) == []


def test_a_first_visit_shows_an_empty_map_of_every_lesson() -> None:
    lessons = list(progress_map.rows())
    assert [row.lesson for row in lessons] == lesson_names(shipped_lessons())
    assert lessons[0].exercises == (SWAP_ENDS.name,) and lessons[0].guesses == {"rope-parameters": 2}
    assert lessons[5].title == Text("旋转位置编码（RoPE）", "Rotary (RoPE)")
    for row in lessons:
        assert row.cells(Progress())[0] == Link(row.lesson[:2], f"{row.lesson}.ipynb")
        number = len(row.exercises)
        assert row.counts(Progress()) == (f"0 / {len(row.guesses)}", "–", f"{'○' * number} 0 / {number}")


def test_guesses_and_solutions_are_on_the_map() -> None:
    card = rope()
    for picked, right in ((0, 0), (2, 1)):
        card.picked = picked
        check_swap_ends(swap_ends)
        page = progress_map.map_html()._repr_mimebundle_()["text/html"]
        (line,) = re.findall(r"<tr>.*00_start_here.*</tr>", page)
        assert re.findall(r"<div>([^<]+)</div>", line) == ["1 / 1", str(right), "● 1 / 1"]
        assert '<a href="00_start_here.ipynb">00</a>' in line


def test_starting_over_takes_two_presses_and_unlocks_the_cards(home: Path) -> None:
    card = rope()
    card.picked = 1
    check_swap_ends(swap_ends)
    again = progress_map.BeginAnew(None)
    again.button.click()
    assert progress.so_far()[0].guessed and again.button.description == progress_map._SURE.show()
    again.button.click()
    assert json.loads((home / "progress.json").read_text()) == {"guessed": {}, "settled": [], "solved": []}
    assert card.picked == -1 and again.button.description == progress_map._ANEW.show()


@pytest.mark.parametrize("whole", [True, False])
def test_a_file_from_a_page_is_added(whole: bool, home: Path) -> None:
    progress.guessed("wave", 0)
    card = rope()
    work = {
        "guessed": {"rope-parameters": 2},
        "settled": ["rope-parameters"],
        "solved": ["start_here.swap_ends"],
        "drafts": [],
    }
    content = json.dumps(work).encode()[: None if whole else -2]
    shown = progress_map.BeginAnew(None)
    file = {"name": "work.json", "type": "application/json", "size": len(content), "content": content}
    shown.upload.value = ({**file, "last_modified": datetime.datetime.now(datetime.UTC)},)
    before = Progress({"wave": 0})
    settled, solved = frozenset({"rope-parameters"}), frozenset({"start_here.swap_ends"})
    added = Progress({"wave": 0, "rope-parameters": 2}, settled, solved)
    assert progress.so_far() == (added if whole else before, None)
    assert ("Added" if whole else "nothing was changed") in shown.message.value
    assert shown.upload.value == ()
    assert (card.picked, card.locked) == ((2, True) if whole else (-1, False))
