"""A race between encodings, trained on short texts and tested on long ones: recorded, or run here."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from posenc_lessons.experiments.race import RACE_TASKS, Race, Results, recorded_race
from posenc_lessons.experiments.race.quick import TEST_EVERY, LearningCurves, recorded_quick_race
from posenc_lessons.explorers.controls import Choice, Choices, Control, Slider, TextBox
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.explorers.race_files import as_complaint
from posenc_lessons.explorers.race_results import (
    caption_of_curves,
    caption_of_results,
    race_numbers,
    task_in,
    task_name,
)
from posenc_lessons.explorers.race_training import RECORDED, RaceTraining
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.figures.race import race_scene
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Text
from posenc_lessons.models.registry import COURSE_ENCODINGS

ALL = ""  # no encoding is highlighted
NEAR_CURVE = 0.06  # a pointer this close to a curve, in accuracy, chooses it
RACES = ((Text("整场", "the full one"), "full"), (Text("快赛", "the quick one"), "quick"))


class RaceExplorer(RaceTraining):
    """The recorded race, until another one is started or opened.

    ``results`` are those of the full race, ``curves`` those of the quick one. ``start_quick()`` trains the
    quick race again and shows it learning; ``start()`` trains the race of the controls, each run in its own
    process. ``stop()`` ends either and keeps its results so far; ``wait()`` waits for its end.
    """

    name = "race"
    title = Text("长度赛跑", "Race")
    hover = True
    needs_kernel = frozenset(
        {"tasks", "encodings", "n_back", "train_length", "stretch", "steps", "n_seeds", "jobs", "file"}
    )
    rare = needs_kernel
    not_in_links = RaceTraining.not_in_links | {"file"}
    plays = "step"
    tries = (
        Try(
            Text("看它们学", "Watch them learn"),
            {"race": "quick", "step": 0},
            Text(
                "按“学了几步”旁的 ▶。竖线左边，可学习的表和 RoPE 都学会了；右边只有 RoPE 跟着上去。"
                "正弦要学得更久，淡线是它学完的样子。",
                "Press ▶ beside “steps learned”. Left of the line the learned table and RoPE both learn; "
                "right of it only RoPE follows. Sinusoidal takes longer: its pale curve is where it ends.",
            ),
        ),
        Try(
            Text("学会了，能走多远？", "Learned, but how far?"),
            {"task": "copy_back", "highlight": "rotary"},
            Text(
                "竖线左边 RoPE 满分；竖线右边是没训练过的长度，到 128 还有 0.72，正弦只剩 0.11。",
                "Left of the line RoPE has all right; right of it are lengths never trained. At 128 it "
                "still has 0.72, sinusoidal 0.11.",
            ),
        ),
        Try(
            Text("不给位置也行？", "Without any encoding?"),
            {"task": "selective_copy", "highlight": "none"},
            Text(
                "“无”从 0.80 到 0.73，掉得不多：因果掩码漏进了顺序。RoPE 从 0.89 掉到 0.34，"
                "在“不知先后的上限”那条虚线下面。",
                "“none” goes from 0.80 to 0.73 and falls little: the causal mask lets order in. RoPE falls "
                "from 0.89 to 0.34, below the dashed order-blind limit.",
            ),
        ),
        Try(
            Text("平均数藏了什么", "What a mean hides"),
            {"task": "look_up", "highlight": "cope"},
            Text(
                "到 128 平均 0.92，短竖线却从 0.61 伸到 1.00：五个种子里，四个几乎全对，一个错了四成。",
                "A mean of 0.92 at 128, and yet the stroke reaches from 0.61 to 1.00: of five seeds four "
                "have almost all right, and one has four in ten wrong.",
            ),
        ),
        Try(
            Text("表多大才好？", "How large a table?"),
            {"task": "count_since_reset", "highlight": "shaw_long"},
            Text(
                "Shaw 的表长到 127，到 128 只有 0.44，和 RoPE 的 0.42 分不出；表只到 16，有 0.77。"
                "长出来的行，训练时没查过。换成选择性复制，两张表就分不出了。",
                "With a table up to 127 Shaw has 0.44 at 128, tied with RoPE's 0.42; with one up to 16 it "
                "has 0.77. Training never read the added rows. At selective copy the two tables are tied.",
            ),
        ),
    )

    def __init__(self, **initial: Any) -> None:
        self.results, self._source = recorded_race(), RECORDED
        self.curves = recorded_quick_race()
        super().__init__(**initial)

    def make_controls(self) -> dict[str, Control]:
        race = self.results.race
        tasks = [(task_name(task, 3), task) for task in RACE_TASKS]
        names = [(LOOKS[encoding].name, encoding) for encoding in COURSE_ENCODINGS]
        learned, reached = self.curves.race.steps, self.curves.reached
        return {
            "task": Choice(Text("看哪个任务", "task shown"), self._tasks(), race.tasks[0]),
            "highlight": Choice(Text("突出编码", "highlight"), self._encodings(), ALL),
            "race": Choice(Text("看哪场比赛", "race shown"), RACES, "full"),
            "step": Slider(Text("学了几步", "steps learned"), 0, learned, reached, step=TEST_EVERY),
            "tasks": Choices(
                Text("训练哪些任务", "tasks to train"), tasks, ("copy_back", "count_since_reset")
            ),
            "encodings": Choices(Text("哪些编码", "encodings to train"), names, COURSE_ENCODINGS),
            "n_back": Slider(Text("抄几步之前", "copy how far"), 1, 8, 3),
            "train_length": Slider(Text("训练长度", "trained length"), 16, 64, 32, step=8),
            "stretch": Slider(Text("测到几倍长", "test up to, ×"), 2, 4, 4),
            "steps": Slider(Text("训练步数", "training steps"), 100, 2000, 800, step=100),
            "n_seeds": Slider(Text("几个种子", "seeds"), 1, 5, 2),
            "jobs": Slider(Text("同时训练几个", "at a time"), 1, 4, 2),
            "file": TextBox(Text("结果文件（如 race.json）", "results file (race.json)"), ""),
        }

    def adjust(self) -> None:
        quick = self.controls["race"].value == "quick"
        self.controls["task"].disabled, self.controls["step"].disabled = quick, not quick

    def compute(self, parameters: Parameters) -> Arrays:
        return race_numbers(self._results(parameters), parameters["task"], parameters["highlight"])

    def _results(self, parameters: Parameters) -> Results:
        return self.results if parameters["race"] == "full" else self.curves.at(parameters["step"])

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        return race_scene(**arrays)

    def compared(self, scene: Scene) -> dict[str, tuple[str, ...]]:
        """Return the curve of each encoding, or only that of the highlighted one."""
        highlight = self.controls["highlight"].value
        curves = next(panel for panel in scene.panels if panel.name == "curves")
        there = [layer.name for layer in curves.layers if layer.name in LOOKS]
        return {curves.name: tuple(name for name in there if highlight in (ALL, name))}

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        if parameters["race"] == "quick":
            return caption_of_curves(self.curves, parameters["step"])
        return caption_of_results(self.results, self._source, parameters["task"], parameters["highlight"])

    def code(self, parameters: Parameters) -> str:
        drawn = """\
