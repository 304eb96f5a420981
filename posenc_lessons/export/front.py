"""The front page: the four doors with an explorer behind each, the lessons as cards, questions, a search."""

from __future__ import annotations

import base64
import html
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from PIL import Image

from posenc_lessons.course.lessons import GLOSSARY
from posenc_lessons.course.minutes import promised
from posenc_lessons.explorers.doors_map import BEHIND
from posenc_lessons.export import pages, texts
from posenc_lessons.export.markdown import formula, render
from posenc_lessons.export.one_language import prose_in_language
from posenc_lessons.export.page_address import PageAddress
from posenc_lessons.export.search_index import entries
from posenc_lessons.figures.four_doors import DOORS, Door, house_figure
from posenc_lessons.language import Language, Text, shown_in

EXPLORERS_PAGE = "explorers/index.html"  # in the site, if it was written there
WIDE = 640  # pixels of a card's picture, twice what most screens show of it
_EXPLORER = re.compile(r"\b\w+Explorer\(")
_LIST = re.compile(r"<ul>.*?</ul>", re.DOTALL)


def front_page(notebooks: Mapping[str, Any], language: Language, place: PageAddress, explorers: bool) -> str:
    """The page that leads to all others; ``explorers``: whether the explorers' page lies beside them."""
    there = place.relative(EXPLORERS_PAGE) if explorers else None
    parts = [
        f"<h1>{texts.as_html(texts.COURSE, language)}</h1>",
        f'<p class="lead">{texts.as_html(texts.ABOUT, language)}</p>',
        _doors(notebooks, language, there),
        _search(notebooks, language),
        *_lessons(notebooks, language),
        *_listed("questions", texts.QUESTIONS, pages.questions(notebooks), notebooks, language),
        *_listed("solutions", texts.SOLUTIONS, pages.solutions(notebooks), notebooks, language),
    ]
    about = texts.ABOUT.show(language)
    name = texts.as_html(texts.COURSE, language)
    ways = "".join(
        f'<a href="{address}">{texts.as_html(said, language)}</a>'
        for address, said in _ways(notebooks, language, there)
    )
    return pages.page(
        name, "\n".join(parts), language, ways, extra="dark front search", about=about, place=place
    )


def _ways(
    notebooks: Mapping[str, Any], language: Language, explorers: str | None
) -> Iterator[tuple[str, Text]]:
    """Where one can go from here, besides into a lesson: addresses and names."""
    yield "#lessons", texts.LESSONS
    if pages.questions(notebooks):
        yield "#questions", texts.QUESTIONS
    if explorers:
        yield f"{explorers}?lang={language}", texts.EXPLORERS
    if f"{GLOSSARY}.ipynb" in notebooks:
        yield f"{GLOSSARY}.html", texts.GLOSSARY
    if pages.solutions(notebooks):
        yield "#solutions", texts.SOLUTIONS


def front_pictures(notebooks: Mapping[str, Any]) -> dict[str, bytes]:
    """The cards' pictures by their file: of each lesson that has any, the first."""
    first = {name: _first_picture(notebook) for name, notebook in notebooks.items() if _is_lesson(name)}
    return {_picture(name): _small(base64.b64decode(png)) for name, png in first.items() if png}


def _is_lesson(name: str) -> bool:
    return "/" not in name and not name.startswith(GLOSSARY)


def _picture(name: str) -> str:
    return f"{pages.PICTURES}{name.removesuffix('.ipynb')}.webp"


def _first_picture(notebook: Any) -> str | None:
    """PNG in base64: the first explorer as the lesson shows it, or else the first picture; None without."""
    found = [
        (not _EXPLORER.search(cell.source), output.data["image/png"])
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", {})
    ]
    return min(found, key=lambda each: each[0])[1] if found else None


def _small(png: bytes) -> bytes:
    with Image.open(io.BytesIO(png)) as picture:
        small = picture.convert("RGB")
        small.thumbnail((WIDE, WIDE), Image.Resampling.LANCZOS)
        written = io.BytesIO()
        small.save(written, "WEBP", quality=75, method=6)
    return written.getvalue()


def _doors(notebooks: Mapping[str, Any], language: Language, explorers: str | None) -> str:
    """The house as a picture, and below each door a card; the door and its card are one link."""
    with shown_in(language):
        house = house_figure()
    png = base64.b64encode(house.png()).decode()
    links = "".join(_door(door, notebooks, language, explorers) for door in DOORS)
    alt = html.escape(house.alt.show(language))
    return (
        f'<nav class="doors" aria-label="{html.escape(texts.DOORS.show(language))}">'
        f'<img src="data:image/png;base64,{png}" alt="{alt}">{links}</nav>'
    )


