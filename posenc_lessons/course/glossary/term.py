"""One entry of the glossary."""

from __future__ import annotations

from dataclasses import dataclass

from posenc_lessons.language import Text


@dataclass(frozen=True)
class Term:
    """A word of the field: its one Chinese and one English name, and what it means here.

    A ``fixed`` term has one meaning in this course, so wherever the English of a lesson says ``en``, the
    Chinese must say ``zh``, or one of ``also``, which are as good.
    """

    en: str
    zh: str
    meaning: Text
    lesson: str  # the number of the lesson that explains it
    also: tuple[str, ...] = ()
    fixed: bool = False
    source: str = ""  # where the word comes from: paper and arXiv id
