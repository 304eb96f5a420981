"""Exercise of lesson 03 on the gradient of the rows of a table."""

from collections.abc import Iterator

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import learned as solutions
from posenc_lessons.language import Text


def _look_ups() -> Iterator[tuple[Tensor, Tensor, int]]:
    for rows, max_len in (
        ([[0, 2, 0]], 4),
        ([[0, 0, 3, 1], [3, 3, 3, 2]], 6),
        ([[0, 1, 2], [0, 1, 2]], 5),
        ([[2]], 3),
    ):
        positions = torch.tensor(rows)
        yield random_numbers(*positions.shape, 3, seed=max_len), positions, max_len


TABLE_GRADIENT = Exercise(
    solutions.table_gradient,
    questions=_look_ups,
    praise=Text(
        "对。查过的行收到每次查表的梯度之和，没查过的行是 0。",
        "Right. A row gets the sum over its look-ups, and rows nobody looked up get 0.",
    ),
)


TABLE_GRADIENT.mistake(
    "还是一个词元一行。梯度要按表的行排：[max_len, d]。",
    "There is still one row per token. The gradient has one row per row of the table: [max_len, d].",
)(lambda grad_output, *_: grad_output, lambda grad_output, *_: grad_output.sum(dim=0))
TABLE_GRADIENT.mistake(
    "你的行数是查到的最大位置加 1；表有 max_len 行，没查到的行也在里面，梯度是 0。",
    "Your rows stop at the largest position looked up: the table has max_len of them.",
)(lambda grad, positions, max_len: solutions.table_gradient(grad, positions, int(positions.max()) + 1))


@TABLE_GRADIENT.mistake(
    "同一行被查了几次，你只留下最后一次的梯度：用 index_add，把几次加起来。",
    "A row looked up several times keeps only its last gradient: use index_add, which adds them up.",
)
def overwritten(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    gradient = grad_output.new_zeros(max_len, grad_output.shape[-1])
    for row, one in zip(positions.flatten().tolist(), grad_output.flatten(0, 1), strict=True):
        gradient[row] = one
    return gradient


TABLE_GRADIENT.mistake(
    "句子之间加对了，可是一句之内同一行查了几次，+= 只加进去一次。用 index_add。",
    "Within one sentence, += counts a row once however often it was looked up: use index_add.",
)(
    lambda grad, positions, rows: torch.stack(
        [overwritten(g[None], at[None], rows) for g, at in zip(grad, positions, strict=True)]
    ).sum(dim=0)
)


def _looked_up(positions: Tensor, max_len: int) -> Tensor:
    return torch.bincount(positions.flatten(), minlength=max_len).clamp(min=1)[:, None]


TABLE_GRADIENT.mistake(
    "你取了平均，应当是求和：损失里这一行出现几次，导数就有几项相加。损失要是平均，grad_output 里已经有了。",
    "You take a mean: it should be the sum, a term for each time that the row was looked up.",
)(
    lambda *given: solutions.table_gradient(*given) / _looked_up(*given[1:]),
    lambda *given: solutions.table_gradient(*given) / len(given[1]),
)
TABLE_GRADIENT.mistake(
    "只算了一个句子，批量里的其他句子也要加上。", "Only one sentence was counted; add the others."
)(
    lambda grad, positions, rows: solutions.table_gradient(grad[:1], positions[:1], rows),
    lambda grad, positions, rows: solutions.table_gradient(grad[-1:], positions[-1:], rows),
)
recurring.positions_not_used(TABLE_GRADIENT, 1)
