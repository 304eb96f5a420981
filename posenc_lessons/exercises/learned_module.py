"""The exercise of lesson 03 that asks for a module: a table of positions that is made once and can learn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.exercises.exercise import Answer, Exercise, Question
from posenc_lessons.exercises.reading import numbers, random_numbers
from posenc_lessons.exercises.solutions import learned as solutions
from posenc_lessons.exercises.verdict import Asked, Raised, Wrong
from posenc_lessons.language import Text

REFUSED = "an error"  # what is right for a sentence that is longer than the table

NO_MODULE = Text(
    "LearnedPositions(max_len, d_model) 应当是一个 nn.Module，得到的是 {kind}。",
    "LearnedPositions(max_len, d_model) should be an nn.Module; got {kind}.",
)
NEW_EACH_TIME = Text(
    "同一个 x 进去两次，出来的结果不一样：每次 forward 都建了一张新的表。表要在 __init__ 里建，只建一次。",
    "The same x twice gives two different results: each forward makes a new table. Make it once, in "
    "__init__.",
)
MADE_IN_FORWARD = Text(
    "list(module.parameters()) 是空的：表是在 forward 里临时建的，用完就扔，永远学不到东西。在 __init__ 里建"
    "好，存成 self.table。",
    "list(module.parameters()) is empty: the table is made inside forward and thrown away after use, so it "
    "can never learn. Make it in __init__ and keep it as self.table.",
)
A_BUFFER = Text(
    "表是缓冲区（buffer）：会保存，会跟着设备走，但不会训练。要学的东西用 nn.Parameter 或 nn.Embedding。",
    "The table is a buffer: saved and moved with the module, but not trained. What is to be learned needs "
    "nn.Parameter or nn.Embedding.",
)
AN_ATTRIBUTE = Text(
    "表只是一个普通的张量属性：优化器看不见它，state_dict 里也没有它。把它包进 nn.Parameter(...)。",
    "The table is a plain tensor attribute: no optimiser sees it and state_dict lacks it. Wrap it in "
    "nn.Parameter(...).",
)
ONE_TABLE = Text(
    "参数应当只有一张 {wanted} 的表，你的是 {yours}。",
    "The only parameter should be one table {wanted}; yours: {yours}. ",
)
EXCHANGED = Text(
    ONE_TABLE.zh + "行列反了：一行一个位置。",
    ONE_TABLE.en + "Rows and columns are exchanged: one row per position.",
)
TOO_MANY_ROWS = Text(
    ONE_TABLE.zh + "位置是 0 到 {last}，正好 {rows} 行。",
    ONE_TABLE.en + "Positions are 0 to {last}: {rows} rows.",
)
FROZEN = Text(
    "表是参数，但 requires_grad=False：它被冻住了，学不了。",
    "The table is a parameter with requires_grad=False: frozen, it cannot learn.",
)
CHANGES_X = Text(
    "你的 forward 改动了传进来的 {changed}（多半是用了 += 或 add_）。返回一个新张量：x + …",
    "Your forward changed the {changed} it was given (a += or add_, most likely). Return a new tensor: x + …",
)
NO_GRADIENT = Text(
    "数值对，但梯度到不了表：中间有 .detach()、.data 或 torch.no_grad()，表还是学不了。",
    "The numbers are right, but no gradient reaches the table: there is a .detach(), .data or "
    "torch.no_grad() on the way, so it still cannot learn.",
)
NOT_REFUSED = Text(
    "{call} 比表长，应当报错，却给出了结果。位置 {rows} 没有对应的行。",
    "{call} is longer than the table and should be an error, yet a result came. Position {rows} has no row.",
)


def _questions() -> Iterator[Question]:
    """Tables and embeddings for them: shorter than the table, as long, and last too long."""
    for max_len, d_model in ((6, 4), (5, 3)):
        table = random_numbers(max_len, d_model, seed=1)
        for batch, length in ((2, max_len - 2), (3, 1), (1, max_len - 1), (max_len, max_len)):
            yield Question(table, random_numbers(batch, length, d_model, seed=length))
        too_long = random_numbers(1, max_len + 2, d_model, seed=2)
        yield Question(table, too_long, otherwise=NOT_REFUSED.format(call="{call}", rows=max_len))


def _add(answer: Asked, table: Tensor, x: Tensor) -> Any:
    """What a module with the numbers of ``table`` makes of ``x``, REFUSED when it rightly raises an error."""
    module, parameter = _made(answer, *table.shape)
    parameter.data = table.clone()
    try:
        return answer.ask(module, x)
    except Raised:
        if x.shape[1] <= len(table):
            raise
        return REFUSED


def _made(answer: Asked, max_len: int, d_model: int) -> tuple[nn.Module, nn.Parameter]:
    """A new module and its one parameter, once it is known to be a table that can be trained."""
    module = answer(max_len, d_model)
    if not isinstance(module, nn.Module):
        raise Wrong.saying(NO_MODULE, kind=type(module).__name__)
    module.eval()
    x = random_numbers(2, max_len - 2, d_model)
    first, second = (
        numbers(answer.ask(module, x.clone()), _call(torch.empty(max_len, d_model), x)) for _ in range(2)
    )
    if first.shape == second.shape and not torch.allclose(first, second, rtol=0, atol=1e-6, equal_nan=True):
        raise Wrong.saying(NEW_EACH_TIME)
    parameters = list(module.parameters())
    if not parameters:
        raise Wrong.saying(_where_the_table_is(module, (max_len, d_model)))
    if [tuple(parameter.shape) for parameter in parameters] != [(max_len, d_model)]:
        yours = ", ".join(str(list(parameter.shape)) for parameter in parameters)
        said = EXCHANGED if yours == str([d_model, max_len]) else TOO_MANY_ROWS
        raise Wrong.saying(said, wanted=[max_len, d_model], yours=yours, last=max_len - 1, rows=max_len)
    if not parameters[0].requires_grad:
        raise Wrong.saying(FROZEN)
    return module, parameters[0]


def _where_the_table_is(module: nn.Module, shape: tuple[int, int]) -> Text:
    def among(values: Iterable[object]) -> bool:
        return any(isinstance(value, Tensor) and tuple(value.shape[-2:]) == shape for value in values)

    if among(module.buffers()):
        return A_BUFFER
    return AN_ATTRIBUTE if among(vars(module).values()) else MADE_IN_FORWARD


def _call(table: Tensor, x: Tensor) -> str:
    max_len, d_model = table.shape
    return f"LearnedPositions({max_len}, {d_model})(x {list(x.shape)})"


LEARNED_POSITIONS = Exercise(
    solutions.LearnedPositions,
    questions=_questions,
    praise=Text(
        "对。表只建一次，注册为参数，第 m 个词元加第 m 行，超出表的句子会报错。",
        "Right. The table is made once and registered, token m gets row m, and a sentence beyond the table "
        "is an error.",
    ),
    pose=_add,
    read=lambda value, call: value if value is REFUSED else numbers(value, call),
    call=_call,
    changed=CHANGES_X,
)


@LEARNED_POSITIONS.probe
def _learns(answer: Asked) -> None:
    module, table = _made(answer, 6, 4)
    out = module(torch.zeros(2, 6, 4))
    if out.requires_grad:
        out.sum().backward()
    if table.grad is None or not bool(table.grad.abs().sum() > 0):
        raise Wrong.saying(NO_GRADIENT)


# --- wrong ways to keep a table ------------------------------------------------------------------------


class _Table(nn.Module):
    """A learned table, rightly kept; wrong modules spoil one thing each."""

    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.max_len, self.d_model = max_len, d_model
        self.table: Any = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[: x.shape[1]]


@LEARNED_POSITIONS.example(NO_MODULE)
class NoModule:
    def __init__(self, max_len: int, d_model: int) -> None:
        self.table = torch.zeros(max_len, d_model)


@LEARNED_POSITIONS.example(NEW_EACH_TIME)
class RandomTableInsideForward(_Table):
    def forward(self, x: Tensor) -> Tensor:
        return x + nn.Embedding(self.max_len, self.d_model)(torch.arange(x.shape[1]))


@LEARNED_POSITIONS.example(MADE_IN_FORWARD)
class TableInsideForward(nn.Module):
    """The source notes' own: a new zero table at every call."""

    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.max_len, self.d_model = max_len, d_model

    def forward(self, x: Tensor) -> Tensor:
        table = nn.Embedding(self.max_len, self.d_model)
        nn.init.constant_(table.weight, 0.0)
        return x + table(torch.arange(x.shape[1]))


