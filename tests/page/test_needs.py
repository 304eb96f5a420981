"""Which cells run before another, and which of them train."""

from __future__ import annotations

import pytest

from posenc_lessons.browser.cells import Lesson
from posenc_lessons.browser.needs import trains

CELLS = [
    ("imports", "import math\nfrom a import b"),
    ("x", "x = [1]"),
    ("more", "x.append(2)"),
    ("other", "y = 3\nfor n in range(2):\n    print(n)"),
    ("trained", "from m import Model\nmodel = train(Model(), x)"),
    ("loop", "model = 1\nprint(model, [n for n in range(3)], Model)"),
]


@pytest.mark.parametrize(
    ("cell", "source", "expected"),
    [
        ("other", "print(x)", ["x", "more"]),
        ("other", "def f(x):\n    return x", []),
        ("other", "x = 2\nprint(x)", []),
        ("other", "if x:\n    y = 1", ["x", "more"]),
        ("loop", None, []),
        ("loop", "print(model)", ["x", "more", "trained"]),
        ("other", "print(x", []),
    ],
)
def test_only_cells_whose_names_are_used_run_before(
    cell: str, source: str | None, expected: list[str]
) -> None:
    assert Lesson(CELLS).needed(cell, source) == expected


def test_a_cell_that_ran_runs_again_only_when_it_or_what_it_needs_has_changed() -> None:
    lesson = Lesson(CELLS)
    for cell in ("x", "more"):
        assert lesson.run(cell)["error"] is None
    assert lesson.needed("other", "print(x)") == []
    assert lesson.needed("other", "print(x)", {"x": "x = [5]"}) == ["x", "more"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("found = train(model, task)", True),
        ("[race.train(each, task) for each in models]", True),
        ("model.train()", False),
        ("def later():\n    train(model, task)", False),
        ("train_counter('cope')", True),
        ("train(", False),
    ],
)
def test_training_is_known_by_what_is_called(source: str, expected: bool) -> None:
    assert trains(source) is expected
