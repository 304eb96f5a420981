"""Write the HTML around every exported page: head, content security policy, style, fonts and scripts.

A page by itself has everything in it. The pages of a site share the files of ``shared_files()``, which a
browser caches: one style, one script, one font for each alphabet.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from posenc_lessons.browser.build import BROWSER
from posenc_lessons.export.fonts import FAMILY, FONT
from posenc_lessons.export.page_address import TAGS
from posenc_lessons.figures import fonts as chinese
from posenc_lessons.figures.places import SPACING
from posenc_lessons.joined_modules import as_script
from posenc_lessons.language import CHINESE, Language

HERE = Path(__file__).parent / "page"
SHARED = "shared/"  # a site's folder with the files that its pages share
STYLE, SCRIPT = f"{SHARED}site.css", f"{SHARED}site.js"
STYLES = ("style", "site", "front", "class", "census", "look")  # those of every page but slides
ENTRY = "site.js"  # the first module of the script of every page but slides


@dataclass(frozen=True)
class Looks:
    """The styles and scripts of a page.

    ``styles``: names in ``page/``; ``libraries``: scripts that come unchanged before ours; ``entry``: the
    first module of ours. ``shared``: the relative address of the site's root; None for a page by itself.
    ``themes``: whether the page follows the reader's choice of light, dark or projector.
    """

    styles: Sequence[str] = STYLES
    libraries: Sequence[str] = ()
    entry: str | None = ENTRY
    shared: str | None = None
    themes: bool = True


@dataclass(frozen=True)
class Head:
    """The content of a page's head: ``title`` and ``about`` are text, ``links`` HTML for search engines.

    ``live``: the address of the script that runs cells and explorers. ``pictures``: whether the page shows
    pictures from files beside it.
    """

    title: str
    about: str = ""
    links: str = ""
    live: str | None = None
    pictures: bool = False


def document(head: Head, body: str, language: Language, looks: Looks, attributes: str = "") -> str:
    """Return the whole HTML document with ``body``; the body's tag has ``attributes``."""
    first = _read("theme_first.js") if looks.themes else ""
    script = "" if looks.shared is not None else f"\n{_script(tuple(looks.libraries), looks.entry)}"
    described = f'<meta name="description" content="{html.escape(head.about)}">\n' if head.about else ""
    rules = _policy([each for each in (first, script) if each], head, looks.shared is not None)
    early = f"<script>{first}</script>\n" if first else ""
    brought = f'<script src="{html.escape(head.live)}" defer></script>\n' if head.live else ""
    if looks.shared is None:
        style = f"<style>\n{_fonts(body)}\n{_styles(tuple(looks.styles))}</style>\n"
        last = f"<script>{script}</script>\n" if script.strip() else ""
    else:
        up = html.escape(looks.shared)
        style = f'<link rel="stylesheet" href="{up}{STYLE}">\n'
        early += f'<script src="{up}{SCRIPT}" defer></script>\n'
        last = ""
    return f"""<!doctype html>
<html lang="{TAGS[language]}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{rules}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(head.title)}</title>
{described}{head.links}<link rel="icon" href="{ICON}">
{early}{style}{brought}</head>
<body{attributes}>
{body}
{last}</body>
</html>
"""


def shared_files() -> dict[str, bytes]:
    """Return the files that a site's pages share, by path in the site."""
    faces = _face(FAMILY, FONT.name, "woff") + _face(
        chinese.FAMILY, chinese.WEB_FONT.name, "woff2", f" unicode-range: {chinese.CHINESE};"
    )
    return {
        STYLE: f"{faces}{_styles(STYLES)}".encode(),
        SCRIPT: _script((), ENTRY).encode(),
        f"{SHARED}{FONT.name}": FONT.read_bytes(),
        f"{SHARED}{chinese.WEB_FONT.name}": chinese.WEB_FONT.read_bytes(),
    }


def _policy(scripts: Sequence[str], head: Head, shared: bool) -> str:
    """Return the page's content security policy: these scripts, its own pictures, no other servers."""
    digests = (base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts)
    runs = " ".join(f"'sha256-{digest}'" for digest in digests)
    more = ""
    if shared or head.live:
        runs = f"'self' {runs}".strip()
    if head.live:  # the worker's script is a blob; Python is WebAssembly
        runs = f"'wasm-unsafe-eval' {runs}"
        more = "; worker-src blob:; connect-src 'self'"
    own = "'self' " if shared else ""
    images = "'self' data: blob:" if head.pictures else "data: blob:"
    runs = runs or "'none'"
    return (
        f"default-src 'none'; script-src {runs}; style-src {own}'unsafe-inline'; "
        f"img-src {images}; font-src {own}data:; base-uri 'none'; form-action 'none'{more}"
    )


@cache
def _script(libraries: tuple[str, ...], entry: str | None) -> str:
    return "".join(map(_read, libraries)) + (as_script(entry, [HERE, BROWSER]) if entry else "")


@cache
def _styles(names: tuple[str, ...]) -> str:
    return spacing() + "".join(_read(f"{name}.css") for name in names)


def spacing() -> str:
    """Return the gaps for style sheets, ``--space-4`` and so on, which grow with a page's type."""
    named = "; ".join(f"--space-{gap}: {gap / 16:g}rem" for gap in SPACING)
    return f":root {{ {named}; }}\n"


@cache
def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _fonts(body: str) -> str:
    """Return the fonts of a page by itself: the one of formulas, and the Chinese one if there is Chinese."""
    return f"{_formulas()}\n{chinese.font_face()}" if CHINESE.search(body) else _formulas()


@cache
def _formulas() -> str:
    return _face(FAMILY, f"data:font/woff;base64,{base64.b64encode(FONT.read_bytes()).decode()}", "woff")


def _face(family: str, address: str, kind: str, more: str = "") -> str:
    source = f'url({address}) format("{kind}")'
    return f'@font-face {{ font-family: "{family}"; src: {source}; font-display: swap;{more} }}\n'


DIAL = (  # the course's sign, as SVG
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="13.5" '
    'fill="#fff" stroke="#0b5f9c" stroke-width="3"/><path d="M16 16 23 8" stroke="#d55e00" '
    'stroke-width="3.5" stroke-linecap="round"/></svg>'
)
ICON = f"data:image/svg+xml;base64,{base64.b64encode(DIAL.encode()).decode()}"