from posenc_lessons.explorers.race_results import race_numbers
from posenc_lessons.figures.draw import draw
from posenc_lessons.figures.race import race_scene
{run}
draw(race_scene(**race_numbers(results, {task!r}, {highlight!r})))
"""
        run = (
            self._code_of_quick(parameters)
            if parameters["race"] == "quick"
            else self._code_of_full(parameters)
        )
        return drawn.format(**parameters, run=run)

    def _code_of_quick(self, parameters: Parameters) -> str:
        made_by = "recorded_quick_race" if self.curves is recorded_quick_race() else "run_quick_race"
        return f"""\
from posenc_lessons.experiments.race.quick import {made_by}

results = {made_by}().at({parameters["step"]})"""

    def _code_of_full(self, parameters: Parameters) -> str:
        try:
            race = ",\n    ".join(f"{name}={value!r}" for name, value in asdict(self.race()).items())
        except ValueError as error:
            raise as_complaint(error) from error
        results = {RECORDED: "recorded_race()"}.get(self._source, f"load_results({self._source.en!r})")
        return f"""\
from posenc_lessons.experiments.race import Race, load_results, recorded_race, run_race

race = Race(
    {race},
)
# run_race(race, "race.json", jobs={parameters["jobs"]})   # what the start button does
results = {results}"""

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        encodings = self._results(self.parameters()).race.encodings
        on_table = panel == "table"
        near = encodings[min(max(round(y), 0), len(encodings) - 1)] if on_table else self._nearest(x, y)
        return {"highlight": near} if near in [option for _, option in self._encodings()] else {}

    def _nearest(self, x: float, y: float) -> str:
        parameters = self.parameters()
        results = self._results(parameters)
        task = task_in(results, parameters["task"])
        at = np.log2(results.race.test_lengths)
        distances = {
            encoding: abs(y - np.interp(x, at, np.mean(rows, axis=0)))
            for encoding in results.race.encodings
            if (rows := results.accuracy(task, encoding))
        }
        nearest = min(distances, key=lambda each: distances[each], default=ALL)
        return nearest if distances.get(nearest, 1) < NEAR_CURVE else ALL

    def show_results(self, results: Results, source: Text) -> None:
        """Show ``results``, which come from ``source``."""
        self.results, self._source = results, source
        with self.one_update():
            self.controls["race"].value = "full"
            for name, options in (("task", self._tasks()), ("highlight", self._encodings())):
                control = self.controls[name]
                assert isinstance(control, Choice)
                control.offer(options)
                there = [option for _, option in options]
                self._initial[name] = self._initial[name] if self._initial[name] in there else there[0]

    def _tasks(self) -> list[tuple[Text, str]]:
        return [(task_name(task, self.results.race.n_back), task) for task in self.results.race.tasks]

    def _encodings(self) -> list[tuple[Text, str]]:
        names = [(LOOKS[encoding].name, encoding) for encoding in self.results.race.encodings]
        return [(Text("全部", "all"), ALL), *names]

    def show_curves(self, curves: LearningCurves) -> None:
        """Show ``curves`` as far as they have come."""
        self.curves = curves
        self.restore({"race": "quick", "step": curves.reached})

    def race(self) -> Race:
        """Return the race that the controls describe."""
        p = self.parameters()
        length, stretch = p["train_length"], p["stretch"]
        lengths = [length * share / 4 for share in (2, 3, 4, 5, 6, 8, 12, 16) if share <= 4 * stretch]
        return Race(
            tasks=p["tasks"],
            encodings=p["encodings"],
            seeds=tuple(range(p["n_seeds"])),
            n_back=p["n_back"],
            train_length=length,
            test_lengths=tuple(int(each) for each in lengths),
            steps=p["steps"],
            device=p["device"],
        )
