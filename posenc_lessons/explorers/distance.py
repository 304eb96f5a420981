"""Relative encodings, live: the distance, table row, bucket or penalty of each query and key."""

import torch

from posenc_lessons.encodings import alibi_slopes, relative_distances, t5_buckets
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.caption import filled, number
from posenc_lessons.explorers.controls import MOST_QUOTED, Choice, Control, Slider, TextBox, TickBox
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.explorers.tokens import WORD, words_in
from posenc_lessons.figures.colors import CHOSEN
from posenc_lessons.figures.distance import distance_scene
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.words import cut
from posenc_lessons.language import Text

LONGEST = 64
ALIBI_HEADS = 8

KINDS: dict[str, Text] = {
    "signed": Text("带符号的距离 n−m", "signed distance n−m"),
    "shaw": Text("Shaw 表的行", "Shaw table row"),
    "t5": Text("T5 桶", "T5 bucket"),
    "alibi": Text("ALiBi 偏置", "ALiBi bias"),
}
# Shorter, because a menu may show both languages side by side.
MENU = {**KINDS, "signed": Text("带符号的距离", "signed distance")}
SENTENCE = Text("那条狗咬了那个人", "the dog bites the man in the park")  # as many words as keys at the start
USED_BY = {"clip": "shaw", "head": "alibi", "bidirectional": "t5"}


