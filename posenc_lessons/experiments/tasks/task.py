"""A task for a model that reads one sequence: random tokens, and the answer at each position."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.language import BilingualValueError

Draw = Callable[[tuple[int, int], torch.Generator | None], Tensor]


@dataclass(frozen=True)
class Task:
    """Random tokens, and at each position the answer a model must give there.

    Args:
        name: the name in progress bars.
        vocab_size: how many tokens there are, 0 … vocab_size−1.
        answer: takes the tokens [B, L]; returns the targets [B, L] and which of them count [B, L] (bool). A
            position whose answer cannot be known does not count.
        draw: takes the shape (B, L) and a generator; draws the tokens. None draws evenly from all tokens.
        n_answers: how many answers there are, the width of a model's logits; 0 means vocab_size.
        shortest: the smallest length that can be drawn.
        chance: the accuracy, 0 to 1, of always giving the commonest answer, far from the start; 0 means
            1/n_answers, for equally common answers.
        order_blind: takes the tokens [B, L]; returns at each position the best answer [B, L] if this token
            and those before it are known, but not the order of those before.
    """

    name: str
    vocab_size: int
    answer: Callable[[Tensor], tuple[Tensor, Tensor]]
    draw: Draw | None = None
    n_answers: int = 0
    shortest: int = 1
    chance: float = 0.0
    order_blind: Callable[[Tensor], Tensor] | None = None

    def __post_init__(self) -> None:
        if not self.n_answers:
            object.__setattr__(self, "n_answers", self.vocab_size)
        if not self.chance:
            object.__setattr__(self, "chance", 1 / self.n_answers)

    def batch(
        self, batch_size: int, length: int, generator: torch.Generator | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Draw ``(tokens, targets, counted)``, each [batch_size, length].

        Raises:
            ValueError: a size below 1, or a length so short that no position counts.
        """
        shape = (whole_number("batch_size", batch_size, 1), whole_number("length", length, 1))
        if length >= self.shortest:
            if self.draw is None:
                tokens = torch.randint(self.vocab_size, shape, generator=generator)
            else:
                tokens = self.draw(shape, generator)
            targets, counted = self.answer(tokens)
            if counted.any():
                return tokens, targets, counted
        raise BilingualValueError(
            f"长度 {length} 对 {self.name} 来说太短：还没有一个位置有答案",
            f"length {length} is too short for {self.name}: no position has an answer yet",
        )


def last_quarter(length: int) -> int:
    """Return where the last quarter of a sequence of that length begins."""
    return length - length // 4


def commonest_before(present: Tensor) -> Tensor:
    """Return at each position the kind found most often before it: ``present`` [B, L, ..., n] → [B, L, ...].

    ``present`` is bool. Of several kinds found equally often, the first is returned.
    """
    return (present.cumsum(dim=1) - present.long()).argmax(dim=-1)
