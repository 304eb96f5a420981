"""Our relative vectors compared with those of VITS, for keys and values."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.testing import assert_close
from transformers import VitsConfig
from transformers.models.vits import modeling_vits as vits

from posenc_lessons.encodings import ShawRelative
from posenc_lessons.models import MultiHeadAttention

WIDTH, HEADS = 32, 2


def attention_from(layers: list[nn.Linear], encoding: ShawRelative) -> MultiHeadAttention:
    ours = MultiHeadAttention(WIDTH, HEADS, encoding).double().eval()
    for mine, theirs in zip((ours.w_query, ours.w_key, ours.w_value, ours.w_out), layers, strict=True):
        mine.load_state_dict(theirs.state_dict())
    return ours


@pytest.mark.parametrize("length", [1, 4, 9])
def test_vits_has_vectors_for_keys_and_values(length: int) -> None:
    """It shifts rows by padding and reshaping; ours gathers and scatters.

    Beyond its window it adds nothing, but the paper (and ours) adds the outermost vector, so the window here
    covers the whole sequence.
    """
    torch.manual_seed(0)
    config = VitsConfig(hidden_size=WIDTH, num_attention_heads=HEADS, window_size=8)
    theirs = vits.VitsAttention(config).double().eval()
    encoding = ShawRelative(WIDTH // HEADS, max_distance=8)
    ours = attention_from([theirs.q_proj, theirs.k_proj, theirs.v_proj, theirs.out_proj], encoding)
    assert encoding.key_table is not None and encoding.value_table is not None
    with torch.no_grad():
        encoding.key_table.copy_(theirs.emb_rel_k[0])
        encoding.value_table.copy_(theirs.emb_rel_v[0])
    x = torch.randn(2, length, WIDTH).double()
    expected, weights = theirs(x, output_attentions=True)
    actual, shares = ours(x, need_weights=True)
    assert_close(actual, expected, rtol=0, atol=1e-13)
    assert_close(shares, weights, rtol=0, atol=1e-14)
