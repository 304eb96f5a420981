"""Estimate the frequency of each pair from its angles, and find the rule that the frequencies follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc_lessons.encodings import ContextExtension

FARTHEST = 2**20
LOST = 0.3  # radians: a wider gap to the angle foretold is no rounding
LENGTHS = [2**n for n in range(8, 21)]  # lengths of training that an extension is looked for with


def wrapped(angles: Tensor) -> Tensor:
    """Return ``angles`` between −π and π."""
    return angles - 2 * torch.pi * (angles / (2 * torch.pi)).round()


@dataclass(frozen=True)
class Measured:
    """Frequencies in radians per position, signed, float64 [n]; and how far they were followed."""

    frequencies: Tensor
    phases: Tensor  # [n], the angles at position 0
    right_up_to: float
    modulo_2pi: bool


def measure(angles: Callable[[float], Tensor | None], farthest: int = FARTHEST) -> Measured:
    """Return the frequencies of pairs whose angles [n] at a position are ``angles(position)``.

    Small steps first, so that no angle passes π unseen; then each doubled position halves the error. Angles
    at powers of two are exact multiples in every floating format. ``angles`` gives None where the function
    raises.
    """
    phases = angles(0)
    one = angles(1)
    assert phases is not None and one is not None  # they were measured before
    step, frequencies, unaliased = 1.0, wrapped(one - phases), False
    before = frequencies
    for power in range(1, 13):
        smaller = angles(2.0**-power)
        if smaller is None:
            break
        smaller = wrapped(smaller - phases)
        if float(wrapped(2 * smaller - before).abs().max()) > 1e-3:  # positions are rounded, for instance
            unaliased = False
            break
        step, before, unaliased = 2.0**-power, smaller, True
        if power >= 3 and float(smaller.abs().max()) < 0.5:
            break
    if unaliased:
        frequencies = before / step
    else:
        step = 1.0
    reached, position = step, 2 * step
    while position <= farthest:
        turned = angles(position)
        if turned is None:
            break
        gap = wrapped(turned - phases - position * frequencies)
        if not float(gap.abs().max()) <= LOST:
            break
        frequencies = frequencies + gap / position
        reached, position = position, 2 * position
    return Measured(frequencies, phases, reached, not unaliased)


@dataclass(frozen=True)
class Rule:
    """base^(−2i/width), stretched by ``extension``; ``deviation`` is the largest relative one."""

    base: float
    width: int
    extension: ContextExtension | None
    deviation: float


def rule_of(frequencies: Sequence[float], widths: Sequence[int], scale: float, exact: float) -> Rule | None:
    """Return the rule that the positive ``frequencies``, fastest first, follow to ``exact``; None if none does.

    ``widths`` are the widths to try in the exponent, the likeliest first. A round base is preferred.
    """
    if len(frequencies) < 2:
        return None
    target = torch.tensor(frequencies, dtype=torch.float64)
    plain = [rule for width in widths if (rule := _plain(target, width, exact))]
    for rule in plain:
        if _round(rule.base):
            return rule
    if plain:
        return _changed_base(plain[0]) or plain[0]
    for width in widths:
        rule = _in_parts(target, width, scale, exact)
        if rule is not None:
            return rule
    return None


def _round(base: float) -> bool:
    return base == float(f"{base:.3g}")


def _powers(base: float, width: int, n: int) -> Tensor:
    return base ** (-2 * torch.arange(n, dtype=torch.float64) / width)


def _off(target: Tensor, fitted: Tensor) -> float:
    return float((fitted / target - 1).abs().max())


def _plain(target: Tensor, width: int, exact: float) -> Rule | None:
    """Fit base^(−2i/width)/s: s is the linear factor, 1 without stretching."""
    n, first = len(target), float(target[0])
    exponent = 2 * (n - 1) / width
    log_base = math.log(first / float(target[-1])) / exponent
    if not 0 < log_base < 700:
        return None
    base = math.exp(log_base)
    for digits in (3, 6, 9):  # the shortest number that fits as exactly
        shorter = float(f"{base:.{digits}g}")
        if abs(shorter / base - 1) * exponent <= exact:
            base = shorter
            break
    deviation = _off(target / first, _powers(base, width, n))
    if deviation > exact or base <= 1:
        return None
    factor = 1 / first
    factor = round(factor, 3) if abs(factor / round(factor, 3) - 1) <= exact else factor
    if factor == 1:
        return Rule(base, width, None, deviation)
    # The length of training does not enter; 1 stands for it.
    return Rule(base, width, ContextExtension("linear", factor, 1), deviation) if factor > 1 else None


def _changed_base(rule: Rule) -> Rule | None:
    """Return the rule as NTK of a usual base with a usual factor, if its base is that."""
    if rule.width < 4 or rule.extension is not None:
        return None
    for base in (10_000.0, 500_000.0, 1_000_000.0):
        for factor in (2, 3, 4, 8, 16, 32):
            changed = base * factor ** (rule.width / (rule.width - 2))
            if abs(changed / rule.base - 1) < 1e-6:
                return Rule(base, rule.width, ContextExtension("ntk", factor, 1), rule.deviation)
    return None


def _in_parts(target: Tensor, width: int, scale: float, exact: float) -> Rule | None:
    """Find the method that leaves fast pairs, divides slow ones and mixes between: parts, yarn, llama3."""
    n = len(target)
    if abs(float(target[0]) - 1) > exact or n < 3:
        return None
    base = float(target[1]) ** (-width / 2)
    for digits in (3, 6):
        shorter = float(f"{base:.{digits}g}")
        if abs(shorter / base - 1) <= exact * width:
            base = shorter
            break
    if base <= 1:
        return None
    ratio = float(_powers(base, width, n)[-1] / target[-1])
    factor = round(ratio, 3)
    if factor <= 1 or abs(factor / ratio - 1) > exact:
        return None
    best: Rule | None = None
    for length in LENGTHS:
        for extension in (
            ContextExtension("yarn", factor, length, attention_scale=scale),
            ContextExtension("yarn", factor, length, truncate=False, attention_scale=scale),
            ContextExtension("llama3", factor, length),
            ContextExtension("parts", factor, length),
        ):
            deviation = _off(target, extension.frequencies(width, base)[0])
            if deviation <= exact and (best is None or deviation < best.deviation):
                best = Rule(base, width, extension, deviation)
    return best
