"""A notebook as one HTML page that needs nothing else: no network, no kernel, no other file."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from posenc_lessons.course.lessons import QUESTIONS
from posenc_lessons.export import texts
from posenc_lessons.export.cell_html import body
from posenc_lessons.export.fonts import FAMILY, FONT
from posenc_lessons.export.language_links import link_to_other_language
from posenc_lessons.export.markdown import LinkTo, plain, render, sides
from posenc_lessons.export.one_language import prose_in_language
from posenc_lessons.export.page_address import TAGS, PageAddress
from posenc_lessons.figures.fonts import font_face
from posenc_lessons.language import CHINESE, NAMES, Language, Text

HERE = Path(__file__).parent / "page"
PICTURES = "pictures/"  # the folder of those that lie beside a page; all others are in it
EXPLORER = "data-explorer="  # of a figure whose explorer can come to life
_TITLE = re.compile(r"^# +(.*)$", re.MULTILINE)
_SECTION = re.compile(r"^## +(.*)$", re.MULTILINE)
_PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_BEGINNING = re.compile(r".{40,}?(?:[。！？]|[.!?](?= |$))|.*")  # whole sentences, 40 characters at least


@dataclass(frozen=True)
class Neighbours:
    """Where a page stands in the course: addresses and titles (HTML) of the index and the neighbours."""

    index: str | None = None
    before: tuple[str, str] | None = None
    after: tuple[str, str] | None = None


def lesson_page(
    notebook: Any,
    language: Language,
    link_to: LinkTo,
    others: Neighbours | None = None,
    live: str | None = None,
    place: PageAddress | None = None,
) -> str:
    """The page of ``notebook``, which is in ``language`` already. Links lead where ``link_to`` says.

    ``live``: where the script lies that brings explorers to life; None for stills. ``place`` as for ``page``.
    """
    cells = "\n".join(body(notebook, language, link_to))
    main = cells.replace("</h1>", f"</h1>\n{_contents(notebook, language)}", 1)
    around = links(others or Neighbours(), language)
    alive = live if EXPLORER in main else None
    about = description(notebook, language)
    name = title(notebook, language)
    return page(name, main, language, around, extra="dark", live=alive, about=about, place=place)


def page(
    name: str,
    main: str,
    language: Language,
    nav: str = "",
    extra: str | None = None,
    switch: bool = True,
    live: str | None = None,
    about: str = "",
    place: PageAddress | None = None,
) -> str:
    """A whole HTML document around ``main``; ``name`` is HTML, ``nav`` the links around it.

    ``extra`` names, with spaces between, styles and scripts (either may be missing) to follow those of every
    page. ``switch``: whether a page in both languages offers to show one. ``live``: as for ``lesson_page``.
    ``about`` is what a search engine may show below the title. ``place``: where the page will be; with one
    that has another language the page links to it.
    """
    bare = html.escape(re.sub(r"<[^>]+>", "", name))
    where = place.head(html.unescape(bare), about) if place else ""
    extras = (extra or "").split()
    described = f'<meta name="description" content="{html.escape(about)}">\n' if about else ""
    offered = _switch() if language == "both" and switch else ""
    body_tag = '<body data-languages="zh en">' if language == "both" else "<body>"
    made = f"{texts.as_html(texts.MADE, language)} <code>posenc-lessons lab</code>"
    licence = texts.as_html(texts.LICENCE, language)
    script = "\n" + "".join(_file(f"{each}.js") for each in ("page", *extras))
    style = "".join(_file(f"{each}.css") for each in ("style", *extras))
    around = f"{nav}{link_to_other_language(place) if place else ''}"
    rules = policy(script, live is not None, f'src="{PICTURES}' in main)
    brought = f'<script src="{html.escape(live)}" defer></script>\n' if live else ""
    return f"""<!doctype html>
<html lang="{TAGS[language]}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{rules}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{bare}</title>
{described}{where}<link rel="icon" href="data:,">
<style>
{_fonts(main)}
{style}</style>
{brought}</head>
{body_tag}
<a class="skip" href="#main">{texts.as_html(texts.SKIP, language)}</a>
<header>{_nav(around, texts.WAY, language)}{offered}</header>
<main id="main">
{main}
</main>
<footer>{_nav(nav, texts.WAY_ON, language)}<p>{made}</p><p>{licence}</p></footer>
<script>{script}</script>
</body>
</html>
"""


def questions(notebooks: Mapping[str, Any]) -> list[str]:
    """The names of the questions that people ask, in the order of the lessons that go deeper."""
    asked = [name for name in notebooks if name.startswith(f"{QUESTIONS}/")]
    return sorted(asked, key=lambda name: re.findall(r"\.\./(\d\d)_", notebooks[name].cells[-1].source)[:1])


def solutions(notebooks: Mapping[str, Any]) -> list[str]:
    """The names of the notebooks with solutions."""
    return [name for name in notebooks if name.startswith("solutions/")]


def title(notebook: Any, language: Language) -> str:
    """The lesson's title as HTML."""
    found = _TITLE.search(notebook.cells[0].source) if notebook.cells else None
    return sides(html.escape(found.group(1)), language) if found else ""


