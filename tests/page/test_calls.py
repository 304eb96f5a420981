"""The page's torch has every name and keyword that lessons, questions and exercises use, and gives the same.

Values and gradients of each line in ``calls.py`` are compared with PyTorch's, in CPython and in WebAssembly.
"""

import inspect
import json
import subprocess
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from posenc_lessons.browser.build import NUMPY_TORCH
from posenc_lessons.browser.cell_errors import meaning_of
from posenc_lessons.browser.numpy_torch import torch as numpy_torch
from tests.page.calls import CALLS, MORE, SETUP, TYPES, lines
from tests.page.names_used import found_in, in_the_course, keywords_by_name
from tests.page.page_python import PagePython
from tests.page.refused_calls import REFUSED, REFUSED_ALIKE, REFUSED_HERE

USED = keywords_by_name(in_the_course())
# Names that the page's torch lacks, with reasons.
LACKING = {
    "torch.Tensor.cross": "it is the figures' own name",
    "torch.Tensor.indices": "it is the field of what sort and max return",
    "torch.autocast": "the page has no autocast",
    "torch.func": "the page has no transforms",
    "torch.func.vjp": "…",
}
WITHOUT_VALUE = {"torch.nn.attention", "torch.compiler"}  # modules
NEAR = 2e-6  # relative to a number, or to 1
LINES = [*lines(CALLS), *lines(MORE), *lines(TYPES)]
# Lines whose operation has no derivative here: asking for it is refused.
UNDIFFERENTIATED = (
    '"ii"',
    "linalg.",
    "cummax",
    "meshgrid",
    "block_diag",
    "//",
    "prod(",
)

# Turns tensors into plain data, so that those of two torches can be compared.
PLAIN = """
def plain(value):
    if isinstance(value, torch.Tensor):
        value = value.detach()
        if value.is_complex():
            return [str(value.dtype), plain(value.real), plain(value.imag)]
        return [str(value.dtype), list(value.shape), value.to(torch.float64).tolist()]
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)

def run(line):
    try:
        return plain(eval(line, globals()))
    except Exception as error:
        return type(error).__name__ + ": " + str(error)
"""


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("torch", "lobpcg"),
        ("torch.nn", "Unfold"),
        ("torch.nn.functional", "ctc_loss"),
        ("torch.zeros(1)", "svd"),
    ],
)
def test_a_missing_name_is_explained_in_both_languages(owner: str, name: str) -> None:
    code = f"import sys; sys.path.insert(0, {str(NUMPY_TORCH)!r}); import torch; {owner}.{name}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    error = AttributeError(ran.stderr.strip().rpartition("AttributeError: ")[2])
    meaning = meaning_of(error)
    assert meaning is not None and f"没有 {name}" in meaning.zh and f"has no {name}" in meaning.en


@pytest.mark.parametrize("name", [name for name in USED if name not in LACKING])
def test_the_pages_torch_has_every_name_and_keyword(name: str) -> None:
    names_known, value = found_in(numpy_torch, name)
    assert names_known == name, f"lessons or exercises use {name}, which the page's torch lacks"
    unknown = [keyword for keyword in USED[name] if not _takes(value, keyword)]
    assert not unknown, f"lessons or exercises call {name} with {unknown}, which the page's torch refuses"


def _takes(function: Any, keyword: str) -> bool:
    parameters = inspect.signature(function).parameters
    return keyword in parameters or any(item.kind is item.VAR_KEYWORD for item in parameters.values())


@pytest.mark.parametrize("name", [name for name in USED if name not in LACKING])
def test_defaults_are_pytorchs(name: str) -> None:
    try:
        theirs, ours = (
            inspect.signature(found_in(module, name)[1]).parameters for module in (torch, numpy_torch)
        )
    except (TypeError, ValueError):
        return  # it is no function, or one in C++ without a signature
    for word in theirs.keys() & ours.keys():
        pair = theirs[word].default, ours[word].default
        plain = all(isinstance(value, (int, float, tuple)) for value in pair)
        assert not plain or pair[0] == pair[1], word  # other forms may have other words for the same


