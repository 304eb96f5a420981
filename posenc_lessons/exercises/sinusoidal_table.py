"""The first two exercises of lesson 02: frequencies and the table."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.encodings import sinusoidal_encoding
from posenc_lessons.exercises.exercise import Exercise, Question
from posenc_lessons.exercises.solutions import sinusoidal as solutions
from posenc_lessons.language import Text

NO_BASE = Text("base 不见了：频率是 base^(−2i/d)。", "The base is missing: the frequency is base^(−2i/d).")
ALWAYS_10000 = Text(
    "底数写死成了 10000：请用传进来的 base。", "The base is fixed at 10000: use the base that was passed in."
)


def _i(d_model: int) -> Tensor:
    return torch.arange(d_model // 2, dtype=torch.float64)


# ---- 1 · frequencies ----------------------------------------------------------------------------------

FREQUENCIES = Exercise(
    solutions.frequencies,
    questions=((8, 10000.0), (6, 50.0), (512, 10000.0)),
    praise=Text(
        "对。d_model/2 个频率，从 1 起每次缩小同样的倍数。",
        "Right. d_model/2 frequencies, starting at 1 and shrinking by the same factor each time.",
    ),
    tolerance=0.0,
    relative=1e-5,
)
check_frequencies = FREQUENCIES.check


@FREQUENCIES.mistake(
    "指数少了负号：频率应当越来越小，你的越来越大。",
    "The exponent lost its minus sign: frequencies should shrink, yours grow.",
)
def growing(d_model: int, base: float) -> Tensor:
    return base ** (2 * _i(d_model) / d_model)


@FREQUENCIES.mistake(
    "指数里用了 i/d，应当是 2i/d：现在最慢的钟只慢到 √base 倍左右。",
    "The exponent is i/d where it should be 2i/d: your slowest clock stops near √base.",
)
def i_over_d(d_model: int, base: float) -> Tensor:
    return base ** (-_i(d_model) / d_model)


@FREQUENCIES.mistake(
    "指数里的 2 乘了两次：arange(0, d, 2) 已经是 2i 了，别再乘 2。",
    "The 2 is in twice: arange(0, d, 2) already is 2i, so do not double it again.",
)
def doubled_twice(d_model: int, base: float) -> Tensor:
    return base ** (-4 * _i(d_model) / d_model)


@FREQUENCIES.mistake(
    "base 不见了：指数里要乘上 ln(base)，否则底数就成了 e。",
    "The base is missing: multiply the exponent by ln(base), or the base becomes e.",
)
def without_the_base(d_model: int, base: float) -> Tensor:
    return torch.exp(-2 * _i(d_model) / d_model)


@FREQUENCIES.mistake(
    "用了 log10：与 exp 配对的是自然对数 math.log。",
    "That is log10: the partner of exp is the natural logarithm, math.log.",
)
def with_log10(d_model: int, base: float) -> Tensor:
    return torch.exp(-2 * _i(d_model) * math.log10(base) / d_model)


@FREQUENCIES.mistake(ALWAYS_10000)
def always_ten_thousand(d_model: int, base: float) -> Tensor:
    return 10000.0 ** (-2 * _i(d_model) / d_model)


@FREQUENCIES.mistake(
    "括号错位：−ln(base)/d 要在 exp 的里面，不是乘在外面。",
    "A bracket is misplaced: −ln(base)/d belongs inside exp, not multiplied outside it.",
)
def bracket_outside_exp(d_model: int, base: float) -> Tensor:
    return torch.exp(2 * _i(d_model)) * (-math.log(base) / d_model)


@FREQUENCIES.mistake(
    "分母用了 d/2 − 1。tensor2tensor 的代码确实这样写，但论文的公式是 2i/d。",
    "The denominator is d/2 − 1. tensor2tensor's code does that, but the paper's formula is 2i/d.",
)
def tensor2tensor_denominator(d_model: int, base: float) -> Tensor:
    return base ** (-_i(d_model) / (d_model // 2 - 1))


@FREQUENCIES.mistake(
    "{call} 返回了 {d_model} 个数。每一对列共用一个频率，所以只要 d_model/2 = {half} 个。",
    "{call} returned {d_model} numbers. Each pair of columns shares one frequency, so there are "
    "d_model/2 = {half}.",
    half=lambda d_model, base: d_model // 2,
)
def one_per_column(d_model: int, base: float) -> Tensor:
    return base ** (-torch.arange(d_model, dtype=torch.float64) / d_model)


@FREQUENCIES.right
def in_float32(d_model: int, base: float) -> Tensor:
    return solutions.frequencies(d_model, base).float()


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
check_table = TABLE.check


def _interleaved(sine: Tensor, cosine: Tensor) -> Tensor:
    return torch.stack([sine, cosine], dim=-1).flatten(-2)


def _waves(positions: Tensor, theta: Tensor) -> Tensor:
    angles = torch.outer(positions.double(), theta)
    return _interleaved(angles.sin(), angles.cos())


def angles_of(positions: Tensor, d_model: int, base: float) -> Tensor:
    return torch.outer(positions.double(), solutions.frequencies(d_model, base))


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


@TABLE.mistake(
    "指数里用了 i/d，应当是 2i/d（i 数的是第几对，不是第几列）。",
    "The exponent is i/d where it should be 2i/d (i counts pairs, not columns).",
)
def table_i_over_d(positions: Tensor, d_model: int, base: float) -> Tensor:
    return _waves(positions, i_over_d(d_model, base))


def _by_column(positions: Tensor, exponents: Tensor, base: float) -> Tensor:
    angles = torch.outer(positions.double(), base**exponents)
    return torch.where(torch.arange(len(exponents)) % 2 == 0, angles.sin(), angles.cos())


@TABLE.mistake(
    "奇数列 j 的指数应当是 (j−1)/d：它和左边那一列是一对，频率相同。你用了 j/d。",
    "An odd column j has exponent (j−1)/d: it shares its left neighbour's frequency. You used j/d.",
)
def odd_column_with_its_own_exponent(positions: Tensor, d_model: int, base: float) -> Tensor:
    return _by_column(positions, -torch.arange(d_model).double() / d_model, base)


@TABLE.mistake(
    "指数里的 2i 用了列号：列号 j 本身就等于 2i（偶数列），不用再乘 2。",
    "The 2i in your exponent doubles the column index; column j already equals 2i (for even j).",
)
def column_index_doubled(positions: Tensor, d_model: int, base: float) -> Tensor:
    return _by_column(positions, -2 * torch.arange(d_model).double() / d_model, base)


@TABLE.mistake(NO_BASE)
def table_without_the_base(positions: Tensor, d_model: int, base: float) -> Tensor:
    return _waves(positions, without_the_base(d_model, base))


@TABLE.mistake(ALWAYS_10000)
def table_always_ten_thousand(positions: Tensor, d_model: int, base: float) -> Tensor:
    return _waves(positions, always_ten_thousand(d_model, base))


@TABLE.mistake(
    "频率少了负号：应当除以 base^(2i/d)，你乘上去了。",
    "The frequency lost its minus sign: divide by base^(2i/d); you multiplied.",
)
def table_growing(positions: Tensor, d_model: int, base: float) -> Tensor:
    return _waves(positions, growing(d_model, base))


@TABLE.mistake(
    "位置多了 1：从 0 数起，位置 0 的角度全是 0。",
    "Positions are one too large: count from 0, so that position 0 has every angle 0.",
)
def positions_from_one(positions: Tensor, d_model: int, base: float) -> Tensor:
    return solutions.sinusoidal_table(positions + 1, d_model, base)


@TABLE.mistake(
    "没有用传进来的 positions：它不一定是 0、1、2…",
    "The positions passed in were not used: they need not be 0, 1, 2 …",
)
def positions_ignored(positions: Tensor, d_model: int, base: float) -> Tensor:
    return solutions.sinusoidal_table(torch.arange(len(positions)), d_model, base)


@TABLE.mistake(
    "把角度当成了度数：sin 和 cos 收的是弧度，不用换算。",
    "The angles were treated as degrees: sin and cos take radians, so no conversion.",
)
def in_degrees(positions: Tensor, d_model: int, base: float) -> Tensor:
    return _waves(positions, torch.deg2rad(solutions.frequencies(d_model, base)))


@TABLE.mistake(
    "角度多乘了 2π：公式里是 sin(pos·θ)，θ 已经是弧度。",
    "The angles carry an extra 2π: the formula is sin(pos·θ), and θ is in radians already.",
)
def in_turns(positions: Tensor, d_model: int, base: float) -> Tensor:
    return _waves(positions, 2 * math.pi * solutions.frequencies(d_model, base))


@TABLE.example(BFLOAT16)
def bfloat16_positions(positions: Tensor, d_model: int, base: float) -> Tensor:
    return _waves(positions.bfloat16(), solutions.frequencies(d_model, base))


@TABLE.example(FLOAT16)
def float16_positions(positions: Tensor, d_model: int, base: float) -> Tensor:
    return _waves(positions.half(), solutions.frequencies(d_model, base))


@TABLE.example(FLOAT32)
def float32_angles(positions: Tensor, d_model: int, base: float) -> Tensor:
    angles = torch.outer(positions.float(), solutions.frequencies(d_model, base).float())
    return _interleaved(angles.sin(), angles.cos())


@TABLE.right
def in_float64(positions: Tensor, d_model: int, base: float) -> Tensor:
    return _waves(positions, solutions.frequencies(d_model, base))


@TABLE.right
def from_the_package(positions: Tensor, d_model: int, base: float) -> Tensor:
    return sinusoidal_encoding(positions, d_model, base=base)
