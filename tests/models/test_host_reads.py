"""How often a forward waits for the device to read numbers: at most twice, for any number of layers."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from posenc_lessons.models import COURSE_ENCODINGS, DecoderOnly
from tests.encodings.host_reads import reads

LAYERS, MOST = 4, 2


def language_model(name: str) -> DecoderOnly:
    torch.manual_seed(0)
    return DecoderOnly(9, 16, 2, LAYERS, name, max_len=32).eval()


def tokens(length: int) -> Tensor:
    return torch.randint(9, (2, length))


def test_reads_are_seen() -> None:
    x = torch.arange(4)
    with reads() as recorded:
        x.tolist(), x.max().item(), int(x[0]), bool(x.any()), torch.equal(x, x), x[x > 1]
        x + x, x[1:], x.cumsum(0)
    assert sum(recorded.values()) == 6


REAL = torch.ones(2, 8, dtype=torch.bool)
REAL[0, :3] = False
PACKED = {
    "positions": torch.tensor([0, 1, 2, 3, 0, 1, 2, 3]),
    "mask": torch.arange(8)[:, None] // 4 == torch.arange(8) // 4,
}
WAYS: dict[str, dict[str, Tensor]] = {"plain": {}, "padded": {"real": REAL}, "packed": PACKED}


@pytest.mark.parametrize("name", COURSE_ENCODINGS)
@pytest.mark.parametrize("way", WAYS)
def test_a_forward_reads_at_most_twice(name: str, way: str) -> None:
    model, text = language_model(name), tokens(8)
    with reads() as recorded:
        model(text, **WAYS[way])
    assert sum(recorded.values()) <= MOST, recorded


@pytest.mark.parametrize("name", COURSE_ENCODINGS)
@pytest.mark.parametrize("real", [None, REAL], ids=["plain", "padded"])
def test_a_decoded_token_reads_at_most_twice(name: str, real: Tensor | None) -> None:
    model, cache = language_model(name), language_model(name).new_cache()
    with torch.no_grad():
        model(tokens(8), cache=cache, real=real)
    for _ in range(3):
        with reads() as recorded:
            model(tokens(1), cache=cache)
        assert sum(recorded.values()) <= MOST, recorded
