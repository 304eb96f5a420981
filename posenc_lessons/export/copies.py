"""A lesson in one language: the notebook without the other."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from posenc_lessons.export import code, outputs, prose
from posenc_lessons.export.characters import CHINESE
from posenc_lessons.language import Language


def words_in_language(notebook: Any, language: Language) -> Any:
    """A copy of ``notebook`` with its prose and its code in ``language`` alone; outputs as they were."""
    copied = copy.deepcopy(notebook)
    for cell in copied.cells:
        rewrite = prose.in_language if cell.cell_type == "markdown" else code.in_language
        if cell.cell_type != "raw":
            cell.source = rewrite(cell.source, language)
    copied.cells = [cell for cell in copied.cells if cell.source.strip()]
    return copied


def in_language(notebook: Any, language: Language) -> Any:
    """The same with what its cells showed in ``language`` as well."""
    copied = words_in_language(notebook, language)
    for cell in copied.cells:
        if cell.cell_type == "code":
            cell.outputs = outputs.in_language(outputs.tidy(cell.outputs), language)
            if language != "both" and cell.get("id") == "setup":
                cell.outputs = []  # it only offered the buttons
    return copied


def chinese_left(notebook: Any) -> Iterator[tuple[str, str]]:
    """Cells that still hold Chinese, each with the line: none in an English copy."""
    for cell in notebook.cells:
        texts = [cell.source]
        for output in cell.get("outputs", ()):
            texts += [output.get("text", ""), output.get("evalue", ""), *output.get("traceback", ())]
            texts += [text for mime, text in output.get("data", {}).items() if mime.startswith("text/")]
            texts += [str(output.get("metadata", ""))]
        for line in "\n".join(texts).split("\n"):
            if CHINESE.search(line):
                yield cell.get("id", "?"), line
