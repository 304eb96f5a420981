"""Cards of the learned table: a number and how training moved it, the cosine of two rows, right answers."""

from __future__ import annotations

import math

import numpy as np

from posenc_lessons.experiments.trained.tables import EVERY, LENGTH, ROWS, TEXTS, table_history
from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said
from posenc_lessons.explorers.cards.weights import product_terms
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.language import Text


def of_entry(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return a number of the table: where it began, and how far training has moved it."""
    row, column, step = mark.row, mark.column, parameters["step"]
    began, now = (
        float(table[row, column])
        for table in table_history(parameters["task"]).tables.detach()[[0, step // EVERY]]
    )
    never = (
        Text("（训练从没用到这一行）", " (training never used this row)") if row >= LENGTH else Text("", "")
    )
    return Card(
        Text("表里的一个数", "A number of the table"),
        (
            Text(f"行：位置 {row}{never.zh}", f"row: position {row}{never.en}"),
            Text(f"列：第 {column} 个特征", f"column: feature {column}"),
        ),
        "",
        terms=(
            Term(Text("随机的起点", "where it began, at random"), (began,)),
            Term(Text(f"{step} 步训练挪了", f"moved by {step} steps of training"), (now - began,)),
        ),
        total=Text("现在", "now"),
    )


def of_similarity(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the cosine of two rows: their product, divided by both lengths."""
    here, other = parameters["position"], mark.column
    first, second = (arrays["table"][row].astype(float) for row in (here, other))
    product = float(first @ second)
    lengths = [float(np.linalg.norm(row)) for row in (first, second)]
    return Card(
        Text(f"第 {here} 行和第 {other} 行的余弦", f"Cosine of rows {here} and {other}"),
        (Text(f"光标在第 {here} 行", f"the cursor is at row {here}"),),
        "a·b / (|a||b|)",
        terms=product_terms(first.tolist(), second.tolist()),
        total=Text("点积", "dot product"),
        after=(
            Step(
                Text("除以两行的长度", "over both lengths"),
                f"{said(product)} / ({said(lengths[0])} × {said(lengths[1])})",
                product / math.prod(lengths),
            ),
        ),
    )


def of_accuracy(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the share of right answers at a position."""
    position = mark.column
    length = LENGTH if position < LENGTH else ROWS
    right = round(float(arrays["accuracy"][position]) * TEXTS)
    return Card(
        Text(f"位置 {position} 的准确率", f"Accuracy at position {position}"),
        (Text(f"测的是 {TEXTS} 段 {length} 个词元的文本", f"tested on {TEXTS} texts of {length} tokens"),),
        "",
        before=(Step(Text("答对的占全部", "right answers of all"), f"{right} / {TEXTS}", right / TEXTS),),
    )


CARDS = {"table": of_entry, "similarity": of_similarity, "accuracy": of_accuracy}
