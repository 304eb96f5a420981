"""Our sliding windows compared with transformers' masks and with a Mistral with a window and its cache."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close
from transformers import MistralConfig, masking_utils
from transformers.models.mistral import modeling_mistral as mistral

from posenc_lessons.encodings import RotaryEncoding
from posenc_lessons.models import MultiHeadAttention, causal_mask
from posenc_lessons.models.masks import rows_in_window


@pytest.mark.parametrize("window", [1, 3, 20])
def test_a_window_counts_as_theirs_does(window: int) -> None:
    at = torch.arange(8)
    theirs = masking_utils.sliding_window_causal_mask_function(window)(0, 0, at[:, None], at)
    assert torch.equal(causal_mask(8, window=window), theirs)
    both_ways = masking_utils.sliding_window_bidirectional_overlay(window)(0, 0, at[:, None], at)
    assert torch.equal(rows_in_window(window + 1, None, 8, 8, at.device), both_ways), "theirs counts one side"


def test_mistrals_attention_equals_ours_with_a_window() -> None:
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_attention_heads": 2, "num_key_value_heads": 2, "num_hidden_layers": 1}
    config = MistralConfig(**sizes, intermediate_size=8, vocab_size=9, sliding_window=4)
    model = mistral.MistralModel(config).eval()
    theirs, norm = model.layers[0].self_attn, model.layers[0].input_layernorm
    ours = MultiHeadAttention(16, 2, RotaryEncoding(8, pairing="half_split"), bias=False)
    for name, mine in (("q", "query"), ("k", "key"), ("v", "value"), ("o", "out")):
        getattr(ours, f"w_{mine}").weight = getattr(theirs, f"{name}_proj").weight
    recorded: list[torch.Tensor] = []
    theirs.register_forward_hook(lambda _, __, out: recorded.append(out[0]))
    tokens = torch.randint(9, (2, 11))
    with torch.no_grad():
        model(tokens)
        actual = ours(norm(model.embed_tokens(tokens)), mask=causal_mask(11, window=4))
    assert_close(actual, recorded[0], rtol=1e-4, atol=1e-5)