def description(notebook: Any, language: Language) -> str:
    """How the first paragraph begins, as plain text; of a page in both languages, that of each."""
    said = []
    spoken: tuple[Language, ...] = ("zh", "en") if language == "both" else (language,)
    for each in spoken:
        source = prose_in_language(notebook.cells[0].source, each) if notebook.cells else ""
        if found := _PARAGRAPH.search(render(source, each)):
            text = spoken_formulas(plain(found[1]))
            if beginning := _BEGINNING.match(text):
                said.append(beginning[0])
    return " ".join(said)


def spoken_formulas(text: str) -> str:
    """``text`` whose formulas, in TeX, have their words without backslashes."""
    return re.sub(r"\\([A-Za-z]+) ?", r"\1 ", text)


def file_name(name: str) -> str:
    """The page of notebook ``name`` (its path within the course)."""
    return name.removesuffix(".ipynb") + ".html"


def sections(notebook: Any) -> Iterator[tuple[str, str]]:
    """The cell and the words of every heading of the second level."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for found in _SECTION.finditer(re.sub(r"```.*?```", "", cell.source, flags=re.DOTALL)):
                yield cell.id, found.group(1)


def _contents(notebook: Any, language: Language) -> str:
    entries = [
        f'<li><a href="#{cell}">{sides(_inline(said), language)}</a></li>'
        for cell, said in sections(notebook)
    ]
    if len(entries) < 4:  # a page of a screen or two needs none
        return ""
    summary = texts.as_html(texts.CONTENTS, language)
    return f'<details class="contents"><summary>{summary}</summary><ol>{"".join(entries)}</ol></details>'


def _inline(text: str) -> str:
    """A heading's words as HTML, without the marks of Markdown."""
    return html.escape(re.sub(r"[`*$]", "", text))


def links(others: Neighbours, language: Language) -> str:
    """The links that stand before and after a page's text."""
    found = []
    if others.before:
        found.append(f'<a rel="prev" href="{others.before[0]}">← {others.before[1]}</a>')
    if others.index:
        found.append(f'<a href="{others.index}">{texts.as_html(texts.LESSONS, language)}</a>')
    if others.after:
        found.append(f'<a rel="next" href="{others.after[0]}">{others.after[1]} →</a>')
    return "".join(found)


def _nav(links: str, name: Text, language: Language) -> str:
    return f'<nav class="way" aria-label="{html.escape(name.show(language))}">{links}</nav>' if links else ""


def _switch() -> str:
    choices = {**NAMES, "both": f"{NAMES['both']} · both"}
    buttons = "".join(
        f'<label><input type="radio" name="language" value="{value}"{" checked" if value == "both" else ""}> '
        f"{name}</label>"
        for value, name in choices.items()
    )
    return f'<fieldset class="languages" aria-label="{texts.LANGUAGE.show("both")}">{buttons}</fieldset>'


def policy(script: str, live: bool = False, pictures: bool = False) -> str:
    """What the page may do: run this script, show what is in it and, if ``pictures``, what lies beside it.

    If ``live``, it may run Python in a worker.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    scripts, more = f"'sha256-{digest}'", ""
    images = "'self' data: blob:" if pictures else "data: blob:"
    if live:  # the worker is made of a blob; Python is WebAssembly
        scripts = f"'self' 'wasm-unsafe-eval' {scripts}"
        more = "; worker-src blob:; connect-src 'self'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src {images}; "
        f"font-src data:; base-uri 'none'; form-action 'none'{more}"
    )


@cache
def _file(name: str) -> str:
    path = HERE / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _fonts(main: str) -> str:
    """The fonts that come along: that of the formulas, and the Chinese one where there is Chinese."""
    return f"{_formulas()}\n{font_face()}" if CHINESE.search(main) else _formulas()


@cache
def _formulas() -> str:
    content = base64.b64encode(FONT.read_bytes()).decode()
    return (
        f'@font-face {{ font-family: "{FAMILY}"; src: url(data:font/woff;base64,{content}) format("woff"); }}'
    )
