"""Cards of the batch: how much probability moved, answer by answer, and why a token sees another."""

from __future__ import annotations

from typing import Any

import numpy as np

from posenc_lessons.experiments.batches import run_alone
from posenc_lessons.experiments.trained.induction import LETTERS, NOTHING, encode
from posenc_lessons.explorers.batch import SHOWN, exact_induction, outcome, settings_of, words_of
from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.language import Text

COUNTED = {
    "own": Text("各段自己数", "each text counts its own"),
    "column": Text("从行首数", "the row is counted"),
    "cache": Text("新词元按缓存数", "late ones by the cache's length"),
    "zero": Text("新词元又从 0 数", "late ones from 0 again"),
}


def of_token(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return how much probability moved at a token of the strips."""
    return moved(mark.row, mark.column, parameters, arrays)


def of_point(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return how much probability moved at a point of the curve of one text."""
    number = int(mark.layer.removeprefix("points_"))
    rows, columns = np.nonzero(arrays["text"] == number)
    return moved(int(rows[1:][mark.column]), int(columns[1:][mark.column]), parameters, arrays)


def moved(row: int, column: int, parameters: Parameters, arrays: Arrays) -> Card:
    """Return half the sum of the changes of all answers' probabilities, compared with the text by itself."""
    model = exact_induction(parameters["encoding"])
    texts = [encode(word) for word in words_of(parameters["words"])]
    batch, chances = outcome(model, texts, **settings_of(parameters))
    number, place = int(batch.text[row, column]), int(batch.place[row, column])
    places: tuple[Text, ...] = (
        Text(f"第 {row + 1} 行第 {column + 1} 列", f"row {row + 1}, column {column + 1}"),
        Text(
            f"位置 {int(arrays['positions'][row, column])}（{COUNTED[parameters['counted']].zh}）",
            f"position {int(arrays['positions'][row, column])} ({COUNTED[parameters['counted']].en})",
        ),
    )
    letter = SHOWN[int(batch.tokens[row, column])]
    if number < 0 or place == 0:
        nothing = Text("这里什么也没问", "nothing is asked here")
        return Card(
            Text(f"词元“{letter}”", f"Token “{letter}”"), places, "", before=(Step(nothing, "", 0.0),)
        )
    now, alone = (
        chances[row, column].double().tolist(),
        run_alone(model, texts[number])[place].double().tolist(),
    )
    answers = sorted(range(len(now)), key=lambda at: (-abs(now[at] - alone[at]), -alone[at]))
    return Card(
        Text(f"“{letter}”：移走的概率", f"“{letter}”: probability moved"),
        places,
        "½ Σ |p′ − p|",
        terms=tuple(
            Term(
                answer_name(at), (0.5 * abs(now[at] - alone[at]),), f"½ |{said(now[at])} − {said(alone[at])}|"
            )
            for at in answers
        ),
        total=Text("移走", "moved"),
    )


def answer_name(answer: int) -> Text:
    """Name an answer: the letter that followed, or "new"."""
    if answer == NOTHING:
        return Text("没见过", "new")
    return Text(f"后面是 {LETTERS[answer]}", f"{LETTERS[answer]} followed")


def of_mask(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return why a token sees another, and whether it should."""
    row, query, key = arrays["row"], mark.row, mark.column
    tokens, text = arrays["tokens"][row], arrays["text"][row]
    own = bool(text[query] == text[key])
    window = parameters["window"]
    steps: list[Any] = [(Text("不在后面", "not later"), f"{key} ≤ {query}", 1.0, "✓")]
    if window:
        near = query - key < window
        steps.append(
            (
                Text("在窗口里，或者是留住的起始词元", "in the window, or the start kept"),
                f"{query} − {key} < {window}",
                1.0,
                "✓" if near else "^",
            )
        )
    steps.append(
        (Text("同一段文本", "of the same text"), "", float(own), "✓" if own or query == key else "✗")
    )
    return Card(
        Text(
            "看得见，该看" if own or query == key else "看得见，不该看",
            "Seen, as it should be" if own or query == key else "Seen, and should not be",
        ),
        (
            Text(f"行：查询 {query}“{tokens[query]}”", f"row: query {query} “{tokens[query]}”"),
            Text(f"列：键 {key}“{tokens[key]}”", f"column: key {key} “{tokens[key]}”"),
        ),
        "",
        before=tuple(Step(*step) for step in steps),
        after=(Step(Text("看得见", "visible"), "", 1.0),),
    )


CARDS = {"tokens": of_token, "moved": of_point, "mask": of_mask}
