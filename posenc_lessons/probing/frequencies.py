"""Estimate the frequency of each pair from its angles, and find the rule that the frequencies follow."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from posenc_lessons.encodings import ContextExtension
from posenc_lessons.probing.calls import Caller, size
from posenc_lessons.probing.pairs import Pairs

FARTHEST = 2**20
LENGTHS = [2**n for n in range(8, 21)]  # lengths of training that an extension is looked for with


def wrapped(angles: Tensor) -> Tensor:
    """Return ``angles`` between −π and π."""
    return angles - 2 * torch.pi * (angles / (2 * torch.pi)).round()


class Course:
    """How the angles of all pairs grow with the position, measured by calls with two vectors.

    ``phases`` [n] are the angles at position 0, ``frequencies`` [n] radians per position with a sign,
    ``right_up_to`` the farthest power of two up to which all angles were as foretold. ``modulo_2pi``: places
    between whole positions could not be asked.
    """

    def __init__(self, caller: Caller, pairs: Pairs, scale: float, in_half: bool) -> None:
        self.caller, self.pairs, self.scale = caller, pairs, scale
        self.phases, self.frequencies = self.angles(0.0), torch.zeros(len(pairs.first), dtype=torch.float64)
        self.right_up_to = self._smallest_step()
        self.modulo_2pi = self.right_up_to == 1
        while self.right_up_to < FARTHEST:  # each doubled position halves the error
            position = 2 * self.right_up_to
            # Powers of two times a frequency are exact in every floating format; other factors are not.
            allowed = 0.3 if in_half else 1e-3 + position * size(self.frequencies) * 2.0**-22
            gap = wrapped(self.angles(position) - self.phases - position * self.frequencies)
            if not size(gap) <= allowed:  # also where the function raises: the angles are NaN
                break
            self.frequencies, self.right_up_to = self.frequencies + gap / position, position

    def _smallest_step(self) -> float:
        """Set ``frequencies`` from so small a step that no angle passes π unseen; return the step."""
        step, angles = 1.0, wrapped(self.angles(1.0) - self.phases)
        for power in range(1, 25):
            if power > 3 and size(angles) < 0.5:
                break
            half = wrapped(self.angles(2.0**-power) - self.phases)
            if not size(wrapped(2 * half - angles)) <= 1e-3:  # positions are rounded, or whole ones only
                step, angles = 1.0, wrapped(self.angles(1.0) - self.phases)
                break
            step, angles = 2.0**-power, half
        self.frequencies = angles / step
        return step

    def _blocks(self, position: float, dtype: torch.dtype | None = None) -> Tensor | None:
        pairs, vectors = self.pairs, torch.zeros(2, self.caller.d_head, dtype=torch.float64)
        vectors[0, pairs.first] = 1
        vectors[1, pairs.second] = 1
        rotated = self.caller.at(vectors, position, dtype)
        if rotated is None:
            return None
        rows = rotated[:, pairs.order]
        return torch.cat([rows[:, pairs.first], rows[:, pairs.second]])  # cos, −sin, sin, cos: [4, n]

    def angles(self, position: float) -> Tensor:
        """Return the angle of each pair [n]; NaN if the function raises."""
        blocks = self._blocks(position)
        if blocks is None:
            return torch.full((len(self.pairs.first),), math.nan, dtype=torch.float64)
        return torch.atan2(blocks[2] - blocks[1], blocks[0] + blocks[3])

    def deviation(self, position: float, dtype: torch.dtype | None = None) -> float | None:
        """Return how far a number at ``position`` is from this course; None if the function raises."""
        blocks = self._blocks(position, dtype)
        if blocks is None:
            return None
        angles = self.phases + position * self.frequencies
        cos, sin = self.scale * angles.cos(), self.scale * angles.sin()
        return size(blocks - torch.stack([cos, -sin, sin, cos]))


@dataclass(frozen=True)
class Rule:
    """base^(−2i/width), stretched by ``extension``."""

    base: float
    width: int
    extension: ContextExtension | None = None


def rule_of(frequencies: Sequence[float], widths: Sequence[int], scale: float, exact: float) -> Rule | None:
    """Return the rule that the positive ``frequencies`` follow to a share ``exact``; None if none does.

    Of the ``widths`` for the exponent, the likeliest first, one with a round base is taken.
    """
    target = torch.tensor(frequencies, dtype=torch.float64)
    if len(target) < 2 or float(target.min()) <= 0:
        return None
    rules = [rule for width in widths for rule in _rules(target, width, scale) if _fits(rule, target, exact)]
    round_ones = [rule for rule in rules if rule.base == float(f"{rule.base:.3g}")]
    if not round_ones and len(target) == 2:  # any two frequencies fit some base
        return None
    return next(iter(round_ones or rules), None)


def _fits(rule: Rule, target: Tensor, exact: float) -> bool:
    pairs = torch.arange(len(target), dtype=torch.float64)
    fitted = rule.base ** (-2 * pairs / rule.width)
    if rule.extension is not None:
        fitted = rule.extension.frequencies(rule.width, rule.base)[0][: len(target)]
    return len(fitted) == len(target) and size(fitted / target - 1) <= exact


def _rules(target: Tensor, width: int, scale: float) -> Iterator[Rule]:
    """Yield the rules that ``target`` [n] may follow, the simplest first."""
    first, second, last = float(target[0]), float(target[1]), float(target[-1])
    slope = math.log(first / last) * width / (2 * (len(target) - 1))  # ln base without stretching
    if 0.01 < slope < 600:
        for base in _rounded(math.exp(slope)):
            yield Rule(base, width)
            for factor in _rounded(1 / first):
                if factor > 1:
                    yield Rule(base, width, ContextExtension("linear", factor, 1))
        if width > 2:
            for base in (10_000.0, 500_000.0, 1_000_000.0):
                for factor in _rounded(math.exp((slope - math.log(base)) * (width - 2) / width)):
                    if factor > 1 and factor == round(factor):
                        yield Rule(base, width, ContextExtension("ntk", factor, 1))
    slope = -math.log(second) * width / 2  # the fastest pairs stay as they were
    if not 0.01 < slope < 600 or abs(first - 1) > 1e-3 or len(target) < 4:
        return
    for base in _rounded(math.exp(slope))[:1]:
        slower = base ** (-2 * torch.arange(len(target), dtype=torch.float64) / width) / target  # [n]
        for factor in _rounded(float(slower[-1]))[:1]:
            if factor > 1.01 and float(slower.min()) > 0.999 and float(slower.max()) < 1.001 * factor:
                for length in LENGTHS:
                    yield Rule(base, width, ContextExtension("llama3", factor, length))
                    yield Rule(base, width, ContextExtension("parts", factor, length))
                    yarn = ContextExtension("yarn", factor, length, attention_scale=scale)
                    yield Rule(base, width, yarn)
                    yield Rule(base, width, replace(yarn, truncate=False))


def _rounded(value: float) -> list[float]:
    """Return ``value`` with ever more digits."""
    digits = (3, 6, 9, 17) if value < 1e300 else ()
    return list(dict.fromkeys(float(f"{value:.{number}g}") for number in digits))
