"""Our temperatures compared with those of transformers' models."""

from __future__ import annotations

import types
from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close
from transformers.models.beam import modeling_beam as beam
from transformers.models.inkling import InklingTextConfig
from transformers.models.inkling import modeling_inkling as inkling
from transformers.models.llama4 import Llama4TextConfig
from transformers.models.llama4 import modeling_llama4 as llama4

from posenc_lessons.encodings import LogTemperature, PowerTemperature, QueryTemperature

AT = torch.tensor([0, 5, 17, 18, 8190, 8191, 16383, 131071, 1048575])


def test_beams_curve() -> None:
    x = torch.ones(1, 1, len(AT), 1)
    assert_close(PowerTemperature().turn(x, AT), beam.compute_attention_scaling(AT[None]), rtol=1e-6, atol=0)


Folder = types.ModuleType


@pytest.fixture
def queries_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Folder, Callable[[], object]], Tensor]:
    """Return the queries [B, H, L, d_head] that a model's attention uses for its scores."""

    def queries(folder: Folder, call: Callable[[], object]) -> Tensor:
        recorded: list[Tensor] = []

        def record(_: object, query: Tensor, *rest: object, **named: object) -> tuple[Tensor, None]:
            recorded.append(query)
            return torch.zeros_like(query).transpose(1, 2), None

        monkeypatch.setattr(folder.ALL_ATTENTION_FUNCTIONS, "get_interface", lambda *_: record)
        with torch.no_grad():
            call()
        return recorded[0]

    return queries


@pytest.mark.parametrize("step", [8, 3])
def test_llama_4s_staircase_in_its_own_attention(step: int, queries_of: Callable[..., Tensor]) -> None:
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 8}
    config = Llama4TextConfig(
        **sizes, num_hidden_layers=1, no_rope_layers=[0], floor_scale=step, attn_scale=0.3
    )
    attention, x, at = llama4.Llama4TextAttention(config, 0), torch.randn(1, 20, 16), torch.arange(20)
    theirs = queries_of(llama4, lambda: attention(x, (None, None), None, position_ids=at[None]))
    plain = attention.q_proj(x).unflatten(-1, (2, 8)).transpose(1, 2)
    assert_close(QueryTemperature(0.3, step).turn(plain, at), theirs, rtol=1e-5, atol=1e-6)


def test_inklings_logarithm_in_its_own_attention(queries_of: Callable[..., Tensor]) -> None:
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 8, "d_rel": 4}
    config = InklingTextConfig(**sizes, num_hidden_layers=1, layer_types=["hybrid"], log_scaling_alpha=0.3)
    attention, x, at = inkling.InklingAttention(config, 0), torch.randn(1, 20, 16), torch.arange(20)
    for weight in attention.parameters():
        torch.nn.init.normal_(weight)
    plain = queries_of(inkling, lambda: attention(x, None))
    config.log_scaling_n_floor = 7
    theirs = queries_of(inkling, lambda: attention(x, None))
    assert_close(LogTemperature(0.3, 7).turn(plain, at), theirs, rtol=1e-5, atol=1e-6)
