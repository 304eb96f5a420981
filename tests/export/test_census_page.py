"""The page of what real models use: complete without scripts, with links to lessons, found by the search."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.encodings.config.families import census
from posenc_lessons.encodings.config.overview import census_rows
from posenc_lessons.encodings.config.towers import towers_table
from posenc_lessons.export import census_page
from posenc_lessons.export.census_page import COLUMNS, LESSONS
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import FOLDERS, site, site_in_both
from posenc_lessons.export.towers_table import CELLS
from posenc_lessons.language import HAN

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NAMES = ("05_rotary.ipynb", "glossary.ipynb")


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    read = {name: nbformat.read(NOTEBOOKS / name, as_version=4) for name in NAMES}
    return site_in_both({one: {name: in_language(read[name], one) for name in NAMES} for one in FOLDERS})


@pytest.mark.parametrize("language", FOLDERS)
def test_every_model_has_a_row_with_its_folder(files: dict[str, bytes], language: str) -> None:
    page = files[f"{language}/models.html"].decode()
    assert page.count("<tr>") == 1 + len(census_rows())
    assert page.count("<tr data-tower>") == len(towers_table())
    made = census()["made"]
    assert made["transformers"] in page and made["date"] in page
    for row in census_rows():
        assert f'/tree/v{made["transformers"]}/src/transformers/models/{row.folder}"' in page


def test_a_page_has_one_language(files: dict[str, bytes]) -> None:
    english, chinese = (
        re.sub(
            "<[^>]+>", " ", files[f"{one}/models.html"].decode().partition("<main")[2].partition("</main>")[0]
        )
        for one in ("en", "zh")
    )
    assert not HAN.search(english) and "half split" in english and "Swin v2" in english
    assert "窗口" in chinese and "half split" not in re.sub("<option.*?>", "", chinese)


def test_rows_and_columns_link_to_existing_lessons(files: dict[str, bytes]) -> None:
    page = files["en/models.html"].decode()
    assert 'href="05_rotary.html#pairings"' in page and 'href="05_rotary.html"' in page
    assert "02_sinusoidal.html" not in page, "which this site does not have"


@pytest.mark.parametrize(
    "address", [*LESSONS.values(), *CELLS.values(), *(column.cell for column in COLUMNS)]
)
def test_every_cell_that_the_page_names_exists(address: str) -> None:
    lesson, _, cell = address.partition("#cell-id=")
    if lesson.startswith("10_") and not (NOTEBOOKS / lesson).exists():
        pytest.skip("the lesson is not written yet")
    notebook = nbformat.read(NOTEBOOKS / lesson, as_version=4)
    assert not cell or cell in {each.id for each in notebook.cells}


def test_the_page_is_in_the_lists_of_pages_and_in_the_search(files: dict[str, bytes]) -> None:
    assert 'href="models.html"' in files["en/index.html"].decode()
    assert 'href="models.html"' in files["en/05_rotary.html"].decode()
    assert "gemma4_text" in files["shared/search.en.js"].decode()
    assert [entry["page"] for entry in census_page.entries("zh")] == [
        "models.html",
        "models.html#table",
        "models.html#towers",
    ]


def test_self_contained_pages_do_not_include_it() -> None:
    read = {name: in_language(nbformat.read(NOTEBOOKS / name, as_version=4), "en") for name in NAMES}
    made = site(read, "en")
    assert "models.html" not in made and b"models.html" not in made["index.html"]
