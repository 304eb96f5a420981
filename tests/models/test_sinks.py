"""A learned sink takes a share of each row and adds nothing to the output; a cache can lose its middle."""

import pytest
import torch

from posenc_lessons.encodings import (
    ALiBi,
    ContextExtension,
    LearnedEncoding,
    PositionEncoding,
    QueryTemperature,
    RotaryEncoding,
    Together,
)
from posenc_lessons.encodings.doors import Role
from posenc_lessons.models import DecoderOnly, SinkAttention, forget_middle


def test_a_sink_is_a_key_with_score_b_and_value_zero() -> None:
    torch.manual_seed(0)
    attention = SinkAttention(8, 2).eval()
    attention.sink.data.copy_(torch.tensor([0.7, -1.0]))
    x = torch.randn(1, 4, 8)
    out, weights = attention(x, need_weights=True)
    query, key = (
        part(x).unflatten(-1, (2, 4)).transpose(1, 2) for part in (attention.w_query, attention.w_key)
    )
    scores = (query @ key.transpose(-2, -1) / 2).exp()  # [1, 2, 4, 4]
    beside = attention.sink.exp()[:, None, None] + scores.sum(dim=-1, keepdim=True)
    torch.testing.assert_close(weights, scores / beside)
    torch.testing.assert_close(out, attention(x))


def model_with(encoding: object) -> DecoderOnly:
    torch.manual_seed(0)
    return DecoderOnly(9, 8, 2, 1, encoding, max_len=32).eval()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "encoding",
    [
        *("none", "alibi", "t5", "shaw", "cope", "rotary"),
        QueryTemperature(1.0, 2),
        Together(RotaryEncoding(4), ALiBi(2)),
        RotaryEncoding(4, extension=ContextExtension("linear", 4, 16)),
    ],
    ids=str,
)
@torch.no_grad()
def test_keys_get_new_positions_if_their_rotations_add_up(encoding: object) -> None:
    """With one layer, keys and values do not depend on earlier tokens."""
    model = model_with(encoding)
    tokens = torch.randint(9, (2, 12))
    cache, fresh = model.new_cache(), model.new_cache()
    model(tokens, cache=cache)
    forget_middle(model, cache, first=2, latest=5)
    model(torch.cat((tokens[:, :2], tokens[:, 7:]), dim=1), cache=fresh)
    assert cache.length == 7 and cache.positions is not None and cache.positions.tolist() == list(range(7))
    new = torch.tensor([[3], [4]])
    torch.testing.assert_close(model(new, cache=cache), model(new, cache=fresh))


LEFT, MIDDLE = torch.ones(2, 15, dtype=torch.bool), torch.ones(2, 15, dtype=torch.bool)
LEFT[0, :3], MIDDLE[1, 5:7] = False, False


@pytest.mark.parametrize("real", [LEFT, MIDDLE], ids=["left", "middle"])
@pytest.mark.parametrize(("first", "renumber"), [(0, False), (4, True), (4, False)])
@torch.no_grad()
def test_with_padding_the_next_token_follows_the_last_real_one(
    real: torch.Tensor, first: int, renumber: bool
) -> None:
    model = model_with(RotaryEncoding(4))
    cache = model.new_cache()
    model(torch.randint(9, (2, 15)), cache=cache, real=real)
    forget_middle(model, cache, first, 6, renumber)
    assert cache.positions is not None
    last = cache.positions[:, -1].tolist()
    model(torch.tensor([[3], [3]]), cache=cache)
    assert cache.positions[:, -1].tolist() == [one + 1 for one in last]
    assert renumber or last == (real.sum(dim=-1) - 1).tolist()


class Stretched(PositionEncoding):
    """Multiplies keys by their positions."""

    def turn(self, x: torch.Tensor, positions: torch.Tensor, role: Role = "query") -> torch.Tensor:
        return x * positions[:, None] if role == "key" else x


@pytest.mark.parametrize(
    "encoding",
    [
        "learned",
        RotaryEncoding(4, extension=ContextExtension("yarn", 4, 16)),
        Together(LearnedEncoding(8, 32), ALiBi(2)),
        Stretched(),
    ],
    ids=["door 1", "yarn", "door 1 beside another", "another use of door 2"],
)
@torch.no_grad()
def test_keys_that_cannot_be_rotated_further_are_refused(encoding: object) -> None:
    model = model_with(encoding)
    cache = model.new_cache()
    model(torch.randint(9, (1, 8)), cache=cache)
    with pytest.raises(ValueError, match=r"cannot be re-rotated to new positions"):
        forget_middle(model, cache, first=1, latest=3)
