"""The styles, scripts, fonts and security policy of exported pages.

A page by itself has everything in it. The pages of a site share the files of ``shared_files()``, which a
browser caches: one style, one script, one font for each alphabet.
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from posenc_lessons.browser.build import BROWSER, PANEL
from posenc_lessons.course.lessons import PACKAGE
from posenc_lessons.export import fonts
from posenc_lessons.figures import fonts as chinese
from posenc_lessons.figures.places import SPACING
from posenc_lessons.joined_modules import as_script
from posenc_lessons.language import CHINESE

HERE = Path(__file__).parent / "page"
TEMPLATES = Path(__file__).parent / "templates"
GUESS = PACKAGE / "course" / "guess"  # the card of a guess, which JupyterLab shows, too
SHARED = "shared/"  # a site's folder with the files that its pages share
STYLE, SCRIPT = f"{SHARED}site.css", f"{SHARED}site.js"
STYLES = ("guess", "style", "site", "front", "models")  # those of every page
_COMMENTS = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)  # of whole lines
ENTRY = "site.js"  # the first module of the script of every page
DIAL = (  # the course's sign, as SVG
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="13.5" '
    'fill="#fff" stroke="#0b5f9c" stroke-width="3"/><path d="M16 16 23 8" stroke="#d55e00" '
    'stroke-width="3.5" stroke-linecap="round"/></svg>'
)
SIGN = DIAL.replace("<svg ", '<svg aria-hidden="true" width="28" height="28" ')
ICON = f"data:image/svg+xml;base64,{base64.b64encode(DIAL.encode()).decode()}"


@dataclass(frozen=True)
class Face:
    """A font of the pages: its family, its file, its weight, and whether it is only for Chinese."""

    family: str
    file: Path
    weight: int = 400
    chinese: bool = False

    def rule(self, address: str) -> str:
        """Return the rule of a style sheet that takes the font from ``address``; words are seen before it."""
        only = f" unicode-range: {chinese.CHINESE};" if self.chinese else ""
        source = f'url({address}) format("{self.file.suffix[1:]}")'
        family = f'font-family: "{self.family}"; font-weight: {self.weight}; font-display: swap;'
        return f"@font-face {{ {family} src: {source};{only} }}\n"


FACES = (
    Face(fonts.FAMILY, fonts.FONT),
    Face(fonts.TEXT_FAMILY, fonts.REGULAR),
    Face(fonts.TEXT_FAMILY, fonts.BOLD, weight=700),
    Face(chinese.FAMILY, chinese.WEB_FONT, chinese=True),
    # A family of its own, named before the one above: characters that it lacks are drawn from that.
    Face(fonts.BOLD_FAMILY, fonts.CHINESE_BOLD, weight=700, chinese=True),
)


def shared_files() -> dict[str, bytes]:
    """Return the files that a site's pages share, by path in the site."""
    faces = "".join(face.rule(face.file.name) for face in FACES)
    return {
        STYLE: f"{faces}{styles(STYLES)}".encode(),
        SCRIPT: script(ENTRY).encode(),
        **{f"{SHARED}{face.file.name}": face.file.read_bytes() for face in FACES},
    }


def policy(scripts: Sequence[str], shared: bool, live: bool) -> str:
    """Return a page's content security policy: these scripts, its own pictures, no other servers.

    ``shared``: whether it takes files of its site; ``live``: whether it runs Python.
    """
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    sources = [f"'sha256-{digest}'" for digest in digests]
    more = ""
    if shared or live:
        sources.insert(0, "'self'")
    if live:  # the worker's script is a blob; Python is WebAssembly
        sources.insert(0, "'wasm-unsafe-eval'")
        more = "; worker-src blob:; connect-src 'self'"
    site = "'self' " if shared else ""
    runs = " ".join(sources) or "'none'"
    return (
        f"default-src 'none'; script-src {runs}; style-src {site}'unsafe-inline'; "
        f"img-src data: blob:; font-src {site}data:; base-uri 'none'; form-action 'none'{more}"
    )


@cache
def script(entry: str) -> str:
    """Return the module ``entry`` of ``page/`` and all that it imports as one script, without comments."""
    return _COMMENTS.sub("", as_script(entry, [HERE, GUESS, BROWSER, PANEL]))


@cache
def styles(names: tuple[str, ...]) -> str:
    """Return the style sheets ``names`` of ``page/`` as one, after the gaps that they use."""
    return spacing() + "".join(read(f"{name}.css") for name in names)


def spacing() -> str:
    """Return the gaps for style sheets, ``--space-4`` and so on, which grow with a page's type."""
    named = "; ".join(f"--space-{gap}: {gap / 16:g}rem" for gap in SPACING)
    return f":root {{ {named}; }}\n"


@cache
def read(name: str) -> str:
    """Return a file of ``page/``, or one of the card of a guess."""
    folder = HERE if (HERE / name).is_file() else GUESS
    return (folder / name).read_text(encoding="utf-8")


def font_faces(body: str) -> str:
    """Return the fonts of a page by itself; those of Chinese characters if ``body`` has any."""
    return "".join(_embedded(face) for face in FACES if not face.chinese or CHINESE.search(body))


@cache
def _embedded(face: Face) -> str:
    content = base64.b64encode(face.file.read_bytes()).decode()
    return face.rule(f"data:font/{face.file.suffix[1:]};base64,{content}")
