"""Sliding windows, layer by layer: as masks, beside padding and packing, and in the cache."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import (
    COURSE_ENCODINGS,
    DecoderOnly,
    Seq2Seq,
    TransformerEncoder,
    causal_mask,
    forget_middle,
    generate,
)
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
    for window, seen in zip(WINDOWS, weights, strict=True):
        mask = causal_mask(8, window=window)
        assert torch.equal(seen > 0, mask.expand_as(seen))
        assert mask.sum(dim=1).tolist() == [min(n, window or 8) for n in range(1, 9)]


def test_an_encoders_window_reaches_both_ways() -> None:
    torch.manual_seed(0)
    encoder = with_random_weights(TransformerEncoder(WIDTH, HEADS, 2, "none", window=[2, None]))
    near, far = encoder(torch.randn(2, 6, WIDTH).double(), need_weights=True)[1]
    at = torch.arange(6)
    assert torch.equal(near > 0, ((at[:, None] - at).abs() < 2).expand_as(near)) and (far > 0).all()


@pytest.mark.parametrize("given", [3, [3, 3, 3, 3], lambda layer: 3])
def test_the_same_window_for_all_layers(given: Any) -> None:
    text = tokens(9)
    expected = language_model(window=None)(text, mask=causal_mask(9, window=3))
    assert_close(language_model(window=given)(text), expected, rtol=0, atol=0)


@pytest.mark.parametrize("name", COURSE_ENCODINGS)
def test_a_window_longer_than_the_text_changes_nothing(name: str) -> None:
    text = tokens(7)
    assert torch.equal(language_model(name, 7)(text), language_model(name, None)(text))


def reach(model: DecoderOnly, length: int) -> int:
    """Return how many tokens back the last output depends on."""
    inputs = model.embedding(tokens(length, 1)).detach().requires_grad_()
    model.decoder(inputs)[:, -1].square().sum().backward()
    return length - int(inputs.grad.abs().sum(dim=-1)[0].nonzero()[0])


@pytest.mark.parametrize(("window", "n_layers"), [(3, 1), (3, 2), (3, 4), (2, 3)])
def test_each_layer_extends_the_reach_by_its_window(window: int, n_layers: int) -> None:
    assert reach(language_model("rotary", window, n_layers), 14) == n_layers * (window - 1) + 1
    for place in range(n_layers):
        one_full = [None if layer == place else window for layer in range(n_layers)]
        assert reach(language_model("rotary", one_full, n_layers), 14) == 14


REAL = torch.ones(3, 12, dtype=torch.bool)
REAL[1, 3:7], REAL[2, :2], REAL[2, 10:] = False, False, False


def test_padding_takes_no_place_in_a_window() -> None:
    model, text = language_model(), tokens(12)
    out = model(text, real=REAL)
    for row, alone, seen in zip(out, text, REAL, strict=True):
        assert_close(row[seen], model(alone[None, seen])[0], rtol=0, atol=1e-12)


def test_two_texts_packed_into_one_row() -> None:
    model, text, which = language_model(), tokens(11), torch.tensor([0] * 5 + [1] * 6)
    at = torch.cat((torch.arange(5), torch.arange(6)))
    out = model(text, positions=at, mask=which[:, None] == which)
    assert_close(out, torch.cat((model(text[:, :5]), model(text[:, 5:])), dim=1), rtol=0, atol=1e-12)


WAYS = ((1,) * 12, (12,), (5, 1, 1, 5), (1, 9, 2), (3, 3, 3, 3))


@pytest.mark.parametrize("lengths", WAYS, ids=str)
@pytest.mark.parametrize("padded", [False, True])
def test_in_pieces_with_a_cache(lengths: tuple[int, ...], padded: bool) -> None:
    model, text = language_model(), tokens(12)
    cache, parts = model.new_cache(), []
    for piece, real in zip(text.split(lengths, dim=1), REAL.split(lengths, dim=1), strict=True):
        parts.append(model(piece, cache=cache, real=real if padded else None))
    expected, seen = (model(text, real=REAL), REAL) if padded else (model(text), torch.ones_like(REAL))
    assert_close(torch.cat(parts, dim=1)[seen], expected[seen], rtol=0, atol=1e-12)
    assert cache.length == 12 and cache.positions is not None and cache.positions.shape[-1] == 12
    if not padded:
        assert cache.positions.tolist() == list(range(12))
        assert [layer.length for layer in cache.self_attention] == [3, 12, 4, 3]
        assert cache.self_attention[0].positions.tolist() == [9, 10, 11]


@given(
    windows=st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=2, max_size=2),
    lengths=st.lists(st.integers(1, 4), min_size=2, max_size=5),
    back=st.integers(0, 6),
    seed=st.integers(0, 99),
)
@settings(deadline=None, max_examples=40)
def test_a_text_continues_correctly_after_going_back(
    windows: list[int | None], lengths: list[int], back: int, seed: int
) -> None:
    """After going back, if that is possible, a text continues as it would have from there."""
    model = language_model(["rotary", "alibi"], windows, 2)
    torch.manual_seed(seed)
    text, real = tokens(sum(lengths), 2), torch.rand(2, sum(lengths)) > 0.3
    cache = model.new_cache()
    for piece, seen in zip(text.split(lengths, dim=1), real.split(lengths, dim=1), strict=True):
        model(piece, cache=cache, real=seen)
    left = max(cache.length - back, 0)
    try:
        cache.rewind(left)
    except BilingualValueError:
        assert any(layer.forgotten for layer in cache.self_attention) and back
        return
    more = tokens(3, 2)
    whole = torch.cat((text[:, :left], more), dim=1)
    seen = torch.cat((real[:, :left], torch.ones(2, 3, dtype=torch.bool)), dim=1)
    assert_close(model(more, cache=cache), model(whole, real=seen)[:, left:], rtol=0, atol=1e-12)


def test_gradients_flow_through_the_cache() -> None:
    model, text, gradients = language_model(), tokens(8), []
    cache = model.new_cache()
    in_pieces = torch.cat([model(piece, cache=cache) for piece in text.split(3, dim=1)], dim=1)
    for logits in (model(text), in_pieces):
        model.zero_grad()
        logits.square().sum().backward()
        gradients.append([p.grad.clone() for p in model.parameters() if p.grad is not None])
    for one, other in zip(*gradients, strict=True):
        assert_close(one, other, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("side", ["left", "right"])
def test_generating_with_and_without_cache_and_padding(side: str) -> None:
    model, text = language_model(), tokens(8, 1)
    padding = torch.zeros(1, 3, dtype=torch.long)
    padded = torch.cat((padding, text) if side == "left" else (text, padding), dim=1)
    real = torch.tensor([[False] * 3 + [True] * 8 if side == "left" else [True] * 8 + [False] * 3])
    expected = generate(model, text, 7, use_cache=False)[:, -7:]
    assert torch.equal(generate(model, text, 7)[:, -7:], expected)
    assert torch.equal(generate(model, padded, 7, real)[:, -7:], expected)


def test_a_translator_in_pieces() -> None:
    torch.manual_seed(0)
    model = with_random_weights(Seq2Seq(7, 9, WIDTH, HEADS, 2, ["rotary", "none"], window=[2, None]))
    source, target = torch.randint(7, (3, 6)), tokens(7)
    memory, cache = model.encode(source), model.new_cache()
    parts = [model.decode(piece, memory, cache=cache) for piece in target.split(2, dim=1)]
    assert_close(torch.cat(parts, dim=1), model(source, target), rtol=0, atol=1e-12)


def test_a_cache_goes_back_only_as_far_as_its_windows_allow() -> None:
    """The last w keys are kept, so one token earlier w − 1 keys are still there."""
    model, text = language_model(), tokens(10)
    cache = model.new_cache()
    model(text, cache=cache)
    for shorter in (8, 1):
        with pytest.raises(
            BilingualValueError, match=rf"length must be 0, or 9 to 10; got {shorter}.*forgotten"
        ):
            cache.rewind(shorter)
    assert cache.length == 10
    cache.rewind(9)
    assert_close(model(text[:, 9:], cache=cache), model(text)[:, 9:], rtol=0, atol=1e-12)
    cache.rewind(0)
    assert cache.length == 0 and cache.positions is None
    assert_close(model(text, cache=cache), model(text), rtol=0, atol=1e-12)
    short = model.new_cache()
    model(text[:, :3], cache=short)  # nothing is forgotten yet
    short.rewind(1)
    assert_close(model(text[:, 1:], cache=short), model(text)[:, 1:], rtol=0, atol=1e-12)


def test_a_call_that_fails_leaves_the_cache_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    model, text = language_model(), tokens(9)
    cache = model.new_cache()
    model(text[:, :6], cache=cache)
    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="broken"):
        patch.setattr(
            model.layers[2], "forward", lambda *_, **__: (_ for _ in ()).throw(RuntimeError("broken"))
        )
        model(text[:, 6:7], cache=cache)
    assert cache.length == 6
    assert_close(model(text[:, 6:], cache=cache), model(text)[:, 6:], rtol=0, atol=1e-12)


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


def test_another_model_s_cache_is_refused() -> None:
    cache = language_model().new_cache()
    with pytest.raises(BilingualValueError, match=r"4 layers with windows \[3, None, 4, 3\].* has 4 layers:"):
        language_model(window=None)(tokens(3), cache=cache)


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


def test_compiled_whole_for_any_length() -> None:
    model = language_model(["rotary", "none"], [3, None], 2)
    torch.compiler.reset()
    compiled = torch.compile(model, fullgraph=True, backend="eager")
    for length in (4, 6, 9, 2):
        text = tokens(length)
        assert_close(compiled(text), model(text), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("window", "real", "shortest"),
    [(1, [1, 1, 1, 1, 0, 0], 3), (2, [0, 0, 0, 0, 0, 1], 5), (2, [1] * 6, 5), (4, [1] * 6, 5)],
    ids=str,
)
def test_padding_does_not_limit_going_back(window: int, real: list[int], shortest: int) -> None:
    model, text = language_model(["rotary", "alibi"], [window, window], 2), tokens(6, 1)
    cache = model.new_cache()
    model(text, cache=cache, real=torch.tensor([real]).bool())
    with pytest.raises(BilingualValueError, match=rf"length must be 0, or {shortest} to 6"):
        cache.rewind(shortest - 1)
    cache.rewind(shortest)
    assert cache.length == shortest


def test_each_row_keeps_its_own_positions_when_keys_are_forgotten() -> None:
    model, text = language_model(["alibi", "alibi"], [2, 3], 2), tokens(8, 2)
    at = torch.stack((torch.arange(8), 5 + torch.arange(8)))
    cache = model.new_cache()
    pieces = zip(text.split(3, dim=1), at.split(3, dim=1), strict=True)
    in_pieces = torch.cat([model(piece, there, cache=cache) for piece, there in pieces], dim=1)
    assert_close(in_pieces, model(text, at), rtol=0, atol=1e-12)
    assert_close(cache.self_attention[0].positions, at[:, -2:])
