"""The front page: moving dials, places to begin, the doors, lessons as cards with a motif, questions."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from posenc_lessons.course.lessons import GLOSSARY, promised
from posenc_lessons.explorers.doors_map import BEHIND
from posenc_lessons.export import census_page, class_page, pages, teaching_page, texts
from posenc_lessons.export.dials import dials
from posenc_lessons.export.document import Looks
from posenc_lessons.export.frame import Frame
from posenc_lessons.export.markdown import formula, render
from posenc_lessons.export.motifs import motif
from posenc_lessons.export.one_language import prose_in_language
from posenc_lessons.export.page_address import TAGS
from posenc_lessons.export.search_index import as_json, entries
from posenc_lessons.export.what_runs import course_table, what_runs
from posenc_lessons.figures.formulas import FORMULAS
from posenc_lessons.figures.four_doors import DOORS, Door, house_figure
from posenc_lessons.language import Language, Text, shown_in

EXPLORERS_PAGE = "explorers/index.html"  # its path in the site, if the site has it
RUNS = "runs"  # the id of the section that says what runs in the page
_LIST = re.compile(r"<ul>.*?</ul>", re.DOTALL)


def front_page(
    notebooks: Mapping[str, Any],
    language: Language,
    frame: Frame,
    looks: Looks,
    explorers: str | None,
    live: bool,
    guide: bool,
) -> str:
    """Return the front page, with links to all others.

    ``explorers``: the address of the explorers' page, or None. ``live``: whether cells run. ``guide``:
    whether the site has the teacher's guide.
    """
    parts = [
        '<div class="hero"><div>',
        f"<h1>{texts.as_html(texts.COURSE, language)}</h1>",
        f'<p class="lead">{texts.as_html(texts.ABOUT, language)}</p>',
        _ways(notebooks, language, explorers, guide, looks.shared is not None),
        "</div>",
        dials(language),
        "</div>",
        _begin(notebooks, language, looks, guide),
        _doors(notebooks, language, explorers),
        *_lessons(notebooks, language),
        *_listed("questions", texts.QUESTIONS, pages.questions(notebooks), notebooks, language),
        *_listed("solutions", texts.SOLUTIONS, pages.solutions(notebooks), notebooks, language),
        *(_what_runs(notebooks, language) if live else ()),
    ]
    if frame.entries == "":
        found = as_json([*entries(notebooks, language)])
        parts.append(f'<script type="application/json" id="entries">{found}</script>')
    about = texts.ABOUT.show(language)
    name = texts.as_html(texts.COURSE, language)
    return pages.page(name, "\n".join(parts), language, frame, looks, about=about, wide=True)


def _ways(
    notebooks: Mapping[str, Any], language: Language, explorers: str | None, guide: bool, models: bool
) -> str:
    """Return links to the parts of the site."""
    found: list[tuple[str, Text]] = [("#lessons", texts.LESSONS)]
    if pages.questions(notebooks):
        found.append(("#questions", texts.QUESTIONS))
    if explorers:
        found.append((f"{explorers}?lang={language}", texts.EXPLORERS))
    if f"{GLOSSARY}.ipynb" in notebooks:
        found.append((f"{GLOSSARY}.html", texts.GLOSSARY))
    if models:
        found.append((census_page.FILE, texts.MODELS))
    if guide:
        found.append((teaching_page.FILE, texts.TEACHERS))
    links = "".join(f'<a href="{address}">{texts.as_html(said, language)}</a>' for address, said in found)
    label = html.escape(texts.COURSE.show(language))
    return f'<nav class="ways" aria-label="{label}">{links}</nav>'


def _begin(notebooks: Mapping[str, Any], language: Language, looks: Looks, guide: bool) -> str:
    """Return links that say where three kinds of reader should begin."""
    lessons = [name for name in notebooks if name[:2].isdecimal()]
    ways = []
    if lessons:
        ways.append(
            (
                texts.FROM_START,
                texts.FROM_START_SAID,
                [_link(name, notebooks, language) for name in lessons[:2]],
            )
        )
    if asked := pages.questions(notebooks):
        here = f'<a href="#questions">{texts.as_html(texts.QUESTIONS, language)} ({len(asked)})</a>'
        ways.append((texts.ONE_QUESTION, texts.ONE_QUESTION_SAID, [here]))
    if looks.shared is not None:
        links = [(teaching_page.FILE, texts.GUIDE)] if guide else []
        links.append((class_page.FILE, texts.CLASS_NAME))
        made = [f'<a href="{file}">{texts.as_html(said, language)}</a>' for file, said in links]
        ways.append((texts.I_TEACH, texts.I_TEACH_SAID, made))
    if len(ways) < 2:
        return ""
    shown = "".join(
        f"<li><h3>{texts.as_html(name, language)}</h3><p>{texts.as_html(said, language)}</p>"
        f'<p class="to">{"".join(links)}</p></li>'
        for name, said, links in ways
    )
    return f'<h2 id="begin">{texts.as_html(texts.BEGIN, language)}</h2>\n<ul class="begin">{shown}</ul>'


def _is_lesson(name: str) -> bool:
    return "/" not in name and not name.startswith(GLOSSARY)


def _doors(notebooks: Mapping[str, Any], language: Language, explorers: str | None) -> str:
    """Return the house as a picture, with a card below each door; a door and its card are one link."""
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
    """Return the address behind a door: that of its first explorer, or else of the lesson about it."""
    behind = BEHIND[door.number][0]
    if explorers:
        asked = {"explorer": behind.explorer.name, "lang": language, **behind.settings}
        return f"{explorers}?{urlencode(asked)}"
    lesson = f"{behind.lesson}.ipynb"
    return f"{pages.file_name(lesson)}#{behind.cell}" if lesson in notebooks else None


def _lessons(notebooks: Mapping[str, Any], language: Language) -> Iterator[str]:
    cards = "\n".join(_card(name, notebooks, language) for name in filter(_is_lesson, notebooks))
    heading = texts.as_html(texts.LESSONS, language)
    yield f'<h2 id="lessons">{heading}</h2>\n<ol class="cards">\n{cards}\n</ol>'


def _card(name: str, notebooks: Mapping[str, Any], language: Language) -> str:
    first = notebooks[name].cells[0].source
    lasts = promised(first, "zh" if language == "zh" else "en")
    minutes = texts.as_html(texts.MINUTES.format(n=lasts), language) if lasts else ""
    goals = (
        "".join(_goals(first, language))
        or f"<p>{html.escape(pages.description(notebooks[name], language, whole=True))}</p>"
    )
    return (
        f"<li>{_motif(name)}<h3>{_link(name, notebooks, language)}</h3>{_formula(name)}"
        f'<p class="aside">{minutes}</p>{goals}</li>'
    )


def _formula(name: str) -> str:
    """Return the first formula on the lesson's sheet; nothing for a lesson without a sheet."""
    tex = FORMULAS.get(name[:2])
    if tex is None:
        return ""
    shown = tex.strip("$").split(r"\qquad")[0].strip().rstrip(",")
    return f'<div class="on-card">{formula(shown, display=False)}</div>'


