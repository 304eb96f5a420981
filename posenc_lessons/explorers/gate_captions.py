"""The sentences below the gate explorer's picture."""

from collections.abc import Sequence

import numpy as np

from posenc_lessons.explorers.caption import filled, number
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.explorers.tokens import Token
from posenc_lessons.figures.colors import BLUE, VERMILLION
from posenc_lessons.language import Text


def evenly_on_last_sentence(tokens: Sequence[Token], weights: np.ndarray) -> np.ndarray:
    """Return how close each row of ``weights`` [n, n] is to equal weights on its sentence, 0 to 1: [n].

    For 1, all tokens after the last sentence end before the query have the same weight, other tokens none.
    """
    ends = np.cumsum([token.ends_sentence for token in tokens])
    sentence = np.concatenate([[0], ends[:-1]])  # an end belongs to the sentence that it ends
    same_sentence = np.tril(sentence[:, None] == sentence[None, :]).astype(float)
    return np.minimum(weights, same_sentence / same_sentence.sum(axis=1, keepdims=True)).sum(axis=1)


def about_the_cell(parameters: Parameters, arrays: Arrays) -> Text:
    """Say how far the key is from the query, in gates and in tokens."""
    m, n, tokens = parameters["query"], parameters["key"], arrays["tokens"]
    template = Text(
        "从“{query}”往回到“{key}”：{p} 道门，{back} 个词元。",
        "Back from “{query}” to “{key}”: gates {p}, tokens {back}.",
    )
    p = number(float(arrays["counts"][m, n]), BLUE, ".3g", f"text counts 0 {n}")
    return filled(template, query=tokens[m], key=tokens[n], p=p, back=m - n)


def about_the_last_sentence(parameters: Parameters, arrays: Arrays, tokens: Sequence[Token]) -> Text:
    """Say how close attention by count and by distance come to equal weights on the last sentence."""
    by_count, by_distance = (evenly_on_last_sentence(tokens, arrays[a]) for a in ("by_count", "by_distance"))
    template = Text(
        "按计数，注意力有 {count} 均匀落在这一句上；按距离，是 {distance}。",
        "By count, {count} of the attention lies evenly on this sentence; by distance, {distance}.",
    )
    return filled(
        template,
        count=number(float(by_count[parameters["query"]]), BLUE, ".0%"),
        distance=number(float(by_distance[parameters["query"]]), VERMILLION, ".0%"),
    )
