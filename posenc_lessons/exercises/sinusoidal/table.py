"""Exercise of lesson 02 on the table, written from its definition."""

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Exercise, Question
from posenc_lessons.exercises.rotating import frequencies, interleaved
from posenc_lessons.exercises.solutions import sinusoidal as solutions
from posenc_lessons.language import Text


def _i(d_model: int) -> Tensor:
    return torch.arange(d_model // 2, dtype=torch.float64)


TABLE = Exercise(
    solutions.sinusoidal_table,
    questions=(
        (torch.arange(5), 6, 10000.0),  # with d = 4 some wrong exponents give the same table
        (torch.tensor([7, 2, 31, 2]), 8, 100.0),
        (torch.arange(10), 64, 100.0),
        # Positions that a short floating-point type cannot hold, then one where float32 angles go wrong.
        Question(torch.tensor([257]), 64, 10000.0, otherwise=recurring.BFLOAT16),
        Question(torch.tensor([1_000_000]), 64, 10000.0, otherwise=recurring.FLOAT32),
    ),
    praise=Text(
        "对。十行表、换底数、乱序的位置，以及位置 1000000，全都一致。",
        "Right: the ten-row table, another base, positions out of order, and position 1000000 all agree.",
    ),
    stub="my_table",
    tolerance=1e-4,
)


def _waves(positions: Tensor, theta: Tensor) -> Tensor:
    angles = torch.outer(positions.double(), theta)
    return interleaved(angles.sin(), angles.cos())


def angles_of(positions: Tensor, d_model: int, base: float) -> Tensor:
    return torch.outer(positions.double(), frequencies(d_model, base))


TABLE.mistake(
    "正弦和余弦放反了：从 0 数起，偶数列（0、2、4…）是正弦，奇数列是余弦。位置 0 那一行应当是 0 1 0 1。",
    "Sine and cosine are swapped: even columns (0, 2, 4 …) are sine, odd ones cosine.",
)(lambda *given: interleaved(angles_of(*given).cos(), angles_of(*given).sin()))


TABLE.mistake(
    "你把列分成了前后两半，一半正弦，一半余弦。这里要交错排列：table[:, 0::2] 与 table[:, 1::2]。",
    "Your columns are in two halves: here they interleave, table[:, 0::2] and table[:, 1::2].",
)(
    lambda *given: torch.cat([angles_of(*given).sin(), angles_of(*given).cos()], dim=1),
    lambda *given: torch.cat([angles_of(*given).cos(), angles_of(*given).sin()], dim=1),
)


recurring.wrong_bases(TABLE)


def _by_column(positions: Tensor, exponents: Tensor, base: float) -> Tensor:
    angles = torch.outer(positions.double(), base**exponents)
    return torch.where(torch.arange(len(exponents)) % 2 == 0, angles.sin(), angles.cos())


TABLE.mistake(
    "奇数列的指数用了 j/d：应当是 (j−1)/d，它和左边那一列是一对，频率相同。",
    "Your odd columns have the exponent j/d: it is (j−1)/d, their left neighbour's.",
)(lambda positions, d_model, base: _by_column(positions, -torch.arange(d_model).double() / d_model, base))
TABLE.mistake(recurring.DOUBLED)(
    lambda positions, d_model, base: _by_column(
        positions, -2 * torch.arange(d_model).double() / d_model, base
    )
)
TABLE.mistake(
    "少了一对括号：base ** -two_i / d 先算乘方，再除以 d。要的是 base ** (-two_i / d)。",
    "Brackets are missing: write base ** (-two_i / d), since the power comes before the division.",
)(lambda positions, d_model, base: _waves(positions, base ** (-2 * _i(d_model)) / d_model))
recurring.next_positions(TABLE, 0)
recurring.positions_not_used(TABLE, 0)
