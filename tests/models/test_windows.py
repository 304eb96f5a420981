"""Sliding windows, layer by layer: as masks, beside padding and packing, and in the cache."""

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import DecoderOnly, TransformerEncoder, causal_mask, forget_middle
from tests.models.random_weights import with_random_weights

WIDTH, HEADS = 12, 2
WINDOWS = [3, None, 4, 3]
MIXED = ["rotary", "none", "alibi", "t5"]


def language_model(encoding: Any = MIXED, window: Any = WINDOWS, n_layers: int = 4) -> DecoderOnly:
    torch.manual_seed(0)
    return with_random_weights(DecoderOnly(9, WIDTH, HEADS, n_layers, encoding, 16, window=window))


def tokens(length: int, batch: int = 3) -> Tensor:
    return torch.randint(9, (batch, length))


def test_a_layer_sees_its_window() -> None:
    weights = language_model()(tokens(8), need_weights=True)[1]
    for window, recorded in zip(WINDOWS, weights, strict=True):
        mask = causal_mask(8, window=window)
        assert torch.equal(recorded > 0, mask.expand_as(recorded))
        assert mask.sum(dim=1).tolist() == [min(n, window or 8) for n in range(1, 9)]


def test_an_encoders_window_reaches_both_ways() -> None:
    torch.manual_seed(0)
    encoder = with_random_weights(TransformerEncoder(WIDTH, HEADS, 2, "none", window=[2, None]))
    near, far = encoder(torch.randn(2, 6, WIDTH).double(), need_weights=True)[1]
    at = torch.arange(6)
    assert torch.equal(near > 0, ((at[:, None] - at).abs() < 2).expand_as(near)) and (far > 0).all()


@pytest.mark.parametrize("n_before", [0, 6])
def test_a_call_that_fails_leaves_the_cache_as_it_was(n_before: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model, text = language_model(), tokens(9)
    cache = model.new_cache()
    if n_before:
        model(text[:, :n_before], cache=cache)
    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="broken"):
        patch.setattr(
            model.layers[2], "forward", lambda *_, **__: (_ for _ in ()).throw(RuntimeError("broken"))
        )
        model(text[:, n_before : n_before + 1], cache=cache)
    assert cache.length == n_before
    rest = text[:, n_before:] if n_before else text[:2]  # an empty cache takes another batch
    expected = model(text[: len(rest)])[:, n_before:]
    assert_close(model(rest, cache=cache), expected, rtol=0, atol=1e-12)


def test_the_middle_is_forgotten_before_a_window_is_full_and_refused_afterwards() -> None:
    model, text = language_model(["rotary", "none"], [6, None], 2), tokens(9)
    cache, fresh = model.new_cache(), model.new_cache()
    model(text[:, :5], cache=cache)
    forget_middle(model, cache, first=1, latest=3)
    assert cache.length == 4 and cache.positions.tolist() == [0, 1, 2, 3]
    assert [layer.length for layer in cache.self_attention] == [4, 4]
    model(text[:, :9], cache=fresh)  # the first layer has forgotten three tokens
    with pytest.raises(BilingualValueError, match="keys of the first 3 tokens, so token 0 cannot"):
        forget_middle(model, fresh, first=1, latest=4)
    assert fresh.length == 9
    forget_middle(model, fresh, first=0, latest=6)  # all that the first layer has, and no more
    assert [layer.length for layer in fresh.self_attention] == [6, 6]
    first, fresh_first = cache.self_attention[0], fresh.self_attention[0]
    assert first.forgotten == fresh_first.forgotten == 0


@pytest.mark.parametrize(
    ("window", "says"),
    [
        (0, "window must be a whole number, 1 or more; got 0"),
        ([3, None], "list window has 2 entries for n_layers=4"),
        ([3, None, "all", 3], "window must be a whole number.*'all'"),
        (2.5, "window must be a whole number.*2.5"),
    ],
)
def test_wrong_windows_are_refused(window: Any, says: str) -> None:
    with pytest.raises(BilingualValueError, match=says):
        language_model(window=window)
    if not isinstance(window, list):
        with pytest.raises(BilingualValueError, match=says):
            causal_mask(4, window=window)
