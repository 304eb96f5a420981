"""CoPE: positions that depend on content.

Source: Golovneva, Wang, Weston & Sukhbaatar 2024, "Contextual Position Encoding: Learning to Count What's
Important", arXiv 2405.18719.

    gate_ij = σ(q_i · k_j)           does key j count, for query i?                       equation 3
    p_ij = Σ_{k=j..i} gate_ik        how many keys counted, from key j through query i    equation 4
    z_i[n] = q_i · e[n]              for whole n; for p between two whole numbers, interpolated
    score_ij = q_i · k_j + z_i[p_ij]

If all gates are open, p_ij = i − j + 1, the distance counted from 1; if they are open only at full stops, p
counts sentences.
"""

import math

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.encodings.distances import checked_distances
from posenc_lessons.encodings.doors import PositionEncoding, Scores
from posenc_lessons.encodings.gate_counts import interpolate_at_gates, reverse_cumsum
from posenc_lessons.encodings.known import hides_numbers
from posenc_lessons.encodings.positions import summary_of
from posenc_lessons.language import BilingualValueError


def cope_positions(logits: Tensor, max_position: float) -> Tensor:
    """Return how many gates are open from each key to the last key that the query sees.

    Under a causal mask the last key seen is the query's own, so the result is p_ij = Σ_{k=j..i} σ(logits_ik).
    The mask must already be in the logits: σ(−∞) = 0, so a hidden key does not count. If the mask came after
    the gates, future keys would count.

    Args:
        logits: the gates before the sigmoid, [..., Lq, Lk], −inf at hidden keys.
        max_position: the largest result: n − 1 for a table of n rows.

    Returns:
        [..., Lq, Lk], 0 where the logits are −inf. It is float64 for float64 logits, else float32, because in
        bfloat16 a count over 2048 keys is off by several positions.

    Raises:
        ValueError: a negative ``max_position``.

    >>> open_gates = torch.full((3, 3), 100.0).masked_fill(~causal_mask(3), -torch.inf)
    >>> cope_positions(open_gates, max_position=10)
    tensor([[1., 0., 0.],
            [2., 1., 0.],
            [3., 2., 1.]])
    """
    max_position = number("max_position", max_position, least=0)
    counts = reverse_cumsum(_wide(logits).sigmoid()).clamp(max=max_position)
    return counts.masked_fill(logits == -math.inf, 0)


def cope_bias(query: Tensor, logits: Tensor, table: Tensor) -> Tensor:
    """Return z_i[p_ij], what CoPE adds to the scores: [..., Lq, Lk], in float32 at least.

    z is computed for whole positions, [..., Lq, n_positions]. For p from n to n + 1 the result is z[n] plus
    p − n times the slope z[n+1] − z[n]. That is the paper's mix of ⌊p⌋ and ⌈p⌉, with another gradient where p
    is whole: that of the next interval, while ⌊p⌋ = ⌈p⌉ would give 0. At the largest p the gradient is 0.

    Args:
        query: [..., Lq, d_head].
        logits: as for ``cope_positions``, with the leading axes of ``query``.
        table: e, [n_positions, d_head]; p is at most n_positions − 1.

    Returns:
        [..., Lq, Lk]; finite at hidden keys, so that −inf plus it is −inf.

    >>> query, logits, table = torch.randn(2, 3, 8), torch.randn(2, 3, 5), torch.randn(4, 8)
    >>> cope_bias(query, logits, table).shape
    torch.Size([2, 3, 5])
    """
    logits = _wide(logits)
    return interpolate_at_gates(_at_whole_positions(query, table, logits), logits)


