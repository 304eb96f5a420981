"""Positions in a batch: the integer that each token needs, and the price of a wrong one."""

import copy
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import torch
from torch import Tensor

from posenc_lessons.experiments.batches import (
    Counted,
    Layout,
    TextBatch,
    lay_out,
    mask_of,
    positions_of,
    probability_moved,
    run_alone,
    run_batch,
)
from posenc_lessons.experiments.trained.induction import (
    LETTERS,
    NOTHING,
    PAD,
    START,
    encode,
    trained_induction,
)
from posenc_lessons.explorers.base import Complaint, Explorer
from posenc_lessons.explorers.caption import Colored, filled, number, with_minus
from posenc_lessons.explorers.controls import Choice, Control, Slider, TextBox, TickBox
from posenc_lessons.explorers.definition import Arrays, Parameters, Try
from posenc_lessons.figures.batch import batch_scene
from posenc_lessons.figures.colors import CHOSEN
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Text, joined
from posenc_lessons.models import DecoderOnly

MOST_TEXTS, MOST_LETTERS = 3, 12
CACHED = 3  # letters of each text that come through the cache
ROUNDING = 1e-4  # smaller changes of probability are rounding errors
WORDS = "banana abracadabra cocoa"

MODELS = (
    (Text("旋转（RoPE）", "rotary (RoPE)"), "rotary"),
    (Text("可学习的表", "learned table"), "learned"),
    (Text("旋转，带窗口", "rotary, windowed"), "windowed"),
    (Text("窗口再加汇", "window and sink"), "sink"),
)
LAYOUTS = (
    (Text("右边填充", "padded right"), "right"),
    (Text("左边填充", "padded left"), "left"),
    (Text("打包成一行", "packed into one row"), "packed"),
)
COUNTS = (
    (Text("各段自己数", "each text its own"), "own"),
    (Text("从行首数", "the row, every column"), "column"),
    (Text("新词元按缓存", "new: cache's length"), "cache"),
    (Text("新词元又从 0 数", "new: from 0 again"), "zero"),
)


