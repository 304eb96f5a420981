"""The glossary as a page shows it: both languages' names, and the meaning in the language the page shows."""

from __future__ import annotations

from posenc_lessons.course.glossary.mistranslations import MISTRANSLATIONS
from posenc_lessons.course.glossary.term import Term
from posenc_lessons.course.glossary.terms import GLOSSARY
from posenc_lessons.course.page_table import PageTable
from posenc_lessons.language import Text


def table(search: str = "") -> PageTable:
    """The glossary in alphabetical order, or the terms that have ``search`` in a name or a meaning."""
    found = [term for term in GLOSSARY if search.casefold() in _everything(term)]
    caption = (
        Text("{n} 个词", "{n} terms") if not search else Text("{n} 个词里有“{s}”", "{n} terms with “{s}”")
    ).format(n=len(found), s=search)
    head = (Text("中文", "Chinese"), Text("英文", "English"), Text("意思", "Meaning"), Text("课", "Lesson"))
    rows = [(term.zh, term.en, _meaning(term), term.lesson) for term in found]
    return PageTable(
        caption, head, rows, "\n".join(f"{term.zh} · {term.en}" for term in found) or caption.show("both")
    )


def mistranslations() -> PageTable:
    """Words to be wary of: what a machine made of them, what that says, and the right word."""
    head = (
        Text("英文", "English"),
        Text("错的", "Wrong"),
        Text("它说的其实是", "What that says"),
        Text("对的", "Right"),
    )
    rows = [(one.en, one.wrong, one.says, one.right) for one in MISTRANSLATIONS]
    plain = "\n".join(f"{one.en}: ✘ {one.wrong} ✔ {one.right}" for one in MISTRANSLATIONS)
    return PageTable(Text("机器翻译爱犯的错", "What machine translation gets wrong"), head, rows, plain)


def _meaning(term: Term) -> Text:
    if not term.source:
        return term.meaning
    return Text(f"{term.meaning.zh}（{term.source}）", f"{term.meaning.en} ({term.source})")


def _everything(term: Term) -> str:
    return "\n".join((term.zh, term.en, *term.also, term.meaning.zh, term.meaning.en)).casefold()
