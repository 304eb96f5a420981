"""Cells of lessons, solutions and question pages run over the page's torch and print what is committed.

``make test`` runs those of three notebooks in CPython, ``make sweep`` all of them there, training for a tenth
of their steps, and all but training in WebAssembly.
"""

from collections.abc import Iterable, Iterator

import pytest

from tests.page.cell_sweep import CellRun, cells_of, in_cpython, names, sweep
from tests.page.page_python import PagePython

SAMPLE = ("00_start_here", "questions/which_pairing", "solutions/01_why_position")
# Cells that compute for more than ten seconds in WebAssembly.
SLOW_IN_WEBASSEMBLY = {
    "07_transformer/cache-timed",
    "07_transformer/pre-norm-measured",
}

# Why some cells do not run over the page's torch, or print something else than is committed.
NOT_IN_PAGE = "it runs other libraries, which the page lacks"
LAST_DIGIT = "NumPy rounds exp and sums of float32 otherwise in the last digit"

DIFFERING: dict[str, str] = {
    "02_sinusoidal/log-space-rounding": LAST_DIGIT,
    "05_rotary/in-the-wild-measured": NOT_IN_PAGE,
    "07_transformer/today-equals-llama": NOT_IN_PAGE,
    "09_whose_position/packing-transformers": NOT_IN_PAGE,
    "solutions/02_sinusoidal/table-wrong": LAST_DIGIT,
    "questions/extrapolation/code": LAST_DIGIT,
}


def assert_as_published(runs: Iterable[CellRun]) -> None:
    for run in runs:
        assert not run.error or run.cell in DIFFERING, f"{run.cell}: {run.error}"
        if not run.trained and run.cell not in DIFFERING:
            assert run.ours == run.published or run.same, run.cell


@pytest.fixture(scope="module")
def cpython_page() -> Iterator[PagePython]:
    """Yield one Python for all notebooks, because each new one would compile the page's files again."""
    with in_cpython() as page:
        yield page


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in SAMPLE else pytest.mark.sweep) for name in names()]
)
def test_cells_run_over_the_pages_torch(name: str, cpython_page: PagePython) -> None:
    assert_as_published(sweep(cpython_page, name, train=True))


@pytest.mark.sweep
@pytest.mark.parametrize("name", names())
def test_cells_run_in_webassembly(name: str, page: PagePython) -> None:
    assert_as_published(sweep(page, name, train=False, without=SLOW_IN_WEBASSEMBLY))


def test_cells_listed_as_differing_exist() -> None:
    assert DIFFERING.keys() <= {f"{name}/{cell.id}" for name in names() for cell in cells_of(name)}
