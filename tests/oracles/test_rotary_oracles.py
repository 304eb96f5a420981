"""Our rotary embedding compared with others: the formula is the same, the errors of angles differ.

Where others are less exact, the test says by how much. In float32 an angle a has an error of about a·6e-8,
and a frequency's rounding error is multiplied by the position.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close
from transformers import LlamaConfig
from transformers.models.gptj import modeling_gptj as gptj
from transformers.models.llama import modeling_llama as llama

from posenc_lessons.encodings import (
    Pairing,
    apply_rotary,
    rotary_angles,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # they still import torch.jit.script
    import rotary_embedding_torch

WIDTH, HEADS = 64, 2


def llama_turns(x: Tensor, at: Tensor) -> Tensor:
    rotary = llama.LlamaRotaryEmbedding(LlamaConfig(hidden_size=WIDTH, num_attention_heads=1))
    return llama.apply_rotary_pos_emb(x, x, *rotary(x, at[None]))[0]


def gptj_turns(x: Tensor, at: Tensor) -> Tensor:
    sin, cos = (
        gptj.create_sinusoidal_positions(int(at.max()) + 1, WIDTH)[at][None].to(x.dtype).chunk(2, dim=-1)
    )
    return gptj.apply_rotary_pos_emb(x.transpose(1, 2), sin, cos).transpose(1, 2)


Turns = Callable[[Tensor, Tensor], Tensor]
PEERS: dict[str, tuple[Turns, Pairing]] = {
    "LLaMA in transformers": (llama_turns, "half_split"),
    "GPT-J in transformers": (gptj_turns, "interleaved"),
}


def heads(kind: torch.dtype = torch.float32) -> Tensor:
    torch.manual_seed(0)
    return torch.randn(1, HEADS, 512, WIDTH).to(kind)


def error_of(turns: Turns, x: Tensor, first: int, pairing: Pairing) -> float:
    """Return the largest error over 512 positions from ``first`` on, as a share of the largest |x|."""
    at = torch.arange(first, first + 512)
    exact = apply_rotary(x.double(), at, pairing=pairing)
    return ((turns(x, at).double() - exact).abs().max() / x.double().abs().max()).item()


# Seen: 1.2e-5, 2e-5 … 3e-5, 1e-4, 3e-3, 3e-2. From position 374 on, errors exceed torch's default tolerance.
FAR = [(0, 1e-6, 5e-5), (374, 5e-6, 1e-4), (4000, 2e-5, 5e-4), (10**5, 5e-4, 2e-2), (10**6, 5e-3, 0.2)]


@pytest.mark.parametrize(
    ("name", "first", "least", "most"),
    # GPT-J has one table from position 0 on, which for a million positions would take 256 MB.
    [(name, *far) for name in PEERS for far in FAR if far[0] < 10**6 or "GPT-J" not in name],
)
def test_the_rotations_agree_except_for_float32_angles(
    name: str, first: int, least: float, most: float
) -> None:
    turns, pairing = PEERS[name]
    assert least < error_of(turns, heads(), first, pairing) < most
    assert error_of(lambda x, at: apply_rotary(x, at, pairing=pairing), heads(), first, pairing) < 2e-7


def test_given_exact_angles_they_agree_to_the_last_bit() -> None:
    """With our angles, their formulas give our numbers."""
    x, at = heads(torch.float64), torch.arange(10**6, 10**6 + 512)
    angles = rotary_angles(at, WIDTH)
    both = torch.cat((angles, angles), dim=-1)[None]
    actual = llama.apply_rotary_pos_emb(x, x, both.cos(), both.sin())[0]
    assert_close(actual, apply_rotary(x, at, pairing="half_split"), rtol=0, atol=1e-14)
    sin, cos = angles.sin()[None], angles.cos()[None]
    actual = gptj.apply_rotary_pos_emb(x.transpose(1, 2), sin, cos).transpose(1, 2)
    assert_close(actual, apply_rotary(x, at), rtol=0, atol=1e-14)
    actual = rotary_embedding_torch.apply_rotary_emb(angles.repeat_interleave(2, dim=-1), x)
    assert_close(actual, apply_rotary(x, at), rtol=0, atol=1e-14)
