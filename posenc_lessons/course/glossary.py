"""The words of the course, each with one Chinese and one English name: ``GLOSSARY``, shown by ``table()``.

``glossary.json`` has them in the order of their English names. After them come wrong words of machine
translation, all from real study notes.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from posenc_lessons.course.html_table import HtmlTable
from posenc_lessons.language import Text


@dataclass(frozen=True)
class Term:
    """A term of the field: its one Chinese and one English name, and its meaning here.

    A ``fixed`` term has one meaning in this course: wherever the English of a lesson says ``en``, the Chinese
    must say ``zh`` or one of ``also``.
    """

    en: str
    zh: str
    meaning: Text
    lesson: str  # the number of the lesson that explains it
    also: tuple[str, ...] = ()
    fixed: bool = False
    source: str = ""  # where the word comes from: paper and arXiv id


@dataclass(frozen=True)
class Mistranslation:
    """A translation of ``en`` as ``wrong``, which means ``says``, instead of ``right``."""

    en: str
    wrong: str
    says: Text
    right: str


_WORDS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

GLOSSARY = tuple(
    Term(**{**term, "meaning": Text(**term["meaning"]), "also": tuple(term.get("also", ()))})
    for term in _WORDS["terms"]
)
MISTRANSLATIONS = tuple(
    Mistranslation(**{**entry, "says": Text(**entry["says"])}) for entry in _WORDS["mistranslations"]
)


def table() -> HtmlTable:
    """Return the glossary in alphabetical order."""
    caption = Text("{n} 个词", "{n} terms").format(n=len(GLOSSARY))
    head = (Text("中文", "Chinese"), Text("英文", "English"), Text("意思", "Meaning"), Text("课", "Lesson"))
    rows = [(term.zh, term.en, _meaning(term), term.lesson) for term in GLOSSARY]
    plain = "\n".join(f"{term.zh} · {term.en}" for term in GLOSSARY)
    return HtmlTable(caption, head, rows, plain, chinese=(0,))


def mistranslations() -> HtmlTable:
    """Return the table of mistranslations: the wrong word, its real meaning, and the right word."""
    head = (
        Text("英文", "English"),
        Text("错的", "Wrong"),
        Text("它说的其实是", "What that says"),
        Text("对的", "Right"),
    )
    rows = [(word.en, word.wrong, word.says, word.right) for word in MISTRANSLATIONS]
    plain = "\n".join(f"{word.en}: ✘ {word.wrong} ✔ {word.right}" for word in MISTRANSLATIONS)
    caption = Text("机器翻译爱犯的错", "What machine translation gets wrong")
    return HtmlTable(caption, head, rows, plain, chinese=(1, 3))


def _meaning(term: Term) -> Text:
    if not term.source:
        return term.meaning
    return Text(f"{term.meaning.zh}（{term.source}）", f"{term.meaning.en} ({term.source})")
