"""Our rotary embedding compared with others, given the same angles: theirs are float32 and less exact."""

import warnings

import torch
from torch.testing import assert_close
from transformers.models.gptj import modeling_gptj as gptj
from transformers.models.llama import modeling_llama as llama

from posenc_lessons.encodings import apply_rotary, rotary_angles

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # they still import torch.jit.script
    import rotary_embedding_torch

WIDTH = 64


def test_given_exact_angles_they_agree_to_the_last_bit() -> None:
    """With our angles, their formulas give our numbers."""
    torch.manual_seed(0)
    x, at = torch.randn(1, 2, 512, WIDTH).double(), torch.arange(10**6, 10**6 + 512)
    angles = rotary_angles(at, WIDTH)
    both = torch.cat((angles, angles), dim=-1)[None]
    actual = llama.apply_rotary_pos_emb(x, x, both.cos(), both.sin())[0]
    assert_close(actual, apply_rotary(x, at, pairing="half_split"), rtol=0, atol=1e-14)
    sin, cos = angles.sin()[None], angles.cos()[None]
    actual = gptj.apply_rotary_pos_emb(x.transpose(1, 2), sin, cos).transpose(1, 2)
    assert_close(actual, apply_rotary(x, at), rtol=0, atol=1e-14)
    actual = rotary_embedding_torch.apply_rotary_emb(angles.repeat_interleave(2, dim=-1), x)
    assert_close(actual, apply_rotary(x, at), rtol=0, atol=1e-14)
