"""The page of the style shows the values that pictures use, and every page of a site leads to it."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.export import style_page
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import FOLDERS, site, site_in_both
from posenc_lessons.export.style_examples import KINDS
from posenc_lessons.figures.colors import CHOSEN, CYCLE, KEY, QUERY, RAMPS, RESULT, WRONG
from posenc_lessons.figures.four_doors import DOORS
from posenc_lessons.figures.places import SPACING
from posenc_lessons.figures.sight import NAMES, seen
from posenc_lessons.figures.theme import DARK
from posenc_lessons.language import HAN

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LESSONS = ("05_rotary.ipynb", "glossary.ipynb")
COLORS = (*(door.color for door in DOORS), QUERY, KEY, RESULT, WRONG, CHOSEN, *CYCLE)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    read = {name: nbformat.read(NOTEBOOKS / name, as_version=4) for name in LESSONS}
    return site_in_both({one: {name: in_language(read[name], one) for name in LESSONS} for one in FOLDERS})


@pytest.fixture(scope="module")
def pages(files: dict[str, bytes]) -> dict[str, str]:
    return {one: files[f"{one}/{style_page.FILE}"].decode() for one in FOLDERS}


@pytest.mark.parametrize("color", COLORS)
def test_every_colour_is_shown_as_each_reader_sees_it(color: str, pages: dict[str, str]) -> None:
    for page in pages.values():
        (row,) = re.findall(rf"<tr><th[^>]*>[^<]* <code>{color}</code></th>(.*?)</tr>", page)
        wanted = [(seen(color, sight), seen(DARK.shown(color), sight)) for sight in NAMES]
        assert re.findall(r"light-dark\((#\w+), (#\w+)\)", row) == wanted


def test_the_ramps_and_the_gaps_are_those_of_the_pictures(pages: dict[str, str]) -> None:
    for page in pages.values():
        assert [int(gap) for gap in re.findall(r"width: var\(--space-(\d+)\)", page)] == [*SPACING]
        for name in ("sequential", "diverging"):
            ends = [(RAMPS[name][at], RAMPS[f"{name}_dark"][at]) for at in (0, -1)]
            assert all(f"light-dark({light}, {dark})" in page for light, dark in ends)


def test_a_panel_of_each_kind_is_drawn_and_described(pages: dict[str, str]) -> None:
    for page in pages.values():
        alts = re.findall(r'<img src="data:image/png;base64,[^"]+" alt="([^"]+)"', page)
        assert len(alts) == 1 + len(KINDS)


def test_a_page_has_one_language(pages: dict[str, str]) -> None:
    english, chinese = (
        re.sub("<[^>]+>", " ", pages[one].partition("<main")[2].partition("</main>")[0])
        for one in ("en", "zh")
    )
    assert not HAN.search(english) and "Outside of plots only" in english
    assert "只用在图的外面" in chinese and "Outside" not in chinese


def test_every_page_links_to_it_and_search_finds_it(files: dict[str, bytes]) -> None:
    for name in ("index", "05_rotary", "models", "class"):
        foot = files[f"en/{name}.html"].decode().partition("<footer")[2]
        assert f'href="{style_page.FILE}"' in foot
    assert "colour blindness" in files["shared/search.en.js"].decode()


def test_self_contained_pages_do_not_include_it() -> None:
    read = {name: in_language(nbformat.read(NOTEBOOKS / name, as_version=4), "en") for name in LESSONS}
    made = site(read, "en")
    assert style_page.FILE not in made and style_page.FILE.encode() not in made["index.html"]
