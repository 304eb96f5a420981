"""The same numbers as PyTorch's own layers, given the same weights, norms before or after."""

import warnings

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from posenc_lessons.models import (
    DecoderLayer,
    EncoderLayer,
    MultiHeadAttention,
    Seq2Seq,
    TransformerDecoder,
    TransformerEncoder,
    causal_mask,
)
from tests.models.random_weights import with_random_weights

both_norms = pytest.mark.parametrize("norm_first", [True, False])
WIDTH, HEADS, FEED = 12, 3, 20
THEIRS = {"dim_feedforward": FEED, "dropout": 0.0, "batch_first": True, "dtype": torch.float64}


@torch.no_grad()
def copy_attention(theirs: nn.MultiheadAttention, ours: MultiHeadAttention) -> None:
    layers = (ours.w_query, ours.w_key, ours.w_value)
    theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
    theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
    theirs.out_proj.load_state_dict(ours.w_out.state_dict())


def copy_layer(theirs: nn.Module, ours: EncoderLayer) -> None:
    copy_attention(theirs.self_attn, ours.attention)
    norms = [ours.norm_attention, ours.norm_feed]
    if isinstance(ours, DecoderLayer):
        copy_attention(theirs.multihead_attn, ours.cross_attention)
        norms.insert(1, ours.norm_cross)
    for n, norm in enumerate(norms, 1):
        getattr(theirs, f"norm{n}").load_state_dict(norm.state_dict())
    theirs.linear1.load_state_dict(ours.feed.up.state_dict())
    theirs.linear2.load_state_dict(ours.feed.down.state_dict())


def sequences() -> tuple[Tensor, Tensor]:
    return torch.randn(2, 6, WIDTH).double(), torch.randn(2, 4, WIDTH).double()


REAL = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])


@both_norms
def test_stacks(norm_first: bool) -> None:
    """Three layers, a norm at the end if norms come first, both stacks together."""
    torch.manual_seed(0)
    encoder = with_random_weights(
        TransformerEncoder(WIDTH, HEADS, 3, d_feed=FEED, norm_first=norm_first), std=0.5
    )
    decoder = with_random_weights(
        TransformerDecoder(WIDTH, HEADS, 3, d_feed=FEED, norm_first=norm_first), std=0.5
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "enable_nested_tensor", UserWarning)  # about a speed-up not taken
        theirs = nn.Transformer(WIDTH, HEADS, 3, 3, norm_first=norm_first, **THEIRS).eval()
    for stack, ours in ((theirs.encoder, encoder), (theirs.decoder, decoder)):
        for layer, mine in zip(stack.layers, ours.layers, strict=True):
            copy_layer(layer, mine)
        if norm_first:
            stack.norm.load_state_dict(ours.norm.state_dict())
        else:
            stack.norm = None  # theirs has one more norm, even if norms come after; the paper has not
    source, target = sequences()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The PyTorch API of nested tensors", UserWarning)
        expected = theirs(
            source,
            target,
            tgt_mask=~causal_mask(4),
            src_key_padding_mask=~REAL,
            memory_key_padding_mask=~REAL,
        )
    actual = decoder(target, encoder(source, real=REAL), memory_real=REAL)
    assert_close(actual, expected, rtol=0, atol=1e-12)


def test_the_whole_model_is_its_parts() -> None:
    torch.manual_seed(0)
    model = with_random_weights(Seq2Seq(7, 9, WIDTH, HEADS, 2, d_feed=FEED), std=0.5)
    source, target = torch.randint(7, (2, 6)), torch.randint(9, (2, 4))
    words = model.source_embedding.table(source) * WIDTH**0.5
    so_far = model.target_embedding.table(target) * WIDTH**0.5
    expected = model.to_logits(model.decoder(so_far, model.encoder(words)))
    assert_close(model(source, target), expected, rtol=0, atol=1e-14)
