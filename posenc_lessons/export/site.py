"""Make pages of lessons that link to each other, and a front page if there are several.

A page has one language, one title and one address, which search engines and readers' links use. In a site in
both languages, each has its own folder, ``zh/`` and ``en/``, and a page links to the same page in the other
language. The pages share style, script and fonts (``assets.shared_files``).
"""

import html
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from markupsafe import Markup

from posenc_lessons.course.lessons import GLOSSARY, QUESTIONS
from posenc_lessons.explorers.behind_doors import door_color
from posenc_lessons.export import assets, front, models_page, outline, teaching_page, texts
from posenc_lessons.export.assets import SHARED, shared_files
from posenc_lessons.export.cells import CELL, EXPLORER, Around, body, runnable
from posenc_lessons.export.document import as_json, document
from posenc_lessons.export.in_page import in_page
from posenc_lessons.export.markdown import LinkTo
from posenc_lessons.export.page_address import (
    EXPLORERS_PAGE,
    INDEX,
    LIVE,
    MODELS_PAGE,
    TAGS,
    TEACHING_PAGE,
    PageAddress,
    absolute,
    alternate,
    links_from,
)
from posenc_lessons.export.pages import Frame, Group, Link, page
from posenc_lessons.export.search_index import entries
from posenc_lessons.language import NAMES, Language

SITEMAP = "sitemap.xml"
FOLDERS: dict[Language, str] = {"zh": "zh/", "en": "en/"}  # in a site in both languages
CHOOSE = f"{SHARED}choose_language.js"


@dataclass(frozen=True)
class Site:
    """The pages of one language.

    Attributes:
        published: path within the course → notebook, already in ``language``.
        folders: the folder of each language's pages.
        live: whether cells and explorers run, with the files of ``live_explorers``.
        explorers: whether the site has the explorers' page.
        address: the whole site's address, None if unknown.
    """

    published: Mapping[str, Any]
    language: Language
    folders: Mapping[Language, str]
    live: bool
    explorers: bool
    address: str | None

    @cached_property
    def notebooks(self) -> dict[str, Any]:
        """The notebooks with the words and cells for their pages."""
        return {name: in_page(notebook) for name, notebook in self.published.items()}

    def files(self) -> dict[str, bytes]:
        """Return the pages, and the script with the entries of search, by path in the site."""
        pages = {outline.file_name(name): self._lesson(name) for name in self.notebooks}
        if self._several:
            pages[INDEX] = self._front()
            pages[MODELS_PAGE] = self._models()
            if self._guide is not None:
                pages[TEACHING_PAGE] = self._teaching(self._guide)
        files = {f"{self._place(name).folder}{name}": text.encode() for name, text in pages.items()}
        if self._several:
            listed = as_json([*entries(self.notebooks, self.language), *models_page.entries(self.language)])
            files[self._entries] = f"posencEntries({listed});\n".encode()
        return files

    @property
    def _several(self) -> bool:
        return len(self.notebooks) > 1

    @property
    def _entries(self) -> str:
        return f"{SHARED}search.{self.language}.js"

    @cached_property
    def _guide(self) -> str | None:
        return teaching_page.guide(self.language)

    def _place(self, file: str) -> PageAddress:
        return PageAddress(file, self.language, self.folders, self.address)

    def _explorers(self, file: str) -> str | None:
        """Return the address of the explorers' page on the page ``file``; None if there is none."""
        return self._place(file).relative(EXPLORERS_PAGE) if self.explorers else None

    # ---- The pages ----

    def _lesson(self, name: str) -> str:
        file, notebook, language = outline.file_name(name), self.notebooks[name], self.language
        main = body(notebook, Around(language, page_links(name, self.notebooks)))
        has_code = CELL in main
        live = self._place(file).relative(LIVE) if self.live and (has_code or EXPLORER in main) else None
        if has_code:
            words, note = (
                texts.as_html(text, language)
                for text in (texts.NOTES, texts.RUNS if live else texts.READ_ONLY)
            )
            main += (
                f'<details class="notes"><summary>{words}</summary>\n<p class="runs">{note}</p>\n</details>\n'
            )
        if live and has_code:
            main += runnable(notebook, name.removesuffix(".ipynb"), self.published[name])
        kind = "question" if name.startswith(f"{QUESTIONS}/") else ""
        listed = () if kind else outline.sections(notebook)  # a question is short
        sections = tuple(Link(f"#{cell}", words) for cell, words in listed)
        frame = replace(self._frame(file, name), sections=sections)
        about, accent = outline.description(notebook), door_color(name)
        return page(main, language, frame, about=about, live=live, accent=accent, kind=kind)

    def _front(self) -> str:
        main = front.front_page(
            self.notebooks,
            self.language,
            explorers=self._explorers(INDEX),
            guide=TEACHING_PAGE if self._guide is not None else None,
            models=MODELS_PAGE,
        )
        about = texts.ABOUT.show(self.language)
        return page(main, self.language, self._frame(INDEX), about=about, wide=True)

    def _models(self) -> str:
        file = MODELS_PAGE
        main = models_page.models_page(self.language, page_links(file, self.notebooks))
        about = models_page.about(self.language)
        return page(main, self.language, self._frame(file), about=about, kind="models")

    def _teaching(self, guide: str) -> str:
        file = TEACHING_PAGE
        links = page_links(file, self.notebooks)
        main, sections = teaching_page.teaching_page(
            guide, self.language, self.notebooks, links, self._explorers(file)
        )
        frame = replace(self._frame(file), sections=tuple(Link(*section) for section in sections))
        return page(main, self.language, frame, about=texts.GUIDE.show(self.language))

    # ---- The parts around a page's text ----

    def _frame(self, file: str, name: str | None = None) -> Frame:
        place = self._place(file)
        shared = place.relative(".").rstrip("/") + "/"
        if not self._several:
            return Frame(place, shared)
        previous, following = self._neighbours(name) if name else (None, None)
        return Frame(
            place,
            shared,
            _from(file, INDEX),
            course=tuple(self._course(file)),
            previous=previous,
            following=following,
            entries=place.relative(self._entries),
        )

    def _course(self, file: str) -> Iterator[Link | Group]:
        """Yield the entries of the list of lessons on the page ``file``."""

        def link(name: str) -> Link:
            to = outline.file_name(name)
            return Link(_from(file, to), outline.title(self.notebooks[name]), to == file)

        def other(to: str, words: str) -> Link:
            return Link(_from(file, to), words, to == file)

        words = {text: texts.as_html(text, self.language) for text in (texts.QUESTIONS, texts.SOLUTIONS)}
        yield from (link(name) for name in self.notebooks if outline.is_lesson(name))
        for group, names in (
            (texts.QUESTIONS, outline.questions(self.notebooks)),
            (texts.SOLUTIONS, outline.solutions(self.notebooks)),
        ):
            if names:
                yield Group(words[group], tuple(map(link, names)))
        if explorers := self._explorers(file):
            yield Link(f"{explorers}?lang={self.language}", texts.as_html(texts.EXPLORERS, self.language))
        if f"{GLOSSARY}.ipynb" in self.notebooks:
            yield other(f"{GLOSSARY}.html", texts.as_html(texts.GLOSSARY, self.language))
        yield other(MODELS_PAGE, texts.as_html(texts.MODELS, self.language))
        if self._guide is not None:
            yield other(TEACHING_PAGE, texts.as_html(texts.GUIDE, self.language))

    def _neighbours(self, name: str) -> tuple[Link | None, Link | None]:
        """Return the pages before and after: neighbouring lessons; for a solution, its lesson before it."""

        def neighbour(other: str) -> Link:
            address = _from(name, outline.file_name(other))
            return Link(address, outline.title(self.notebooks[other]))

        if "/" in name:
            lesson = posixpath.basename(name)
            return (neighbour(lesson) if lesson in self.notebooks else None), None
        lessons = [*filter(outline.is_lesson, self.notebooks)]
        if name not in lessons:
            return None, None  # the glossary
        place = lessons.index(name)
        previous = neighbour(lessons[place - 1]) if place > 0 else None
        return previous, (neighbour(lessons[place + 1]) if place + 1 < len(lessons) else None)


