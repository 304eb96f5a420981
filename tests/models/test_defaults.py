"""An argument has the same default in all models, and defaults of numbers and switches do not change."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterator

import pytest

from posenc_lessons import models

TWO_KINDS = {"encoding"}  # layers take an encoding or None, models a name


def signatures() -> Iterator[tuple[str, inspect.Signature]]:
    for name in models.__all__:
        thing = getattr(models, name)
        if inspect.isclass(thing) and not issubclass(thing, tuple):
            methods = {key: each for key, each in vars(thing).items() if inspect.isfunction(each)}
            yield from ((f"{name}.{key}", inspect.signature(each)) for key, each in methods.items())
        elif inspect.isfunction(thing):
            yield name, inspect.signature(thing)


DEFAULTS: dict[str, dict[str, object]] = defaultdict(dict)
for owner, signature in signatures():
    for argument in signature.parameters.values():
        if argument.default is not argument.empty:
            DEFAULTS[argument.name][owner] = argument.default


SHARED = {name for name, owners in DEFAULTS.items() if len(owners) > 1}


@pytest.mark.parametrize("argument", sorted(SHARED - TWO_KINDS))
def test_an_argument_has_one_default(argument: str) -> None:
    assert len({repr(default) for default in DEFAULTS[argument].values()}) == 1, DEFAULTS[argument]


def test_default_numbers_and_switches() -> None:
    on, off = ("norm_first", "cross_attention", "bias", "use_cache", "renumber"), ("causal", "need_weights")
    wanted = {**dict.fromkeys(on, True), **dict.fromkeys(off, False), "dropout": 0.0, "max_len": 512}
    found = {name: next(iter(each.values())) for name, each in DEFAULTS.items()}
    assert {name: each for name, each in found.items() if isinstance(each, (bool, int, float))} == wanted
