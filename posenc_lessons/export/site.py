"""Make pages of lessons that link to each other, and a front page if there are several.

In a site in both languages, each language has its own folder, ``zh/`` and ``en/``. A page has one language,
one title and one address, which search engines and readers' links use, and it links to the same page in the
other language. The pages share style, script and fonts (``document.shared_files``). Pages with both languages
side by side are for a reader's disk, and each contains everything that it needs.
"""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from posenc_lessons.course.lessons import GLOSSARY
from posenc_lessons.export import census_page, class_page, pages, style_page, teaching_page, texts
from posenc_lessons.export.document import SHARED, Head, Looks, document, shared_files
from posenc_lessons.export.frame import Frame, Group, Link
from posenc_lessons.export.front import EXPLORERS_PAGE, RUNS, front_page
from posenc_lessons.export.in_page import in_page
from posenc_lessons.export.made_from import made_from
from posenc_lessons.export.markdown import LinkTo
from posenc_lessons.export.page_address import INDEX, TAGS, PageAddress, absolute, alternate
from posenc_lessons.export.search_index import as_json, entries
from posenc_lessons.language import NAMES, Language

SITEMAP = "sitemap.xml"
LIVE = "live/lesson.js"  # the script that runs explorers; its other files are beside it
FOLDERS: dict[Language, str] = {"zh": "zh/", "en": "en/"}  # in a site in both languages
_CHOICE_STYLE = """<style>main { margin: 18vh auto 0; text-align: center; }
main a { display: inline-block; margin: .5rem; padding: .4rem 1.6rem; border: 1px solid; border-radius: 6px; }
</style>"""
_CELL = re.compile(r"^cell-id=")


