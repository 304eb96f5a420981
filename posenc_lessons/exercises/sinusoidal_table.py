"""The first two exercises of lesson 02: the base and the table."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.encodings import sinusoidal_encoding
from posenc_lessons.exercises.exercise import Exercise, Question
from posenc_lessons.exercises.reading import one_number
from posenc_lessons.exercises.solutions import sinusoidal as solutions
from posenc_lessons.language import Text

ALWAYS_10000 = Text(
    "底数写死成了 10000：请用传进来的 base。", "The base is fixed at 10000: use the base that was passed in."
)


def frequencies(d_model: int, base: float) -> Tensor:
    """θ_i [d_model/2], float64."""
    return base ** (-2 * _i(d_model) / d_model)


def i_over_d(d_model: int, base: float) -> Tensor:
    """The frequencies with i/d in place of 2i/d."""
    return base ** (-_i(d_model) / d_model)


def _i(d_model: int) -> Tensor:
    return torch.arange(d_model // 2, dtype=torch.float64)


# ---- 1 · the base ---------------------------------------------------------------------------------------

BASE_FOR = Exercise(
    solutions.base_for,
    questions=((512, 60611.0), (4, 1000.0), (64, 8192.0), (8, 100.0)),
    praise=Text(
        "对。宽度 512、波长 60611，得到的正是 10000；宽度越小，底数要越大，因为最慢的那只钟是第 d/2 − 1 只，"
        "够不到 1/base。",
        "Right. At width 512 a wavelength of 60611 gives 10000; the narrower the vector, the larger the "
        "base, for the slowest clock is number d/2 − 1 and stops short of 1/base.",
    ),
    read=one_number,
    tolerance=0.0,
    relative=1e-4,
)

BASE_FOR.mistake(
    "最慢的频率不是 1/base：i 最大是 d/2 − 1，指数是 (d−2)/d。要把它也解出来。",
    "The slowest frequency is not 1/base: i goes up to d/2 − 1, so the exponent is (d−2)/d, and has to be "
    "undone as well.",
)(lambda d_model, longest: longest / (2 * math.pi))
BASE_FOR.mistake(
    "方向反了：波长是 2π·base^((d−2)/d)，由波长求底数，指数要取倒数 d/(d−2)。",
    "The wrong way round: the wavelength is 2π·base^((d−2)/d), and going back to the base takes the "
    "reciprocal, d/(d−2).",
)(lambda d_model, longest: (longest / (2 * math.pi)) ** ((d_model - 2) / d_model))
BASE_FOR.mistake(
    "漏了 2π：转一圈是 2π 弧度，不是 1 弧度。", "2π is missing: a full turn is 2π radians, not 1."
)(lambda d_model, longest: float(longest ** (d_model / (d_model - 2))))
BASE_FOR.mistake(
    "2π 要除，你乘了：波长 = 2π / θ，所以 1/θ = longest / 2π。",
    "You multiply by 2π; divide: the wavelength is 2π / θ, so 1/θ = longest / 2π.",
)(lambda d_model, longest: float((longest * 2 * math.pi) ** (d_model / (d_model - 2))))
BASE_FOR.mistake("一圈是 2π 弧度，你用了 360 度。", "A turn is 2π radians; you used 360 degrees.")(
    lambda d_model, longest: float((longest / 360) ** (d_model / (d_model - 2)))
)
BASE_FOR.mistake(
    "i 数的是第几对，最大是 d/2 − 1；你一直数到了 d − 1 列。",
    "i counts pairs and stops at d/2 − 1; yours counts columns, up to d − 1.",
)(lambda d_model, longest: float((longest / (2 * math.pi)) ** (d_model / (2 * (d_model - 1)))))
BASE_FOR.mistake("指数里是 2i/d，你用了 i/d。", "The exponent is 2i/d; you have i/d.")(
    lambda d_model, longest: float((longest / (2 * math.pi)) ** (2 * d_model / (d_model - 2)))
)
BASE_FOR.mistake(
    "10000 只是论文的选择，这里要的是能让最慢的钟恰好转这么久的底数。",
    "10000 is the paper's choice; here it should be the base at which the slowest clock takes just that "
    "long.",
)(lambda *_: 10000.0)


@BASE_FOR.right
def by_bisection(d_model: int, longest: float) -> float:
    low, high = 1.0, 1e12
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (
            (middle, high)
            if 2 * math.pi / float(frequencies(d_model, middle)[-1]) < longest
            else (low, middle)
        )
    return low


# ---- 2 · the table ------------------------------------------------------------------------------------

BFLOAT16 = Text(
    "位置 257 就错了。位置或角度多半存成了 bfloat16：它只能准确数到 256，再往后 257 会变成 256。用 "
    "torch.float64 算角度。（最大误差 {error}）",
    "Position 257 is already wrong. Positions or angles are probably held in bfloat16, which counts exactly "
    "only to 256; after that 257 becomes 256. Compute the angles in torch.float64. (Largest error: {error}.)",
)
FLOAT16 = Text(
    "位置 2049 错了。位置或角度多半存成了 float16：它只能准确数到 2048。用 torch.float64 算角度。"
    "（最大误差 {error}）",
    "Position 2049 is wrong. Positions or angles are probably held in float16, which counts exactly only to "
    "2048. Compute the angles in torch.float64. (Largest error: {error}.)",
)
FLOAT32 = Text(
    "近处都对，位置 1000000 错了：角度是用 float32 算的，只有约 7 位有效数字，大角度的小数部分就丢了。先用 "
    "torch.float64 算角度，最后再取一次舍入。（最大误差 {error}）",
    "Near positions are right, position 1000000 is wrong: the angles are float32, about 7 digits, and a "
    "large angle loses its fraction. Compute angles in torch.float64 and round once, at the end. (Largest "
    "error: {error}.)",
)

TABLE = Exercise(
    solutions.sinusoidal_table,
    questions=(
        (torch.arange(10), 4, 10000.0),
        (torch.tensor([7, 2, 31, 2]), 8, 100.0),
        (torch.arange(100), 64, 10000.0),
        # Positions that a short floating-point type cannot hold, then one where float32 angles go wrong.
        Question(torch.tensor([257]), 64, 10000.0, otherwise=BFLOAT16),
        Question(torch.tensor([2049]), 64, 10000.0, otherwise=FLOAT16),
        Question(torch.tensor([1_000_000]), 64, 10000.0, otherwise=FLOAT32),
    ),
    praise=Text(
        "对。十行表、换底数、乱序的位置，以及位置 1000000，全都一致。",
        "Right: the ten-row table, another base, positions out of order, and position 1000000 all agree.",
    ),
    stub="my_table",
    tolerance=1e-4,
)


def _interleaved(sine: Tensor, cosine: Tensor) -> Tensor:
    return torch.stack([sine, cosine], dim=-1).flatten(-2)


def _waves(positions: Tensor, theta: Tensor) -> Tensor:
    angles = torch.outer(positions.double(), theta)
    return _interleaved(angles.sin(), angles.cos())


def angles_of(positions: Tensor, d_model: int, base: float) -> Tensor:
    return torch.outer(positions.double(), frequencies(d_model, base))


@TABLE.mistake(
    "正弦和余弦放反了：从 0 数起，偶数列（0、2、4…）是正弦，奇数列是余弦。位置 0 那一行应当是 0 1 0 1。",
    "Sine and cosine are swapped: counting from 0, even columns (0, 2, 4 …) are sine, odd ones cosine. The "
    "row of position 0 should read 0 1 0 1.",
)
def swapped(positions: Tensor, d_model: int, base: float) -> Tensor:
    angles = angles_of(positions, d_model, base)
    return _interleaved(angles.cos(), angles.sin())


@TABLE.mistake(
    "你的布局是拼接式：先全部正弦，再全部余弦。这里要交错式：table[:, 0::2] 与 table[:, 1::2]。",
    "Your layout is concatenated: all sines, then all cosines. Here they interleave: table[:, 0::2] and "
    "table[:, 1::2].",
)
def concatenated(positions: Tensor, d_model: int, base: float) -> Tensor:
    angles = angles_of(positions, d_model, base)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


TABLE.mistake(
    "指数里用了 i/d，应当是 2i/d（i 数的是第几对，不是第几列）。",
    "The exponent is i/d where it should be 2i/d (i counts pairs, not columns).",
)(lambda positions, d_model, base: _waves(positions, i_over_d(d_model, base)))


def _by_column(positions: Tensor, exponents: Tensor, base: float) -> Tensor:
    angles = torch.outer(positions.double(), base**exponents)
    return torch.where(torch.arange(len(exponents)) % 2 == 0, angles.sin(), angles.cos())


TABLE.mistake(
    "奇数列 j 的指数应当是 (j−1)/d：它和左边那一列是一对，频率相同。你用了 j/d。",
    "An odd column j has exponent (j−1)/d: it shares its left neighbour's frequency. You used j/d.",
)(lambda positions, d_model, base: _by_column(positions, -torch.arange(d_model).double() / d_model, base))
TABLE.mistake(
    "指数里的 2i 用了列号：列号 j 本身就等于 2i（偶数列），不用再乘 2。",
    "The 2i in your exponent doubles the column index; column j already equals 2i (for even j).",
)(lambda positions, d_model, base: _by_column(positions, -2 * torch.arange(d_model).double() / d_model, base))
TABLE.mistake("base 不见了：频率是 base^(−2i/d)。", "The base is missing: the frequency is base^(−2i/d).")(
    lambda positions, d_model, *_: _waves(positions, frequencies(d_model, math.e))
)
TABLE.mistake(ALWAYS_10000)(lambda positions, d_model, *_: _waves(positions, frequencies(d_model, 10000.0)))
TABLE.mistake(
    "频率少了负号：应当除以 base^(2i/d)，你乘上去了。",
    "The frequency lost its minus sign: divide by base^(2i/d); you multiplied.",
)(lambda positions, d_model, base: _waves(positions, 1 / frequencies(d_model, base)))
TABLE.mistake(
    "位置多了 1：从 0 数起，位置 0 的角度全是 0。",
    "Positions are one too large: count from 0, so that position 0 has every angle 0.",
)(lambda positions, d_model, base: solutions.sinusoidal_table(positions + 1, d_model, base))
TABLE.mistake(
    "没有用传进来的 positions：它不一定是 0、1、2…",
    "The positions passed in were not used: they need not be 0, 1, 2 …",
)(lambda positions, d_model, base: solutions.sinusoidal_table(torch.arange(len(positions)), d_model, base))
TABLE.mistake(
    "把角度当成了度数：sin 和 cos 收的是弧度，不用换算。",
    "The angles were treated as degrees: sin and cos take radians, so no conversion.",
)(lambda positions, d_model, base: _waves(positions, torch.deg2rad(frequencies(d_model, base))))
TABLE.mistake(
    "角度多乘了 2π：公式里是 sin(pos·θ)，θ 已经是弧度。",
    "The angles carry an extra 2π: the formula is sin(pos·θ), and θ is in radians already.",
)(lambda positions, d_model, base: _waves(positions, 2 * math.pi * frequencies(d_model, base)))
TABLE.example(BFLOAT16)(
    lambda positions, d_model, base: _waves(positions.bfloat16(), frequencies(d_model, base))
)
TABLE.example(FLOAT16)(lambda positions, d_model, base: _waves(positions.half(), frequencies(d_model, base)))


@TABLE.example(FLOAT32)
def float32_angles(positions: Tensor, d_model: int, base: float) -> Tensor:
    angles = torch.outer(positions.float(), frequencies(d_model, base).float())
    return _interleaved(angles.sin(), angles.cos())


TABLE.right(lambda positions, d_model, base: _waves(positions, frequencies(d_model, base)))
TABLE.right(lambda positions, d_model, base: sinusoidal_encoding(positions, d_model, base=base))