def test_a_line_uses_each_name_with_each_of_its_keywords() -> None:
    imports = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"
    in_lines = keywords_by_name([f"{imports}{SETUP}\n" + "\n".join(LINES)])
    names_known = LACKING.keys() | WITHOUT_VALUE
    missing = {name: USED[name] - in_lines.get(name, set()) for name in USED.keys() - names_known}
    wanted = {name: words for name, words in missing.items() if words or name not in in_lines}
    assert not wanted, f"calls.py needs a line for each of these: {wanted}"


def namespace(module: Any) -> dict[str, Any]:
    names: dict[str, Any] = {"torch": module}
    exec(SETUP + PLAIN, names)
    return names


@cache
def over(module: Any) -> list[Any]:
    """Return the value or the error of each line."""
    run = namespace(module)["run"]
    return [run(line) for line in LINES]


def same(expected: Any, actual: Any) -> bool:
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(map(same, expected, actual))
    if isinstance(expected, float) and isinstance(actual, float):
        nan = expected != expected and actual != actual
        return nan or expected == actual or abs(expected - actual) <= NEAR * max(1, abs(expected))
    return bool(expected == actual)


@pytest.mark.filterwarnings("ignore:Implicit dimension")
@pytest.mark.parametrize("number", range(len(LINES)), ids=LINES)
def test_a_line_has_the_same_value(number: int) -> None:
    expected, actual = over(torch)[number], over(numpy_torch)[number]
    assert not (isinstance(expected, str) and "Error: " in expected), expected
    assert same(expected, actual), f"{actual} ≠ {expected}"


def gradients(module: Any, line: str) -> list[np.ndarray] | None:
    """Return the gradients of the line's results for the tensors of SETUP; None if it has no such results.

    The gradient is that of the sum of all results with fixed weights.
    """
    names = namespace(module)
    leaves = [names[name].double().requires_grad_() for name in "xamv"]
    names.update(zip("xamv", leaves, strict=True))
    results = [item for item in _tensors(eval(line, names)) if item.requires_grad]
    if not results:
        return None
    loss = 0
    for result in results:
        result = module.view_as_real(result) if result.is_complex() else result
        weights = np.cos(np.arange(result.numel(), dtype=float)).reshape(tuple(result.shape))
        loss = loss + (result.double() * module.tensor(weights)).sum()
    loss.backward()  # type: ignore[attr-defined]
    return [np.zeros(tuple(x.shape)) if x.grad is None else x.grad.numpy() for x in leaves]


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in _tensors(item)]
    return [value] if hasattr(value, "requires_grad") and hasattr(value, "numel") else []


@pytest.mark.filterwarnings("ignore:Implicit dimension", "ignore:.*non-leaf Tensor")
@pytest.mark.parametrize("line", LINES)
def test_a_line_has_the_same_gradient(line: str) -> None:
    try:
        expected = gradients(torch, line)
    except (RuntimeError, TypeError, ValueError):
        pytest.skip("PyTorch has no gradient for it")
    if any(name in line for name in UNDIFFERENTIATED):
        return
    actual = gradients(numpy_torch, line)
    assert (expected is None) == (actual is None)
    for theirs, ours in zip(expected or (), actual or (), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("line", lines(REFUSED_ALIKE) + lines(REFUSED))
def test_a_line_is_refused_as_by_pytorch(line: str) -> None:
    theirs, ours = (str(namespace(module)["run"](line)) for module in (torch, numpy_torch))
    if line not in lines(REFUSED_ALIKE):
        theirs, ours = theirs.partition(":")[0], ours.partition(":")[0]
    assert "Error" in theirs and ours == theirs


@pytest.mark.parametrize("line", lines(REFUSED_HERE))
def test_what_would_have_a_wrong_gradient_is_refused(line: str) -> None:
    assert "NotImplementedError" in str(namespace(numpy_torch)["run"](line))


@pytest.mark.sweep
@pytest.mark.filterwarnings("ignore:Implicit dimension")
def test_the_lines_have_the_same_values_in_webassembly(page: PagePython) -> None:
    source = f"import torch, json\n{SETUP}{PLAIN}json.dumps([run(line) for line in {LINES!r}])"
    values = json.loads(page.run(source))
    rows = zip(LINES, values, over(torch), strict=True)
    differ = [f"{line}: {value} ≠ {expected}" for line, value, expected in rows if not same(expected, value)]
    assert not differ, "\n".join(differ)
