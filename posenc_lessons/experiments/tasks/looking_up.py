"""Look up a value given long ago: the longer the text, the further back are the answers."""

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.experiments.tasks.task import Task, commonest_before


def look_up(n_keys: int = 2, n_values: int = 8) -> Task:
    """Give each key a value twice, early on, and ask at the end for the later value of a key.

    The token ``key · n_values + value`` gives ``key`` that ``value``, ``n_keys · n_values + key`` asks for
    its value, and the last token is a blank. Anywhere in the first half of a sequence are 2·n_keys tokens
    that give, in any order; all tokens of the last quarter ask; the rest are blanks. Only tokens that ask
    count, so at length L each answer lies more than L/4 and at most L − 1 tokens back.

    Guessing scores 1/n_values. Finding the key without knowing which of its two values is the later one
    scores 1/2 + 1/(2·n_values).

    Source: ours, after the multi-query associative recall of Arora et al. 2023, "Zoology", §3
    (arXiv:2312.04927), where a key and its value are two tokens and are given once.
    """
    n_keys = whole_number("n_keys", n_keys, 1)
    n_values = whole_number("n_values", n_values, 2)
    n_giving = n_keys * n_values
    blank = n_giving + n_keys

    def draw(shape: tuple[int, int], generator: torch.Generator | None) -> Tensor:
        batch, length = shape
        where = torch.rand((batch, length // 2), generator=generator).argsort(dim=1)
        keys = torch.arange(2 * n_keys) % n_keys  # not shuffled: the places are
        giving = keys * n_values + torch.randint(n_values, (batch, 2 * n_keys), generator=generator)
        tokens = torch.full(shape, blank).scatter(1, where[:, : 2 * n_keys], giving)
        n_asked = length // 4
        tokens[:, length - n_asked :] = n_giving + torch.randint(
            n_keys, (batch, n_asked), generator=generator
        )
        return tokens

    def answer(tokens: Tensor) -> tuple[Tensor, Tensor]:
        counted = (tokens >= n_giving) & (tokens < blank)
        keys = tokens - n_giving
        places = torch.arange(tokens.shape[1], device=tokens.device)
        targets = torch.zeros_like(tokens)
        for key in range(n_keys):
            gives = (tokens < n_giving) & (tokens // n_values == key)
            latest = torch.where(gives, places, 0).cummax(dim=1).values
            targets = torch.where(counted & (keys == key), tokens.gather(1, latest) % n_values, targets)
        return targets, counted

    def order_blind(tokens: Tensor) -> Tensor:
        values_so_far = tokens[:, :, None] == torch.arange(n_giving, device=tokens.device)  # [B, L, n_giving]
        values = commonest_before(values_so_far.unflatten(2, (n_keys, n_values)))  # [B, L, n_keys]
        keys = (tokens - n_giving).clamp(0, n_keys - 1)
        return values.gather(2, keys[:, :, None]).squeeze(2)

    return Task(
        "look_up",
        blank + 1,
        answer,
        draw,
        n_answers=n_values,
        shortest=4 * n_keys,
        order_blind=order_blind,
    )
