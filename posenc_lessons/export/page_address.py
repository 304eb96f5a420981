"""The addresses of a page of the lessons on the web, and what search engines read of it."""

import html
import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from posenc_lessons.export.markdown import LinkTo
from posenc_lessons.language import NAMES, Language

INDEX = "index.html"
EXPLORERS_PAGE = "explorers/index.html"  # its path in the site, if the site has it
MODELS_PAGE, TEACHING_PAGE = "models.html", "teaching.html"
LIVE = "live/lesson.js"  # the script that runs explorers; its other files are beside it
TAGS: dict[Language, str] = {"zh": "zh-Hans", "en": "en"}


@dataclass(frozen=True)
class PageAddress:
    """A page, perhaps in two languages: ``folders`` are the folders of each language's pages, "" or "zh/".

    ``file`` is its path within such a folder; ``address`` is the whole site's address, None if unknown.
    """

    file: str
    language: Language
    folders: Mapping[Language, str]
    address: str | None

    @property
    def folder(self) -> str:
        """Return the folder of the pages in this page's language, "" or with a slash at its end."""
        return self.folders[self.language]

    def relative(self, file: str) -> str:
        """Return the relative address of ``file`` (its path in the site) on this page."""
        return posixpath.relpath(file, posixpath.dirname(self.folder + self.file) or ".")

    @property
    def other_language(self) -> str:
        """Return the link to the page in the other language as HTML; nothing if there is none."""
        return "".join(
            f'<a class="other" href="{self.relative(folder + self.file)}" lang="{TAGS[one]}" '
            f'hreflang="{TAGS[one]}" rel="alternate">{NAMES[one]}</a>'
            for one, folder in self.folders.items()
            if one != self.language
        )

    @property
    def head(self) -> str:
        """Return HTML about the page for search engines; nothing without an address.

        See the section on link types of the HTML standard for ``hreflang``.
        """
        if self.address is None:
            return ""
        whole = {one: absolute(folder + self.file, self.address) for one, folder in self.folders.items()}
        lines = [f'<link rel="canonical" href="{html.escape(whole[self.language])}">']
        if len(whole) > 1:
            lines += [alternate(TAGS[one], address) for one, address in whole.items()]
        return "\n".join(lines) + "\n"


def absolute(file: str, address: str) -> str:
    """Return the address of ``file`` on the site at ``address``; for an index, that of its folder."""
    return f"{address.rstrip('/')}/{quote(file.removesuffix(INDEX))}"


def alternate(tag: str, address: str) -> str:
    """Return HTML that tells search engines the address of the same page in the language of ``tag``."""
    return f'<link rel="alternate" hreflang="{tag}" href="{html.escape(address)}">'


def links_from(name: str, notebooks: Mapping[str, Any], address: Callable[[str, str], str]) -> LinkTo:
    """Return a function from links in notebook ``name`` to addresses, None for a notebook that is not there.

    ``address`` gives that of a notebook and its cell, "" for none.
    """

    def link_to(link: str) -> str | None:
        if re.match(r"[a-z]+:", link):
            return link
        path, _, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if target not in notebooks:
            return None
        cell = anchor.removeprefix("cell-id=")
        return address(target, cell if cell in {one.id for one in notebooks[target].cells} else "")

    return link_to
