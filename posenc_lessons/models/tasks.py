"""Small tasks that can only be solved by knowing where each token stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number


@dataclass(frozen=True)
class Task:
    """Random tokens, and at each position the answer a model must give there.

    ``answer(tokens [B, L])`` returns the targets [B, L] and which of them count [B, L] (bool): a position
    whose answer cannot be known yet does not count.
    """

    name: str
    vocab_size: int
    answer: Callable[[Tensor], tuple[Tensor, Tensor]]

    def batch(
        self, batch_size: int, length: int, generator: torch.Generator | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Fresh ``(tokens, targets, counted)``, each [batch_size, length], on the generator's device.

        Raises:
            ValueError: a size below 1, or a length so short that no position counts.
        """
        shape = (whole_number("batch_size", batch_size, 1), whole_number("length", length, 1))
        device = "cpu" if generator is None else generator.device
        tokens = torch.randint(self.vocab_size, shape, generator=generator, device=device)
        targets, counted = self.answer(tokens)
        if not counted.any():
            raise ValueError(
                f"length {length} is too short for {self.name}: no position has an answer yet\n"
                f"长度 {length} 对 {self.name} 来说太短：还没有一个位置有答案"
            )
        return tokens, targets, counted


def copy_back(n_back: int, vocab_size: int = 16) -> Task:
    """At each position, the token ``n_back`` steps before; the first ``n_back`` positions do not count.

    The tokens are drawn evenly and independently, so guessing scores 1/vocab_size, and what the tokens are
    says nothing about where they are: only a sense of distance helps.
    """
    n_back = whole_number("n_back", n_back, 1)
    vocab_size = whole_number("vocab_size", vocab_size, 2)

    def answer(tokens: Tensor) -> tuple[Tensor, Tensor]:
        counted = torch.arange(tokens.shape[1], device=tokens.device) >= n_back
        return tokens.roll(n_back, dims=1), counted.expand_as(tokens)

    return Task(f"copy_back({n_back})", vocab_size, answer)
