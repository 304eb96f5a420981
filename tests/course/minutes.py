"""Estimate how long the core of a lesson takes, from its words, formulas, code and exercises.

``python -m tests.course.minutes`` prints the minutes of every lesson, and those that its title promises.
"""

import json
import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from posenc_lessons.course.lessons import lesson_names, opening, promised, shipped_lessons
from posenc_lessons.course.sections import deeper, guesses, teaches
from posenc_lessons.language import HAN

# A lesson is read with a pencil: slower than the 238 words a minute at which adults read English non-fiction
# (Brysbaert 2019, a meta-analysis, abstract). Lessons have 1.27 Chinese characters for each English word, and
# readers of both languages get the same time.
WORDS = 140  # English, per minute
CHARACTERS = 178  # Chinese, per minute
FORMULA = 0.75  # minutes for a displayed formula, checked step by step; one in a sentence counts as a word
CODE_LINE = 1 / 12  # minutes: five seconds for a visible line that is not blank or a comment
PICTURE = 0.5  # minutes
EXPLORER = 3.0  # minutes to move it and find the two or three things that it asks for
GUESS = 0.75  # minutes to think, choose, and read the answer
EXERCISE = 6.0  # minutes, if the exercise itself does not say

MOST_LINES = 15  # of code that a cell of the core shows
LONGEST = 50  # minutes of a core, exercises included

_EXPLORER = re.compile(r"\b\w+Explorer\(")
_DISPLAY = re.compile(r"\$\$.+?\$\$", re.DOTALL)
_WORD = re.compile(r"[A-Za-z0-9]+(?:['’.-][A-Za-z0-9]+)*")
_BLOCK = re.compile(r'<div lang="(zh|en)">\n(.*?)\n</div>', re.DOTALL)
_OWN_MINUTES = re.compile(r"(\d+) minutes?")


@dataclass(frozen=True)
class Lesson:
    """Minutes of one lesson by language: those it promises, and those of its core."""

    name: str
    promised: int | None
    core: dict[str, float]


def measured(folder: Path, name: str) -> Lesson:
    """Count lesson ``name`` of ``folder``."""
    cells = _cells(folder, name)
    apart = deeper(cells)
    core = {
        spoken: sum(
            _minutes(cell, following, spoken)
            for cell, following in zip_longest(cells, cells[1:])
            if cell["id"] not in apart
        )
        for spoken in ("zh", "en")
    }
    return Lesson(name, promised(opening(cells), "en"), core)


def long_cells(folder: Path, name: str) -> dict[str, int]:
    """Return the cells of the core that show more than ``MOST_LINES`` of code, with their lines."""
    cells = _cells(folder, name)
    apart = deeper(cells)
    shown = {cell["id"]: cell for cell in cells if cell["cell_type"] == "code" and cell["id"] not in apart}
    found = {key: len(cell["source"].split("\n")) for key, cell in shown.items() if _shows_code(cell)}
    return {key: lines for key, lines in found.items() if lines > MOST_LINES}


def _cells(folder: Path, name: str) -> list[Any]:
    cells = json.loads((folder / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return [{**cell, "source": "".join(cell["source"])} for cell in cells]


def _minutes(cell: Any, following: Any, spoken: str) -> float:
    if cell["cell_type"] == "code":
        return _of_code(cell)
    reading = _of_prose(cell["source"], spoken)
    if not (following and following["id"].startswith("exercise-") and following["cell_type"] == "code"):
        return reading
    said = _OWN_MINUTES.search(cell["source"])
    return float(said.group(1)) if said else reading + EXERCISE


def _of_prose(source: str, spoken: str) -> float:
    shared = _BLOCK.sub("", source)
    said = "\n".join(text for language, text in _BLOCK.findall(source) if language == spoken)
    formulas = len(_DISPLAY.findall(shared)) + len(_DISPLAY.findall(said))
    said = re.sub(r"\$[^$]+\$|`[^`]+`", " x ", _DISPLAY.sub(" ", re.sub(r"\]\([^)]*\)", "] ", said)))
    han, words = len(HAN.findall(said)), len(_WORD.findall(said))
    return formulas * FORMULA + han / CHARACTERS + words / WORDS


def _of_code(cell: Any) -> float:
    source = cell["source"]
    if guesses(cell):
        return GUESS / 2  # once to ask, once to settle
    if cell["id"].startswith("exercise-"):
        return 0.0  # counted with the text above it
    if _EXPLORER.search(source):
        return EXPLORER
    written = [line for line in source.split("\n") if line.split("#")[0].strip()]
    pictures = sum("image/png" in output.get("data", {}) for output in cell["outputs"])
    return (len(written) if _shows_code(cell) else 0) * CODE_LINE + pictures * PICTURE


def _shows_code(cell: Any) -> bool:
    """Return True if the cell has code to read, other than that of an exercise, an explorer or a guess."""
    return teaches(cell) and not cell["id"].startswith("exercise-")


def main() -> None:
    """Print the minutes of every lesson."""
    folder = shipped_lessons()
    print("lesson                    promised   core zh en")
    for name in lesson_names(folder):
        lesson = measured(folder, name)
        minutes = "".join(f"{lesson.core[spoken]:6.0f}" for spoken in ("zh", "en"))
        print(f"{name:26}{lesson.promised or '–':>8}{minutes}")


if __name__ == "__main__":
    main()
