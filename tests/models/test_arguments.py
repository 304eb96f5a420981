"""Defaults, least sizes, and examples in docstrings."""

import doctest
import functools
import inspect
from typing import Any

import pytest
import torch

from posenc_lessons import encodings, models
from posenc_lessons.encodings.rotary_axes import angles_on_axes
from tests.support.refusals import assert_refused


def test_every_model_passes_all_settings_on_to_its_layers() -> None:
    options: models.LayerOptions = {"d_feed": 7, "dropout": 0.5, "norm_first": False, "window": 3}
    both = models.Seq2Seq(9, 9, 8, 2, 3, "learned", 5, **options)
    one = models.DecoderOnly(9, 8, 2, 3, "learned", 5, **options)
    for stack in (both.encoder, both.decoder, one.decoder):
        assert stack.encoding.max_len == 5 and stack.windows == [3] * 3 and stack.dropout.p == 0.5
        for layer in stack.layers:
            assert layer.feed.up.out_features == 7 and not layer.norm_first and layer.attention.dropout == 0.5
    with pytest.raises(TypeError, match="windows"):
        models.Seq2Seq(9, 9, 8, 2, 1, windows=3)  # type: ignore[call-arg]


LEAST: dict[str, dict[str, int]] = {
    "DecoderLayer": {"d_model": 1, "n_heads": 1, "d_feed": 1},
    "EncoderLayer": {"d_model": 1, "n_heads": 1, "d_feed": 1},
    "FeedForward": {"d_model": 1, "d_feed": 1},
    "LatentAttention": {"d_model": 1, "n_heads": 1, "d_latent": 1, "d_head": 1},
    "MultiHeadAttention": {"d_model": 1, "n_heads": 1, "n_kv_heads": 1, "d_head": 1},
    "SinkAttention": {"d_model": 1, "n_heads": 1},
    "TransformerDecoder": {"d_model": 1, "n_heads": 1, "n_layers": 1, "max_len": 1, "window": 1},
    "TransformerEncoder": {"d_model": 1, "n_heads": 1, "n_layers": 1, "max_len": 1, "window": 1},
    "TokenEmbedding": {"vocab_size": 1, "d_model": 1},
    "DecoderOnly": {"vocab_size": 1, "d_model": 1, "n_heads": 1, "n_layers": 1, "n_answers": 1, "window": 1},
}
TWO_INPUTS = ("DecoderLayer", "TransformerDecoder")
OF_TOKENS = ("TokenEmbedding", "DecoderOnly")


def made(name: str, **sizes: int) -> Any:
    more: dict[str, Any] = {"encoding": "learned"} if "max_len" in sizes else {}
    more |= {"d_rotary": 0} if name == "LatentAttention" else {}
    return getattr(models, name)(**sizes, **more)


@pytest.mark.parametrize("name", ["EncoderLayer", "DecoderLayer"])
def test_a_feed_forward_is_four_times_as_wide_by_default(name: str) -> None:
    feed = getattr(models, name)(d_model=6, n_heads=2).feed
    assert feed.up.weight.shape == (24, 6) and feed.down.weight.shape == (6, 24)


@pytest.mark.parametrize("name", LEAST)
def test_the_least_sizes_are_taken_and_smaller_ones_refused(name: str) -> None:
    sizes = LEAST[name]
    x = torch.zeros(1, 1, dtype=torch.long) if name in OF_TOKENS else torch.randn(1, 1, 1)
    out = made(name, **sizes)(*(x, x) if name in TWO_INPUTS else (x,))
    assert (out[0] if isinstance(out, tuple) else out).shape[:2] == (1, 1)
    for size in sizes:
        assert_refused(functools.partial(made, name, **{**sizes, size: 0}), rf"{size} .*got 0")


NAMES = {name: getattr(room, name) for room in (encodings, models) for name in room.__all__}
NAMES |= {"angles_on_axes": angles_on_axes}
EXPLAINED = {  # type aliases and tables of names have no docstring
    name: thing for name, thing in NAMES.items() if inspect.isfunction(thing) or inspect.isclass(thing)
}


@pytest.mark.parametrize("name", EXPLAINED)
def test_an_example_does_what_it_says(name: str) -> None:
    torch.manual_seed(0)
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    for example in finder.find(NAMES[name], name, globs={"torch": torch, **NAMES}):
        printed: list[str] = []
        assert runner.run(example, out=printed.append).failed == 0, "".join(printed)
