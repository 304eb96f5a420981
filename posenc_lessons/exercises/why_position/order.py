"""Exercises of lesson 01 on order: equivariance, and positions read from a mean."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import WRONG_VALUE, Exercise
from posenc_lessons.exercises.reading import can_index, explained, yours
from posenc_lessons.exercises.solutions import why_position as solutions
from posenc_lessons.exercises.verdict import Wrong
from posenc_lessons.language import Text

# ---- 2 · a test for equivariance ----------------------------------------------------------------------

Layer = Callable[[Tensor], Tensor]


def _sum_in_turn(x: Tensor) -> Tensor:
    """Add 0.1 of the total to every token. The last bits of the total depend on the order."""
    total = x[0]
    for row in x[1:]:
        total = total + row
    return x + 0.1 * total


def _attention(x: Tensor) -> Tensor:
    return (x @ x.T / math.sqrt(x.shape[-1])).softmax(dim=-1) @ x


def _running_mean(x: Tensor) -> Tensor:
    return x.cumsum(dim=0) / torch.arange(1, len(x) + 1)[:, None]


def _mark_last(x: Tensor) -> Tensor:
    mark = torch.zeros_like(x)
    mark[-1] = 1.0
    return x + mark


def _faint_positions(x: Tensor) -> Tensor:
    return x + 0.01 * torch.arange(len(x))[:, None]


def _orders(x: Tensor) -> list[list[int]]:
    return [list(order) for order in itertools.permutations(range(len(x)))]


def _moved(order: list[int]) -> Layer:
    return lambda x: x[order]


X = torch.tensor([[0.1, 3.0], [0.2, -1.0], [0.3, 0.5], [-2.0, 0.7]])
# Each of these satisfies the equation for its own order: a test with a single order misses one of them.
SHUFFLES = {f"x[{order}]": _moved(order) for order in _orders(X)[1:]}
LAYERS: dict[str, Layer] = {
    "relu(x) * 3": lambda x: torch.relu(x) * 3,
    "x.mean(dim=0).expand_as(x)": lambda x: x.mean(dim=0).expand_as(x),
    "softmax(x @ x.T / √d) @ x": _attention,
    "x + 0.1 * x.sum(dim=0)": _sum_in_turn,
    **SHUFFLES,
    "x.cumsum(dim=0) / [[1], [2], [3], [4]]": _running_mean,
    "x + 0.01 * [[0], [1], [2], [3]]": _faint_positions,
    "x + [[0], [0], [0], [1]]": _mark_last,
    "x.sort(dim=0).values": lambda x: x.sort(dim=0).values,
}
NOT_BOOL = Text(
    "请返回 True 或 False。张量的比较结果可以用 .all().item() 或 torch.allclose 变成 bool。",
    "Return True or False. A comparison of tensors becomes a bool with .all().item() or torch.allclose.",
)
MISJUDGED_TRUE = Text(
    "这一层判断错了：它对每一种次序都满足 layer(x[order]) = layer(x)[order]，应当是 True。",
    "This layer was misjudged: it satisfies layer(x[order]) = layer(x)[order] for every order: True.",
)
MISJUDGED_FALSE = Text(
    "这一层判断错了：至少有一种次序不满足 layer(x[order]) = layer(x)[order]，应当是 False。",
    "This layer was misjudged: at least one order breaks layer(x[order]) = layer(x)[order], so it is False.",
)
ONE_ORDER = Text(
    "这一层只对少数几种次序满足等式：每一种次序都要试，itertools.permutations。",
    "This layer satisfies the equation for a few orders only: try them all, itertools.permutations.",
)
INDEXED_BY_A_TUPLE = Text(
    "itertools.permutations 给出的次序是元组，x[(1, 0, 2, 3)] 会被当成四个维的下标。写 x[list(order)]。",
    "itertools.permutations gives tuples, which index several axes: write x[list(order)].",
)


def _judged(answer: Callable[..., Any], x: Tensor) -> dict[str, bool]:
    """Return the answer's verdict on each layer."""
    verdicts = {}
    for name, layer in LAYERS.items():
        with explained("too many indices", INDEXED_BY_A_TUPLE):
            verdict = answer(layer, x.clone())
        if not isinstance(verdict, bool):
            raise Wrong.saying(NOT_BOOL, yours(type(verdict).__name__, "bool"))
        verdicts[f"layer(x) = {name}"] = verdict
    return verdicts


def _first_misjudged(verdicts: dict[str, bool], truth: dict[str, bool], x: Tensor) -> Text:
    name = next(name for name in truth if verdicts[name] != truth[name])
    if truth[name]:
        return MISJUDGED_TRUE
    return ONE_ORDER if name.removeprefix("layer(x) = ") in SHUFFLES else MISJUDGED_FALSE


