"""Trained models at work: type a date, step through the answer, see where heads look, swap the encoding."""

import numpy as np

from posenc_lessons.experiments.trained.rewriters import (
    LETTERS,
    MOST_LETTERS,
    MOST_WRITTEN,
    N_HEADS,
    N_LAYERS,
)
from posenc_lessons.explorers.base import Complaint, Explorer
from posenc_lessons.explorers.caption import Colored, filled, number, sentences
from posenc_lessons.explorers.controls import Choice, Control, Slider, TextBox
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.explorers.rewriting import (
    END,
    KINDS,
    NAMES,
    Rewriting,
    n_steps,
    rewrite,
    right_answer,
    side_of,
    source_of,
)
from posenc_lessons.figures.attention import Side, attention_scene
from posenc_lessons.figures.colors import QUERY
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Text

NOTHING = "nothing"  # the choice of no model B
MOST_WEIGHTS = 3  # how many weights of a row are read out
HEADS = tuple(range(1, N_HEADS + 1))


class AttentionExplorer(Explorer):
    """A text, a step of its rewriting; layer and heads of two models that differ only in the encoding."""

    name = "attention"
    title = Text("训练好的注意力", "Trained attention")
    first = "step"
    rare = frozenset({"encoding", "kind", "layer", "head"})
    tries = (
        Try(
            Text("照抄年份", "Copying the year"),
            {"row": 3},
            Text(
                "写年份的第三位“2”时，A 的三个头正看着读进来的那个 2：这是照抄。",
                "As A writes “2”, the third digit of the year, three of its heads look at that very 2: it "
                "copies.",
            ),
        ),
        Try(
            Text("认出月份", "Recognising the month"),
            {"head": 2, "row": 7},
            Text(
                "March 里没有 3，抄不来：几个头分看 M、r、c 这几个字母，把月份认出来。",
                "There is no 3 in March to copy: the heads share out the letters M, r and c, and recognise "
                "the month.",
            ),
        ),
        Try(
            Text("拿掉位置", "Without positions"),
            {"other": "none"},
            Text(
                "看 B 写的：月份对，年和日错。哪些字母就够认出月份，数字却要知道先后。",
                "Read what B wrote: the month is right, year and day are wrong. Which letters there are "
                "says the month; digits need their order.",
            ),
        ),
        Try(
            Text("倒着写 badge", "badge, backwards"),
            {"text": "badge", "encoding": "none", "other": "alibi", "step": 6},
            Text(
                "两个都写错：A 乱了次序；B（ALiBi）知道谁挨着谁，不知道哪头在前。再输入 egdab：两个的答案都"
                "不变。",
                "Both are wrong: A has lost the order; B, ALiBi, knows who is next to whom, not which end "
                "comes first. Type egdab: neither changes its answer.",
            ),
        ),
    )
    hover = True

    def make_controls(self) -> dict[str, Control]:
        kinds = [(name, kind) for kind, (name, _, _) in KINDS.items()]
        encodings = [(name, encoding) for encoding, name in NAMES.items()]
        return {
            "text": TextBox(Text("日期，或字母 a–j", "a date, or letters a–j"), "March 7, 2024"),
            "step": Slider(Text("写到第几步", "steps written"), 1, MOST_WRITTEN, 11),
            "encoding": Choice(Text("模型 A 的编码", "encoding of A"), encodings, "sinusoidal"),
            "other": Choice(
                Text("模型 B 的编码", "encoding of B"),
                [*encodings, (Text("不比较", "nothing to compare"), NOTHING)],
                NOTHING,
            ),
            "kind": Choice(Text("哪种注意力", "attention"), kinds, "cross"),
            "layer": Slider(Text("第几层", "layer"), 1, N_LAYERS, N_LAYERS),
            "head": Choice(Text("头", "head"), [(Text(f"头 {n}", f"head {n}"), n) for n in HEADS], 1),
            "row": Slider(Text("看第几个", "token that looks"), 1, MOST_WRITTEN, 7),
        }

    def adjust(self) -> None:
        step, row = self.slider("step"), self.slider("row")
        try:
            rewritings = self._rewritings(self.parameters())
        except Complaint:
            return  # compute() raises the same error and shows it
        at_the_end = step.value == step.max
        step.limit(1, n_steps(rewritings))
        step.value = step.max if at_the_end else step.value
        reads = self.controls["kind"].value == "encoder"
        rows = len(rewritings[0].source) if reads else step.value
        row.limit(1, rows)
        if not reads and step.value != getattr(self, "_followed", step.value):
            row.value = rows  # the chosen row moves with the steps
        self._followed = step.value

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        reads = self.controls["kind"].value == "encoder"
        large, pressed = self.controls["head"].value, int(panel.rpartition("_")[2])
        if pressed != large:  # a small one
            return {"head": pressed} if kind == "press" else {}
        row = int(x * (len(source_of(self.controls["text"].value)) if reads else self.slider("step").max)) + 1
        return {"row": row} if 1 <= row <= self.slider("row").max else {}

    def takes(self, scene: Scene) -> dict[str, str]:
        heads = [panel.name for panel in scene.panels if panel.name.startswith("head_")]
        return dict.fromkeys(heads, "point") | super().takes(scene)

    def _rewritings(self, parameters: Parameters) -> list[Rewriting]:
        names = [parameters["encoding"], parameters["other"]]
        return [rewrite(parameters["text"], name, self.device) for name in names if name != NOTHING]

    def compute(self, parameters: Parameters) -> Arrays:
        rewritings = self._rewritings(parameters)
        looks = {name: parameters[name] for name in ("kind", "layer", "step")}
        sides = [
            side_of(rewriting, letter, n_steps=n_steps(rewritings), **looks)
            for letter, rewriting in zip("AB", rewritings, strict=False)
        ]
        return {"rewritings": rewritings, "sides": sides}

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        _, rows, columns = KINDS[parameters["kind"]]
        return attention_scene(
            arrays["sides"], HEADS, parameters["row"] - 1, rows, columns, parameters["head"]
        )

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        answer = right_answer(parameters["text"])
        lines = [_about_the_task(answer)]
        for side in arrays["sides"]:
            lines.append(_about_the_steps(side, answer))
            lines.append(_about_the_row(side, parameters["row"] - 1, parameters["head"]))
        return sentences(*lines)


