"""Turn functions of the signatures that people have into ``turn(x, positions)``."""

import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.encodings import rotary_frequencies
from posenc_lessons.language import BilingualValueError
from posenc_lessons.probing.calls import NotARotation, Turn

SIGNATURES = [
    start + rest for start in ("x", "q, k") for rest in ("", ", positions", ", cos, sin", ", freqs_cis")
]
# What becomes of angles [L, d_head/2] in own tables, by the name of their order.
ORDERS: dict[str, Callable[[Tensor], Tensor]] = {
    "of half the width": lambda angles: angles,
    "concatenated": lambda angles: torch.cat([angles, angles], dim=-1),
    "repeated": lambda angles: angles.repeat_interleave(2, dim=-1),
}
SHAPES: tuple[Callable[[Tensor], Tensor], ...] = (
    lambda table: table,  # [L, width]
    lambda table: table[None],  # [1, L, width]
    lambda table: table[None, :, None],  # [1, L, 1, width]
)
Arguments = Callable[..., Iterable[Any]]  # (x, positions) → what follows x, or q and k


def resolved(rotate: Any, d_head: int, signature: str | None) -> tuple[Callable[..., Any], str]:
    """Return what is called, and its signature; ValueError for one that is unknown."""
    try:
        function = rotate(d_head) if isinstance(rotate, type) else rotate
    except Exception as error:  # any error of a class that is not ours
        call = f"{rotate.__name__}({d_head})"
        raise BilingualValueError(
            f"{call} 报错，请给一个对象：{error}", f"{call} raises; give an object: {error}"
        ) from error
    function = _by_position(function if callable(function) else getattr(function, "forward", None))
    if not callable(function):
        kind = type(rotate).__name__
        raise BilingualValueError(f"rotate 必须可以调用，收到 {kind}", f"rotate must be callable; got {kind}")
    signature = signature or _guessed(function)
    if signature not in SIGNATURES:
        names = "; ".join(SIGNATURES)
        raise BilingualValueError(
            f"signature 只能是这些之一：{names}；收到 {signature!r}",
            f"signature must be one of: {names}; got {signature!r}",
        )
    return function, signature


def candidates(
    function: Callable[..., Any], d_head: int, signature: str, tables: Any
) -> Iterator[tuple[str | None, Turn]]:
    """Yield ``turn(x, positions)`` for ``function``, with the order of own tables where it needs some."""
    turn = _both(function) if signature.startswith("q") else function
    if signature in ("x", "q, k"):
        yield None, lambda x, positions: turn(x)
    elif signature.endswith("positions"):
        yield None, turn
    elif isinstance(tables, torch.nn.Module):
        yield None, lambda x, positions: turn(x, *_several(tables(x, positions[..., None, :])))
    elif tables is not None:
        for shape in SHAPES:
            yield None, _with(turn, lambda x, positions, shape=shape: map(shape, _several(tables(positions))))
    else:
        for order, arguments in _own_tables(d_head, signature.endswith("freqs_cis")):
            yield order, _with(turn, arguments)


def _both(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``function(q, k, …)`` as a function of one tensor, rotated as query and as key."""

    def turn(x: Tensor, *arguments: Any) -> Any:
        query, key = function(x, x.clone(), *arguments)[:2]
        if isinstance(query, Tensor) and isinstance(key, Tensor) and not torch.equal(query, key):
            raise NotARotation("同一个向量，作查询和作键转得不一样", "it treats queries and keys differently")
        return query

    return turn


def _own_tables(d_head: int, as_complex: bool) -> Iterator[tuple[str, Arguments]]:
    """Yield tables of base 10000, with the name of their order, in each shape that is in use."""
    frequencies = rotary_frequencies(d_head - d_head % 2)

    def tables(x: Tensor, positions: Tensor, order: str, shape: Any) -> tuple[Any, ...]:
        angles = positions.to(torch.float64)[:, None] * frequencies  # [L, d_head/2]
        if as_complex:
            angles = shape(angles if x.dtype == torch.float64 else angles.float())
            return (torch.polar(torch.ones_like(angles), angles),)
        wide = shape(ORDERS[order](angles))
        return wide.cos().to(x.dtype), wide.sin().to(x.dtype)

    for order, shape in itertools.product(["as complex numbers"] if as_complex else ORDERS, SHAPES):
        yield order, lambda x, positions, order=order, shape=shape: tables(x, positions, order, shape)


def _parameters(function: Any) -> list[inspect.Parameter]:
    try:
        inner = function.forward if isinstance(function, torch.nn.Module) else function
        return list(inspect.signature(inner).parameters.values())
    except (TypeError, ValueError):  # nothing to call, or C code
        return []


def _by_position(function: Any) -> Any:
    """Return ``function``, or where it takes positions by keyword only, a function of (x, positions)."""
    for parameter in _parameters(function):
        if parameter.kind == parameter.KEYWORD_ONLY and "pos" in parameter.name:
            return lambda x, positions: function(x, **{parameter.name: positions})
    return function


def _guessed(function: Callable[..., Any]) -> str:
    """Return the likeliest signature, by the names of the parameters."""
    parameters = _parameters(function)
    names = [parameter.name.lower() for parameter in parameters]
    pair = len(names) > 1 and names[0][:1] in "qx" and names[1] in ("k", "key", "keys", "xk", "k_pe", "k_rot")
    start, rest = ("q, k", names[2:]) if pair else ("x", names[1:])
    if any("cos" in name for name in rest) and any("sin" in name for name in rest):
        return f"{start}, cos, sin"
    if any(name.startswith("freq") or name.endswith("cis") for name in rest):
        return f"{start}, freqs_cis"
    required = [p for p in parameters if p.default is p.empty and p.kind != p.VAR_KEYWORD]
    if (
        len(required) != 1 + pair
        or any(p.kind == p.VAR_POSITIONAL for p in required)
        or any("pos" in name for name in rest)
    ):
        return f"{start}, positions"
    return start


def _several(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def _with(turn: Callable[..., Any], arguments: Arguments) -> Turn:
    return lambda x, positions: turn(x, *arguments(x, positions))
