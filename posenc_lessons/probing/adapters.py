"""Turn functions of the signatures that people have into ``turn(x, positions)``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.encodings import rotary_frequencies
from posenc_lessons.language import BilingualValueError

SIGNATURES = (
    "x, positions",
    "x",
    "x, cos, sin",
    "q, k, positions",
    "q, k, cos, sin",
    "x, freqs_cis",
    "q, k, freqs_cis",
)
# The order of own tables [L, width], by name: what becomes of angles [L, d_head/2].
ORDERS: dict[str, Callable[[Tensor], Tensor]] = {
    "half the width": lambda angles: angles,
    "concatenated": lambda angles: torch.cat([angles, angles], dim=-1),
    "repeated": lambda angles: angles.repeat_interleave(2, dim=-1),
}
SHAPES: tuple[Callable[[Tensor], Tensor], ...] = (
    lambda table: table,  # [L, width]
    lambda table: table[None],  # [1, L, width]
    lambda table: table[None, None],  # [1, 1, L, width]
    lambda table: table[None, :, None],  # [1, L, 1, width]
)


class Adapted:
    """``turn(x, positions)`` for a function that takes queries and keys, or tables.

    Args:
        function: what is called.
        pair: it takes queries and keys and returns both.
        tables: ``tables(x, positions)`` gives the arguments after x, or after q and k.
    """

    def __init__(
        self, function: Callable[..., Any], pair: bool, tables: Callable[[Tensor, Tensor], tuple[Any, ...]]
    ) -> None:
        self.function, self.pair, self.tables = function, pair, tables
        self._keys_differ = False

    def __call__(self, x: Tensor, positions: Tensor) -> Any:
        arguments = self.tables(x, positions)
        if not self.pair:
            return self.function(x, *arguments)
        query, key = self.function(x, x.clone(), *arguments)[:2]
        if isinstance(query, Tensor) and isinstance(key, Tensor) and not torch.equal(query, key):
            self._keys_differ = True
        return query

    def differs(self) -> bool:
        """Return whether a key was rotated otherwise than the same vector as a query."""
        return self._keys_differ


def candidates(
    rotate: Any, d_head: int, signature: str | None, tables: Any
) -> Iterator[tuple[str | None, Callable[[Tensor, Tensor], Any]]]:
    """Yield ``turn(x, positions)`` for ``rotate``, with each order of own tables where it needs some."""
    function = _callable(rotate, d_head)
    signature = signature or _guessed(function)
    if signature not in SIGNATURES:
        names = "; ".join(SIGNATURES)
        raise BilingualValueError(
            f"signature 只能是这些之一：{names}；收到 {signature!r}",
            f"signature must be one of: {names}; got {signature!r}",
        )
    pair = signature.startswith("q")
    if signature == "x":
        yield None, lambda x, positions: function(x)
    elif signature.endswith("positions"):
        yield None, Adapted(function, pair, lambda x, positions: (positions,)) if pair else function
    elif tables is not None:
        yield None, Adapted(function, pair, lambda x, positions: _made(tables, x, positions))
    else:
        for name, own in own_tables(d_head, signature.endswith("freqs_cis")):
            yield name, Adapted(function, pair, own)


def own_tables(d_head: int, as_complex: bool) -> Iterator[tuple[str, Callable[..., tuple[Any, ...]]]]:
    """Yield tables of base 10000, with the name of their order, in each shape that is in use."""
    frequencies = rotary_frequencies(d_head - d_head % 2)

    def angles_at(positions: Tensor) -> Tensor:
        return positions.to(torch.float64)[:, None] * frequencies  # [L, d_head/2]

    for name, order in ORDERS.items():
        for shape in SHAPES:
            if not as_complex:

                def both(x: Tensor, positions: Tensor, order: Any = order, shape: Any = shape) -> Any:
                    wide = shape(order(angles_at(positions)))
                    return wide.cos().to(x.dtype), wide.sin().to(x.dtype)

                yield name, both
            elif name == "half the width":
                for real in (False, True):

                    def turns(x: Tensor, positions: Tensor, shape: Any = shape, real: bool = real) -> Any:
                        angles = shape(angles_at(positions))
                        table = torch.polar(torch.ones_like(angles), angles)
                        if x.dtype != torch.float64:
                            table = table.to(torch.complex64)
                        return (torch.view_as_real(table) if real else table,)

                    yield "cos and sin, [.., 2]" if real else "complex", turns


def _callable(rotate: Any, d_head: int) -> Callable[..., Any]:
    """Return what is called: an instance of a class, ``forward`` of an object that cannot be called."""
    if isinstance(rotate, type):
        rotate = rotate(d_head)
    if not callable(rotate) and callable(getattr(rotate, "forward", None)):
        rotate = rotate.forward
    if not callable(rotate):
        raise BilingualValueError(
            f"rotate 必须可以调用，收到 {type(rotate).__name__}",
            f"rotate must be callable; got {type(rotate).__name__}",
        )
    return rotate  # type: ignore[no-any-return]


def _guessed(function: Callable[..., Any]) -> str:
    """Return the likeliest signature, by the names of the parameters that must be given."""
    inner = getattr(function, "forward", function) if isinstance(function, torch.nn.Module) else function
    try:
        parameters = list(inspect.signature(inner).parameters.values())
    except (TypeError, ValueError):  # a function of C code, for instance
        return "x, positions"
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    names = [p.name.lower() for p in plain]
    pair = len(names) > 1 and names[0][:1] in "qx" and names[1] in ("k", "key", "keys", "xk", "k_pe")
    start = "q, k" if pair else "x"
    rest = names[2:] if pair else names[1:]
    if any("cos" in name for name in rest) and any("sin" in name for name in rest):
        return f"{start}, cos, sin"
    if any(name.startswith("freqs") or name.endswith("cis") for name in rest):
        return f"{start}, freqs_cis"
    if len(plain) == 1 and not any(p.kind == p.VAR_POSITIONAL for p in parameters):
        return "x"
    return f"{start}, positions"


def _made(tables: Any, x: Tensor, positions: Tensor) -> tuple[Any, ...]:
    """Return what ``tables`` makes of positions: a module as in transformers, or a function of positions."""
    if isinstance(tables, torch.nn.Module):
        made = tables(x, positions[None])
    else:
        made = tables(positions)
    return tuple(made) if isinstance(made, (tuple, list)) else (made,)
