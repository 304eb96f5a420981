"""The map of the course in lesson 00: this reader's guesses and solved exercises in every lesson.

One button clears the progress, another adds the progress that a lesson's page has exported. Nothing is
locked, and nothing leaves the machine (``posenc_lessons.progress``).
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ipywidgets as widgets

from posenc_lessons import language, progress
from posenc_lessons.course.guess import recall_guesses
from posenc_lessons.course.html_table import Cell, HtmlTable, Link
from posenc_lessons.course.lessons import lesson_names, shipped_lessons
from posenc_lessons.display import Handle, display
from posenc_lessons.language import Text
from posenc_lessons.progress import Progress

_PLAIN = "运行本格，可以清空进度 · Run this cell to start over"
_ANEW = Text("清空进度，重新开始", "Start over")
_SURE = Text("猜过的、做对的都会忘掉，再按一次", "Every guess and solution is forgotten: press again")
_TAKE_IN = Text("导入网页上的记录", "Import from a page")
_TAKEN_IN = Text(
    "已并入：{guessed} 个猜测，{solved} 道做对的练习。写的代码仍在文件里。",
    "Added: guesses: {guessed}, solved exercises: {solved}. Code stays in the file.",
)
_CAPTION = Text(
    "你走到了哪里。什么也不上锁，记录只在这台电脑上。",
    "How far you have come. Nothing is locked, and the record stays on this computer.",
)
_HEAD = (
    Text("课", "Lesson"),
    Text("讲什么", "What it teaches"),
    Text("猜过", "Guessed"),
    Text("其中猜对", "Of these right"),
    Text("做对的练习", "Solved"),
)


@dataclass(frozen=True)
class Row:
    """One lesson: its notebook's name, the right choice of each guess, and its exercises, all by name."""

    lesson: str
    title: Text
    guesses: dict[str, int]
    exercises: tuple[str, ...]

    def counts(self, so_far: Progress) -> tuple[str, str, str]:
        """Return the numbers of guesses, right guesses and solved exercises."""
        guessed = [name for name in self.guesses if name in so_far.guessed]
        right = sum(so_far.guessed[name] == self.guesses[name] for name in guessed)
        solved = sum(exercise in so_far.solved for exercise in self.exercises)
        marks = "●" * solved + "○" * (len(self.exercises) - solved)
        return (
            f"{len(guessed)} / {len(self.guesses)}" if self.guesses else "–",
            str(right) if guessed else "–",
            f"{marks} {solved} / {len(self.exercises)}" if self.exercises else "–",
        )

    def cells(self, so_far: Progress) -> list[Cell]:
        """Return the row of the map."""
        return [Link(self.lesson[:2], f"{self.lesson}.ipynb"), self.title, *self.counts(so_far)]


def rows() -> Iterator[Row]:
    """Yield a row for every lesson, read from its notebook."""
    folder = shipped_lessons()
    for lesson in lesson_names(folder):
        cells = json.loads((folder / f"{lesson}.ipynb").read_text(encoding="utf-8"))["cells"]
        zh, en = "".join(cells[0]["source"]).split("\n")[0].lstrip("# ")[3:].split(" · ")
        metadata = [cell["metadata"] for cell in cells]
        settled = [entry["settles"] for entry in metadata if "settles" in entry]
        guesses = {answer["guess"]: answer["right"] for answer in settled}
        exercises = tuple(entry["exercise"] for entry in metadata if "exercise" in entry)
        yield Row(lesson, Text(zh, en), guesses, exercises)


def map_html() -> HtmlTable:
    """Return the table for the saved progress."""
    so_far, problem = progress.so_far()
    caption = _CAPTION if problem is None else problem
    lessons = list(rows())
    plain = "\n".join(f"{row.lesson}: {' · '.join(row.counts(so_far))}" for row in lessons)
    return HtmlTable(caption, _HEAD, [row.cells(so_far) for row in lessons], plain)


class BeginAnew(widgets.VBox):
    """Two buttons: one clears all progress when pressed twice, the other adds the progress kept by a page.

    ``shown`` is the map above them, which both update.
    """

    def __init__(self, shown: Handle | None) -> None:
        self.shown = shown
        self.button = widgets.Button(layout={"width": "auto"})
        self.upload = widgets.FileUpload(accept=".json", layout={"width": "auto"})
        self.message = widgets.HTML()
        self._sure = False
        super().__init__([widgets.HBox([self.button, self.upload]), self.message])
        self.button.on_click(self._pressed)
        self.upload.observe(self._chosen, "value")
        self._stop = language.on_change(self._label)
        self._label()

    def close(self) -> None:
        self._stop()
        super().close()

    def _pressed(self, _button: object) -> None:
        if self._sure:
            problem = progress.forget_all()
            self.message.value = problem.html() if problem else ""
            recall_guesses()
            self._update()
        self._sure = not self._sure
        self._label()

    def _chosen(self, _change: object) -> None:
        if not self.upload.value:
            return
        added_progress, problem = progress.taken_in(bytes(self.upload.value[0]["content"]))
        self.upload.value = ()  # the same file may be chosen again
        added = _TAKEN_IN.format(guessed=len(added_progress.guessed), solved=len(added_progress.solved))
        self.message.value = (problem or added).html()
        recall_guesses()
        self._update()

    def _update(self) -> None:
        if self.shown is not None:
            self.shown.update(map_html())

    def _label(self) -> None:
        self.button.description = (_SURE if self._sure else _ANEW).show()
        self.upload.description = _TAKE_IN.show()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        return None if bundle is None else {**bundle, "text/plain": _PLAIN}


def progress_map() -> BeginAnew:
    """Show the map, with the button that clears it below; for the last line of a cell."""
    return BeginAnew(display(map_html(), updatable=True))