@dataclass(frozen=True)
class Site:
    """The pages of one language.

    Attributes:
        published: path within the course → notebook, already in ``language``.
        live: whether cells and explorers run, with the files of ``live_explorers``.
        explorers: whether the site has the explorers' page.
        folders: the folder of each language's pages.
        address: the whole site's address, None if unknown.
        shared: whether the pages share style, script, fonts and search; else each contains them.
    """

    published: Mapping[str, Any]
    language: Language
    live: bool = False
    explorers: bool = False
    folders: Mapping[Language, str] | None = None
    address: str | None = None
    shared: bool = False

    @cached_property
    def notebooks(self) -> dict[str, Any]:
        """The notebooks with the words and cells for their pages."""
        return {name: in_page(notebook) for name, notebook in self.published.items()}

    def files(self) -> dict[str, bytes]:
        """Return the pages, and the script with the entries of search, by path in the site."""
        made = {pages.file_name(name): self._lesson(name) for name in self.notebooks}
        if self._several:
            made[INDEX] = front_page(
                self.notebooks,
                self.language,
                self._frame(INDEX),
                self._looks(INDEX),
                self._place(INDEX).relative(EXPLORERS_PAGE) if self.explorers else None,
                self.live,
                self._guide is not None,
            )
        if self.shared and self._several:
            made.update(self._for_teachers())
            made[census_page.FILE] = self._census()
            made[style_page.FILE] = style_page.style_page(
                self.language, self._frame(style_page.FILE), self._looks(style_page.FILE)
            )
        files = {f"{self._place(name).folder}{name}": page.encode() for name, page in made.items()}
        if self.shared and self._several:
            of_pages = (*census_page.entries(self.language), *style_page.entries(self.language))
            found = as_json([*entries(self.notebooks, self.language), *of_pages])
            files[self._entries] = f"posencEntries({found});\n".encode()
        return files

    @property
    def _several(self) -> bool:
        return len(self.notebooks) > 1

    @property
    def _entries(self) -> str:
        return f"{SHARED}search.{self.language}.js"

    @cached_property
    def _guide(self) -> str | None:
        return teaching_page.guide(self.language) if self.shared else None

    def _place(self, file: str) -> PageAddress:
        return PageAddress(file, self.language, self.folders or {self.language: ""}, self.address)

    def _looks(self, file: str) -> Looks:
        return Looks(shared=self._place(file).relative(".").rstrip("/") + "/" if self.shared else None)

    def _lesson(self, name: str) -> str:
        file = pages.file_name(name)
        notebook = self.notebooks[name]
        table = f"{_from(name, INDEX)}#{RUNS}" if self._several else None
        frame = replace(self._frame(file, name), sections=pages.section_links(notebook, self.language))
        live = self._place(file).relative(LIVE) if self.live else None
        link_to = links_from(name, self.notebooks)
        return pages.lesson_page(
            notebook,
            self.language,
            link_to,
            frame,
            self._looks(file),
            live,
            table,
            published=self.published[name],
        )

    def _census(self) -> str:
        file = census_page.FILE
        link_to = links_from(file, self.notebooks)
        return census_page.census_page(self.language, link_to, self._frame(file), self._looks(file))

    def _for_teachers(self) -> Iterator[tuple[str, str]]:
        """Yield the pages for teachers: the guide, and the page for a class's files."""
        there = teaching_page.FILE if self._guide is not None else None
        file = class_page.FILE
        yield (
            file,
            class_page.class_page(self.notebooks, self.language, self._frame(file), self._looks(file), there),
        )
        if self._guide is not None:
            file = teaching_page.FILE
            explorers = self._place(file).relative(EXPLORERS_PAGE) if self.explorers else None
            yield (
                file,
                teaching_page.teaching_page(
                    self._guide,
                    self.notebooks,
                    self.language,
                    self._frame(file),
                    self._looks(file),
                    explorers,
                ),
            )

    def _frame(self, file: str, name: str | None = None) -> Frame:
        place = self._place(file)
        if not self._several:
            return Frame(place=place, made=made_from())
        before, after = self._neighbours(name) if name else (None, None)
        found = place.relative(self._entries) if self.shared else "" if file == INDEX else None
        return Frame(
            index=_from(file, INDEX),
            course=tuple(self._course(file)),
            before=before,
            after=after,
            entries=found,
            root=_from(file, INDEX).removesuffix(INDEX),
            made=made_from(),
            place=place,
            style=_from(file, style_page.FILE) if self.shared else None,
        )

    def _course(self, file: str) -> Iterator[Link | Group]:
        """Yield the entries of the list of lessons on the page ``file``."""

        def link(name: str) -> Link:
            to = pages.file_name(name)
            return Link(_from(file, to), pages.title(self.notebooks[name], self.language), to == file)

        yield from (link(name) for name in self.notebooks if name[:2].isdecimal())
        for group, names in (
            (texts.QUESTIONS, pages.questions(self.notebooks)),
            (texts.SOLUTIONS, pages.solutions(self.notebooks)),
        ):
            if names:
                yield Group(group, tuple(map(link, names)))
        if self.explorers:
            there = f"{self._place(file).relative(EXPLORERS_PAGE)}?lang={self.language}"
            yield Link(there, texts.as_html(texts.EXPLORERS, self.language))
        if f"{GLOSSARY}.ipynb" in self.notebooks:
            there = _from(file, f"{GLOSSARY}.html")
            yield Link(there, texts.as_html(texts.GLOSSARY, self.language), file == f"{GLOSSARY}.html")
        if self.shared:
            there = _from(file, census_page.FILE)
            yield Link(there, texts.as_html(texts.MODELS, self.language), file == census_page.FILE)
            shown = [(class_page.FILE, texts.CLASS_NAME)]
            shown += [(teaching_page.FILE, texts.GUIDE)] if self._guide is not None else []
            links = (
                Link(_from(file, to), texts.as_html(said, self.language), to == file)
                for to, said in shown[::-1]
            )
            yield Group(texts.TEACHERS, tuple(links))

    def _neighbours(self, name: str) -> tuple[Link | None, Link | None]:
        """Return the pages before and after: neighbouring lessons; for a solution, its lesson before it."""
        link_to = links_from(name, self.notebooks)

        def neighbour(other: str) -> Link | None:
            address = link_to(_from(name, other))
            return Link(address, pages.title(self.notebooks[other], self.language)) if address else None

        if "/" in name:
            lesson = posixpath.basename(name)
            return (neighbour(lesson) if lesson in self.notebooks else None), None
        lessons = [other for other in self.notebooks if other[:2].isdecimal()]
        if name not in lessons:
            return None, None  # the glossary
        place = lessons.index(name)
        before = neighbour(lessons[place - 1]) if place > 0 else None
        return before, (neighbour(lessons[place + 1]) if place + 1 < len(lessons) else None)


