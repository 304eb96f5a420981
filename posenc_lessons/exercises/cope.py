"""The exercises of lesson 06: each check knows the usual wrong answers and names the one it sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises import cope_mistakes as mistakes
from posenc_lessons.exercises.reading import compare, numbers, random_numbers, same_shape
from posenc_lessons.exercises.solutions import cope as reference
from posenc_lessons.exercises.verdict import Verdict, Wrong, judge
from posenc_lessons.language import Text

Answer = Callable[..., Any]


def check_sentences_back(answer: Answer) -> Verdict:
    """Judge ``sentences_back(is_end bool [L]) -> int64 [L, L]``."""
    return judge(
        answer,
        _examine_sentences_back,
        Text(
            "对。从键数到查询，两头都算，后面的不数。把 0 和 1 换成 0 到 1 之间的门，就是 CoPE 的 p。",
            "Right. From key to query, both ends included, nothing later counted. Put gates between 0 and "
            "1 in place of 0 and 1, and this is CoPE's p.",
        ),
    )


def check_positions(answer: Answer) -> Verdict:
    """Judge ``positions(scores [..., Lq, Lk], mask bool, max_position) -> [..., Lq, Lk]``."""
    return judge(
        answer,
        _examine_positions,
        Text(
            "对。先掩码，再过门，从键往查询加，封顶，藏着的是 0。改动未来的键，过去的 p 一个也不动。",
            "Right. Mask first, gates next, summed from key to query, clamped, 0 where hidden. Change a "
            "later key, and no earlier p moves.",
        ),
    )


def check_interpolate(answer: Answer) -> Verdict:
    """Judge ``interpolate(z [..., L, N], p [..., L, L]) -> [..., L, L]``."""
    return judge(
        answer,
        _examine_interpolate,
        Text(
            "对。离谁近就多像谁；p 恰好是整数时，就是那一格。",
            "Right. Nearer means more alike; and where p is whole, it is that very entry.",
        ),
    )


def check_table_for(answer: Answer) -> Verdict:
    """Judge ``table_for(query [d], wanted [N]) -> [N, d]`` with query · table[n] = wanted[n]."""
    return judge(
        answer,
        _examine_table_for,
        Text(
            "对。第 1 行写上大的数、其余写 0，这个查询就只看上一句，不管那一句有多长。",
            "Right. With a large number in row 1 and 0 elsewhere, this query looks at the last sentence "
            "alone, however long it is.",
        ),
    )


def check_cope_attention(answer: Answer) -> Verdict:
    """Judge ``cope_attention(query, key, value [..., L, d], table [N, d]) -> [..., L, d]``."""
    return judge(
        answer,
        _examine_cope_attention,
        Text(
            "对。掩码、门、计数、封顶、插值，一步不差；改动后面的词元，前面的输出不变。",
            "Right. Mask, gates, count, clamp, interpolation, every step in its place; change later "
            "tokens, and earlier outputs stay.",
        ),
    )


def check_interpolate_with_slope(answer: Answer) -> Verdict:
    """Judge ``interpolate_with_slope(z [..., L, N], p [..., L, L]) -> [..., L, L]``, gradient included."""
    return judge(
        answer,
        _examine_slope,
        Text(
            "对。数值和练习 3 一样，p 是整数时也有梯度，门在那里也学得到东西。",
            "Right. The numbers are those of exercise 3, and there is a gradient at whole p too, so the "
            "gates learn there as well.",
        ),
    )


# --- the examinations ---------------------------------------------------------------------------------


def _kept(answer: Answer, given: tuple[Tensor, ...], *rest: Any) -> Any:
    """What is answered, once the tensors given are found as they were."""
    copies = tuple(tensor.clone() for tensor in given)
    answered = answer(*copies, *rest)
    if not all(torch.equal(copy, tensor) for copy, tensor in zip(copies, given, strict=True)):
        raise Wrong(
            "你的函数改动了传进来的张量。写进一个新张量里。",
            "Your function changed a tensor it was given. Write into a new one.",
        )
    return answered


def _told(answer: Answer, trouble: Text) -> Answer:
    """The answer, with whatever it raises told as ``trouble``: elsewhere it has passed."""

    def asked(*args: Any) -> Any:
        try:
            return answer(*args)
        except Exception as error:
            if isinstance(error.__cause__, (IndexError, RuntimeError)):
                raise Wrong(trouble.zh, trouble.en) from error
            raise

    return asked


def _examine_sentences_back(answer: Answer) -> None:
    for ends in ([1, 0, 0, 1, 0, 1, 0], [0, 1, 1], [0, 0], [0, 1, 0, 0, 0, 1, 1, 0, 0]):
        is_end = torch.tensor(ends, dtype=torch.bool)
        call = f"sentences_back({[bool(end) for end in ends]})"
        value = numbers(_kept(answer, (is_end,)), call)
        same_shape(value, (len(ends), len(ends)), call)
        right = reference.sentences_back(is_end).double()
        compare(value, right, call, mistakes.sentence_suspects(is_end), tolerance=1e-6)


def _masks(length: int) -> tuple[tuple[str, Tensor], ...]:
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return ("causal", causal), ("window", causal.triu(-2))


def _examine_positions(answer: Answer) -> None:
    for shape, max_position in (((5, 5), 5), ((2, 3, 7, 7), 7), ((6, 6), 2), ((6, 6), 1.5)):
        for name, mask in _masks(shape[-1]):
            scores = 2 * random_numbers(*shape, seed=shape[-1])
            call = f"positions(scores {list(shape)}, {name}, {max_position:g})"
            value = numbers(_kept(answer, (scores, mask), max_position), call)
            same_shape(value, shape, call)
            right = reference.positions(scores.double(), mask, max_position)
            compare(
                value, right, call, mistakes.position_suspects(scores, mask, max_position), tolerance=1e-4
            )


def _examine_interpolate(answer: Answer) -> None:
    for shape, rows, whole in (((6, 6), 6, False), ((2, 3, 5, 5), 4, False), ((3, 3), 4, True)):
        z, p = _in_range(shape, rows, whole)
        call = f"interpolate(z {list(z.shape)}, p {list(shape)})"
        asked = _told(answer, mistakes.ABOVE_THE_TABLE) if whole else answer
        value = numbers(_kept(asked, (z, p)), call)
        same_shape(value, shape, call)
        right = reference.interpolate(z.double(), p.double())
        compare(value, right, call, mistakes.interpolation_suspects(z, p), tolerance=1e-4)


def _in_range(shape: tuple[int, ...], rows: int, whole: bool) -> tuple[Tensor, Tensor]:
    """z [..., L, rows] and p of ``shape`` in its range; ``whole``: on the entries, the last one included."""
    z, p = (
        3 * random_numbers(*shape[:-1], rows, seed=rows),
        random_numbers(*shape, seed=1).sigmoid() * (rows - 1),
    )
    if whole:
        p = torch.arange(p.numel()).remainder(rows).reshape(shape).to(p.dtype)
    return z, p


def _examine_table_for(answer: Answer) -> None:
    for query, wanted in (
        ([3.0, 4.0], [0.0, 10.0, 0.0]),
        ([1.0, -2.0, 0.0, 2.0], [5.0, -1.0, 0.0, 2.0, 2.5]),
        ([0.5, 0.25, 0.0], [1.0, 2.0]),
    ):
        q, z = torch.tensor(query), torch.tensor(wanted)
        call = f"table_for({query}, {wanted})"
        table = numbers(_kept(answer, (q, z)), call)
        if tuple(table.shape) == (len(query), len(wanted)) != (len(wanted), len(query)):
            raise Wrong(
                f"{call} 的形状是 {list(table.shape)}：转置了，要一行一个位置。",
                f"{call} has shape {list(table.shape)}: transposed. A row for each position, please.",
            )
        same_shape(table, (len(wanted), len(query)), call)
        compare(table @ q.double(), z.double(), f"q · {call}", mistakes.table_suspects(q, z), tolerance=1e-4)


def _examine_cope_attention(answer: Answer) -> None:
    for shape, rows in (((5, 4), 6), ((2, 3, 6, 8), 7), ((6, 4), 3)):
        query, key, value = 1.5 * random_numbers(3, *shape, seed=rows)
        table = random_numbers(rows, shape[-1], seed=1)
        call = f"cope_attention(q, k, v {list(shape)}, table {list(table.shape)})"
        asked = _told(answer, mistakes.NO_CLAMP) if rows < shape[-2] else answer
        read = numbers(_kept(asked, (query, key, value, table)), call)
        same_shape(read, shape, call)
        right = reference.cope_attention(*(x.double() for x in (query, key, value, table)))
        suspects = mistakes.attention_suspects(query, key, value, table)
        compare(read, right, call, suspects, tolerance=1e-4)


def _examine_slope(answer: Answer) -> None:
    for shape, rows, whole in (
        ((4, 4), 5, False),
        ((3, 3), 2, False),
        ((2, 4, 4), 6, True),
        ((3, 3), 4, True),
    ):
        z, p = _in_range(shape, rows, whole)
        call = f"interpolate_with_slope(z {list(z.shape)}, p {list(shape)})"
        asked = _told(answer, mistakes.ABOVE_THE_TABLE) if whole else answer
        asked_at = p.clone().requires_grad_()
        answered = asked(z.clone(), asked_at)
        value = numbers(answered, call)
        same_shape(value, shape, call)
        right = reference.interpolate(z.double(), p.double())
        compare(value, right, call, mistakes.interpolation_suspects(z, p), tolerance=1e-4)
        if not answered.requires_grad:
            raise Wrong(mistakes.CUT_OFF.zh, mistakes.CUT_OFF.en)
        (slope,) = torch.autograd.grad(answered.sum(), asked_at, allow_unused=True)
        if slope is None:
            raise Wrong(mistakes.CUT_OFF.zh, mistakes.CUT_OFF.en)
        _compare_slope(slope, z, p, call)


def _compare_slope(slope: Tensor, z: Tensor, p: Tensor, call: str) -> None:
    """At the last row what follows is a matter of taste, so the slope is not looked at there."""
    inside = p < z.shape[-1] - 1
    below = p.long().clamp(max=z.shape[-1] - 2)
    right = (z.gather(-1, below + 1) - z.gather(-1, below)).double()
    seen = numbers(slope, f"∂/∂p {call}")
    suspects = [(torch.where(inside, wrong, 0.0), name) for wrong, name in mistakes.slope_suspects(z, p)]
    compare(
        torch.where(inside, seen, 0.0),
        torch.where(inside, right, 0.0),
        f"∂/∂p {call}",
        suspects,
        tolerance=1e-4,
    )
