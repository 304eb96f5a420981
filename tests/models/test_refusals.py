"""What attention, models, caches and decoding refuse; each message names the argument and what came."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from posenc_lessons.encodings import RotaryEncoding, SinusoidalEncoding
from posenc_lessons.language import BilingualIndexError
from posenc_lessons.models import (
    DecoderOnly,
    MultiHeadAttention,
    Seq2Seq,
    TransformerDecoder,
    TransformerEncoder,
    causal_mask,
    encoding_named,
    forget_middle,
    generate,
    translate,
)
from tests.support.refusals import Refused, assert_refused

X, Y = torch.zeros(2, 3, 8), torch.zeros(2, 5, 8)
TEXT, REAL = torch.zeros(2, 5, dtype=torch.long), torch.ones(2, 5, dtype=torch.bool)
AT = torch.arange(3)


def attend(*inputs: Tensor, **kwargs: Any) -> Callable[[], Any]:
    return lambda: MultiHeadAttention(8, 2)(*inputs, **kwargs)


def hiding(*rows: tuple[int, ...], shape: tuple[int, ...]) -> Tensor:
    mask = torch.ones(shape, dtype=torch.bool)
    for row in rows:
        mask[row] = False
    return mask


def model(*arguments: Any, **rest: Any) -> Callable[[], Any]:
    return lambda: DecoderOnly(9, 8, 2, 1)(*arguments, **rest)


def both(*arguments: Any, **rest: Any) -> Callable[[], Any]:
    return lambda: Seq2Seq(7, 9, 8, 2, 1)(*arguments, **rest)


def encoder(*arguments: Any, encoding: Any = "none") -> Callable[[], Any]:
    return lambda: TransformerEncoder(8, 2, 1, encoding)(*arguments)


def decoder(*arguments: Any, cross_attention: bool = True, **rest: Any) -> Callable[[], Any]:
    return lambda: TransformerDecoder(8, 2, 1, cross_attention=cross_attention)(*arguments, **rest)


def written(*arguments: Any) -> Callable[[], Any]:
    return lambda: translate(Seq2Seq(7, 9, 8, 2, 1), *arguments)


def after(tokens: Tensor, then: Callable[[DecoderOnly, Any], Any]) -> Callable[[], Any]:
    """Return a call of ``then`` with a model and a cache that has read ``tokens``."""

    def call() -> Any:
        model = DecoderOnly(9, 8, 2, 2)
        cache = model.new_cache()
        model(tokens, cache=cache)
        return then(model, cache)

    return call


def with_two_memories() -> None:
    model, memory = Seq2Seq(7, 9, 8, 2, 1), torch.zeros(2, 5, 8)
    cache = model.new_cache()
    for other in (memory, memory + 1):
        model.decode(TEXT[:, :1], other, cache=cache)


ATTENTION: list[Refused] = [
    (lambda: MultiHeadAttention(8, 3), r"n_heads must divide .*=8, n_heads=3"),
    (lambda: MultiHeadAttention(8, 2, dropout=1.5), r"dropout .*got 1.5"),
    (
        lambda: MultiHeadAttention(8, 2, SinusoidalEncoding),
        r"encoding must be a PositionEncoding \(an object.*got SinusoidalEncoding",
    ),
    (attend(torch.zeros(3, 8)), r"query must have shape \[B, L, 8\].*got \[3, 8\]"),
    (attend(torch.zeros(2, 3, 6)), r"query must have shape \[2, L, 8\].*got \[2, 3, 6\]"),
    (attend(X, Y, X), r"value must have shape \[2, 5, 8\].*got \[2, 3, 8\]"),
    (attend(X, Y), r"give both key and value, or neither"),
    (attend(X, key_positions=torch.arange(3)), r"give both key and value, or neither"),
    (attend(X, query_positions=torch.arange(2)), r"query_positions must have shape \[3\] or \[2, 3\]"),
    (attend(X, Y, Y, key_positions=torch.zeros(3, 5)), r"key_positions must have shape \[5\] or \[2, 5\]"),
    (attend(X, mask=torch.zeros(3, 3)), r"mask must be bool, True where.*got torch.float32.*mask == 0"),
    (attend(X, Y, Y, mask=causal_mask(3)), r"mask must be broadcastable.*\[2, 2, 3, 5\]; got \[3, 3\]"),
    (attend(X, mask=hiding(shape=(2, 3, 3))), r"mask \[2, 3, 3\] could be one per sequence or one per head"),
    (attend(X, mask=hiding((1, 0, 2), shape=(2, 1, 3, 3))), r"mask hides .* query row 2 of batch 1\b"),
]
MODELS: list[Refused] = [
    (encoder(Y, encoding=RotaryEncoding(6)), r"d_head is 6 here, but the heads have 4"),
    *(
        (model(TEXT.to(kind)), r"tokens must be whole")
        for kind in (torch.float32, torch.complex64, torch.bool)
    ),
    (model(TEXT[0]), r"tokens must be whole numbers of shape \[B, L\].*int64 \[5\]"),
    (model(TEXT, real=TEXT), r"real must be bool of shape \[2, 5\].*int64"),
    (both(TEXT, TEXT, REAL[:1]), r"real must be .*\[2, 5\].*got torch.bool \[1, 5\]"),
    (encoder(TEXT), r"embeddings must have shape \[B, L, 8\].*got \[2, 5\]"),
    (decoder(Y), r"with cross-attention needs memory"),
    (decoder(Y, Y, cross_attention=False), r"one without takes none"),
    (model(TEXT, mask=causal_mask(3)), r"mask must be broadcastable to .*\[2, 2, 5, 5\]; got \[3, 3\]"),
]
NAMES: list[Refused] = [
    (lambda: encoding_named("rope", 24, 3, 10), r"encoding must be one of 'none', .*got 'rope'"),
    (lambda: encoding_named("none", 24, 3, 0), r"max_len .*got 0"),
]
NEXT = TEXT[:, :1]
CACHES: list[Refused] = [
    (
        after(TEXT, lambda model, cache: model(NEXT[:1], cache=cache)),
        r"the cache holds a batch of 2, and these tokens are a batch of 1",
    ),
    (
        after(TEXT, lambda model, cache: DecoderOnly(9, 8, 2, 1)(NEXT, cache=cache)),
        r"windows of the cache's layers are \[None, None\], and this model's \[None\]",
    ),
    (after(TEXT, lambda model, cache: forget_middle(model, cache, -1, 1)), r"first .*0 or more; got -1"),
    (after(TEXT, lambda model, cache: forget_middle(model, cache, 0, 0)), r"latest .*1 or more; got 0"),
    (with_two_memories, r"the cache was begun with another memory, .* \[2, 5, 8\]; this one is \[2, 5, 8\]"),
]
DECODING: list[Refused] = [
    (lambda: generate(DecoderOnly(9, 8, 2, 1), TEXT, 0), r"n_new .*got 0"),
    (written(TEXT, 1, 0, 0), r"max_len .*got 0"),
]


@pytest.mark.parametrize(("call", "message"), ATTENTION + MODELS + NAMES + CACHES + DECODING)
def test_a_refusal_names_the_argument_and_what_came(call: Callable[[], Any], message: str) -> None:
    assert_refused(call, message)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *(
            (model(TEXT + n), rf"tokens must be 0 to 8, for a vocabulary of 9; got {n}")
            for n in (9, -1, 10**9)
        ),
        (model(torch.tensor([[0, 9]])), r"got 9"),
        (model(torch.tensor([[-1, 3]])), r"got -1"),
        (both(TEXT, TEXT + 9), r"target must be 0 to 8, for a vocabulary of 9; got 9"),
        (written(TEXT + 7, 1, 0, 5), r"source must be 0 to 6, for a vocabulary of 7; got 7"),
        (written(TEXT, 9, 0, 5), r"target must be 0 to 8.*got 9"),
    ],
)
def test_a_token_outside_the_vocabulary_is_an_index_error(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(BilingualIndexError, match=message):
        call()
