"""Copy: the token a number of steps back, or what followed this token last time."""

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.experiments.tasks.task import Task, commonest_before


def copy_back(n_back: int, vocab_size: int = 16) -> Task:
    """Ask at each position for the token ``n_back`` steps before; the first ``n_back`` do not count.

    The tokens are drawn evenly and independently, so guessing scores 1/vocab_size. The commonest of the
    earlier tokens is a better guess, and needs no order.
    """
    n_back = whole_number("n_back", n_back, 1)
    vocab_size = whole_number("vocab_size", vocab_size, 2)

    def answer(tokens: Tensor) -> tuple[Tensor, Tensor]:
        counted = torch.arange(tokens.shape[1], device=tokens.device) >= n_back
        return tokens.roll(n_back, dims=1), counted.expand_as(tokens)

    def order_blind(tokens: Tensor) -> Tensor:
        return commonest_before(tokens[:, :, None] == torch.arange(vocab_size, device=tokens.device))

    return Task(f"copy_back({n_back})", vocab_size, answer, order_blind=order_blind)


def what_followed(vocab_size: int = 8) -> Task:
    """Ask at each position for the token right after the latest earlier occurrence of this one.

    In "… b d … b" the answer at the second b is d. Positions whose token is new do not count. The tokens are
    drawn evenly and independently, so guessing scores 1/vocab_size.

    A model needs exactly one place back, and the latest of several tokens at any distance: the simplest
    skill for texts that repeat themselves. Source: Olsson et al. 2022, "In-context Learning and Induction
    Heads" (arXiv:2209.11895).
    """
    vocab_size = whole_number("vocab_size", vocab_size, 2)

    def answer(tokens: Tensor) -> tuple[Tensor, Tensor]:
        length = tokens.shape[1]
        places = torch.arange(length, device=tokens.device)
        same = tokens[:, :, None] == tokens[:, None, :]  # [B, L, L]
        same_and_earlier = same & (places < places[:, None])
        latest = torch.where(same_and_earlier, places, -1).max(dim=2).values  # [B, L]
        return tokens.gather(1, (latest + 1).clamp(max=length - 1)), latest >= 0

    def order_blind(tokens: Tensor) -> Tensor:
        # Over all orders of the earlier tokens, each kind is the answer as often as its share of them: this
        # token's kind if it came last, another kind if it came right after the latest of this kind.
        return commonest_before(tokens[:, :, None] == torch.arange(vocab_size, device=tokens.device))

    return Task(f"what_followed({vocab_size})", vocab_size, answer, shortest=2, order_blind=order_blind)
