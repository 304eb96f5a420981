"""Parse exported pages for tests, and make a small lesson to export."""

import posixpath
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urlsplit

import nbformat

from posenc_lessons.course.lessons import lesson_files, shipped_lessons
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.outputs import STILL
from posenc_lessons.export.site import site
from posenc_lessons.language import Language

SHIPPED = shipped_lessons()
NAMES = [
    path.as_posix()
    for path in lesson_files(SHIPPED)
    if re.match(r"(solutions/)?\d\d_|questions/|glossary", path.as_posix())
]
VOID = {"meta", "link", "input", "img", "br", "hr", "wbr"}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


class Page(HTMLParser):
    """A page's links, the files it loads, and the ids of its parts; mismatched tags are complaints."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.others: dict[str, str] = {}  # the same page in other languages, by language
        self.ids: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.headings: list[str] = []
        self.said = ""
        self.language: str | None = None
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag not in VOID and not known.pop("/", None):
            self._open.append(tag)
        if tag == "html":
            self.language = known["lang"]
        if tag == "a":
            self.links.append(known["href"] or "")
            if known.get("rel") == "alternate":
                self.others[known["hreflang"] or ""] = known["href"] or ""
        if "src" in known or tag == "link":
            self.loaded.append(known.get("src") or known.get("href") or "")
        if "id" in known:
            self.ids.append(known["id"] or "")
        if tag == "img":
            self.images.append(known)
        if tag in ("h1", "h2", "h3"):
            self.headings.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, [*attrs, ("/", "yes")])

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, f"</{tag}> closes something else, line {self.getpos()[0]}"

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "pre", "code", "math"} & set(self._open):
            self.said += data


def exported(language: Language, names: list[str]) -> dict[str, bytes]:
    notebooks = {name: in_language(nbformat.read(SHIPPED / name, as_version=4), language) for name in names}
    return site({language: notebooks})


def dead_links(pages: Mapping[str, Page]) -> list[tuple[str, str]]:
    """Return the links to missing pages, or to missing parts of a page."""
    dead = []
    for name, page in pages.items():
        for link in page.links:
            address = urlsplit(link)
            if address.scheme:
                continue
            path = unquote(address.path)
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if target not in pages or (address.fragment and address.fragment not in pages[target].ids):
                dead.append((name, link))
    return dead


AS_SET: dict[str, Any] = {
    "explorer": "rotation",
    "initial": {"m": 7},
    "query": "explorer=rotation&n=30",
}


def with_still(**settings: Any) -> Any:
    """Return a notebook with the still of an explorer that can be made live."""
    data = {
        STILL: {"reading": "n = 1 < 9", **AS_SET, **settings},
        "image/png": PIXEL,
        "text/plain": "x",
    }
    drawn = {"image/png": {"alt": "a picture", "width": 9}}
    cell = nbformat.v4.new_code_cell("Explorer()")
    cell.outputs = [nbformat.v4.new_output("execute_result", data, metadata=drawn)]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Play"), cell])
