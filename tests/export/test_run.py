"""A lesson is run in one language: its pictures are drawn in it, and an explorer leaves its settings."""

import os
import signal
import threading
from pathlib import Path

import nbformat
import psutil
import pytest

from posenc_lessons.export import one_language
from posenc_lessons.export.outputs import STILL
from posenc_lessons.export.run import DidNotRun, run
from posenc_lessons.language import CHINESE
from tests.support.pace import patience, wait_until

SETUP = "from posenc_lessons.course.switch import language_switch\nlanguage_switch()"
EXPLORER = "from posenc_lessons.explorers import ShuffleExplorer\nShuffleExplorer()"
DOORS = (
    "from posenc_lessons.course.show import show\nfrom posenc_lessons.figures.four_doors import "
    "four_doors_figure\nshow(four_doors_figure)"
)


def notebook(*cells: str) -> nbformat.NotebookNode:
    course = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    for cell, name in zip(course.cells, ("setup", "explorer", "doors"), strict=False):
        cell.id = name
    return course


def test_a_run_in_english_has_no_chinese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    copied = one_language.words_in_language(notebook(SETUP, EXPLORER, DOORS), "en")
    run(copied, "en", live=True)
    copied = one_language.in_language(copied, "en")
    assert CHINESE.findall(nbformat.writes(copied)) == []
    assert [cell.execution_count for cell in copied.cells] == [1, 2, 3]
    assert copied.cells[1].outputs[0].execution_count == 2 and copied.metadata == {}
    setup, explorer, doors = (cell.outputs for cell in copied.cells)
    assert setup == []
    assert explorer[0].data[STILL]["query"] == "explorer=shuffle"
    assert "3×3" in explorer[0].metadata["image/png"]["alt"]  # the sentence without its Chinese words
    assert doors[0].data["text/plain"].startswith("Attention cannot see order")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_the_kernel_and_is_raised(tmp_path: Path) -> None:
    begun = tmp_path / "pid"
    cell = "import os, pathlib, time\n"
    cell += f"pathlib.Path({str(begun)!r}).write_text(str(os.getpid()))\ntime.sleep({patience()})"

    def press() -> None:
        wait_until(lambda: begun.is_file() and begun.read_text() != "", lambda: "the cell did not begin")
        os.kill(os.getpid(), signal.SIGINT)

    pressing = threading.Thread(target=press)
    pressing.start()
    # Where this process was started with SIGINT ignored (nohup, cron, `make test &`), Python has no handler.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run(notebook(cell), "en", live=False)
    finally:
        signal.signal(signal.SIGINT, previous)
    pressing.join()
    assert not psutil.pid_exists(int(begun.read_text()))


def test_a_cell_that_fails_is_named() -> None:
    with pytest.raises(DidNotRun, match=r"ZeroDivisionError[\s\S]*出错"):
        run(notebook("1 / 0"), "zh", live=False)