class BatchExplorer(Explorer):
    """Two or three words in one batch: their arrangement, their positions, and who sees whom."""

    name = "batch"
    title = Text("批里的位置", "Batch positions")
    rare = frozenset({"hide", "cache", "row", "window", "first"})
    tries = (
        Try(
            Text("换成旋转", "Change to rotary"),
            {"encoding": "rotary"},
            Text(
                "位置一个也没变，颜色却全部褪掉：从哪里数起，RoPE 看不出来。",
                "No position has changed, and yet the colour is gone: RoPE cannot tell where counting began.",
            ),
        ),
        Try(
            Text("打包，只重置位置", "Packed, only positions reset"),
            {"encoding": "rotary", "arrangement": "packed", "counted": "own", "hide": False},
            Text(
                "位置是对的，可第二段、第三段还是错了：掩码里的红点说明它们在读前面的文本。把掩码打开试试。",
                "Positions are right, and yet the second and third text go wrong: the red dots of the mask "
                "show them reading the texts before. Switch the mask on.",
            ),
        ),
        Try(
            Text("缓存和掩码各数各的", "Mask and cache count differently"),
            {"encoding": "rotary", "cache": True, "counted": "cache"},
            Text(
                "最后三列：短文本的位置跳了一截，离自己的旧键太远。看它们移走了多少概率。",
                "The last three columns: in short texts the position jumps, too far from the text's own old "
                "keys. See how much probability has moved.",
            ),
        ),
        Try(
            Text("窗口丢了开头", "The window loses the start"),
            {"encoding": "rotary", "counted": "own", "window": 5, "first": False},
            Text(
                "从第五个字母起，没见过的字母也被答成了见过：注意力没有地方可去了。勾上“留住起始词元”。",
                "From the fifth letter on, letters never seen are answered as if they had been: attention "
                "has nowhere to go. Keep the start token.",
            ),
        ),
    )

    def make_controls(self) -> dict[str, Control]:
        return {
            "words": TextBox(Text("两三段文本（a–z）", "two or three texts"), WORDS),
            "encoding": Choice(Text("模型的位置编码", "the model's encoding"), MODELS, "learned"),
            "arrangement": Choice(Text("怎样排", "layout"), LAYOUTS, "left"),
            "counted": Choice(Text("位置由谁数", "who counts positions"), COUNTS, "column"),
            "hide": TickBox(Text("遮住填充和别的文本", "hide padding and other texts"), True),
            "cache": TickBox(Text("最后 3 个字母经过缓存", "last 3 letters through a cache"), False),
            "row": Slider(Text("看哪一行的掩码", "mask of row"), 1, MOST_TEXTS, 1),
            "window": Slider(Text("窗口（0 不限）", "window (0: none)"), 0, MOST_LETTERS, 0),
            "first": TickBox(Text("窗口外留住起始词元", "keep the start token"), True),
        }

    def adjust(self) -> None:
        packed = self.controls["arrangement"].value == "packed"
        self.controls["cache"].disabled = packed
        self.controls["row"].disabled = packed
        self.controls["first"].disabled = not self.controls["window"].value

    def pointed(self, panel: str, x: float, y: float, kind: str = "press") -> Parameters:
        row = self.controls["row"]
        return {"row": row.nearest(y + 1)} if panel == "tokens" and not row.disabled else {}

    def compute(self, parameters: Parameters) -> Arrays:
        words = words_of(parameters["words"])
        texts = [encode(word) for word in words]
        model = exact_induction(parameters["encoding"])
        batch, chances = outcome(model, texts, **settings_of(parameters))
        moved = probability_moved(model, texts, batch, chances)
        moved[batch.place == 0] = float("nan")  # the start token has no answer
        parts = {}
        for fault in faults_in(parameters):
            settings = settings_of({**parameters, **RIGHT, fault: parameters[fault]})
            faulty, answers = outcome(model, texts, **settings)
            letters = faulty.real & (faulty.place > 0)  # without start tokens and padding
            parts[fault] = float(probability_moved(model, texts, faulty, answers)[letters].max())
        row = min(parameters["row"], len(batch.tokens)) - 1
        mask = mask_of(batch, parameters["hide"], parameters["window"], int(parameters["first"]))
        return {
            "tokens": [[SHOWN[token] for token in line] for line in batch.tokens.tolist()],
            "positions": positions_of(batch, parameters["counted"]).numpy(),
            "moved": moved.numpy(),
            "text": batch.text.numpy(),
            "seen": mask[row].numpy(),
            "row": row,
            "parts": parts,
            "worst": worst_of(model, texts, batch, moved, chances),
        }

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        names = ("tokens", "positions", "moved", "text", "seen", "row")
        return batch_scene(**{name: arrays[name] for name in names})

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        named = {fault: fault_in_words(fault, parameters) for fault in arrays["parts"]}
        harmless = [named[fault] for fault, most in arrays["parts"].items() if most < ROUNDING]
        worst = arrays["worst"]
        if worst.moved < ROUNDING:
            same = Text(
                "每个词元的输出都和它那段文本单独运行时一样（最多移走 {most} 的概率）。",
                "Every token comes out as when its text runs alone (at most {most} of the probability "
                "moves).",
            ).format(most="1e-8" if worst.moved < 1e-8 else with_minus(worst.moved, ".0e"))
            if not harmless:
                return same
            template = Text("{same}{harmless}：在这里无害。", "{same} Harmless here: {harmless}.")
            return template.format(same=same, harmless=joined(harmless, en=" and "))
        guilty = {fault: most for fault, most in arrays["parts"].items() if most >= ROUNDING} or arrays[
            "parts"
        ]
        one = Text("{fault}（单这一处最多移走 {most:.2f}）", "{fault} (by itself it moves up to {most:.2f})")
        faults = (
            one.format(fault=named[fault], most=most) if len(guilty) > 1 else named[fault]
            for fault, most in guilty.items()
        )
        text = Text(
            "错在：{fault}。最坏的是 {word} 的第 {place} 个字母 {letter}："
            "单独运行时，模型答{right}的概率是 {alone:.2f}，这里是 {in_batch}。",
            "What is wrong: {fault}. Worst is letter {place} of {word}, {letter}: run alone, the model "
            "answers {right} with probability {alone:.2f}; here {in_batch}.",
        )
        right = Text("“这个字母没出现过”", "“a new letter”")
        if worst.answer is not None:
            right = Text(f"“后面是 {worst.answer}”", f"“{worst.answer} followed”")
        return filled(
            text,
            fault=joined(faults, "；", "; "),
            right=right,
            word=Colored(worst.word, CHOSEN),
            in_batch=number(worst.in_batch, CHOSEN),
            **{name: getattr(worst, name) for name in ("place", "letter", "alone")},
        )


SHOWN = {**dict(enumerate(LETTERS)), START: "^", PAD: "·"}
# With these settings every text gives the same output as by itself.
RIGHT: Parameters = {"counted": "own", "hide": True, "window": 0}


