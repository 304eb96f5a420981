"""What readers do to a model to look into it or to adapt it: hooks, adapters, quantization, memory."""

from __future__ import annotations

import copy

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.testing import assert_close

from posenc_lessons.encodings import RotaryEncoding
from posenc_lessons.models import (
    DecoderOnly,
    MultiHeadAttention,
)

X = torch.randn(2, 5, 16)


def test_double_backward_with_the_plain_kernel() -> None:
    attention = MultiHeadAttention(16, 2, RotaryEncoding(8)).double()
    x = X.double()[:1, :3].requires_grad_()
    with sdpa_kernel(SDPBackend.MATH):
        assert torch.autograd.gradgradcheck(lambda x: attention(x, causal=True), x)


def test_a_cache_can_be_copied() -> None:
    model, text = DecoderOnly(9, 16, 2, 2, "rotary").eval(), torch.randint(9, (2, 6))
    with torch.no_grad():
        cache = model.new_cache()
        model(text[:, :4], cache=cache)
        twin = copy.deepcopy(cache)
        for other in (twin, cache):
            assert_close(model(text[:, 4:], cache=other), model(text)[:, 4:])
