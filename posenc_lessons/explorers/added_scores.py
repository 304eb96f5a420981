"""Compute what Shaw, T5 and ALiBi add to the scores of one text, in the first layer of trained encoders."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from posenc_lessons.experiments.trained.rewriters import N_HEADS
from posenc_lessons.explorers.caption import filled, number
from posenc_lessons.explorers.rewriting import TASK, model_on
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.language import Text

TEXT = "March 7, 2024"  # a date, as the models were trained to read
COMPARED = ("shaw", "t5", "alibi")


@lru_cache(maxsize=4)
def added_scores(device: str = "cpu") -> dict[str, np.ndarray]:
    """Return what each encoding adds to the scores of ``TEXT`` before softmax: by encoding, [H, L, L]."""
    positions = torch.arange(len(TEXT), device=device)
    added = {}
    for name in COMPARED:
        attention, query, key = first_attention(name, device)
        with torch.no_grad():
            bias = attention.encoding.score_bias(query, key, positions, positions, None)
        added[name] = bias.reshape(N_HEADS, len(TEXT), len(TEXT)).cpu().numpy()
    return added


@lru_cache(maxsize=8)
def first_attention(name: str, device: str) -> tuple[Any, Tensor, Tensor]:
    """Return an encoder's first attention, and its queries and keys of ``TEXT``, [1, H, L, d_head]."""
    model, tokens = model_on(name, device), TASK.encode(TEXT)[None].to(device)
    layer: Any = model.encoder.layers[0]
    with torch.no_grad():
        x = layer.norm_attention(model.source_embedding(tokens, "source"))  # [1, L, d_model]
        query, key = (
            project(x).reshape(1, len(TEXT), N_HEADS, -1).transpose(1, 2)
            for project in (layer.attention.w_query, layer.attention.w_key)
        )
    return layer.attention, query, key


def caption_of_scores(added: dict[str, np.ndarray], head: int, query: int, key: int) -> Text:
    """Say what each adds to the score of a query and a key, and what the three pictures have in common."""
    template = Text(
        "查询“{q}”（m = {m}）看键“{k}”（n = {n}），第 {head} 个头：Shaw 加 {shaw}，T5 加 {t5}，"
        "ALiBi 加 {alibi}。"
        "三张图同一把色尺，都是 softmax 之前加的分数；T5 和 ALiBi 只看 n − m，Shaw 还看查询是哪个字符。",
        "Query “{q}” (m = {m}), key “{k}” (n = {n}), head {head}: Shaw adds {shaw}, T5 {t5}, ALiBi {alibi}. "
        "One colour scale for all three: what is added before softmax. T5 and ALiBi go only by n − m, Shaw "
        "by the query's character too.",
    )
    numbers = {
        name: number(float(scores[head - 1, query, key]), LOOKS[name].color) for name, scores in added.items()
    }
    q, k = (TEXT[at].replace(" ", "␣") for at in (query, key))
    return filled(template, q=q, k=k, m=query, n=key, head=head, **numbers)
