"""The page's torch has every name and takes every keyword that lessons, questions and exercises use.

The results are compared with PyTorch's, in CPython and in WebAssembly.
"""

from __future__ import annotations

import inspect
import json
from functools import cache
from typing import Any

import pytest
import torch

from posenc_lessons.browser.numpy_torch import torch as numpy_torch
from tests.page.contract import TABLE, found_in, table, uses
from tests.page.contract_calls import NAMES, PLAIN, RUN, SETUP, lines
from tests.page.page_python import PagePython

USED: dict[str, list[str]] = json.loads(TABLE.read_text(encoding="utf-8"))
# Names that the page's torch lacks, with reasons.
LACKING = {
    "torch.Tensor.cross": "it is the figures' own name",
    "torch.Tensor.indices": "it is the field of what sort and max return",
    "torch.Tensor.untyped_storage": "one cell counts the bytes that PyTorch keeps; its output stays recorded",
    "torch.autograd.graph": "…",
    "torch.autograd.graph.saved_tensors_hooks": "…",
}
WITHOUT_VALUE = {"torch.nn.attention", "torch.nn.init.constant"}  # a module; a name with a warning
NEAR = 2e-6  # relative to a number, or to 1


def test_the_table_is_what_the_sources_use() -> None:
    found = table()
    differ = sorted(name for name in found.keys() | USED.keys() if found.get(name) != USED.get(name))
    assert not differ, f"run python -m tests.page.contract: {', '.join(differ)} changed"


@pytest.mark.parametrize("name", [name for name in USED if name not in LACKING])
def test_the_pages_torch_has_every_name_and_keyword(name: str) -> None:
    there, held = found_in(numpy_torch, name)
    assert there == name, f"lessons or exercises use {name}, which the page's torch lacks"
    unknown = [keyword for keyword in USED[name] if not _takes(held, keyword)]
    assert not unknown, (
        f"lessons or exercises call {name} with {', '.join(unknown)}, which the page's torch refuses"
    )


def _takes(held: Any, keyword: str) -> bool:
    named = inspect.signature(held).parameters
    return keyword in named or any(each.kind is each.VAR_KEYWORD for each in named.values())


IN_PAGE = """
import inspect, json, torch

def lacked(name, keywords):
    held = torch
    for part in name.split(".")[1:]:
        if not hasattr(held, part):
            return [name]
        held = getattr(held, part)
    named = inspect.signature(held).parameters if keywords else {{}}
    open_ended = any(each.kind is each.VAR_KEYWORD for each in named.values())
    return [] if open_ended else [f"{{name}}({{keyword}}=)" for keyword in keywords if keyword not in named]

json.dumps([each for name, keywords in {used!r}.items() for each in lacked(name, keywords)])
"""


def test_the_pages_torch_has_them_in_webassembly_too(page: PagePython) -> None:
    used = {name: keywords for name, keywords in USED.items() if name not in LACKING}
    assert json.loads(page.run(IN_PAGE.format(used=used))) == []


@pytest.mark.parametrize("name", LACKING)
def test_names_listed_as_missing_are_missing(name: str) -> None:
    assert name not in USED or found_in(numpy_torch, name)[0] != name, (
        f"{name} is there: strike it off LACKING"
    )


@cache
def over_pytorch() -> list[Any]:
    return outcomes(torch)


def outcomes(module: Any) -> list[Any]:
    """Return the value or the error of each line over ``module``."""
    names: dict[str, Any] = {"torch": module}
    exec(SETUP + PLAIN + RUN, names)
    return [names["run"](line) for line in lines()]


def same(expected: Any, found: Any) -> bool:
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(same, expected, found))
    if isinstance(expected, float) and isinstance(found, float):
        nan = expected != expected and found != found
        return nan or expected == found or abs(expected - found) <= NEAR * max(1, abs(expected))
    return bool(expected == found)


def test_a_line_uses_each_row_with_each_of_its_keywords() -> None:
    used: dict[str, set[str]] = {}
    for name, keywords in uses(f"{NAMES}{SETUP}\n" + "\n".join(lines())):
        used.setdefault(name, set()).update(keywords)
    lacking = {
        name: set(keywords) - used.get(name, set())
        for name, keywords in USED.items()
        if name not in LACKING | dict.fromkeys(WITHOUT_VALUE)
        and (name not in used or set(keywords) - used[name])
    }
    assert not lacking, f"contract_calls.py needs a line for each of these: {lacking}"


@pytest.mark.parametrize("number", range(len(lines())), ids=lines())
def test_a_line_gives_the_same_over_the_pages_torch(number: int) -> None:
    expected = over_pytorch()[number]
    assert not (isinstance(expected, str) and "Error: " in expected), expected
    assert same(expected, in_cpython()[number]), f"{in_cpython()[number]} ≠ {expected}"


@cache
def in_cpython() -> list[Any]:
    return outcomes(numpy_torch)


def test_the_lines_give_the_same_in_webassembly(page: PagePython) -> None:
    run = f"import torch, json\n{SETUP}{PLAIN}{RUN}json.dumps([run(line) for line in {lines()!r}])"
    found = json.loads(page.run(run))
    differ = [
        f"{line}: {got} ≠ {expected}"
        for line, got, expected in zip(lines(), found, over_pytorch(), strict=True)
        if not same(expected, got)
    ]
    assert not differ, "\n".join(differ)
