"""What attention refuses, each with a message in both languages that names what came and what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from posenc_lessons.encodings import LearnedEncoding, SinusoidalEncoding
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import MultiHeadAttention, causal_mask


def zeros(*shape: int) -> Tensor:
    return torch.zeros(shape)


def attend(*inputs: Tensor, **kwargs: Any) -> Callable[[], object]:
    return lambda: MultiHeadAttention(8, 2)(*inputs, **kwargs)


def hiding(*rows: tuple[int, ...], shape: tuple[int, ...]) -> Tensor:
    mask = torch.ones(shape, dtype=torch.bool)
    for row in rows:
        mask[row] = False
    return mask


X, Y = zeros(2, 3, 8), zeros(2, 5, 8)
BAD = {
    "heads": (lambda: MultiHeadAttention(8, 3), r"n_heads must divide .*=8, n_heads=3"),
    "no heads": (lambda: MultiHeadAttention(8, 0), r"n_heads .*got 0"),
    "width": (lambda: MultiHeadAttention(8.0, 2), r"d_model .*got 8.0"),
    "dropout": (lambda: MultiHeadAttention(8, 2, dropout=1.5), r"dropout .*got 1.5"),
    "a class": (
        lambda: MultiHeadAttention(8, 2, SinusoidalEncoding),
        r"encoding must be a PositionEncoding \(an object.*got SinusoidalEncoding",
    ),
    "a name": (lambda: MultiHeadAttention(8, 2, "rope"), r"encoding .*got str"),
    "no batch": (attend(zeros(3, 8)), r"query must have shape \[B, L, 8\].*got \[3, 8\]"),
    "tokens": (attend(zeros(2, 3)), r"query .*got \[2, 3\]"),
    "narrow": (attend(zeros(2, 3, 6)), r"query must have shape \[2, L, 8\].*got \[2, 3, 6\]"),
    "no queries": (attend(zeros(2, 0, 8)), r"query .*at least 1.*got \[2, 0, 8\]"),
    "no keys": (attend(X, zeros(2, 0, 8), zeros(2, 0, 8)), r"key .*at least 1.*got \[2, 0, 8\]"),
    "other batch": (attend(X, zeros(4, 5, 8), zeros(4, 5, 8)), r"key .*\[2, L, 8\].*got \[4, 5, 8\]"),
    "fewer values": (attend(X, Y, X), r"value must have shape \[2, 5, 8\].*got \[2, 3, 8\]"),
    "key alone": (attend(X, Y), r"key came without value"),
    "value alone": (attend(X, value=Y), r"value came without key"),
    "positions of no key": (attend(X, key_positions=torch.arange(3)), r"key_positions came"),
    "positions short": (
        attend(X, query_positions=torch.arange(2)),
        r"query_positions must have shape \[3\] or \[2, 3\].*got \[2\]",
    ),
    "key positions": (
        attend(X, Y, Y, key_positions=zeros(3, 5)),
        r"key_positions must have shape \[5\] or \[2, 5\].*got \[3, 5\]",
    ),
    "additive mask": (
        attend(X, mask=zeros(3, 3)),
        r"mask must be bool, True where.*got torch.float32.*mask == 0",
    ),
    "mask of 0 and 1": (attend(X, mask=zeros(3, 3).long()), r"mask .*int64.*mask != 0"),
    "mask shape": (
        attend(X, Y, Y, mask=causal_mask(3)),
        r"mask must be broadcastable.*\[2, 2, 3, 5\]; got \[3, 3\]",
    ),
    "mask of five axes": (attend(X, mask=hiding(shape=(1, 2, 2, 3, 3))), r"mask .*got \[1, 2, 2, 3"),
    "padding mask": (
        attend(X, Y, Y, mask=hiding(shape=(2, 5))),
        r"mask .*got \[2, 5\]. For \[B, Lk\] write mask\[:, None, None, :\]",
    ),
    "whose mask": (
        attend(X, mask=hiding(shape=(2, 3, 3))),
        r"mask \[2, 3, 3\] could be one per sequence or one per head",
    ),
    "hidden row": (
        attend(X, mask=hiding((1,), shape=(3, 3))),
        r"mask hides every key from query row 1 of batch 0",
    ),
    "hidden row of one sequence": (
        attend(X, mask=hiding((1, 0, 2), shape=(2, 1, 3, 3))),
        r"query row 2 of batch 1\b",
    ),
    "hidden row of one head": (
        attend(X, mask=hiding((1, 1, 0), shape=(2, 2, 3, 3)), need_weights=True),
        r"query row 0 of batch 1\b",
    ),
    "nothing but padding": (attend(X, mask=hiding((1,), shape=(2, 1, 1, 3))), r"query row 0 of batch 1\b"),
    "key elsewhere": (attend(X, Y.to("meta"), Y.to("meta")), r"key is on meta.* cpu"),
    "all elsewhere": (attend(X.to("meta")), r"query is on meta, the rest on cpu"),
    "float64": (attend(X.double()), r"query is torch.float64, the weights are torch.float32"),
    "whole numbers": (attend(X, Y.long(), Y.long()), r"key is torch.int64.*embedding first\)"),
    "mask elsewhere": (attend(X, mask=causal_mask(3, "meta")), r"mask is on meta.* cpu"),
    "positions elsewhere": (
        attend(X, query_positions=torch.arange(3, device="meta")),
        r"query_positions is on meta.*cpu",
    ),
    "no length": (lambda: causal_mask(0), r"length .*got 0"),
    "no such device": (lambda: causal_mask(3, "cuda:9"), r"'cuda:9' is not on this machine"),
    "encoding of another width": (
        lambda: MultiHeadAttention(8, 2, SinusoidalEncoding(6))(X),
        r"embeddings must have shape \[B, L, 6\]; got \[2, 3, 8\]",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_both_languages(case: str) -> None:
    call, message = BAD[case]
    with pytest.raises(BilingualValueError, match=message):
        call()


@pytest.mark.parametrize("need_weights", [False, True])
def test_a_learned_table_says_where_it_ends(need_weights: bool) -> None:
    attention = MultiHeadAttention(8, 2, LearnedEncoding(8, 4))
    attention(zeros(1, 4, 8), need_weights=need_weights)
    with pytest.raises(IndexError, match=r"(?s)position 4 is not in the table: max_len=4.*位置 4"):
        attention(zeros(1, 5, 8), need_weights=need_weights)
    with pytest.raises(IndexError, match="position 10 "):
        attention(zeros(1, 2, 8), query_positions=torch.tensor([10, 0]))
