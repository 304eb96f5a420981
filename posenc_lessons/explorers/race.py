"""A race between encodings, trained on short texts and tested on long ones, as it was recorded."""

from dataclasses import replace

import numpy as np

from posenc_lessons.experiments.comparison import Results
from posenc_lessons.experiments.race import recorded_race
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import Choice, Control
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.explorers.race_results import TASK_NAMES, about, caption_of_results, race_numbers
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.figures.race import race_scene
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Text

NOBODY = ""  # no encoding is highlighted
NEAR_CURVE = 0.06  # a pointer this close to a curve, in accuracy, chooses it


class RaceExplorer(Explorer):
    """The recorded race: accuracy against length."""

    name = "race"
    title = Text("长度赛跑", "Race")
    hover = True
    tries = (
        Try(
            Text("学会了，能走多远？", "Learned, but how far?"),
            {"task": "copy_back", "highlight": "rotary"},
            Text(
                "底色左边 RoPE 满分；铺了底色的长度没训练过，到 128 还有 0.72，正弦只剩 0.11。",
                "Left of the shading RoPE has all right; shaded lengths were never trained. At 128 it still "
                "has 0.72, sinusoidal 0.11.",
            ),
        ),
        Try(
            Text("是模型太小吗？", "Is the model too small?"),
            {"task": "copy_back", "highlight": "control"},
            Text(
                "对照也是 RoPE，只是直接在长度 128 上训练：到处都是 1.00。所以 RoPE 右边掉下去的是外推。",
                "The control is RoPE as well, but trained at length 128: it has 1.00 everywhere. So what "
                "RoPE loses on the right is extrapolation.",
            ),
        ),
        Try(
            Text("不给位置也行？", "Without any encoding?"),
            {"task": "look_up", "highlight": "none"},
            Text(
                "没有编码的模型到 128 还是 1.00：靠内容就能找到，先后由因果掩码漏进来。"
                "RoPE 从 1.00 掉到 0.64。换成抄 3 步之前：没有编码的模型在 32 上就没有学会。",
                "Without an encoding it is still 1.00 at 128: content finds the answer, and the causal mask "
                "lets the order in. RoPE falls from 1.00 to 0.64. Change to copy 3 back: without an encoding "
                "it was not even learned at 32.",
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
    )

    def make_controls(self) -> dict[str, Control]:
        race = recorded_race().race
        tasks = [(TASK_NAMES[task], task) for task in race.tasks]
        encodings = [(LOOKS[encoding].name, encoding) for encoding in race.encodings]
        return {
            "task": Choice(Text("看哪个任务", "task shown"), tasks, race.tasks[0]),
            "highlight": Choice(
                Text("突出编码", "highlight"), [(Text("只看三条", "just three"), NOBODY), *encodings], NOBODY
            ),
        }

    def compute(self, parameters: Parameters) -> Arrays:
        return race_numbers(recorded_race(), parameters["task"], parameters["highlight"])

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        scene, source = race_scene(**arrays), about(recorded_race())
        return replace(scene, alt=Text(f"{scene.alt.zh}{source.zh}", f"{scene.alt.en} {source.en}"))

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        return caption_of_results(recorded_race(), parameters["task"], parameters["highlight"])

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        return {"highlight": _nearest(recorded_race(), self.parameters()["task"], x, y)}


def _nearest(results: Results, task: str, x: float, y: float) -> str:
    """Return the encoding whose curve is near (x, y), x in powers of two; ``NOBODY`` if none is."""
    lengths = np.log2(results.race.test_lengths)
    distances = {
        encoding: abs(y - np.interp(x, lengths, np.mean(results.accuracy(task, encoding), axis=0)))
        for encoding in results.race.encodings
    }
    nearest = min(distances, key=lambda encoding: distances[encoding])
    return nearest if distances[nearest] < NEAR_CURVE else NOBODY
