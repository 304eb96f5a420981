"""Where a page of the lessons is on the web: its addresses, and what a link to it shows."""

from __future__ import annotations

import html
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from posenc_lessons.language import Language

INDEX = "index.html"
TAGS: dict[Language, str] = {"zh": "zh-Hans", "en": "en", "both": "zh-Hans"}
LOCALES: dict[Language, str] = {"zh": "zh_CN", "en": "en_US", "both": "zh_CN"}  # as Open Graph names them
PICTURE = (1200, 630)  # pixels of what a link to a page shows in a chat


@dataclass(frozen=True)
class PageAddress:
    """A page that may be one of two: ``folders`` says where each language's pages are, "" or "zh/".

    ``file`` is its path within that folder; ``address`` that of the whole site, None where nobody knows it.
    """

    file: str
    language: Language
    folders: Mapping[Language, str]
    address: str | None

    @property
    def folder(self) -> str:
        """Where the pages of this one's language are, "" or with a slash at its end."""
        return self.folders[self.language]

    def relative(self, file: str) -> str:
        """The relative address of ``file`` (its path in the site) on this page."""
        return posixpath.relpath(file, posixpath.dirname(self.folder + self.file) or ".")

    def head(self, title: str, about: str) -> str:
        """HTML: what search engines and chats read of the page's address; nothing where nobody knows it.

        ``title`` and ``about`` are text. See ogp.me for the properties, and for ``hreflang`` the section on
        link types of the HTML standard.
        """
        if self.address is None:
            return ""
        whole = {one: absolute(folder + self.file, self.address) for one, folder in self.folders.items()}
        own = whole[self.language]
        named = [("og:type", "article" if self.file != INDEX else "website"), ("og:title", title)]
        named += [("og:description", about)] if about else []
        named += [("og:url", own), ("og:locale", LOCALES[self.language])]
        named += [("og:locale:alternate", LOCALES[one]) for one in self.folders if one != self.language]
        named += [("og:image", f"{self.address.rstrip('/')}/{preview_picture(self.language)}")]
        named += [("og:image:width", str(PICTURE[0])), ("og:image:height", str(PICTURE[1]))]
        lines = [f'<link rel="canonical" href="{html.escape(own)}">']
        if len(whole) > 1:
            lines += [alternate(TAGS[one], address) for one, address in whole.items()]
        lines += [f'<meta property="{name}" content="{html.escape(said)}">' for name, said in named]
        lines.append('<meta name="twitter:card" content="summary_large_image">')
        return "\n".join(lines) + "\n"


def absolute(file: str, address: str) -> str:
    """The address of ``file`` on the site at ``address``; an index goes by its folder."""
    return f"{address.rstrip('/')}/{quote(file.removesuffix(INDEX))}"


def preview_picture(language: Language) -> str:
    """The file, within the site, of the picture that a link to its pages shows."""
    return "social.png" if language == "both" else f"social.{language}.png"


def alternate(tag: str, address: str) -> str:
    """HTML: that a page in the language of ``tag`` says the same at ``address``, for search engines."""
    return f'<link rel="alternate" hreflang="{tag}" href="{html.escape(address)}">'
