"""Keep one language of a cell's outputs, in which each language has its own block, ``<div lang="en">``."""

import re
from typing import Any

from posenc_lessons.export.two_sides import in_language as side
from posenc_lessons.language import Language

STILL = "application/vnd.posenc-lessons.still+json"  # the settings of an explorer, beside its picture
PICTURE = "application/vnd.posenc-lessons.slide-picture+json"  # the picture of a slide, as data
STILLS = "in_one_language"  # in a picture's metadata: the same picture by language

# ``Text.html()``, ``say()`` and verdicts write these blocks; no div is within a div, no pre within a pre.
_BLOCK = re.compile(r'<(div|pre) lang="(zh|en)"[^>]*>.*?</\1>', re.DOTALL)
_CHINESE_COLUMN = re.compile(r'<(td|th) class="chinese"[^>]*>.*?</\1>', re.DOTALL)  # of a table of words
_PROGRESS = re.compile(r"\d+%\|")  # a progress bar of tqdm
_WIDGETS = "application/vnd.jupyter.widget"


def tidy(outputs: list[Any]) -> list[Any]:
    """Return the outputs without those that only a running kernel uses: widgets, progress bars, warnings."""
    lasting = []
    for output in outputs:
        output.pop("transient", None)
        for part in ("data", "metadata"):
            for mime in [mime for mime in output.get(part, ()) if mime.startswith(_WIDGETS)]:
                del output[part][mime]
        words = output.get("text", "") + str(output.get("data", {}).get("text/plain", ""))
        if output.get("name") == "stderr":
            continue  # progress bars, and warnings of this machine's libraries
        only_text = set(output.get("data", ())) <= {"text/plain"}
        if not (only_text and _PROGRESS.search(words)) and ("data" not in output or output.data):
            lasting.append(output)
    return lasting


def in_language(outputs: list[Any], language: Language) -> list[Any]:
    """Return the outputs (edited in place) in ``language``; outputs that are then empty are left out.

    HTML keeps the blocks of ``language``. Its plain-text form has both languages and is left out. Words
    inside a picture change only if the notebook has it in each language, else by running the cell in one.
    """
    if language == "both":
        return outputs
    for output in outputs:
        data = output.get("data", {})
        if "text/html" in data:
            data["text/html"] = html_in_language(data["text/html"], language)
            data.pop("text/plain", None)
        elif "text/plain" in data:
            data["text/plain"] = "\n".join(side(line, language) for line in data["text/plain"].split("\n"))
        for mime, picture in output.get("metadata", {}).items():
            if isinstance(picture, dict) and "alt" in picture:
                picture["alt"] = side(picture["alt"], language)
                data[mime] = picture.pop(STILLS, {}).get(language, data[mime])
    return [output for output in outputs if "data" not in output or any(output.data.values())]


def html_in_language(html: str, language: Language) -> str:
    """Return ``html`` that the course made without the blocks of the other language."""
    if language == "en":
        html = _CHINESE_COLUMN.sub("", html)
    return _BLOCK.sub(lambda block: block.group() if block[2] == language else "", html)
