"""The sinusoid as a module: it follows .to(), saves and loads, and has no longest sequence."""

from __future__ import annotations

import copy
import io

import pytest
import torch
from torch.testing import assert_close

from posenc_lessons.encodings import SinusoidalEncoding, sinusoidal_encoding

KINDS = [torch.float64, torch.float32, torch.float16, torch.bfloat16]


def test_adds_the_table_to_the_embeddings() -> None:
    encoding, embeddings = SinusoidalEncoding(8, max_len=16), torch.randn(3, 5, 8)
    assert torch.equal(encoding(embeddings), embeddings + sinusoidal_encoding(5, 8))
    assert encoding.doors == (1,)


def test_positions_may_start_anywhere_and_differ_by_sequence() -> None:
    encoding, nothing = SinusoidalEncoding(8, max_len=16), torch.zeros(2, 3, 8)
    positions = torch.tensor([[4, 5, 6], [0, 0, 9]])
    assert torch.equal(encoding(nothing, positions), sinusoidal_encoding(positions, 8))
    assert torch.equal(encoding(nothing, positions[0]), sinusoidal_encoding(positions[:1].expand(2, -1), 8))


@pytest.mark.parametrize("positions", [[14, 15, 16], [-3, 0, 3], [0.5, 1.5, 15.25], [10**6, 3, 1]])
def test_positions_outside_the_table_work_as_those_in_it(positions: list[float]) -> None:
    encoding, where = SinusoidalEncoding(8, max_len=16), torch.tensor(positions)
    assert torch.equal(encoding(torch.zeros(1, 3, 8), where)[0], sinusoidal_encoding(where, 8))


def test_the_base_holds_in_the_table_and_outside() -> None:
    encoding = SinusoidalEncoding(8, max_len=4, base=50.0)
    assert torch.equal(encoding(torch.zeros(1, 9, 8))[0], sinusoidal_encoding(9, 8, 50.0))
    assert torch.equal(encoding.table, sinusoidal_encoding(4, 8, 50.0))


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("then", KINDS)
def test_conversions_never_round_twice(first: torch.dtype, then: torch.dtype) -> None:
    encoding = SinusoidalEncoding(32, max_len=200).to(first).to(then)
    assert torch.equal(encoding.table, sinusoidal_encoding(200, 32, dtype=then))
    assert torch.equal(encoding(torch.zeros(1, 9, 32, dtype=then))[0], encoding.table[:9])


@pytest.mark.parametrize("kind", KINDS)
def test_the_sum_keeps_the_dtype_of_the_embeddings(kind: torch.dtype) -> None:
    encoding = SinusoidalEncoding(8)  # the module itself stays float32
    out = encoding(torch.zeros(1, 9, 8, dtype=kind))
    assert out.dtype == kind
    assert torch.equal(out[0], sinusoidal_encoding(9, 8, dtype=kind))


def test_saving_and_loading() -> None:
    saved, file = SinusoidalEncoding(8, max_len=16), io.BytesIO()
    torch.save(saved.state_dict(), file)
    file.seek(0)
    loaded = SinusoidalEncoding(8, max_len=16)
    loaded.load_state_dict(torch.load(file, weights_only=True))
    assert torch.equal(loaded.table, saved.table)
    assert torch.equal(copy.deepcopy(saved).table, saved.table)


@pytest.mark.parametrize("max_len", [4, 16, 64])
def test_loading_a_rounded_or_shorter_or_longer_table_loses_nothing(max_len: int) -> None:
    checkpoint = SinusoidalEncoding(8, max_len=16).to(torch.bfloat16).state_dict()
    encoding = SinusoidalEncoding(8, max_len=max_len)
    encoding.load_state_dict(checkpoint)
    assert torch.equal(encoding.table, sinusoidal_encoding(max_len, 8))
    assert checkpoint["table"].shape == (16, 8), "the caller's state_dict was changed"


def test_a_table_of_another_base_is_refused() -> None:
    checkpoint = torch.nn.Sequential(SinusoidalEncoding(8, base=500.0)).state_dict()
    model = torch.nn.Sequential(SinusoidalEncoding(8))
    with pytest.raises(RuntimeError, match=r"(?s)0.table was saved by .*another base.*另一个 base"):
        model.load_state_dict(checkpoint)


def test_a_table_of_another_width_or_a_missing_table_is_refused() -> None:
    with pytest.raises(RuntimeError, match="size mismatch for table"):
        SinusoidalEncoding(8).load_state_dict(SinusoidalEncoding(6).state_dict())
    with pytest.raises(RuntimeError, match="Missing key"):
        SinusoidalEncoding(8).load_state_dict({})


def test_a_module_on_the_meta_device_can_be_filled_later() -> None:
    with torch.device("meta"):
        encoding = SinusoidalEncoding(8, max_len=16)
    assert encoding.table.is_meta
    assert torch.equal(encoding.to_empty(device="cpu").table, sinusoidal_encoding(16, 8))


def test_a_model_on_the_meta_device_can_load_with_assign() -> None:
    saved = SinusoidalEncoding(8, max_len=16).to(torch.bfloat16).state_dict()
    with torch.device("meta"):
        encoding = SinusoidalEncoding(8, max_len=20)
    encoding.load_state_dict(saved, assign=True)
    assert torch.equal(encoding.table, sinusoidal_encoding(20, 8, dtype=torch.bfloat16))


def test_the_table_can_be_in_shared_memory() -> None:
    encoding = SinusoidalEncoding(8, max_len=16)
    assert encoding.share_memory().table.is_shared()


def test_dropout_is_applied_to_the_sum_in_training_only() -> None:
    encoding, embeddings = SinusoidalEncoding(64, dropout=0.5), torch.full((4, 50, 64), 3.0)
    total = embeddings + encoding.table[:50]  # nowhere 0, so a zero after it is dropout's
    torch.manual_seed(0)
    dropped = encoding(embeddings)
    remaining = dropped != 0
    assert 0.45 < remaining.double().mean() < 0.55
    assert_close(dropped[remaining], 2 * total[remaining])
    assert torch.equal(encoding.eval()(embeddings), total)
