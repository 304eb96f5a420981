"""Exercises of lesson 02 on distances between codes, and on a head that looks in one direction."""

import math

import torch
from torch import Tensor

from posenc_lessons import encodings
from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Answer, Exercise
from posenc_lessons.exercises.reading import numbers, same_shape
from posenc_lessons.exercises.rotating import frequencies
from posenc_lessons.exercises.sinusoidal.table import angles_of
from posenc_lessons.exercises.solutions import sinusoidal as solutions
from posenc_lessons.language import Text

# ---- how far apart ------------------------------------------------------------------------------------

APART = Exercise(
    solutions.apart,
    questions=((torch.tensor([-3, -1, 0, 1, 3, 50]), 8, 10000.0), (torch.tensor([2, -2, 5000]), 64, 100.0)),
    praise=Text(
        "对。k 很小时它和 |k| 成正比，越往后越慢，再远也超不过 2√(d/2)：所有的位置都在同一个球面上。",
        "Right. For small k it is proportional to |k|, then it levels off, and never passes 2√(d/2): all "
        "positions lie on one sphere.",
    ),
    tolerance=1e-4,
)


def _similarity(offsets: Tensor, d_model: int, base: float) -> Tensor:
    return angles_of(offsets, d_model, base).cos().sum(dim=1)


def _from(similarity: Tensor, d_model: int) -> Tensor:
    return (d_model - 2 * similarity).clamp(min=0).sqrt()


APART.mistake(
    "这是点积（第 5 节的和），还不是距离。|a−b|² = |a|² + |b|² − 2a·b。",
    "That is the dot product, the sum of section 5, and not yet a distance. |a−b|² = |a|² + |b|² − 2a·b.",
)(_similarity)
APART.mistake("忘了开方：这是距离的平方。", "The root is missing: that is the distance squared.")(
    lambda offsets, d_model, base: _from(_similarity(offsets, d_model, base), d_model).square()
)
APART.mistake(
    "合成得不对：|a−b|² = |a|² + |b|² − 2a·b = d/2 + d/2 − 2a·b，k = 0 时应当是 0。",
    "The terms do not add up: |a−b|² = |a|² + |b|² − 2a·b = d/2 + d/2 − 2a·b, which must be 0 at k = 0.",
)(
    lambda offsets, d_model, base: (d_model - _similarity(offsets, d_model, base)).sqrt(),
    lambda offsets, d_model, base: (d_model / 2 - _similarity(offsets, d_model, base)).clamp(min=0).sqrt(),
    lambda offsets, d_model, base: (2 * d_model - 2 * _similarity(offsets, d_model, base)).sqrt(),
)
recurring.wrong_bases(APART)


# ---- a head that looks --------------------------------------------------------------------------------

POSITIONS = 40  # the positions at which a head is tried


def _where(answer: Answer, offset: int, d_model: int, base: float) -> Tensor:
    """Return how far ahead each query's best key is, for queries that have a key ``offset`` ahead."""
    matrix = numbers(answer(offset, d_model, base))
    same_shape(matrix, (d_model, d_model))
    codes = encodings.sinusoidal_encoding(POSITIONS, d_model, base=base, dtype=torch.float64)
    scores = codes @ matrix @ codes.T
    if not bool(scores.isfinite().all()):
        return torch.full((1,), math.nan)
    queries = torch.arange(max(0, -offset), POSITIONS - max(0, offset))
    return (scores.argmax(dim=1)[queries] - queries).double()


HEAD = Exercise(
    solutions.head_that_looks,
    questions=((2, 16, 100.0), (-3, 16, 100.0), (5, 64, 10000.0), (0, 8, 100.0)),
    praise=Text(
        "对。最省事的是 W = M_kᵀ：PE(m)ᵀ M_kᵀ PE(n) = PE(m+k)·PE(n)，n = m + k 时最大。一个头就这样"
        "有了方向。",
        "Right. The simplest is W = M_kᵀ: PE(m)ᵀ M_kᵀ PE(n) = PE(m+k)·PE(n) is largest at n = m + k. So a "
        "head has a direction.",
    ),
    stub="my_head",
    pose=_where,
    call=lambda offset, d_model, base: (
        f"((PE @ my_head({offset}, {d_model}, {base:g}) @ PE.T).argmax(1) - m)"
    ),
    tolerance=0.0,
    otherwise=Text(
        "有的查询最关注的不是该看的键：每一对该转 kθ_i。",
        "Some query attends most to another key than it should: each pair has to turn by kθ_i.",
    ),
)


def _blocks(angles: Tensor) -> Tensor:
    cos, sin = angles.cos(), angles.sin()
    rows = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)
    return torch.block_diag(*rows)


HEAD.mistake(
    "方向反了：这个头看的是 m − k。第 6 节的 M_3 看的是前面第三个，不是后面第三个；要的是它的转置。",
    "Your head looks the other way, at m − k: the transpose is wanted.",
)(lambda offset, d_model, base: _blocks(-offset * frequencies(d_model, base)))
HEAD.mistake(
    "每个查询最关注的都是自己：W 里没有 k，或者每块都没有转。",
    "Every query attends most to itself: there is no k in W, or no block turns.",
)(lambda offset, d_model, *_: torch.eye(d_model))
HEAD.mistake(
    "每一块都转了同样的角度：第 i 块应当转 kθ_i，每只钟有自己的频率。",
    "Every block turns by the same angle: block i should turn by kθ_i, each clock by its own frequency.",
)(lambda offset, d_model, *_: _blocks(torch.full((d_model // 2,), float(offset))))


@HEAD.mistake(
    "你的矩阵配的是“前后两半”的排法（先全部正弦，再全部余弦）。这里每一对列相邻，2×2 的块排在对角线上。",
    "Your matrix fits the layout in halves: here a pair is two neighbouring columns.",
)
def half_split(offset: int, d_model: int, base: float) -> Tensor:
    angles = offset * frequencies(d_model, base)
    cos, sin = torch.diag(angles.cos()), torch.diag(angles.sin())
    return torch.cat([torch.cat([cos, -sin], 1), torch.cat([sin, cos], 1)])
