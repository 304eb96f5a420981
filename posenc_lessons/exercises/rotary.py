"""The exercises of lesson 05: each check knows the usual wrong answers and names the one it sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises import rotary_mistakes as mistakes
from posenc_lessons.exercises.reading import compare, numbers, random_numbers, same_shape
from posenc_lessons.exercises.rotary_tables import examine_tables
from posenc_lessons.exercises.solutions import rotary as reference
from posenc_lessons.exercises.verdict import Verdict, Wrong, judge
from posenc_lessons.language import Text

Answer = Callable[..., Any]


def check_rotate(answer: Answer) -> Verdict:
    """Judge ``rotate(x [..., L, d], positions [L], base) -> like x``, half-split pairs."""
    return judge(
        answer,
        _examine_rotate,
        Text(
            "对。对半配对、逆时针、每一对有自己的 θ，到位置 1000000 也准。",
            "Right: in halves, anticlockwise, a θ for every pair, and exact at position 1000000 too.",
        ),
    )


def check_rotary_score(answer: Answer) -> Verdict:
    """Judge ``rotary_score(query [d], key [d], distance, base) -> number``."""
    return judge(
        answer,
        _examine_score,
        Text(
            "对。距离带着符号，往前和往后分得开；m 和 n 各是多少，用不着知道。",
            "Right. The distance keeps its sign, so ahead and behind differ; m and n were not needed.",
        ),
    )


def check_partial_rotate(answer: Answer) -> Verdict:
    """Judge ``partial_rotate(x [..., L, d_head], positions [L], fraction, base) -> like x``."""
    return judge(
        answer,
        _examine_partial,
        Text(
            "对。转的宽度总是偶数，其余的特征原封不动。",
            "Right. The width that turns is always even, and the other features are left alone.",
        ),
    )


def check_to_half_split(answer: Answer) -> Verdict:
    """Judge ``to_half_split(weight [H · d_head, d_model], n_heads) -> like weight``."""
    return judge(
        answer,
        _examine_convert,
        Text(
            "对。每个头各自重排：偶数行在前，奇数行在后；分数一个也不变。",
            "Right. Each head by itself, even rows before odd ones; not a score changes.",
        ),
    )


def check_attend(answer: Answer) -> Verdict:
    """Judge ``attend(query, key, value, all [B, L, H, d_head]) -> [B, L, H, d_head]``."""
    return judge(
        answer,
        _examine_attend,
        Text(
            "对。每个头在位置之间分配注意力，只有一个头时也一样。",
            "Right. Each head shares its attention among positions, and with a single head too.",
        ),
    )


def check_tables(answer: Answer) -> Verdict:
    """Judge ``tables(store, length, d, base, dtype) -> (cos, sin), each [length, d/2]``."""
    return judge(
        answer,
        examine_tables,
        Text(
            "对。该重用时重用；长度、宽度、底数、类型变了，就造新的。",
            "Right. Reused when it may be; made anew for another length, width, base or dtype.",
        ),
    )


# --- the examinations ---------------------------------------------------------------------------------


def _examine_rotate(answer: Answer) -> None:
    for shape, positions, base in (
        ((3, 4), torch.tensor([0, 1, 2]), 10000.0),
        ((4, 8), torch.tensor([7, 2, 31, 2]), 100.0),
        ((2, 3, 5, 6), torch.tensor([3, 0, 1, 2, 9]), 10000.0),
    ):
        x = random_numbers(*shape)
        call = f"rotate(x {list(shape)}, {positions.tolist()}, {base:g})"
        value = _kept(answer, x, call, positions, base)
        right = reference.rotate(x.double(), positions, base)
        compare(value, right, call, mistakes.rotate_suspects(x, positions, base), tolerance=1e-4)
    _examine_far(answer)


def _kept(answer: Answer, x: Tensor, call: str, *rest: Any) -> Tensor:
    """The answer's numbers in the shape of ``x``, once ``x`` is found as it was."""
    given = x.clone()
    value = numbers(
        answer(given, *(part.clone() if isinstance(part, Tensor) else part for part in rest)), call
    )
    same_shape(value, tuple(x.shape), call)
    if not torch.equal(given, x):
        raise Wrong(
            "你的函数改动了传进来的 x。写进一个新张量里。",
            "Your function changed the x it was given. Write into a new tensor.",
        )
    return value


def _examine_far(answer: Answer) -> None:
    """Positions that a short floating-point type cannot hold, then one where float32 angles go wrong."""
    for position, zh, en in (
        (
            257,
            "位置 257 就错了：位置或角度多半存成了 bfloat16，它只能准确数到 256。",
            "Position 257 is already wrong: positions or angles are probably held in bfloat16, which counts "
            "exactly only to 256.",
        ),
        (
            1_000_000,
            "近处都对，位置 1000000 错了：角度是用 float32 算的。用 torch.float64 算角度，最后再舍入一次。",
            "Near positions are right, position 1000000 is wrong: the angles are float32. Compute them in "
            "torch.float64 and round once, at the end.",
        ),
    ):
        x, positions = random_numbers(1, 64), torch.tensor([position])
        call = f"rotate(x [1, 64], [{position}], 10000)"
        value = numbers(answer(x.clone(), positions.clone(), 10000.0), call, allow_nan=True)
        same_shape(value, (1, 64), call)
        error = (value - reference.rotate(x.double(), positions, 10000.0)).abs().max().item()
        if not error < 1e-4:  # a NaN is wrong too
            raise Wrong(f"{zh}（最大误差 {error:.1g}）", f"{en} (Largest error: {error:.1g}.)")


