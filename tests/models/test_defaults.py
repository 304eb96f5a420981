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
        public = getattr(models, name)
        if inspect.isclass(public) and not issubclass(public, tuple):
            methods = {key: one for key, one in vars(public).items() if inspect.isfunction(one)}
            yield from ((f"{name}.{key}", inspect.signature(one)) for key, one in methods.items())
        elif inspect.isfunction(public):
            yield name, inspect.signature(public)


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
    expected = {**dict.fromkeys(on, True), **dict.fromkeys(off, False), "dropout": 0.0, "max_len": 512}
    first = {name: next(iter(owners.values())) for name, owners in DEFAULTS.items()}
    numbers = {name: default for name, default in first.items() if isinstance(default, (bool, int, float))}
    assert numbers == expected


def test_models_take_settings_by_place_by_name_or_as_one_object() -> None:
    settings = models.LayerSettings(8, 2, 1, "learned", 5, norm_first=False, window=3)
    for model in (
        models.DecoderOnly(9, settings),
        models.DecoderOnly(9, 8, 2, 1, "learned", 5, norm_first=False, window=3),
        models.DecoderOnly(
            9, d_model=8, n_heads=2, n_layers=1, encoding="learned", max_len=5, norm_first=False, window=3
        ),
    ):
        assert model.decoder.settings == settings
    with pytest.raises(TypeError, match="windows"):
        models.Seq2Seq(9, 9, 8, 2, 1, windows=3)
