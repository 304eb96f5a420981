"""What ``probe_rotation`` answers for rotations in the forms that people write, and for what is none."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import posenc_lessons
from posenc_lessons.encodings import ContextExtension, apply_rotary, rotary_frequencies
from posenc_lessons.language import BilingualValueError, shown_in
from posenc_lessons.probing import Rotation, probe_rotation
from tests.probing import forms
from tests.probing.forms import NOT_ROTATIONS, rotation

HALVES = {"pairing": "half_split", "pairs": ((0, 4), (1, 5), (2, 6), (3, 7)), "base": 10_000}
NEIGHBOURS = {"pairing": "interleaved", "pairs": ((0, 1), (2, 3), (4, 5), (6, 7)), "base": 10_000}


def tables(positions: Tensor) -> tuple[Tensor, Tensor]:
    wide = forms.concatenated(torch.outer(positions.double(), rotary_frequencies(8, 500.0)))
    return wide.cos(), wide.sin()


def turned_over(x: Tensor, positions: Tensor) -> Tensor:
    return apply_rotary(x.transpose(1, 2), positions).transpose(1, 2)


FORMS: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "ours": (apply_rotary, {}, NEIGHBOURS | {"scale": 1.0, "keeps_lengths": True, "zero_is_identity": True}),
    "one head": (forms.only(lambda x, p: x.ndim == 2), {}, NEIGHBOURS),
    "no heads": (lambda x, p: apply_rotary(x, p).unflatten(-1, (-1, 2)).flatten(2), {}, NEIGHBOURS),
    "a batch": (forms.only(lambda x, p: x.ndim == 3), {}, NEIGHBOURS),
    "float32 only": (forms.only(lambda x, p: x.dtype == torch.float32), {}, NEIGHBOURS),
    "floating positions": (forms.only(lambda x, p: p.is_floating_point()), {}, NEIGHBOURS),
    "positions [1, L]": (forms.only(lambda x, p: p.ndim == 2), {}, NEIGHBOURS),
    "positions by keyword": (lambda x, *, input_pos: apply_rotary(x, input_pos), {}, NEIGHBOURS),
    "clockwise": (lambda x, p: apply_rotary(x, -p), {}, NEIGHBOURS | {"direction": "clockwise"}),
    "[B, L, H, d]": (turned_over, {}, NEIGHBOURS | {"along": "heads"}),
    "q, k, cos, sin": (forms.llama, {"tables": tables}, HALVES | {"base": 500, "along": "tokens"}),
    "own tables": (forms.llama, {}, HALVES | {"tables": "concatenated", "along": "tokens"}),
    "LLMs-from-scratch": (forms.from_scratch, {}, HALVES | {"tables": "concatenated"}),
    "complex": (forms.metas, {}, NEIGHBOURS | {"tables": "as complex numbers", "along": "heads"}),
    "labml": (
        forms.Labml(4),
        {},
        {"pairs": ((0, 2), (1, 3)), "share": 0.5, "along": "batch", "reads_positions": False},
    ),
    "a class": (forms.Labml, {}, HALVES | {"along": "batch"}),
    "CS336": (
        forms.Cs336(10_000, 8, 64),
        {},
        NEIGHBOURS | {"right_up_to": 32, "far_deviation": None, "modulo_2pi": True},
    ),
    "out in halves": (
        lambda x, p: apply_rotary(torch.cat([x[..., ::2], x[..., 1::2]], dim=-1), p, pairing="half_split"),
        {},
        NEIGHBOURS | {"zero_is_identity": False, "keeps_lengths": True},
    ),
    "last features": (rotation([(4, 6), (5, 7)], [1, 0.01]), {}, {"pairing": "half_split", "base": 10_000}),
    "p-RoPE": (
        lambda x, p: apply_rotary(x, p, 1e6, "half_split", turning_pairs=2),
        {},
        {"pairs": ((0, 4), (1, 5)), "pairing": "half_split", "base": 1e6, "width": 8, "share": 0.5},
    ),
    "rotary_dim": (
        lambda x, p: apply_rotary(x, p, pairing="half_split", rotary_dim=4),
        {},
        {"pairs": ((0, 2), (1, 3)), "pairing": "half_split", "base": 10_000, "width": 4},
    ),
    "other pairs": (
        rotation([(0, 5), (1, 3), (4, 6), (2, 7)], [0.01, 1, 0.001, 0.1]),
        {},
        {"pairing": "listed", "pairs": ((0, 5), (1, 3), (2, 7), (4, 6)), "base": 10_000},
    ),
    "no rule": (rotation([(0, 1), (2, 3)], [0.5, 0.5]), {}, {"base": None, "scale": 1.0}),
    "both directions": (rotation([(0, 1), (2, 3)], [1, -0.5]), {}, {"signs": (1, -1), "direction": "mixed"}),
    "in place": (lambda x, p: x.copy_(apply_rotary(x, p)), {}, NEIGHBOURS),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_rotation_is_found_in_each_form(name: str) -> None:
    function, options, expected = FORMS[name]
    answer = probe_rotation(function, 8, **options)
    assert answer.is_rotation, answer
    assert {key: getattr(answer, key) for key in expected} == expected
    assert answer.deviation is not None and answer.deviation < 1e-4
    assert "not a rotation" not in str(answer)
    assert json.loads(json.dumps(answer.as_dict()))["features"] == answer.features


@pytest.mark.parametrize("name", NOT_ROTATIONS)
def test_what_is_no_rotation_is_named(name: str) -> None:
    function, words = NOT_ROTATIONS[name]
    answer = probe_rotation(function, 8)
    assert not answer.is_rotation and answer.problem is not None
    assert "not a rotation" in str(answer) and words in str(answer)
    with shown_in("zh"):
        assert str(answer).startswith("不是旋转") and "rotation" not in str(answer)
    assert json.loads(json.dumps(answer.as_dict()))["problem"] == answer.problem.en


@pytest.mark.parametrize(
    "extension",
    [
        ContextExtension("linear", 4, 2048),
        ContextExtension("ntk", 8, 2048),
        ContextExtension("parts", 4, 4096),
        ContextExtension("yarn", 4, 4096),
        ContextExtension("yarn", 40, 4096, truncate=False),
        ContextExtension("llama3", 8, 8192),
    ],
    ids=lambda extension: f"{extension.method} {extension.factor}",
)
@pytest.mark.parametrize("base", [10_000.0, 500_000.0])
def test_an_extension_is_found(extension: ContextExtension, base: float) -> None:
    def turn(x: Tensor, positions: Tensor) -> Tensor:
        return apply_rotary(x.float(), positions, base, "half_split", extension=extension)

    answer = probe_rotation(turn, 64)
    assert answer.extension is not None and answer.base == base
    assert (answer.extension.method, answer.extension.factor) == (extension.method, extension.factor)
    assert math.isclose(answer.scale, extension.scale, rel_tol=1e-6)
    if extension.method not in ("linear", "ntk"):
        right, _ = extension.frequencies(64, base)
        measured, _ = answer.extension.frequencies(64, base)
        assert torch.allclose(measured, right, rtol=1e-6)
    assert f"extended: {extension.method}" in str(answer)


NOTED: dict[str, tuple[Any, str]] = {
    "counted from 1": (lambda x, p: apply_rotary(x, p + 1), "counted from 1"),
    "cos and sin swapped": (rotation([(0, 1), (2, 3)], [-1, -0.1], phase=math.pi / 2), "swapped"),
    "rotated twice": (lambda x, p: apply_rotary(apply_rotary(x, p), p), "follow no rule"),
    "a phase": (rotation([(0, 1), (2, 3)], [1, 0.1], phase=0.3), "Position 0 turns"),
    "clamped": (
        lambda x, p: apply_rotary(x, p.clamp(max=100)),
        "up to position 64; at 128 it is wrong",
    ),
    "a short table": (forms.Cs336(10_000, 8, 16), "Right up to position 8; at 16 it raises"),
    "the first position only": (
        lambda x, p: apply_rotary(x, p[0] + torch.arange(len(p))),
        "not all are read",
    ),
    "heads for tokens": (turned_over, "heads are taken for tokens"),
    "bfloat16 positions": (
        lambda x, p: apply_rotary(x, p.to(x.dtype).float() if x.dtype == torch.bfloat16 else p),
        "in bfloat16 (wrong)",
    ),
    "counts": (lambda x, p: apply_rotary(x, torch.arange(x.shape[-2])), "ignores positions"),
    "a scale": (rotation([(0, 1), (2, 3)], [1, 0.1], scale=1.5), "multiplied by 1.5"),
    "rounded": (lambda x, p: apply_rotary(x, p.long()), "modulo 2π"),
}


@pytest.mark.parametrize("name", NOTED)
def test_what_is_unusual_is_said(name: str) -> None:
    function, words = NOTED[name]
    answer = probe_rotation(function, 4 if name in ("cos and sin swapped", "a phase", "a scale") else 8)
    assert answer.is_rotation and words in str(answer)
    with shown_in("zh"):
        assert words not in str(answer)


def test_numbers_at_a_far_position_are_compared_with_float64() -> None:
    def in_single(x: Tensor, positions: Tensor) -> Tensor:
        wide = forms.repeated(torch.outer(positions.float(), rotary_frequencies(8).float())).to(x.dtype)
        return x * wide.cos() + forms.rotate_neighbours(x) * wide.sin()

    exact, single = probe_rotation(apply_rotary, 8), probe_rotation(in_single, 8)
    assert exact.far_deviation is not None and exact.far_deviation < 1e-9
    assert single.far_deviation is not None and 1e-3 < single.far_deviation < 0.1
    assert single.base == 10_000


def test_a_function_that_raises_is_an_error_that_says_what_was_tried() -> None:
    def turn(x: Tensor, positions: Tensor) -> Tensor:
        raise RuntimeError("no kernel for this")

    with pytest.raises(BilingualValueError, match=r"x of 4, 3 and 2 axes.*no kernel for this"):
        probe_rotation(turn, 8)


def test_a_very_slow_pair_is_found_beside_a_fast_one() -> None:
    answer = probe_rotation(rotation([(i, i + 64) for i in range(64)], [1, *[1e-9] * 63]), 128)
    assert answer.inverse_frequencies == pytest.approx([1, *[1e-9] * 63])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rotate": 3, "d_head": 8}, "callable"),
        ({"rotate": apply_rotary, "d_head": 0}, "d_head"),
        ({"rotate": apply_rotary, "d_head": 8, "signature": "q"}, "signature"),
        ({"rotate": forms.Cs336, "d_head": 8}, "give an object"),
    ],
)
def test_refusals(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(BilingualValueError, match=words):
        probe_rotation(**arguments)


def test_neither_the_input_nor_the_random_generator_is_touched() -> None:
    state = torch.random.get_rng_state()
    probe_rotation(apply_rotary, 8)
    assert torch.equal(torch.random.get_rng_state(), state)


ON_THE_PAGE = """
import json, sys
sys.path[:0] = {paths!r}
from tests.probing.test_probe_rotation import answers
print(json.dumps([answer.as_dict() for answer in answers({most})]))
"""


def answers(most: int) -> list[Rotation]:
    """Return the answers for ``most`` rotations and ``most`` functions that are none."""
    rotations = [probe_rotation(turn, 8, **options) for turn, options, _ in list(FORMS.values())[:most]]
    return [*rotations, *(probe_rotation(turn, 8) for turn, _ in list(NOT_ROTATIONS.values())[:most])]


@pytest.mark.parametrize("most", [2, pytest.param(99, marks=pytest.mark.sweep)])
def test_the_answers_on_the_page_are_the_same(most: int) -> None:
    """The page has another torch, on NumPy."""
    package = Path(posenc_lessons.__file__).parent
    paths = [str(package / "browser" / "numpy_torch"), str(package.parent), str(Path(__file__).parents[2])]
    program = ON_THE_PAGE.format(paths=paths, most=most)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    for answer, right in zip(json.loads(run.stdout), answers(most), strict=True):
        for key in ("is_rotation", "problem", "pairing", "base", "direction", "along", "tables", "notes"):
            assert answer[key] == right.as_dict()[key]
        assert answer["pairs"] == [list(pair) for pair in right.pairs]
        assert answer["inverse_frequencies"] == pytest.approx(right.inverse_frequencies, rel=1e-6)
