"""Rotary embedding beyond its trained length: which angles are new, and how little neighbours differ."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from posenc_lessons.encodings.context_extension import ExtensionMethod, scaled_frequencies
from posenc_lessons.encodings.pairing import rotary_frequencies
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.caption import Colored, filled, number
from posenc_lessons.explorers.controls import Choice, Control, LogSlider, Slider
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.figures.colors import RESULT, WRONG
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.stretch import never_seen, stretch_scene
from posenc_lessons.language import Text

Method: TypeAlias = ExtensionMethod | Literal["none"]

LARGEST = 32

# Without "dynamic", which is "ntk" for the present length, and "longrope", whose numbers come from a search
# for each model.
METHODS: tuple[tuple[Text, Method], ...] = (
    (Text("什么也不做", "nothing"), "none"),
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
    grabs = frozenset({"slower"})
    tries = (
        Try(
            Text("位置插值", "Position interpolation"),
            {"method": "linear"},
            Text(
                "红色全没了：一个新角度也没有。看右下：第 0 对也放慢到四分之一，相邻的词元只差 14.3°。",
                "No red is left: not one angle is new. But see the lower right: pair 0 is four times slower "
                "too, and neighbours are only 14.3° apart.",
            ),
        ),
        Try(
            Text("NTK：只换底数", "NTK: only the base"),
            {"method": "ntk"},
            Text(
                "第 0 对不动，最慢的一对正好慢 4 倍；中间的放慢得不够，还有 5 对是红的。",
                "Pair 0 is left alone, the slowest becomes exactly four times slower; those between are not "
                "slowed enough, and five pairs still have red.",
            ),
        ),
        Try(
            Text("YaRN", "YaRN"),
            {"method": "yarn"},
            Text(
                "没有红色。把倍数拖到 32：第 0 对一点不慢，第 2 对以后每一对都慢 32 倍。",
                "No red. Drag the factor to 32: pair 0 is not slowed at all, and every pair from 2 on is "
                "32 times slower.",
            ),
        ),
        Try(
            Text("Llama 3.1 的尺寸", "The sizes of Llama 3.1"),
            {"method": "llama3", "factor": 8, "trained": 8192, "d": 128, "base": 500000.0},
            Text(
                "没有红色。右下是一级台阶：前 29 对一点不动，后 29 对慢 8 倍，只有 6 对在路上。",
                "No red. The lower right is a step: the first 29 pairs are left alone, the last 29 are 8 "
                "times slower, and only 6 are on the way.",
            ),
        ),
    )

    def make_controls(self) -> dict[str, Control]:
        return {
            "method": Choice(Text("方法", "method"), METHODS, "none"),
            "factor": Slider(Text("倍数 s", "factor s"), 1, LARGEST, 4),
            "trained": Choice(Text("训练长度 L", "trained length L"), LENGTHS, 32),
            "d": Slider(Text("维度 d", "width d"), 4, 128, 16, step=2),  # features rotate in pairs
            "base": LogSlider(Text("底数 base", "base"), 1, 7, 10000.0),
        }

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        return {"factor": self.controls["factor"].nearest(2**y)} if panel == "slower" else {}

    def compute(self, parameters: Parameters) -> Arrays:
        return stretch_numbers(**parameters)

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        return stretch_scene(**{name: arrays[name] for name in arrays if name not in ("fastest", "scale")})

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        unseen = int(never_seen(arrays["seen"], arrays["swept"]).sum())
        fastest = arrays["fastest"]
        template = Text(
            "文本长 {length}：{n} 对里有 {new} 对遇到训练时没见过的角度。"
            "最快的一对，相邻词元从前差 {before:.1f}°，现在差 {after}°{closer}{warmer}",
            "A text of {length}: {new} of {n} pairs meet angles never seen in training. In the fastest pair "
            "neighbours were {before:.1f}° apart and now are {after}° apart{closer}{warmer}",
        )
        closer, warmer = Text("。", "."), Text("", "")
        if (finer := fastest[0] / fastest[1]) > 1 + 1e-9:
            closer = Text(
                f"：要分得比从前细 {finer:.2f} 倍。", f", so that it must look {finer:.2f} times as closely."
            )
        if (sharper := arrays["scale"] ** 2) > 1:
            warmer = Text(
                f"温度：分数都乘 {sharper:.3f}。",
                f" The temperature multiplies every score by {sharper:.3f}.",
            )
        return filled(
            template,
            closer=closer,
            warmer=warmer,
            length=parameters["factor"] * parameters["trained"],
            n=len(arrays["seen"]),
            new=Colored(str(unseen), WRONG),
            before=fastest[0],
            after=number(fastest[1], RESULT, ".1f"),
        )


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
        "seen": np.minimum(trained * before, 2 * np.pi),
        "swept": np.minimum(factor * trained * after, 2 * np.pi),
        "slower": before / after,
        "fastest": np.degrees([before[0], after[0]]),  # how far a step turns the fastest pair
        "trained": trained,
        "factor": factor,
        "scale": scale,
    }
