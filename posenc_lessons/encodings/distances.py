"""Compute how far keys are ahead of queries."""

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.positions import real_positions, whole_positions


def relative_distances(
    len_q: int, len_k: int, clip: int | None = None, *, device: torch.device | str | None = None
) -> Tensor:
    """Return how far key j is ahead of query i, D[i, j] = j − i: int64 [len_q, len_k].

    Distances of earlier keys are negative.

    Args:
        len_q, len_k: how many queries and keys, both counted from position 0.
        clip: distances beyond ±clip count as ±clip (Shaw et al. 2018, §3.2); None keeps them all.
        device: the device of the result.

    Raises:
        ValueError: a length or ``clip`` below 1.

    >>> relative_distances(2, 4, clip=2)
    tensor([[ 0,  1,  2,  2],
            [-1,  0,  1,  2]])
    """
    len_q, len_k = whole_number("len_q", len_q, 1), whole_number("len_k", len_k, 1)
    distances = torch.arange(len_k, device=device) - torch.arange(len_q, device=device)[:, None]
    if clip is None:
        return distances
    clip = whole_number("clip", clip, 1)
    return distances.clamp(-clip, clip)


def checked_distances(query_positions: Tensor, key_positions: Tensor, *, whole: bool) -> Tensor:
    """Return key position minus query position: [Lq, Lk], or [B, Lq, Lk].

    Both may be [L] or [B, L]. Integers give int64, other numbers their own floating type. ValueError unless
    they are real or, if ``whole``, integers.
    """
    check = whole_positions if whole else real_positions
    queries, keys = check("query_positions", query_positions), check("key_positions", key_positions)
    return keys[..., None, :] - queries[..., :, None]
