"""Cards of the shuffle explorer: a weight before and after the words move."""

import math

import torch

from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, product_terms, said, softmax_steps
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.explorers.shuffle import random_attention
from posenc_lessons.explorers.word_vectors import D_MODEL, word_vectors
from posenc_lessons.language import Text

WEIGHTS = {
    "before": Text("注意力权重，原来的顺序", "Attention weight, as written"),
    "after": Text("注意力权重，换位之后", "Attention weight, after the move"),
}


def places(row: int, column: int, words: list[str]) -> tuple[Text, Text]:
    """Name the word that looks and the word looked at."""
    return (
        Text(f"行：“{words[row]}”（第 {row + 1} 个）在看", f"row: “{words[row]}” (place {row + 1}) looks"),
        Text(
            f"列：看“{words[column]}”（第 {column + 1} 个）",
            f"column: at “{words[column]}” (place {column + 1})",
        ),
    )


def of_weight(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return where a weight comes from: q·k/√d feature by feature, then softmax."""
    words = [arrays["words"][at] for at in arrays["order"]] if mark.panel == "after" else arrays["words"]
    attention = random_attention(parameters["encoding"], "cpu")
    vectors = word_vectors(words)[None]
    with torch.no_grad():
        x = attention.encoding.add_to_embeddings(vectors, torch.arange(len(words)))[0]
        query, keys = attention.w_query(x)[mark.row].double(), attention.w_key(x).double()
    scores = (keys @ query / math.sqrt(D_MODEL)).tolist()
    terms = product_terms(query.tolist(), keys[mark.column].tolist())
    product = float(keys[mark.column] @ query)
    divided = Step(Text("分数", "score"), f"{said(product)} / √{D_MODEL}", scores[mark.column])
    if parameters["causal"]:
        scores = [score if at <= mark.row else -math.inf for at, score in enumerate(scores)]
        if mark.column > mark.row:
            terms = (*terms, Term(Text("因果掩码挡住", "hidden by the causal mask"), (-math.inf,)))
    return Card(
        WEIGHTS[mark.panel],
        places(mark.row, mark.column, words),
        "softmax(q·k/√d)",
        terms=terms,
        total=Text("$q·k$", "$q·k$"),
        after=(divided, *softmax_steps(scores, mark.column)),
    )


CARDS = {"before": of_weight, "after": of_weight}
