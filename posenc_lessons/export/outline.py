"""What a notebook says of itself: its title, its beginning, its sections, its place in the course."""

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from posenc_lessons.course.lessons import QUESTIONS
from posenc_lessons.export.markdown import plain, quoted, render

_TITLE = re.compile(r"^# +(.*)$", re.MULTILINE)
_SECTION = re.compile(r"^## +(.*)$", re.MULTILINE)
_PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_BEGINNING = re.compile(r".{40,}?(?:[。！？]|[.!?](?= |$))|.*")  # whole sentences, at least 40 characters


def file_name(name: str) -> str:
    """Return the page of notebook ``name`` (its path within the course)."""
    return name.removesuffix(".ipynb") + ".html"


def is_lesson(name: str) -> bool:
    """Return whether ``name`` is a numbered lesson: not a question, solutions, or the glossary."""
    return name[:2].isdecimal()


def questions(notebooks: Mapping[str, Any]) -> list[str]:
    """Return the names of the questions, in the order of the lessons to which they lead."""
    names = [name for name in notebooks if name.startswith(f"{QUESTIONS}/")]
    return sorted(names, key=lambda name: re.findall(r"\.\./(\d\d)_", notebooks[name].cells[-1].source)[:1])


def solutions(notebooks: Mapping[str, Any]) -> list[str]:
    """Return the names of the notebooks with solutions."""
    return [name for name in notebooks if name.startswith("solutions/")]


def title(notebook: Any) -> Markup:
    """Return the lesson's title."""
    heading = _TITLE.search(notebook.cells[0].source) if notebook.cells else None
    return Markup(quoted(html.escape(heading[1])) if heading else "")


def bare_title(notebook: Any) -> str:
    """Return the lesson's title as text."""
    return plain(title(notebook))


def first_paragraph(notebook: Any) -> Markup:
    """Return the first paragraph, "" without one."""
    paragraph = _PARAGRAPH.search(render(notebook.cells[0].source)) if notebook.cells else None
    return Markup(paragraph[1] if paragraph else "")


def description(notebook: Any) -> str:
    """Return the beginning of the first paragraph as plain text."""
    text = re.sub(r"\\([A-Za-z]+) ?", r"\1 ", plain(first_paragraph(notebook)))  # without backslashes of TeX
    beginning = _BEGINNING.match(text)
    return beginning[0] if beginning else text


def sections(notebook: Any) -> Iterator[tuple[str, str]]:
    """Yield the cell, and the words as HTML, of every heading of the second level."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for heading in _SECTION.finditer(re.sub(r"```.*?```", "", cell.source, flags=re.DOTALL)):
                yield cell.id, quoted(html.escape(re.sub(r"[`*$]", "", heading[1])))
