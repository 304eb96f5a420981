"""Our sinusoid compared with others. Where they are less exact, the test says by how much and why."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close
from transformers.models.distilbert import modeling_distilbert as distilbert
from transformers.models.fsmt import modeling_fsmt as fsmt
from transformers.models.marian import modeling_marian as marian
from transformers.models.speech_to_text import modeling_speech_to_text as speech_to_text

from posenc_lessons.encodings import sinusoidal_encoding

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it still imports torch.jit.script

D_MODEL = 64
#: A float32 table that is rounded once can differ in the last bit if the sine's last bit differs.
LAST_BIT = 6e-8


def halves(table: Tensor) -> Tensor:
    """Reorder our neighbours (sin, cos, sin, cos, …) as in other code: all sines, then all cosines."""
    return torch.cat((table[..., 0::2], table[..., 1::2]), dim=-1)


def error_of(theirs: Tensor, positions: Tensor, base: float = 10000.0) -> float:
    exact = halves(sinusoidal_encoding(positions, D_MODEL, base, dtype=torch.float64))
    return (theirs.double() - exact).abs().max().item()


def test_distilbert_has_the_papers_table() -> None:
    """Neighbouring columns, angles in NumPy's float64: the same numbers."""
    theirs = torch.empty(600, D_MODEL)
    distilbert.create_sinusoidal_embeddings(600, D_MODEL, theirs)
    assert_close(sinusoidal_encoding(600, D_MODEL), theirs, rtol=0, atol=LAST_BIT)


def test_marian_has_it_with_the_columns_in_another_order() -> None:
    theirs = marian.MarianSinusoidalPositionalEmbedding(600, D_MODEL).create_weight()
    assert_close(halves(sinusoidal_encoding(600, D_MODEL)), theirs, rtol=0, atol=LAST_BIT)
    assert (sinusoidal_encoding(600, D_MODEL) - theirs).abs().max() > 1, "the order of columns matters"


@pytest.mark.parametrize(
    "table",
    [
        fsmt.SinusoidalPositionalEmbedding.get_embedding,
        speech_to_text.Speech2TextSinusoidalPositionalEmbedding.get_embedding,
    ],
    ids=["FSMT", "Speech2Text"],
)
@pytest.mark.parametrize(("length", "least", "most"), [(600, 1e-5, 6e-5), (5000, 6e-5, 6e-4)])
def test_tensor2tensors_variant_is_ours_at_another_base(
    table: type, length: int, least: float, most: float
) -> None:
    """They space the frequencies over d/2 − 1 steps, not d/2, so that the slowest is exactly 1/10000.

    That is the paper's formula with base 10000^(h/(h − 1)), h = d/2. Their angles are float32, with an error
    of about p·6e-8 at position p; ours are exact to 1e-12 here.
    """
    half = D_MODEL // 2
    theirs = table(length, D_MODEL, None)
    positions, base = torch.arange(length), 10000 ** (half / (half - 1))
    assert least < error_of(theirs, positions, base) < most
    assert error_of(theirs, positions) > 0.5, "at base 10000 it is another table"
