"""T5's relative bias: a learned number for each head and bucket of distances.

Source: Raffel et al. 2019, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
Transformer", §2.1, and the code of T5 in Mesh TensorFlow.
"""

from bisect import bisect_left
from functools import lru_cache

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings.arguments import check_heads, number, whole_number
from posenc_lessons.encodings.distances import checked_distances
from posenc_lessons.encodings.doors import PositionEncoding, Scores
from posenc_lessons.encodings.positions import whole_positions
from posenc_lessons.language import BilingualValueError


def t5_buckets(
    distances: Tensor, n_buckets: int = 32, max_distance: int = 128, bidirectional: bool = True
) -> Tensor:
    """Return the bucket of each distance j − i: 0 … n_buckets−1, in the shape of ``distances``.

    In each direction, each of the first half of the buckets holds one distance, 0, 1, 2, …; the others are
    equally wide on a logarithmic scale up to ``max_distance``. The last also holds all larger distances.

    Args:
        distances: integers of any shape, key minus query (negative for earlier keys).
        n_buckets: how many buckets; for both directions together (then even) if ``bidirectional``.
        max_distance: from here on all distances share the last bucket.
        bidirectional: True: later keys have the upper half of the buckets (T5's encoder). False: all
            later keys share bucket 0 with distance 0, for a decoder that never sees them.

    Raises:
        ValueError: distances that are not integers, too few or an odd number of buckets, a ``max_distance``
            that leaves nothing for the wide buckets.

    >>> t5_buckets(torch.tensor([0, -1, -2, -20, -1000, 1, 2])).tolist()
    [0, 1, 2, 10, 15, 17, 18]
    """
    distances = whole_positions("distances", distances)
    per_direction = _buckets_per_direction(n_buckets, max_distance, bidirectional)
    return _buckets_by_edges(distances, _edges(per_direction, max_distance), bidirectional)


def _buckets_by_edges(distances: Tensor, edges: tuple[int, ...], bidirectional: bool) -> Tensor:
    """Return ``t5_buckets``, given the smallest distance of each bucket of one direction except the first."""
    starts = torch.tensor(edges, device=distances.device)
    distances = distances.clamp(min=-edges[-1])  # does not change the bucket; −(−2⁶³) would overflow
    if not bidirectional:
        return torch.bucketize((-distances).clamp(min=0), starts, right=True)
    per_direction = len(edges) + 1
    return torch.bucketize(distances.abs(), starts, right=True) + (distances > 0) * per_direction


def _buckets_per_direction(n_buckets: int, max_distance: int, bidirectional: bool) -> int:
    """Return how many buckets each direction has; ValueError if the three arguments do not fit together."""
    directions = 2 if bidirectional else 1
    n_buckets = whole_number("n_buckets", n_buckets, 2 * directions)
    if n_buckets % directions:
        raise BilingualValueError(
            f"n_buckets 必须是偶数，两个方向各占一半，收到 {n_buckets}",
            f"n_buckets must be even, half of them for each direction; got {n_buckets}",
        )
    per_direction = n_buckets // directions
    whole_number("max_distance", max_distance, per_direction // 2 + 1)
    return per_direction


@lru_cache(maxsize=64)
def _edges(n_buckets: int, max_distance: int) -> tuple[int, ...]:
    """Return the smallest distance of each bucket except the first, for one direction.

    T5 computes ⌊log(n/e) / log(max/e) · w⌋ in float32, with e exact and w wide buckets. Whole numbers give
    the same result without rounding: wide bucket s begins at the smallest n with nʷ ≥ eʷ⁻ˢ · maxˢ.
    """
    exact = n_buckets // 2
    wide = n_buckets - exact
    edges = list(range(1, exact + 1))
    for step in range(1, wide):
        target = exact ** (wide - step) * max_distance**step
        edges.append(bisect_left(range(max_distance), target, lo=edges[-1], key=lambda n: n**wide))
    return tuple(edges)


class T5RelativeBias(PositionEncoding):
    """Door 3: a learned number for each head and bucket of distances, added to the score.

    T5 itself has one table for all layers; for that, give the attention of every layer the same
    T5RelativeBias. T5 does not divide its scores by √d_head (its query weights start smaller). Attention here
    does, so multiply T5's query weights by √d_head to get T5's scores. T5 has no bias between decoder and
    encoder.

    Args:
        n_heads: heads of the attention.
        n_buckets, max_distance, bidirectional: see ``t5_buckets``.
        std: spread of the random start of the table; 0 starts from zeros.

    Attributes:
        table: parameter [n_buckets, n_heads].

    >>> from posenc_lessons.models import MultiHeadAttention
    >>> MultiHeadAttention(d_model=16, n_heads=4, encoding=T5RelativeBias(4))(torch.randn(2, 5, 16)).shape
    torch.Size([2, 5, 16])
    """

    def __init__(
        self,
        n_heads: int,
        n_buckets: int = 32,
        max_distance: int = 128,
        bidirectional: bool = True,
        std: float = 0.02,
    ) -> None:
        super().__init__()
        self.n_heads = whole_number("n_heads", n_heads, 1)
        self.bidirectional = bidirectional
        per_direction = _buckets_per_direction(n_buckets, max_distance, self.bidirectional)
        self.n_buckets, self.max_distance = int(n_buckets), int(max_distance)
        self._edges = _edges(per_direction, self.max_distance)
        self.table = nn.Parameter(torch.randn(self.n_buckets, self.n_heads) * number("std", std, least=0))

    def score_bias(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor, scores: Scores
    ) -> Tensor:
        """Return the table's number for each head, query and key: [H, Lq, Lk], or [B, H, Lq, Lk]."""
        check_heads(query, self.n_heads)
        distances = checked_distances(query_positions, key_positions, whole=True)
        furthest = self.max_distance  # larger distances are in the same bucket
        rows = distances.clamp(-furthest, furthest) + furthest  # [Lq, Lk] or [B, Lq, Lk]
        bias = self._by_distance(rows.device).index_select(1, rows.flatten())  # [H, Lq·Lk] or [H, B·Lq·Lk]
        return bias.view(self.n_heads, *rows.shape).movedim(0, -3)

    def _by_distance(self, device: torch.device) -> Tensor:
        """Return the table's number for each head and distance −max_distance … max_distance: [H, 2·max + 1].

        This is faster than a bucket for each pair of query and key, because there are far fewer distances.
        """
        distances = torch.arange(-self.max_distance, self.max_distance + 1, device=device)
        return F.embedding(_buckets_by_edges(distances, self._edges, self.bidirectional), self.table).T

    def extra_repr(self) -> str:
        return (
            f"{self.n_heads}, n_buckets={self.n_buckets}, max_distance={self.max_distance}, "
            f"bidirectional={self.bidirectional}"
        )
