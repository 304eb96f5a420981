"""Lessons as pages that link to each other, and for several of them a front page.

A site in both languages has each in a folder of its own, ``zh/`` and ``en/``: a page has one language, one
title, one address, by which search engines and readers' links know it, and links to the same page in the
other language. Pages in which both stand side by side are for a reader's own disk.
"""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from posenc_lessons.export import pages
from posenc_lessons.export.front import front_page, front_pictures
from posenc_lessons.export.language_page import language_page
from posenc_lessons.export.markdown import LinkTo
from posenc_lessons.export.page_address import INDEX, PageAddress, absolute
from posenc_lessons.export.pages import Neighbours
from posenc_lessons.language import Language

SITEMAP = "sitemap.xml"
LIVE = "live/lesson.js"  # what brings explorers to life, and lies beside what it needs
FOLDERS: dict[Language, str] = {"zh": "zh/", "en": "en/"}  # of a site in both languages
_CELL = re.compile(r"^cell-id=")


def site(
    notebooks: Mapping[str, Any],
    language: Language,
    live: bool = False,
    explorers: bool = False,
    folders: Mapping[Language, str] | None = None,
    address: str | None = None,
) -> dict[str, bytes]:
    """Every notebook (path within the course → notebook in ``language``) as a page, and their front page.

    With ``live`` explorers come to life, by what ``live_explorers`` lays beside the pages. ``explorers``:
    whether the front page leads to the explorers' page as well. ``folders``: where the pages of each
    language are, when there is another; ``address``: of the whole site, None where nobody knows it.
    """
    several = len(notebooks) > 1
    index = PageAddress(INDEX, language, folders or {language: ""}, address)
    files = {}
    for name, notebook in notebooks.items():
        place = replace(index, file=pages.file_name(name))
        files[place.file] = pages.lesson_page(
            notebook,
            language,
            links_from(name, notebooks),
            _neighbours(name, notebooks, language) if several else None,
            place.relative(LIVE) if live else None,
            place,
        ).encode()
    if several:
        files[INDEX] = front_page(notebooks, language, index, explorers).encode()
        files.update(front_pictures(notebooks))
    return {f"{index.folder}{file}": content for file, content in files.items()}


def site_in_both(
    notebooks: Mapping[Language, Mapping[str, Any]],
    live: bool = False,
    explorers: bool = False,
    address: str | None = None,
) -> dict[str, bytes]:
    """The site of each language's notebooks in its folder of ``FOLDERS``, and above them the choice."""
    files = {INDEX: language_page(FOLDERS, address).encode()}
    for language, its_own in notebooks.items():
        files.update(site(its_own, language, live, explorers, FOLDERS, address))
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
        page = "" if target == name else _from(name, pages.file_name(target))
        return (page + (f"#{anchor}" if anchor in known else "")) or "#main"

    return link_to


def sitemap(files: Iterable[str], address: str) -> bytes:
    """The pages among ``files`` for search engines (sitemaps.org), of a site that is to be at ``address``."""
    found = [html.escape(absolute(name, address)) for name in sorted(files) if name.endswith(".html")]
    listed = "".join(f"<url><loc>{each}</loc></url>\n" for each in found)
    schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{schema}">\n{listed}</urlset>\n'.encode()


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
