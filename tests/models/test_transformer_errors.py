"""What the Transformer refuses, each with a message in both languages that names what came and what may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from posenc_lessons.encodings import ALiBi, RotaryEncoding
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import (
    DecoderOnly,
    EncoderLayer,
    FeedForward,
    Seq2Seq,
    TokenEmbedding,
    TransformerDecoder,
    TransformerEncoder,
)

TEXT, X = torch.zeros(2, 5, dtype=torch.long), torch.zeros(2, 5, 8)
REAL = torch.ones(2, 5, dtype=torch.bool)


def model(*arguments: Any, **rest: Any) -> Callable[[], object]:
    return lambda: DecoderOnly(9, 8, 2, 1)(*arguments, **rest)


def both(*arguments: Any, **rest: Any) -> Callable[[], object]:
    return lambda: Seq2Seq(7, 9, 8, 2, 1)(*arguments, **rest)


def encoder(*arguments: Any) -> Callable[[], object]:
    return lambda: TransformerEncoder(8, 2, 1)(*arguments)


def decoder(*arguments: Any, cross_attention: bool = True, **rest: Any) -> Callable[[], object]:
    return lambda: TransformerDecoder(8, 2, 1, cross_attention=cross_attention)(*arguments, **rest)


def with_encoding(encoding: Any) -> Callable[[], object]:
    return lambda: TransformerEncoder(8, 2, 1, encoding)(X)


BAD: dict[str, tuple[Callable[[], object], str]] = {
    "name": (with_encoding("RoPE"), r"encoding must be one of 'none', .*got 'RoPE'"),
    "nothing": (with_encoding(None), r"encoding must be .*got None"),
    "a class": (with_encoding(ALiBi), r"encoding must be .*ALiBi"),
    "other heads": (with_encoding(RotaryEncoding(6)), r"d_head is 6 here, but the heads have 4"),
    "no layers": (lambda: TransformerEncoder(8, 2, 0), r"n_layers .*got 0"),
    "heads": (lambda: DecoderOnly(9, 8, 3, 1), r"n_heads must divide d_model.*=8, n_heads=3"),
    "width": (lambda: DecoderOnly(9, 8.5, 2, 1), r"d_model .*got 8.5"),
    "no words": (lambda: DecoderOnly(0, 8, 2, 1), r"vocab_size .*got 0"),
    "no answers": (lambda: DecoderOnly(9, 8, 2, 1, n_answers=0), r"n_answers .*got 0"),
    "no source": (lambda: Seq2Seq(0, 9, 8, 2, 1), r"vocab_size .*got 0"),
    "max_len": (lambda: DecoderOnly(9, 8, 2, 1, max_len=0), r"max_len .*got 0"),
    "feed": (lambda: FeedForward(8, 0), r"d_feed .*got 0"),
    "dropout": (lambda: EncoderLayer(8, 2, dropout=1), r"dropout .*got 1"),
    "dropout below": (lambda: DecoderOnly(9, 8, 2, 1, dropout=-0.1), r"dropout .*got -0.1"),
    "dropout of a part": (lambda: FeedForward(8, 8, dropout=2.0), r"dropout .*got 2.0"),
    "no batch": (model(TEXT[0]), r"tokens must be whole numbers of shape \[B, L\].*int64 \[5\]"),
    "no length": (model(TEXT[:, :0]), r"tokens .*at least 1; got torch.int64 \[2, 0\]"),
    "vectors": (model(X), r"tokens must be whole .*float32 \[2, 5, 8\]"),
    "yes and no": (model(REAL), r"tokens must be whole .*torch.bool \[2, 5\]"),
    "elsewhere": (model(TEXT.to("meta")), r"tokens is on meta, the rest on cpu"),
    "real of numbers": (model(TEXT, real=TEXT), r"real must be bool of shape \[2, 5\].*int64"),
    "real of another shape": (
        model(TEXT, real=REAL[:, :4]),
        r"real must be .*\[2, 5\].*got torch.bool \[2, 4\]",
    ),
    "real as a list": (model(TEXT, real=[True]), r"real must be bool.*got list"),
    "real elsewhere": (model(TEXT, real=REAL.to("meta")), r"real is on meta"),
    "source_real": (both(TEXT, TEXT, REAL[:1]), r"real must be .*\[2, 5\].*got torch.bool \[1, 5\]"),
    "other sources": (both(TEXT[:1], TEXT), r"key must have shape \[2, L, 8\].*got \[1, 5, 8\]"),
    "no vectors": (encoder(TEXT), r"embeddings must have shape \[B, L, 8\].*got \[2, 5\]"),
    "narrow": (encoder(X[..., :6]), r"embeddings must have shape \[B, L, 8\].*got \[2, 5, 6\]"),
    "no positions": (encoder(X[:, :0]), r"embeddings .*at least 1.*got \[2, 0, 8\]"),
    "no memory": (decoder(X), r"memory must be given"),
    "a memory": (decoder(X, X, cross_attention=False), r"memory was given, but "),
    "a memory's padding": (decoder(X, memory_real=REAL, cross_attention=False), r"memory was given, but "),
    "memory_real": (decoder(X, X, memory_real=REAL[:, :2]), r"memory_real must be .*\[2, 5\]"),
    "narrow memory": (decoder(X, X[..., :6]), r"key must have shape \[2, L, 8\].*got \[2, 5, 6\]"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_both_languages(case: str) -> None:
    call, message = BAD[case]
    with pytest.raises(BilingualValueError, match=message):
        call()


@pytest.mark.parametrize("outside", [9, -1, 10**9])
def test_a_token_outside_the_vocabulary(outside: int) -> None:
    text = TEXT.clone()
    text[1, 3] = outside
    message = rf"tokens must be 0 to 8, for a vocabulary of 9; got {outside}"
    with pytest.raises(IndexError, match=message):
        DecoderOnly(9, 8, 2, 1)(text)
    message = rf"target must be 0 to 8, for a vocabulary of 9; got {outside}"
    with pytest.raises(IndexError, match=message):
        Seq2Seq(7, 9, 8, 2, 1)(TEXT, text)


def test_a_sequence_beyond_a_learned_table() -> None:
    with pytest.raises(IndexError, match=r"(?s)position 4 is not in the table: max_len=4.*位置 4"):
        DecoderOnly(9, 8, 2, 1, "learned", max_len=4)(TEXT)


def test_whole_numbers_of_any_size_are_tokens() -> None:
    reader = TokenEmbedding(9, 8)
    for kind in (torch.int32, torch.uint8, torch.int16):
        assert torch.equal(reader(TEXT.to(kind)), reader(TEXT))


def test_an_empty_batch_comes_back_empty() -> None:
    assert DecoderOnly(9, 8, 2, 1)(TEXT[:0]).shape == (0, 5, 9)
