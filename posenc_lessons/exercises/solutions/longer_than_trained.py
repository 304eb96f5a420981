"""Reference solutions of lesson 08's exercises. Plain functions, in the words of the lesson."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor


def squeeze(positions: Tensor, trained: int, length: int) -> Tensor:
    """Squeeze positions [n] of a text of ``length`` tokens into 0 … trained; float64 [n]."""
    factor = max(length / trained, 1)
    return positions.double() / factor


def reach(theta: Tensor, stretched: Tensor, trained: int) -> float:
    """Return up to how many positions no pair meets a new angle; infinity where none ever does.

    Pairs rotated by ``theta`` [n] a step over ``trained`` positions, and rotate by ``stretched`` [n] now.
    """
    seen = trained * theta
    lengths = seen / stretched
    lengths[seen >= 2 * math.pi] = math.inf
    return lengths.min().item()


def llama_frequencies(config: dict[str, Any]) -> Tensor:
    """Return the frequencies [d/2] that a configuration of Llama 3.1's kind asks for."""
    scaling = config["rope_scaling"]
    d = config["hidden_size"] // config["num_attention_heads"]
    theta = config["rope_theta"] ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    turns = scaling["original_max_position_embeddings"] * theta / (2 * math.pi)
    slow, fast = scaling["low_freq_factor"], scaling["high_freq_factor"]
    kept = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return kept * theta + (1 - kept) * theta / scaling["factor"]


def beyond(right: Tensor, counted: Tensor) -> Tensor:
    """Return mean, least and largest over seeds of the accuracy in the last quarter: [3].

    ``right`` [S, B, L] says which answers of each seed are right, ``counted`` [B, L] which count at all.
    """
    length, counts = counted.shape[1], counted.clone()
    counts[:, : length - length // 4] = False
    shares = right[:, counts].double().mean(dim=1)  # [S]
    return torch.stack([shares.mean(), shares.min(), shares.max()])
