"""Cells of lessons, solutions and question pages run over the page's torch and print what is committed.

In CPython all of them run, training for a tenth of their steps; in WebAssembly a third, a different one after
each change of the page's torch. ``python -m tests.page.cell_sweep`` runs all of them in both.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

import pytest

from posenc_lessons.browser.build import NUMPY_TORCH
from posenc_lessons.browser.needs import trains
from posenc_lessons.browser.training import training_paces
from tests.page.cell_sweep import Found, cells_of, in_cpython, names, sweep
from tests.page.differing import DIFFERING
from tests.page.page_python import PagePython

# Cells that compute for more than ten seconds in WebAssembly: only the command runs them there.
SLOW_IN_WEBASSEMBLY = {
    "02_sinusoidal/depth-measured",
    "07_transformer/cache-timed",
    "07_transformer/embedding-measured",
    "07_transformer/pre-norm-measured",
    "solutions/07_transformer/capstone",
}
SOURCES = b"".join(path.read_bytes() for path in sorted(NUMPY_TORCH.rglob("*.py")))
THIRD = names()[zlib.crc32(SOURCES) % 3 :: 3]


def assert_as_published(found: Iterable[Found]) -> None:
    for each in found:
        assert each.runs or each.cell in DIFFERING, f"{each.cell}: {each.error}"
        if not each.trains and each.cell not in DIFFERING:
            assert each.ours == each.published or each.same, each.cell


@pytest.fixture(scope="module")
def cpython_page() -> Iterator[PagePython]:
    """Yield one Python for all notebooks, because each new one would compile the page's files again."""
    with in_cpython() as page:
        yield page


@pytest.mark.parametrize("name", names())
def test_cells_run_over_the_pages_torch(name: str, cpython_page: PagePython) -> None:
    assert_as_published(sweep(cpython_page, name, training=True))


@pytest.mark.parametrize("name", THIRD)
def test_cells_run_in_webassembly(name: str, page: PagePython) -> None:
    assert_as_published(sweep(page, name, training=False, without=SLOW_IN_WEBASSEMBLY))


def test_cells_listed_as_differing_exist() -> None:
    assert DIFFERING.keys() <= {f"{name}/{cell.id}" for name in names() for cell in cells_of(name)}


def test_every_cell_that_trains_has_its_steps_and_seconds() -> None:
    training = [cell.id for name in names() for cell in cells_of(name) if trains(cell.source)]
    assert len(set(training)) == len(training), "cells that train have their own names"
    missing = set(training) ^ training_paces().keys()
    assert not missing, f"run python -m tests.page.training_pace: {', '.join(sorted(missing))}"