@LEARNED_POSITIONS.example(A_BUFFER)
class Buffer(_Table):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__(max_len, d_model)
        del self.table
        self.register_buffer("table", torch.randn(max_len, d_model))


@LEARNED_POSITIONS.example(AN_ATTRIBUTE)
class PlainTensor(_Table):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__(max_len, d_model)
        del self.table
        self.table = torch.randn(max_len, d_model, requires_grad=True)


@LEARNED_POSITIONS.example(EXCHANGED)
class Transposed(_Table):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__(d_model, max_len)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table.T[: x.shape[1]]


@LEARNED_POSITIONS.example(TOO_MANY_ROWS)
class OneRowTooMany(_Table):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__(max_len + 1, d_model)


@LEARNED_POSITIONS.example(TOO_MANY_ROWS)
class WithALinearToo(_Table):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__(max_len, d_model)
        self.linear = nn.Linear(d_model, d_model)


@LEARNED_POSITIONS.example(FROZEN)
class Frozen(_Table):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__(max_len, d_model)
        self.table.requires_grad_(False)


# --- wrong sums ----------------------------------------------------------------------------------------


def _module(add: Callable[[Tensor, Tensor], Tensor]) -> Answer:
    """A module with a table whose ``forward(x)`` is ``add(x, table)``."""
    return type(add.__name__, (_Table,), {"forward": lambda self, x: add(x, self.table)})


