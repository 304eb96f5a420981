"""A table in a lesson: HTML in both languages, which the switch works on without a kernel, and plain text."""

import html
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from posenc_lessons.language import Text

_STYLE = 'style="text-align:left;vertical-align:top"'


@dataclass(frozen=True)
class Link:
    """A link within the course: ``02_sinusoidal.ipynb#cell-id=definition``."""

    words: str
    target: str


Cell = Text | str | Link


@dataclass(frozen=True)
class HtmlTable:
    """Rows for a notebook.

    ``plain`` is for output without HTML. A copy in English leaves out the columns whose numbers are in
    ``chinese``.
    """

    caption: Text
    head: Sequence[Text]
    rows: Sequence[Sequence[Cell]]
    plain: str
    chinese: Collection[int] = ()

    def __repr__(self) -> str:
        return self.plain

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        caption = f'<caption style="text-align:left">{self.caption.html()}</caption>'
        head = "".join(
            f'<th{self._kind(place)} scope="col" {_STYLE}>{cell.html()}</th>'
            for place, cell in enumerate(self.head)
        )
        body = "\n".join(map(self._row, self.rows))
        page = f"<table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
        return {"text/plain": self.plain, "text/html": page}

    def _row(self, row: Sequence[Cell]) -> str:
        cells = (f"<td{self._kind(place)} {_STYLE}>{_html(cell)}</td>" for place, cell in enumerate(row))
        return f"<tr>{''.join(cells)}</tr>"

    def _kind(self, column: int) -> str:
        return ' class="chinese"' if column in self.chinese else ""


def _html(cell: Cell) -> str:
    if isinstance(cell, Text):
        return cell.html()
    if isinstance(cell, str):
        return f"<div>{html.escape(cell)}</div>"
    return f'<div><a href="{html.escape(cell.target)}">{html.escape(cell.words)}</a></div>'
