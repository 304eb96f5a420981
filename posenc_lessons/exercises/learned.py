"""The exercises of lesson 03: a table's gradient and size here, its module and its length in other files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises.exercise import Answer, Exercise
from posenc_lessons.exercises.learned_lengths import POSITION_IDS, STRETCH
from posenc_lessons.exercises.learned_module import LEARNED_POSITIONS
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import learned as solutions
from posenc_lessons.exercises.verdict import Wrong
from posenc_lessons.language import Text

check_learned_positions = LEARNED_POSITIONS.check
check_position_ids = POSITION_IDS.check
check_stretch = STRETCH.check

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
check_table_gradient = TABLE_GRADIENT.check

BY_TOKEN = Text(
    "形状是 {shape}，还是按词元排的。梯度要按表的行排：[max_len, d] = [{max_len}, 3]。",
    "Shape {shape} is still one row per token. The gradient has one row per row of the table: [max_len, d] = "
    "[{max_len}, 3].",
)


@TABLE_GRADIENT.mistake(BY_TOKEN)
def one_row_per_token(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return grad_output


@TABLE_GRADIENT.mistake(BY_TOKEN)
def one_row_per_place(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return grad_output.sum(dim=0)


@TABLE_GRADIENT.mistake("全是 0：grad_output 还没有加进去。", "All zeros: grad_output has not been added in.")
def nothing_collected(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return torch.zeros(max_len, grad_output.shape[-1])


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


@TABLE_GRADIENT.mistake(
    "你取了平均，应当是求和：损失里这一行出现几次，导数就有几项相加。",
    "You take the mean; it should be the sum: the loss contains the row several times, and the derivatives "
    "add up.",
)
def averaged(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    times = torch.bincount(positions.flatten(), minlength=max_len).clamp(min=1)
    return solutions.table_gradient(grad_output, positions, max_len) / times[:, None]


@TABLE_GRADIENT.mistake(
    "你除以了批量大小。grad_output 里已经有损失的平均了，这里只管求和。",
    "You divide by the batch size. If the loss is a mean, grad_output knows already; here only add.",
)
def divided_by_the_batch(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return solutions.table_gradient(grad_output, positions, max_len) / len(positions)


@TABLE_GRADIENT.mistake(
    "只算了第一个句子，批量里的其他句子也要加上。", "Only the first sentence was counted; add the others."
)
def first_sentence_only(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return solutions.table_gradient(grad_output[:1], positions[:1], max_len)


@TABLE_GRADIENT.mistake(
    "只算了最后一个句子，批量里的其他句子也要加上。", "Only the last sentence was counted; add the others."
)
def last_sentence_only(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return solutions.table_gradient(grad_output[-1:], positions[-1:], max_len)


@TABLE_GRADIENT.mistake(
    "你数的是每一行被查了几次；要加的是那里的 grad_output。",
    "You count how often each row was looked up; add up grad_output there instead.",
)
def look_ups_counted(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return solutions.table_gradient(torch.ones_like(grad_output), positions, max_len)


@TABLE_GRADIENT.mistake(
    "你没有用 positions：第 m 个词元查的不一定是第 m 行。",
    "positions was not used: token m need not have looked up row m.",
)
def positions_ignored(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    in_order = torch.arange(positions.shape[1]).expand_as(positions)
    return solutions.table_gradient(grad_output, in_order, max_len)


@TABLE_GRADIENT.mistake("错开了一行：第 0 行是位置 0。", "Off by one: row 0 is position 0.")
def one_row_too_late(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return solutions.table_gradient(grad_output, (positions + 1).clamp(max=max_len - 1), max_len)


@TABLE_GRADIENT.right
def gradient_by_autograd(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor | None:
    table = grad_output.new_zeros(max_len, grad_output.shape[-1], requires_grad=True)
    table[positions].backward(grad_output)
    return table.grad


@TABLE_GRADIENT.right
def gradient_by_one_hot(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return torch.einsum("blr,bld->rd", F.one_hot(positions, max_len).to(grad_output.dtype), grad_output)


# --- the number of parameters --------------------------------------------------------------------------


NOT_WHOLE = Text(
    "{call} 应当返回一个整数，得到 {shown}。", "{call} should return a whole number; got {shown}."
)


def _whole_number(value: Any, call: str) -> int:
    if isinstance(value, Tensor) and value.numel() == 1 and not value.is_complex():
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value // 1:
        raise Wrong.saying(NOT_WHOLE, call=call, shown=f"{value!r}"[:60])
    return int(value)


COUNT_PARAMETERS = Exercise(
    solutions.count_parameters,
    questions=((11, 7, 5, 3), (30522, 512, 768, 2), (50257, 1024, 768, 0)),
    praise=Text(
        "对。BERT-base 的三张表一共 23835648 个参数，位置表只占 393216 个。",
        "Right. BERT-base's three tables hold 23835648 parameters, of which positions take only 393216.",
    ),
    read=_whole_number,
)
check_count_parameters = COUNT_PARAMETERS.check


def _miscount(zh: str, en: str) -> Callable[[Answer], Answer]:
    """Name a wrong count, with the count itself in front."""
    return lambda wrong: COUNT_PARAMETERS.mistake(
        f"{{call}} = {{count}}：{zh}", f"{{call}} = {{count}}: {en}", count=wrong
    )(wrong)


@_miscount("你数的是行数，每一行还有 d_model 个数。", "You counted rows; each row holds d_model numbers.")
def rows_counted(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return vocab_size + max_len + n_types


@_miscount(
    "三张表是分开的，大小相加，不是相乘。", "The three tables stand apart: add their sizes, do not multiply."
)
def all_multiplied(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return vocab_size * max_len * d_model * n_types


@_miscount(
    "词表和位置表是分开的，大小相加；位置表不会为每个词都存一份。",
    "Word and position tables stand apart: add their sizes. Positions are not stored once per word.",
)
def a_position_for_each_word(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return vocab_size * max_len * d_model


@_miscount("少了词元类型的表：n_types · d_model。", "The token-type table is missing: n_types · d_model.")
def without_types(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return (vocab_size + max_len) * d_model


@_miscount("少了位置表：max_len · d_model。", "The position table is missing: max_len · d_model.")
def without_positions(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return (vocab_size + n_types) * d_model


@_miscount("少了词表：vocab_size · d_model。", "The word table is missing: vocab_size · d_model.")
def without_words(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return (max_len + n_types) * d_model


@_miscount(
    "这只是位置表，还有词表和类型表。", "That is the position table alone; words and types are missing."
)
def positions_alone(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return max_len * d_model


@_miscount(
    "你把 LayerNorm 的参数也数进来了；这里只数三张表。",
    "LayerNorm's parameters are in; count the tables only.",
)
def with_the_layer_norm(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return (vocab_size + max_len + n_types + 2) * d_model


@_miscount(
    "多数了一行：max_len 行就是位置 0 到 max_len−1。",
    "One row too many: max_len rows are positions 0 to max_len−1.",
)
def one_row_too_many(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return (vocab_size + max_len + n_types + 1) * d_model


@COUNT_PARAMETERS.example(NOT_WHOLE)
def half_a_parameter(vocab_size: int, max_len: int, d_model: int, n_types: int) -> float:
    return 0.5


@COUNT_PARAMETERS.example(NOT_WHOLE)
def no_number(vocab_size: int, max_len: int, d_model: int, n_types: int) -> float:
    return float("nan")


@COUNT_PARAMETERS.right
def as_a_tensor(vocab_size: int, max_len: int, d_model: int, n_types: int) -> Tensor:
    return torch.tensor((vocab_size + max_len + n_types) * d_model)
