"""Write a lesson in one language: remove the blocks of the other, and the tags of those that stay."""

import copy
from typing import Any

from posenc_lessons.export import code, outputs
from posenc_lessons.export.two_sides import prose_in_language
from posenc_lessons.language import Language


def words_in_language(notebook: Any, language: Language) -> Any:
    """Return a copy of ``notebook`` with its prose and code in ``language``, and the same outputs."""
    copied = copy.deepcopy(notebook)
    for cell in copied.cells:
        rewrite = prose_in_language if cell.cell_type == "markdown" else code.in_language
        if cell.cell_type != "raw":
            cell.source = rewrite(cell.source, language)
        slide = cell.metadata.get("slideshow", {})
        if language != "both":  # text, labels, notes, asks, or a picture with words of the lesson
            slide |= {key: {language: it[language]} for key, it in slide.items() if isinstance(it, dict)}
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
