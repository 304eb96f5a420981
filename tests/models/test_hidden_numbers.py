"""Numbers that cannot be read, on the meta device, and how seldom those that can are read."""

import pytest
import torch
from torch import Tensor

from posenc_lessons.models import COURSE_ENCODINGS, DecoderOnly
from tests.encodings.host_reads import reads

every_encoding = pytest.mark.parametrize("name", COURSE_ENCODINGS)


def model(name: str) -> DecoderOnly:
    torch.manual_seed(0)
    return DecoderOnly(11, 24, 3, 4, name, max_len=32).eval()


def shapes(name: str) -> list[torch.Size]:
    """Run a model plain, padded, at given positions, with a cache, and on from positions that were given."""
    network = model(name)
    text, real = torch.zeros(2, 5, dtype=torch.long), torch.ones(2, 5, dtype=torch.bool)
    fractions = torch.arange(5.0) if name in ("sinusoidal", "rotary", "alibi", "cope") else torch.arange(5)
    cache = network.new_cache()
    outputs = [network(text), network(text, real=real), network(text, positions=fractions)]
    outputs += [network(text, cache=cache, real=real), network(text[:, :1], cache=cache)]
    outputs[0].sum().backward()
    cache = network.new_cache()
    network(text, positions=torch.arange(5), cache=cache)
    outputs.append(network(text[:, :1], cache=cache))
    return [output.shape for output in outputs]


@every_encoding
def test_shapes_are_known_without_numbers(name: str) -> None:
    with torch.device("meta"):
        actual = shapes(name)
    assert actual == [torch.Size([2, 5, 11])] * 4 + [torch.Size([2, 1, 11])] * 2


REAL = torch.ones(2, 8, dtype=torch.bool)
REAL[0, :3] = False
PACKED = {
    "positions": torch.tensor([0, 1, 2, 3, 0, 1, 2, 3]),
    "mask": torch.arange(8)[:, None] // 4 == torch.arange(8) // 4,
}


@every_encoding
@pytest.mark.parametrize("way", [{}, {"real": REAL}, PACKED], ids=["plain", "padded", "packed"])
def test_a_forward_and_a_decoded_token_read_at_most_twice(name: str, way: dict[str, Tensor]) -> None:
    network = model(name)
    cache = network.new_cache()
    with reads() as of_the_text:
        network(torch.randint(11, (2, 8)), cache=cache, **way)
    assert sum(of_the_text.values()) <= 2, of_the_text
    for _ in range(3 if way is not PACKED else 0):
        with reads() as of_a_token:
            network(torch.randint(11, (2, 1)), cache=cache)
        assert sum(of_a_token.values()) <= 2, of_a_token
