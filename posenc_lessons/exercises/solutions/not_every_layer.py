"""Reference solutions of lesson 10's exercises. Plain functions, in the words of the lesson."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def rotating(config: dict[str, Any]) -> list[bool]:
    """Return which layers of a configuration rotate, the lowest first.

    ``no_rope_layers`` has 1 where a layer rotates. Without it, one layer in ``no_rope_layer_interval`` does
    not: the last of each group.
    """
    if "no_rope_layers" in config:
        return [entry == 1 for entry in config["no_rope_layers"]]
    every = config["no_rope_layer_interval"]
    return [(layer + 1) % every != 0 for layer in range(config["num_hidden_layers"])]


def reach(windows: list[int | None], length: int) -> int:
    """Return on how many tokens the last output of a stack depends, itself among them.

    ``windows`` has an entry for each layer, None for one that sees all; the text has ``length`` tokens.
    """
    if None in windows:
        return length
    return min(length, 1 + sum(window - 1 for window in windows if window is not None))


def proportional(d_head: int, base: float, share: float) -> Tensor:
    """Return the frequencies [d_head/2] of proportional rotation: the slow ones are 0.

    The fastest pairs, a ``share`` of them all, keep the frequencies that they have when all rotate.
    """
    theta = base ** (-torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
    theta[int(share * d_head / 2) :] = 0
    return theta


def two_scales(factor: float, mscale: float, mscale_all_dim: float) -> tuple[float, float]:
    """Return what multiplies cosines and sines, and what multiplies the scores, in DeepSeek's YaRN."""

    def scale(m: float) -> float:
        return 0.1 * m * math.log(factor) + 1 if factor > 1 else 1.0

    return scale(mscale) / scale(mscale_all_dim), scale(mscale_all_dim) ** 2


def absorb(query: Tensor, w_key: Tensor) -> Tensor:
    """Return queries [H, d_latent] to compare with latents: each head's W_kᵀ q.

    ``query`` is [H, d_head], ``w_key`` [H, d_head, d_latent]: head h has the key ``w_key[h] @ latent``.
    """
    return (query[:, None, :] @ w_key)[:, 0]


def kind_of(attend: Callable[[Tensor], Tensor], positions: Tensor) -> str:
    """Return "absolute", "relative" or "blind", by what positions do to the output.

    ``attend(positions)`` is the output of a layer [L, d] for the same tokens at any ``positions`` [L].
    """
    usual = attend(positions)

    def changed(others: Tensor) -> bool:
        return not torch.allclose(attend(others), usual, atol=1e-4)

    if changed(positions + 7):
        return "absolute"
    return "relative" if changed(2 * positions) else "blind"
