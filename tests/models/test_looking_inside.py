"""What readers do to a model to look into it or to adapt it: hooks, adapters, quantization, memory."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.testing import assert_close

from posenc_lessons.encodings import RotaryEncoding
from posenc_lessons.models import (
    COURSE_ENCODINGS,
    DecoderOnly,
    FeedForward,
    MultiHeadAttention,
)

X = torch.randn(2, 5, 16)


def test_a_hook_keeps_what_it_got_and_backward_hooks_work() -> None:
    feed, outputs = FeedForward(16, 32), []
    feed.up.register_forward_hook(lambda module, inputs, output: outputs.append(output))
    feed.up.register_full_backward_hook(lambda *gradients: None)
    feed(X.clone().requires_grad_()).sum().backward()
    assert torch.equal(outputs[0], nn.functional.linear(X, feed.up.weight, feed.up.bias))
    assert outputs[0].min() < 0, "ReLU did not change what the hook was given"


class LoRA(nn.Module):
    """A linear layer with a low-rank addition, which has no ``weight``."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.layer = layer
        self.down = nn.Linear(layer.in_features, 2, bias=False)
        self.up = nn.Linear(2, layer.out_features, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.layer(x) + self.up(self.down(x))
        return out


def adapt(attention: nn.Module) -> None:
    for name, layer in list(attention.named_children()):
        if isinstance(layer, nn.Linear):
            setattr(attention, name, LoRA(layer))


def test_low_rank_adapters_around_every_projection() -> None:
    attention = MultiHeadAttention(16, 2, RotaryEncoding(8))
    adapt(attention)
    out, _ = attention(X, causal=True, need_weights=True)
    assert_close(attention(X, causal=True), out)
    out.sum().backward()
    assert all(weight.grad is not None for weight in attention.parameters())
    with pytest.raises(ValueError, match=r"query is torch.float64, the weights are torch.float32"):
        attention(X.double())


@pytest.mark.filterwarnings("ignore")  # quantization moves to another package
@pytest.mark.parametrize("name", COURSE_ENCODINGS)
def test_quantized_linear_layers(name: str) -> None:
    torch.manual_seed(0)
    model, text = DecoderOnly(9, 16, 2, 2, name).eval(), torch.randint(9, (2, 6))
    quantized = torch.ao.quantization.quantize_dynamic(model, {nn.Linear}, torch.qint8)
    assert_close(quantized(text), model(text), rtol=0, atol=0.1)


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
