"""Cards of the shuffle explorer: a weight before and after the words move, and how far the two differ."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said
from posenc_lessons.explorers.cards.weights import kept, weight_card
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.explorers.shuffle import random_attention
from posenc_lessons.explorers.word_vectors import word_vectors
from posenc_lessons.language import Text
from posenc_lessons.models import causal_mask

WEIGHTS = {
    "before": Text("注意力权重，原来的顺序", "Attention weight, as written"),
    "after": Text("注意力权重，换位之后", "Attention weight, after the move"),
}


def heard(parameters: Parameters, arrays: Arrays) -> dict[str, Tensor]:
    """Return what attention computes of the sentence as written (0) and rearranged (1)."""
    words, device = arrays["words"], parameters["device"]
    vectors = word_vectors(words).to(device)
    attention = random_attention(parameters["encoding"], device)
    mask = causal_mask(len(words)).to(device) if parameters["causal"] else None
    with torch.no_grad(), kept(attention) as computed:
        attention(torch.stack([vectors, vectors[arrays["order"]]]), mask=mask, need_weights=True)
    return computed


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
    after = mark.panel == "after"
    words = [arrays["words"][at] for at in arrays["order"]] if after else arrays["words"]
    at = (int(after), 0, mark.row, mark.column)
    return weight_card(
        WEIGHTS[mark.panel], places(mark.row, mark.column, words), heard(parameters, arrays), at
    )


def of_difference(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return how far the weight of two words is from that of the same two before they moved."""
    order = arrays["order"]
    row, column = order[mark.row], order[mark.column]
    now, then = float(arrays["after"][mark.row, mark.column]), float(arrays["before"][row, column])
    words = [arrays["words"][at] for at in order]
    return Card(
        Text("同样两个词，换位前后差多少", "The same two words, before and after the move"),
        places(mark.row, mark.column, words),
        "|a′ − a|",
        terms=(
            Term(
                Text(
                    f"换位之后：第 {mark.row + 1} 行第 {mark.column + 1} 列",
                    f"after: row {mark.row + 1}, column {mark.column + 1}",
                ),
                (now,),
            ),
            Term(
                Text(
                    f"减去原来的：第 {row + 1} 行第 {column + 1} 列",
                    f"less as written: row {row + 1}, column {column + 1}",
                ),
                (-then,),
            ),
        ),
        total=Text("变了多少", "change"),
        after=(Step(Text("不管正负", "whatever its sign"), f"|{said(now - then)}|", abs(now - then)),),
    )


CARDS = {"before": of_weight, "after": of_weight, "difference": of_difference}
