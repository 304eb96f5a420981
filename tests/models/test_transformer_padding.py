"""Padding on any side changes nothing for a real token, and never gives a NaN."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.models import COURSE_ENCODINGS, DecoderOnly, Seq2Seq, TransformerEncoder
from posenc_lessons.models.masks import mask_of_stack, padding_mask, positions_among_real
from tests.models.random_weights import with_random_weights

every_encoding = pytest.mark.parametrize("name", COURSE_ENCODINGS)
WIDTH, HEADS = 12, 2


# A row of Trues and Falses per sequence: padding behind, before, in the middle, everywhere, nowhere.
REAL = torch.tensor(
    [
        [True, True, True, True, False, False],
        [False, False, True, True, True, True],
        [True, False, True, True, False, True],
        [False, False, False, False, False, False],
        [True, True, True, True, True, True],
    ]
)


@every_encoding
@pytest.mark.parametrize("norm_first", [True, False])
def test_a_padded_encoder_gives_the_same_as_each_sequence_by_itself(name: str, norm_first: bool) -> None:
    torch.manual_seed(0)
    stack = with_random_weights(TransformerEncoder(WIDTH, HEADS, 2, name, 6, norm_first=norm_first))
    x = torch.randn(5, 6, WIDTH).double()
    for need_weights in (False, True):
        out = stack(x, real=REAL, need_weights=need_weights)
        out, weights = out if need_weights else (out, [])
        assert out.isfinite().all()
        for row, alone, real in zip(out, x, REAL, strict=True):
            if real.any():
                assert_close(row[real], stack(alone[None, real])[0], rtol=0, atol=1e-13)
        for w in weights:
            assert (w.sum(dim=2)[[0, 1, 2, 4]].masked_select(~REAL[[0, 1, 2, 4], None, :]) == 0).all()


@every_encoding
def test_a_padded_language_model_gives_the_same_as_each_sequence_by_itself(name: str) -> None:
    torch.manual_seed(0)
    model = with_random_weights(DecoderOnly(9, WIDTH, HEADS, 2, name, max_len=6))
    text = torch.randint(9, (5, 6))
    for need_weights in (False, True):
        out = model(text, real=REAL, need_weights=need_weights)
        out = out[0] if need_weights else out
        assert out.isfinite().all()
        for row, alone, real in zip(out, text, REAL, strict=True):
            if real.any():
                assert_close(row[real], model(alone[None, real])[0], rtol=0, atol=1e-13)


@every_encoding
def test_a_padded_translator_gives_the_same_as_each_pair_by_itself(name: str) -> None:
    torch.manual_seed(0)
    model = with_random_weights(Seq2Seq(7, 9, WIDTH, HEADS, 2, name, max_len=6))
    source, target, target_real = torch.randint(7, (5, 6)), torch.randint(9, (5, 6)), REAL.roll(2, dims=0)
    out = model(source, target, REAL, target_real)
    assert out.isfinite().all()
    for n in range(5):
        if REAL[n].any() and target_real[n].any():
            alone = model(source[n, REAL[n]][None], target[n, target_real[n]][None])
            assert_close(out[n, target_real[n]], alone[0], rtol=0, atol=1e-13)


@every_encoding
def test_gradients_are_finite_and_zero_for_padding(name: str) -> None:
    torch.manual_seed(0)
    stack = with_random_weights(TransformerEncoder(WIDTH, HEADS, 2, name, 6))
    x = torch.randn(5, 6, WIDTH).double().requires_grad_()
    stack(x, real=REAL)[REAL].square().sum().backward()
    assert x.grad is not None and (x.grad[~REAL] == 0).all()
    assert all(p.grad is None or p.grad.isfinite().all() for p in stack.parameters())


def test_a_learned_table_need_not_have_rows_for_padding() -> None:
    model = DecoderOnly(9, WIDTH, HEADS, 1, "learned", max_len=4).eval()
    assert model(torch.randint(9, (1, 6)), real=REAL[:1]).shape == (1, 6, 9)
    with pytest.raises(IndexError, match="position 5 is not in the table: max_len=4"):
        model(torch.randint(9, (1, 6)))


rows = st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=3).map(torch.tensor)


@settings(max_examples=60)
@given(real=rows, n_new=st.integers(1, 5), causal=st.booleans(), seed=st.integers(0, 99))
def test_masks_and_positions_follow_their_definition(
    real: Tensor, n_new: int, causal: bool, seed: int
) -> None:
    everyone, at, batch = padding_mask(real), positions_among_real(real), len(real)
    given = torch.rand(batch, 1, n_new, 5, generator=torch.Generator().manual_seed(seed)) < 0.5
    masks = [mask_of_stack(mask, real, n_new, 5, causal, real.device) for mask in (given, None)]
    assert everyone.shape == (batch, 1, 1, 5)
    assert masks[0].shape == (batch, 1, n_new, 5)
    for b, row in enumerate(real.tolist()):
        assert everyone[b, 0, 0].tolist() == (row if any(row) else [True] * 5)
        for new, i in enumerate(range(5 - n_new, 5)):
            before = [(j <= i or not causal) and row[j] for j in range(5)]
            shown = given[b, 0, new].tolist()
            assert masks[0][b, 0, new].tolist() == [j == i or (before[j] and shown[j]) for j in range(5)]
            if causal:
                assert masks[1][b, 0, new].tolist() == [j == i or before[j] for j in range(5)]
        for i in range(5):
            if row[i]:
                assert at[b, i] == sum(row[:i])
            assert 0 <= at[b, i] < max(1, sum(row))
