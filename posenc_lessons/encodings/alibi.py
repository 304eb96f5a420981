"""ALiBi: a fixed penalty for each step of distance.

Source: Press, Smith & Lewis 2021, "Train Short, Test Long: Attention with Linear Biases Enables Input Length
Extrapolation", §3.
"""

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import check_heads, whole_number
from posenc_lessons.encodings.distances import checked_distances
from posenc_lessons.encodings.doors import PositionEncoding, Scores


def alibi_slopes(n_heads: int) -> Tensor:
    """Return how much each head subtracts from the score per step of distance: float64 [n_heads].

    If n_heads is a power of two, the slopes are 2^(−8/n), 2^(−16/n), … down to 2^(−8). Otherwise they are, as
    in the paper's code, those of the next smaller power of two, then every second one of the next larger.

    Raises:
        ValueError: ``n_heads`` is not a whole number of at least 1.

    >>> alibi_slopes(4).tolist()
    [0.25, 0.0625, 0.015625, 0.00390625]
    """
    n_heads = whole_number("n_heads", n_heads, 1)
    smaller = 1 << (n_heads.bit_length() - 1)
    exponents = [8 * (i + 1) / smaller for i in range(smaller)]
    exponents += [8 * (2 * i + 1) / (2 * smaller) for i in range(n_heads - smaller)]
    return torch.tensor([2.0**-exponent for exponent in exponents], dtype=torch.float64, device="cpu")


def alibi_bias(
    n_heads: int,
    query_positions: Tensor,
    key_positions: Tensor,
    signed: bool = False,
    *,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Return what ALiBi adds to the scores: [n_heads, Lq, Lk], or [B, n_heads, Lq, Lk].

    Args:
        n_heads: heads of the attention.
        query_positions, key_positions: [L] or [B, L].
        signed: see ``ALiBi``.
        dtype: the floating type of the result.

    Raises:
        ValueError: ``n_heads`` below 1; positions that are bool, complex, half precision or not finite.

    >>> alibi_bias(2, torch.arange(3), torch.arange(3))[0]  # slope 1/16
    tensor([[ 0.0000, -0.0625, -0.1250],
            [-0.0625,  0.0000, -0.0625],
            [-0.1250, -0.0625,  0.0000]])
    """
    distances = checked_distances(query_positions, key_positions, whole=False)
    slopes = alibi_slopes(n_heads).to(dtype).to(distances.device)[:, None, None]  # [H, 1, 1]
    ahead = (distances if signed else -distances.abs()).to(dtype)  # [Lq, Lk] or [B, Lq, Lk]
    return slopes * ahead[..., None, :, :]


class ALiBi(PositionEncoding):
    """Door 3: subtract slope · distance from each score. No parameters, nothing to save, any length.

    Args:
        n_heads: heads of the attention; each has its own slope, ``alibi_slopes(n_heads)``.
        signed: False: −slope · |n − m|, the same in both directions, as encoders use it. True:
            slope · (n − m), as the paper writes it. Under a causal mask the two are equal; without it,
            *later* keys gain, and the further away they are, the more.

    >>> from posenc_lessons.models import MultiHeadAttention
    >>> MultiHeadAttention(d_model=16, n_heads=4, encoding=ALiBi(4))(torch.randn(2, 5, 16)).shape
    torch.Size([2, 5, 16])
    """

    def __init__(self, n_heads: int, signed: bool = False) -> None:
        super().__init__()
        self.n_heads, self.signed = whole_number("n_heads", n_heads, 1), signed

    def score_bias(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor, scores: Scores
    ) -> Tensor:
        """Return ``alibi_bias`` in float32 at least: [H, Lq, Lk], or [B, H, Lq, Lk]."""
        check_heads(query, self.n_heads)
        wide = torch.promote_types(query.dtype, torch.float32)
        return alibi_bias(self.n_heads, query_positions, key_positions, self.signed, dtype=wide)

    def extra_repr(self) -> str:
        return f"{self.n_heads}, signed={self.signed}"
