"""Photograph the explorers: ``python -m tests.browser.photographs [NAME …]``.

Each is photographed in English and in Chinese: in the explorers' page on a laptop, in the dark, on a large
screen and on a phone; in JupyterLab; and in a site's lesson. ``NAME-WHERE-LANGUAGE.png`` goes to
``build/photographs``.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import nbformat
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from posenc_lessons import language
from posenc_lessons.browser.explore import page_folder
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.export import live_explorers
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import site
from posenc_lessons.files import write_all
from posenc_lessons.language import Language
from tests.browser.watching import choose
from tests.support.exported import with_stills
from tests.support.pages import (
    PAINTED,
    Watched,
    chromium,
    jupyter_lab,
    new_context,
    run_all,
    show_cell,
    write_notebook,
)
from tests.support.site import Visit, plain_server, serving

PHOTOGRAPHS = Path(__file__).parents[2] / "build" / "photographs"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
LAPTOP: ViewportSize = {"width": 1366, "height": 641}  # the part of a 1366 × 768 screen that a browser leaves
PHONE: ViewportSize = {"width": 390, "height": 844}
LARGE: ViewportSize = {"width": 1920, "height": 1080}

Kinds = Sequence[type[Explorer]]
Keep = Callable[[str, str, Language, bytes], None]  # gets an explorer's name, a place, a language and a PNG


def page_photographs(browser: Browser, kinds: Kinds, keep: Keep) -> None:
    """Photograph the explorers' page on three screens, and in the dark."""
    with page_folder() as folder, serving(folder) as address:
        visit = Visit(browser, address, viewport=LAPTOP).open()
        for where, size, mode in (
            ("laptop", LAPTOP, "light"),
            ("dark", LAPTOP, "dark"),
            ("large", LARGE, "light"),
        ):
            visit.page.set_viewport_size(size)
            _of_every_tab(visit, kinds, where, mode, keep)
        visit.close()
        visit = Visit(browser, address, viewport=PHONE, has_touch=True, is_mobile=True).open()
        _of_every_tab(visit, kinds, "phone", "light", keep)
        visit.close()


def _of_every_tab(visit: Visit, kinds: Kinds, where: str, mode: str, keep: Keep) -> None:
    visit.choose("modes", mode)
    for spoken in LANGUAGES:
        visit.choose("languages", spoken)
        for kind in kinds:
            visit.show(kind)
            keep(kind.name, where, spoken, visit.page.screenshot())


def lab_photographs(browser: Browser, kinds: Kinds, keep: Keep) -> None:
    """Photograph each explorer in a notebook in JupyterLab, on a laptop."""
    first = "from posenc_lessons.course.switch import language_switch\n\nlanguage_switch()"
    cells = [f"from posenc_lessons.explorers import {kind.__name__}\n\n{kind.__name__}()" for kind in kinds]
    with tempfile.TemporaryDirectory() as folder:
        write_notebook(Path(folder, "explorers.ipynb"), [first, *cells])
        with jupyter_lab(Path(folder)) as lab:
            context = new_context(browser, viewport=LAPTOP)
            page = context.new_page()
            lab.open(page, "explorers.ipynb")
            assert run_all(page)
            for spoken in LANGUAGES:
                choose(page, spoken)
                for number, kind in enumerate(kinds, 1):
                    show_cell(page, number)
                    explorer = page.locator(f".jp-Cell[data-windowed-list-index='{number}'] .posenc-explorer")
                    expect(explorer.get_by_role("heading")).to_have_text(kind.title.show(spoken))
                    explorer.evaluate("explorer => explorer.scrollIntoView()")
                    _come_to_rest(page, explorer)
                    keep(kind.name, "jupyterlab", spoken, page.screenshot())
            context.close()


def lesson_photographs(browser: Browser, kinds: Kinds, keep: Keep) -> None:
    """Photograph each live explorer in a lesson of a site, on a laptop."""
    lesson = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# 交互图 · Explorers")])
    for kind in kinds:
        lesson.cells.append(
            with_stills(explorer=kind.name, initial={}, query=f"explorer={kind.name}").cells[-1]
        )
    with tempfile.TemporaryDirectory() as folder:
        pages = site({"01_explorers.ipynb": in_language(lesson, "both")}, "both", live=True)
        write_all({**pages, **live_explorers.files()}, Path(folder))
        with plain_server(Path(folder)) as address:
            watched = Watched(browser, viewport=LAPTOP)
            page = watched.page
            page.goto(f"{address}/01_explorers.html")
            page.evaluate(
                "document.querySelector('header').style.position = 'static'"
            )  # otherwise it would cover them
            figures = page.locator("figure[data-explorer]").all()
            for figure in figures:
                figure.locator(".start button").click()
                figure.locator("canvas[data-painted]").wait_for()
            for spoken in LANGUAGES:
                page.get_by_label({"zh": "中文", "en": "English"}[spoken], exact=True).check()
                for kind, figure in zip(kinds, figures, strict=True):
                    expect(figure.locator(".explorer")).to_have_attribute(
                        "aria-label", kind.title.show(spoken)
                    )
                    _come_to_rest(page, figure)
                    keep(kind.name, "lesson", spoken, figure.screenshot())
            watched.close()
            assert watched.errors == [], watched.errors


def _come_to_rest(page: Page, explorer: Locator) -> None:
    """Wait until ``explorer`` is painted and no longer changes."""
    explorer.locator("canvas[data-painted]").first.wait_for()
    explorer.locator("canvas[data-changing]").first.wait_for(state="detached")
    page.evaluate(PAINTED)


def _keep(name: str, where: str, spoken: Language, png: bytes) -> None:
    Image.open(io.BytesIO(png)).convert("RGB").save(PHOTOGRAPHS / f"{name}-{where}-{spoken}.png")


def main(names: Sequence[str]) -> None:
    kinds = [kind for kind in EXPLORERS if not names or kind.name in names]
    PHOTOGRAPHS.mkdir(parents=True, exist_ok=True)
    language.choose("both")
    with chromium() as browser:
        for photograph in (page_photographs, lab_photographs, lesson_photographs):
            photograph(browser, kinds, _keep)
            print(f"{PHOTOGRAPHS}: {photograph.__name__}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