def _wrong_sum(said: str | Text, en: str = "", **values: Callable[..., object]) -> Callable[[Answer], Answer]:
    """Name the module that adds as the decorated function does."""
    return lambda add: LEARNED_POSITIONS.mistake(said, en, **values)(_module(add))


@LEARNED_POSITIONS.example(NO_GRADIENT)
@_module
def detached(x: Tensor, table: Tensor) -> Tensor:
    return x + table.detach()[: x.shape[1]]


@LEARNED_POSITIONS.example(CHANGES_X)
@_module
def in_place(x: Tensor, table: Tensor) -> Tensor:
    x += table[: x.shape[1]]
    return x


@_wrong_sum("输出就是 x 本身：表还没有加上去。", "The output is x itself: the table was not added.")
def nothing_added(x: Tensor, table: Tensor) -> Tensor:
    return x + 0 * table[: x.shape[1]]


@_wrong_sum(
    "你只返回了表里的行，x 不见了。应当是 x 加上它们。",
    "You return the rows of the table alone; x is gone. Add the rows to x.",
)
def rows_alone(x: Tensor, table: Tensor) -> Tensor:
    return table[: x.shape[1]].expand_as(x)


@_wrong_sum(
    "每个位置都加了同一行（第 L 行），顺序还是看不见。[:, L] 取的是一行，[:, :L] 才是前 L 行。",
    "Every position gets the same row (row L), so order stays invisible. [:, L] takes one row; [:, :L] takes "
    "the first L.",
)
def colon_forgotten(x: Tensor, table: Tensor) -> Tensor:
    return x + table[x.shape[1]]


@_wrong_sum(
    "错开了一行：位置从 0 数起，第一个词元用第 0 行。你的从第 1 行开始，满长的句子会越界。",
    "Off by one: positions count from 0, and the first token gets row 0. Yours starts at row 1, so a "
    "sentence of full length would fall off the end.",
)
def one_row_too_late(x: Tensor, table: Tensor) -> Tensor:
    return x + table[torch.arange(1, x.shape[1] + 1)]


@_wrong_sum("顺序反了：第一个词元用了最后一行。", "Backwards: the first token gets the last row.")
def backwards(x: Tensor, table: Tensor) -> Tensor:
    return x + table[: x.shape[1]].flip(0)


@_wrong_sum("你把表乘了上去，应当是相加。", "You multiply by the table; it should be added.")
def multiplied(x: Tensor, table: Tensor) -> Tensor:
    return x * table[: x.shape[1]]


@_wrong_sum(
    "x 被乘了 √d。原始的 Transformer 在嵌入那里这样做，这里不要。",
    "x was multiplied by √d. The original Transformer does so at its embeddings; not here.",
)
def embeddings_scaled(x: Tensor, table: Tensor) -> Tensor:
    return x * x.shape[-1] ** 0.5 + table[: x.shape[1]]


@_wrong_sum("每个位置都加了各行之和，于是都一样。", "Every position gets the sum of the rows, all the same.")
def sum_of_rows(x: Tensor, table: Tensor) -> Tensor:
    return x + table[: x.shape[1]].sum(dim=0)


