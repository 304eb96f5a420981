"""The words of a reader's sentence as queries and keys that RoPE rotates."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_lessons.explorers.caption import Colored, filled
from posenc_lessons.explorers.controls import MOST_QUOTED
from posenc_lessons.explorers.word_vectors import seed_of
from posenc_lessons.figures.colors import KEY, QUERY
from posenc_lessons.figures.words import cut
from posenc_lessons.language import Text


def query_and_key(of_query: str | None, of_key: str | None, seed: int, d: int) -> Tensor:
    """Return the query of one word and the key of another [2, d]; None stands for no word."""
    return torch.stack([random_vectors(of_query, seed, d)[0], random_vectors(of_key, seed, d)[1]])


def at_positions(words: Sequence[str], m: int, n: int, seed: int, d: int) -> Tensor:
    """Return the query of the word at position ``m`` and the key of that at ``n`` [2, d]."""
    return query_and_key(word_or_none(words, m), word_or_none(words, n), seed, d)


def word_or_none(words: Sequence[str], position: int) -> str | None:
    """Return the word at a position; None beyond the sentence."""
    return words[position] if position < len(words) else None


def random_vectors(word: str | None, seed: int, d: int) -> Tensor:
    """Return the query and the key [2, d] of ``word``, which do not depend on its place; they are similar."""
    if word is not None:
        seed = seed_of(f"{seed} {word}")
    generator = torch.Generator().manual_seed(seed)
    common = torch.randn(d, generator=generator)
    return common + 0.5 * torch.randn(2, d, generator=generator)


def words_read_out(words: Sequence[str], m: int, n: int) -> Text:
    """Say which words the query at ``m`` and the key at ``n`` are; nothing without a sentence."""
    if not words:
        return Text("", "")
    template = Text(
        "q：{q}（m = {m}），k：{k}（n = {n}）。每个词有自己的 q 和 k，是随机的，没有训练过。",
        "q: {q} (m = {m}); k: {k} (n = {n}). Each word has its own q and k, random, never trained.",
    )
    outside = Text("在句子之外", "beyond the sentence")
    q, k = (
        Colored(f"“{cut(words[at], MOST_QUOTED)}”", color) if at < len(words) else outside
        for at, color in ((m, QUERY), (n, KEY))
    )
    return filled(template, q=q, k=k, m=m, n=n)
