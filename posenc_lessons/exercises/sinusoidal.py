"""The exercises of lesson 02: each check knows the usual wrong answers and names the one it sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises import sinusoidal_mistakes as mistakes
from posenc_lessons.exercises.reading import compare, numbers, same_shape
from posenc_lessons.exercises.solutions import sinusoidal as reference
from posenc_lessons.exercises.verdict import Verdict, Wrong, judge
from posenc_lessons.language import Text

Answer = Callable[..., Any]


def check_frequencies(answer: Answer) -> Verdict:
    """Judge ``frequencies(d_model, base) -> [d_model/2]``."""
    return judge(
        answer,
        _examine_frequencies,
        Text(
            "对。d_model/2 个频率，从 1 起每次缩小同样的倍数。",
            "Right. d_model/2 frequencies, starting at 1 and shrinking by the same factor each time.",
        ),
    )


def check_table(answer: Answer) -> Verdict:
    """Judge ``my_table(positions [n], d_model, base) -> [n, d_model]``."""
    return judge(
        answer,
        _examine_table,
        Text(
            "对。十行表、换底数、乱序的位置，以及位置 1000000，全都一致。",
            "Right: the ten-row table, another base, positions out of order, and position 1000000 all agree.",
        ),
    )


def check_similarity(answer: Answer) -> Verdict:
    """Judge ``similarity(offsets [n], d_model, base) -> [n]``."""
    return judge(
        answer,
        _examine_similarity,
        Text(
            "对。k 与 −k 给出同一个数：只知道远近，不知道方向。",
            "Right. k and −k give the same number: it knows how far, not which way.",
        ),
    )


def check_shift_matrix(answer: Answer) -> Verdict:
    """Judge ``my_shift_matrix(offset, d_model, base) -> [d_model, d_model]``."""
    return judge(
        answer,
        _examine_shift_matrix,
        Text(
            "对。同一个矩阵，把每个位置都往前送 k 步，而且是旋转。",
            "Right. One matrix moves every position k steps on, and it is a rotation.",
        ),
    )


def check_add_positions(answer: Answer) -> Verdict:
    """Judge ``add_positions(x [batch, length, d_model], table [max_len, d_model]) -> like x``."""
    return judge(
        answer,
        _examine_add_positions,
        Text(
            "对。第 p 个词元加上第 p 行，每个句子都一样，x 原封不动。",
            "Right. Token p gets row p, the same in every sentence, and x itself is left alone.",
        ),
    )


# --- the examinations ---------------------------------------------------------------------------------


def _examine_frequencies(answer: Answer) -> None:
    for d_model, base in ((8, 10000.0), (6, 50.0), (512, 10000.0)):
        call = f"frequencies({d_model}, {base:g})"
        value = numbers(answer(d_model, base), call)
        if value.shape == (d_model,):
            raise Wrong(
                f"{call} 返回了 {d_model} 个数。每一对列共用一个频率，所以只要 d_model/2 = "
                f"{d_model // 2} 个。",
                f"{call} returned {d_model} numbers. Each pair of columns shares one frequency, "
                f"so there are d_model/2 = {d_model // 2}.",
            )
        same_shape(value, (d_model // 2,), call)
        right = reference.frequencies(d_model, base)
        compare(value, right, call, mistakes.frequency_suspects(d_model, base), tolerance=1e-5 * right)


def _examine_table(answer: Answer) -> None:
    for positions, d_model, base in (
        (torch.arange(10), 4, 10000.0),
        (torch.tensor([7, 2, 31, 2]), 8, 100.0),
        (torch.arange(100), 64, 10000.0),
    ):
        call = f"my_table({_brief(positions)}, {d_model}, {base:g})"
        value = numbers(answer(positions.clone(), d_model, base), call)
        same_shape(value, (len(positions), d_model), call)
        right = reference.sinusoidal_table(positions, d_model, base).double()
        compare(value, right, call, mistakes.table_suspects(positions, d_model, base), tolerance=1e-4)
    _examine_far_positions(answer)


def _examine_far_positions(answer: Answer) -> None:
    """Positions that a short floating-point type cannot hold, then one where float32 angles go wrong."""
    d_model, base = 64, 10000.0
    for position, text in (
        (
            257,
            Text(
                "位置 257 就错了。位置或角度多半存成了 bfloat16：它只能准确数到 256，再往后 257 会变成 256。"
                "用 torch.float64 算角度。",
                "Position 257 is already wrong. Positions or angles are probably held in bfloat16, "
                "which counts "
                "exactly only to 256; after that 257 becomes 256. Compute the angles in torch.float64.",
            ),
        ),
        (
            2049,
            Text(
                "位置 2049 错了。位置或角度多半存成了 float16：它只能准确数到 2048。用 torch.float64 "
                "算角度。",
                "Position 2049 is wrong. Positions or angles are probably held in float16, which counts "
                "exactly "
                "only to 2048. Compute the angles in torch.float64.",
            ),
        ),
        (
            1_000_000,
            Text(
                "近处都对，位置 1000000 错了：角度是用 float32 算的，只有约 7 位有效数字，"
                "大角度的小数部分就丢了。先用 torch.float64 算角度，最后再取一次舍入。",
                "Near positions are right, position 1000000 is wrong: the angles are float32, about 7 "
                "digits, and a "
                "large angle loses its fraction. Compute angles in torch.float64 and round once, at the end.",
            ),
        ),
    ):
        positions = torch.tensor([position])
        call = f"my_table(tensor([{position}]), {d_model}, {base:g})"
        value = numbers(answer(positions, d_model, base), call, allow_nan=True)
        same_shape(value, (1, d_model), call)
        right = reference.sinusoidal_table(torch.tensor([position]), d_model, base).double()
        error = (value - right).abs().max().item()
        if not error < 1e-4:  # a NaN is wrong too
            raise Wrong(
                f"{text.zh}（最大误差 {error:.1g}）",
                f"{text.en} (Largest error: {error:.1g}.)",
            )


def _examine_similarity(answer: Answer) -> None:
    for offsets, d_model, base in (
        (torch.tensor([0]), 8, 10000.0),
        (torch.tensor([-3, -1, 0, 1, 3, 50]), 8, 10000.0),
        (torch.tensor([2, -2, 5000]), 64, 100.0),
    ):
        call = f"similarity({_brief(offsets)}, {d_model}, {base:g})"
        value = numbers(answer(offsets.clone(), d_model, base), call)
        same_shape(value, tuple(offsets.shape), call)
        right = reference.similarity(offsets, d_model, base)
        compare(
            value, right, call, mistakes.similarity_suspects(offsets, d_model, base), tolerance=1e-4 * d_model
        )


def _examine_shift_matrix(answer: Answer) -> None:
    for offset, d_model, base in ((1, 4, 10000.0), (3, 8, 100.0), (-5, 6, 10000.0), (0, 4, 10000.0)):
        call = f"my_shift_matrix({offset}, {d_model}, {base:g})"
        value = numbers(answer(offset, d_model, base), call)
        same_shape(value, (d_model, d_model), call)
        right = reference.shift_matrix(offset, d_model, base)
        compare(value, right, call, mistakes.shift_suspects(offset, d_model, base), tolerance=1e-5)


def _examine_add_positions(answer: Answer) -> None:
    generator = torch.Generator().manual_seed(0)
    table = torch.randn(12, 6, generator=generator)
    for batch, length in ((1, 4), (3, 5), (4, 4), (2, 1), (2, 12)):
        x = torch.randn(batch, length, 6, generator=generator)
        given_x, given_table = x.clone(), table.clone()
        call = f"add_positions(x [{batch}, {length}, 6], table [12, 6])"
        value = numbers(answer(given_x, given_table), call)
        same_shape(value, tuple(x.shape), call)
        if not (torch.equal(given_x, x) and torch.equal(given_table, table)):
            raise Wrong(
                "你的函数改动了传进来的 x 或 table（多半是用了 += 或 add_）。返回一个新张量：x + …",
                "Your function changed the x or table it was given (a += or add_, most likely). "
                "Return a new tensor: x + …",
            )
        right = (x + table[:length]).double()
        compare(value, right, call, mistakes.adding_suspects(x, table), tolerance=1e-5)


def _brief(positions: Tensor) -> str:
    """How a message names these positions: ``arange(10)`` or the numbers themselves."""
    if len(positions) > 1 and torch.equal(positions, torch.arange(len(positions))):
        return f"arange({len(positions)})"
    return f"tensor({positions.tolist()})"
