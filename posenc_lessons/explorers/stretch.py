"""Rotary embedding beyond its trained length: which angles are new, and how little neighbours differ."""

from typing import Literal, TypeAlias

import numpy as np

from posenc_lessons.encodings.context_extension import ExtensionMethod, scaled_frequencies
from posenc_lessons.encodings.pairing import rotary_frequencies
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.caption import Colored, filled, number, sentences
from posenc_lessons.explorers.controls import Choice, Control, LogSlider, Slider
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.figures.colors import RESULT, WRONG
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.stretch import factor_at, never_seen, stretch_scene
from posenc_lessons.language import Text

Method: TypeAlias = ExtensionMethod | Literal["none"]

LARGEST = 32

# Without "dynamic", which is "ntk" for the present length, and "longrope", whose numbers come from a search
# for each model.
METHODS: tuple[tuple[Text, Method], ...] = (
    (Text("什么也不做", "none"), "none"),
    (Text("位置插值", "position interpolation"), "linear"),
    (Text("NTK：换底数", "NTK: another base"), "ntk"),
    (Text("只分段", "only by parts"), "parts"),
    (Text("YaRN", "YaRN"), "yarn"),
    (Text("Llama 3 的分段", "Llama 3's parts"), "llama3"),
)
LENGTHS = (
    (Text("32（本课）", "32 (this lesson)"), 32),
    (Text("512", "512"), 512),
    (Text("2048（LLaMA）", "2048 (LLaMA)"), 2048),
    (Text("4096（LLaMA 2）", "4096 (LLaMA 2)"), 4096),
    (Text("8192（Llama 3）", "8192 (Llama 3)"), 8192),
)


class StretchExplorer(Explorer):
    """A text ``factor`` times as long as in training, and the angles that a method gives it."""

    name = "stretch"
    title = Text("拉长上下文", "Stretch")
    door = 2
    drag = "dials handle"
    first = "factor"
    rare = frozenset({"d"})
    grabs = frozenset({"dials"})
    tries = (
        Try(
            Text("位置插值", "Position interpolation"),
            {"method": "linear"},
            Text(
                "没有红色了：一个新角度也没有。看“圈数”：绿线落到蓝线上，每一对都慢 4 倍。"
                "最快的一对也慢了，相邻的词元只差 14.3°。",
                "No red is left: not one angle is new. In “Turns” the green line has come down to the "
                "blue: every pair is four times slower, the fastest too; neighbours are only 14.3° apart.",
            ),
        ),
        Try(
            Text("NTK：只换底数", "NTK: only the base"),
            {"method": "ntk"},
            Text(
                "看“圈数”：第 0 对还在虚线上，没有变慢；最慢的一对正好慢 4 倍。"
                "中间的放慢得不够，还有 5 对是红的。",
                "See “Turns”: pair 0 is still on the dashed line, as fast as before; the slowest becomes "
                "exactly four times slower. Those between are not slowed enough: five pairs still have red.",
            ),
        ),
        Try(
            Text("YaRN", "YaRN"),
            {"method": "yarn"},
            Text(
                "没有红色。拖到 32 倍，看“圈数”：第 0 对还在虚线上，一点不慢；"
                "第 2 对以后都在蓝线上，慢 32 倍。",
                "No red. Drag to 32 times and see “Turns”: pair 0 stays on the dashed line, not slowed at "
                "all; every pair from 2 on is on the blue one, 32 times slower.",
            ),
        ),
        Try(
            Text("Llama 3.1 的尺寸", "The sizes of Llama 3.1"),
            {"method": "llama3", "factor": 8, "trained": 8192, "d": 128, "base": 500000.0},
            Text(
                "没有红色。“圈数”的绿线有一级台阶：前 29 对一点不慢，后 29 对慢 8 倍，只有 6 对在路上。",
                "No red. The green line of “Turns” has a step: the first 29 pairs keep their speed, the "
                "last 29 are 8 times slower, and only 6 are on the way.",
            ),
        ),
    )

    def make_controls(self) -> dict[str, Control]:
        return {
            "method": Choice(Text("方法", "method"), METHODS, "none"),
            "factor": Slider(Text("拉长几倍 s", "factor s"), 1, LARGEST, 4),
            "trained": Choice(Text("训练长度 L", "trained length L"), LENGTHS, 32),
            "d": Slider(Text("维度 d", "width d"), 4, 128, 16, step=2),  # features rotate in pairs
            "base": LogSlider(Text("底数 base", "base"), 1, 7, 10000.0),
        }

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        return {"factor": self.controls["factor"].nearest(factor_at(x))} if panel == "dials" else {}

    def compute(self, parameters: Parameters) -> Arrays:
        return stretch_numbers(**parameters)

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        names = ("trained_turns", "turns", "trained", "factor")
        return stretch_scene(**{name: arrays[name] for name in names})

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        unseen = int(never_seen(arrays["trained_turns"], arrays["turns"]).sum())
        before, after = arrays["fastest"]
        why = Text("。", ".")
        if unseen:
            why = Text("：它们慢，训练时没转满一圈。", ", too slow to complete a turn there.")
        parts: list[Text] = [
            filled(
                Text(
                    "文本长 {length}：{n} 对里有 {new} 对遇到训练时没见过的角度{why}",
                    "A text of {length}: {new} of {n} pairs with angles never seen in training{why}",
                ),
                length=parameters["factor"] * parameters["trained"],
                n=len(arrays["turns"]),
                new=Colored(str(unseen), WRONG if unseen else RESULT),
                why=why,
            )
        ]
        if (finer := before / after) > 1 + 1e-9:
            closer = Text(
                "最快的一对，相邻词元从差 {before:.1f}° 变成 {after}°，要分得细 {finer:.2f} 倍。",
                "In the fastest pair neighbours are {after}° apart, not {before:.1f}°: it must look "
                "{finer:.2f} times as closely.",
            )
            parts.append(filled(closer, before=before, after=number(after, RESULT, ".1f"), finer=finer))
        if (sharper := arrays["scale"] ** 2) > 1:
            parts.append(
                Text(
                    f"温度：分数都乘 {sharper:.3f}。",
                    f"The temperature multiplies every score by {sharper:.3f}.",
                )
            )
        return sentences(*parts)


def stretch_numbers(method: Method, factor: int, trained: int, d: int, base: float) -> Arrays:
    """Return the numbers that ``stretch_scene`` draws, and ``scale``, which multiplies queries and keys.

    With ``method`` "none" the text is ``factor`` times as long, but the frequencies do not change.
    """
    frequencies = stretched = rotary_frequencies(d, base)
    scale = 1.0
    if method != "none":
        stretched, scale = scaled_frequencies(d, base, method, factor, trained)
    before, after = frequencies.numpy(), stretched.numpy()
    return {
        "trained_turns": trained * before / (2 * np.pi),
        "turns": factor * trained * after / (2 * np.pi),
        "fastest": np.degrees([before[0], after[0]]),  # how far a step turns the fastest pair
        "trained": trained,
        "factor": factor,
        "scale": scale,
    }
