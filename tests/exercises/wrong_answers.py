"""Wrong answers with the message of a probe, of ``otherwise`` or ``nothing``, by exercise."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.exercises import recurring, start_here
from posenc_lessons.exercises.cope import table
from posenc_lessons.exercises.exercise import Answer
from posenc_lessons.exercises.learned import module
from posenc_lessons.exercises.learned.module import _module as adding
from posenc_lessons.exercises.learned.module import _Table as Table
from posenc_lessons.exercises.reading import NOT_AN_INDEX, NOT_BOOLEAN
from posenc_lessons.exercises.relative import buckets, shaw
from posenc_lessons.exercises.rotary import rotation
from posenc_lessons.exercises.rotating import frequencies, rotated_in_halves, rotated_interleaved
from posenc_lessons.exercises.solutions import (
    cope,
    relative,
    rotary,
    transformer,
    whose_position,
    why_position,
)
from posenc_lessons.exercises.transformer import TWO_THINGS
from posenc_lessons.exercises.why_position import order, weights
from posenc_lessons.language import Text

# ---- lesson 01 ----


def weights_with_all_axes_reversed(query: Tensor, key: Tensor) -> Tensor:
    turned = key.permute(*reversed(range(key.ndim)))  # what key.T is, without its warning
    return (query @ turned / math.sqrt(query.shape[-1])).softmax(dim=-1)


def tried_once(order: list[int]) -> Answer:
    """Return the answer that tries a single order."""
    return lambda layer, x: torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)


def last_row_never_moved(layer: Callable[[Tensor], Tensor], x: Tensor) -> bool:
    orders = ([*first, 3] for first in itertools.permutations(range(3)))
    return all(torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5) for order in orders)


# ---- lesson 02 ----


def waves_of(angles: Callable[[Tensor, Tensor], Tensor]) -> Answer:
    """Return the table whose angles are ``angles(positions, θ)``."""

    def answer(positions: Tensor, d_model: int, base: float) -> Tensor:
        a = angles(positions, frequencies(d_model, base))
        return torch.stack([a.sin(), a.cos()], dim=-1).flatten(-2)

    return answer


# ---- lesson 03 ----


class InAList(nn.Module):
    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()
        self.tables = [nn.Embedding(max_len, d_model)]

    def forward(self, x: Tensor, positions: Tensor) -> Any:
        return x + self.tables[0](positions)


class FrozenRow(nn.Module):
    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()
        self.table = nn.Embedding(max_len, d_model, padding_idx=0)

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        rows: Tensor = self.table(positions)
        return x + rows


class TableInsideForward(nn.Module):
    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()
        self.d_model, self.max_len = d_model, max_len

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        return x + F.embedding(positions, torch.zeros(self.max_len, self.d_model))


def keeping(keep: Callable[[nn.Module, Tensor], None]) -> Answer:
    """Make modules that keep their table as ``keep(module, table)`` does, not as a parameter."""

    def kept_so(d_model: int, max_len: int) -> nn.Module:
        model = Table(d_model, max_len)
        del model.table
        keep(model, torch.randn(max_len, d_model))
        return model

    return kept_so


def left_out(x: Tensor, positions: Tensor, rows: Tensor) -> Tensor:
    inside = (positions >= 0) & (positions < len(rows))
    return x + inside[..., None] * rows[positions * inside]


# ---- lesson 04 ----


def gathered(query: Tensor, key: Tensor, rows: Tensor, queries: Tensor, keys: Tensor) -> Tensor:
    position = (query @ rows.T).gather(-1, relative.table_rows(queries, keys, len(rows) // 2))
    return (query @ key.mT + position) / query.shape[-1] ** 0.5


# ---- lesson 05 ----


def both_rotated(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    angles = distance * frequencies(len(key), base)
    return rotated_interleaved(query, angles) @ rotated_interleaved(key, angles)


def rotated_by_float32(x: Tensor, positions: Tensor, base: float) -> Tensor:
    theta = base ** (-torch.arange(0, x.shape[-1], 2).float() / x.shape[-1])
    return rotated_in_halves(x, (positions.float()[..., None] * theta)[:, None])


WRONG: dict[str, tuple[tuple[Text, Answer], ...]] = {
    "start_here.swap_ends": (
        (start_here.NOTHING, lambda words: words.reverse()),
        (start_here.NOT_A_LIST, lambda words: " ".join([words[-1], *words[1:-1], words[0]])),
    ),
    "why_position.is_equivariant": (
        (
            order.INDEXED_BY_A_TUPLE,
            lambda layer, x: all(layer(x[by]) is None for by in itertools.permutations(range(len(x)))),
        ),
        (order.NOT_BOOL, lambda layer, x: (layer(x.flip(0)) - layer(x).flip(0)).abs() < 1e-5),
        *(
            (order.ONE_ORDER, tried_once(list(by)))
            for by in itertools.permutations(range(4))
            if by != (0, 1, 2, 3)
        ),
        (order.MISJUDGED_FALSE, last_row_never_moved),
    ),
    "why_position.read_positions": (
        (order.NOT_ROUNDED, lambda share: torch.where(share > 0, 1 / share - 1, -1)),
        (NOT_AN_INDEX, lambda share: why_position.read_positions(share).float()),
    ),
    "why_position.attention_weights": (
        (weights.ALL_AXES_REVERSED, weights_with_all_axes_reversed),
        (
            weights.OTHER_WEIGHTS,
            lambda query, key: torch.full((*query.shape[:-1], key.shape[-2]), 1 / key.shape[-2]),
        ),
        (weights.NOT_ONE_IN_ALL, lambda *given: 0.5 * why_position.attention_weights(*given)),
    ),
    "sinusoidal.my_table": (
        (
            recurring.BFLOAT16,
            waves_of(lambda positions, theta: torch.outer(positions.bfloat16().double(), theta)),
        ),
        (recurring.FLOAT32, waves_of(lambda positions, theta: torch.outer(positions.float(), theta.float()))),
    ),
    "learned.LearnedPositions": (
        (module.ROW_WITHOUT_GRADIENT, FrozenRow),
        (module.NO_MODULE, lambda d_model, max_len: torch.zeros(max_len, d_model)),
        (module.NOT_A_PARAMETER, TableInsideForward),
        (module.NOT_A_PARAMETER, keeping(lambda model, rows: model.register_buffer("table", rows))),
        (module.NOT_A_PARAMETER, keeping(lambda model, rows: setattr(model, "table", rows.requires_grad_()))),
        (module.NOT_ONE_TABLE, lambda d_model, max_len: Table(max_len, d_model)),
        (module.NOT_ONE_TABLE, lambda d_model, max_len: Table(d_model, max_len + 1)),
        (module.NOT_A_PARAMETER, InAList),
        (
            module.NOT_ONE_TABLE,
            lambda d, max_len: nn.Sequential(Table(d, max_len), nn.Linear(d, d)),
        ),
        (module.FROZEN, lambda d_model, max_len: Table(d_model, max_len).requires_grad_(False)),
        (module.NEW_EACH_TIME, adding(lambda x, positions, rows: x + nn.Embedding(*rows.shape)(positions))),
        (module.NO_GRADIENT, adding(lambda x, positions, rows: x + F.embedding(positions, rows.detach()))),
        (module.NOT_REFUSED, adding(left_out)),
    ),
    "relative.table_rows": ((NOT_AN_INDEX, lambda *given: relative.table_rows(*given).float()),),
    "relative.shaw_scores": ((shaw.NOT_BROADCAST, gathered),),
    "relative.bucket": (
        (buckets.BEGINS, buckets._far(lambda *q: q[1] // 2 + buckets._by_logarithm(*q).ceil() - 1)),
        (buckets.BEGINS, buckets._far(lambda *given: given[1] // 2 + buckets._by_logarithm(*given) - 1e-5)),
        (NOT_AN_INDEX, lambda *given: relative.bucket(*given).float()),
    ),
    "rotary.rotate": (
        (recurring.BFLOAT16, lambda x, positions, base: rotary.rotate(x, positions.bfloat16(), base)),
        (recurring.FLOAT32, rotated_by_float32),
    ),
    "rotary.rotary_score": ((rotation.PLAIN_PRODUCT, both_rotated),),
    "cope.table_for": ((table.TRANSPOSED, lambda *given: cope.table_for(*given).T),),
    "transformer.cached_step": ((TWO_THINGS, lambda *given: transformer.cached_step(*given)[0]),),
    "transformer.causal_padding_mask": (
        (NOT_BOOLEAN, lambda real: transformer.causal_padding_mask(real).int()),
    ),
    "whose_position.pack_mask": ((NOT_BOOLEAN, lambda at: whose_position.pack_mask(at).float()),),
    "whose_position.harmless": ((NOT_BOOLEAN, lambda *given: whose_position.harmless(*given).float()),),
    "whose_position.go_on": ((NOT_AN_INDEX, lambda *given: whose_position.go_on(*given).float()),),
}