class DistanceExplorer(Explorer):
    """A matrix of distances; the pointer or the two cursor sliders choose the cell that is read out.

    A sentence names the first positions of both axes. If its number of words changes, the matrix becomes as
    large as the sentence; the sliders may then make it larger.
    """

    name = "distance"
    title = Text("相对距离", "Distance")
    hover = True
    first = "key"
    grabs = frozenset({"matrix", "profile"})
    rare = frozenset({"sentence", "len_q", "len_k", "head", "bidirectional"})
    _words_for = 0  # the number of words at the last update
    tries = (
        Try(
            Text("Shaw：截断在 4", "Shaw, clipped at 4"),
            {"kind": "shaw", "clip": 4, "len_k": 20, "query": 2, "key": 15},
            Text(
                "看右上角：比 4 步还远的键合用一行，成了同色的一整块。一共 2 × 4 + 1 = 9 种颜色。",
                "Look at the top right: all keys more than 4 steps ahead share one row, one block of one "
                "colour. There are 2 × 4 + 1 = 9 colours.",
            ),
        ),
        Try(
            Text("T5：64 个词", "T5, 64 words"),
            {"kind": "t5", "len_q": 64, "len_k": 64, "query": 63, "key": 43},
            Text(
                "看右图的台阶：距离到 8 就开始变宽，而且左右用的桶不同。",
                "Look at the steps on the right: from distance 8 on they widen, and each side has its own "
                "buckets.",
            ),
        ),
        Try(
            Text("T5：单向", "T5, one-way"),
            {"kind": "t5", "bidirectional": False, "len_q": 64, "len_k": 64, "query": 20, "key": 40},
            Text(
                "看右图的右半边：后面的键全在 0 号桶里，解码器反正看不见它们。",
                "Look at the right half of the right picture: all later keys are in bucket 0. A decoder "
                "never sees them.",
            ),
        ),
        Try(
            Text("ALiBi：两边一样", "ALiBi, both sides alike"),
            {"kind": "alibi", "sentence": SENTENCE, "query": 2, "key": 5},
            Text(
                "前三步、后三步扣得一样多，它不分左右，也不管是哪个词。把头拖到 8，看色条：扣得越来越少。"
                "换成你自己的句子试试。",
                "Three steps back and three ahead cost the same, whatever the words: ALiBi does not tell "
                "left from right. Drag the head to 8 and watch the colour bar: the penalty shrinks. Then "
                "type a sentence of your own.",
            ),
        ),
    )

    def make_controls(self) -> dict[str, Control]:
        kinds = [(name, kind) for kind, name in MENU.items()]
        return {
            "kind": Choice(Text("看什么", "show"), kinds, "signed"),
            "sentence": TextBox(Text("你的句子", "your sentence"), ""),
            "clip": Slider(Text("截断 k", "clip k"), 1, 32, 4),
            "len_q": Slider(Text("查询个数", "queries"), 2, LONGEST, 8),
            "len_k": Slider(Text("键个数", "keys"), 2, LONGEST, 8),
            "query": Slider(Text("光标 m", "cursor m"), 0, 7, 2),
            "key": Slider(Text("光标 n", "cursor n"), 0, 7, 5),
            "head": Slider(Text("第几个头", "head"), 1, ALIBI_HEADS, 1),
            "bidirectional": TickBox(Text("T5 双向", "T5 bidirectional"), True),
        }

    def adjust(self) -> None:
        kind = self.controls["kind"].value
        n_words = len(WORD.findall(self.controls["sentence"].value))
        if n_words != self._words_for and 0 < n_words <= LONGEST:
            for length in ("len_q", "len_k"):
                self.controls[length].value = self.controls[length].nearest(n_words)
        self._words_for = n_words
        for cursor, length in (("query", "len_q"), ("key", "len_k")):
            self.slider(cursor).limit(0, self.controls[length].value - 1)
        for name, used_by in USED_BY.items():
            self.controls[name].hidden = kind != used_by

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        query, key = self.controls["query"], self.controls["key"]
        if panel == "matrix":
            return {"query": query.nearest(y), "key": key.nearest(x)}
        if panel == "profile":
            return {"key": key.nearest(query.value + round(x))}
        return {}

    def compute(self, parameters: Parameters) -> Arrays:
        of_encoding = {name: parameters[name] for name in ("kind", "clip", "bidirectional")}
        distances = relative_distances(parameters["len_q"], parameters["len_k"]).to(self.device)
        reach = torch.arange(-LONGEST, LONGEST + 1, device=self.device)
        heads = range(1, ALIBI_HEADS + 1) if parameters["kind"] == "alibi" else ()
        return {
            "words": words_in(parameters["sentence"], LONGEST),
            "fan": [values_at(reach, head=each, **of_encoding).cpu().numpy() for each in heads],
            "values": values_at(distances, head=parameters["head"], **of_encoding).cpu().numpy(),
            "distances": reach.cpu().numpy(),
            "profile": values_at(reach, head=parameters["head"], **of_encoding).cpu().numpy(),
        }

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        kind, cursor = parameters["kind"], {name: parameters[name] for name in ("query", "key")}
        colors = "diverging" if kind == "signed" else "sequential"
        return distance_scene(**arrays, **cursor, name=KINDS[kind], colors=colors)

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        m, n = parameters["query"], parameters["key"]
        template = Text(
            "查询 m = {m}，键 n = {n}：n − m = {distance}，{name} = {value}。",
            "Query m = {m}, key n = {n}: n − m = {distance}, {name} = {value}.",
        )
        return filled(
            template,
            m=place_and_word(arrays["words"], m),
            n=place_and_word(arrays["words"], n),
            distance=n - m,
            name=KINDS[parameters["kind"]],
            value=number(float(arrays["values"][m, n]), CHOSEN, "g", f"matrix values {m} {n}"),
        )


def place_and_word(words: list[str], place: int) -> str:
    """Return the number of a position, and the word there if the sentence reaches so far."""
    return f"{place} “{cut(words[place], MOST_QUOTED)}”" if place < len(words) else str(place)


def values_at(distances: torch.Tensor, kind: str, clip: int, bidirectional: bool, head: int) -> torch.Tensor:
    """Return the value of each of ``distances`` (integers) for the encoding ``kind``, float64.

    ``clip`` is Shaw's k, ``bidirectional`` T5's choice, ``head`` (from 1) one of ALiBi's eight.
    """
    if kind == "shaw":
        return (distances.clamp(-clip, clip) + clip).double()
    if kind == "t5":
        return t5_buckets(distances, bidirectional=bidirectional).double()
    if kind == "alibi":
        return -alibi_slopes(ALIBI_HEADS)[head - 1].to(distances.device) * distances.abs()
    return distances.double()
