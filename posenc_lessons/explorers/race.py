"""A race between encodings, trained on short texts and tested on long ones, as it was recorded."""

from __future__ import annotations

import numpy as np

from posenc_lessons.experiments.race import Results, recorded_race
from posenc_lessons.experiments.race.quick import TEST_EVERY, recorded_quick_race
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import Choice, Control, Slider
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.explorers.race_results import (
    caption_of_curves,
    caption_of_results,
    race_numbers,
    task_in,
    task_name,
)
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.figures.race import race_scene
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Text

ALL = ""  # no encoding is highlighted
NEAR_CURVE = 0.06  # a pointer this close to a curve, in accuracy, chooses it
RACES = ((Text("整场", "the full one"), "full"), (Text("快赛", "the quick one"), "quick"))


class RaceExplorer(Explorer):
    """The recorded race: the full one with its results, or the quick one while its models learn."""

    name = "race"
    title = Text("长度赛跑", "Race")
    hover = True
    tries = (
        Try(
            Text("看它们学", "Watch them learn"),
            {"race": "quick", "step": 0},
            Text(
                "把“学了几步”从 0 慢慢拖到 100。竖线左边，可学习的表和 RoPE 都学会了；"
                "右边只有 RoPE 跟着上去。正弦要学得更久，淡线是它学完的样子。",
                "Drag “steps learned” from 0 to 100. Left of the line the learned table and RoPE both learn; "
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

    def make_controls(self) -> dict[str, Control]:
        race, curves = recorded_race().race, recorded_quick_race()
        tasks = [(task_name(task, race.n_back), task) for task in race.tasks]
        encodings = [(LOOKS[encoding].name, encoding) for encoding in race.encodings]
        last = curves.race.steps
        return {
            "task": Choice(Text("看哪个任务", "task shown"), tasks, race.tasks[0]),
            "highlight": Choice(Text("突出编码", "highlight"), [(Text("全部", "all"), ALL), *encodings], ALL),
            "race": Choice(Text("看哪场比赛", "race shown"), RACES, "full"),
            "step": Slider(Text("学了几步", "steps learned"), 0, last, curves.reached, step=TEST_EVERY),
        }

    def adjust(self) -> None:
        quick = self.controls["race"].value == "quick"
        self.controls["task"].disabled, self.controls["step"].disabled = quick, not quick

    def compute(self, parameters: Parameters) -> Arrays:
        return race_numbers(_results(parameters), parameters["task"], parameters["highlight"])

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        return race_scene(**arrays)

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        if parameters["race"] == "quick":
            return caption_of_curves(recorded_quick_race(), parameters["step"])
        return caption_of_results(recorded_race(), parameters["task"], parameters["highlight"])

    def code(self, parameters: Parameters) -> str:
        if parameters["race"] == "quick":
            module, results = "race.quick", f"recorded_quick_race().at({parameters['step']})"
        else:
            module, results = "race", "recorded_race()"
        return f"""\
from posenc_lessons.experiments.{module} import {results.partition("(")[0]}
from posenc_lessons.explorers.race_results import race_numbers
from posenc_lessons.figures.draw import draw
from posenc_lessons.figures.race import race_scene

results = {results}
draw(race_scene(**race_numbers(results, {parameters["task"]!r}, {parameters["highlight"]!r})))
"""

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        parameters = self.parameters()
        results = _results(parameters)
        encodings = results.race.encodings
        if panel == "table":
            return {"highlight": encodings[min(max(round(y), 0), len(encodings) - 1)]}
        return {"highlight": _nearest(results, parameters["task"], x, y)}


def _results(parameters: Parameters) -> Results:
    """Return the results of the race that is shown."""
    return recorded_race() if parameters["race"] == "full" else recorded_quick_race().at(parameters["step"])


def _nearest(results: Results, task: str, x: float, y: float) -> str:
    """Return the encoding whose curve is near (x, y), x in powers of two; ``ALL`` if none is."""
    lengths = np.log2(results.race.test_lengths)
    distances = {
        encoding: abs(y - np.interp(x, lengths, np.mean(rows, axis=0)))
        for encoding in results.race.encodings
        if (rows := results.accuracy(task_in(results, task), encoding))
    }
    nearest = min(distances, key=lambda encoding: distances[encoding], default=ALL)
    return nearest if distances.get(nearest, 1) < NEAR_CURVE else ALL
