"""What padding means for attention: who may look at whom, and where each real token stands.

``real`` is bool [B, L], True = a real token, False = padding: the sense of every mask here, True = may be
looked at.
"""

from __future__ import annotations

import torch
from torch import Tensor


def positions_among_real(real: Tensor) -> Tensor:
    """How many real tokens come before each, [B, L]: padding takes no position, wherever it stands."""
    return (real.cumsum(dim=-1) - 1).clamp_(min=0)


def mask_of_real(real: Tensor) -> Tensor:
    """The mask [B, 1, 1, L] that hides padding from everyone.

    A sequence of nothing but padding may look at itself: what comes out is nobody's, but it is a number.
    """
    return (real | ~real.any(dim=-1, keepdim=True))[:, None, None, :]


def causal_mask_of_real(real: Tensor, n_new: int) -> Tensor:
    """The mask [B, 1, n_new, L] of the last ``n_new`` tokens: no padding, nothing later.

    Padding too may look at itself, so that padding in front, which has nothing else to see, stays a number.
    """
    length = real.shape[1]
    at = torch.arange(length, device=real.device)
    new = at[length - n_new :, None]
    return ((at < new) & real[:, None, :] | (at == new))[:, None]
