"""The cells of a notebook as HTML: prose, code, and what the code showed."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from nbconvert.filters import Highlight2HTML, strip_ansi

from posenc_lessons.course import sections
from posenc_lessons.course.guess import RIGHT
from posenc_lessons.export import texts
from posenc_lessons.export.markdown import LinkTo, render, sides
from posenc_lessons.export.outputs import STILLS
from posenc_lessons.language import Language, Text

OFFERS = ("运行本格", "Run this cell")  # what a switch or a button says where no kernel runs
NOTE = 'role="note"'  # a picture's words for screen readers, which the page has as alt text
SETUP = "setup"  # the cell that offers the languages
_SETTLED = '<div class="posenc-settled"'
_PRE = '<pre tabindex="0">'


def body(notebook: Any, language: Language, link_to: LinkTo) -> Iterator[str]:
    """The cells as HTML; each is an element whose id is the cell's. Deeper sections are folded."""
    around: list[int] = []  # the levels of the deeper sections that are open here
    for cell in notebook.cells:
        here = sections.level(cell)
        while here and around and around[-1] >= here:
            around.pop()
            yield "</details>"
        if cell.cell_type == "markdown":
            said = render(cell.source, language, link_to)
            if sections.folded(cell):
                around.append(here)
                heading, said = said.split("\n", 1)
                yield f'<details class="deeper" id="{cell.id}"><summary>{heading}</summary>\n{said}'
            else:
                yield f'<div class="md" id="{cell.id}">\n{said}</div>'
        elif cell.cell_type == "code" and not for_one_reader(cell):
            outputs = "".join(shown(cell, language, link_to))
            yield f'<div class="code" id="{cell.id}">\n{_source_or_fold(cell, language)}{outputs}</div>'
    yield from ["</details>"] * len(around)


def source(cell: Any) -> str:
    """The cell's code, coloured."""
    coloured = Highlight2HTML()(cell.source, language="ipython3")
    return f'<div class="source">{coloured.replace("<pre>", _PRE, 1)}</div>\n'


def for_one_reader(cell: Any) -> bool:
    """Whether the cell offers the languages, or shows what one reader has done."""
    return cell.id == SETUP or bool(re.search(r"^progress_map\(", cell.source, re.MULTILINE))


def _source_or_fold(cell: Any, language: Language) -> str:
    """Code that is there to be read; other code is folded away, and that of a guess says nothing at all."""
    if sections.guesses(cell):
        return ""
    if sections.teaches(cell):
        return source(cell)
    return f"<details><summary>{texts.as_html(texts.CODE, language)}</summary>\n{source(cell)}</details>\n"


def shown(cell: Any, language: Language, link_to: LinkTo) -> Iterator[str]:
    """The cell's outputs; those that only speak of running it are left out."""
    for output in cell.outputs:
        said = output.get("text", "") or output.get("data", {}).get("text/plain", "")
        unanswered = cell.id.startswith("exercise-") and said.startswith("… ")
        markup = "" if unanswered or said.startswith(OFFERS) else _output(output, language, link_to)
        if markup:
            yield f'<div class="shown">{markup}</div>\n'


def _output(output: Any, language: Language, link_to: LinkTo) -> str:
    data = output.get("data", {})
    if STILLS in data:
        return _stills(data[STILLS], language)
    if "image/png" in data:
        known = output.metadata.get("image/png", {})
        return image(data["image/png"], known.get("alt", data.get("text/plain", "")), known.get("width"))
    if "text/html" in data:
        return "" if NOTE in data["text/html"] else _linked(data["text/html"], language, link_to)
    if output.output_type == "error":
        return _printed(f"{output.ename}: {output.evalue}")
    return _printed(output.get("text", "") or data.get("text/plain", ""))


def image(png: str, alt: str, width: int | None) -> str:
    """A picture inside the page; ``png`` is base64."""
    size = f' width="{width}"' if width else ""
    return f'<img src="data:image/png;base64,{png.strip()}" alt="{html.escape(alt)}"{size}>'


def _printed(text: str) -> str:
    return f"{_PRE}{html.escape(strip_ansi(text).rstrip())}</pre>" if text.strip() else ""


def _linked(markup: str, language: Language, link_to: LinkTo) -> str:
    """HTML of the course's own making, its links led to these pages, wide tables in a box that scrolls."""

    def link(found: re.Match[str]) -> str:
        target = link_to(html.unescape(found.group(1)))
        return f'<a href="{html.escape(target)}">{found.group(2)}</a>' if target else found.group(2)

    markup = re.sub(r'<a href="([^"]*)">(.*?)</a>', link, markup, flags=re.DOTALL)
    if markup.startswith(_SETTLED):
        markup = markup.replace("<ol", f"{_guessed(language)}<ol", 1)
    markup = markup.replace('lang="zh"', 'lang="zh-Hans"')
    return f'<div class="wide" tabindex="0">{markup}</div>' if markup.startswith("<table") else markup


def _guessed(language: Language) -> str:
    """For the page's script: what it says of the reader's own guess."""

    def said(when: str, text: Text) -> str:
        filled = texts.as_html(text, language).replace("{letter}", '<b class="letter"></b>')
        return f'<p class="guessed" data-when="{when}" hidden>{filled}</p>'

    return said("right", RIGHT) + said("wrong", texts.GUESSED_WRONG)


def _stills(known: dict[str, Any], language: Language) -> str:
    """A picture at several places of one control, and a slider over them."""
    frames = []
    for number, still in enumerate(known["stills"]):
        hidden = "" if number == known["start"] else " hidden"
        reading = f'<p class="reading">{html.escape(still["reading"])}</p>'
        frames.append(
            f'<div class="frame" data-place="{html.escape(still["place"])}"{hidden}>'
            f"{image(still['png'], still['alt'], still['width'])}{reading}</div>"
        )
    label = sides(html.escape(known["label"]), language)
    spoken = html.escape(known["label"])
    last, start = len(frames) - 1, known["start"]
    note = texts.as_html(texts.STILLS.format(n=len(frames)), language)
    return (
        f'<figure class="stills"{_settings(known)}><div aria-live="polite">{"".join(frames)}</div>'
        f'<div class="slide" hidden><span aria-hidden="true">{label}</span>'
        f'<input type="range" min="0" max="{last}" step="1" value="{start}" aria-label="{spoken}">'
        f'<output></output></div><p class="note">{note}</p></figure>'
    )


def _settings(known: dict[str, Any]) -> str:
    """For a page whose explorers come to life: which one it is, and how it is set."""
    said = {**known, "initial": json.dumps(known["initial"])}
    return "".join(f' data-{name}="{html.escape(said[name])}"' for name in ("explorer", "query", "initial"))
