"""Lessons as pages that link to each other, and for several of them an index with a search."""

from __future__ import annotations

import html
import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from posenc_lessons.course.folder import QUESTIONS
from posenc_lessons.export import pages, words
from posenc_lessons.export.markdown import LinkTo, plain, render
from posenc_lessons.export.pages import Neighbours
from posenc_lessons.language import Language

INDEX = "index.html"
SITEMAP = "sitemap.xml"
LIVE = "live/lesson.js"  # what brings explorers to life, and lies beside what it needs
EXPLORERS = "explorers/index.html"  # where the explorers' page is, if it was written beside the lessons
_CELL = re.compile(r"^cell-id=")


def site(
    notebooks: Mapping[str, Any], language: Language, live: bool = False, explorers: bool = False
) -> dict[str, bytes]:
    """Every notebook (path within the course → notebook in ``language``) as a page, and their index.

    With ``live`` explorers come to life, by ``live.files()`` beside the pages. ``explorers``: whether the
    index leads to the explorers' page as well.
    """
    several = len(notebooks) > 1
    files = {
        _page(name): pages.lesson_page(
            notebook,
            language,
            links_from(name, notebooks),
            _neighbours(name, notebooks, language) if several else None,
            _from(name, LIVE) if live else None,
        ).encode()
        for name, notebook in notebooks.items()
    }
    if several:
        files[INDEX] = _index(notebooks, language, explorers).encode()
    return files


def links_from(name: str, notebooks: Mapping[str, Any]) -> LinkTo:
    """Where a link in notebook ``name`` leads on these pages; a notebook that is not among them: nowhere."""

    def link_to(address: str) -> str | None:
        if re.match(r"[a-z]+:", address):
            return address
        path, _, anchor = address.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if target not in notebooks:
            return None
        anchor = _CELL.sub("", anchor)
        known = {cell.id for cell in notebooks[target].cells}
        page = "" if target == name else posixpath.relpath(_page(target), posixpath.dirname(name) or ".")
        return (page + (f"#{anchor}" if anchor in known else "")) or "#main"

    return link_to


def sitemap(files: Iterable[str], address: str) -> bytes:
    """The pages among ``files`` for search engines (sitemaps.org), of a site that is to be at ``address``."""
    names = [quote(name.removesuffix(INDEX)) for name in sorted(files) if name.endswith(".html")]
    listed = "".join(f"<url><loc>{html.escape(address.rstrip('/'))}/{name}</loc></url>\n" for name in names)
    schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{schema}">\n{listed}</urlset>\n'.encode()


def _page(name: str) -> str:
    return name.removesuffix(".ipynb") + ".html"


def _from(name: str, file: str) -> str:
    """Where ``file`` lies, seen from the page of notebook ``name``."""
    return posixpath.relpath(file, posixpath.dirname(name) or ".")


def _neighbours(name: str, notebooks: Mapping[str, Any], language: Language) -> Neighbours:
    """The neighbours among the lessons; a solution has its lesson before it."""
    link_to = links_from(name, notebooks)
    index = _from(name, INDEX)

    def neighbour(other: str) -> tuple[str, str] | None:
        address = link_to(_from(name, other))
        return (address, pages.title(notebooks[other], language)) if address else None

    if "/" in name:
        lesson = posixpath.basename(name)
        return Neighbours(index, neighbour(lesson) if lesson in notebooks else None, None)
    lessons = [other for other in notebooks if other[:2].isdecimal()]
    if name not in lessons:
        return Neighbours(index)  # the glossary
    place = lessons.index(name)
    before = neighbour(lessons[place - 1]) if place > 0 else None
    after = neighbour(lessons[place + 1]) if place + 1 < len(lessons) else None
    return Neighbours(index, before, after)


def _index(notebooks: Mapping[str, Any], language: Language, explorers: bool) -> str:
    lessons = "\n".join(_entry(name, notebooks, language) for name in notebooks if "/" not in name)
    entries = [entry for name in notebooks for entry in search_entries(name, notebooks, language)]
    name = words.say(words.COURSE, language)
    label = html.escape(words.SEARCH.show(language))
    said = html.escape(words.FOUND.show(language))
    questions = _questions(notebooks, language)
    all_of_them = words.say(words.EXPLORERS, language)
    aside = f'<p><a href="{EXPLORERS}?lang={language}">{all_of_them}</a></p>\n' if explorers else ""
    main = f"""<h1>{name}</h1>
<ol class="lessons">
{lessons}
</ol>
{questions}{aside}<section class="search" role="search">
<h2>{words.say(words.SEARCH, language)}</h2>
<input type="search" aria-label="{label}" autocomplete="off">
<p role="status" data-said="{said}"></p>
<ol></ol>
</section>
<script type="application/json" id="entries">{_as_json(entries)}</script>"""
    return pages.page(name, main, language, extra="search")


def _questions(notebooks: Mapping[str, Any], language: Language) -> str:
    """Those that people ask, in the order of the lessons that go deeper; nothing where there are none."""
    asked = [name for name in notebooks if name.startswith(f"{QUESTIONS}/")]
    asked.sort(key=lambda name: re.findall(r"\.\./(\d\d)_", notebooks[name].cells[-1].source)[:1])
    entries = "\n".join(_entry(name, notebooks, language) for name in asked)
    heading = f"<h2>{words.say(words.QUESTIONS, language)}</h2>"
    return f'{heading}\n<ol class="lessons">\n{entries}\n</ol>\n' if asked else ""


def _entry(name: str, notebooks: Mapping[str, Any], language: Language) -> str:
    solution = f"solutions/{name}"
    aside = ""
    if solution in notebooks:
        said = words.say(words.SOLUTIONS, language)
        aside = f'<span class="aside"><a href="{_page(solution)}">{said}</a></span>'
    title = pages.title(notebooks[name], language)
    number = f"{name[:2]} · " if name[:2].isdecimal() and not title.startswith(name[:2]) else ""
    return f'<li>{number}<a href="{_page(name)}">{title}</a>{aside}</li>'


def search_entries(name: str, notebooks: Mapping[str, Any], language: Language) -> Iterator[dict[str, str]]:
    """One entry for each heading of a lesson with the prose below it, as plain text."""
    lesson = plain(pages.title(notebooks[name], language))
    entry = {"page": _page(name), "title": lesson, "text": ""}
    for cell in notebooks[name].cells:
        if cell.cell_type != "markdown":
            continue
        markup = render(cell.source, language, lambda address: None)
        heading = re.search(r"<h[23]>(.*?)</h[23]>", markup, re.DOTALL)
        if heading:
            if entry["text"]:
                yield entry
            title = f"{lesson} — {plain(heading.group(1))}"
            entry = {"page": f"{_page(name)}#{cell.id}", "title": title, "text": ""}
        entry["text"] = (
            f"{entry['text']} {plain(re.sub(r'<h[123]>.*?</h[123]>', '', markup, flags=re.DOTALL))}"
        )
    yield entry


def _as_json(value: object) -> str:
    """``value`` for a script element: no ``</script>`` can come of it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
