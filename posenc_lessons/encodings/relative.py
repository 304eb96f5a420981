"""Shaw's learned vectors for distances.

Source: Shaw, Uszkoreit & Vaswani 2018, "Self-Attention with Relative Position Representations", equations 3
and 4, computed as in §3.3, but with fewer products:

    score_ij = q_i · (k_j + a_{j−i}) / √d_head          output_i = Σ_j weight_ij (v_j + b_{j−i})

There are only 2k + 1 vectors a, for distances −k … k; larger distances share the outermost ones. So q · a is
computed once for each query and vector, [Lq, 2k+1], and each key gathers the product for its distance. No
tensor [Lq, Lk, d_head] is built.
"""

import math

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.distances import checked_distances, relative_distances
from posenc_lessons.encodings.doors import PositionEncoding, Scores
from posenc_lessons.language import BilingualValueError


def relative_scores(query: Tensor, table: Tensor, len_k: int, distances: Tensor | None = None) -> Tensor:
    """Return the relative part of the scores, q_i · a_{j−i} (not divided): [..., Lq, Lk].

    Args:
        query: [..., Lq, d_head].
        table: [2k+1, d_head], the vectors for distances −k … k; larger distances take the outermost.
        len_k: how many keys there are.
        distances: j − i, int64 [Lq, Lk], or [B, Lq, Lk] for ``query`` [B, …, Lq, d_head]; if None, queries
            and keys are both counted from 0.

    Raises:
        ValueError: a table with an even number of rows.

    >>> table = torch.tensor([[-1.0], [0.0], [1.0]])  # k = 1
    >>> relative_scores(torch.ones(2, 1), table, len_k=4)
    tensor([[ 0.,  1.,  1.,  1.],
            [-1.,  0.,  1.,  1.]])
    """
    return _scores(query, table, (*query.shape[:-1], whole_number("len_k", len_k, 1)), distances)


def _scores(query: Tensor, table: Tensor, shape: tuple[int, ...], distances: Tensor | None) -> Tensor:
    """Return ``relative_scores`` of ``shape`` [..., Lq, Lk]; Lk may be a symbol while compiling."""
    clip = _clip_of(table)
    rows = _fitting(distances, shape, query.device).clamp(-clip, clip) + clip  # [Lq, Lk], or axes in front
    return (query @ table.T).gather(-1, rows.expand(shape))


def relative_values(weights: Tensor, table: Tensor, distances: Tensor | None = None) -> Tensor:
    """Return the relative part of the output, Σ_j weight_ij b_{j−i}: [..., Lq, d_head].

    The weights of keys at the same distance are added up first; the sum is then multiplied by the vector for
    that distance. Half precisions are added up in float32.

    Args:
        weights: [..., Lq, Lk].
        table: [2k+1, d_head], as for ``relative_scores``.
        distances: as for ``relative_scores``.

    Raises:
        ValueError: as for ``relative_scores``.

    >>> table = torch.tensor([[-1.0], [0.0], [1.0]])  # k = 1
    >>> relative_values(torch.full((2, 4), 0.25), table)
    tensor([[0.7500],
            [0.2500]])
    """
    clip = _clip_of(table)
    distances = _fitting(distances, tuple(weights.shape), weights.device)
    return _sum_by_distance(weights, distances, clip) @ table


def _sum_by_distance(weights: Tensor, distances: Tensor, clip: int) -> Tensor:
    """Return the sum of each query's weights at each distance: [..., Lq, Lk] → [..., Lq, 2k+1].

    Sums are made in float32 at least and rounded to the dtype of ``weights``.
    """
    wide = weights.to(torch.promote_types(weights.dtype, torch.float32))
    rows = distances.clamp(-clip, clip) + clip
    sums = wide.new_zeros(*wide.shape[:-1], 2 * clip + 1)
    return sums.scatter_add(-1, rows.expand(wide.shape), wide).to(weights.dtype)


class ShawRelative(PositionEncoding):
    """Doors 3 and 4: a learned vector for each distance, added to the key for the scores and to the value.

    The heads share the tables, as §3.3 of the paper allows; the paper's models have tables for each layer
    (its base model also for each head). Positions must be whole numbers; only their differences matter.

    Args:
        d_head: features of a head.
        max_distance: k; distances beyond ±k count as ±k (the paper's base model: 16, its big one: 8).
        values: whether to have a table for values. Without it, attention can use the fused kernel.

    Attributes:
        key_table, value_table: parameters [2k+1, d_head], Xavier-uniform; row r is for distance r − k.
            ``value_table`` is None without ``values``.

    >>> attention = MultiHeadAttention(d_model=16, n_heads=2, encoding=ShawRelative(d_head=8))
    >>> attention(torch.randn(2, 5, 16)).shape
    torch.Size([2, 5, 16])
    """

    value_table: nn.Parameter | None

    def __init__(self, d_head: int, max_distance: int = 16, values: bool = True) -> None:
        super().__init__()
        self.d_head = whole_number("d_head", d_head, 1)
        self.max_distance = whole_number("max_distance", max_distance, 1)
        self.key_table = self._new_table()
        self.register_parameter("value_table", self._new_table() if values else None)

    def _new_table(self) -> nn.Parameter:
        table = torch.empty(2 * self.max_distance + 1, self.d_head)
        return nn.Parameter(nn.init.xavier_uniform_(table))

    @property
    def doors(self) -> tuple[int, ...]:
        """3, and 4 with a table for values."""
        return (3,) if self.value_table is None else (3, 4)

    def score_bias(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor, scores: Scores
    ) -> Tensor:
        """Return q_i · a_{n−m} / √d_head, [B, H, Lq, Lk]."""
        distances = checked_distances(query_positions, key_positions, whole=True)
        scaled = query / math.sqrt(self.d_head)
        return _scores(scaled, self.key_table, (*query.shape[:-1], distances.shape[-1]), distances)

    def value_bias(self, weights: Tensor, query_positions: Tensor, key_positions: Tensor) -> Tensor | None:
        """Return Σ_n weight · b_{n−m}, [B, H, Lq, d_head]; None without a value table."""
        if self.value_table is None:
            return None
        distances = checked_distances(query_positions, key_positions, whole=True)  # [Lq, Lk] or [B, Lq, Lk]
        distances = _fitting(distances, tuple(weights.shape), weights.device)
        return _sum_by_distance(weights, distances, self.max_distance) @ self.value_table

    def extra_repr(self) -> str:
        values = "" if self.value_table is not None else ", values=False"
        return f"{self.d_head}, max_distance={self.max_distance}{values}"


def _clip_of(table: Tensor) -> int:
    """Return k for a table [2k+1, d_head]."""
    if table.ndim != 2 or table.shape[0] < 3 or table.shape[0] % 2 == 0:
        raise BilingualValueError(
            f"table 的形状必须是 [2k+1, d_head]，距离 −k … k 各占一行，k ≥ 1，收到 {list(table.shape)}",
            f"table must have shape [2k+1, d_head], a row for each distance −k … k with k ≥ 1; "
            f"got {list(table.shape)}",
        )
    return table.shape[0] // 2


def _fitting(distances: Tensor | None, shape: tuple[int, ...], device: torch.device) -> Tensor:
    """Return ``distances`` with axes to broadcast to ``shape`` [..., Lq, Lk]."""
    if distances is None:
        return relative_distances(*shape[-2:], device=device)
    if distances.ndim == 3:  # [B, Lq, Lk], the same for every head
        distances = distances[(slice(None),) + (None,) * (len(shape) - 3)]
    return distances