def site(
    notebooks: Mapping[str, Any],
    language: Language,
    live: bool = False,
    explorers: bool = False,
    address: str | None = None,
) -> dict[str, bytes]:
    """Return pages that each contain everything they need, with a front page if there are several."""
    return Site(notebooks, language, live, explorers, address=address).files()


def site_in_both(
    notebooks: Mapping[Language, Mapping[str, Any]],
    live: bool = False,
    explorers: bool = False,
    address: str | None = None,
) -> dict[str, bytes]:
    """Return each language's site in its folder of ``FOLDERS``, and above them the page to choose one."""
    files = {INDEX: _language_page(FOLDERS, address).encode(), **shared_files()}
    for language, its_own in notebooks.items():
        made = Site(its_own, language, live, explorers, FOLDERS, address, shared=True)
        files.update(made.files())
    return files


def links_from(name: str, notebooks: Mapping[str, Any]) -> LinkTo:
    """Return a function from links in notebook ``name`` to addresses on these pages, or None."""

    def link_to(address: str) -> str | None:
        if re.match(r"[a-z]+:", address):
            return address
        path, _, anchor = address.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if target not in notebooks:
            return None
        anchor = _CELL.sub("", anchor)
        known = {cell.id for cell in notebooks[target].cells}
        page = "" if target == name else _from(name, pages.file_name(target))
        return (page + (f"#{anchor}" if anchor in known else "")) or "#main"

    return link_to


def sitemap(files: Iterable[str], address: str) -> bytes:
    """Return a sitemap (sitemaps.org) of the pages among ``files``, for a site at ``address``."""
    found = [html.escape(absolute(name, address)) for name in sorted(files) if name.endswith(".html")]
    listed = "".join(f"<url><loc>{each}</loc></url>\n" for each in found)
    schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{schema}">\n{listed}</urlset>\n'.encode()


def _from(name: str, file: str) -> str:
    """Return the address of ``file`` relative to the page or notebook ``name``."""
    return posixpath.relpath(file, posixpath.dirname(name) or ".")


def _language_page(folders: Mapping[Language, str], address: str | None) -> str:
    """Return the page above both languages, which opens the browser's language and offers both."""
    to = {one: f"{folder}{INDEX}" for one, folder in folders.items()}
    choices = "\n".join(
        f'<a href="{to[one]}" lang="{TAGS[one]}" hreflang="{TAGS[one]}">{NAMES[one]}</a>' for one in to
    )
    title = texts.COURSE.show("both")
    links = _for_search_engines(to, address)
    body = f'{_CHOICE_STYLE}\n<main id="main">\n<h1>{title}</h1>\n{choices}\n</main>'
    looks = Looks(("style",), entry="choose_language.js")
    return document(Head(title, texts.ABOUT.show("both"), links), body, "en", looks)


def _for_search_engines(to: Mapping[Language, str], address: str | None) -> str:
    """Return the links with which a search engine finds the page of each language."""
    if address is None:
        return ""
    known = {"x-default": INDEX, **{TAGS[one]: file for one, file in to.items()}}
    return "".join(f"{alternate(tag, absolute(file, address))}\n" for tag, file in known.items())