IS_EQUIVARIANT = Exercise(
    solutions.is_equivariant,
    questions=((X,),),
    praise=Text(
        f"对了：{len(LAYERS)} 个层都判断正确。这个函数留着用；输入长了，次序就随机抽一些来试。",
        f"Right: all {len(LAYERS)} layers judged correctly. Keep this function; for longer inputs draw the "
        f"orders at random.",
    ),
    pose=_judged,
    call=lambda x: "is_equivariant(layer, x)",
    read=lambda verdicts: verdicts,
    widened=False,
    otherwise=_first_misjudged,
)


IS_EQUIVARIANT.mistake(
    "你检验的是不变性 layer(x[order]) = layer(x)：右边应为 layer(x)[order]。",
    "You test invariance, layer(x[order]) = layer(x): the right side should be layer(x)[order].",
)(lambda layer, x: all(torch.allclose(layer(x[order]), layer(x), atol=1e-5) for order in _orders(x)))
IS_EQUIVARIANT.mistake(
    "你要求每一位都相等。浮点加法换了顺序，末位会变：留一点余地，比如 torch.allclose(..., atol=1e-5)。",
    "You ask for equality to the last bit: allow a little, torch.allclose(..., atol=1e-5).",
)(lambda layer, x: all(torch.equal(layer(x[order]), layer(x)[order]) for order in _orders(x)))

IS_EQUIVARIANT.mistake(
    "你对每一层都说 True。itertools.permutations 给出的第一种次序是原样：在循环里就 return，只试了它。",
    "You say True to every layer: a return inside the loop tries only the first order, no change.",
)(lambda *_: True)

# ---- 3 · reading positions off the average ------------------------------------------------------------

NOT_ROUNDED = Text(
    "还留着舍入误差：先 .round() 再 .long()，后者只会截断。",
    "The rounding error is still there: call .round() before .long(), which only cuts off.",
)


def _shares(length: int, window: int) -> tuple[Tensor]:
    """Return what each of ``length`` tokens sees of the first, in no order; 0 beyond the window."""
    count = torch.arange(1, length + 1)
    share = torch.where(count <= window, 1 / count.float(), 0.0)
    return (share[torch.randperm(length, generator=torch.Generator().manual_seed(length))],)


READ_POSITIONS = Exercise(
    solutions.read_positions,
    questions=[_shares(5, 5), _shares(300, 300), _shares(12, 8)],
    praise=Text(
        "对了：没有任何位置编码，只靠因果掩码和句首词元，位置就一个不差地读出来了；看不见句首词元的地方，就什么也读不出来。",
        "Right: with no position encoding at all, the causal mask and a first token give every position "
        "exactly; where that token is out of sight, nothing can be read.",
    ),
    tolerance=0.0,
    widened=False,  # the mistakes are those of float32
    otherwise=lambda read, right, share: NOT_ROUNDED if _nearly(read, right) else WRONG_VALUE,
)
READ_POSITIONS.probe(can_index(torch.tensor([1.0, 0.5])))


def _nearly(read: Tensor, right: Tensor) -> bool:
    return bool((read - right).abs().max() < 1e-3)


def _where_seen(share: Tensor, positions: Tensor) -> Tensor:
    return torch.where(share > 0, positions, -1)


READ_POSITIONS.mistake(
    "多了 1：1/share 数的是看得见的词元个数 m+1，位置是 m。",
    "Your positions are one too large: 1/share counts the visible tokens, m+1; the position is m.",
)(lambda share: _where_seen(share, (1 / share).round().long()), lambda share: _where_seen(share, 1 / share))
READ_POSITIONS.mistake(NOT_ROUNDED)(
    lambda share: _where_seen(share, (1 / share).long() - 1),
    lambda share: _where_seen(share, (1 / share - 1).long()),
    lambda share: (1 / share - 1).long(),
)
READ_POSITIONS.mistake(
    "份额是 0 的地方，句首词元已经在窗口外面，读不出位置，应当是 −1；你把 0 也取了倒数。",
    "You take the reciprocal of 0: where the share is 0 no position can be read, −1 is wanted.",
)(lambda share: (1 / share).round().long() - 1, lambda share: (1 / share - 1).round().long())
READ_POSITIONS.mistake(
    "份额是 0 的地方读不出位置，应当是 −1，不是 0：0 是句首词元自己的位置。",
    "0 is the first token's own position: where the share is 0 no position can be read, −1 is wanted.",
)(lambda share: solutions.read_positions(share).clamp(min=0))
