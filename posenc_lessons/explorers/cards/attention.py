"""Cards of the trained attention: a head's weight, and the probability of a symbol to write."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.explorers.cards.card import Card, Mark
from posenc_lessons.explorers.cards.weights import kept, softmax_steps, weight_card
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.explorers.rewriting import (
    KINDS,
    TASK,
    Rewriting,
    model_on,
    rewrite,
    source_of,
    target_symbol,
)
from posenc_lessons.figures.attention import Side
from posenc_lessons.language import Text


@lru_cache(maxsize=8)
def heard(text: str, encoding: str, device: str, kind: str, layer: int) -> tuple[dict[str, Tensor], Tensor]:
    """Return what one layer's attention computes while the model rewrites, and the logits [T, tokens]."""
    model: Any = model_on(encoding, device)
    source = TASK.encode(source_of(text))[None].to(device)
    begun = torch.tensor([[TASK.start, *rewrite(text, encoding, device).tokens[:-1]]], device=device)
    block = (model.encoder if kind == "encoder" else model.decoder).layers[layer - 1]
    attention = block.cross_attention if kind == "cross" else block.attention
    with torch.no_grad(), kept(attention) as computed:
        logits, _ = model(source, begun, need_weights=True)
    return computed, logits[0]


def side_and_rewriting(number: int, arrays: Arrays) -> tuple[Side, Rewriting]:
    """Return the drawn part of a model's work, and what it wrote."""
    return arrays["sides"][number], arrays["rewritings"][number]


def of_weight(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the card of a head's weight."""
    number, head = map(int, mark.panel.removeprefix("head_").split("_"))
    side, rewriting = side_and_rewriting(number, arrays)
    kind, layer = parameters["kind"], parameters["layer"]
    computed, _ = heard(parameters["text"], rewriting.encoding, parameters["device"], kind, layer)
    name = KINDS[kind][0]
    title = Text(
        f"{side.letter}（{side.name.zh}）第 {layer} 层第 {head} 头：{name.zh}的权重",
        f"{side.letter} ({side.name.en}), layer {layer}, head {head}: weight, {name.en}",
    )
    row, column = side.rows[mark.row], side.columns[mark.column]
    places = (
        Text(f"行：查询 {mark.row + 1}“{row}”", f"row: query {mark.row + 1} “{row}”"),
        Text(f"列：键 {mark.column + 1}“{column}”", f"column: key {mark.column + 1} “{column}”"),
    )
    return weight_card(title, places, computed, (0, head - 1, mark.row, mark.column))


def of_choice(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return where the probability of a symbol comes from: softmax over the scores of all symbols."""
    side, rewriting = side_and_rewriting(int(mark.panel.removeprefix("choices_")), arrays)
    kind, layer = parameters["kind"], parameters["layer"]
    _, logits = heard(parameters["text"], rewriting.encoding, parameters["device"], kind, layer)
    step, rank = mark.column, mark.row
    symbol = side.choices[step][rank][0]
    scores = logits[step].double().tolist()
    token = next(
        at for at in sorted(range(len(scores)), key=lambda at: -scores[at]) if target_symbol(at) == symbol
    )
    return Card(
        Text(
            f"{side.letter} 第 {step + 1} 步写“{symbol}”的概率",
            f"{side.letter}: probability of “{symbol}” at step {step + 1}",
        ),
        (Text(f"第 {rank + 1} 名，共 {len(scores)} 个符号", f"rank {rank + 1} of {len(scores)} symbols"),),
        "softmax(s)",
        before=softmax_steps(scores, token),
    )


CARDS = {"head": of_weight, "choices": of_choice}
