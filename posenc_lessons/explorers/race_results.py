"""Compute the numbers that are drawn of a race's results, and the sentences about them."""

from __future__ import annotations

import numpy as np

from posenc_lessons.experiments.race import Race, Results, recorded_race
from posenc_lessons.experiments.race.quick import LearningCurves
from posenc_lessons.explorers.caption import Colored, filled, sentences
from posenc_lessons.explorers.definition import Arrays
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.figures.race import TaskResults
from posenc_lessons.language import Text, joined

TASK_NAMES = {
    "copy_back": Text("抄 {n} 步之前", "copy {n} back"),
    "count_since_reset": Text("清零后计数", "count since reset"),
    "selective_copy": Text("选择性复制", "selective copy"),
    "flip_flop": Text("触发器", "flip-flop"),
    "look_up": Text("查很久以前的值", "look up"),
}


def race_numbers(results: Results, task: str, highlight: str) -> Arrays:
    """Return the numbers that ``race_scene`` draws: ``task`` as curves, all tasks as a table.

    Curves of the recorded race are drawn behind those of another race that was tested in the same way. A race
    without ``task`` shows its first task, a race without ``highlight`` highlights nothing.
    """
    race = results.race
    named = Text("淡：学完 {n} 步", "pale: after {n} steps").format(n=recorded_race().race.steps)
    tasks = [
        TaskResults(
            task_name(name, race.n_back),
            {e: np.array(rows) for e in race.encodings if (rows := results.accuracy(name, e))},
            race.task(name).chance,
            np.array(results.order_blind[name]) if name in results.order_blind else None,
            _recorded_alike(race, name),
            named,
        )
        for name in race.tasks
    ]
    return {
        "tasks": tasks,
        "encodings": race.encodings,
        "lengths": race.test_lengths,
        "train_length": race.train_length,
        "shown": race.tasks.index(task_in(results, task)),
        "highlight": highlight if highlight in race.encodings else None,
    }


def task_in(results: Results, task: str) -> str:
    """Return ``task``, or the first task of the race if it does not have that one."""
    return task if task in results.race.tasks else results.race.tasks[0]


def _recorded_alike(race: Race, task: str) -> dict[str, np.ndarray]:
    """Return the recorded means by length for encodings of ``race``; {} if it was tested in another way."""
    recorded = recorded_race()
    alike = ("n_back", "train_length", "test_lengths", "counted")
    if race == recorded.race or any(getattr(race, name) != getattr(recorded.race, name) for name in alike):
        return {}
    return {
        encoding: np.mean(rows, axis=0)
        for encoding in race.encodings
        if (rows := recorded.accuracy(task, encoding))
    }


def caption_of_curves(curves: LearningCurves, step: int) -> Text:
    """Say how accurate each encoding is so far, at the trained length and at the longest."""
    results, race = curves.at(step), curves.race
    shares = {encoding: results.inside_and_outside(race.tasks[0], encoding) for encoding in race.encodings}
    values = {
        encoding: Colored(f"{share[0]:.2f} → {share[1]:.2f}", LOOKS[encoding].color)
        for encoding, share in shares.items()
        if share is not None
    }
    named = Text("{name} {place}", "{name} {place}")
    template = Text(
        "快赛学了 {step} 步，长度 {inside} → {outside}：{each}。",
        "Quick race after {step} steps, length {inside} → {outside}: {each}.",
    ).format(
        **{"step": step, "inside": race.train_length, "outside": race.test_lengths[-1]},
        each=joined(
            (named.format(name=LOOKS[encoding].name, place=f"{{{encoding}}}") for encoding in values), "，"
        ),
    )
    source = Text(
        "录好的：{processor}，一个种子；{date}。", "Recorded: {processor}, one seed; {date}."
    ).format(processor=curves.machine["processor"], date=curves.date)
    return sentences(filled(template, **values), source)


def task_name(task: str, n_back: int) -> Text:
    """Return the name of a task in pictures."""
    return TASK_NAMES[task].format(n=n_back)


def caption_of_results(results: Results, task: str, highlight: str) -> Text:
    """Say how accurate one encoding is at the trained length and the longest, and where that was measured."""
    source = Text("录好的比赛：{about}", "Recorded race: {about}").format(about=_about(results))
    rows = np.array(results.accuracy(task, highlight))
    if not len(rows):
        return source
    race = results.race
    inside = rows[:, race.test_lengths.index(race.train_length)]
    color = LOOKS[highlight].color
    words = Text(
        "{name}：长度 {n} 时 {inside}，长度 {far} 时 {outside}（平均，括号里是最差和最好的种子）。",
        "{name}: {inside} at length {n}, {outside} at length {far} (mean; worst and best seed).",
    )
    reading = filled(
        words,
        name=LOOKS[highlight].name,
        n=race.train_length,
        far=race.test_lengths[-1],
        inside=Colored(_spread(inside), color),
        outside=Colored(_spread(rows[:, -1]), color),
    )
    return sentences(reading, source)


def _about(results: Results) -> Text:
    """Say where and when the race was run, and how much of it."""
    machines = (
        Text("{processor}，{cores} 核", "{processor}, {cores} cores").format(
            processor=machine["processor"], cores=machine["cores"]
        )
        for machine in results.machines
    )
    return Text(
        "{runs} 次训练，每次 {steps} 步，{seeds} 个种子；{machines}；{date}。",
        "{runs} models trained for {steps} steps each, {seeds} seeds; {machines}; {date}.",
    ).format(
        runs=len(results.runs),
        steps=results.race.steps,
        seeds=len(results.race.seeds),
        machines=joined(machines, en=" and "),
        date=results.date,
    )


def _spread(values: np.ndarray) -> str:
    return f"{values.mean():.2f} ({values.min():.2f}–{values.max():.2f})"