def _door(door: Door, notebooks: Mapping[str, Any], language: Language, explorers: str | None) -> str:
    pieces = "".join(piece for piece, _ in door.formula).replace("$", " ")
    lines = (_in_a_row(line, language) for line in door.encodings)
    card = (
        f'<span class="card"><span class="number">{door.number}</span>'
        f'<strong>{texts.as_html(door.name, language)}</strong><span class="formula">'
        f'{formula(pieces, display=False)}</span><span class="used">{"<br>".join(lines)}</span>'
        f'<span class="aside">{texts.as_html(door.lessons, language)}</span></span>'
    )
    address = _behind(door, notebooks, language, explorers)
    tag, link = ("a", f' href="{html.escape(address)}"') if address else ("div", "")
    return f'<{tag}{link} style="--door:{door.color}">{card}</{tag}>'


def _in_a_row(names: tuple[Text, ...], language: Language) -> str:
    return ("、" if language == "zh" else ", ").join(texts.as_html(name, language) for name in names)


def _behind(
    door: Door, notebooks: Mapping[str, Any], language: Language, explorers: str | None
) -> str | None:
    """Where a door leads: its first explorer on the explorers' page, or else in the lesson about it."""
    behind = BEHIND[door.number][0]
    if explorers:
        asked = {"explorer": behind.explorer.name, "lang": language, **behind.settings}
        return f"{explorers}?{urlencode(asked)}"
    lesson = f"{behind.lesson}.ipynb"
    return f"{pages.file_name(lesson)}#{behind.cell}" if lesson in notebooks else None


def _search(notebooks: Mapping[str, Any], language: Language) -> str:
    said = html.escape(texts.FOUND.show(language))
    return f"""<search class="search">
<label for="search">{texts.as_html(texts.SEARCH, language)}</label>
<input type="search" id="search" autocomplete="off" enterkeyhint="search">
<p role="status" data-said="{said}"></p>
<ol></ol>
</search>
<script type="application/json" id="entries">{_as_json([*entries(notebooks, language)])}</script>"""


def _lessons(notebooks: Mapping[str, Any], language: Language) -> Iterator[str]:
    cards = "\n".join(_card(name, notebooks, language) for name in filter(_is_lesson, notebooks))
    heading = texts.as_html(texts.LESSONS, language)
    yield f'<h2 id="lessons">{heading}</h2>\n<ol class="cards">\n{cards}\n</ol>'


def _card(name: str, notebooks: Mapping[str, Any], language: Language) -> str:
    first = notebooks[name].cells[0].source
    picture = f'<img src="{_picture(name)}" alt="" loading="lazy">' if _first_picture(notebooks[name]) else ""
    lasts = promised(first, "zh" if language == "zh" else "en")
    minutes = texts.as_html(texts.MINUTES.format(n=lasts), language) if lasts else ""
    goals = (
        "".join(_goals(first, language))
        or f"<p>{html.escape(pages.description(notebooks[name], language))}</p>"
    )
    return (
        f'<li>{picture}<h3>{_link(name, notebooks, language)}</h3><p class="aside">{minutes}</p>{goals}</li>'
    )


def _goals(first: str, language: Language) -> Iterator[str]:
    """What one can do afterwards: the list with which a lesson begins, in each language that it speaks."""
    spoken: tuple[Language, ...] = ("zh", "en") if language == "both" else (language,)
    for one in spoken:
        if found := _LIST.search(render(prose_in_language(first, one), one)):
            yield f'<div lang="{pages.TAGS[one]}">{found[0]}</div>'


def _listed(
    key: str, heading: Text, names: list[str], notebooks: Mapping[str, Any], language: Language
) -> Iterator[str]:
    """A section of links; nothing where there are none."""
    links = "\n".join(f"<li>{_link(name, notebooks, language)}</li>" for name in names)
    if links:
        yield f'<h2 id="{key}">{texts.as_html(heading, language)}</h2>\n<ol class="apart">\n{links}\n</ol>'


def _link(name: str, notebooks: Mapping[str, Any], language: Language) -> str:
    return f'<a href="{pages.file_name(name)}">{pages.title(notebooks[name], language)}</a>'


def _as_json(value: object) -> str:
    """``value`` for a script element: no ``</script>`` can come of it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
