"""Extend rotary embedding to texts longer than in training: rotate pairs more slowly, by familiar angles.

A model trained on L positions has never seen the angle m·θ_i for m ≥ L. Each method here replaces the
frequencies θ_i by slower ones, for texts up to s·L (s is ``factor``):

* ``linear``: θ_i / s for every pair. Position interpolation: Chen et al. 2023, arXiv 2306.15595.
* ``ntk``: a larger base, so that the fastest pair keeps its speed and the slowest becomes exactly s times
  slower. bloc97 2023; Peng et al. 2023 ("YaRN"), arXiv 2309.00071, §3.1.
* ``dynamic``: ``ntk`` for the present length; up to L nothing changes. emozilla 2023; YaRN's §3.3.
* ``parts``: by how many turns a pair makes in L positions. With many turns, θ_i stays; with less than one,
  θ_i is divided by s; between, the share that stays grows linearly. "NTK-by-parts", YaRN's §3.2.
* ``yarn``: nearly the same, and queries and keys are scaled too. YaRN's §3.4 and its released code.
* ``llama3``: ``parts`` with other limits. Llama 3.1's released code, 2024.
* ``longrope``: each θ_i is divided by its own number, found by search: one list for texts up to L, another
  for longer ones. Queries and keys are scaled. Ding et al. 2024, arXiv 2402.13753, and Phi-3's code.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import base_above_one, even_width, number, one_of, whole_number
from posenc_lessons.encodings.pairing import frequencies_of
from posenc_lessons.language import BilingualValueError

ExtensionMethod = Literal["linear", "ntk", "dynamic", "parts", "yarn", "llama3", "longrope"]
# The options of each method, with their defaults.
_DEFAULTS: dict[ExtensionMethod, dict[str, float | bool | Sequence[float] | None]] = {
    "linear": {},
    "ntk": {},
    "dynamic": {},
    "parts": {"slow": 1.0, "fast": 32.0},
    "yarn": {"slow": 1.0, "fast": 32.0, "truncate": True, "attention_scale": None},
    "llama3": {"slow": 1.0, "fast": 4.0},
    "longrope": {"short_factors": None, "long_factors": None, "attention_scale": None},
}
_METHODS: tuple[ExtensionMethod, ...] = get_args(ExtensionMethod)
_OPTIONS = ("slow", "fast", "truncate", "attention_scale", "short_factors", "long_factors")


def scaled_frequencies(
    rotary_dim: int,
    base: float,
    method: ExtensionMethod,
    factor: float,
    original_length: int,
    length: int | None = None,
    **options: Any,
) -> tuple[Tensor, float]:
    """Return frequencies for texts ``factor`` times as long as in training, and the scale of q and k.

    Args:
        rotary_dim: how many features of a head rotate; even, and at least 4 for "ntk" and "dynamic".
        base: the base the model was trained with.
        method, factor, original_length, length, options: see ``ContextExtension``.

    Returns:
        Radians per position, float64 [rotary_dim/2] on the CPU, fastest first; and the number that multiplies
        rotated queries *and* keys (scores by its square), 1.0 unless the method is "yarn" or "longrope".

    Raises:
        ValueError: an unknown method, an option that the method does not know or that is missing, a factor
            below 1.

    >>> frequencies, scale = scaled_frequencies(8, 10000.0, "linear", factor=4, original_length=2048)
    >>> frequencies.tolist(), scale
    ([0.25, 0.025, 0.0025, 0.00025], 1.0)
    """
    extension = ContextExtension(method, factor, original_length, length, **options)
    return extension.frequencies(rotary_dim, base)


@dataclass(frozen=True)
class ContextExtension:
    """A method of ``scaled_frequencies`` with its settings, for ``RotaryEncoding(extension=…)``.

    Args:
        method: one of those listed at the top of this file.
        factor: s, how many times as long as in training the texts become, 1 or more. For "dynamic" the
            effective s is factor·length/original_length − (factor − 1).
        original_length: L, the longest length in training.
        length: for "dynamic" and "longrope": the present length; None counts as L. Up to L "dynamic" changes
            nothing, and "longrope" uses its short list.
        slow, fast: for "parts", "yarn", "llama3": a pair that makes at most ``slow`` turns in L positions is
            divided by s; one that makes at least ``fast`` turns stays (defaults 1 and 32; 1 and 4 for
            "llama3"). If both are the same number, there is a step instead of a ramp. Also known as beta_slow
            and beta_fast, or low_freq_factor and high_freq_factor.
        truncate: for "yarn": True lets its ramp begin and end at a whole pair, as in the released code.
        attention_scale: for "yarn" instead of 0.1 ln s + 1, for "longrope" instead of √(1 + ln s / ln L).
        short_factors, long_factors: for "longrope", which needs both: a number above 0 for each pair, fastest
            first.

    >>> longer = ContextExtension("yarn", factor=4, original_length=2048)
    >>> encoding = RotaryEncoding(d_head=64, extension=longer)
    >>> encoding.turn(torch.randn(1, 2, 8192, 64), torch.arange(8192)).shape
    torch.Size([1, 2, 8192, 64])
    """

    method: ExtensionMethod
    factor: float
    original_length: int
    length: int | None = None
    slow: float | None = None
    fast: float | None = None
    truncate: bool | None = None
    attention_scale: float | None = None
    short_factors: Sequence[float] | None = None
    long_factors: Sequence[float] | None = None

    def __post_init__(self) -> None:
        one_of("method", self.method, _METHODS)
        number("factor", self.factor, least=1)
        whole_number("original_length", self.original_length, 1)
        if self.length is not None:
            whole_number("length", self.length, 1)
        self._check_options()

    def _check_options(self) -> None:
        defaults = _DEFAULTS[self.method]
        for name in _OPTIONS:
            if getattr(self, name) is not None and name not in defaults:
                theirs = ", ".join(defaults) or "–"
                raise BilingualValueError(
                    f"方法 {self.method!r} 没有选项 {name}（它有：{theirs}）",
                    f"method {self.method!r} has no option {name} (it has: {theirs})",
                )
        if self.attention_scale is not None:
            number("attention_scale", self.attention_scale, least=0)
        if "slow" in defaults:
            slow, fast = (number(name, self._option(name), least=0) for name in ("slow", "fast"))
            if not 0 < slow <= fast:
                raise BilingualValueError(
                    f"slow 和 fast 是圈数，必须 0 < slow ≤ fast，收到 slow={slow:g}、fast={fast:g}",
                    f"slow and fast must be turns with 0 < slow ≤ fast; got slow={slow:g}, fast={fast:g}",
                )
        if self.method == "longrope":
            for name in ("short_factors", "long_factors"):
                object.__setattr__(self, name, _factors(name, getattr(self, name)))
            whole_number("original_length", self.original_length, 2)  # a division by ln L follows

    def _option(self, name: str) -> Any:
        value = getattr(self, name)
        return _DEFAULTS[self.method][name] if value is None else value

    @property
    def follows_length(self) -> bool:
        """True for "dynamic" and "longrope" without a length: they follow the length of the present text."""
        return self.method in ("dynamic", "longrope") and self.length is None

    def reaching(self, length: int) -> ContextExtension:
        """Return this extension for a text of ``length`` tokens, if it follows the length; else unchanged."""
        if not self.follows_length:
            return self
        return replace(self, length=max(length, self.original_length))

    def frequencies(self, rotary_dim: int, base: float = 10000.0) -> tuple[Tensor, float]:
        """Return what ``scaled_frequencies`` returns: float64 [rotary_dim/2], and the scale of q and k.

        Raises:
            ValueError: ``rotary_dim`` odd or too small, ``base`` not above 1, lists of another length.
        """
        rotary_dim, base = even_width(rotary_dim, "rotary_dim"), base_above_one(base)
        if self.method in ("ntk", "dynamic"):
            return frequencies_of(rotary_dim, _ntk_base(rotary_dim, base, self._stretch())), 1.0
        frequencies = frequencies_of(rotary_dim, base)
        if self.method == "linear":
            return frequencies / self.factor, 1.0
        if self.method == "longrope":
            return frequencies / self._searched(rotary_dim), self.scale
        if self.method == "yarn":
            shares = self._kept_by_pair(rotary_dim, base)
            return _mixed(frequencies, shares, self.factor), self.scale
        shares = kept_by_turns(frequencies, self.original_length, self._option("slow"), self._option("fast"))
        return _mixed(frequencies, shares, self.factor), 1.0

    def _stretch(self) -> float:
        """Return how many times slower the slowest pair becomes, for "ntk" and "dynamic"."""
        if self.method == "ntk":
            return self.factor
        length = max(self.length or 0, self.original_length)
        return self.factor * length / self.original_length - (self.factor - 1)

    @property
    def scale(self) -> float:
        """The factor of rotated queries and keys: for YaRN √(1/t), a fit to LLaMA models (§3.4)."""
        if self.attention_scale is not None:
            return float(self.attention_scale)
        if self.method == "longrope":
            return math.sqrt(1 + math.log(self.factor) / math.log(self.original_length))
        return 0.1 * math.log(self.factor) + 1 if self.method == "yarn" else 1.0

    def _searched(self, rotary_dim: int) -> Tensor:
        """Return the divisor of each pair's frequency at this length, float64 [rotary_dim/2]."""
        name = "long_factors" if (self.length or 0) > self.original_length else "short_factors"
        factors = getattr(self, name)
        if len(factors) != rotary_dim // 2:
            raise BilingualValueError(
                f"{name} 必须每对特征一个数，rotary_dim={rotary_dim} 时是 {rotary_dim // 2} 个，"
                f"收到 {len(factors)} 个",
                f"{name} must have a number for each pair, {rotary_dim // 2} for rotary_dim={rotary_dim}; "
                f"got {len(factors)}",
            )
        return torch.tensor(factors, dtype=torch.float64, device="cpu")

    def _kept_by_pair(self, rotary_dim: int, base: float) -> Tensor:
        """Return the ramp of YaRN's released code, [rotary_dim/2]: linear in the *number* of the pair.

        The paper's own ramp (§3.2) is linear in the turns, as in ``kept_by_turns``.
        """
        slow, fast = self._option("slow"), self._option("fast")

        def pair_that_makes(turns: float) -> float:
            return rotary_dim * math.log(self.original_length / (2 * math.pi * turns)) / (2 * math.log(base))

        first, last = pair_that_makes(fast), pair_that_makes(slow)
        if self._option("truncate"):
            first, last = math.floor(first), math.ceil(last)
        first, last = max(first, 0), min(last, rotary_dim - 1)
        # As in the released code, 0.001 avoids a division by zero. The released code adds it only where both
        # ends are equal. Where every pair is slower than ``slow`` or faster than ``fast``, ``last`` is below
        # ``first``, and its ramp runs backwards: pairs that should stay are divided, and the other way round.
        last = max(last, first + 0.001)
        pairs = torch.arange(rotary_dim // 2, dtype=torch.float64, device="cpu")
        return 1 - ((pairs - first) / (last - first)).clamp(0, 1)


def check_extension(extension: Any) -> ContextExtension | None:
    """Return ``extension`` if it is a ContextExtension or None; ValueError otherwise."""
    if extension is None or isinstance(extension, ContextExtension):
        return extension
    raise BilingualValueError(
        f'extension 必须是 ContextExtension，例如 ContextExtension("yarn", 4, 2048)，或者 None，'
        f"收到 {extension!r}",
        f'extension must be a ContextExtension, such as ContextExtension("yarn", 4, 2048), or None; '
        f"got {extension!r}",
    )


def _ntk_base(rotary_dim: int, base: float, factor: float) -> float:
    """Return the base b·s^(d/(d−2)): pair 0 keeps its speed, the last pair becomes exactly s times slower.

    The last pair's exponent is −(d−2)/d: with base b·x its frequency is b^(−(d−2)/d) · x^(−(d−2)/d), which is
    1/s of the old one if x = s^(d/(d−2)) (bloc97; YaRN's §3.1). ValueError for fewer than two pairs.
    """
    if rotary_dim < 4:
        raise BilingualValueError(
            f"换底数时 rotary_dim 必须不小于 4，只有一对时它既最快又最慢，收到 {rotary_dim}",
            f"rotary_dim must be 4 or more for a change of base: a single pair is both the fastest and the "
            f"slowest; got {rotary_dim}",
        )
    return base * factor ** (rotary_dim / (rotary_dim - 2))


def kept_by_turns(frequencies: Tensor, original_length: int, slow: float, fast: float) -> Tensor:
    """Return the share of its own frequency that each pair keeps, [n], 0 to 1: γ(r) of YaRN's §3.2.

    r is the number of turns that the pair makes in ``original_length`` positions. γ is 0 for r ≤ slow, 1 for
    r ≥ fast, and linear in r between them.
    """
    turns = original_length * frequencies / (2 * math.pi)
    if slow == fast:
        return (turns >= fast).to(turns.dtype)
    return ((turns - slow) / (fast - slow)).clamp(0, 1)


def _factors(name: str, numbers: Any) -> tuple[float, ...]:
    """Return ``numbers`` as a tuple of numbers above 0; ValueError otherwise."""
    if not isinstance(numbers, Sequence) or isinstance(numbers, str) or not numbers:
        raise BilingualValueError(
            f"方法 'longrope' 需要 {name}：每对特征一个大于 0 的数，收到 {numbers!r}",
            f"method 'longrope' needs {name}, a number above 0 for each pair; got {numbers!r}",
        )
    return tuple(number(f"{name}[{i}]", factor, above=0) for i, factor in enumerate(numbers))


def _mixed(frequencies: Tensor, shares: Tensor, factor: float) -> Tensor:
    return shares * frequencies + (1 - shares) * frequencies / factor