def words_of(typed: str) -> list[str]:
    """Return the texts in ``typed``; ``Complaint`` unless there are two or three short words of a to z."""
    words = typed.lower().split()
    odd = sorted({letter for word in words for letter in word} - set(LETTERS))
    if odd:
        quoted = odd[0] if odd[0].isprintable() else f"U+{ord(odd[0]):04X}"
        raise Complaint(
            f"这个小模型只用字母 a 到 z 训练过，不认识“{quoted}”，所以这里换不成别的句子（输入的内容还在）。",
            f"This small model was trained only on the letters a to z, not “{quoted}”; no other sentence "
            "will do here (what you typed is kept).",
        )
    if not 2 <= len(words) <= MOST_TEXTS:
        raise Complaint(
            f"请输入 2 到 {MOST_TEXTS} 段文本，用空格隔开；现在有 {len(words)} 段。",
            f"Type 2 to {MOST_TEXTS} texts with a space between them; there are {len(words)}.",
        )
    short, long = min(words, key=len), max(words, key=len)
    if len(short) <= CACHED or len(long) > MOST_LETTERS:
        wrong = short if len(short) <= CACHED else long
        raise Complaint(
            f"每段要有 {CACHED + 1} 到 {MOST_LETTERS} 个字母，“{wrong[:20]}”有 {len(wrong)} 个。",
            f"Each text needs {CACHED + 1} to {MOST_LETTERS} letters; “{wrong[:20]}” has {len(wrong)}.",
        )
    return words


@lru_cache(maxsize=len(MODELS))
def exact_induction(name: str) -> DecoderOnly:
    """Return the trained model of that name in float64, in which rounding changes nothing on any machine."""
    exact: DecoderOnly = copy.deepcopy(trained_induction(name)).to(torch.float64)
    return exact


def outcome(
    model: DecoderOnly,
    texts: Sequence[Tensor],
    arrangement: Layout,
    counted: Counted,
    hide: bool,
    late: int,
    window: int,
    first: int,
) -> tuple[TextBatch, Tensor]:
    """Return ``texts`` laid out, and the probabilities of ``model``'s answers, [B, L, n_answers]."""
    batch = lay_out(texts, arrangement, PAD, late)
    return batch, run_batch(model, batch, positions_of(batch, counted), mask_of(batch, hide, window, first))


def settings_of(parameters: Parameters) -> dict[str, Any]:
    """Return the arguments of ``outcome`` that are set."""
    late = CACHED if parameters["cache"] and parameters["arrangement"] != "packed" else 0
    settings = {name: parameters[name] for name in ("arrangement", "counted", "hide", "window")}
    return {**settings, "late": late, "first": int(parameters["first"])}


def faults_in(parameters: Parameters) -> list[str]:
    """Return the controls whose values differ from those for a text by itself, if that has an effect here."""
    by_cache = parameters["counted"] in ("cache", "zero")
    late = settings_of(parameters)["late"]
    wrong = {
        "counted": parameters["counted"] == "column" or (by_cache and late > 0),
        "hide": not parameters["hide"],
        "window": parameters["window"] > 0,
    }
    return [name for name, is_wrong in wrong.items() if is_wrong]


def fault_in_words(fault: str, parameters: Parameters) -> Text:
    """Say in a few words what is wrong with that control."""
    if fault == "counted":
        return {
            "column": Text("位置从行首数", "positions counted from the start of the row"),
            "cache": Text("新词元的位置按缓存长度数", "new tokens counted on from the cache's length"),
            "zero": Text("新词元的位置又从 0 数", "new tokens counted from 0 again"),
        }[parameters["counted"]]
    if fault == "hide":
        if parameters["arrangement"] == "packed":
            return Text("没有遮住别的文本", "other texts not hidden")
        return Text("没有遮住填充", "padding not hidden")
    width = parameters["window"]
    if parameters["first"]:
        return Text(f"窗口只有 {width} 个词元", f"a window of {width} tokens")
    return Text(
        f"窗口只有 {width} 个词元，起始词元也丢了", f"a window of {width} tokens that loses the start token"
    )


class Worst(NamedTuple):
    """The token whose output changed most: letter ``place`` (from 1) of ``word``, and how it changed.

    ``text`` is the number of the word, from 0. ``answer`` is the answer if the text runs by itself, None for
    "new"; ``alone`` is the probability of that answer then, ``in_batch`` its probability in the batch.
    """

    moved: float
    text: int
    word: str
    place: int
    letter: str
    answer: str | None
    alone: float
    in_batch: float


def worst_of(
    model: DecoderOnly, texts: Sequence[Tensor], batch: TextBatch, moved: Tensor, chances: Tensor
) -> Worst:
    """Return the token of ``batch`` that ``moved`` most."""
    moves = torch.nan_to_num(moved, nan=-1.0)
    row, column = divmod(int(moves.argmax()), moves.shape[1])
    which, place = int(batch.text[row, column]), int(batch.place[row, column])
    text = texts[which]
    chances_alone = run_alone(model, text)[place]
    answer = int(chances_alone.argmax())
    return Worst(
        float(moves[row, column]),
        which,
        "".join(SHOWN[token] for token in text[1:].tolist()),
        place,
        SHOWN[int(text[place])],
        None if answer == NOTHING else LETTERS[answer],
        float(chances_alone[answer]),
        float(chances[row, column, answer]),
    )
