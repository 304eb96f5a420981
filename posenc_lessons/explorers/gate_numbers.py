"""Compute the numbers of the gate explorer: tokens, logits of the gates, a table of scores, counts."""

from collections.abc import Callable, Collection, Sequence

import torch
from torch import Tensor

from posenc_lessons.encodings import relative_distances
from posenc_lessons.encodings.cope import cope_bias, cope_positions
from posenc_lessons.explorers.base import Complaint, too_long, too_many_characters
from posenc_lessons.explorers.definition import Arrays
from posenc_lessons.explorers.tokens import Token, word_tokens
from posenc_lessons.explorers.word_vectors import D_MODEL, word_vectors
from posenc_lessons.language import Text
from posenc_lessons.models import causal_mask

MOST_TOKENS, MOST_CHARACTERS = 120, 2000

OPEN = 200.0  # σ(200) is exactly 1 and σ(−200) exactly 0, also in float32
RANDOM_SPREAD = 1.5  # spread of random scores, whose gates reach from nearly shut to nearly open
DROP_PER_COUNT = 12.0  # the score falls by this for each count away from the best; attention by e^−12

RULES: dict[str, Text] = {
    "every": Text("每个词元", "every token"),
    "words": Text("词，标点除外", "words, not marks"),
    "sentences": Text("句末", "sentence ends"),
    "chosen": Text("选定的词元", "the chosen token"),
    "random": Text("随机的 q·k", "random q·k"),
}

TABLES: dict[str, Text] = {
    "last": Text("只要计数最小的", "lowest count only"),
    "nth": Text("往回数第 n 个", "the n-th back"),
    "ramp": Text("越近越好", "the nearer the better"),
    "random": Text("随机", "random"),
}


def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of ``text``; ``Complaint`` if there is none, or more than ``MOST_TOKENS``."""
    if len(text) > MOST_CHARACTERS:
        raise too_many_characters(len(text), MOST_CHARACTERS)
    tokens = word_tokens(text)
    if not tokens:
        raise Complaint("文字是空的：请输入至少一个词。", "The text is empty: type at least one word.")
    if len(tokens) > MOST_TOKENS:
        raise too_long(
            f"这段文字有 {len(tokens)} 个词元，这张图最多放 {MOST_TOKENS} 个",
            f"The text has {len(tokens)} tokens and the picture holds {MOST_TOKENS}",
        )
    return tokens


def rule_logits(
    tokens: Sequence[Token],
    rule: str,
    chosen: str,
    seed: int,
    device: str,
    turned: Collection[int] = (),
) -> Tensor:
    """Return the logits of the gates by ``rule``, a key of ``RULES``: [n, n], −inf at keys after the query.

    ``chosen`` is a token's text for "chosen", ``seed`` is for "random". ``turned`` are tokens whose gates are
    the opposite of what a rule in ``BY_TOKEN`` says.
    """
    if rule == "random":
        query, key = random_queries_and_keys(tokens, seed)
        logits = query @ key.T / D_MODEL**0.5
    else:
        opens = torch.tensor(
            [BY_TOKEN[rule](token, chosen) != (at in turned) for at, token in enumerate(tokens)]
        )
        logits = torch.where(opens, OPEN, -OPEN).expand(len(tokens), len(tokens))
    return logits.masked_fill(~causal_mask(len(tokens)), -torch.inf).to(device)


# Rules that open or shut the gate of a token for every query.
BY_TOKEN: dict[str, Callable[[Token, str], bool]] = {
    "every": lambda token, chosen: True,
    "words": lambda token, chosen: token.is_word,
    "sentences": lambda token, chosen: token.ends_sentence,
    "chosen": lambda token, chosen: is_chosen(token, chosen),
}


def is_chosen(token: Token, chosen: str) -> bool:
    """Return whether ``token`` is the chosen one; capital letters make no difference."""
    return token.text.casefold() == chosen.casefold()


def random_queries_and_keys(tokens: Sequence[Token], seed: int) -> tuple[Tensor, Tensor]:
    """Return random queries, already multiplied by ``RANDOM_SPREAD``, and random keys, each [n, D_MODEL]."""
    vectors = word_vectors([token.text for token in tokens])
    generator = torch.Generator().manual_seed(seed)
    w_query, w_key = torch.randn(2, D_MODEL, D_MODEL, generator=generator) / D_MODEL**0.5
    return RANDOM_SPREAD * (vectors @ w_query), vectors @ w_key


def score_table(kind: str, rows: int, n: int, seed: int) -> Tensor:
    """Return z, the score at each whole count 0 … rows − 1, float32 [rows]; ``kind`` is a key of ``TABLES``.

    All queries have the same scores, as if they had the same q. ``n`` is for "nth", ``seed`` for "random".
    """
    counts = torch.arange(rows, dtype=torch.float32)
    if kind == "random":
        return torch.randn(rows, generator=torch.Generator().manual_seed(seed)) * 2
    if kind == "ramp":
        return -0.4 * counts
    return -DROP_PER_COUNT * (counts - (n if kind == "nth" else 0)).abs()


def gate_numbers(tokens: Sequence[Token], logits: Tensor, table: Tensor, width: int) -> Arrays:
    """Return the numbers that ``gate_scene`` draws, except the cursor.

    Args:
        tokens: the n tokens of the text.
        logits: the gates before the sigmoid, [n, n], −inf at keys after the query.
        table: the score at each whole count, [n_positions], the same for every query.
        width: the comparison by distance reads the same table at ⌊(i − j) / width⌋.
    """
    n, last = len(tokens), len(table) - 1
    table = table.to(logits.device)
    hidden = logits == -torch.inf
    # The query has one feature, 1, so that q·e[n] is the number in the table.
    by_count = cope_bias(torch.ones(n, 1, device=logits.device), logits, table[:, None])
    steps = -relative_distances(n, n).to(logits.device) // width
    by_distance = table[steps.clamp(0, last)]
    numbers = {
        "gates": logits.sigmoid(),
        "counts": cope_positions(logits, last),
        "by_count": by_count.masked_fill(hidden, -torch.inf).softmax(dim=-1),
        "by_distance": by_distance.masked_fill(hidden, -torch.inf).softmax(dim=-1),
        "table": table,
    }
    arrays = {name: value.cpu().numpy() for name, value in numbers.items()}
    return {"tokens": tuple(token.text for token in tokens), **arrays}
