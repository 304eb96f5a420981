"""Two exercises of lesson 05: rotate all features of a padded batch, and the score at a distance."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise, Question
from posenc_lessons.exercises.reading import one_number, random_numbers
from posenc_lessons.exercises.rotating import (
    frequencies,
    interleaved,
    rotated_in_halves,
    rotated_interleaved,
)
from posenc_lessons.exercises.solutions import rotary as solutions
from posenc_lessons.exercises.verdict import Asked
from posenc_lessons.language import Text
from posenc_lessons.probing import probe_rotation

TRANSPOSED = Text(
    "旋转转置了，转成了顺时针 R_mᵀ：应当是 (a cos − b sin, a sin + b cos)。",
    "Your rotation is transposed, clockwise by R_mᵀ: it should be (a cos − b sin, a sin + b cos).",
)
ONE_THETA = Text(
    "每一对都转了同样的角度：第 i 对要乘上自己的 θ_i。",
    "Every pair is rotated by the same angle: multiply pair i by its own θ_i.",
)


def angles_of(x: Tensor, positions: Tensor, base: float) -> Tensor:
    """Return the angles that rotate x [..., L, d]: [L, d/2], or [B, 1, L, d/2] for positions [B, L]."""
    angles = positions.double()[..., None] * frequencies(x.shape[-1], base)
    return angles if positions.ndim == 1 else angles[:, None]


# --- rotate: half-split pairs, positions for each sentence ----------------------------------------------

NO_HEADS_AXIS = Text(
    "角度少了头那一维：先变成 [B, 1, L, d/2]，才和 x [B, H, L, d/2] 对得齐。",
    "Your angles lack the axis of heads: make them [B, 1, L, d/2] first, to fit x [B, H, L, d/2].",
)


def _to_be_rotated() -> Iterator[Question]:
    for shape, positions, base in (
        ((1, 1, 2, 4), [[0, 3]], 100.0),
        ((2, 2, 3, 4), [[1, 4, 2], [0, 0, 1]], 10000.0),  # B = H: a missing axis raises no error here
        ((1, 3, 4, 8), [[7, 2, 31, 2]], 50.0),
        ((3, 2, 5, 6), [[3, 0, 1, 2, 9], [0, 1, 2, 3, 4], [0, 0, 0, 0, 1]], 10000.0),
    ):
        yield Question(random_numbers(*shape), torch.tensor(positions), base)
    for position, message in ((257, recurring.BFLOAT16), (1_000_000, recurring.FLOAT32)):
        yield Question(random_numbers(1, 1, 1, 64), torch.tensor([[position]]), 10000.0, otherwise=message)


def _measured(answer: Asked) -> Text | None:
    """Say which rotation a wrong answer is, or what else; None if it raises for other shapes."""
    try:
        return probe_rotation(lambda x, at: answer(x, at.expand(len(x), -1), 10000.0), d_head=8).verdict
    except ValueError:
        return None


ROTATE = Exercise(
    solutions.rotate,
    questions=_to_be_rotated,
    praise=Text(
        "对。每句话按自己的位置转，对半配对、逆时针、每一对有自己的 θ，到位置 1000000 也准。",
        "Right: each sentence by its own positions, in halves, anticlockwise, a θ for every pair, and exact "
        "at position 1000000 too.",
    ),
    tolerance=1e-4,
    measured=_measured,
    changed=CHANGED,
)


def _by(angles: Callable[[Tensor, Tensor, float], Tensor]) -> Answer:
    """Return the answer that rotates in halves by other angles."""
    return lambda x, positions, base: rotated_in_halves(x, angles(x, positions, base))


ROTATE.mistake(TRANSPOSED)(_by(lambda *given: -angles_of(*given)))
ROTATE.mistake(
    "配对错了：你把相邻的第 2i 个和第 2i+1 个配成一对。这里要对半配对：第 i 个和第 i + d/2 个。",
    "You paired neighbours: in half-split, feature i goes with feature i + d/2.",
)(lambda x, positions, base: rotated_interleaved(x, angles_of(x, positions, base)))
ROTATE.mistake(recurring.FIRST_SENTENCES_POSITIONS)(
    lambda x, positions, base: solutions.rotate(x, positions[:1].expand_as(positions), base)
)
ROTATE.mistake(NO_HEADS_AXIS)(
    _by(lambda x, positions, base: positions.double()[..., None] * frequencies(x.shape[-1], base))
)


ROTATE.mistake(
    "转得对，放错了地方：你把两半交错叠起来了。用 cat 接起来，第一个特征全在前半。",
    "The rotation is right, its halves are put back wrongly: join by cat, first features in the first half.",
)(lambda x, positions, base: interleaved(*solutions.rotate(x, positions, base).chunk(2, dim=-1)))
recurring.wrong_bases(ROTATE)
ROTATE.mistake(ONE_THETA)(lambda x, positions, *_: solutions.rotate(x, positions, 1.0))
recurring.positions_not_used(ROTATE, 1)
recurring.next_positions(ROTATE, 1)
recurring.unchanged(ROTATE)


# --- the score at a distance ----------------------------------------------------------------------------


def _queries_and_keys() -> Iterator[tuple[Tensor, Tensor, int, float]]:
    for d, distance, base in ((4, 1, 100.0), (8, -3, 100.0), (8, 3, 10000.0), (6, 0, 10000.0), (2, 7, 50.0)):
        query, key = random_numbers(2, d, seed=d)
        yield query, key, distance, base


ROTARY_SCORE = Exercise(
    solutions.rotary_score,
    questions=_queries_and_keys,
    praise=Text(
        "对。相对位置带着正负号，前后分得开；m 和 n 各是多少，用不着知道。",
        "Right. The relative position keeps its sign, so ahead and behind differ; m and n were not needed.",
    ),
    tolerance=1e-4,
    read=one_number,
)


def _cosine_terms(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    """Return the terms of equation (3) with a cosine [d/2]."""
    products = (query * key).unflatten(-1, (-1, 2)).sum(dim=-1)
    return products * (distance * frequencies(len(query), base)).cos()


ROTARY_SCORE.mistake(
    "你用了 |n−m|：相对位置的正负号丢了，看前面和看后面变成一样。RoPE 看到的是 n−m。",
    "You used |n−m|: the sign of the relative position is lost, and ahead looks like behind. RoPE sees n−m.",
)(lambda query, key, distance, base: solutions.rotary_score(query, key, abs(distance), base))
ROTARY_SCORE.mistake(
    "少了正弦那一项：式 (3) 里只有余弦的话，看前面和看后面就分不开了。",
    "The sine term is missing: with the cosine of equation (3) alone, ahead and behind are the same.",
)(lambda *given: _cosine_terms(*given).sum())
ROTARY_SCORE.mistake(
    "方向反了：这是 qᵀ R_(m−n) k。旋转转置了，或者转的是查询。应当是 qᵀ R_(n−m) k，转键。",
    "Your rotation goes the wrong way: that is qᵀ R_(m−n) k. It should be qᵀ R_(n−m) k.",
)(lambda query, key, distance, base: solutions.rotary_score(key, query, distance, base))
ROTARY_SCORE.mistake(recurring.HALVES_PAIRED)(
    lambda query, key, distance, base: query @ rotated_in_halves(key, distance * frequencies(len(key), base))
)
PLAIN_PRODUCT = Text(
    "这等于 q·k：或者没有用上 distance，或者两个向量转了同样的角度，互相抵消（式 (2)）。只转键。",
    "This equals q·k: the distance is not used, or both vectors were rotated. Rotate the key only.",
)
ROTARY_SCORE.mistake(PLAIN_PRODUCT)(lambda query, key, *_: query @ key)
recurring.wrong_bases(ROTARY_SCORE)
ROTARY_SCORE.mistake(
    "这里要的是 qᵀ R k 本身，先不除以 √d。", "Wanted is qᵀ R k itself, not yet divided by √d."
)(lambda *given: solutions.rotary_score(*given) / math.sqrt(len(given[0])))
ROTARY_SCORE.mistake(ONE_THETA)(lambda query, key, at, _: solutions.rotary_score(query, key, at, 1.0))
