"""The words of the course, each with one Chinese and one English name: ``GLOSSARY``, shown by ``table()``."""

from posenc_lessons.course.glossary.mistranslations import FORBIDDEN, MISTRANSLATIONS, Mistranslation
from posenc_lessons.course.glossary.table import mistranslations, table
from posenc_lessons.course.glossary.term import Term
from posenc_lessons.course.glossary.terms import GLOSSARY

__all__ = [
    "FORBIDDEN",
    "GLOSSARY",
    "MISTRANSLATIONS",
    "Mistranslation",
    "Term",
    "mistranslations",
    "table",
]
