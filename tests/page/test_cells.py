"""Cells run in the built page's own Python after the cells that they need; exercises and asserts work."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.lib.pretty import pretty

from posenc_lessons.browser.cells import bundle_of
from tests.page.page_python import PagePython


def text_of(answer: dict[str, Any]) -> str:
    """Return the text of the outputs as a reader reads it."""
    parts = (
        item.get("text") or f"{item['plain']}\n{item.get('meaning', '')}\n" for item in answer["outputs"]
    )
    return "".join(parts).strip("\n")


NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
Answer = dict[str, Any]
Run = Callable[[str, str, str | None], Answer]


def cells(lesson: str) -> list[tuple[str, str]]:
    """Return the id and source of each code cell."""
    notebook = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4)
    return [(cell.id, cell.source) for cell in notebook.cells if cell.cell_type == "code"]


@pytest.fixture(scope="module")
def run(page: PagePython) -> Run:
    """Run a cell as the page does, after the cells that it needs; return the answer of cells.py."""
    defined: set[str] = set()

    def run_with_needed(lesson: str, cell: str, source: str | None = None) -> Answer:
        def ask(call: str, *args: object) -> Any:
            return page.ask(lesson=lesson, call=call, args=list(args))["answer"]

        if lesson not in defined:
            ask("define", cells(lesson), [])
            defined.add(lesson)
        for item in ask("needed", cell, source):
            assert ask("run", item).get("error") is None
        answer: Answer = ask("run", cell, source)
        return answer

    return run_with_needed


@pytest.mark.parametrize(
    ("lesson", "cell", "right"),
    [
        (
            "00_start_here",
            "exercise-swap-ends",
            "words if len(words) < 2 else [words[-1], *words[1:-1], words[0]]",
        ),
        (
            "01_why_position",
            "exercise-is-equivariant",
            "all(torch.allclose(layer(x[o]), layer(x)[o], atol=1e-5) for o in orders(len(x)))",
        ),
    ],
)
def test_an_exercise_waits_for_a_stub_rejects_and_accepts(
    lesson: str, cell: str, right: str, run: Run
) -> None:
    stub = dict(cells(lesson))[cell]
    imports = "import torch\norders = lambda n: [torch.randperm(n) for _ in range(20)]\n"
    for answer, begins in (("...", "…"), ("None", "✘"), (right, "✔")):
        text = run(lesson, cell, imports + stub.replace("return ...", f"return {answer}"))
        assert text.get("error") is None and text_of(text).startswith(begins), (answer, text)
        assert text["solved"] == (
            [f"{lesson[3:]}.{cell.removeprefix('exercise-').replace('-', '_')}"] if begins == "✔" else []
        )


@pytest.mark.parametrize(
    "value", [list(range(40)), {name: "x" * 30 for name in "bca"}, [["m", 7]] * 2, ("one",), {}]
)
def test_a_value_is_printed_as_in_a_notebook(value: object) -> None:
    assert bundle_of(value) == {"text/plain": pretty(value)}


@pytest.mark.parametrize(
    "bundle", [{}, None, {"text/html": "<b>"}, ({"text/html": "<b>"}, {"width": 1})], ids=repr
)
def test_a_value_may_have_a_bundle_with_or_without_metadata(bundle: Any) -> None:
    shown = bundle_of(
        type("Shown", (), {"_repr_mimebundle_": lambda *_: bundle, "__repr__": lambda _: "it"})()
    )
    assert shown == ({"text/html": "<b>"} if bundle else {"text/plain": "it"})


def test_asserts_work_and_an_error_names_the_last_line_of_a_cell(run: Run) -> None:
    product = "import torch\ndef f():\n    torch.ones(2) @ torch.ones(3)\nf()"
    for source, error, line in (
        ("assert 1 == 2, 'no'", "AssertionError: no", 1),
        (product, "RuntimeError", 3),
    ):
        answered = run("00_start_here", "exercise-swap-ends", source)
        shown = answered["outputs"][-1]
        assert answered["error"].startswith(error)
        assert (shown["line"], shown["code"]) == (line, source.splitlines()[line - 1].strip())
    assert run("00_start_here", "exercise-swap-ends", "1 +")["error"].startswith("SyntaxError")


@pytest.mark.parametrize(
    ("source", "said", "exhausted"),
    [
        ("while True: print('again ' * 100)", "太长", False),
        (
            "try:\n    print('again ' * 10**6)\nexcept BaseException:\n    print('on')",
            "太长",
            False,
        ),
        ("'again ' * 10**7", "太长", False),
        ("[0] * 10**9", "Python 已重新启动", True),
        ("import numpy; numpy.zeros(10**11)", "做小一些", False),
        ("import torch\ntorch.autograd.graph", "没有 graph", False),
        ("from torch.nn import Conv3d", "没有 Conv3d", False),
        ("import transformers", "没有 transformers 这个包", False),
        ("input('How many? ')", "用不了 input()", False),
        ("def f(): return f()\nf()", "停下来的条件", False),
        ("x = 1\nif x", "第 2 行不合 Python 的语法", False),
    ],
)
def test_errors_of_the_page_are_one_sentence(source: str, said: str, exhausted: bool, run: Run) -> None:
    answered = run("00_start_here", "exercise-swap-ends", source)
    assert answered["error"] and said in text_of(answered) and len(text_of(answered)) < 300_000
    assert sum(item["kind"] in ("note", "error") for item in answered["outputs"]) == 1
    assert answered["exhausted"] is exhausted


def test_a_picture_stays_recorded_and_a_wrong_name_in_an_import_is_an_error(run: Run) -> None:
    imported = "from posenc_lessons.figures.rotary import {name}\n{name}()"
    picture = run("00_start_here", "exercise-swap-ends", imported.format(name="pairing_figure"))
    assert [output["kind"] for output in picture["outputs"]] == ["recorded"]
    for name, module in (("pairing_figures", "rotary"), ("pairing_figure", "rotaries")):
        source = imported.format(name=name).replace("figures.rotary", f"figures.{module}")
        answer = run("00_start_here", "exercise-swap-ends", source)
        assert answer["error"].startswith(("ImportError", "ModuleNotFoundError")), answer["error"]


def test_names_mean_the_values_of_cells_above_in_any_order_of_runs(page: PagePython) -> None:
    lesson = [
        ("one", "n, kept = 1, []"),
        ("shown", "n"),
        ("two", "n = 2"),
        ("all", "kept.append(n)\n[n, kept]"),
    ]

    def ask(call: str, *args: object) -> Any:
        return page.ask(lesson="order", call=call, args=list(args))["answer"]

    ask("define", lesson, [])
    assert ask("needed", "two") == []
    ask("run", "two")
    assert ask("needed", "all") == ["one"]  # which defines another n
    ask("run", "one")
    assert text_of(ask("run", "all")) == "[2, [2]]"
    assert text_of(ask("run", "shown")) == "1"
