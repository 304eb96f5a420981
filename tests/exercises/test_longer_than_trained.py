"""Lesson 08's checks: each names the usual wrong answers, and lets every right way of writing it pass."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from posenc_lessons.encodings import ContextExtension, ntk_base, rotary_frequencies
from posenc_lessons.exercises import longer_than_trained as checks
from posenc_lessons.exercises.solutions import longer_than_trained as solutions
from tests.exercises.naming import names

# --- squeezed positions ---------------------------------------------------------------------------------


def multiplied(positions: Tensor, trained: int, length: int) -> Tensor:
    return positions * (length / trained)


def wrapped(positions: Tensor, trained: int, length: int) -> Tensor:
    return positions.double() % trained


def clamped(positions: Tensor, trained: int, length: int) -> Tensor:
    return positions.double().clamp(max=trained - 1)


def floored(positions: Tensor, trained: int, length: int) -> Tensor:
    return positions // max(length // trained, 1) if length >= trained else positions


def rounded(positions: Tensor, trained: int, length: int) -> Tensor:
    return solutions.squeeze(positions, trained, length).round()


def ends_matched(positions: Tensor, trained: int, length: int) -> Tensor:
    return positions.double() * (trained - 1) / (length - 1)


def by_trained(positions: Tensor, trained: int, length: int) -> Tensor:
    return positions.double() / trained


def shifted(positions: Tensor, trained: int, length: int) -> Tensor:
    return positions.double() - (length - trained)


def unchanged(positions: Tensor, *_: int) -> Tensor:
    return positions.double()


def short_ones_stretched(positions: Tensor, trained: int, length: int) -> Tensor:
    return positions.double() * trained / length


def in_place(positions: Tensor, trained: int, length: int) -> Tensor:
    return positions.copy_(solutions.squeeze(positions, trained, length).long())


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (multiplied, "方向反了", "multiplied"),
        (wrapped, "取余数", "remainder"),
        (clamped, "最后一个", "last trained one"),
        (floored, "取整", "rounded"),
        (rounded, "取整", "rounded"),
        (ends_matched, "首尾对齐", "first and last"),
        (by_trained, "除以的是 trained", "divided by trained"),
        (shifted, "平移", "shifted"),
        (unchanged, "原样", "unchanged"),
        (short_ones_stretched, "比训练的还短", "shorter than the training"),
        (in_place, "改动", "changed"),
    ],
)
def test_squeeze_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_squeeze(wrong), zh, en)


# --- the larger base ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (lambda base, d, s: base * s, "指数丢了", "exponent is missing"),
        (lambda base, d, s: base * s ** ((d - 2) / d), "颠倒", "upside down"),
        (lambda base, d, s: base * s ** (d / (d - 1)), "d − 1", "d − 1"),
        (lambda base, d, s: base * s ** (d / 2 / max(d / 2 - 2, 0.5)), "不要先除以 2", "halving"),
        (lambda base, d, s: (base * s) ** (d / (d - 2)), "只属于 factor", "factor alone"),
        (lambda base, d, s: base / s ** (d / (d - 2)), "除反了", "smaller base"),
        (lambda base, d, s: base, "没有变", "not changed"),
        (lambda base, d, s: s ** (d / (d - 2)), "少乘", "old base is missing"),
    ],
)
def test_larger_base_names_the_mistake(wrong: Callable[..., Any], zh: str, en: str) -> None:
    names(checks.check_larger_base(wrong), zh, en)


def test_frequencies_in_place_of_a_base_are_told() -> None:
    verdict = checks.check_larger_base(lambda base, d, s: rotary_frequencies(d, base * s))
    names(verdict, "应当是一个数", "should be one number")


# --- pairs that have not come round ---------------------------------------------------------------------


def rates(d: int, base: float) -> Tensor:
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (lambda d, base, n: n * rates(d, base) >= 2 * math.pi, "反了", "other way round"),
        (lambda d, base, n: n * rates(d, base) < 1, "少了 2π", "2π is missing"),
        (lambda d, base, n: n * rates(d, base) < math.pi, "半圈", "half of one"),
        (lambda d, base, n: n * rates(d, base) < 360, "360", "360"),
        (lambda d, base, n: n * rates(d, base).sqrt() < 2 * math.pi, "2i/d", "2i/d"),
        (lambda d, base, n: n / rates(d, base) < 2 * math.pi, "负号", "minus sign"),
        (lambda d, base, n: n * rates(d, 10000.0) < 2 * math.pi, "写死", "fixed at 10000"),
        (lambda d, base, n: n * rates(d, base) / (2 * math.pi), "布尔", "booleans"),
        (lambda d, base, n: solutions.unfinished(d, base, n).nonzero()[:, 0], "布尔", "booleans"),
        (lambda d, base, n: torch.arange(d // 2) > 3, "第 2 对转不满", "pair 2 does not come"),
        (lambda d, base, n: solutions.unfinished(d, base, n).repeat_interleave(2), "形状", "shape"),
    ],
)
def test_unfinished_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_unfinished(wrong), zh, en)


# --- by parts -------------------------------------------------------------------------------------------


def share(theta: Tensor, trained: int, slow: float, fast: float) -> Tensor:
    return (trained * theta / (2 * math.pi) - slow) / (fast - slow)


def mix(kept: Tensor, theta: Tensor, factor: float) -> Tensor:
    return kept * theta + (1 - kept) * theta / factor


def reversed_ramp(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return mix(1 - share(theta, trained, slow, fast).clamp(0, 1), theta, factor)


def unclamped(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return mix(share(theta, trained, slow, fast), theta, factor)


def without_two_pi(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return mix(share(2 * math.pi * theta, trained, slow, fast).clamp(0, 1), theta, factor)


def mixed_wavelengths(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    kept, length = share(theta, trained, slow, fast).clamp(0, 1), 2 * math.pi / theta
    return 2 * math.pi / (kept * length + (1 - kept) * factor * length)


def slow_ones_faster(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return mix(share(theta, trained, slow, fast).clamp(0, 1), theta, 1 / factor)


def abrupt(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return torch.where(trained * theta / (2 * math.pi) > slow, theta, theta / factor)


def all_divided(theta: Tensor, factor: float, *_: float) -> Tensor:
    return theta / factor


def none_divided(theta: Tensor, *_: float) -> Tensor:
    return theta.clone()


def share_alone(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return share(theta, trained, slow, fast).clamp(0, 1)


def into_theta(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return theta.copy_(solutions.by_parts(theta, factor, trained, slow, fast))


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (reversed_ramp, "反了", "wrong way round"),
        (unclamped, "0 和 1 之间", "between 0 and 1"),
        (without_two_pi, "少了 2π", "2π is missing"),
        (mixed_wavelengths, "波长", "wavelengths"),
        (slow_ones_faster, "乘了 factor", "multiplied by factor"),
        (abrupt, "过渡", "no way between"),
        (all_divided, "位置插值", "position interpolation"),
        (none_divided, "原样", "unchanged"),
        (share_alone, "γ", "γ"),
        (into_theta, "改动", "changed"),
    ],
)
def test_by_parts_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_by_parts(wrong), zh, en)


# --- beyond the training --------------------------------------------------------------------------------


def three(shares: Tensor) -> Tensor:
    return torch.stack([shares.mean(), shares.min(), shares.max()])


def late(counted: Tensor, trained: int) -> Tensor:
    return counted & (torch.arange(counted.shape[1]) >= trained)


def all_that_count(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    return three(right[:, counted].double().mean(dim=1))


def whether_they_count_or_not(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    return three(right[:, :, trained:].double().mean(dim=(1, 2)))


def every_cell(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    return three(right.double().mean(dim=(1, 2)))


def within_the_training(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    return three(right[:, counted & ~late(counted, trained)].double().mean(dim=1))


def divided_by_every_cell(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    return three((right & late(counted, trained)).double().mean(dim=(1, 2)))


def over_sequences(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    counts = late(counted, trained)
    per_sequence = (right & counts).sum(dim=(0, 2)) / (len(right) * counts.sum(dim=1))
    return three(per_sequence.double())


def the_mean_three_times(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    return solutions.beyond(right, counted, trained)[:1].expand(3)


def least_first(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    return solutions.beyond(right, counted, trained)[[1, 0, 2]]


def largest_before_least(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    return solutions.beyond(right, counted, trained)[[0, 2, 1]]


def one_too_late(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    return solutions.beyond(right, counted, trained + 1)


def a_deviation(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    shares = right[:, late(counted, trained)].double().mean(dim=1)
    return torch.stack([shares.mean(), shares.mean() - shares.std(), shares.mean() + shares.std()])


@pytest.mark.parametrize(
    ("wrong", "zh", "en"),
    [
        (all_that_count, "盖住", "hide the failure"),
        (whether_they_count_or_not, "counted", "counted is False"),
        (every_cell, "所有位置", "Every position"),
        (within_the_training, "训练过的位置", "positions of the training"),
        (divided_by_every_cell, "分母", "denominator"),
        (over_sequences, "种子", "not sequences"),
        (the_mean_three_times, "三个数一样", "All three"),
        (least_first, "次序", "order"),
        (largest_before_least, "次序", "order"),
        (one_too_late, "差了一个", "Off by one"),
        (a_deviation, "标准差", "standard deviation"),
    ],
)
def test_beyond_names_the_mistake(wrong: Callable[..., Tensor], zh: str, en: str) -> None:
    names(checks.check_beyond(wrong), zh, en)


# --- other right ways of writing it ---------------------------------------------------------------------


def test_other_right_answers_pass_too() -> None:
    def in_float32(positions: Tensor, trained: int, length: int) -> Tensor:
        return positions if length <= trained else positions * trained / length

    def by_logarithms(base: float, d: int, factor: float) -> Tensor:
        return torch.tensor(math.exp(math.log(base) + math.log(factor) * d / (d - 2)))

    def from_numpy(base: float, d: int, factor: float) -> float:
        return np.float64(base) * np.power(factor, d / (d - 2))

    def by_wavelengths(d: int, base: float, trained: int) -> Tensor:
        return 2 * math.pi / rotary_frequencies(d, base) > trained

    def by_largest_distance(d: int, base: float, trained: int) -> Tensor:
        return (trained - 1) * rotary_frequencies(d, base).float() < 2 * math.pi

    def by_the_package(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
        extension = ContextExtension("parts", factor, trained, slow=slow, fast=fast)
        base = float(theta[1] / theta[0]) ** -len(theta)
        return extension.frequencies(2 * len(theta), base)[0].float()

    def seed_by_seed(right: Tensor, counted: Tensor, trained: int) -> Tensor:
        shares = [
            (one[:, trained:][counted[:, trained:]].sum() / counted[:, trained:].sum()).item()
            for one in right
        ]
        return torch.tensor([sum(shares) / len(shares), min(shares), max(shares)])

    assert checks.check_squeeze(in_float32).passed
    assert checks.check_larger_base(by_logarithms).passed
    assert checks.check_larger_base(from_numpy).passed
    assert checks.check_larger_base(ntk_base).passed
    assert checks.check_unfinished(by_wavelengths).passed
    assert checks.check_unfinished(by_largest_distance).passed
    assert checks.check_by_parts(by_the_package).passed
    assert checks.check_beyond(seed_by_seed).passed
