"""Public functions and classes have an example in their docstring, and the examples do what they say."""

from __future__ import annotations

import doctest
import inspect
import re

import pytest
import torch

from posenc_lessons import encodings, models
from tests.support.duties import assert_complete

NAMES = {name: getattr(room, name) for room in (encodings, models) for name in room.__all__}
EXPLAINED = {  # type aliases and tables of names have no docstring
    name: thing for name, thing in NAMES.items() if inspect.isfunction(thing) or inspect.isclass(thing)
}


def test_every_public_name_has_an_example() -> None:
    with_example = [name for name, thing in EXPLAINED.items() if ">>> " in (thing.__doc__ or "")]
    assert_complete(EXPLAINED, with_example, "the docstring of {} has no example", "{} is not public")


FUNCTIONS = [name for name, thing in EXPLAINED.items() if inspect.isfunction(thing)]


@pytest.mark.parametrize("name", [*FUNCTIONS, "ContextExtension"])
def test_the_docstring_of_a_function_names_every_argument_and_tells_its_errors(name: str) -> None:
    lines = (inspect.getdoc(NAMES[name]) or "").splitlines()
    words = set(re.findall(r"\w+", " ".join(line for line in lines if not line.startswith((">>>", "...")))))
    assert set(inspect.signature(NAMES[name]).parameters) <= words
    assert "Raises" in words or name not in FUNCTIONS


@pytest.mark.parametrize("name", EXPLAINED)
def test_an_example_does_what_it_says(name: str) -> None:
    torch.manual_seed(0)
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    for example in finder.find(NAMES[name], name, globs={"torch": torch, **NAMES}):
        printed: list[str] = []
        assert runner.run(example, out=printed.append).failed == 0, "".join(printed)
