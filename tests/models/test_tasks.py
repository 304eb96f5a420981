"""The tasks: what they ask, and that they can be asked again."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.models import copy_back


@settings(max_examples=40)
@given(n_back=st.integers(1, 5), vocab_size=st.integers(2, 20), extra=st.integers(1, 9))
def test_copy_back_asks_for_the_token_so_many_steps_before(n_back: int, vocab_size: int, extra: int) -> None:
    length, task = n_back + extra, copy_back(n_back, vocab_size)
    tokens, targets, counted = task.batch(3, length, torch.Generator().manual_seed(0))
    assert tokens.shape == targets.shape == counted.shape == (3, length)
    assert counted.dtype == torch.bool
    assert tokens.min() >= 0 and tokens.max() < task.vocab_size == vocab_size
    for b in range(3):
        for at in range(length):
            assert counted[b, at].item() == (at >= n_back)
            if at >= n_back:
                assert targets[b, at] == tokens[b, at - n_back]


def test_the_same_generator_gives_the_same_batch() -> None:
    task = copy_back(2)
    one, same, other = (task.batch(4, 8, torch.Generator().manual_seed(seed))[0] for seed in (5, 5, 6))
    assert torch.equal(one, same) and not torch.equal(one, other)


def test_tokens_are_drawn_evenly() -> None:
    tokens, _, _ = copy_back(1, vocab_size=4).batch(500, 40, torch.Generator().manual_seed(0))
    assert (tokens.flatten().bincount() / tokens.numel() - 0.25).abs().max() < 0.02


BAD = {
    "zero back": (lambda: copy_back(0), r"n_back .*got 0\nn_back 必须"),
    "one word": (lambda: copy_back(1, vocab_size=1), r"vocab_size .*got 1\nvocab_size 必须"),
    "too short": (lambda: copy_back(5).batch(2, 5), r"length 5 is .*copy_back\(5\).*\n长度 5 .*太短"),
    "no batch": (lambda: copy_back(1).batch(0, 5), r"batch_size .*got 0\nbatch_size 必须"),
    "no length": (lambda: copy_back(1).batch(2, 0), r"length .*got 0\nlength 必须"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_both_languages(case: str) -> None:
    call, message = BAD[case]
    with pytest.raises(ValueError, match="(?s)^[^一-鿿]*" + message.replace(r"\n", r"[^一-鿿]*\n")):
        call()
