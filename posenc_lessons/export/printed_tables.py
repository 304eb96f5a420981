"""Turn the tables that a cell printed into HTML tables: on a slide, columns of typewriter letters are small."""

from __future__ import annotations

import html
import re
from itertools import groupby
from typing import Any

from nbformat import v4

_GAP = re.compile(r"\s{2,}")  # between columns
_BLOCK = re.compile(r"<pre(?: lang=\"\w+\")?>(.*?)</pre>", re.DOTALL)
_NUMBER = re.compile(r"(≈ )?[−-]?\d+(\.\d+)?")


def as_tables(output: Any, lonely: bool, rows: int | None = None, mark: str = "\n") -> Any:
    """Return an output whose lines in columns are tables, and its other lines paragraphs.

    One without columns is returned as it is, unless it is ``lonely`` on its slide, without code. Of the lines
    the first ``rows`` are shown; one with ``mark`` in it stands out.
    """
    printed = output.get("text") or "".join(_BLOCK.findall(output.get("data", {}).get("text/html", "")))
    lines = html.unescape(printed).strip("\n").split("\n")[:rows]
    blocks = [[*block] for _, block in groupby(map(_columns, lines), len)]
    columns = any(len(block) > 1 and len(block[0]) > 1 for block in blocks)
    if not printed or "tensor(" in printed or not (columns or lonely):
        return output
    markup = "".join(_table(block, mark) for block in blocks)
    return v4.new_output("display_data", {"text/html": markup})


def _columns(line: str) -> list[str]:
    return _GAP.split(line.strip())


def _table(rows: list[list[str]], mark: str) -> str:
    """Return rows of as many columns as a table, whose first is its head if only the others have numbers."""
    if len(rows) == 1 or len(rows[0]) == 1:
        return "".join(f"<p>{html.escape('  '.join(row))}</p>" for row in rows)
    first, second = ([bool(_NUMBER.fullmatch(cell)) for cell in row] for row in rows[:2])
    values = any("." in cell for cell, number in zip(rows[0], first, strict=True) if number)
    tags = ["td"] * len(rows)
    if not values and first != second:
        tags[0] = "th"
    marked = ""
    for tag, row in zip(tags, rows, strict=True):
        look = ' class="marked"' if mark in "  ".join(row) else ""
        cells = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row)
        marked += f"<tr{look}>{cells}</tr>"
    return f'<table class="printed">{marked}</table>'
