"""Write a lesson in one language: remove the blocks of the other, and the tags of those that stay."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

from posenc_lessons.export import code, outputs
from posenc_lessons.export.two_sides import heading
from posenc_lessons.export.two_sides import in_language as side
from posenc_lessons.language import CHINESE, Language

OPENING = re.compile(r'<div lang="(zh|en)">')
CLOSING = "</div>"
_SPANS = re.compile(r'<span lang="(zh|en)">(.*?)</span> ?')
_ALT = re.compile(r"(!\[)([^\]]*)(\])")


def words_in_language(notebook: Any, language: Language) -> Any:
    """Return a copy of ``notebook`` with its prose and code in ``language``, and the same outputs."""
    copied = copy.deepcopy(notebook)
    for cell in copied.cells:
        rewrite = prose_in_language if cell.cell_type == "markdown" else code.in_language
        if cell.cell_type != "raw":
            cell.source = rewrite(cell.source, language)
        on_slide = cell.metadata.get("slideshow", {})
        if language != "both" and "text" in on_slide:
            on_slide["text"] = {language: on_slide["text"][language]}
    copied.cells = [cell for cell in copied.cells if cell.source.strip()]
    return copied


def outputs_in_language(notebook: Any, language: Language) -> Any:
    """Return ``notebook`` with its outputs in ``language``, edited in place."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = outputs.in_language(outputs.tidy(cell.outputs), language)
            if language != "both" and cell.get("id") == "setup":
                cell.outputs = []  # they were only the switch
    return notebook


def in_language(notebook: Any, language: Language) -> Any:
    """Return a copy of ``notebook`` in ``language``: prose, code and outputs as they are committed."""
    return outputs_in_language(words_in_language(notebook, language), language)


def chinese_left(notebook: Any) -> Iterator[tuple[str, str]]:
    """Yield each cell that still contains Chinese, with the line. An English copy should have none."""
    for cell in notebook.cells:
        texts = [cell.source]
        for output in cell.get("outputs", ()):
            texts += [output.get("text", ""), output.get("evalue", ""), *output.get("traceback", ())]
            texts += [text for mime, text in output.get("data", {}).items() if mime.startswith("text/")]
            texts += [str(output.get("metadata", ""))]
        for line in "\n".join(texts).split("\n"):
            if CHINESE.search(line):
                yield cell.get("id", "?"), line


def prose_in_language(source: str, language: Language) -> str:
    """Return a Markdown cell in ``language``; unchanged for ``"both"``."""
    if language == "both":
        return source
    lines: list[str] = []
    block: str | None = None
    fenced = False
    for line in source.split("\n"):
        opening = OPENING.fullmatch(line)
        if opening:
            block = opening.group(1)
        elif block is not None and line == CLOSING:
            block = None
        elif block is None:
            fenced ^= line.startswith("```")
            lines.append(line if fenced else _outside(line, language))
        elif block == language:
            lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def _outside(line: str, language: Language) -> str:
    """Return a line outside of the language blocks (a heading, a picture, a fold, a row) in ``language``."""
    if line.startswith("#"):
        return heading(line, language)
    line = _SPANS.sub(lambda span: span[2] if span[1] == language else "", line)
    return _ALT.sub(lambda alt: alt[1] + side(alt[2], language) + alt[3], line)
