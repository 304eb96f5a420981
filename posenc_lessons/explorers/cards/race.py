"""Cards of the race: a mean over seeds, each of them named."""

from __future__ import annotations

from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.figures.race import TaskResults
from posenc_lessons.language import Text


def of_curve(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return a point of a curve."""
    return mean(arrays["tasks"][arrays["shown"]], mark.layer, mark.column, arrays)


def of_cell(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return a cell of the table. Column 0 is empty; each task then has two, inside and outside."""
    task, outside = divmod(mark.column - 1, 2)
    lengths = list(arrays["lengths"])
    at = len(lengths) - 1 if outside else lengths.index(arrays["train_length"])
    return mean(arrays["tasks"][task], arrays["encodings"][mark.row], at, arrays)


def mean(task: TaskResults, encoding: str, at: int, arrays: Arrays) -> Card:
    """Return the mean accuracy of an encoding at one length."""
    runs = [float(row[at]) for row in task.accuracy[encoding]]
    length, trained = arrays["lengths"][at], arrays["train_length"]
    added = sum(runs)
    seen = (
        Text("训练过的长度", "a trained length")
        if length <= trained
        else Text("没训练过的长度", "never trained")
    )
    return Card(
        Text(f"{LOOKS[encoding].name.zh}：{task.name.zh}", f"{LOOKS[encoding].name.en}: {task.name.en}"),
        (Text(f"长度 {length}（{seen.zh}）", f"length {length} ({seen.en})"),),
        "",
        terms=tuple(Term(Text(f"种子 {seed}", f"seed {seed}"), (run,)) for seed, run in enumerate(runs)),
        after=(Step(Text("平均准确率", "mean accuracy"), f"{said(added)} / {len(runs)}", added / len(runs)),),
    )


CARDS = {"curves": of_curve, "table": of_cell}
