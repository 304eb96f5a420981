"""Count the increments since the last reset. Distance does not help, but content does."""

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.experiments.tasks.task import Task

PASS, INCREMENT, RESET = 0, 1, 2


def count_since_reset(largest: int = 9, p_increment: float = 0.3, p_reset: float = 0.1) -> Task:
    """Ask at each position how many increments there were since the last reset, including this token.

    The tokens are ``PASS``, ``INCREMENT`` and ``RESET`` (0, 1, 2), drawn independently with
    the chances ``p_increment`` and ``p_reset``; the rest passes. At a reset the answer
    is 0; the start is like a reset. For counts above ``largest`` the answer is ``largest``, so there are
    ``largest + 1`` answers. Every position counts.

    Source: the counting task of Golovneva et al. 2024, "Contextual Position Encoding" (arXiv:2405.18719),
    with one variable and an answer at each step.
    """
    largest = whole_number("largest", largest, 1)
    probabilities = (1 - p_increment - p_reset, p_increment, p_reset)

    def draw(shape: tuple[int, int], generator: torch.Generator | None) -> Tensor:
        ends = torch.tensor(probabilities[:-1]).cumsum(0)
        return torch.bucketize(torch.rand(shape, generator=generator), ends, right=True)

    def answer(tokens: Tensor) -> tuple[Tensor, Tensor]:
        so_far = (tokens == INCREMENT).cumsum(dim=1)
        # ``so_far`` never falls, so its largest value at resets is that at the last reset.
        at_last_reset = (so_far * (tokens == RESET)).cummax(dim=1).values
        return (so_far - at_last_reset).clamp(max=largest), torch.ones_like(tokens, dtype=torch.bool)

    def order_blind(tokens: Tensor) -> Tensor:
        # Before this token there are r resets and i increments in unknown order. If r = 0, all i count. If
        # not, k of them come after the last reset. k = 0 has the chance r/(i + r), and no larger k has a
        # better one, so the best guess is 0, or n, which stands for "n or more".
        resets = (tokens == RESET).cumsum(dim=1) - (tokens == RESET).long()
        increments = (tokens == INCREMENT).cumsum(dim=1) - (tokens == INCREMENT).long()
        n = largest - (tokens == INCREMENT).long()
        i, r = increments.double(), resets.double().clamp(min=1)
        n_or_more = torch.ones_like(i)  # the chance that k is n or more
        for j in range(largest):
            one_more = (i - j).clamp(min=0) / (i + r - j).clamp(min=1)
            n_or_more = torch.where(j < n, n_or_more * one_more, n_or_more)
        best = torch.where((increments >= n) & (n_or_more > r / (i + r)), n, 0)
        so_far = torch.where(resets == 0, increments, best)
        return (so_far + (tokens == INCREMENT)).clamp(max=largest) * (tokens != RESET)

    # Among increments and resets a share ``ends`` are resets: a count is k with chance ends · (1 − ends)ᵏ.
    ends = p_reset / (p_increment + p_reset)
    chance = max(ends, (1 - ends) ** largest)
    return Task(
        "count_since_reset", 3, answer, draw, n_answers=largest + 1, chance=chance, order_blind=order_blind
    )
