"""The answer of ``probe_rotation``, and how it is put in words."""

from dataclasses import asdict, dataclass
from typing import Any

from posenc_lessons.encodings import ContextExtension
from posenc_lessons.language import Text, current, joined

PAIRINGS = {
    "interleaved": Text("相邻配对", "interleaved"),
    "half_split": Text("对半配对", "half-split"),
    "listed": Text("另一种配对", "other"),
}
DIRECTIONS = {
    "anticlockwise": Text("逆时针", "anticlockwise"),
    "clockwise": Text("顺时针（转置了）", "clockwise (transposed)"),
    "mixed": Text("方向不一", "not all in one direction"),
}
# The orders of tables that the probe hands over.
TABLES = {
    "of half the width": "宽度是一半",
    "concatenated": "前后拼接",
    "repeated": "逐个重复",
    "as complex numbers": "复数",
}


@dataclass(frozen=True)
class Rotation:
    """What a function does with features and positions, as measured by ``probe_rotation``.

    It is a rotation if every position multiplies each pair of features by a rotation and all by one scale.
    Where it is none, ``problem`` says what it is, and most of the rest is empty.
    """

    is_rotation: bool
    d_head: int
    problem: Text | None = None
    pairing: str | None = None  # "interleaved", "half_split", or "listed" if the pairs follow neither
    pairs: tuple[tuple[int, int], ...] = ()  # the features of each pair that rotates, by the first
    signs: tuple[int, ...] = ()  # of each pair, +1 anticlockwise, from the first feature to the second
    inverse_frequencies: tuple[float, ...] = ()  # of each pair, radians per position, 0 or more
    base: float | None = None  # of the rule base^(−2i/width) that they follow; None if they follow none
    width: int | None = None
    extension: ContextExtension | None = None  # an original_length of 1 stands for any
    scale: float = 1.0  # the factor of the rotated features, as YaRN's attention factor
    keeps_lengths: bool = False
    zero_is_identity: bool = False  # position 0 changes nothing
    modulo_2pi: bool = False  # only whole positions could be asked: frequencies are known modulo 2π
    along: str = "tokens"  # the axis of x that positions run along: "tokens" −2, "heads" −3, "batch" −4
    reads_positions: bool = True  # False: it counts tokens itself
    right_up_to: float = 0  # the farthest position that was right
    deviation: float | None = None  # the largest one of a number from this answer, at positions up to 100
    far_deviation: float | None = None  # at position 1,000,000; None where it raises or is wrong before
    bfloat16_deviation: float | None = None  # in bfloat16, up to position 4095; None where it raises
    tables: str | None = None  # the order of the tables of cos and sin that were handed over
    notes: tuple[Text, ...] = ()  # what else is unusual

    @property
    def features(self) -> int:
        """How many features rotate."""
        return 2 * len(self.pairs)

    @property
    def share(self) -> float:
        """The share of the features that rotate."""
        return self.features / self.d_head

    @property
    def direction(self) -> str | None:
        """The direction of all pairs: "anticlockwise", "clockwise" or "mixed"; None if nothing rotates."""
        kinds = set(self.signs)
        return None if not kinds else "mixed" if len(kinds) == 2 else list(DIRECTIONS)[kinds == {-1}]

    @property
    def verdict(self) -> Text:
        """The first line of the answer."""
        if self.problem is not None:
            return Text(f"不是旋转：{self.problem.zh}。", f"This is not a rotation: {self.problem.en}.")
        some = self.pairs if self.pairing == "listed" and len(self.pairs) <= 16 else self.pairs[:3]
        pairs = ", ".join(map(str, some)) + (", …" if len(some) < len(self.pairs) else "")
        pairing, direction = PAIRINGS[self.pairing or "listed"], DIRECTIONS[self.direction or "mixed"]
        return Text(
            f"它按{pairing.zh}旋转：{pairs}；{direction.zh}；{self.d_head} 个特征里转 {self.features} 个。",
            f"It rotates {pairing.en} pairs: {pairs}; {direction.en}; {self.features} of {self.d_head} "
            "features.",
        )

    @property
    def text(self) -> Text:
        """The answer in both languages, some lines each."""
        numbers = [] if self.problem is not None else [*self._frequencies(), self._precision()]
        return joined([self.verdict, *numbers, *self.notes], "\n", "\n")

    def __str__(self) -> str:
        text = self.text
        return f"{text.en}\n\n{text.zh}" if current() == "both" else text.show()

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as numbers, lists and English words, for JSON."""
        words = {"problem": self.problem and self.problem.en, "notes": [note.en for note in self.notes]}
        counts = {"features": self.features, "share": self.share, "direction": self.direction}
        return asdict(self) | counts | words

    def _frequencies(self) -> list[Text]:
        some = ", ".join(f"{value:.6g}" for value in self.inverse_frequencies[:4])
        some += ", …" if len(self.inverse_frequencies) > 4 else ""
        lines = [Text(f"每个位置转的弧度：{some}。", f"Radians per position: {some}.")]
        if self.tables is not None:
            zh = f"它要的 cos 和 sin：{TABLES[self.tables]}；频率是探测时给的，不是它自己的。"
            en = f"It takes cos and sin {self.tables}; their frequencies are the probe's, not its own."
            lines.append(Text(zh, en))
        if self.base is not None:
            rule = f"{self.base:.12g}^(−2i/{self.width})"
            stretch = self._stretch()
            lines.append(Text(f"规律：{rule}{stretch.zh}。", f"Rule: {rule}{stretch.en}."))
        elif len(self.pairs) > 1:
            lines.append(Text("频率不合任何已知的规律。", "The frequencies follow no rule that we know."))
        if not self.keeps_lengths:
            scale = f"{self.scale:.6g}"
            lines.append(Text(f"转的特征都乘上了 {scale}。", f"Rotated features are multiplied by {scale}."))
        if self.modulo_2pi:
            zh = "只能问整数位置，所以频率只知道到相差 2π 的整数倍。"
            lines.append(Text(zh, "Only whole positions could be asked, so frequencies are known modulo 2π."))
        return lines

    def _stretch(self) -> Text:
        if self.extension is None:
            return Text("", "")
        kind, length = (
            f"{self.extension.method}, s = {self.extension.factor:g}",
            self.extension.original_length,
        )
        zh, en = ("", "") if length == 1 else (f"，训练长度 {length}", f", trained on {length}")
        return Text(f"，拉长：{kind}{zh}", f", extended: {kind}{en}")

    def _precision(self) -> Text:
        zh, en = f"误差最多 {self.deviation:.1e}", f"Off by at most {self.deviation:.1e}"
        if self.far_deviation is not None:
            zh += f"，位置 1,000,000 处 {self.far_deviation:.1e}"
            en += f", {self.far_deviation:.1e} at position 1,000,000"
        if self.bfloat16_deviation is not None:
            wrong = self.bfloat16_deviation > 0.01 * max(self.scale, 1)
            zh += f"，bfloat16 {self.bfloat16_deviation:.1e}" + "（不对）" * wrong
            en += f", {self.bfloat16_deviation:.1e} in bfloat16" + " (wrong)" * wrong
        return Text(f"{zh}。", f"{en}.")
