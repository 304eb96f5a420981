"""The exercises of lesson 06 on the table: one peak, and prescribed scores."""

import math

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import numbers, same_shape, yours
from posenc_lessons.exercises.solutions import cope as solutions
from posenc_lessons.exercises.verdict import Asked, Wrong
from posenc_lessons.language import Text

# ---- the n-th noun back -----------------------------------------------------------------------------

NOT_A_PAIR = Text("应当返回一对张量 (products, z)。", "A pair of tensors should be returned, (products, z).")


def _interpolate(z: Tensor, p: Tensor) -> Tensor:
    """Interpolate z [N] at positions p [L]."""
    below, above = p.floor().long(), p.ceil().long()
    return (p - below) * z[above] + (1 - p + below) * z[below]


def _weights_of_the_last(answer: Asked, is_noun: Tensor, back: int, n_rows: int) -> Tensor:
    """Return the last token's attention weights [L], by CoPE's formula, from the answer's q·k and z."""
    value = answer(is_noun, back, n_rows)
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise Wrong.saying(NOT_A_PAIR, yours(type(value).__name__, "tuple"))
    products, z = (numbers(part) for part in value)
    same_shape(products, tuple(is_noun.shape))
    same_shape(z, (n_rows,))
    p = products.sigmoid().flip(0).cumsum(dim=0).flip(0).clamp(max=n_rows - 1)
    if not bool(p.isfinite().all()):
        return p
    return (products + _interpolate(z, p)).softmax(dim=0)


def _nth_back(is_noun: Tensor, back: int, n_rows: int) -> str:
    return f"weights(*nth_back({is_noun.int().tolist()}, {back}, {n_rows}))"


NTH_BACK = Exercise(
    solutions.nth_back,
    questions=[
        (torch.tensor(nouns, dtype=torch.bool), back, n_rows)
        for nouns, back, n_rows in (
            ([0, 1, 1, 1, 0, 0, 1, 0, 0], 3, 6),  # every mistake looks elsewhere here
            ([1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 1, 5),
            ([0, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1], 3, 8),
            ([1, *[0] * 25, 1, *[0] * 25, 1, *[0] * 25], 2, 8),  # gates must be nearly shut at 75 other words
        )
    ],
    praise=Text(
        "对。门控饱和，p 就数名词；z 在第 n 行的峰把范围缩小到那个名词和它后面的词，共用的 q·k 再从里面挑出"
        "名词。",
        "Right. With saturated gates p counts nouns; the peak of z in row n leaves that noun and the words "
        "after it, and the shared q·k picks the noun from them.",
    ),
    tolerance=0.02,
    pose=_weights_of_the_last,
    call=_nth_back,
    changed=CHANGED,
)


def _saturated(is_noun: Tensor) -> Tensor:
    return 40.0 * is_noun - 20.0


def _unsaturated(size: float) -> Answer:
    """Return the answer with q·k = ``size`` at nouns and −``size`` elsewhere."""
    return lambda is_noun, back, n_rows: (size * (2.0 * is_noun - 1.0), _peak(back, n_rows))


def _peak(row: int, n_rows: int, height: float = 100.0) -> Tensor:
    return height * (torch.arange(n_rows) == row)


NTH_BACK.mistake(
    "差了一个：最近的名词在位置 1，因为它自己的门控也数进去，往回第 n 个就在第 n 行。",
    "Your row is one off: the nearest noun is at position 1, its gate counted, so the n-th back is row n.",
)(
    lambda is_noun, back, n_rows: (_saturated(is_noun), _peak(back - 1, n_rows)),
    lambda is_noun, back, n_rows: (_saturated(is_noun), _peak(back + 1, n_rows)),
)
NTH_BACK.mistake(
    "z 要只抬高一行，而且比别的行高出很多：高出 1，权重只多 e 倍；从第 n 行起都高，更远的名词也一样亮。",
    "Raise one row of z only, and far above the rest: 1 above is a factor of e and no more.",
)(
    lambda is_noun, back, n_rows: (_saturated(is_noun), torch.zeros(n_rows)),
    lambda is_noun, back, n_rows: (_saturated(is_noun), _peak(back, n_rows, 1.0)),
    lambda is_noun, back, n_rows: (_saturated(is_noun), 100.0 * (torch.arange(n_rows) >= back)),
)
NTH_BACK.mistake(
    "门控没有饱和，隔得远就数错：名词给很大的正数，例如 20，别的给很大的负数。",
    "Gates are not saturated: give nouns a large positive number, such as 20, and the rest a negative one.",
)(
    lambda is_noun, back, n_rows: (is_noun.double(), _peak(back, n_rows)),
    *(_unsaturated(size) for size in (0.5, 0.8, 1.0, 2.0, 3.0)),
)
NTH_BACK.mistake(
    "正负号反了：门控在名词以外的词上打开。", "The sign is wrong: gates open at words that are no nouns."
)(lambda is_noun, back, n_rows: (-_saturated(is_noun), _peak(back, n_rows)))


# ---- a table with prescribed scores ---------------------------------------------------------------

TRANSPOSED = Text("表转置了：要一行一个位置。", "The table is transposed: a row for each position is wanted.")


def _products(answer: Answer, query: Tensor, wanted: Tensor) -> Tensor:
    """Return the table times the query, [N]: any table that gives what is wanted is right."""
    shape = (len(wanted), len(query))
    table = numbers(answer(query, wanted))
    if tuple(table.shape) == shape[::-1] != shape:
        raise Wrong.saying(TRANSPOSED, yours(f"shape {list(table.shape)}"))
    same_shape(table, shape)
    return table @ query.double()


TABLE_FOR = Exercise(
    solutions.table_for,
    questions=(
        (torch.tensor([3.0, 4.0]), torch.tensor([0.0, 10.0, 0.0])),
        (torch.tensor([1.0, -2.0, 0.0, 2.0]), torch.tensor([5.0, -1.0, 0.0, 2.0, 2.5])),
        (torch.tensor([0.5, 0.25, 0.0]), torch.tensor([1.0, 2.0])),
        (torch.tensor([0.0, 3.0, -3.0]), torch.tensor([0.0, 60.0])),  # neither its first feature nor its sum
    ),
    praise=Text(
        "对。第 1 行写上大的数、其余写 0，这个查询就只看上一句，不管那一句有多长。",
        "Right. With a large number in row 1 and 0 elsewhere, this query looks only at the previous "
        "sentence, however long it is.",
    ),
    tolerance=1e-4,
    pose=_products,
    call=lambda query, wanted: "table_for(query, wanted) @ query",
    changed=CHANGED,
)

TABLE_FOR.mistake("要除以 |q|²：q · (z q) = z |q|²。", "Divide by |q|²: q · (z q) = z |q|².")(
    lambda query, wanted: torch.outer(wanted, query),
    lambda query, wanted: torch.outer(wanted, query) / query.norm(),
    lambda query, wanted: torch.outer(wanted, query) / query.norm() ** 3,
    lambda query, wanted: torch.outer(wanted, query) / query.abs().sum(),
    lambda query, wanted: torch.outer(wanted, query) / len(query),
)
TABLE_FOR.mistake("多除了一个 √d：代码清单里 q·e 不除。", "You divided by √d: the listing does not.")(
    lambda query, wanted: solutions.table_for(query, wanted) / math.sqrt(len(query))
)
TABLE_FOR.mistake(
    "每一行是同一个数抄了 d 遍，点积成了它乘 q 的和。让每一行和 q 同方向。",
    "Each row is one number d times over: let each row point along q.",
)(lambda query, wanted: wanted[:, None].expand(-1, len(query)))
