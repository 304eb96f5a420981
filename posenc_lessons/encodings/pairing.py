"""Pair the features of a head, give each pair its frequency, and convert weights between conventions.

Rotary embedding (Su et al. 2021, "RoFormer") rotates features in pairs. There are two conventions:

* ``"interleaved"``: neighbours, (0, 1), (2, 3), …, in the paper, GPT-J, RoFormer, Meta's own LLaMA code;
* ``"half_split"``: one from each half, (0, d/2), (1, d/2 + 1), …, in GPT-NeoX, and LLaMA in transformers.

They differ by a fixed permutation of features. Weights trained with one and run with the other load without
an error and compute nonsense.
"""

from typing import Any, Literal, get_args

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import base_above_one, even_width, one_of, whole_number
from posenc_lessons.language import BilingualValueError

Pairing = Literal["interleaved", "half_split"]
PAIRINGS: tuple[Pairing, ...] = get_args(Pairing)


def check_pairing(name: str, pairing: Any) -> Pairing:
    """Return ``pairing`` if it is a known one; ValueError otherwise."""
    return one_of(name, pairing, PAIRINGS)


def rotary_frequencies(rotary_dim: int, base: float = 10000.0) -> Tensor:
    """Return θ_i = base^(−2i/rotary_dim), radians per position: float64 [rotary_dim/2] on the CPU.

    Raises:
        ValueError: ``rotary_dim`` odd or below 2, ``base`` not above 1.

    >>> rotary_frequencies(8).tolist()
    [1.0, 0.1, 0.01, 0.001]
    """
    return frequencies_of(even_width(rotary_dim, "rotary_dim"), base_above_one(base))


def frequencies_of(rotary_dim: int, base: float) -> Tensor:
    """Return ``rotary_frequencies`` without checking the arguments."""
    return base ** (-torch.arange(0, rotary_dim, 2, dtype=torch.float64, device="cpu") / rotary_dim)


def rotary_width(rotary_dim: Any, d_head: int) -> int:
    """Return how many features rotate: ``rotary_dim``, or ``d_head`` for None; ValueError unless even."""
    width = whole_number("rotary_dim", d_head if rotary_dim is None else rotary_dim, 2)
    if width % 2 or width > d_head:
        raise BilingualValueError(
            f"rotary_dim 必须是偶数且不超过 d_head={d_head}，因为特征是成对旋转的，收到 {width}",
            f"rotary_dim must be even and at most d_head={d_head}: features rotate in pairs; got {width}",
        )
    return width


def pair_indices(n_pairs: int, pairing: Pairing) -> tuple[Tensor, Tensor]:
    """Return the first and the second feature of each pair: two index tensors [n_pairs]."""
    pair = torch.arange(n_pairs, device="cpu")
    return (2 * pair, 2 * pair + 1) if pairing == "interleaved" else (pair, pair + n_pairs)


def convert_pairing(weight: Tensor, n_heads: int, to: Pairing, rotary_dim: int | None = None) -> Tensor:
    """Reorder the rows of a query or key projection trained with one pairing for the other pairing.

    Convert the query *and* the key projection (weights, and biases if there are any), never the values; then
    no score changes. Converting there and back gives the same weights.

    Args:
        weight: [n_heads · d_head, …], rows as in ``nn.Linear.weight``; or a bias [n_heads · d_head].
        n_heads: heads in ``weight`` (in grouped-query attention, for keys the number of key heads).
        to: the pairing of the result; ``weight`` must have the other one.
        rotary_dim: as in ``apply_rotary``; rows of features that do not rotate stay.

    Returns:
        A new tensor of the shape of ``weight``.

    Raises:
        ValueError: an unknown pairing, a bad ``rotary_dim``.
        RuntimeError: rows that do not make ``n_heads`` heads.

    >>> convert_pairing(torch.arange(6), n_heads=1, to="half_split")
    tensor([0, 2, 4, 1, 3, 5])
    """
    check_pairing("to", to)
    n_heads = whole_number("n_heads", n_heads, 1)
    d_head = weight.shape[0] // n_heads
    width = rotary_width(rotary_dim, d_head)
    source: Pairing = "half_split" if to == "interleaved" else "interleaved"
    order = torch.arange(d_head, device="cpu")
    for target, origin in zip(pair_indices(width // 2, to), pair_indices(width // 2, source), strict=True):
        order[target] = origin
    by_head = weight.unflatten(0, (n_heads, d_head))  # [n_heads, d_head, …]
    return by_head[:, order.to(weight.device)].flatten(0, 1)
