"""Exercises of lesson 03 on rows: the gradient of each, and the rows that a padded batch reads."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Answer, Exercise
from posenc_lessons.exercises.reading import can_index, random_numbers
from posenc_lessons.exercises.solutions import learned as solutions
from posenc_lessons.language import Text

# --- the gradient of the table -------------------------------------------------------------------------


def _look_ups() -> Iterator[tuple[Tensor, Tensor, int]]:
    for rows, max_len in (([[0, 0, 3, 1], [3, 3, 3, 2]], 6), ([[0, 1, 2], [0, 1, 2]], 5), ([[2]], 3)):
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
    "形状是 {shape}，还是按词元排的。梯度要按表的行排：[max_len, d] = [{max_len}, 3]。",
    "Shape {shape} is still one row per token. The gradient has one row per row of the table: [max_len, d] = "
    "[{max_len}, 3].",
)(lambda grad_output, *_: grad_output, lambda grad_output, *_: grad_output.sum(dim=0))
TABLE_GRADIENT.mistake(
    "你的行数是查到的最大位置加 1；表有 max_len = {max_len} 行，没查到的行也在里面，梯度是 0。",
    "Your rows stop at the largest position looked up; the table has max_len = {max_len} of them, and those "
    "nobody looked up have gradient 0.",
)(lambda grad, positions, max_len: solutions.table_gradient(grad, positions, int(positions.max()) + 1))
TABLE_GRADIENT.mistake("全是 0：grad_output 还没有加进去。", "All zeros: grad_output has not been added in.")(
    lambda grad_output, positions, max_len: torch.zeros(max_len, grad_output.shape[-1])
)


@TABLE_GRADIENT.mistake(
    "同一行被查了几次，就要把几次的梯度加起来。你是后一次盖掉前一次：gradient[positions] = … 和 += 都会这样，"
    "用 index_add。",
    "A row looked up several times collects several gradients. Yours keeps only the last: "
    "gradient[positions] = … and += both do that. Use index_add.",
)
def overwritten(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    gradient = grad_output.new_zeros(max_len, grad_output.shape[-1])
    for row, one in zip(positions.flatten().tolist(), grad_output.flatten(0, 1), strict=True):
        gradient[row] = one
    return gradient


TABLE_GRADIENT.mistake(
    "句子之间加对了，可是一句之内同一行查了几次，+= 只加进去一次。用 index_add。",
    "Sentences are added up, but within one, += counts a row once however often it was looked up. Use "
    "index_add.",
)(
    lambda grad, positions, rows: torch.stack(
        [overwritten(g[None], at[None], rows) for g, at in zip(grad, positions, strict=True)]
    ).sum(dim=0)
)


@TABLE_GRADIENT.mistake(
    "你取了平均，应当是求和：损失里这一行出现几次，导数就有几项相加。",
    "You take the mean; it should be the sum: the loss contains the row several times, and the derivatives "
    "add up.",
)
def averaged(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    times = torch.bincount(positions.flatten(), minlength=max_len).clamp(min=1)
    return solutions.table_gradient(grad_output, positions, max_len) / times[:, None]


TABLE_GRADIENT.mistake(
    "你除以了批量大小。grad_output 里已经有损失的平均了，这里只管求和。",
    "You divide by the batch size. If the loss is a mean, grad_output knows already; here only add.",
)(lambda *given: solutions.table_gradient(*given) / len(given[1]))
TABLE_GRADIENT.mistake(
    "只算了一个句子，批量里的其他句子也要加上。", "Only one sentence was counted; add the others."
)(
    lambda grad, positions, rows: solutions.table_gradient(grad[:1], positions[:1], rows),
    lambda grad, positions, rows: solutions.table_gradient(grad[-1:], positions[-1:], rows),
)
TABLE_GRADIENT.mistake(
    "你数的是每一行被查了几次；要加的是那里的 grad_output。",
    "You count how often each row was looked up; add up grad_output there instead.",
)(lambda grad_output, *rest: solutions.table_gradient(torch.ones_like(grad_output), *rest))
TABLE_GRADIENT.mistake(
    "你没有用 positions：第 m 个词元查的不一定是第 m 行。",
    "positions was not used: token m need not have looked up row m.",
)(lambda grad, at, rows: solutions.table_gradient(grad, torch.arange(at.shape[1]).expand_as(at), rows))
TABLE_GRADIENT.mistake(recurring.ROW_OF_THE_NEXT)(
    lambda grad, positions, rows: solutions.table_gradient(grad, (positions + 1).clamp(max=rows - 1), rows)
)


# --- position ids --------------------------------------------------------------------------------------


def _masks() -> Iterator[tuple[Tensor, int, int]]:
    for padding_row, max_len, rows in (
        (1, 6, ["1111", "0110"]),  # room for four, and four there are
        (0, 3, ["0011", "0111", "1111"]),  # room for two, in sentences of two, three and four
        (3, 9, ["11010", "01110"]),
        (1, 5, ["011111", "111110"]),
        (2, 4, ["111", "000"]),
    ):
        yield torch.tensor([[mark == "1" for mark in row] for row in rows]), padding_row, max_len


POSITION_IDS = Exercise(
    solutions.position_ids,
    questions=_masks,
    praise=Text(
        "对。填充不论在哪里都查 padding_row；真词元从下一行数起，数到 max_len − 1 为止。RoBERTa 的 514 行于是"
        "放得下 512 个。",
        "Right. Padding reads padding_row wherever it stands; real tokens count from the row after it, up to "
        "max_len − 1. So RoBERTa's 514 rows hold 512 of them.",
    ),
    tolerance=0.0,
    call=lambda is_real, padding_row, max_len: (
        f"position_ids({is_real.int().tolist()}, {padding_row}, {max_len})"
    ),
)
POSITION_IDS.probe(can_index(torch.tensor([[True]]), 1, 4))


def _cut(ids: Answer) -> Answer:
    """Return the answer that numbers by ``ids(is_real, padding_row)`` and cuts rightly."""

    def rows(is_real: Tensor, padding_row: int, max_len: int) -> Tensor:
        numbered = ids(is_real, padding_row)
        return numbered.where(numbered < max_len, padding_row)

    return rows


def _uncut(is_real: Tensor, padding_row: int) -> Tensor:
    return is_real.long().cumsum(dim=1) * is_real + padding_row


POSITION_IDS.mistake(
    "放不下的真词元没有截掉：编号最大是 max_len − 1 = {last}，再大就查不到了。",
    "Real tokens without a row were not cut: the largest row is max_len − 1 = {last}.",
    last=lambda is_real, padding_row, max_len: max_len - 1,
)(lambda is_real, padding_row, max_len: _uncut(is_real, padding_row))
POSITION_IDS.mistake(
    "差一：行从 0 数起，max_len = {max_len} 行的最后一行是 {max_len} − 1。",
    "Off by one: rows count from 0, so max_len = {max_len} rows end at {max_len} − 1.",
)(lambda is_real, padding_row, max_len: solutions.position_ids(is_real, padding_row, max_len + 1))
POSITION_IDS.mistake(
    "差一，截早了：第 max_len − 1 = {last} 行也能用。",
    "Off by one, cut too early: row max_len − 1 = {last} can be used as well.",
    last=lambda is_real, padding_row, max_len: max_len - 1,
)(lambda is_real, padding_row, max_len: solutions.position_ids(is_real, padding_row, max_len - 1))
POSITION_IDS.mistake(
    "放不下的真词元全挤在最后一行（clamp）：它们分不开了。这里要把它们当作填充。",
    "Real tokens without a row all share the last one (clamp), all alike. Treat them as padding.",
)(lambda is_real, padding_row, max_len: _uncut(is_real, padding_row).clamp(max=max_len - 1))
POSITION_IDS.mistake(
    "你按列数截断：左边的填充也占了名额。截断要看真词元的编号。",
    "You cut by column, so padding on the left takes up room. Cut by the number of the real token.",
)(
    lambda is_real, padding_row, max_len: _uncut(
        is_real & (torch.arange(is_real.shape[1]) < max_len - padding_row - 1), padding_row
    )
)


def columns_counted(is_real: Tensor, padding_row: int) -> Tensor:
    return (torch.arange(is_real.shape[1]) + padding_row + 1).expand(is_real.shape)


POSITION_IDS.mistake(
    "你没有看 is_real：左边有填充时，第一个真词元也应当在 padding_row + 1。",
    "is_real was not used: with padding on the left, the first real token is still at padding_row + 1.",
)(_cut(columns_counted))
POSITION_IDS.mistake(
    "填充处对了，但真词元还是从序列的开头数起：左边的填充把它们的位置推后了。从第一个真词元数起。",
    "The padding is right, but the real tokens are still counted from the start of the sequence: padding on "
    "the left pushes them back. Count from the first real token.",
)(_cut(lambda is_real, row: torch.where(is_real, columns_counted(is_real, row), row)))
POSITION_IDS.mistake(
    "第一个真词元和填充撞在同一行 padding_row：真词元要从 padding_row + 1 数起。",
    "The first real token shares the padding's row, padding_row: real tokens count from padding_row + 1.",
)(_cut(lambda is_real, row: (is_real.cumsum(dim=1) - 1) * is_real + row))
POSITION_IDS.mistake(
    "真词元从 0 数起，填充处写 1：这是 Hugging Face 生成代码里的写法。这里填充查 padding_row，"
    "真词元从它的下一行数起。",
    "Real tokens count from 0 and padding has 1, as in Hugging Face's code for generation. Here padding "
    "reads padding_row, and real tokens count from the row after it.",
)(_cut(lambda is_real, row: (is_real.cumsum(dim=1) - 1).masked_fill(~is_real, 1)))
POSITION_IDS.mistake(
    "这是 padding_row = 1 的编号，RoBERTa 就是这样；padding_row 是传进来的。",
    "That is the numbering for padding_row = 1, as RoBERTa's; padding_row is an argument.",
)(lambda is_real, padding_row, max_len: solutions.position_ids(is_real, 1, max_len))
POSITION_IDS.mistake(
    "真词元从 0 数起了，没有用 padding_row：第 0 到 padding_row 行不给真词元。",
    "Real tokens count from 0 and padding_row was not used: rows 0 to padding_row are not for real tokens.",
)(_cut(lambda is_real, row: (is_real.cumsum(dim=1) - 1) * is_real))
POSITION_IDS.mistake(
    "真词元都对，但填充处应当是 padding_row；中间和右边的填充还跟着前面的词元。",
    "Real tokens are right, but padding should be at padding_row; in between and on the right it still has "
    "the number of the token before it.",
)(_cut(lambda is_real, row: is_real.cumsum(dim=1) + row))
POSITION_IDS.mistake(
    "真词元都对，填充处却是 0：0 也是表里的一行，应当是 padding_row。",
    "Real tokens are right, but the padding is 0, which is some other row of the table: padding_row is "
    "wanted.",
)(_cut(lambda is_real, row: (is_real.cumsum(dim=1) + row) * is_real))
POSITION_IDS.mistake(
    "累加的方向错了：你在批量上数，应当沿着句子（dim=1）数。",
    "Wrong axis: you count down the batch; count along the sentence (dim=1).",
)(_cut(lambda is_real, row: is_real.cumsum(dim=0) * is_real + row))
POSITION_IDS.mistake(
    "这只是 is_real 本身，还没有数数。", "That is is_real itself; nothing has been counted yet."
)(lambda is_real, *_: is_real.long())