def _motif(name: str) -> str:
    drawn = motif(name[:2])
    return f'<div class="motif">{drawn}</div>' if drawn else ""


def _what_runs(notebooks: Mapping[str, Any], language: Language) -> Iterator[str]:
    """Yield the section that says what runs in each lesson's page."""
    titles = {
        name: _link(name, notebooks, language)
        for name in filter(_is_lesson, notebooks)
        if what_runs(notebooks[name]).cells
    }
    yield f'<h2 id="{RUNS}">{texts.as_html(texts.RUNS, language)}</h2>'
    yield f"<p>{texts.as_html(texts.RUNS_SAID, language)}</p>"
    yield course_table(notebooks, titles, language)


def _goals(first: str, language: Language) -> Iterator[str]:
    """Yield the goals of a lesson, which are the list at its beginning, in each of its languages."""
    spoken: tuple[Language, ...] = ("zh", "en") if language == "both" else (language,)
    for one in spoken:
        if found := _LIST.search(render(prose_in_language(first, one), one)):
            yield f'<div lang="{TAGS[one]}">{found[0]}</div>'


def _listed(
    key: str, heading: Text, names: list[str], notebooks: Mapping[str, Any], language: Language
) -> Iterator[str]:
    """Yield a section of links; nothing if there are none."""
    links = "\n".join(f"<li>{_link(name, notebooks, language)}</li>" for name in names)
    if links:
        yield f'<h2 id="{key}">{texts.as_html(heading, language)}</h2>\n<ol class="apart">\n{links}\n</ol>'


def _link(name: str, notebooks: Mapping[str, Any], language: Language) -> str:
    return f'<a href="{pages.file_name(name)}">{pages.title(notebooks[name], language)}</a>'
