"""CoPE, live: choose what opens the gates of a text, and positions count words or sentences."""

from functools import lru_cache
from typing import Any

from posenc_lessons.explorers.base import Complaint, Explorer
from posenc_lessons.explorers.caption import sentences
from posenc_lessons.explorers.controls import Choice, Control, Slider, TextBox
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.explorers.gate_captions import about_the_cell, about_the_last_sentence
from posenc_lessons.explorers.gate_numbers import (
    BY_TOKEN,
    MOST_CHARACTERS,
    MOST_TOKENS,
    RULES,
    TABLES,
    gate_numbers,
    is_chosen,
    rule_logits,
    score_table,
    tokens_of,
)
from posenc_lessons.explorers.tokens import word_tokens
from posenc_lessons.figures.gate import Gates, gate_scene, token_at
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Text

MOST_ROWS = 64
SHOWN = ("query", "key")  # parameters that change the picture, but not its numbers

# Controls that matter only to some rules or tables.
FOR_RULES = {"chosen": {"chosen"}, "turned": {*BY_TOKEN}}
FOR_TABLES = {"n": {"nth"}}


class GateExplorer(Explorer):
    """A text with gates, and the query at the cursor: its counts, and its attention by a table of scores.

    A press between two words opens or shuts a gate against the rule; ``turned`` names those tokens. A change
    of the rule or of the tokens clears ``turned``.
    """

    name = "gate"
    title = Text("门控的计数", "Gate counts")
    door = 3
    first = "query"
    drag = "text query"
    rare = frozenset({"table", "rows", "width", "seed", "turned"})
    _turned_for: tuple[str, int] | None = None  # the rule and the last token at the last update
    tries = (
        Try(
            Text("这一句", "This sentence"),
            {"query": 24},
            Text(
                "慢慢拖“查询 m”：蓝线（按计数）永远画在整整一句下面，橙线（按距离）不是多了就是少了。",
                "Drag “query m” slowly: the blue line, by count, is always under one whole sentence; the "
                "orange one, by distance, is too long or too short.",
            ),
        ),
        Try(
            Text("上一句", "The sentence before"),
            {"table": "nth", "n": 1},
            Text(
                "蓝色落在上一句，不论它多长；把“往回第 n 个”拖到 2，就是再上一句。",
                "Blue falls on the sentence before, whatever its length; with “n back” at 2, on the one "
                "before that.",
            ),
        ),
        Try(
            Text("半开的门控", "Gates half open"),
            {"rule": "random", "key": 10},
            Text(
                "每扇门都开一点，数出来的 p 有了小数，落在表的两行之间：分数由这两行混成。",
                "Every gate is open a little. Now the counts have decimals and fall between two rows of the "
                "table, which are mixed.",
            ),
        ),
    )

    def make_controls(self) -> dict[str, Control]:
        text = TextBox(
            Text("文字", "text"),
            "我看见一只小狗。它跑了！The dog saw a cat and the dog ran home. Is it raining? Yes",
            own=Text(  # with the same number of tokens in each sentence, and of dogs
                "我看见一只小猫。它跑了！有狗看见它，那狗就追。追上没？没",
                "I saw a tiny puppy right here. It ran off! The dog saw a cat and the dog ran home. "
                "Is it raining? Yes",
            ),
        )
        rules, tables = ([(label, key) for key, label in names.items()] for names in (RULES, TABLES))
        return {
            "text": text,
            "rule": Choice(Text("什么打开门控", "gates open at"), rules, "sentences"),
            "chosen": TextBox(Text("选定（空：键 n）", "chosen (none: n)"), "dog", own=Text("狗", "dog")),
            "turned": TextBox(Text("另开关的门（如 3 7）", "gates turned (3 7)"), ""),
            "query": Slider(Text("查询 m", "query m"), 0, 27, 20),
            "key": Slider(Text("键 n", "key n"), 0, 27, 13),
            "table": Choice(Text("表偏爱", "table prefers"), tables, "last"),
            "rows": Slider(Text("表的行数", "table rows"), 2, MOST_ROWS, 16),
            "n": Slider(Text("往回第 n 个", "n back"), 0, 8, 1),
            "width": Slider(Text("距离步长", "distance step"), 1, 24, 6),
            "seed": Slider(Text("随机种子", "random seed"), 0, 20, 0),
        }

    def _set(self, values: Parameters) -> None:
        super()._set(values)  # after a longer text, the query can go further
        super()._set(values)  # and after a later query, the key

    def adjust(self) -> None:
        value = self.parameters()
        for users_of, by in ((FOR_RULES, "rule"), (FOR_TABLES, "table")):
            for name, users in users_of.items():
                self.controls[name].hidden = value[by] not in users
        self.controls["seed"].hidden = "random" not in (value["rule"], value["table"])
        # The tokens of a far too long text are not counted: that would take seconds at every key.
        last = -1
        if len(value["text"]) <= MOST_CHARACTERS:
            last = len(word_tokens(value["text"])) - 1
        turned_for = value["rule"], last
        if self._turned_for not in (None, turned_for):
            self.controls["turned"].value = ""
        self._turned_for = turned_for
        if 0 <= last < MOST_TOKENS:  # otherwise there is a complaint, and the cursors do not move
            for name, end in (("query", last), ("key", min(value["query"], last))):
                self.slider(name).limit(0, end)

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        if panel != "text":
            return {}
        value = self.parameters()
        at, between = token_at([token.text for token in tokens_of(value["text"])], x, y)
        if kind == "press" and between and at <= value["query"] and value["rule"] in BY_TOKEN:
            return {"turned": " ".join(map(str, sorted(turned_gates(value) ^ {at})))}
        return {"query": at, "key": min(value["key"], at)}

    def compute(self, parameters: Parameters) -> Arrays:
        settings = {name: value for name, value in parameters.items() if name not in SHOWN}
        named = {"chosen": chosen_token(parameters), "turned": turned_gates(parameters)}
        return _numbers(**{**settings, **named}, device=self.device)

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        return gate_scene(Gates(**arrays, **{name: parameters[name] for name in SHOWN}))

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        tokens, chosen = tokens_of(parameters["text"]), chosen_token(parameters)
        lines = [about_the_cell(parameters, arrays)]
        if parameters["rule"] == "sentences" and parameters["table"] == "last":
            lines.insert(0, about_the_last_sentence(parameters, arrays, tokens))
        if parameters["rule"] in FOR_RULES["chosen"] and not any(
            is_chosen(token, chosen) for token in tokens
        ):
            lines.insert(0, Text("文字里没有“{it}”。", "There is no “{it}” in the text.").format(it=chosen))
        return sentences(*lines)


