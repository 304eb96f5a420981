"""The variants: each differs from its encoding in one respect."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
import torch

from posenc_lessons.encodings import (
    CoPE,
    PositionEncoding,
    RotaryEncoding,
    ShawRelative,
    T5RelativeBias,
    t5_buckets,
)
from posenc_lessons.experiments.race import RACE_TASKS, Entry, Race, one_run
from posenc_lessons.experiments.race.models import RandomPositions, model_of, training_shape
from posenc_lessons.experiments.race.variants import RACE_ENCODINGS
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.models.blocks import EncoderLayer
from posenc_lessons.models.transformer import DecoderOnly

RACE = Race()


def encodings(name: str) -> list[PositionEncoding]:
    """Return the encodings in the layers of that model."""
    model = model_of(RACE, "copy_back", name)
    inner = model.model if isinstance(model, RandomPositions) else model
    assert isinstance(inner, DecoderOnly)
    return [cast(EncoderLayer, layer).attention.encoding for layer in inner.layers]


def test_tables_have_the_sizes_that_the_variants_say() -> None:
    for shaw, cope, t5 in zip(*map(encodings, ("shaw_long", "cope_short", "t5_short")), strict=True):
        assert isinstance(shaw, ShawRelative) and shaw.max_distance == 127
        assert isinstance(cope, CoPE) and cope.n_positions == 12
        assert isinstance(t5, T5RelativeBias)
        inside, beyond = (
            t5_buckets(-torch.arange(n), t5.n_buckets, t5.max_distance, bidirectional=False).unique()
            for n in (32, 128)
        )
        assert torch.equal(inside, beyond), "every bucket in use beyond is used in training"
    one, other = encodings("shaw_long")
    assert one is not other


def test_a_hybrid_has_no_positions_in_its_last_layer() -> None:
    first, last = encodings("hybrid")
    assert isinstance(first, RotaryEncoding) and last.doors == ()


@pytest.mark.parametrize("name", ["learned_random", "rotary_random"])
def test_random_positions_increase_and_go_beyond_the_longest_test(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, seen = model_of(RACE, "copy_back", name), []
    inner = DecoderOnly.forward

    def noted(self: DecoderOnly, tokens: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        seen.append(positions)
        return inner(self, tokens, positions)  # type: ignore[return-value]

    monkeypatch.setattr(DecoderOnly, "forward", noted)
    tokens = torch.zeros(1, 32, dtype=torch.long)
    for _ in range(20):
        model(tokens)
    assert all((positions.diff() > 0).all() and positions.shape == (32,) for positions in seen)
    assert 128 < torch.stack(seen).max() < 256
    assert not torch.equal(seen[0], seen[1])


@pytest.mark.parametrize("name", RACE_TASKS)
def test_a_control_trains_at_the_longest_length_with_equally_many_answers(name: str) -> None:
    def answers(shape: tuple[int, int]) -> float:
        counted = RACE.task(name).batch(512, shape[1], torch.Generator().manual_seed(1))[2]
        return shape[0] * counted.double().sum(dim=1).mean().item()

    usual, long = (training_shape(RACE, name, encoding) for encoding in ("rotary", "control"))
    assert usual == (16, 32) and long[1] == 128
    fewer = (long[0] - 1, long[1])
    assert answers(fewer) < answers(usual) <= answers(long) * 1.01, "just as many, a little noise aside"


def test_the_order_blind_model_cannot_tell_in_which_order_steps_came() -> None:
    for name in RACE_TASKS:
        task, model = RACE.task(name), model_of(RACE, name, "order_blind").eval()
        tokens = task.batch(4, 32, torch.Generator().manual_seed(0))[0]
        steps = tokens[:, :-2].unflatten(1, (-1, task.step))
        mixed = torch.cat((steps[:, torch.randperm(steps.shape[1])].flatten(1), tokens[:, -2:]), dim=1)
        ours, other = (model(each)[:, -task.step] for each in (tokens, mixed))
        torch.testing.assert_close(ours, other, atol=1e-5, rtol=0)
    one, other = (
        torch.tensor([[2, 1, 3, 0, 4, 0]]),
        torch.tensor([[2, 0, 3, 1, 4, 0]]),
    )  # another step, not order
    model = model_of(RACE, "flip_flop", "order_blind").eval()
    assert not torch.allclose(model(one)[:, -2], model(other)[:, -2], atol=1e-4), "a step is read whole"


@pytest.mark.parametrize("name", RACE_ENCODINGS)
def test_the_model_has_room_for_every_position_and_every_answer(name: str) -> None:
    for task in RACE_TASKS:
        model = model_of(RACE, task, name)
        tokens, targets, counted = RACE.task(task).batch(2, RACE.test_lengths[-1])
        assert model(tokens).shape[-1] > targets[counted].max()


def test_models_that_draw_positions_are_tested_with_the_same_ones_again() -> None:
    race = replace(RACE, test_sequences=8, encodings=("rotary_random",))
    model = one_run.new_model(race, Entry("copy_back", "rotary_random", 0))
    before = torch.random.get_rng_state()
    assert one_run.tested(race, "copy_back", model) == one_run.tested(race, "copy_back", model)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_every_encoding_of_a_race_has_its_own_look() -> None:
    missing = [name for name in RACE_ENCODINGS if name not in LOOKS]
    assert not missing, f"LOOKS lacks {', '.join(missing)} (posenc_lessons/figures/encoding_looks.py)"
    drawn = [(LOOKS[name].color, LOOKS[name].dashed) for name in RACE_ENCODINGS]
    for how in drawn:
        alike = [name for name in RACE_ENCODINGS if (LOOKS[name].color, LOOKS[name].dashed) == how]
        assert len(alike) == 1, f"{' and '.join(alike)} look the same in LOOKS"
    assert len({LOOKS[name].name for name in RACE_ENCODINGS}) == len(RACE_ENCODINGS)
