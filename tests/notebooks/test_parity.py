"""Both languages of every notebook say the same, cell by cell."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from tests.notebooks import bilingual, record


def name(path: Path) -> str:
    return path.relative_to(record.ROOT / "notebooks").as_posix()


@pytest.mark.parametrize("path", record.notebooks(), ids=name)
def test_both_languages_say_the_same(path: Path) -> None:
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        check = bilingual.problems if cell.cell_type == "markdown" else bilingual.comment_problems
        found += [f"{name(path)} cell {cell.id}: {problem}" for problem in check(cell.source)]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("path", record.notebooks(), ids=name)
def test_a_notebook_begins_with_its_title(path: Path) -> None:
    first = nbformat.read(path, as_version=4).cells[0]
    assert first.cell_type == "markdown" and first.source.startswith("# ")
