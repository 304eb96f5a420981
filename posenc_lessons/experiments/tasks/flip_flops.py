"""Flip-flop: remember one bit for as long as needed, and ignore all others."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import probability
from posenc_lessons.experiments.tasks.task import Task, commonest_before, drawn_with

WRITE, IGNORE, READ = 2, 3, 4  # 0 and 1 are the bits


def flip_flop(p_ignore: float = 0.8) -> Task:
    """Give instructions, each followed by a bit; at each ``READ`` the answer is the bit last written.

    The tokens are the bits 0 and 1, ``WRITE``, ``IGNORE`` and ``READ`` (2, 3, 4), for instance
    ``WRITE 1  IGNORE 0  IGNORE 0  READ 1``. Instructions stand at even positions; the first is a write, the
    last a read. Of the others, a share ``p_ignore`` ignore, and the rest are equally often writes and reads.
    Only reads count; guessing scores 1/2.

    Source: Liu et al. 2023, "Exposing Attention Glitches with Flip-Flop Language Modeling", §3
    (arXiv:2306.00946).
    """
    p_ignore = probability("p_ignore", p_ignore)
    rest = (1 - p_ignore) / 2

    def draw(shape: tuple[int, int], generator: torch.Generator | None) -> Tensor:
        batch, length = shape
        steps = (batch, (length + 1) // 2)
        instructions = WRITE + drawn_with((rest, p_ignore, rest), steps, generator)
        instructions[:, 0], instructions[:, -1] = WRITE, READ
        bits = drawn_with((0.5, 0.5), steps, generator)
        bits = torch.where(instructions == READ, _last_written(instructions, bits), bits)
        return torch.stack([instructions, bits], dim=2).flatten(1)[:, :length]

    def answer(tokens: Tensor) -> tuple[Tensor, Tensor]:
        instructions, bits = _steps(tokens)
        targets = torch.zeros_like(tokens)
        targets[:, ::2] = _last_written(instructions, bits)
        return targets, tokens == READ

    def order_blind(tokens: Tensor) -> Tensor:
        instructions, bits = _steps(tokens)
        bit_written = torch.where(instructions == WRITE, bits, -1)[:, :, None]
        most = commonest_before(bit_written == torch.arange(2, device=tokens.device))
        return most.repeat_interleave(2, dim=1)[:, : tokens.shape[1]]

    return Task("flip_flop", 5, answer, draw, n_answers=2, shortest=3, step=2, order_blind=order_blind)


def _steps(tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Return the instruction and the bit of each step, both [B, n]; at an odd length the last bit is 0."""
    instructions = tokens[:, ::2]
    bits = torch.zeros_like(instructions)
    bits[:, : tokens.shape[1] // 2] = tokens[:, 1::2]
    return instructions, bits


def _last_written(instructions: Tensor, bits: Tensor) -> Tensor:
    """Return for each step the bit of the last write up to it: [B, n]."""
    steps = torch.arange(instructions.shape[1], device=instructions.device)
    last = torch.where(instructions == WRITE, steps, 0).cummax(dim=1).values
    return bits.gather(1, last)