def _examine_score(answer: Answer) -> None:
    for d, distance, base in ((4, 1, 10000.0), (8, -3, 100.0), (8, 3, 100.0), (6, 0, 10000.0)):
        query, key = random_numbers(2, d, seed=d)
        call = f"rotary_score(q [{d}], k [{d}], {distance}, {base:g})"
        value = _one_number(answer(query.clone(), key.clone(), distance, base), call)
        right = reference.rotary_score(query.double(), key.double(), distance, base)
        compare(value, right, call, mistakes.score_suspects(query, key, distance, base), tolerance=1e-4)


def _one_number(value: Any, call: str) -> Tensor:
    if isinstance(value, float):
        value = torch.tensor(value, dtype=torch.float64)
    read = numbers(value, call)
    if read.numel() != 1:
        raise Wrong(
            f"{call} 应当是一个数，你返回的形状是 {list(read.shape)}。",
            f"{call} should be one number; yours has shape {list(read.shape)}.",
        )
    return read.reshape(())


def _examine_partial(answer: Answer) -> None:
    for shape, fraction, base in (
        ((3, 8), 0.5, 10000.0),
        ((2, 4, 16), 0.25, 100.0),
        ((3, 4), 1.0, 10000.0),
        ((3, 10), 0.5, 10000.0),
        ((2, 14), 0.5, 10000.0),
    ):
        x, positions = random_numbers(*shape), torch.tensor([2, 7, 1, 5])[: shape[-2]]
        odd = int(shape[-1] * fraction) % 2 == 1
        call = f"partial_rotate(x {list(shape)}, {positions.tolist()}, {fraction:g}, {base:g})"
        asked = _when_odd(answer, shape[-1], fraction) if odd else answer
        value = _kept(asked, x, call, positions, fraction, base)
        right = reference.partial_rotate(x.double(), positions, fraction, base)
        suspects = mistakes.partial_suspects(x, positions, fraction, base)
        try:
            compare(value, right, call, suspects, tolerance=1e-4)
        except Wrong as wrong:
            if odd and not any(name == wrong.text for _, name in suspects):
                raise _odd_width(shape[-1], fraction) from None
            raise


def _when_odd(answer: Answer, d_head: int, fraction: float) -> Answer:
    """The answer, with whatever it raises at an odd width told as that: the even ones it has passed."""

    def asked(*args: Any) -> Any:
        try:
            return answer(*args)
        except Exception as error:
            raise _odd_width(d_head, fraction) from error

    return asked


def _odd_width(d_head: int, fraction: float) -> Wrong:
    width, product = int(d_head * fraction), f"int({d_head} · {fraction:g})"
    return Wrong(
        f"要转的宽度是奇数：{product} = {width}，有一个特征找不到伴。往下取偶数 {width - 1}："
        "先除以 2 取整，再乘 2。",
        f"The width that turns is odd: {product} = {width}, and one feature has no partner. "
        f"Go down to {width - 1}: halve, drop the fraction, double.",
    )


def _examine_convert(answer: Answer) -> None:
    for n_heads, d_head, d_model in ((1, 4, 3), (2, 8, 16), (3, 6, 5)):
        weight = random_numbers(n_heads * d_head, d_model)
        call = f"to_half_split(weight {list(weight.shape)}, {n_heads})"
        value = _kept(answer, weight, call, n_heads)
        right = reference.to_half_split(weight, n_heads).double()
        compare(value, right, call, mistakes.convert_suspects(weight, n_heads), tolerance=1e-6)


def _examine_attend(answer: Answer) -> None:
    for shape in ((2, 5, 3, 4), (1, 4, 1, 8), (2, 4, 4, 6)):
        query, key, value = 2 * random_numbers(3, *shape)
        call = f"attend(q, k, v {list(shape)})"
        answered = answer(query.clone(), key.clone(), value.clone())
        swapped = (shape[0], shape[2], shape[1], shape[3])
        if isinstance(answered, Tensor) and tuple(answered.shape) == swapped != shape:
            raise Wrong(
                f"形状是 {list(swapped)}：头还在位置前面，最后要再 transpose(1, 2) 换回来。",
                f"The shape is {list(swapped)}: heads still stand before positions. transpose(1, 2) back at "
                "the end.",
            )
        read = numbers(answered, call)
        same_shape(read, shape, call)
        right = reference.attend(query.double(), key.double(), value.double())
        compare(read, right, call, mistakes.attend_suspects(query, key, value), tolerance=1e-4)
