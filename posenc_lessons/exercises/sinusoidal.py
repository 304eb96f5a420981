"""The exercises of lesson 02: similarity, the shift matrix, adding positions.

The first two, frequencies and the table, are in ``sinusoidal_table``.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons import encodings
from posenc_lessons.exercises.exercise import Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.sinusoidal_table import (
    ALWAYS_10000,
    angles_of,
    check_frequencies,
    check_table,
    i_over_d,
)
from posenc_lessons.exercises.solutions import sinusoidal as solutions
from posenc_lessons.language import Text

__all__ = [
    "check_add_positions",
    "check_frequencies",
    "check_shift_matrix",
    "check_similarity",
    "check_table",
]

I_OVER_D = Text("指数里用了 i/d，应当是 2i/d。", "The exponent is i/d where it should be 2i/d.")

# ---- 3 · similarity -----------------------------------------------------------------------------------

SIMILARITY = Exercise(
    solutions.similarity,
    questions=(
        (torch.tensor([0]), 8, 10000.0),
        (torch.tensor([-3, -1, 0, 1, 3, 50]), 8, 10000.0),
        (torch.tensor([2, -2, 5000]), 64, 100.0),
    ),
    praise=Text(
        "对。k 与 −k 给出同一个数：只知道远近，不知道方向。",
        "Right. k and −k give the same number: it knows how far, not which way.",
    ),
    tolerance=lambda offsets, d_model, base: 1e-4 * d_model,
)
check_similarity = SIMILARITY.check


@SIMILARITY.mistake(
    "你求了平均（或余弦相似度）。点积是求和：k = 0 时等于 d/2，不是 1。",
    "You took the mean (or the cosine similarity). A dot product is the sum: d/2 at k = 0, not 1.",
)
def averaged(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return solutions.similarity(offsets, d_model, base) / (d_model // 2)


@SIMILARITY.mistake(
    "大了一倍：每一对列合起来只贡献一个 cos(kθ_i)，共 d/2 项，不是 d 项。",
    "Twice too large: each pair of columns gives one cos(kθ_i) in all, so d/2 terms, not d.",
)
def counted_per_column(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return 2 * solutions.similarity(offsets, d_model, base)


@SIMILARITY.mistake(
    "你加的是 sin(kθ_i)。sin·sin + cos·cos 合成的是 cos：k = 0 时应当最大。",
    "You summed sin(kθ_i). sin·sin + cos·cos folds into a cosine: it should be largest at k = 0.",
)
def sines_summed(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return angles_of(offsets, d_model, base).sin().sum(dim=1)


@SIMILARITY.mistake(
    "这是把 PE(k) 的各列加了起来，不是两个向量的点积。",
    "That adds up the columns of PE(k); it is not the dot product of two vectors.",
)
def columns_summed(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return solutions.sinusoidal_table(offsets, d_model, base).sum(dim=1)


@SIMILARITY.mistake(I_OVER_D)
def similarity_i_over_d(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return torch.outer(offsets.double(), i_over_d(d_model, base)).cos().sum(dim=1)


@SIMILARITY.mistake(ALWAYS_10000)
def similarity_always_ten_thousand(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return solutions.similarity(offsets, d_model, 10000.0)


@SIMILARITY.mistake(
    "把角度当成了度数：cos 收的是弧度。", "The angles were treated as degrees: cos takes radians."
)
def similarity_in_degrees(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return torch.deg2rad(angles_of(offsets, d_model, base)).cos().sum(dim=1)


@SIMILARITY.right
def through_the_table(offsets: Tensor, d_model: int, base: float) -> Tensor:
    zero = solutions.sinusoidal_table(torch.zeros(1), d_model, base)[0]
    return solutions.sinusoidal_table(offsets, d_model, base) @ zero


# ---- 4 · the shift matrix -----------------------------------------------------------------------------

SHIFT_MATRIX = Exercise(
    solutions.shift_matrix,
    questions=((1, 4, 10000.0), (3, 8, 100.0), (-5, 6, 10000.0), (0, 4, 10000.0)),
    praise=Text(
        "对。同一个矩阵，把每个位置都往前送 k 步，而且是旋转。",
        "Right. One matrix moves every position k steps on, and it is a rotation.",
    ),
    stub="my_shift_matrix",
)
check_shift_matrix = SHIFT_MATRIX.check


def _blocks(angles: Tensor, lower_sign: float = -1.0) -> Tensor:
    cos, sin = angles.cos(), angles.sin()
    rows = torch.stack([torch.stack([cos, sin], -1), torch.stack([lower_sign * sin, cos], -1)], -2)
    return torch.block_diag(*rows)


@SHIFT_MATRIX.right
def from_the_package(offset: int, d_model: int, base: float) -> Tensor:
    return encodings.shift_matrix(offset, d_model, base=base)


@SHIFT_MATRIX.mistake(
    "你的矩阵转置了（sin 的符号反了）：它把 PE(p) 变成 PE(p−k)，往回走了 k 步。",
    "Your matrix is transposed (the sines have the opposite sign): it turns PE(p) into PE(p−k), k steps "
    "backwards.",
)
def transposed(offset: int, d_model: int, base: float) -> Tensor:
    return solutions.shift_matrix(offset, d_model, base).T


@SHIFT_MATRIX.mistake(
    "你的矩阵配的是拼接式布局（先全部正弦，再全部余弦）。这里每一对列相邻，2×2 的块排在对角线上。",
    "Your matrix fits the concatenated layout (all sines, then all cosines). Here a pair is two neighbouring "
    "columns, so the 2×2 blocks sit along the diagonal.",
)
def half_split(offset: int, d_model: int, base: float) -> Tensor:
    angles = offset * solutions.frequencies(d_model, base)
    cos, sin = torch.diag(angles.cos()), torch.diag(angles.sin())
    return torch.cat([torch.cat([cos, sin], 1), torch.cat([-sin, cos], 1)])


@SHIFT_MATRIX.mistake(
    "每一块都转了同样的角度：第 i 块应当转 kθ_i，每只钟有自己的快慢。",
    "Every block turns by the same angle: block i should turn by kθ_i, each clock at its own rate.",
)
def one_rate_for_all(offset: int, d_model: int, base: float) -> Tensor:
    return _blocks(torch.full((d_model // 2,), float(offset)))


@SHIFT_MATRIX.mistake(
    "两个 sin 同号，就不是旋转了：一个正，一个负。",
    "Both sines have the same sign, so this is no rotation: one is plus, the other minus.",
)
def both_sines_plus(offset: int, d_model: int, base: float) -> Tensor:
    return _blocks(offset * solutions.frequencies(d_model, base), lower_sign=1.0)


@SHIFT_MATRIX.mistake("没有用到 offset：角度是 kθ_i。", "The offset was not used: the angle is kθ_i.")
def offset_unused(offset: int, d_model: int, base: float) -> Tensor:
    return _blocks(solutions.frequencies(d_model, base))


@SHIFT_MATRIX.mistake(I_OVER_D)
def shift_i_over_d(offset: int, d_model: int, base: float) -> Tensor:
    return _blocks(offset * i_over_d(d_model, base))


@SHIFT_MATRIX.mistake(ALWAYS_10000)
def shift_always_ten_thousand(offset: int, d_model: int, base: float) -> Tensor:
    return solutions.shift_matrix(offset, d_model, 10000.0)


@SHIFT_MATRIX.mistake(
    "把角度当成了度数：cos 和 sin 收的是弧度。",
    "The angles were treated as degrees: cos and sin take radians.",
)
def shift_in_degrees(offset: int, d_model: int, base: float) -> Tensor:
    return _blocks(torch.deg2rad(offset * solutions.frequencies(d_model, base)))


# ---- 5 · adding positions -----------------------------------------------------------------------------

X_CHANGED = Text(
    "你的函数改动了传进来的 {changed}（多半是用了 += 或 add_）。返回一个新张量：x + …",
    "Your function changed the {changed} it was given (a += or add_, most likely). Return a new tensor: "
    "x + …",
)
WRONG_AXIS = Text(
    "加错了维：你按句子的序号（第 0 维）取行，同一句里每个位置都一样。位置在第 1 维。",
    "Wrong axis: rows were picked by sentence (axis 0), so every position of a sentence gets the same one. "
    "Positions are axis 1.",
)

ADD_POSITIONS = Exercise(
    solutions.add_positions,
    questions=[
        (random_numbers(*positions.shape, 6, seed=positions.numel()), random_numbers(12, 6), positions)
        for positions in (
            torch.arange(4)[None],
            torch.tensor([[0, 0, 1, 2, 3], [0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]),
            torch.tensor([[7], [3]]),
            torch.tensor([[11, 0, 3, 3], [2, 1, 0, 10], [4, 5, 6, 7], [0, 1, 2, 3]]),
        )
    ],
    praise=Text(
        "对。每个词元加上它自己那个位置的一行，句子之间可以不同，x 原封不动。",
        "Right. Each token gets the row of its position, which may differ between sentences; x itself is "
        "left alone.",
    ),
    changed=X_CHANGED,
)
check_add_positions = ADD_POSITIONS.check


@ADD_POSITIONS.mistake(
    "少了一个冒号：table[L] 只取出第 {length} 这一行，加到了每个位置上。要的是前 L 行，table[:L]。",
    "A colon is missing: table[L] is the single row {length}, added to every position. You want the first L "
    "rows, table[:L].",
    length=lambda x, table, positions: x.size(1),
)
def row_l_everywhere(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    return x + table[x.size(1)]


@ADD_POSITIONS.mistake(
    "你取了表的前 L 行，没有用 positions：有填充、有缓存时，第 1 列的词元不一定在位置 0。",
    "You take the first L rows and do not use positions: with padding or a cache the token in the first "
    "column need not be at position 0.",
)
def first_rows(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    return x + table[: x.size(1)]


@ADD_POSITIONS.mistake(
    "每个句子都用了第一句的位置：positions 是 [B, L]，每句一行。",
    "Every sentence gets the first one's positions: positions is [B, L], a row for each.",
)
def positions_of_the_first_sentence(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    return x + table[positions[0]]


@ADD_POSITIONS.mistake(WRONG_AXIS)
def rows_by_sentence(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    return x + table[: x.size(0)][:, None, :]


@ADD_POSITIONS.mistake(WRONG_AXIS)
def sliced_by_the_batch(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    return x + table[: x.size(0)]


@ADD_POSITIONS.mistake(
    "多了 1：位置 0 的词元要加第 0 行。",
    "One too many: the token at position 0 takes row 0.",
)
def from_row_one(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    return x + table[(positions + 1).clamp(max=len(table) - 1)]


@ADD_POSITIONS.example(X_CHANGED)
def in_place(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    x += table[positions]
    return x


@ADD_POSITIONS.mistake(
    "只返回了位置编码，词嵌入 x 不见了。", "Only the position codes came back: the embeddings x are lost."
)
def positions_alone(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    return table[positions]


@ADD_POSITIONS.mistake("这里是相加，不是相乘。", "The two are added, not multiplied.")
def multiplied(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    return x * table[positions]


@ADD_POSITIONS.mistake(
    "x 原样返回了，还没有加上位置编码。", "x came back unchanged: no position code was added."
)
def unchanged(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    return x


@ADD_POSITIONS.mistake("这里不要乘 √d：那是嵌入层的事。", "No √d here: that is for the embedding layer.")
def scaled_as_well(x: Tensor, table: Tensor, positions: Tensor) -> Tensor:
    return x * math.sqrt(x.size(2)) + table[positions]
