"""Our sinusoid compared with those of DistilBERT and Marian."""

from __future__ import annotations

import torch
from torch.testing import assert_close
from transformers.models.distilbert import modeling_distilbert as distilbert
from transformers.models.marian import modeling_marian as marian

from posenc_lessons.encodings import SinusoidalEncoding, sinusoidal_encoding

D_MODEL = 64
#: A float32 table that is rounded once can differ in the last bit if the sine's last bit differs.
LAST_BIT = 6e-8


def test_distilbert_has_the_papers_table() -> None:
    """Neighbouring columns, angles in NumPy's float64: the same numbers."""
    theirs = torch.empty(600, D_MODEL)
    distilbert.create_sinusoidal_embeddings(600, D_MODEL, theirs)
    assert_close(sinusoidal_encoding(600, D_MODEL), theirs, rtol=0, atol=LAST_BIT)


def test_marian_has_it_with_the_columns_in_another_order() -> None:
    theirs = marian.MarianSinusoidalPositionalEmbedding(600, D_MODEL).create_weight()
    assert_close(SinusoidalEncoding(D_MODEL, 600, order="halves").table, theirs, rtol=0, atol=LAST_BIT)
    assert (sinusoidal_encoding(600, D_MODEL) - theirs).abs().max() > 1, "the order of columns matters"