def _about_the_task(answer: str | None) -> Text:
    """Say what the models should write, and whether training went that far."""
    if answer is None:
        return Text(
            "没有标准答案：训练时没有这种写法。", "No right answer: training had nothing of this form."
        )
    if set(answer) <= set(LETTERS) and len(answer) > MOST_LETTERS:
        return Text(
            f"应写 {answer}；训练时最多 {MOST_LETTERS} 个字母，这里有 {len(answer)} 个。",
            f"To be written: {answer}. Training had {MOST_LETTERS} letters at most; these are {len(answer)}.",
        )
    return Text(f"应写 {answer}。", f"To be written: {answer}.")


def _about_the_steps(side: Side, answer: str | None) -> Text:
    """Say what the model has written, whether it is right, and how sure the last choice was."""
    tokens = [likeliest[0][0] for likeliest in side.choices]
    so_far = "".join(token for token in tokens if token != END)
    mark = ""
    if answer is not None:
        ended = END in tokens
        mark = " ✓" if (so_far == answer if ended else answer.startswith(so_far)) else " ✗"
    last, sure = side.choices[-1][0]
    zh, en = "", ""
    if last != END:
        zh, en = f"，刚选了“{last}”（{sure:.0%}）", f", its last choice “{last}” ({sure:.0%})"
    return Text(
        f"{side.letter} {side.name.zh}：写了 {so_far}{mark}{zh}。",
        f"{side.letter} {side.name.en}: has written {so_far}{mark}{en}.",
    )


def _about_the_row(side: Side, row: int, head: int) -> Text:
    """Say the largest weights of a row; the numbers have the colour of the lines."""
    if np.isnan(side.weights[0, row]).all():
        return Text("", "")
    largest = _largest(side, row, head)
    keys = [f"“{key}” {{w{place}}}" for place, (key, _) in enumerate(largest)]
    zh, en = "、".join(keys), ", ".join(keys)
    template = Text(f"到“{{token}}”时，头 {{head}} 看{zh}。", f"For “{{token}}” head {{head}} looks at {en}.")
    weights = {f"w{place}": number(weight, QUERY, ".0%") for place, (_, weight) in enumerate(largest)}
    return filled(template, token=Colored(side.rows[row], QUERY), head=head, **weights)


def _largest(side: Side, row: int, head: int) -> list[tuple[str, float]]:
    """Return the keys with the largest weights, largest first; one near 0 only if all are."""
    weights = np.nan_to_num(side.weights[head - 1, row])
    largest = np.argsort(-weights, kind="stable")[:MOST_WEIGHTS]
    return [
        (side.columns[key], float(weights[key]))
        for place, key in enumerate(largest)
        if weights[key] >= 0.005 or not place
    ]
