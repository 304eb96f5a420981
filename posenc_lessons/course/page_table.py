"""A table on a lesson's page: HTML that follows the language switch without a kernel, and plain text."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from posenc_lessons.course.language import Text

_STYLE = 'style="text-align:left;vertical-align:top"'


@dataclass(frozen=True)
class Link:
    """A link within the course: ``02_sinusoidal.ipynb#cell-id=definition``."""

    words: str
    target: str


Cell = Text | str | Link | Sequence[Text | str | Link]


@dataclass(frozen=True)
class PageTable:
    """Rows for a notebook. ``plain`` is what a page without HTML shows, and what is compared by tests."""

    caption: Text
    head: Sequence[Text]
    rows: Sequence[Sequence[Cell]]
    plain: str

    def __repr__(self) -> str:
        return self.plain

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        caption = f'<caption style="text-align:left">{self.caption.html()}</caption>'
        head = "".join(f'<th scope="col" {_STYLE}>{cell.html()}</th>' for cell in self.head)
        body = "\n".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in self.rows)
        page = f"<table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
        return {"text/plain": self.plain, "text/html": page}


def _cell(cell: Cell) -> str:
    parts = [cell] if isinstance(cell, Text | str | Link) else cell
    return f"<td {_STYLE}>{' '.join(map(_part, parts))}</td>"


def _part(part: Text | str | Link) -> str:
    if isinstance(part, Text):
        return part.html()
    if isinstance(part, Link):
        return f'<a href="{html.escape(part.target)}">{html.escape(part.words)}</a>'
    return html.escape(part)
