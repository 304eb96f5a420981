"""Reference solutions of lesson 10's exercises. Plain functions, in the words of the lesson."""

from typing import Any

import torch
from torch import Tensor

from posenc_lessons.encodings import apply_rotary


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


def indexer_pairing(kept: set[int], queries: Tensor, keys: Tensor, top: int) -> str:
    """Return which pairing an indexer rotates by: "interleaved", "half_split" or "cannot tell".

    It scored ``keys`` [L, d] for the last token's ``queries`` [H, d], neither rotated yet, and kept the
    positions ``kept``, at most ``top`` of them.
    """
    from posenc_lessons.encodings.pairing import PAIRINGS  # so that a notebook can show it whole

    positions, fits = torch.arange(len(keys)), []
    for pairing in PAIRINGS:
        turned_queries = apply_rotary(queries[:, None], positions[-1:], pairing=pairing)[:, 0]  # [H, d]
        turned_keys = apply_rotary(keys, positions, pairing=pairing)  # [L, d]
        scores = (turned_queries @ turned_keys.T).relu().sum(dim=0)  # [L]
        if set(scores.topk(min(top, len(keys))).indices.tolist()) == set(kept):
            fits.append(pairing)
    return fits[0] if len(fits) == 1 else "cannot tell"
