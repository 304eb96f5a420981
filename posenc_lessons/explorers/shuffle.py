"""Shuffle a sentence and watch attention: without a position encoding, weights only move with the words."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import torch

from posenc_lessons.encodings import LearnedEncoding, PositionEncoding, SinusoidalEncoding
from posenc_lessons.explorers.base import Complaint, Explorer
from posenc_lessons.explorers.caption import filled, number
from posenc_lessons.explorers.controls import MOST_QUOTED, Choice, Control, TextBox, TickBox
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.explorers.tokens import WORD, words_in
from posenc_lessons.explorers.word_vectors import D_MODEL, word_vectors
from posenc_lessons.figures.colors import INK
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.shuffle import ROUNDING, shuffle_scene
from posenc_lessons.figures.words import cut
from posenc_lessons.language import Text
from posenc_lessons.models import MultiHeadAttention, causal_mask

MOST_WORDS = 40

EXAMPLE = Text("狗咬人", "dog bites man")  # three words with another meaning in reverse order

BACKWARDS, OWN = 1, -1  # arrangements; OWN if the reader moved words by hand
ARRANGEMENTS = (
    (Text("原来的顺序", "as written"), 0),
    (Text("倒过来", "backwards"), BACKWARDS),
    *((Text(f"打乱，第 {n} 种", f"shuffled, way {n}"), n + 1) for n in range(1, 5)),
    (Text("自己排的", "your own"), OWN),
)

# The name in the menu, and the maker; std=1 makes an untrained table as large as the words' vectors.
ENCODINGS: dict[str, tuple[Text, Callable[[], PositionEncoding | None]]] = {
    "none": (Text("无", "none"), lambda: None),
    "sinusoidal": (Text("正弦", "sinusoidal"), lambda: SinusoidalEncoding(D_MODEL)),
    "learned": (
        Text("可学习，未训练", "learned, untrained"),
        lambda: LearnedEncoding(D_MODEL, MOST_WORDS, std=1.0),
    ),
}

# What the sentence below the picture says.
AS_WRITTEN = Text(
    "“{query}”看“{key}”：权重 {before}。词还在原来的位置：拖动一个，看哪几个数会变。",
    "“{query}” looks at “{key}” with {before}. All words are in their places: drag one, and see which "
    "numbers change.",
)
UNCHANGED = Text(
    "“{query}”看“{key}”：原来 {before}，换位后还是 {after}。放回原处，每个数都一样：注意力看不见顺序。",
    "“{query}” looks at “{key}” with {before} as written, and with {after} after the move. Put back, every "
    "number is as it was: attention cannot see order.",
)
CHANGED = Text(
    "“{query}”看“{key}”：原来 {before}，换位后 {after}。同样的词换了位置，注意力就变了。顺序进来了。",
    "“{query}” looks at “{key}” with {before} as written, and with {after} after the move. The same words in "
    "other places attend differently. Order has come in.",
)


class ShuffleExplorer(Explorer):
    """A sentence, an arrangement of its words, an encoding: attention before and after.

    A reader may move words by hand: ``order`` then says which word stands where, counted from 1, and the
    arrangement is ``OWN``. Another arrangement or another number of words clears it.
    """

    name = "shuffle"
    title = Text("打乱句子", "Shuffle")
    rare = frozenset({"order"})
    grabs = frozenset({"cards"})
    drag = "cards card0"
    _order_for: tuple[int, int] | None = None  # the arrangement and the number of words at the last update
    _arrangement = BACKWARDS  # the last one that was not the reader's own
    _taken = 0  # the place of the word that is being dragged
    tries = (
        Try(
            Text("加上位置", "With positions"),
            {"sentence": EXAMPLE, "arrangement": 1, "encoding": "sinusoidal"},
            Text(
                "还是这几个词，也还是倒过来：现在两张的差不是 0，顺序进来了。",
                "The same words, backwards again: the difference is not 0 any more. Order has come in.",
            ),
        ),
        Try(
            Text("一句话里两个相同的词", "The same word twice"),
            {"sentence": Text("狗追猫 狗咬猫", "the dog bites the man"), "arrangement": 0},
            Text(
                "找出那两个“狗”，比一比它们的两行：一模一样。再把编码换成“正弦”。",
                "Find the two words “the” and compare their rows: identical. Then change the encoding to "
                "“sinusoidal”.",
            ),
        ),
        Try(
            Text("只加因果掩码", "Only a causal mask"),
            {"sentence": EXAMPLE, "arrangement": 1, "causal": True},
            Text(
                "没有位置编码，差却不是 0：谁被遮住，要看谁在前面。",
                "There is no position encoding, and yet the difference is not 0: who is hidden depends on "
                "who comes first.",
            ),
        ),
    )

    def make_controls(self) -> dict[str, Control]:
        encodings = [(label, key) for key, (label, _) in ENCODINGS.items()]
        return {
            "arrangement": Choice(Text("排法", "arrangement"), ARRANGEMENTS, BACKWARDS),
            "sentence": TextBox(Text("句子", "sentence"), "dog bites man 狗咬人", own=EXAMPLE),
            "order": TextBox(Text("自己排（如 3 1 2）", "own order (3 1 2)"), ""),
            "encoding": Choice(Text("位置编码", "encoding"), encodings, "none"),
            "causal": TickBox(Text("因果掩码", "causal mask"), False),
        }

    def adjust(self) -> None:
        arrangement, order = self.controls["arrangement"], self.controls["order"]
        n_words = len(WORD.findall(self.controls["sentence"].value))
        before, n_before = self._order_for or (arrangement.value, n_words)
        if n_words != n_before or arrangement.value not in (before, OWN):
            order.value = ""
        elif before != arrangement.value == OWN and not order.value:  # chosen in the menu
            order.value = " ".join(str(word + 1) for word in arrange(n_words, before))
        if order.value:
            arrangement.value = OWN
        elif arrangement.value == OWN:
            arrangement.value = self._arrangement
        self._arrangement = self._arrangement if arrangement.value == OWN else arrangement.value
        self._order_for = arrangement.value, n_words

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        if panel != "cards" or kind == "hover":
            return {}
        order = order_of(self.parameters())
        place = min(max(round(y), 0), len(order) - 1)
        if kind == "press":
            self._taken = place
        order.insert(place, order.pop(min(self._taken, len(order) - 1)))
        self._taken = place
        return {"order": " ".join(str(word + 1) for word in order)} if kind == "drag" else {}

    def compute(self, parameters: Parameters) -> Arrays:
        words = words_of(parameters["sentence"])
        order = order_of(parameters)
        vectors = word_vectors(words).to(self.device)
        attention = random_attention(parameters["encoding"], self.device)
        mask = causal_mask(len(words)).to(self.device) if parameters["causal"] else None
        pair = torch.stack([vectors, vectors[order]])  # the sentence as written, and rearranged
        with torch.no_grad():
            _, weights = attention(pair, mask=mask, need_weights=True)
        before, after = weights[:, 0].cpu().numpy()
        return {"words": words, "order": order, "before": before, "after": after}

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        return shuffle_scene(arrays["words"], arrays["order"], arrays["before"], arrays["after"])

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        order = arrays["order"]
        before, after = arrays["before"][order][:, order], arrays["after"]
        change = abs(after - before)
        moved = bool(change.max() >= ROUNDING)
        row, column = np.unravel_index((change if moved else before).argmax(), change.shape)
        cells = order[row], order[column]
        template = UNCHANGED
        if order == sorted(order):
            template = AS_WRITTEN
        elif moved:
            template = CHANGED
        query, key = (cut(arrays["words"][at], MOST_QUOTED) for at in cells)
        return filled(
            template,
            query=query,
            key=key,
            before=number(before[row, column], INK, mark=f"before weights {cells[0]} {cells[1]}"),
            after=number(after[row, column], INK, mark=f"after weights {row} {column}"),
        )


def words_of(sentence: str) -> list[str]:
    """Return the words of ``sentence``: each Han character, and anything else between spaces.

    Raises ``Complaint`` if there is none, or more than ``MOST_WORDS``.
    """
    words = words_in(sentence, MOST_WORDS)
    if not words:
        raise Complaint("句子是空的：请输入至少一个词。", "The sentence is empty: type at least one word.")
    return words


def order_of(parameters: Parameters) -> list[int]:
    """Return which word stands where: as the reader moved them, or else by ``arrangement``.

    Raises ``Complaint`` if a word is missing or stands twice.
    """
    n_words = len(words_of(parameters["sentence"]))
    numbers = parameters["order"].replace(",", " ").replace("，", " ").split()
    if not numbers:
        return arrange(n_words, parameters["arrangement"])
    if sorted(numbers) != sorted(str(1 + word) for word in range(n_words)):
        raise Complaint(
            f"自己排的顺序要把 1 到 {n_words} 各写一次，用空格隔开；也可以清空它，或者直接拖图上的词。",
            f"Your own order has to name each of 1 to {n_words} once, with spaces between; or empty it, or "
            "drag the words in the picture.",
        )
    return [int(number) - 1 for number in numbers]


def arrange(n_words: int, arrangement: int) -> list[int]:
    """Return which word stands where. ``arrangement`` 0: as written, 1: backwards, from 2 on: shuffled."""
    if arrangement == 0:
        return list(range(n_words))
    if arrangement == 1:
        return list(range(n_words))[::-1]
    return torch.randperm(n_words, generator=torch.Generator().manual_seed(arrangement)).tolist()


@lru_cache(maxsize=16)
def random_attention(encoding: str, device: str) -> MultiHeadAttention:
    """Return one head with fixed random weights and the named encoding."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        attention = MultiHeadAttention(D_MODEL, 1, encoding=ENCODINGS[encoding][1]())
    with torch.no_grad():  # PyTorch's initial weights attend almost evenly; larger ones have preferences
        attention.w_query.weight.mul_(2.5)
        attention.w_key.weight.mul_(2.5)
    return attention.eval().to(device)