@_wrong_sum(
    "每个位置都加了各行的平均，于是都一样。", "Every position gets the mean of the rows, all the same."
)
def mean_of_rows(x: Tensor, table: Tensor) -> Tensor:
    return x + table[: x.shape[1]].mean(dim=0)


SAME_ROW = Text(
    "每个位置都加了第 {row} 行，所以顺序还是看不见。第 m 个词元要加第 m 行。",
    "Every position gets row {row}, so order stays invisible. Token m needs row m.",
)


@_wrong_sum(SAME_ROW, row=lambda table, x: 0)
def first_row_for_all(x: Tensor, table: Tensor) -> Tensor:
    return x + table[0]


@_wrong_sum(SAME_ROW, row=lambda table, x: x.shape[1] - 1)
def row_of_the_last_token_for_all(x: Tensor, table: Tensor) -> Tensor:
    return x + table[x.shape[1] - 1]


@_wrong_sum(SAME_ROW, row=lambda table, x: len(table) - 1)
def last_row_for_all(x: Tensor, table: Tensor) -> Tensor:
    return x + table[-1]


@_wrong_sum(
    "数错了维：你按句子在批量里的序号取行，应当按词元在句子里的位置。x 是 [B, L, d]，长度是 x.shape[1]。",
    "The wrong axis: you pick the row by the sentence's place in the batch, not by the token's place in the "
    "sentence. x is [B, L, d]; its length is x.shape[1].",
)
def rows_by_sentence(x: Tensor, table: Tensor) -> Tensor:
    return x + table[: x.shape[0], None]


# --- a sentence longer than the table ------------------------------------------------------------------

TOO_LONG = {"length": lambda table, x: x.shape[1], "rows": lambda table, x: len(table)}


@_wrong_sum(
    "长度 {length} 超出了 {rows} 行的表，你用取余绕回了开头：位置 {rows} 和位置 0 从此分不开，而且没有任何提"
    "示。请报错（nn.Embedding 自己就会）。",
    "Length {length} is beyond a table of {rows} rows, and yours wraps around (modulo): position {rows} can "
    "no longer be told from position 0, and nobody is told. Raise an error; nn.Embedding does so itself.",
    **TOO_LONG,
)
def wrapped_around(x: Tensor, table: Tensor) -> Tensor:
    return x + table[torch.arange(x.shape[1]) % len(table)]


@_wrong_sum(
    "长度 {length} 超出了 {rows} 行的表，你把多出来的位置都截到最后一行：它们全都一样，而且没有任何提示。请"
    "报错（nn.Embedding 自己就会）。",
    "Length {length} is beyond a table of {rows} rows, and yours clips: the positions beyond all get the "
    "last row, all alike, and nobody is told. Raise an error; nn.Embedding does so itself.",
    **TOO_LONG,
)
def clipped(x: Tensor, table: Tensor) -> Tensor:
    return x + table[torch.arange(x.shape[1]).clamp(max=len(table) - 1)]


@_wrong_sum(
    "长度 {length} 超出了 {rows} 行的表，多出来的词元什么也没加，而且没有任何提示。请报错。",
    "Length {length} is beyond a table of {rows} rows; the tokens beyond got nothing added, and nobody is "
    "told. Raise an error.",
    **TOO_LONG,
)
def rest_left_as_it_was(x: Tensor, table: Tensor) -> Tensor:
    head, tail = x[:, : len(table)], x[:, len(table) :]
    return torch.cat([head + table[: head.shape[1]], tail], dim=1)


@LEARNED_POSITIONS.example(NOT_REFUSED)
@_module
def sentence_cut(x: Tensor, table: Tensor) -> Tensor:
    return x[:, : len(table)] + table[: x.shape[1]]


# --- other right modules -------------------------------------------------------------------------------

LEARNED_POSITIONS.right(_Table)  # too long a sentence fails here as well: the shapes do not fit


@LEARNED_POSITIONS.right
class RefusesByItself(_Table):
    def forward(self, x: Tensor) -> Tensor:
        if x.shape[1] > self.max_len:
            raise IndexError("too long")
        return super().forward(x)


@LEARNED_POSITIONS.right
@_module
def with_one_hots(x: Tensor, table: Tensor) -> Tensor:
    return x + F.one_hot(torch.arange(x.shape[1]), len(table)).to(x.dtype) @ table
