"""Exercise 6 of lesson 05: a store of cosines and sines that is never stale and is really used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises.reading import numbers, same_shape
from posenc_lessons.exercises.solutions import rotary as reference
from posenc_lessons.exercises.verdict import Wrong

# Asked in this order of one store: what changed since the last call, and its arguments.
CALLS: tuple[tuple[str, str, tuple[int, int, float, torch.dtype]], ...] = (
    ("第一次", "the first call", (8, 6, 10000.0, torch.float32)),
    ("更长的序列（长度 length 变了）", "a longer sequence (length changed)", (20, 6, 10000.0, torch.float32)),
    ("更短的序列（长度 length 变了）", "a shorter sequence (length changed)", (5, 6, 10000.0, torch.float32)),
    ("另一个底数 base", "another base", (5, 6, 500000.0, torch.float32)),
    ("另一种类型 dtype", "another dtype", (5, 6, 500000.0, torch.float64)),
    ("另一个宽度 d", "another width d", (5, 4, 500000.0, torch.float64)),
    ("回到第一次的参数", "the first call's arguments again", (8, 6, 10000.0, torch.float32)),
)


def examine_tables(answer: Callable[..., Any]) -> None:
    store: dict[Any, Any] = {}
    seen: list[tuple[Tensor, Tensor]] = []
    for zh, en, arguments in CALLS:
        call = _name(arguments)
        pair = _pair(answer(store, *arguments), call)
        for which, table, right in zip(("cos", "sin"), pair, _right(arguments), strict=True):
            _examine_one(f"{call} {which}", table, right, arguments, seen, (zh, en))
        seen.append(pair)
    _examine_short_types(answer)
    _examine_reuse(answer)


def _right(arguments: tuple[int, int, float, torch.dtype]) -> tuple[Tensor, Tensor]:
    return reference.tables({}, *arguments)


def _name(arguments: tuple[int, int, float, torch.dtype]) -> str:
    length, d, base, dtype = arguments
    return f"tables(store, {length}, {d}, {base:g}, {dtype})"


def _pair(answered: Any, call: str) -> tuple[Tensor, Tensor]:
    if not isinstance(answered, (tuple, list)) or len(answered) != 2:
        kind = type(answered).__name__
        raise Wrong(
            f"{call} 应当返回两个张量 (cos, sin)，你返回的是 {kind}。",
            f"{call} should return two tensors, (cos, sin); yours returned {kind}.",
        )
    cos, sin = answered
    for table in (cos, sin):
        if not isinstance(table, Tensor):
            numbers(table, call)  # says what it is instead
    return cos, sin


def _examine_one(
    call: str,
    table: Tensor,
    right: Tensor,
    arguments: tuple[int, int, float, torch.dtype],
    seen: list[tuple[Tensor, Tensor]],
    what: tuple[str, str],
) -> None:
    length, d, _, dtype = arguments
    stale = any(_equal(table, old) for pair in seen for old in pair) and not _near(table, right)
    if stale or (seen and table.ndim == 2 and len(table) != length):
        raise Wrong(
            f"缓存过期了：{what[0]}，返回的却是以前那张表（形状 {list(table.shape)}，{table.dtype}）。"
            "表取决于什么，键里就要有什么；长的表取前 length 行。",
            f"A stale cache: {what[1]}, yet an old table came back (shape {list(table.shape)}, "
            f"{table.dtype}). Whatever the table depends on belongs in its key; "
            "of a longer table take the first length rows.",
        )
    if table.dtype != dtype:
        raise Wrong(
            f"{call} 的类型应当是 {dtype}，你的是 {table.dtype}。"
            + ("缓存过期了：类型变了，表没有变。" if seen else ""),
            f"{call} should be {dtype}; yours is {table.dtype}."
            + (" A stale cache: the dtype changed, the table did not." if seen else ""),
        )
    if table.ndim == 2 and tuple(table.shape) == (length, d):
        raise Wrong(
            f"{call} 有 {d} 列：每一对只要一个 cos 和一个 sin，一共 d/2 = {d // 2} 列。",
            f"{call} has {d} columns: one cosine and one sine for each pair, d/2 = {d // 2}.",
        )
    value = numbers(table, call)
    same_shape(value, (length, d // 2), call)
    if bool(((value - right.double()).abs() > 1e-5).any()):
        other = _right(arguments)[1 if call.endswith("cos") else 0].double()
        if bool(((value - other).abs() < 1e-5).all()):
            raise Wrong("cos 和 sin 的顺序反了：先返回 cos。", "cos and sin changed places: cos comes first.")
        at = tuple((value - right.double()).abs().gt(1e-5).nonzero()[0].tolist())
        raise Wrong(
            f"{call}{list(at)} 应当是 {right[at].item():.4g}，你的是 {value[at].item():.4g}。",
            f"{call}{list(at)} should be {right[at].item():.4g}; yours is {value[at].item():.4g}.",
        )


def _equal(table: Tensor, other: Tensor) -> bool:
    return table.shape == other.shape and table.dtype == other.dtype and torch.equal(table, other)


def _near(table: Tensor, right: Tensor) -> bool:
    return table.shape == right.shape and bool(((table - right).abs() < 1e-4).all())


def _examine_short_types(answer: Callable[..., Any]) -> None:
    """In bfloat16 the entries may be rounded, but not the positions they stand for."""
    arguments = (300, 8, 10000.0, torch.bfloat16)
    call = _name(arguments)
    for table, right in zip(_pair(answer({}, *arguments), call), _right(arguments), strict=True):
        if table.dtype != torch.bfloat16 or table.shape != right.shape:
            raise Wrong(
                f"{call} 应当是 bfloat16，形状 {list(right.shape)}；"
                f"你的是 {table.dtype}，{list(table.shape)}。",
                f"{call} should be bfloat16 of shape {list(right.shape)}; yours is {table.dtype}, "
                f"{list(table.shape)}.",
            )
        error = (table.double() - right.double()).abs().max().item()
        if not error < 0.01:
            raise Wrong(
                f"{call} 错了 {error:.1g}：位置或角度是用 bfloat16 数的，256 以后就分不清相邻的位置。"
                "角度用 float64 算，最后才换成 dtype。",
                f"{call} is off by {error:.1g}: positions or angles were held in bfloat16, which cannot tell "
                "neighbours apart past 256. Compute angles in float64, and convert to dtype last.",
            )


def _examine_reuse(answer: Callable[..., Any]) -> None:
    store: dict[Any, Any] = {}
    arguments = (8, 6, 10000.0, torch.float32)
    first, second = (_pair(answer(store, *arguments), _name(arguments))[0] for _ in range(2))
    if first.data_ptr() != second.data_ptr():
        raise Wrong(
            "数都对，可是同样的参数问两次，表造了两次。造好的表放进 store，下次从里面取。",
            "The numbers are right, but asked the same twice you built the table twice. Put it into store, "
            "and take it from there the next time.",
        )