class CoPE(PositionEncoding):
    """Door 3: add z[p] to each score, where p counts the open gates. Reads the scores.

    The paper's equations, its listing and the released code (github.com/facebookresearch/RAM,
    projects/cope) differ in what opens a gate and in the size of z. The defaults here are the listing's:

    ============  ================  ============  =====================
    option        equations 3 to 8  listing       released code
    ============  ================  ============  =====================
    divide_gates  False             **True**      True
    divide_table  False             **False**     True
    n_positions   T + 1             ``npos_max``  longest input + 1
    ============  ================  ============  =====================

    (The released code also multiplies the gates by the mask, after the sigmoid. For a mask of 1 and 0 the
    result is the same as with −inf before the sigmoid.)

    Keys are counted in the order of their positions, and a key after the query never counts. If the query may
    see such a key (an encoder, no causal mask), the sum from that key back to the query is empty and its p is
    0; the listing would count through to the last key instead.

    Args:
        d_head: features of a head.
        n_positions: rows of the table, for p = 0 … n_positions − 1; a larger p takes the last row. If all
            gates are open, p reaches L over L tokens, so L + 1 rows clamp nothing.
        divide_gates: True: gates are σ(q·k/√d_head), computed from attention's own scores. False: σ(q·k),
            which opens and closes more sharply.
        divide_table: True: z is divided by √d_head, as q·k is. False: q·e is added unchanged.

    Attributes:
        table: parameter [n_positions, d_head], e in the paper, shared by all heads. It starts at zero; then z
            is the same at every p, and the first step learns nothing through p.

    >>> attention = MultiHeadAttention(d_model=16, n_heads=2, encoding=CoPE(d_head=8, n_positions=6))
    >>> attention(torch.randn(2, 5, 16), causal=True).shape
    torch.Size([2, 5, 16])
    """

    reads_scores = True

    def __init__(
        self, d_head: int, n_positions: int, *, divide_gates: bool = True, divide_table: bool = False
    ) -> None:
        super().__init__()
        self.d_head = whole_number("d_head", d_head, 1)
        self.n_positions = whole_number("n_positions", n_positions, 1)
        self.divide_gates = divide_gates
        self.divide_table = divide_table
        self.table = nn.Parameter(torch.zeros(self.n_positions, self.d_head))

    def score_bias(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor, scores: Scores
    ) -> Tensor:
        """Return z_i[p_ij], [B, H, Lq, Lk], for ``scores`` q·k/√d_head, −inf at hidden keys."""
        if scores is None:
            raise BilingualValueError(
                "CoPE 需要分数，它的门控由分数得来，收到 None",
                "CoPE needs the scores, its gates are made from them; got None",
            )
        logits = _wide(scores) if self.divide_gates else _wide(scores) * math.sqrt(self.d_head)
        query = query / math.sqrt(self.d_head) if self.divide_table else query
        z = _at_whole_positions(query, self.table, logits)  # [B, H, Lq, n_positions]
        ahead = checked_distances(query_positions, key_positions, whole=False)
        later = ahead > 0 if ahead.ndim == 2 else (ahead > 0)[:, None]  # [Lq, Lk] or [B, 1, Lq, Lk]
        in_order = not hides_numbers(key_positions) and summary_of(key_positions).in_order
        if in_order and later.ndim == 2:
            return interpolate_at_gates(z, logits, later)
        logits = logits.masked_fill(later, -math.inf)
        if in_order:
            return interpolate_at_gates(z, logits)
        order = key_positions.argsort(dim=-1, stable=True)  # [Lk] or [B, Lk]
        order = order.reshape(-1, 1, 1, order.shape[-1]).expand_as(logits)  # [B, H, Lq, Lk]
        return torch.empty_like(logits).scatter(-1, order, interpolate_at_gates(z, logits.gather(-1, order)))

    def extra_repr(self) -> str:
        options = f"divide_gates={self.divide_gates}, divide_table={self.divide_table}"
        return f"{self.d_head}, n_positions={self.n_positions}, {options}"


def _at_whole_positions(query: Tensor, table: Tensor, like: Tensor) -> Tensor:
    """Return z[n] = q · e[n], [..., Lq, n_positions], in the dtype of ``like``, even under autocast."""
    return (query.to(like.dtype) @ table.to(like.dtype).mT).to(like.dtype)


def _wide(logits: Tensor) -> Tensor:
    """Return ``logits`` in float32 at least: in bfloat16, counts beyond 256 stop growing."""
    return logits.to(torch.promote_types(logits.dtype, torch.float32))
