"""All terms, in the order of their English names."""

from __future__ import annotations

from posenc_lessons.course.glossary.attention import ATTENTION
from posenc_lessons.course.glossary.mathematics import MATHEMATICS
from posenc_lessons.course.glossary.positions import POSITIONS
from posenc_lessons.course.glossary.term import Term
from posenc_lessons.course.glossary.words import WORDS

GLOSSARY: tuple[Term, ...] = tuple(
    sorted(
        (*WORDS, *ATTENTION, *POSITIONS, *MATHEMATICS),
        key=lambda term: term.en.removeprefix("the ").casefold(),
    )
)
