"""The exercise of lesson 05 on a store of cosines and sines that is never stale and is really used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import Answer, Exercise, Question
from posenc_lessons.exercises.solutions import rotary as solutions
from posenc_lessons.exercises.verdict import Asked, Wrong
from posenc_lessons.language import Text

Arguments = tuple[int, int, float, torch.dtype]  # all but the store
Pair = tuple[Tensor, Tensor]
Store = dict[Any, Any]
Which = Literal["cos", "sin"]

# Asked in this order of one store, one thing changing each time; at last the first call's arguments again.
CALLS: tuple[Arguments, ...] = (
    (8, 6, 10000.0, torch.float32),
    (20, 6, 10000.0, torch.float32),
    (5, 6, 10000.0, torch.float32),
    (5, 6, 500000.0, torch.float32),
    (5, 6, 500000.0, torch.float64),
    (5, 4, 500000.0, torch.float64),
    (1, 2, 500000.0, torch.float64),
    (8, 6, 10000.0, torch.float32),
)
SHORT: Arguments = (300, 8, 10000.0, torch.bfloat16)

NO_PAIR = Text(
    "{call} 应当返回两个张量 (cos, sin)，你返回的是 {kind}。",
    "{call} should return two tensors, (cos, sin); yours returned {kind}.",
)
WRONG_DTYPE = Text(
    "{call} 的类型应当是 {wanted}，你的是 {yours}。", "{call} should be {wanted}; yours is {yours}."
)
STALE_DTYPE = Text(
    WRONG_DTYPE.zh + "缓存过期了：类型变了，表没有变。",
    WRONG_DTYPE.en + " A stale cache: the dtype changed, the table did not.",
)
IN_BFLOAT16 = Text(
    "{call} 错了 {error}：位置或角度是用 bfloat16 数的，256 以后就分不清相邻的位置。角度用 float64 算，最后"
    "才换成 dtype。",
    "{call} is off by {error}: positions or angles were held in bfloat16, which cannot tell neighbours apart "
    "past 256. Compute angles in float64, and convert to dtype last.",
)
NOT_REUSED = Text(
    "数都对，可是同样的参数问第二次，没有用上 store 里的表。造好的表放进 store，下次从里面取。",
    "The numbers are right, but asked the same a second time you used no table from store. Put what you "
    "built into store, and take it from there the next time.",
)


def _questions() -> Iterator[Question]:
    for which in ("cos", "sin"):
        for n in range(len(CALLS)):
            yield Question(CALLS[: n + 1], which)
        yield Question((SHORT,), which, otherwise=IN_BFLOAT16, tolerance=0.01)


def _last_table(answer: Asked, calls: tuple[Arguments, ...], which: Which) -> Tensor:
    """Make all ``calls`` upon one store, and return the cosines or the sines of the last."""
    store: Store = {}
    for arguments in calls:
        pair = answer(store, *arguments)
    call, dtype = _call(calls, which), calls[-1][-1]
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise Wrong.saying(NO_PAIR, call=call, kind=type(pair).__name__)
    table = pair[("cos", "sin").index(which)]
    if isinstance(table, Tensor) and not table.is_complex() and table.dtype != dtype:
        message = STALE_DTYPE if len(calls) > 1 else WRONG_DTYPE
        raise Wrong.saying(message, call=call, wanted=dtype, yours=table.dtype)
    return table.double() if isinstance(table, Tensor) and dtype == torch.bfloat16 else table


def _call(calls: tuple[Arguments, ...], which: Which) -> str:
    length, d, base, dtype = calls[-1]
    return f"tables(store, {length}, {d}, {base:g}, {dtype}) {which}"


TABLES = Exercise(
    solutions.tables,
    questions=_questions,
    praise=Text(
        "对。该重用时重用；长度、宽度、底数、类型变了，就造新的。",
        "Right. Reused when it may be; a new one for another length, width, base or dtype.",
    ),
    pose=_last_table,
    call=_call,
)


@TABLES.probe
def _reused(answer: Asked) -> None:
    """Spoil whatever the first call stored: the second can only be spoilt too if it uses that."""
    store: Store = {}
    first = answer(store, *CALLS[0])[0].clone()
    for entry in _tensors(store):
        entry.fill_(2)
    if torch.equal(first, answer(store, *CALLS[0])[0]):
        raise Wrong.saying(NOT_REUSED)


def _tensors(entry: Any) -> Iterator[Tensor]:
    """Yield every tensor in ``entry``, itself or in dictionaries, lists and tuples."""
    if isinstance(entry, Tensor):
        yield entry
    elif isinstance(entry, dict | list | tuple):
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from _tensors(part)


# --- stale tables ---------------------------------------------------------------------------------------


def _stale(zh: str, en: str) -> Callable[[Answer], Answer]:
    """Name a store that returns an old table though what these words say has changed."""
    return TABLES.mistake(
        f"缓存过期了：{zh}，返回的却是以前那张表（形状 {{shape}}，{{dtype}}）。表取决于什么，"
        f"缓存的索引（cache key）里就要有什么；长的表取前 length 行。",
        f"A stale cache: {en}, yet an old table came back (shape {{shape}}, {{dtype}}). Whatever the table "
        f"depends on belongs in its cache key; of a longer table take the first length rows.",
        dtype=lambda calls, which: calls[-1][-1],
    )


def _keyed(*on: int) -> Answer:
    """Return the solution with a cache key that holds only these of (length, d, base, dtype)."""

    def tables(store: Store, *arguments: Any) -> Pair:
        key, length = tuple(arguments[i] for i in on), arguments[0]
        if key not in store or len(store[key][0]) < length:
            store[key] = solutions.tables({}, *arguments)
        cos, sin = store[key]
        return cos[:length], sin[:length]

    return tables


@_stale("更长的序列（长度 length 变了）", "a longer sequence (length changed)")
def stale_in_length(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    return store.setdefault((d, base, dtype), solutions.tables({}, length, d, base, dtype))


@_stale("更短的序列（长度 length 变了）", "a shorter sequence (length changed)")
def never_cut_to_length(store: Store, length: int, d: int, base: float, dtype: torch.dtype) -> Pair:
    _keyed(1, 2, 3)(store, length, d, base, dtype)
    return store[d, base, dtype]


_stale("另一个底数 base", "another base")(_keyed(1, 3))
_stale("另一个宽度 d", "another width d")(_keyed(2, 3))


# --- wrong tables ---------------------------------------------------------------------------------------


TABLES.mistake("cos 和 sin 的顺序反了：先返回 cos。", "cos and sin changed places: cos comes first.")(
    lambda *given: solutions.tables(*given)[::-1]
)
TABLES.mistake(
    "{call} 有 {d} 列：每一对只要一个 cos 和一个 sin，一共 d/2 = {pairs} 列。",
    "{call} has {d} columns: one cosine and one sine for each pair, d/2 = {pairs}.",
    d=lambda calls, which: calls[-1][1],
    pairs=lambda calls, which: calls[-1][1] // 2,
)(lambda *given: tuple(table.repeat(1, 2) for table in solutions.tables(*given)))
