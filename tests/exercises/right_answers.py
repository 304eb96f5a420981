"""Right answers in other styles than the solutions': a few for each kind of exercise, by the exercise's name.

The kinds are what a check reads: a number, positions or indices, a boolean mask, weights and scores, a table,
rotated vectors, a module, a list, a function that judges. The styles are those of learners: a loop, einsum,
complex numbers, float64, int32, a sparse tensor, a tensor with a gradient, a list in place of a tensor.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from posenc_lessons import encodings
from posenc_lessons.exercises.solutions import cope, rotary, why_position

TURN = 2 * math.pi


class RefusingTable(nn.Module):
    """A learned table whose own ``forward`` refuses positions outside it."""

    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        if positions.min() < 0 or positions.max() >= len(self.table):
            raise IndexError("outside the table")
        return x + self.table[positions]


def swapped_by_unpacking(words: list[str]) -> Sequence[str]:
    if len(words) < 2:
        return list(words)
    first, *middle, last = words
    return last, *middle, first


def judged_by_matrices(layer: Callable[[Tensor], Tensor], x: Tensor) -> bool:
    orders = torch.cartesian_prod(*[torch.arange(len(x))] * len(x))
    matrices = [torch.eye(len(x))[order] for order in orders if len(order.unique()) == len(x)]
    return all(bool((layer(P @ x) - P @ layer(x)).abs().max() < 1e-5) for P in matrices)


def rows_by_a_loop(query_positions: Tensor, key_positions: Tensor, k: int) -> Tensor:
    rows = [[max(-k, min(k, j - i)) + k for j in key_positions.tolist()] for i in query_positions.tolist()]
    return torch.tensor(rows, dtype=torch.int32)


def scores_by_the_package(
    query: Tensor, key: Tensor, table: Tensor, query_positions: Tensor, key_positions: Tensor
) -> Tensor:
    distances = key_positions - query_positions[:, None]
    position = encodings.relative_scores(query, table, key.shape[-2], distances)
    return (query @ key.mT + position) / math.sqrt(query.shape[-1])


def rotated_by_matrices(x: Tensor, positions: Tensor, base: float) -> Tensor:
    theta = base ** (-torch.arange(0, x.shape[-1], 2, dtype=torch.float64) / x.shape[-1])
    matrices = encodings.rotation_matrix(positions.double()[..., None] * theta, "half_split").to(x.dtype)
    return torch.einsum("blij,bhlj->bhli", matrices, x)


def score_by_complex_numbers(query: Tensor, key: Tensor, distance: int, base: float) -> Tensor:
    q, k = (torch.view_as_complex(x.double().unflatten(-1, (-1, 2))) for x in (query, key))
    angles = distance * base ** (-torch.arange(0, len(query), 2, dtype=torch.float64) / len(query))
    return (q.conj() * k * torch.polar(torch.ones_like(angles), angles)).sum().real


def step_with_lists(query: Tensor, key: Tensor, value: Tensor, cache: Any) -> Any:
    keys, values = cache or ([], [])
    keys, values = [*keys, key], [*values, value]
    products = torch.stack([(query * one).sum(dim=-1) / query.shape[-1] ** 0.5 for one in keys])
    weights = products.softmax(dim=0)[..., None]
    return (weights * torch.stack(values)).sum(dim=0), (keys, values)


def causal_and_real_by_loops(real: Tensor) -> Tensor:
    length = range(real.shape[1])
    return torch.tensor(
        [[[[i == j or (j < i and bool(row[j])) for j in length] for i in length]] for row in real]
    )


def reach_pair_by_pair(theta: Tensor, stretched: Tensor, trained: int) -> float:
    limits = [trained * a / b for a, b in zip(theta, stretched, strict=True) if trained * a < TURN]
    return float(min(limits, default=math.inf))


def pairing_by_complex_numbers(kept: set[int], queries: Tensor, keys: Tensor, top: int) -> str:
    length, d = keys.shape
    theta = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    fits = []
    for pairing, pairs in (("interleaved", (d // 2, 2)), ("half_split", (2, d // 2))):
        q, k = (x.double().unflatten(-1, pairs) for x in (queries, keys))
        q, k = (x if pairing == "interleaved" else x.transpose(-1, -2) for x in (q, k))
        q, k = (torch.view_as_complex(x.contiguous()) for x in (q, k))  # [H, d/2], [L, d/2]
        q = q * torch.polar(torch.ones(d // 2).double(), (length - 1) * theta)
        k = k * torch.polar(
            torch.ones(length, d // 2).double(), torch.outer(torch.arange(length).double(), theta)
        )
        scores = (q @ k.mH).real.relu().sum(dim=0)
        best = scores.argsort(descending=True)[:top].tolist()
        fits += [pairing] * (set(best) == kept)
    return fits[0] if len(fits) == 1 else "cannot tell"


RIGHT: dict[str, tuple[Callable[..., Any], ...]] = {
    # a list, and a function that judges
    "start_here.swap_ends": (swapped_by_unpacking,),
    "why_position.is_equivariant": (judged_by_matrices,),
    # a matrix or a table
    "learned.LearnedPositions": (RefusingTable,),
    "cope.table_for": (lambda query, wanted: torch.outer(wanted, torch.linalg.pinv(query[None])[:, 0]),),
    # a number
    "rotary.rotary_score": (score_by_complex_numbers,),
    "longer_than_trained.reach": (reach_pair_by_pair,),
    # a word
    "not_every_layer.indexer_pairing": (pairing_by_complex_numbers,),
    # positions and indices
    "why_position.read_positions": (
        lambda share: torch.where(share > 0, (1 / share).round().to(torch.int32) - 1, -1),
    ),
    "relative.table_rows": (rows_by_a_loop,),
    "more_coordinates.number_patches": (lambda height, width: torch.ones(height, width).nonzero(),),
    # a boolean mask
    "transformer.causal_padding_mask": (causal_and_real_by_loops,),
    # weights, scores and attention
    "why_position.attention_weights": (
        lambda query, key: why_position.attention_weights(query, key).requires_grad_(),
        lambda q, k: (
            torch.einsum("...id,...jd->...ij", q.double(), k.double()) * q.shape[-1] ** -0.5
        ).softmax(-1),
    ),
    "relative.shaw_scores": (scores_by_the_package,),
    "cope.positions": (lambda scores, mask, most: cope.positions(scores.double(), mask, most),),
    "cope.nth_back": (
        lambda is_noun, back, n_rows: [
            30 * (2 * is_noun.double() - 1),
            -30.0 * (torch.arange(n_rows) - back) ** 2,
        ],
    ),
    "transformer.cached_step": (step_with_lists,),
    # rotated vectors
    "rotary.rotate": (rotated_by_matrices, lambda x, *rest: rotary.rotate(x.double(), *rest)),
}
