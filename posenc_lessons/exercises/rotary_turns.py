"""The exercises of lesson 05 that turn all features: a head in halves, and a score at a distance."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from posenc_lessons import encodings
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise, Question
from posenc_lessons.exercises.reading import one_number, random_numbers
from posenc_lessons.exercises.solutions import rotary as solutions
from posenc_lessons.language import Text

TRANSPOSED = Text(
    "旋转转置了：sin 的两个符号放反，转成了顺时针 R_mᵀ。查询和键若都这样转，分数里的 n−m 就变成 m−n。应当是 "
    "(a cos − b sin, a sin + b cos)。",
    "Your rotation is transposed: the two signs of sin are swapped, so it rotates clockwise, by R_mᵀ. With "
    "queries and keys both rotated so, (R_m q)·(R_n k) holds m−n where n−m belongs. It should be (a cos − b "
    "sin, a sin + b cos).",
)
DEGREES = Text(
    "角度用了度数：cos 和 sin 要的是弧度。", "The angles are in degrees: cos and sin want radians."
)
UNTURNED = Text("x 原样返回了，没有转。", "x came back unchanged; nothing was rotated.")


def frequencies(d: int, base: float) -> Tensor:
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)


def angles_of(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return positions.double()[:, None] * frequencies(x.shape[-1], base)


def _turned_half_split(x: Tensor, angles: Tensor) -> Tensor:
    """x [..., L, d] with its pairs (i, i + d/2) turned anticlockwise by angles [L, d/2]."""
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def turned_interleaved(x: Tensor, angles: Tensor) -> Tensor:
    """The same for the pairs (2i, 2i + 1)."""
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return _interleaved(x[..., 0::2] * cos - x[..., 1::2] * sin, x[..., 0::2] * sin + x[..., 1::2] * cos)


def _interleaved(a: Tensor, b: Tensor) -> Tensor:
    return torch.stack([a, b], dim=-1).flatten(-2)


# --- rotate: half-split pairs ---------------------------------------------------------------------------

BFLOAT16 = Text(
    "位置 257 就错了：位置或角度多半存成了 bfloat16，它只能准确数到 256。（最大误差 {error}）",
    "Position 257 is already wrong: positions or angles are probably held in bfloat16, which counts exactly "
    "only to 256. (Largest error: {error}.)",
)
FLOAT32 = Text(
    "近处都对，位置 1000000 错了：角度是用 float32 算的。用 torch.float64 算角度，最后再舍入一次。（最大误差 "
    "{error}）",
    "Near positions are right, position 1000000 is wrong: the angles are float32. Compute them in "
    "torch.float64 and round once, at the end. (Largest error: {error}.)",
)


def _to_be_rotated() -> Iterator[Question]:
    for shape, positions, base in (
        ((3, 4), [0, 1, 2], 10000.0),
        ((4, 8), [7, 2, 31, 2], 100.0),
        ((2, 3, 5, 6), [3, 0, 1, 2, 9], 10000.0),
    ):
        yield Question(random_numbers(*shape), torch.tensor(positions), base)
    for position, said in ((257, BFLOAT16), (1_000_000, FLOAT32)):
        yield Question(random_numbers(1, 64), torch.tensor([position]), 10000.0, otherwise=said)


ROTATE = Exercise(
    solutions.rotate,
    questions=_to_be_rotated,
    praise=Text(
        "对。对半配对、逆时针、每一对有自己的 θ，到位置 1000000 也准。",
        "Right: in halves, anticlockwise, a θ for every pair, and exact at position 1000000 too.",
    ),
    tolerance=1e-4,
    changed=CHANGED,
)

ROTATE.mistake(TRANSPOSED)(lambda x, positions, base: _turned_half_split(x, -angles_of(x, positions, base)))
ROTATE.mistake(
    "配对错了：你把相邻的第 2i 个和第 2i+1 个配成一对。这里要对半配对：第 i 个和第 i + d/2 个。",
    "The wrong pairing: yours are neighbours, 2i with 2i+1. Here it is half-split: feature i goes with "
    "feature i + d/2.",
)(lambda x, positions, base: turned_interleaved(x, angles_of(x, positions, base)))


def _with_tables(
    partners: Callable[[Tensor], Tensor],
    laid_out: Callable[[Tensor], Tensor] = lambda angles: angles.repeat(1, 2),  # θ0 θ1 … θ0 θ1 …
) -> Answer:
    """x cos + partners(x) sin, with tables as wide as x."""

    def rotate(x: Tensor, positions: Tensor, base: float) -> Tensor:
        angles = laid_out(angles_of(x, positions, base))
        return x * angles.cos().to(x.dtype) + partners(x) * angles.sin().to(x.dtype)

    return rotate


ROTATE.mistake(
    "cos 和 sin 的表按另一种次序排了：repeat_interleave 给出 θ0 θ0 θ1 θ1 …，那是相邻配对用的。对半配对要接起"
    "来：cat([t, t])，排成 θ0 θ1 … θ0 θ1 …。",
    "The cos and sin tables are laid out in the other order: repeat_interleave gives θ0 θ0 θ1 θ1 …, for "
    "neighbours. Halves need them joined, cat([t, t]): θ0 θ1 … θ0 θ1 ….",
)(
    _with_tables(
        lambda x: torch.cat([-x.chunk(2, dim=-1)[1], x.chunk(2, dim=-1)[0]], dim=-1),
        lambda angles: angles.repeat_interleave(2, dim=-1),
    )
)
ROTATE.mistake(
    "两种写法混在一起了：表是对半接起来的，交换伙伴时却用了相邻的两个。两样要用同一种配对。",
    "Two conventions are mixed: the tables are laid out for halves, but neighbours change places. Both must "
    "use one pairing.",
)(_with_tables(lambda x: _interleaved(-x[..., 1::2], x[..., 0::2])))
ROTATE.mistake(
    "少了负号：交换一对特征时，第一个要取负，(a, b) → (−b, a)。",
    "A minus sign is missing: when a pair changes places the first becomes negative, (a, b) → (−b, a).",
)(_with_tables(lambda x: torch.cat(x.chunk(2, dim=-1)[::-1], dim=-1)))
ROTATE.mistake(
    "sin 前面乘的应当是转过 90° 的 x，也就是 (−b, a)，不是 x 自己。",
    "What sin multiplies is x rotated by 90°, (−b, a), not x itself.",
)(_with_tables(lambda x: x))
ROTATE.mistake(
    "转得对，放错了地方：你把两半交错叠起来了。用 cat 接起来，第一个特征全在前半。",
    "Rotated well, put back wrongly: you interleaved the halves. Join them with cat, first features in the "
    "first half.",
)(lambda x, positions, base: _interleaved(*solutions.rotate(x, positions, base).chunk(2, dim=-1)))
ROTATE.mistake(
    "指数里用了 i/d，应当是 2i/d（i 数的是第几对）。",
    "The exponent is i/d where it should be 2i/d (i counts pairs).",
)(
    lambda x, positions, base: _turned_half_split(
        x, positions.double()[:, None] * frequencies(x.shape[-1], base).sqrt()
    )
)
ROTATE.mistake(
    "θ 的指数少了负号：θ_i = base^(−2i/d) 应当越来越小，你的越来越大。",
    "θ lost its minus sign: θ_i = base^(−2i/d) should shrink, yours grows.",
)(lambda x, positions, base: solutions.rotate(x, positions, 1 / base))
ROTATE.mistake(
    "底数写死成了 10000：请用传进来的 base。", "The base is fixed at 10000: use the base that was passed in."
)(lambda x, positions, *_: solutions.rotate(x, positions, 10000.0))
ROTATE.mistake(
    "每一对都转了同样的角度：第 i 对要乘上自己的 θ_i。",
    "Every pair is rotated by the same angle: multiply pair i by its own θ_i.",
)(lambda x, positions, *_: solutions.rotate(x, positions, 1.0))
ROTATE.mistake(
    "没有用上 positions：你数的是 0、1、2 …，而位置是传进来的。",
    "positions was not used: you count 0, 1, 2 …, but the positions are given.",
)(lambda x, positions, base: solutions.rotate(x, torch.arange(len(positions)), base))
ROTATE.mistake("位置多数了 1：位置 0 不转。", "Positions are off by one: position 0 is not rotated.")(
    lambda x, positions, base: solutions.rotate(x, positions + 1, base)
)
ROTATE.mistake(DEGREES)(
    lambda x, positions, base: _turned_half_split(x, torch.deg2rad(angles_of(x, positions, base)))
)
ROTATE.mistake(
    "这是加法，也就是第 02 课的正弦编码。RoPE 不加，只转。",
    "That adds, which is lesson 02's sinusoidal encoding. RoPE adds nothing; it rotates.",
)(
    lambda x, positions, base: (
        x + _interleaved(*(wave(angles_of(x, positions, base)) for wave in (torch.sin, torch.cos)))
    )
)
ROTATE.mistake(UNTURNED)(lambda x, *_: x)
ROTATE.example(CHANGED)(lambda x, positions, base: x.copy_(solutions.rotate(x, positions, base)))


@ROTATE.example(FLOAT32)
def float32_angles(x: Tensor, positions: Tensor, base: float) -> Tensor:
    theta = base ** (-torch.arange(0, x.shape[-1], 2).float() / x.shape[-1])
    return _turned_half_split(x, positions.float()[:, None] * theta)


ROTATE.example(BFLOAT16)(lambda x, positions, base: solutions.rotate(x, positions.bfloat16(), base))
ROTATE.right(lambda x, positions, base: encodings.apply_rotary(x, positions, base, "half_split"))


# --- the score at a distance ----------------------------------------------------------------------------


def _queries_and_keys() -> Iterator[tuple[Tensor, Tensor, int, float]]:
    for d, distance, base in ((4, 1, 10000.0), (8, -3, 100.0), (8, 3, 100.0), (6, 0, 10000.0)):
        query, key = random_numbers(2, d, seed=d)
        yield query, key, distance, base


ROTARY_SCORE = Exercise(
    solutions.rotary_score,
    questions=_queries_and_keys,
    praise=Text(
        "对。相对位置带着符号，往前和往后分得开；m 和 n 各是多少，用不着知道。",
        "Right. The relative position keeps its sign, so ahead and behind differ; m and n were not needed.",
    ),
    tolerance=1e-4,
    read=one_number,
)


def _turned(vector: Tensor, angles: Tensor) -> Tensor:
    return turned_interleaved(vector[None], angles[None])[0]


ROTARY_SCORE.mistake(
    "你用了 |n−m|：相对位置的符号丢了，往前看和往后看变成一样。RoPE 看到的是 n−m。",
    "You used |n−m|: the sign of the relative position is lost, and ahead looks like behind. RoPE sees n−m.",
)(lambda query, key, distance, base: solutions.rotary_score(query, key, abs(distance), base))
ROTARY_SCORE.mistake(
    "方向反了：这是 qᵀ R_(m−n) k。旋转转置了，或者转的是查询。应当是 qᵀ R_(n−m) k，转键。",
    "The wrong way round: that is qᵀ R_(m−n) k. The rotation is transposed, or you rotated the query instead "
    "of the key. It should be qᵀ R_(n−m) k.",
)(lambda query, key, distance, base: solutions.rotary_score(key, query, distance, base))
ROTARY_SCORE.mistake(
    "配对错了：你用了对半式（i 和 i + d/2），这里要相邻配对（2i 和 2i+1）。",
    "The wrong pairing: half-split (i with i + d/2). Here neighbours belong together (2i with 2i+1).",
)(lambda query, key, distance, base: query @ solutions.rotate(key[None], torch.tensor([distance]), base)[0])
ROTARY_SCORE.mistake("没有用上 distance：这只是 q·k。", "distance was not used: this is plain q·k.")(
    lambda query, key, *_: query @ key
)
ROTARY_SCORE.mistake(
    "这里要的是 qᵀ R k 本身，先不除以 √d。", "Wanted is qᵀ R k itself, not yet divided by √d."
)(
    lambda query, key, distance, base: (
        solutions.rotary_score(query, key, distance, base) / math.sqrt(len(query))
    )
)
ROTARY_SCORE.mistake(
    "这是第 02 课里位置和位置的点积 Σ cos。这里要把 q 和 k 的内容也算进去。",
    "That is lesson 02's dot product of position with position, Σ cos. Here the contents of q and k count "
    "too.",
)(lambda query, key, distance, base: torch.cos(distance * frequencies(len(query), base)).sum())
ROTARY_SCORE.mistake(DEGREES)(
    lambda query, key, distance, base: (
        query @ _turned(key, torch.deg2rad(distance * frequencies(len(key), base)))
    )
)


@ROTARY_SCORE.right
def score_of_both_turned(query: Tensor, key: Tensor, distance: int, base: float) -> float:
    turned = encodings.apply_rotary(torch.stack([query, key]), torch.tensor([40, 40 + distance]), base)
    return (turned[0] @ turned[1]).item()
