"""The page's torch has every name and takes every keyword that lessons, questions and exercises use."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from posenc_lessons.browser.numpy_torch import torch as numpy_torch
from tests.page.contract import TABLE, found_in, table
from tests.page.page_python import PagePython

USED: dict[str, list[str]] = json.loads(TABLE.read_text(encoding="utf-8"))
# Names that the page's torch has not: why.
LACKING = {
    "torch.Tensor.cross": "it is the figures' own name",
    "torch.Tensor.indices": "it is the field of what sort and max return",
    "torch.Tensor.untyped_storage": "one cell counts the bytes that PyTorch keeps; its output stays recorded",
    "torch.autograd.graph": "…",
    "torch.autograd.graph.saved_tensors_hooks": "…",
}


def test_the_table_is_what_the_sources_use() -> None:
    found = table()
    differ = sorted(name for name in found.keys() | USED.keys() if found.get(name) != USED.get(name))
    assert not differ, f"run python -m tests.page.contract: {', '.join(differ)} changed"


@pytest.mark.parametrize("name", [name for name in USED if name not in LACKING])
def test_the_pages_torch_has_what_is_used(name: str) -> None:
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


def test_the_pages_torch_has_it_in_webassembly_too(page: PagePython) -> None:
    used = {name: keywords for name, keywords in USED.items() if name not in LACKING}
    assert json.loads(page.run(IN_PAGE.format(used=used))) == []


@pytest.mark.parametrize("name", LACKING)
def test_what_is_listed_as_lacking_is_lacking(name: str) -> None:
    assert name not in USED or found_in(numpy_torch, name)[0] != name, (
        f"{name} is there: strike it off LACKING"
    )
