"""A random vector for each word, for the explorers whose words mean nothing but themselves."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import torch
from torch import Tensor

D_MODEL = 32
# The words of the first lesson's sentence have the same vectors, and so the same weights, in both languages.
_TRANSLATED = {"狗": "dog", "咬": "bites", "人": "man"}


def word_vectors(words: Sequence[str]) -> Tensor:
    """Return a random vector for each word, [n_words, D_MODEL]; the same word always has the same vector."""
    return torch.stack([_word_vector(word) for word in words])


@lru_cache(maxsize=4096)
def _word_vector(word: str) -> Tensor:
    seed = seed_of(_TRANSLATED.get(word, word))
    return torch.randn(D_MODEL, generator=torch.Generator().manual_seed(seed))


def seed_of(text: str) -> int:
    """Return a seed for random numbers, always the same one for ``text``."""
    return int.from_bytes(hashlib.sha256(text.encode(errors="surrogatepass")).digest()[:7], "big")
