"""A forgotten middle leaves keys turned by their new positions, and refuses what cannot be turned."""

from __future__ import annotations

import pytest
import torch

from posenc_lessons.encodings import ContextExtension, RotaryEncoding
from posenc_lessons.models import DecoderOnly
from posenc_lessons.models.streaming import forget_middle


def model_with(encoding: object) -> DecoderOnly:
    torch.manual_seed(0)
    return DecoderOnly(9, 8, 2, 1, encoding, max_len=32).eval()  # type: ignore[arg-type]


@torch.no_grad()
def test_what_is_kept_is_what_the_kept_tokens_alone_would_leave() -> None:
    """With one layer, keys and values know nothing of the tokens before."""
    model = model_with(RotaryEncoding(4))
    tokens = torch.randint(9, (2, 12))
    cache = model.new_cache()
    model(tokens, cache=cache)
    forget_middle(model.layers, cache, first=2, latest=5)
    fresh = model.new_cache()
    model(torch.cat((tokens[:, :2], tokens[:, 7:]), dim=1), cache=fresh)
    assert cache.length == 7 and cache.positions is not None and cache.positions.tolist() == list(range(7))
    torch.testing.assert_close(cache.self_attention[0].keys, fresh.self_attention[0].keys)
    new = torch.tensor([[3], [4]])
    torch.testing.assert_close(model(new, cache=cache), model(new, cache=fresh))


@torch.no_grad()
def test_without_new_numbers_positions_go_on() -> None:
    model = model_with(RotaryEncoding(4))
    cache = model.new_cache()
    model(torch.randint(9, (1, 8)), cache=cache)
    forget_middle(model.layers, cache, first=1, latest=3, renumber=False)
    model(torch.tensor([[1]]), cache=cache)
    assert cache.positions is not None and cache.positions.tolist() == [0, 5, 6, 7, 8]


@torch.no_grad()
def test_a_short_cache_stays_as_it_is() -> None:
    model = model_with(RotaryEncoding(4))
    cache = model.new_cache()
    forget_middle(model.layers, cache, first=1, latest=3)
    model(torch.randint(9, (1, 4)), cache=cache)
    forget_middle(model.layers, cache, first=1, latest=3)
    assert cache.length == 4


@pytest.mark.parametrize(
    "encoding",
    ["learned", RotaryEncoding(4, extension=ContextExtension("yarn", 4, 16))],
    ids=["door 1", "yarn"],
)
@torch.no_grad()
def test_keys_that_cannot_be_turned_further_are_refused(encoding: object) -> None:
    model = model_with(encoding)
    cache = model.new_cache()
    model(torch.randint(9, (1, 8)), cache=cache)
    with pytest.raises(ValueError, match=r"cannot be brought to new positions"):
        forget_middle(model.layers, cache, first=1, latest=3)
