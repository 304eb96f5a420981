"""A reader's guesses and solved exercises: a new entry keeps others, and a damaged file stops no lesson."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from posenc_lessons import progress
from posenc_lessons.progress import Progress


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JPY_SESSION_NAME", "/lessons/01_why_position.ipynb")
    return tmp_path / "home"


def test_each_entry_keeps_all_others() -> None:
    assert progress.guessed("shuffle", 1) is None
    assert progress.solved("why_position.attention_weights") is None
    assert progress.settled("shuffle") is None
    assert progress.guessed("wave", 0) is None
    assert progress.solved("rotary.rotate") is None
    assert progress.settled("wave") is None
    solved = frozenset({"why_position.attention_weights", "rotary.rotate"})
    everything = Progress({"shuffle": 1, "wave": 0}, frozenset({"shuffle", "wave"}), solved)
    assert progress.so_far() == (everything, None)
    assert progress.forget_all() is None
    assert progress.so_far() == (Progress(), None)


def test_a_file_from_a_page_does_not_change_settled_guesses() -> None:
    progress.guessed("shuffle", 1)
    progress.settled("shuffle")
    progress.guessed("wave", 0)
    found = {"guessed": {"shuffle": 2, "wave": 2}, "settled": ["wave"], "solved": []}
    assert progress.taken_in(json.dumps(found).encode())[1] is None
    together = Progress({"shuffle": 1, "wave": 2}, frozenset({"shuffle", "wave"}))
    assert progress.so_far() == (together, None)


SPOILT = {
    "half": b"{",
    "list": b"[]",
    "infinite": b'{"guessed": {"shuffle": 1e999}, "settled": [], "solved": []}',
    "no number": b'{"guessed": {"shuffle": NaN}, "settled": [], "solved": []}',
}


@pytest.mark.parametrize("content", SPOILT.values(), ids=SPOILT)
def test_what_is_no_record_changes_nothing_and_a_damaged_file_is_rewritten(
    home: Path, content: bytes
) -> None:
    progress.guessed("shuffle", 1)
    found, problem = progress.taken_in(content)
    assert found == Progress() and problem is not None and "nothing was changed" in problem.en
    assert progress.so_far() == (Progress({"shuffle": 1}), None)
    (home / "progress.json").write_bytes(content)
    found, problem = progress.so_far()
    assert found == Progress() and problem is not None and "progress.json" in problem.en
    assert progress.guessed("shuffle", 2) is None
    assert progress.so_far() == (Progress({"shuffle": 2}), None)


def test_notebooks_that_run_at_the_same_time_lose_nothing(home: Path) -> None:
    program = "import sys\nfrom posenc_lessons import progress\nname = sys.argv[1]\n"
    program += "for i in range(30):\n    assert progress.guessed(f'{name}{i}', i) is None\n"
    running = [subprocess.Popen([sys.executable, "-c", program, name]) for name in ("a", "b", "c")]
    assert [each.wait() for each in running] == [0, 0, 0]
    kept = json.loads((home / "progress.json").read_text(encoding="utf-8"))["guessed"]
    assert kept == {f"{name}{i}": i for name in "abc" for i in range(30)}
