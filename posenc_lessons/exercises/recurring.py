"""Mistakes that recur, each written once.

A function names a kind of mistake of an exercise. It makes the wrong answer of the exercise's solution, and
the message, in which ``zh`` and ``en`` are the exercise's own words. Where every exercise makes the mistake
in its own code, only the message is here.
"""

import math
from collections.abc import Callable
from typing import Any

import torch

from posenc_lessons.exercises.exercise import Answer, Exercise
from posenc_lessons.language import Text

FIRST_SENTENCES_POSITIONS = Text(
    "每个句子都用了第一句的位置：positions 是 [B, L]，每句一行。",
    "Every sentence has the first one's positions: positions is [B, L], a row for each.",
)
HALVES_PAIRED = Text(
    "配对错了：这里要相邻配对（2i 和 2i+1）；你用了对半配对（i 和 i + d/2）。",
    "Your pairing is half-split, i with i + d/2: here neighbours belong together, 2i with 2i+1.",
)
DOUBLED = Text(
    "2i 又乘了一次 2：偶数列的列号 j 本身就是 2i，torch.arange(0, d, 2) 也已经是 2i。",
    "2i is doubled once more: the index j of an even column is 2i already, and so is torch.arange(0, d, 2).",
)
BFLOAT16 = Text(
    "位置 257 就错了：bfloat16 只能准确数到 256。用 torch.float64 算角度。",
    "Position 257 is already wrong: bfloat16 counts exactly only to 256. Compute angles in torch.float64.",
)
FLOAT32 = Text(
    "近处都对，位置 1000000 错了：float32 只有约 7 位，频率和角度都用 torch.float64 算。",
    "Near positions are right, position 1000000 is wrong: compute frequencies, angles in torch.float64.",
)
NOT_DIVIDED = Text(
    "忘了除以 √d，d 是一个头的宽度。", "The division by √d is missing, where d is the width of a head."
)
DIVIDED_BY_THE_WIDTH = Text(
    "你除以的是 d，应当除以它的平方根 √d。", "You divide by d; divide by its square root, √d."
)
MASK_INVERTED = Text("意思反了：这里 True 表示可以看。", "Your mask is inverted: here True means may look.")
DIAGONAL_HIDDEN = Text(
    "对角线也要是 True：词元可以看自己。现在第 0 行什么也看不到，softmax 会给出 NaN。",
    "The diagonal should be True as well: row 0 now sees nothing at all, and softmax would give NaN.",
)
LOOKS_AHEAD = Text(
    "三角形反了：一行一个查询，一列一个键，第 i 行看 j ≤ i；你的看后面。",
    "The triangle is the wrong one: rows are queries, columns keys, and row i sees j ≤ i; yours looks ahead.",
)


def _given(exercise: Exercise, at: int, change: Callable[[Any], Any]) -> Answer:
    """Return the solution, to which argument number ``at`` is given changed."""

    def answer(*arguments: Any) -> Any:
        changed = [*arguments]
        changed[at] = change(changed[at])
        return exercise.solution(*changed)

    return answer


def unchanged(exercise: Exercise) -> None:
    """Name the answer that returns its first argument."""
    exercise.mistake("原样返回了，什么也没有变。", "It came back unchanged.")(lambda first, *_: first)


def off_by_one(exercise: Exercise, zh: str, en: str) -> None:
    """Name the answers whose numbers are all one too large, or one too small."""
    exercise.mistake(f"每个数都多了 1：{zh}", f"Every number is one too large: {en}")(
        lambda *given: exercise.solution(*given) + 1
    )
    exercise.mistake(f"每个数都少了 1：{zh}", f"Every number is one too small: {en}")(
        lambda *given: exercise.solution(*given) - 1
    )


def mask_inverted(exercise: Exercise) -> None:
    """Name the mask that is True where it should be False."""
    exercise.mistake(MASK_INVERTED)(lambda *given: ~exercise.solution(*given))


def positions_not_used(exercise: Exercise, at: int) -> None:
    """Name the answer that takes 0, 1, 2 … for the positions, its argument number ``at``."""
    exercise.mistake(
        "没有用传进来的 positions：位置不一定是 0、1、2 …",
        "The positions passed in were not used: they need not be 0, 1, 2 …",
    )(_given(exercise, at, lambda positions: torch.arange(positions.shape[-1]).expand_as(positions)))


def next_positions(exercise: Exercise, at: int) -> None:
    """Name the answer that takes the next position for each, in its argument number ``at``."""
    exercise.mistake(
        "位置多了 1：从 0 数起，位置 0 的角度全是 0。",
        "Positions are one too large: count from 0, so that position 0 has every angle 0.",
    )(_given(exercise, at, lambda positions: positions + 1))


def wrong_bases(exercise: Exercise, at: int = -1) -> None:
    """Name the mistakes in frequencies that are those of another base, argument number ``at``."""
    exercise.mistake(
        "你的指数是 i/d：应当是 2i/d（i 数的是第几对，不是第几列）。",
        "Your exponent is i/d: it should be 2i/d (i counts pairs, not columns).",
    )(_given(exercise, at, math.sqrt))
    exercise.mistake(DOUBLED)(_given(exercise, at, lambda base: base**2))
    exercise.mistake(
        "频率少了负号：θ_i = base^(−2i/d) 应当越来越小，你的越来越大。",
        "The frequency lost its minus sign: θ_i = base^(−2i/d) should shrink, yours grows.",
    )(_given(exercise, at, lambda base: 1 / base))
    exercise.mistake(
        "底数写死成了 10000：请用传进来的 base。",
        "The base is fixed at 10000: use the base that was passed in.",
    )(_given(exercise, at, lambda base: 10000.0))
