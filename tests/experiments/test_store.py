"""Weights are loaded as saved, in half precision, and other files are refused."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from posenc_lessons.experiments.trained import induction
from posenc_lessons.experiments.trained.__main__ import KINDS
from posenc_lessons.experiments.trained.store import FOLDER, TrainedModels, load_into, save


class Small(nn.Module):
    def __init__(self, width: int = 3) -> None:
        super().__init__()
        self.layer = nn.Linear(width, 2)
        self.register_buffer("table", torch.full((1000,), float(width)))


def test_only_parameters_are_loaded(tmp_path: Path) -> None:
    model = Small()
    path = save(model, "small", tmp_path)
    assert path.stat().st_size < 4000  # not the buffer
    first = load_into(Small(), "small", tmp_path)
    second = load_into(Small().double(), "small", tmp_path)
    assert torch.equal(first.layer.weight.double(), second.layer.weight)
    assert torch.equal(first.layer.weight, model.layer.weight.half().float())
    assert not first.training and first.table[0] == 3


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.file)
def test_an_untrained_model_has_the_same_weights_each_time(kind: TrainedModels[Any]) -> None:
    state = torch.random.get_rng_state()
    first = kind.new(kind.names[0])
    assert torch.equal(torch.random.get_rng_state(), state), "other random numbers stay as they were"
    torch.manual_seed(1234)
    again = kind.new(kind.names[0])
    assert all(map(torch.equal, first.parameters(), again.parameters()))


@pytest.mark.parametrize("value", [float("nan"), 1e6])
def test_weights_beyond_half_precision_are_not_saved(tmp_path: Path, value: float) -> None:
    model = Small()
    model.layer.bias.data[0] = value
    with pytest.raises(ValueError, match=r"layer\.bias of small.*\n.*layer\.bias"):
        save(model, "small", tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [None, b"", b"not a file of weights", b"PK\x03\x04 half a file"])
def test_a_file_that_is_missing_or_damaged_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "small.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=r"small\.npz cannot be read.*\n.*small\.npz"):
        load_into(Small(), "small", tmp_path)


def test_weights_of_another_model_are_refused_and_change_nothing(tmp_path: Path) -> None:
    save(Small(4), "small", tmp_path)
    model = Small()
    before = model.layer.weight.detach().clone()
    with pytest.raises(ValueError, match=r"small\.npz belongs to another model"):
        load_into(model, "small", tmp_path)
    assert torch.equal(model.layer.weight, before)


def test_every_model_has_a_small_file_and_every_file_a_model() -> None:
    sizes = {path.stem: path.stat().st_size for path in FOLDER.iterdir()}
    assert set(sizes) == {kind.file.format(name) for kind in KINDS for name in kind.names}
    assert max(sizes.values()) < 120_000 and sum(sizes.values()) < 1_300_000


def test_saving_again_gives_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, name = induction.INDUCTION, "sink"
    monkeypatch.setattr(induction, "SETTINGS", {**induction.SETTINGS, "steps": 2, "batch_size": 4})
    before = kind.load(name)
    assert kind.load(name) is before and not before.training
    first, again = (kind.make(name, tmp_path / folder) for folder in ("first", "again"))
    assert first.name == f"{kind.file.format(name)}.npz" and first.read_bytes() == again.read_bytes()
    made = load_into(kind.new(name), first.stem, first.parent)
    assert not all(torch.equal(*pair) for pair in zip(made.parameters(), before.parameters(), strict=True))
    assert kind.load(name) is not before, "what is kept may have been made again"
