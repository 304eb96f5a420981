"""Exercise of lesson 03 on a module: its table of positions is made once and can be trained."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise, Question
from posenc_lessons.exercises.reading import numbers, random_numbers, yours
from posenc_lessons.exercises.solutions import learned as solutions
from posenc_lessons.exercises.values import brief
from posenc_lessons.exercises.verdict import Asked, Raised, Wrong
from posenc_lessons.language import Text

REFUSED = "IndexError"  # the right answer for a position that the table lacks

NO_MODULE = Text(
    "LearnedPositions(d_model, max_len) 应当是一个 nn.Module。",
    "LearnedPositions(d_model, max_len) should be an nn.Module.",
)
NEW_EACH_TIME = Text(
    "同一个 x 进去两次，出来的结果不一样：每次 forward 都建了一张新的表。表要在 __init__ 里建，只建一次。",
    "The same x twice gives two different results: make the table once, in __init__.",
)
NOT_A_PARAMETER = Text(
    "list(module.parameters()) 是空的：在 __init__ 里建 nn.Parameter 或 nn.Embedding，存成 self.table。",
    "list(module.parameters()) is empty: make self.table an nn.Parameter or nn.Embedding in __init__.",
)
NOT_ONE_TABLE = Text(
    "参数应当只有一张表：一行一个位置，从 0 到 max_len − 1；不要别的层和偏置。",
    "One table should be the only parameter: a row per position, 0 to max_len − 1, and no other layer.",
)
FROZEN = Text(
    "表是参数，但 requires_grad=False：它被冻住了，学不了。",
    "The table is a parameter with requires_grad=False: frozen, it cannot learn.",
)
NO_GRADIENT = Text(
    "数值对，但梯度到不了表：中间有 .detach()、.data 或 torch.no_grad()，表还是学不了。",
    "The numbers are right, but no gradient reaches the table: leave out .detach(), .data, torch.no_grad().",
)
ROW_WITHOUT_GRADIENT = Text(
    "有一行查过，却没有梯度：去掉 padding_idx，它把这一行冻在 0。",
    "A row was looked up and got no gradient: leave padding_idx out, it freezes the row at 0.",
)
NOT_REFUSED = Text(
    "有的位置在表外，应当报错，却给出了结果。表只有位置 0 到 max_len − 1。",
    "A position outside the table gave a result: it should be an error. The table has 0 to max_len − 1.",
)
POSITIONS = (  # each for a table of 6 rows: two, in order, beside padding and a cache, repeated
    [[3, 1]],
    [[0, 1, 2, 3, 4, 5]],
    [[0, 0, 1, 2], [0, 1, 2, 3], [2, 3, 4, 5]],
    [[5, 1, 1], [0, 4, 3]],
)
OUTSIDE = ([[3, 4, 5, 6]], [[0, 1], [-1, 0]])  # one past the end; the −1 of running sum minus one


def _questions() -> Iterator[Question]:
    table = random_numbers(6, 4)
    for rows in (*POSITIONS, *OUTSIDE):
        positions = torch.tensor(rows)
        x = random_numbers(*positions.shape, 4, seed=positions.numel())
        yield Question(table, x, positions, otherwise=None if rows in POSITIONS else NOT_REFUSED)


def _add(answer: Asked, table: Tensor, x: Tensor, positions: Tensor) -> Any:
    """Return the output of a module with the numbers of ``table``, or REFUSED for a justified error."""
    module, parameter = _made(answer, *table.shape)
    parameter.data = table.clone()
    try:
        return answer.ask(module, x, positions)
    except Raised:
        if int(positions.min()) >= 0 and int(positions.max()) < len(table):
            raise
        return REFUSED


def _made(answer: Asked, max_len: int, d_model: int) -> tuple[nn.Module, nn.Parameter]:
    """Return a new module and its only parameter, after checking that this is a trainable table."""
    module = answer(d_model, max_len)
    if not isinstance(module, nn.Module):
        raise Wrong.saying(NO_MODULE, yours(type(module).__name__, "nn.Module"))
    parameters = list(module.parameters())
    if parameters and [tuple(parameter.shape) for parameter in parameters] != [(max_len, d_model)]:
        shapes = ", ".join(str(list(parameter.shape)) for parameter in parameters)
        raise Wrong.saying(NOT_ONE_TABLE, yours(shapes, f"[{max_len}, {d_model}]"))
    module.eval()
    x, positions = random_numbers(2, max_len - 2, d_model), torch.arange(max_len - 2).expand(2, -1)
    first, second = (numbers(answer.ask(module, x.clone(), positions.clone())) for _ in range(2))
    if first.shape == second.shape and not torch.allclose(first, second, rtol=0, atol=1e-6, equal_nan=True):
        raise Wrong.saying(NEW_EACH_TIME)
    if not parameters:
        raise Wrong.saying(NOT_A_PARAMETER)
    if not parameters[0].requires_grad:
        raise Wrong.saying(FROZEN)
    return module, parameters[0]


def _call(table: Tensor, x: Tensor, positions: Tensor) -> str:
    max_len, d_model = table.shape
    return f"LearnedPositions({d_model}, {max_len})({brief('x', x)}, {positions.tolist()})"


LEARNED_POSITIONS = Exercise(
    solutions.LearnedPositions,
    questions=_questions,
    praise=Text(
        "对。表只建一次，注册为参数，每个词元加它自己那个位置的一行；表外的位置，连 −1 在内，都会报错。",
        "Right. The table is made once and registered, each token gets the row of its position, and "
        "positions outside the table, −1 among them, are an error.",
    ),
    pose=_add,
    read=lambda value: value if value is REFUSED else numbers(value),
    call=_call,
    changed=CHANGED,
)


@LEARNED_POSITIONS.probe
def _learns(answer: Asked) -> None:
    module, table = _made(answer, 6, 4)
    out = module(torch.zeros(2, 6, 4), torch.arange(6).expand(2, -1))
    if out.requires_grad:
        out.sum().backward()
    if table.grad is None or not bool(table.grad.abs().sum() > 0):
        raise Wrong.saying(NO_GRADIENT)
    if bool((table.grad.abs().sum(dim=1) == 0).any()):
        raise Wrong.saying(ROW_WITHOUT_GRADIENT)


# --- wrong ways to keep a table ------------------------------------------------------------------------


class _Table(nn.Module):
    """A correct learned table; each wrong module differs from it in one thing."""

    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()
        self.table: Any = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        return x + F.embedding(positions, self.table)


# --- wrong sums ----------------------------------------------------------------------------------------

Sum = Callable[[Tensor, Tensor, Tensor], Tensor]


def _module(add: Sum) -> Answer:
    """Make a module with a table whose ``forward(x, positions)`` is ``add(x, positions, table)``."""
    return type("Module", (_Table,), {"forward": lambda self, x, positions: add(x, positions, self.table)})


def _wrong_sum(message: str | Text, en: str = "") -> Callable[..., Answer]:
    """Name the modules that add as the given functions do."""
    return lambda *sums: LEARNED_POSITIONS.mistake(message, en)(*map(_module, sums))


_wrong_sum("输出就是 x 本身：位置还没有加上去。", "The output is x itself: no position was added.")(
    lambda x, positions, table: x + 0 * F.embedding(positions, table)
)
_wrong_sum(
    "只返回了位置的那几行，x 不见了：应当是 x 加上它们。",
    "Only the rows of the positions came back, and x is gone: add them to x.",
)(lambda x, positions, table: F.embedding(positions, table))
_wrong_sum(
    "你取了表的前 L 行，没有用 positions：有填充、有缓存时，第 1 列的词元不一定在位置 0。",
    "You take the first L rows and do not use positions: beside padding they need not begin at 0.",
)(lambda x, positions, table: x + table[: x.shape[1]])
_wrong_sum(recurring.FIRST_SENTENCES_POSITIONS)(
    lambda x, positions, table: x + F.embedding(positions[0], table)
)

# --- positions outside the table -----------------------------------------------------------------------

_wrong_sum(
    "位置 −1 读到了表的最后一行：负数下标从末尾倒着数。请报错，nn.Embedding 自己就会。",
    "Position −1 read the last row of the table: a negative index counts from the end. Raise an error.",
)(lambda x, positions, table: x + table[positions])
_wrong_sum(
    "表外的位置你用取余绕了回来，或者截到了头尾两行：没有任何提示。请报错。",
    "Positions outside the table wrap around or are clipped: nobody is told. Raise an error.",
)(
    lambda x, positions, table: x + table[positions % len(table)],
    lambda x, positions, table: x + table[positions.clamp(0, len(table) - 1)],
)
