"""Which cells run before another; cells that train run only when the reader asks for them."""

import pytest

from posenc_lessons.browser.cells import Lesson
from posenc_lessons.browser.needs import names_in

CELLS = [
    ("imports", "import math\nfrom a import b"),
    ("old", "x = [0]"),
    ("x", "x = [1]"),
    ("more", "x.append(2)"),
    ("other", "y, results = 3, {}\nfor n in range(2):\n    print(n)"),
    ("trained", "from m import Model\nmodel = train(Model(), x)\nresults[0] = model"),
    ("last", "model = 1\nprint(model, [n for n in range(3)], Model)"),
]


@pytest.mark.parametrize(
    ("cell", "source", "expected"),
    [
        ("other", "print(x)", ["x", "more"]),
        ("other", "def f(x):\n    return x", []),
        ("other", "x = 2\nprint(x)", []),
        ("other", "if x:\n    y = 1", ["x", "more"]),
        ("other", "print(x", []),
        ("last", None, []),  # the imports of a cell that trains are there without it
        ("last", "print(model)", ["x", "more", "other", "trained"]),
        ("last", "print(x)", ["x", "more"]),  # training alters the model, but not its data
        ("last", "print(results)", ["x", "more", "other", "trained"]),
    ],
)
def test_only_cells_whose_names_are_used_run_before(
    cell: str, source: str | None, expected: list[str]
) -> None:
    assert Lesson(CELLS, ["trained"]).needed(cell, source) == expected


def test_a_cell_that_ran_runs_again_only_when_it_or_what_it_needs_has_changed() -> None:
    lesson = Lesson(CELLS)
    for cell in ("x", "more"):
        assert lesson.run(cell)["error"] is None
    assert lesson.needed("other", "print(x)") == []
    assert lesson.needed("other", "print(x)", {"x": "x = [5]"}) == ["x", "more"]


@pytest.mark.parametrize(
    ("source", "altered"),
    [
        ("x[0] = 1\ny.z = 2\nw += 1", {"x", "y"}),  # the last makes w, and reads it
        ("x.append(1)\ntrain(model, data=rows[0])", {"x", "model", "rows"}),
        ("print(x)\nshow(f, x)\ncheck_it(x)\ny = len(x)", set()),
        ("def f():\n    x.append(1)", set()),
        ("x = []\nx.append(1)", set()),
    ],
)
def test_names_that_statements_alter(source: str, altered: set[str]) -> None:
    assert names_in(source).altered - {"w"} == altered


@pytest.mark.parametrize(
    ("source", "used"),
    [
        ("def f(a):\n    b = a + c\n    return b", {"c"}),
        ("for a in b:\n    c = a\n    print(c, d)", {"b", "d", "print"}),
        ("for a in b:\n    print(c)\n    c = a", {"b", "c", "print"}),
        (
            "class A:\n    b = c\n    def f(self, g=h):\n        b = self.g\n        return b, d",
            {"c", "d", "h"},
        ),
        ("with a as b:\n    b.c(lambda d: d + e)", {"a", "e"}),
        ("try:\n    a()\nexcept B as c:\n    print(c)", {"a", "B", "print"}),
        ("[a for a in b if a in c]", {"b", "c"}),
        ("a += b\nc = []\nc.append(a)", {"a", "b"}),
        ("a = 1\ndef f():\n    return a + b", {"b"}),
    ],
)
def test_local_names_of_functions_and_loops_are_not_needed(source: str, used: set[str]) -> None:
    assert names_in(source).used - {"__name__"} == used
