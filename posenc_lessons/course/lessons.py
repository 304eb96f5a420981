"""Find the lessons that came with the package."""

import re
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path
from typing import Any

from posenc_lessons.language import BilingualError

GLOSSARY = "glossary"  # the notebook with the course's terms and its sources
QUESTIONS = "questions"  # the folder with a notebook for each question that people ask

_PROMISED = {"zh": r"大约 (\d+) 分钟", "en": r"[Aa]bout (\d+) minutes"}  # of a lesson's core, at its top

PACKAGE = Path(__file__).resolve().parents[1]


class LessonsMissing(BilingualError):
    """The error for lessons that are not where they should be installed."""


def in_checkout() -> bool:
    """Return True if the package runs from its repository instead of a wheel."""
    return not (PACKAGE / "notebooks").is_dir()


def shipped_lessons() -> Path:
    """Return the folder of the lessons: inside the package in a wheel, next to it in the repository.

    Raises LessonsMissing if they are in neither place.
    """
    folder = PACKAGE.parent / "notebooks" if in_checkout() else PACKAGE / "notebooks"
    if not (folder / "00_start_here.ipynb").is_file():
        raise LessonsMissing(
            f"{folder} 里没有课程；重新安装 posenc-lessons 就会有",
            f"the lessons are not in {folder}; installing posenc-lessons again brings them back",
        )
    return folder


def lesson_names(folder: Path) -> list[str]:
    """Return the names of the lessons in ``folder``, in order, such as ``02_sinusoidal``."""
    return sorted(path.stem for path in folder.glob("*.ipynb") if re.match(r"\d\d_", path.stem))


def lessons_and_glossary(folder: Path) -> list[str]:
    """Return the lessons in ``folder`` and, after them, the glossary."""
    return [*lesson_names(folder), *(path.stem for path in folder.glob(f"{GLOSSARY}.ipynb"))]


def lesson_files(source: Path) -> list[Path]:
    """Return every file of the lessons, relative to ``source``, except hidden ones (checkpoints)."""
    relative = (path.relative_to(source) for path in source.rglob("*") if path.is_file())
    return sorted(path for path in relative if not any(part.startswith(".") for part in path.parts))


def opening(cells: Iterable[Any]) -> str:
    """Return the text of a lesson before its first section: its title, and what it promises."""
    texts = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return "\n\n".join(takewhile(lambda text: not text.startswith("## "), texts))


def promised(text: str, language: str) -> int | None:
    """Return how many minutes a lesson's opening promises for its core, in "zh" or "en"; None without.

    A text without language blocks is all in that language.
    """
    blocks = re.findall(r'<div lang="(zh|en)">\n(.*?)\n</div>', text, re.DOTALL)
    spoken = "\n".join(block for spoken, block in blocks if spoken == language) if blocks else text
    match = re.search(_PROMISED[language], spoken)
    return int(match.group(1)) if match else None