def site(
    notebooks: Mapping[Language, Mapping[str, Any]],
    live: bool = False,
    explorers: bool = False,
    address: str | None = None,
) -> dict[str, bytes]:
    """Return the pages of one language, or of both, each in its folder, below the page to choose one."""
    folders = FOLDERS if len(notebooks) > 1 else dict.fromkeys(notebooks, "")
    files = shared_files()
    for language, its_own in notebooks.items():
        files.update(Site(its_own, language, folders, live, explorers, address).files())
    if len(notebooks) > 1:
        names = list(notebooks["zh"])
        opened = INDEX if len(names) > 1 else outline.file_name(names[0])
        files[INDEX] = _language_page(folders, opened, address).encode()
        files[CHOOSE] = assets.script("choose_language.js").encode()
    return files


def page_links(name: str, notebooks: Mapping[str, Any]) -> LinkTo:
    """Return a function from links in notebook ``name`` to addresses on these pages, or None."""

    def address(target: str, cell: str) -> str:
        file = "" if target == name else _from(name, outline.file_name(target))
        return (file + (f"#{cell}" if cell else "")) or "#main"

    return links_from(name, notebooks, address)


def sitemap(files: Iterable[str], address: str) -> bytes:
    """Return a sitemap (sitemaps.org) of the pages among ``files``, for a site at ``address``."""
    pages = [html.escape(absolute(name, address)) for name in sorted(files) if name.endswith(".html")]
    listed = "".join(f"<url><loc>{page}</loc></url>\n" for page in pages)
    schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{schema}">\n{listed}</urlset>\n'.encode()


def _from(name: str, file: str) -> str:
    """Return the address of ``file`` relative to the page or notebook ``name``."""
    return posixpath.relpath(file, posixpath.dirname(name) or ".")


def _language_page(folders: Mapping[Language, str], opened: str, address: str | None) -> str:
    """Return the page above both languages: it opens ``opened`` in the browser's and offers both."""
    files = {one: f"{folder}{opened}" for one, folder in folders.items()}
    choices = [{"address": file, "tag": TAGS[one], "name": NAMES[one]} for one, file in files.items()]
    links = ""
    if address is not None:  # a search engine finds the page of each language
        versions = {"x-default": INDEX, **{TAGS[one]: file for one, file in files.items()}}
        links = "".join(f"{alternate(tag, absolute(file, address))}\n" for tag, file in versions.items())
    title, about = texts.COURSE.show("both"), texts.ABOUT.show("both")
    return document(
        "choose_language.html.j2",
        title,
        "en",
        about=about,
        links=links,
        shared="",
        own_style=Markup(assets.read("choose_language.css")),
        own_script=CHOOSE,
        choices=choices,
    )
