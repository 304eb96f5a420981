"""What a cell showed, in one language."""

from __future__ import annotations

import re
from typing import Any

from posenc_lessons.export.phrases import lines
from posenc_lessons.language import CHINESE, HAN, Language

STILLS = "application/vnd.posenc-lessons.stills+json"  # an explorer at several places of a control
WORDS = "posenc_lessons"  # in an output's metadata: Chinese words drawn into an English picture

_BLOCK = re.compile(r'<div lang="(zh|en)">(.*?)</div>', re.DOTALL)  # Text.html(): nothing nested inside
_ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r"<(?:td|th)\b.*?</(?:td|th)>", re.DOTALL)
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_SPREAD = re.compile(r'colspan="\d+"')


_PROGRESS = re.compile(r"\d+%\|")  # a line of tqdm's
_WIDGETS = "application/vnd.jupyter.widget"


def tidy(outputs: list[Any]) -> list[Any]:
    """The outputs without what only a running kernel could use: live widgets, progress bars, warnings."""
    kept = []
    for output in outputs:
        output.pop("transient", None)
        for part in ("data", "metadata"):
            for mime in [mime for mime in output.get(part, ()) if mime.startswith(_WIDGETS)]:
                del output[part][mime]
        said = output.get("text", "") + str(output.get("data", {}).get("text/plain", ""))
        if output.get("name") == "stderr":
            continue  # progress bars, and what this machine's libraries warn about
        alone = set(output.get("data", ())) <= {"text/plain"}
        if not (alone and _PROGRESS.search(said)) and ("data" not in output or output.data):
            kept.append(output)
    return kept


def in_language(outputs: list[Any], language: Language) -> list[Any]:
    """The outputs (edited in place) with their words in ``language``; those that say nothing then are gone.

    Words inside a picture are as they were drawn: only running the cell in that language changes them.
    """
    if language == "both":
        return outputs
    kept = []
    for output in outputs:
        if output.output_type == "stream":
            output.text = lines(output.text, language)
            if not output.text:
                continue
        elif output.output_type == "error":
            output.evalue = lines(output.evalue, language)
            output.traceback = [lines(line, language) for line in output.traceback]
        else:
            _bundle(output, language)
            if not any(output.data.values()):
                continue
        kept.append(output)
    return kept


def _bundle(output: Any, language: Language) -> None:
    if "text/plain" in output.data:
        output.data["text/plain"] = lines(output.data["text/plain"], language)
    if "text/html" in output.data:
        output.data["text/html"] = html_in_language(output.data["text/html"], language)
    for known in output.get("metadata", {}).values():
        if isinstance(known, dict) and "alt" in known:
            known["alt"] = lines(known["alt"], language)


def html_in_language(html: str, language: Language) -> str:
    """``html`` of the course's own making without the other language's blocks.

    For English the columns of a table that hold Chinese words (the glossary's) go as well.
    """
    html = _BLOCK.sub(lambda block: block.group() if block[1] == language else "", html)
    if language == "en" and CHINESE.search(html):
        html = _TABLE.sub(lambda table: _without_chinese_columns(table.group()), html)
    return html


def _without_chinese_columns(table: str) -> str:
    rows = [_CELL.findall(row) for row in _ROW.findall(table)]
    width = max(map(len, rows))
    columns = [[row[n] for row in rows if len(row) == width] for n in range(width)]
    kept = [n for n, column in enumerate(columns) if not any(map(HAN.search, column))]

    def narrower(row: re.Match[str]) -> str:
        cells = _CELL.findall(row.group(1))
        if len(cells) != width:  # a heading across the table
            return _SPREAD.sub(f'colspan="{len(kept)}"', row.group())
        return f"<tr>{''.join(cells[n] for n in kept)}</tr>"

    return _ROW.sub(narrower, table)
