"""The positions that transformers gives to tokens, for a padding mask and for packed texts.

``generate`` counts the tokens that a mask lets through; ``forward`` of the models counts places and ignores
the mask. The collator for packed texts starts again with each text, and the models separate texts by that.
"""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.generation import GenerationMixin

SIZES: dict[str, Any] = {
    "vocab_size": 40,
    "hidden_size": 32,
    "intermediate_size": 32,
    "num_attention_heads": 4,
}


@pytest.fixture(scope="module")
def llama() -> Any:
    torch.manual_seed(0)
    config = LlamaConfig(**SIZES, num_hidden_layers=2, initializer_range=0.3)
    return LlamaForCausalLM(config).eval()


LEFT, RIGHT, NONE = [0, 0, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 1]


def test_generate_counts_the_tokens_that_the_mask_lets_through() -> None:
    """Padding is hidden and gets 0, which has no effect."""
    if not hasattr(GenerationMixin, "_prepare_position_ids_for_generation"):
        pytest.skip("this version of transformers prepares positions elsewhere")
    mask = torch.tensor([LEFT, RIGHT, NONE])
    actual = GenerationMixin()._prepare_position_ids_for_generation(mask, {"attention_mask": mask})
    assert actual.tolist() == [[0, 0, 0, 1, 2], [0, 1, 2, 0, 0], [0, 1, 2, 3, 4]]


def positions_used(network: Any, **given: Any) -> Tensor:
    """Return the positions that reach RoPE."""
    actual: list[Tensor] = []

    def note(module: Any, positional: Any, named: Any) -> None:
        actual.append(named["position_ids"] if "position_ids" in named else positional[1])

    hook = network.model.rotary_emb.register_forward_pre_hook(note, with_kwargs=True)
    network(**given)
    hook.remove()
    return actual[0]


@torch.no_grad()
@pytest.mark.parametrize("mask", [LEFT, RIGHT, NONE])
def test_forward_counts_places_and_never_looks_at_the_mask(llama: Any, mask: list[int]) -> None:
    tokens = torch.tensor([[7, 8, 9, 10, 11]])
    assert positions_used(llama, input_ids=tokens, attention_mask=torch.tensor([mask])).tolist() == [
        [0, 1, 2, 3, 4]
    ]


def packed(*texts: list[int], **options: Any) -> dict[str, Any]:
    collators = pytest.importorskip("transformers.data.data_collator")
    if not hasattr(collators, "DataCollatorWithFlattening"):
        pytest.skip("this version of transformers packs nothing")
    collator = collators.DataCollatorWithFlattening(return_tensors="pt", **options)
    return dict(collator([{"input_ids": text} for text in texts]))


def test_the_packing_collator_starts_again_with_each_text_without_a_mask() -> None:
    batch = packed([7, 8, 9], [10, 11])
    assert batch["input_ids"].tolist() == [[7, 8, 9, 10, 11]]
    assert batch["position_ids"].tolist() == [[0, 1, 2, 0, 1]]
    assert batch["labels"].tolist() == [[-100, 8, 9, -100, 11]], (
        "no text is asked for the next one's first token"
    )
    assert "attention_mask" not in batch


@torch.no_grad()
def test_their_model_separates_texts_where_positions_start_again(llama: Any) -> None:
    """Without a mask it derives one from the positions. If these continue, texts see each other."""
    masks = pytest.importorskip("transformers.masking_utils")
    if not hasattr(masks, "find_packed_sequence_indices"):
        pytest.skip("this version of transformers does not look for packed texts")
    first, second = [7, 8, 9], [10, 11]
    batch = packed(first, second)
    assert masks.find_packed_sequence_indices(batch["position_ids"]).tolist() == [[0, 0, 0, 1, 1]]
    alone = torch.cat([llama(input_ids=torch.tensor([text])).logits for text in (first, second)], dim=1)
    together = llama(input_ids=batch["input_ids"], position_ids=batch["position_ids"], use_cache=False).logits
    assert_close(together, alone, rtol=0, atol=1e-5)
    running_on = llama(input_ids=batch["input_ids"], use_cache=False).logits
    assert_close(running_on[:, :3], alone[:, :3], rtol=0, atol=1e-5)
    assert (running_on[:, 3:] - alone[:, 3:]).abs().max() > 0.1