def chosen_token(parameters: Parameters) -> str:
    """Return the token that was typed, or the chosen key if nothing is typed."""
    return parameters["chosen"].strip() or tokens_of(parameters["text"])[parameters["key"]].text


def turned_gates(parameters: Parameters) -> frozenset[int]:
    """Return the tokens whose gates are against the rule. Raises ``Complaint`` if there is no such token."""
    if parameters["rule"] not in BY_TOKEN:
        return frozenset()
    numbers = parameters["turned"].replace(",", " ").replace("，", " ").split()
    last = len(tokens_of(parameters["text"])) - 1
    tokens_by_number = {str(at): at for at in range(last + 1)}
    if not tokens_by_number.keys() >= {*numbers}:
        raise Complaint(
            f"另开关的门要写成 0 到 {last} 的编号，用空格隔开；也可以清空它，或者直接点图上的门。",
            f"Gates turned are numbers from 0 to {last} with spaces between; or empty it, or press gates in "
            "the picture.",
        )
    return frozenset(tokens_by_number[number] for number in numbers)


@lru_cache(maxsize=32)  # the numbers do not depend on the cursors, so moving one takes almost no time
def _numbers(
    text: str, rule: str, table: str, rows: int, n: int, width: int, seed: int, **by_rule: Any
) -> Arrays:
    tokens = tokens_of(text)
    logits = rule_logits(tokens, rule, seed=seed, **by_rule)
    return gate_numbers(tokens, logits, score_table(table, rows, n, seed), width)
