"""Compute the numbers that are drawn of a race's results, and the sentences about them."""

from collections.abc import Sequence

import numpy as np

from posenc_lessons.experiments.comparison import N_BACK, Results
from posenc_lessons.explorers.caption import Colored, filled
from posenc_lessons.explorers.definition import Arrays
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.figures.race import FIRST, TaskResults
from posenc_lessons.language import Text

TASK_NAMES = {
    "copy_back": Text(f"抄 {N_BACK} 步之前", f"copy {N_BACK} back"),
    "count_since_reset": Text("清零后计数", "count since reset"),
    "look_up": Text("远距查值", "look up"),
}


def race_numbers(
    results: Results, task: str, highlight: str, encodings: Sequence[str] | None = None
) -> Arrays:
    """Return the numbers of which ``race_scene`` draws ``task``.

    ``highlight`` is an encoding or "" for none; ``encodings`` are those to show, by default all of the race.
    """
    race = results.race
    encodings = race.encodings if encodings is None else encodings
    tasks = [
        TaskResults(
            TASK_NAMES[name],
            {encoding: np.array(results.accuracy(name, encoding)) for encoding in encodings},
            race.task(name).chance,
            np.array(results.order_blind[name]),
        )
        for name in race.tasks
    ]
    return {
        "tasks": tasks,
        "encodings": encodings,
        "lengths": race.test_lengths,
        "train_length": race.train_length,
        "shown": race.tasks.index(task),
        "highlight": highlight or None,
    }


def caption_of_results(results: Results, task: str, highlight: str) -> Text:
    """Say how accurate one encoding, or each of the ``FIRST``, is at the trained length and the longest."""
    rows = np.array(results.accuracy(task, highlight))
    if not len(rows):
        return _of_first(results, task)
    race = results.race
    inside = rows[:, race.test_lengths.index(race.train_length)]
    color = LOOKS[highlight].color
    words = Text(
        "{name}：长度 {n} 时 {inside}，长度 {far} 时 {outside}（平均，括号里是最差和最好的种子）。",
        "{name}: {inside} at length {n}, {outside} at length {far} (mean; worst and best seed).",
    )
    return filled(
        words,
        name=LOOKS[highlight].name,
        n=race.train_length,
        far=race.test_lengths[-1],
        inside=Colored(_spread(inside), color),
        outside=Colored(_spread(rows[:, -1]), color),
    )


def _of_first(results: Results, task: str) -> Text:
    ends = {
        name: Colored(f"{np.mean(results.accuracy(task, name), axis=0)[-1]:.2f}", LOOKS[name].color)
        for name in FIRST
    }
    words = Text(
        "只训练到长度 {n}。到 {far} 时，Shaw 还对 {shaw}，RoPE 对 {rotary}，正弦只对 {sinusoidal}。",
        "Trained up to length {n}. At {far} Shaw still has {shaw} right, RoPE {rotary}, "
        "sinusoidal {sinusoidal}.",
    )
    return filled(words, n=results.race.train_length, far=results.race.test_lengths[-1], **ends)


def about(results: Results) -> Text:
    """Say where and when the race was run, and how much of it."""
    return Text(
        "录好的比赛：{runs} 次训练，每次 {steps} 步，{seeds} 个种子；{processor}，{cores} 核；{date}。",
        "Recorded race: {runs} models trained for {steps} steps each, {seeds} seeds; {processor}, "
        "{cores} cores; {date}.",
    ).format(
        runs=len(results.runs),
        steps=results.race.steps,
        seeds=len(results.race.seeds),
        processor=results.machine["processor"],
        cores=results.machine["cores"],
        date=results.date,
    )


def _spread(values: np.ndarray) -> str:
    return f"{values.mean():.2f} ({values.min():.2f}–{values.max():.2f})"
