"""xPos: the score of two tokens depends on their distance only, and fades with it."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from posenc_lessons.encodings import Pairing, RotaryEncoding, XPos, convert_pairing, rotary_frequencies
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import DecoderOnly, forget_middle
from tests.models.random_weights import with_random_weights

GAMMA, SCALE_BASE = 0.4, 8.0


def test_scores_depend_only_on_the_distance_and_fade_with_it() -> None:
    torch.manual_seed(0)
    encoding, q, k = XPos(8, scale_base=SCALE_BASE), *torch.randn(2, 1, 1, 1, 8).double()

    def score(m: int, n: int) -> float:
        at_m, at_n = torch.tensor([m]), torch.tensor([n])
        return (encoding.turn(q, at_m, "query") * encoding.turn(k, at_n, "key")).sum().item()

    decay = (torch.arange(0, 8, 2).double() / 8 + GAMMA) / (1 + GAMMA)
    q_pairs, k_pairs = (torch.view_as_complex(x.view(4, 2)) for x in (q, k))
    for distance in (0, 1, 7, 30):
        fading = torch.polar(decay ** (distance / SCALE_BASE), distance * rotary_frequencies(8))
        expected = (q_pairs * k_pairs.conj() * fading).real.sum().item()
        for n in (0, 5, 200):
            assert score(n + distance, n) == pytest.approx(expected, rel=1e-6)


def test_both_pairings_give_the_same_scores() -> None:
    torch.manual_seed(0)
    weight, x = torch.randn(2 * 8, 12).double(), torch.randn(1, 5, 12).double()
    at, scores = torch.arange(5) * 7, []
    for pairing in ("interleaved", "half_split"):
        turned = weight if pairing == "interleaved" else convert_pairing(weight, 2, to="half_split")
        heads = (x @ turned.T).unflatten(-1, (2, 8)).transpose(1, 2)
        encoding = XPos(8, pairing=pairing)
        scores.append(encoding.turn(heads, at) @ encoding.turn(heads, at, "key").mT)
    assert_close(*scores, rtol=0, atol=1e-12)


@pytest.mark.parametrize("pairing", ["interleaved", "half_split"])
def test_features_beyond_rotary_dim_and_position_0_stay(pairing: Pairing) -> None:
    x = torch.randn(2, 3, 4, 10).double()
    got = XPos(10, 100.0, pairing, 6).turn(x, torch.arange(4))
    assert torch.equal(got[..., 6:], x[..., 6:]) and torch.equal(got[:, :, 0], x[:, :, 0])
    slow = XPos(10, 100.0, pairing, 6, scale_base=1e12).turn(x, torch.arange(4))
    assert_close(slow, RotaryEncoding(10, 100.0, pairing, 6).turn(x, torch.arange(4)), rtol=0, atol=1e-10)


def test_half_precision_is_rounded_once() -> None:
    x, at = torch.randn(1, 2, 6, 8).bfloat16(), torch.arange(6) + 300
    for role in ("query", "key"):
        expected = XPos(8).turn(x.double(), at, role).bfloat16()
        assert_close(XPos(8).turn(x, at, role), expected, rtol=2**-8, atol=1e-6)


def test_a_text_beyond_the_range_of_numbers_is_refused() -> None:
    x, far = torch.ones(1, 1, 1, 8), torch.tensor([36300])
    assert XPos(8).turn(x, torch.tensor([36000]), "key").isfinite().all()
    with pytest.raises(BilingualValueError, match=r"float32 up to position 36\d\d\d; got 36300.*scale_base"):
        XPos(8).turn(x, far)
    with pytest.raises(BilingualValueError, match=r"float16 up to position 45\d\d; got 36300"):
        XPos(8).turn(x.half(), far)
    assert XPos(8).turn(x.double(), far, "key").isfinite().all()
    assert XPos(8, scale_base=1024.0).turn(x, far, "key").isfinite().all()


def test_the_middle_of_a_text_is_forgotten() -> None:
    """Factors multiply as angles add, so a cached key can move to another position."""
    torch.manual_seed(0)
    model = with_random_weights(DecoderOnly(9, 8, 2, 1, XPos(4, scale_base=30.0)))
    text = torch.randint(9, (2, 9))
    cache, fresh = model.new_cache(), model.new_cache()
    model(text, cache=cache)
    forget_middle(model, cache, first=1, latest=4)
    model(torch.cat((text[:, :1], text[:, 5:]), dim=1), cache=fresh)
    assert_close(cache.self_attention[0].keys, fresh.self_attention[0].keys, rtol=0, atol=1e-12)


def test_in_pieces_with_a_cache_and_packed() -> None:
    torch.manual_seed(0)
    model = with_random_weights(DecoderOnly(9, 8, 2, 2, XPos(4, scale_base=30.0)))
    text, cache = torch.randint(9, (2, 9)), model.new_cache()
    parts = [model(piece, cache=cache) for piece in text.split(4, dim=1)]
    assert_close(torch.cat(parts, dim=1), model(text), rtol=0, atol=1e-12)
    which, at = torch.tensor([0] * 4 + [1] * 5), torch.cat((torch.arange(4), torch.arange(5)))
    packed = model(text, positions=at, mask=which[:, None] == which)
    apart = torch.cat((model(text[:, :4]), model(text[:, 4:])), dim=1)
    assert_close(packed, apart, rtol=0, atol=1e-12)
