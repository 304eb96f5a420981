"""What followed this token the last time: it takes both the very next place and the whole past."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.experiments.tasks.task import Task


def what_followed(vocab_size: int = 8) -> Task:
    """At each position, the token that came right after the latest earlier occurrence of this position's.

    In "… b d … b" the answer at the second b is d. Positions whose token is new do not count. The tokens are
    drawn evenly and independently, so guessing scores 1/vocab_size.

    A model needs "one place back" exactly, and "the latest of several" over any distance. It is the simplest
    thing that text repeating itself asks for: Olsson et al. 2022, "In-context Learning and Induction Heads"
    (arXiv:2209.11895).
    """
    vocab_size = whole_number("vocab_size", vocab_size, 2)

    def answer(tokens: Tensor) -> tuple[Tensor, Tensor]:
        length = tokens.shape[1]
        places = torch.arange(length, device=tokens.device)
        same_and_earlier = (tokens[:, :, None] == tokens[:, None, :]) & (places < places[:, None])
        latest = torch.where(same_and_earlier, places, -1).max(dim=2).values
        return tokens.gather(1, (latest + 1).clamp(max=length - 1)), latest >= 0

    return Task(f"what_followed({vocab_size})", vocab_size, answer, shortest=2)
