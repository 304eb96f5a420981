"""Attention by its definition, alone and with every encoding of distances."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    ALiBi,
    PositionEncoding,
    RotaryEncoding,
    ShawRelative,
    T5RelativeBias,
    alibi_slopes,
    apply_rotary,
    t5_buckets,
)
from posenc_lessons.models import MultiHeadAttention

HEADS, WIDTH = 3, 8  # of each head
D_MODEL = HEADS * WIDTH
ENCODINGS: dict[str, Callable[[], PositionEncoding]] = {
    "none": PositionEncoding,
    "rotary, interleaved": lambda: RotaryEncoding(WIDTH),
    "rotary, half-split, in part": lambda: RotaryEncoding(WIDTH, 500.0, "half_split", rotary_dim=6),
    "Shaw": lambda: ShawRelative(WIDTH, max_distance=3),
    "Shaw, keys only": lambda: ShawRelative(WIDTH, max_distance=3, values=False),
    "Shaw, values only": lambda: ShawRelative(WIDTH, max_distance=3, keys=False),
    "T5": lambda: T5RelativeBias(HEADS, n_buckets=8, max_distance=20, std=1.0),
    "T5, one way": lambda: T5RelativeBias(HEADS, n_buckets=8, max_distance=20, bidirectional=False, std=1.0),
    "ALiBi": lambda: ALiBi(HEADS),
    "ALiBi, signed": lambda: ALiBi(HEADS, signed=True),
}
every_encoding = pytest.mark.parametrize("name", ENCODINGS)


def attention_with(name: str) -> MultiHeadAttention:
    torch.manual_seed(0)
    return MultiHeadAttention(D_MODEL, HEADS, ENCODINGS[name]()).double().eval()


def tokens(length: int, batch: int = 2) -> Tensor:
    return torch.randn(batch, length, D_MODEL).double()


def one_head(
    encoding: PositionEncoding, head: int, q: Tensor, k: Tensor, v: Tensor, m: Tensor, n: Tensor, see: Tensor
) -> tuple[Tensor, Tensor]:
    """Compute one head of one sequence by definition: output [Lq, d_head] and weights [Lq, Lk]."""
    out, shares = [], []
    for i in range(len(q)):
        scores, values = [], []
        for j in range(len(k)):
            distance = int(n[j] - m[i])
            query, key, value, bias = q[i], k[j], v[j], 0.0
            if isinstance(encoding, RotaryEncoding):
                kind = (encoding.base, encoding.pairing, encoding.rotary_dim)
                query, key = (
                    apply_rotary(x[None], at[None], *kind)[0] for x, at in ((query, m[i]), (key, n[j]))
                )
            elif isinstance(encoding, ShawRelative):
                row = (
                    max(-encoding.max_distance, min(distance, encoding.max_distance)) + encoding.max_distance
                )
                key = key if encoding.key_table is None else key + encoding.key_table[row]
                value = value if encoding.value_table is None else value + encoding.value_table[row]
            elif isinstance(encoding, T5RelativeBias):
                kinds = (encoding.n_buckets, encoding.max_distance, encoding.bidirectional)
                bias = encoding.table[t5_buckets(torch.tensor(distance), *kinds), head]
            elif isinstance(encoding, ALiBi):
                bias = alibi_slopes(HEADS)[head] * (distance if encoding.signed else -abs(distance))
            score = query @ key / math.sqrt(WIDTH) + bias
            scores.append(score if see[i, j] else torch.tensor(-math.inf).double())
            values.append(value)
        weights = torch.stack(scores).softmax(dim=0)
        shares.append(weights)
        out.append(weights @ torch.stack(values))
    return torch.stack(out), torch.stack(shares)


@every_encoding
def test_attention_across_two_sequences_follows_its_definition(name: str) -> None:
    layer = attention_with(name)
    x, y, z = tokens(4), tokens(6), tokens(6)
    at_x, at_y = torch.tensor([3, 4, 9, 100]), torch.tensor([[0, 1, 2, 3, 4, 5], [103, 9, 9, 1, 0, 40]])
    mask = torch.rand(2, HEADS, 4, 6) < 0.6
    mask[..., 0] = True
    where = {"mask": mask, "query_positions": at_x, "key_positions": at_y}
    out, weights = layer(x, y, z, **where, need_weights=True)
    split = {
        which: projection(tokens).unflatten(-1, (HEADS, WIDTH)).transpose(1, 2)
        for which, projection, tokens in (
            ("q", layer.w_query, x),
            ("k", layer.w_key, y),
            ("v", layer.w_value, z),
        )
    }
    for b in range(2):
        parts = []
        for h in range(HEADS):
            ours = (split[which][b, h] for which in "qkv")
            part, shares = one_head(layer.encoding, h, *ours, at_x, at_y[b], mask[b, h])
            assert_close(weights[b, h], shares, rtol=0, atol=1e-13)
            parts.append(part)
        assert_close(out[b], layer.w_out(torch.cat(parts, dim=-1)), rtol=0, atol=1e-13)
    assert_close(layer(x, y, z, **where), out, rtol=0, atol=1e-13)
