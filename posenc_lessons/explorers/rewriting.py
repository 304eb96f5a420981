"""Rewrite a text by a trained model: which texts it can read, what it writes, and its weights.

The models (``experiments/trained/rewriters.py``) have an encoder and a decoder, as in the lesson on the
Transformer, so that all three kinds of attention can be seen. They rewrite dates, which most encodings can
do, each in its way, and reverse letters, which only some can.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch

from posenc_lessons.experiments.trained.rewriters import (
    LONGEST,
    MOST_WRITTEN,
    rewriting_task,
    trained_rewriter,
)
from posenc_lessons.explorers.base import Complaint, too_long
from posenc_lessons.figures.attention import Side
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.language import Text
from posenc_lessons.models import Seq2Seq, translate
from posenc_lessons.models.registry import COURSE_ENCODINGS

TASK = rewriting_task()
RANKS = 2  # the choice of a step and the runner-up
BEGIN, END, SPACE, UNWRITTEN = "▸", "⏎", "␣", "·"

NAMES = {name: LOOKS[name].name for name in COURSE_ENCODINGS} | {"none": Text("无位置编码", "no encoding")}
# By kind of attention, its name, its rows (the queries) and its columns (the keys).
KINDS: dict[str, tuple[Text, Text, Text]] = {
    "cross": (
        Text("交叉注意力", "cross-attention"),
        Text("正在写（查询）", "writing (query)"),
        Text("读入（键）", "read (key)"),
    ),
    "encoder": (
        Text("编码器自注意力", "in the encoder"),
        Text("读入（查询）", "read (query)"),
        Text("读入（键）", "read (key)"),
    ),
    "decoder": (
        Text("解码器自注意力", "in the decoder"),
        Text("正在写（查询）", "writing (query)"),
        Text("已经写（键）", "written (key)"),
    ),
}


@dataclass(frozen=True)
class Rewriting:
    """A text that a model rewrote by itself, to the end.

    ``source`` are the S characters it read. ``written`` are the T tokens it wrote, ending with ``END``
    unless it ran out of room. ``chances`` [T, target tokens] are the probabilities that it chose from.
    ``weights``, by kind of attention, are [layers, heads, S, S] ("encoder"), [layers, heads, T, T]
    ("decoder") and [layers, heads, T, S] ("cross").
    """

    encoding: str
    source: tuple[str, ...]
    written: tuple[str, ...]
    chances: np.ndarray
    weights: dict[str, np.ndarray]

    def likeliest(self, step: int) -> list[tuple[str, float]]:
        """Return the likeliest symbols of a step, counted from 0, and their probabilities."""
        order = np.argsort(-self.chances[step], kind="stable")[:RANKS]
        return [(target_symbol(int(token)), float(self.chances[step, token])) for token in order]


def source_of(text: str) -> str:
    """Return ``text`` as the models read it.

    Raises ``Complaint`` when it is empty, too long, or has characters that the models have never seen.
    """
    tidied = TASK.tidy(text)
    if not tidied:
        raise Complaint(
            "还没有文字：请输入一个日期，如 2024年3月7日，或几个 a 到 j 的字母。",
            "There is no text: type a date, such as March 7, 2024, or some letters from a to j.",
        )
    strange = [symbol for symbol in dict.fromkeys(tidied) if symbol not in TASK.source_symbols]
    if strange:
        typed = [symbol if symbol in text else symbol.lower() for symbol in strange[:6]]
        signs = " ".join(map(_visible, typed)) + (" …" if len(strange) > 6 else "")
        raise Complaint(
            f"模型从没见过：{signs}。它只认识 7 March 2024、March 7, 2024、2024年3月7日 这样的日期，"
            "和小写字母 a 到 j：两个小模型只用这些训练过，别的句子它们读不了（输入的内容还在）。",
            f"The models have never seen: {signs}. They know dates such as 7 March 2024 or March 7, 2024 (or "
            "written the Chinese way), and small letters from a to j. Small models trained on nothing else "
            "cannot read other sentences (what you typed is kept).",
        )
    if len(tidied) > LONGEST:
        raise too_long(
            f"有 {len(tidied)} 个字符，模型最多读 {LONGEST} 个",
            f"There are {len(tidied)} characters and the models read {LONGEST} at most",
        )
    return tidied


def right_answer(text: str) -> str | None:
    """Return the right answer for ``text``; None if its form was not in the training."""
    try:
        return TASK.solve(source_of(text))
    except ValueError:
        return None


@lru_cache(maxsize=256)
def rewrite(text: str, encoding: str, device: str = "cpu") -> Rewriting:
    """Rewrite ``text`` by the model with that encoding. Raises ``Complaint`` as ``source_of`` does."""
    source = source_of(text)
    model, tokens = model_on(encoding, device), TASK.encode(source)[None].to(device)
    most = min(max(12, len(source) + 2), MOST_WRITTEN)
    with torch.no_grad():
        written = translate(model, tokens, TASK.start, TASK.end, most)
        # Run once more on the whole answer, for the weights.
        begun = torch.cat([torch.full_like(written[:, :1], TASK.start), written[:, :-1]], dim=1)
        logits, weights = model(tokens, begun, need_weights=True)
    return Rewriting(
        encoding,
        tuple(SPACE if symbol == " " else symbol for symbol in source),
        tuple(target_symbol(token) for token in written[0].tolist()),
        logits[0].softmax(dim=-1).cpu().numpy(),
        {kind: torch.cat(getattr(weights, kind)).cpu().numpy() for kind in KINDS},
    )


@lru_cache(maxsize=2 * len(COURSE_ENCODINGS))
def model_on(encoding: str, device: str) -> Seq2Seq:
    """Return the trained model on ``device``, a copy unless that is the CPU."""
    trained = trained_rewriter(encoding)
    return trained if device == "cpu" else copy.deepcopy(trained).to(device)


def target_symbol(token: int) -> str:
    """Return how a target token is shown; padding, start and end have special signs."""
    signs = {TASK.pad: "∅", TASK.start: BEGIN, TASK.end: END}
    return signs[token] if token in signs else TASK.target_symbols[token - TASK.first_symbol]


def n_steps(rewritings: Sequence[Rewriting]) -> int:
    """Return how many steps the longest took, at least 2."""
    return max(2, *(len(rewriting.written) for rewriting in rewritings))


def side_of(rewriting: Rewriting, letter: str, kind: str, layer: int, step: int, n_steps: int) -> Side:
    """Return a rewriting after ``step`` steps: its choices, and the weights of one layer (counted from 1).

    The decoder's weights are NaN at later steps and at hidden keys.
    """
    steps = min(step, len(rewriting.written))
    weights = rewriting.weights[kind][layer - 1]
    rows = columns = rewriting.source
    if kind != "encoder":
        rows = rewriting.written[:steps] + (UNWRITTEN,) * (n_steps - steps)
        columns = rewriting.source if kind == "cross" else (BEGIN, *rows[:-1])
        whole = np.full((len(weights), n_steps, len(columns)), np.nan, dtype=np.float32)
        whole[:, :steps, : weights.shape[2]] = weights[:, :steps]
        weights = whole
        if kind == "decoder":
            weights[:, ~np.tri(n_steps, dtype=bool)] = np.nan
    return Side(
        letter,
        NAMES[rewriting.encoding],
        [rewriting.likeliest(at) for at in range(steps)],
        weights,
        rows,
        columns,
    )


def _visible(symbol: str) -> str:
    return f"“{symbol}”" if symbol.isprintable() else f"U+{ord(symbol):04X}"
