"""The exercises of lesson 08: each check knows the usual wrong answers and names the one it sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises import longer_than_trained_mistakes as mistakes
from posenc_lessons.exercises.reading import compare, numbers, same_shape
from posenc_lessons.exercises.solutions import longer_than_trained as reference
from posenc_lessons.exercises.verdict import Verdict, Wrong, judge
from posenc_lessons.language import Text

Answer = Callable[..., Any]


def check_squeeze(answer: Answer) -> Verdict:
    """Judge ``squeeze(positions [n], trained, length) -> [n]``."""
    return judge(
        answer,
        _examine_squeeze,
        Text(
            "对。长文压进训练过的范围，短文一动不动，而且小数留着，没有两个词元挤到一处。",
            "Right. A long text is squeezed into what was trained, a short one is left alone, and with the "
            "fractions kept no two tokens share a place.",
        ),
    )


def check_larger_base(answer: Answer) -> Verdict:
    """Judge ``larger_base(base, d, factor) -> number``."""
    return judge(
        answer,
        _examine_larger_base,
        Text(
            "对。最快的一对速度不变，最慢的一对正好慢 factor 倍。",
            "Right. The fastest pair keeps its speed, and the slowest is exactly factor times slower.",
        ),
    )


def check_unfinished(answer: Answer) -> Verdict:
    """Judge ``unfinished(d, base, trained) -> bool [d/2]``."""
    return judge(
        answer,
        _examine_unfinished,
        Text(
            "对。这些对在训练里没有转满一圈，再长就会遇到新的角度。",
            "Right. These pairs never came full circle in training: any longer, and they meet new angles.",
        ),
    )


def check_by_parts(answer: Answer) -> Verdict:
    """Judge ``by_parts(theta [n], factor, trained, slow, fast) -> [n]``."""
    return judge(
        answer,
        _examine_by_parts,
        Text(
            "对。快的不动，慢的除以 factor，中间平滑过渡。slow=1、fast=4 就是 Llama 3.1 用的办法。",
            "Right. Fast pairs stay, slow ones are divided by factor, with a smooth way between. With "
            "slow=1 and fast=4 it is what Llama 3.1 does.",
        ),
    )


def check_beyond(answer: Answer) -> Verdict:
    """Judge ``beyond(right [S, B, L], counted [B, L], trained) -> [3]``."""
    return judge(
        answer,
        _examine_beyond,
        Text(
            "对。只看训练没到过的位置，只数该数的答案，每个种子先各自平均，再看它们散得多开。",
            "Right. Only positions past the training, only answers that count, each seed averaged by "
            "itself, and then how far apart the seeds are.",
        ),
    )


# --- the examinations ---------------------------------------------------------------------------------


def _examine_squeeze(answer: Answer) -> None:
    for positions, trained, length in (
        (torch.tensor([0, 1, 2, 5, 9, 15]), 4, 16),
        (torch.tensor([7, 0, 11, 3]), 8, 12),
        (torch.arange(6), 8, 6),
        (torch.tensor([3, 7]), 8, 8),
    ):
        given = positions.clone()
        call = f"squeeze({positions.tolist()}, {trained}, {length})"
        value = numbers(answer(given, trained, length), call)
        same_shape(value, tuple(positions.shape), call)
        if not torch.equal(given, positions):
            raise Wrong(
                "你的函数改动了传进来的 positions。返回一个新张量。",
                "Your function changed the positions it was given. Return a new tensor.",
            )
        right = reference.squeeze(positions, trained, length)
        compare(value, right, call, mistakes.squeeze_suspects(positions, trained, length), tolerance=1e-5)


def _examine_larger_base(answer: Answer) -> None:
    for base, d, factor in ((100.0, 4, 4.0), (10000.0, 64, 4.0), (10000.0, 128, 8.0), (500.0, 6, 1.0)):
        call = f"larger_base({base:g}, {d}, {factor:g})"
        value = _one_number(answer(base, d, factor), call)
        right = torch.tensor(reference.larger_base(base, d, factor), dtype=torch.float64)
        suspects = mistakes.larger_base_suspects(base, d, factor) if factor > 1 else []
        compare(value, right, call, suspects, tolerance=1e-4 * right)


def _one_number(value: Any, call: str) -> Tensor:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = torch.tensor(float(value), dtype=torch.float64)
    read = numbers(value, call)
    if read.numel() != 1:
        raise Wrong(
            f"{call} 应当是一个数，即新的底数，你返回的形状是 {list(read.shape)}。",
            f"{call} should be one number, the new base; yours has shape {list(read.shape)}.",
        )
    return read.reshape(())


# Such lengths that it makes no difference whether L or L − 1 positions are counted.
UNFINISHED = ((16, 10000.0, 32), (64, 10000.0, 2048), (8, 100.0, 5), (12, 500.0, 300))


def _examine_unfinished(answer: Answer) -> None:
    values = [_choices(answer, *case) for case in UNFINISHED]
    wrong = [
        (case, value, right)
        for case, value in zip(UNFINISHED, values, strict=True)
        if not torch.equal(value, right := reference.unfinished(*case))
    ]
    if not wrong:
        return
    # Several mistakes may agree on a few booleans: a name is given when it explains all the answers.
    suspects = zip(*(mistakes.unfinished_suspects(*case) for case in UNFINISHED), strict=True)
    for several in suspects:
        if all(torch.equal(value, said) for value, (said, _) in zip(values, several, strict=True)):
            name = several[0][1]
            raise Wrong(name.zh, name.en)
    (d, base, trained), value, right = wrong[0]
    pair = int((value != right).nonzero()[0])
    zh, en = ("转不满", "does not come") if right[pair] else ("转得满", "does come")
    call = f"unfinished({d}, {base:g}, {trained})"
    raise Wrong(
        f"{call}：第 {pair} 对{zh}一圈，你说的相反。",
        f"{call}: pair {pair} {en} full circle; yours says otherwise.",
    )


def _choices(answer: Answer, d: int, base: float, trained: int) -> Tensor:
    """The answer as booleans [d/2]; 0 and 1 will do."""
    call = f"unfinished({d}, {base:g}, {trained})"
    answered = answer(d, base, trained)
    value = numbers(answered, call)
    if not bool(((value == 0) | (value == 1)).all()):
        raise Wrong(
            f"{call} 要一个布尔张量，一对一个 True 或 False，你返回的是 {answered.dtype}。",
            f"{call} wants a tensor of booleans, True or False for each pair; yours is {answered.dtype}.",
        )
    same_shape(value, (d // 2,), call)
    return value.bool()


def _examine_by_parts(answer: Answer) -> None:
    for d, base, factor, trained, slow, fast in (
        (16, 10000.0, 4.0, 32, 1.0, 4.0),
        (64, 10000.0, 4.0, 2048, 1.0, 32.0),
        (32, 500.0, 8.0, 300, 0.5, 10.0),
    ):
        theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
        given = theta.clone()
        call = f"by_parts(theta [{d // 2}], {factor:g}, {trained}, {slow:g}, {fast:g})"
        value = numbers(answer(given, factor, trained, slow, fast), call)
        same_shape(value, (d // 2,), call)
        if not torch.equal(given, theta):
            raise Wrong(
                "你的函数改动了传进来的 theta。返回一个新张量。",
                "Your function changed the theta it was given. Return a new tensor.",
            )
        right = reference.by_parts(theta, factor, trained, slow, fast)
        suspects = mistakes.by_parts_suspects(theta, factor, trained, slow, fast)
        # Frequencies fall over four orders of magnitude: what counts is the share.
        compare(value / theta, right / theta, call, [(w / theta, name) for w, name in suspects], 1e-4)


def _examine_beyond(answer: Answer) -> None:
    for seeds, batch, length, trained, seed in ((3, 4, 12, 5, 0), (5, 2, 9, 8, 1), (1, 6, 10, 4, 2)):
        right, counted = mistakes.answers(seeds, batch, length, trained, seed)
        call = f"beyond(right [{seeds}, {batch}, {length}], counted [{batch}, {length}], {trained})"
        value = numbers(answer(right.clone(), counted.clone(), trained), call)
        same_shape(value, (3,), call)
        expected = reference.beyond(right, counted, trained)
        compare(value, expected, call, mistakes.beyond_suspects(right, counted, trained), tolerance=1e-5)
