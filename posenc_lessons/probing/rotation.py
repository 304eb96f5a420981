"""The answer of ``probe_rotation``, and how it is put in words."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from posenc_lessons.encodings import ContextExtension
from posenc_lessons.language import Text, current, joined


@dataclass(frozen=True)
class Rotation:
    """What a function does with features and positions, as measured by ``probe_rotation``.

    Where it is no rotation, ``problem`` says what it is and the rest stays empty.

    Args:
        is_rotation: every position multiplies each pair of features by a rotation and all by one scale.
        d_head: the features that it was probed with.
        problem: what it does instead of rotating; None for a rotation.
        pairing: "interleaved", "half_split", or "listed" if ``pairs`` follow neither.
        pairs: the features of each pair that rotates, by the first.
        signs: for each pair +1 for anticlockwise, from the first feature to the second; −1 for clockwise.
        inverse_frequencies: for each pair radians per position, 0 or more.
        width: the width in the exponent −2i/width of the fitted frequencies.
        base, extension: the rule that the frequencies follow; None if none fits. A length of 1 in a linear or
            NTK extension stands for any.
        scale: the factor of the rotated features, as YaRN's attention factor.
        keeps_lengths: a vector of rotated features is as long as before.
        zero_is_identity: position 0 changes nothing.
        modulo_2pi: positions between whole numbers could not be asked, so frequencies are known modulo 2π.
        along: the axis of x that positions belong to: "tokens" (−2), "heads" (−3), "batch" (−4).
        reads_positions: False for a function that counts tokens itself.
        right_up_to: the farthest position up to which every angle was right.
        deviation: the largest deviation of a number from the fit, at positions up to 100.
        far_deviation: the same at position 1,000,000; None where the function raises or is not asked.
        bfloat16_deviation: the same in bfloat16 at positions up to 4,095; None where it raises.
        tables: the order of the tables of cos and sin that were handed over.
        axis_of_pair: which coordinate rotates each pair, where positions have several; −1 for several.
        notes: what else is unusual.
    """

    is_rotation: bool
    d_head: int
    problem: Text | None = None
    pairing: str | None = None
    pairs: tuple[tuple[int, int], ...] = ()
    signs: tuple[int, ...] = ()
    inverse_frequencies: tuple[float, ...] = ()
    width: int | None = None
    base: float | None = None
    extension: ContextExtension | None = None
    scale: float = 1.0
    keeps_lengths: bool = False
    zero_is_identity: bool = False
    modulo_2pi: bool = False
    along: str = "tokens"
    reads_positions: bool = True
    right_up_to: float = 0
    deviation: float | None = None
    far_deviation: float | None = None
    bfloat16_deviation: float | None = None
    tables: str | None = None
    axis_of_pair: tuple[int, ...] | None = None
    notes: tuple[Text, ...] = ()

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
        """ "anticlockwise", "clockwise", "mixed"; None if nothing rotates."""
        names = {1: "anticlockwise", -1: "clockwise"}
        kinds = set(self.signs)
        return "mixed" if len(kinds) > 1 else names[kinds.pop()] if kinds else None

    @property
    def text(self) -> Text:
        """The answer in both languages, a line for each part."""
        return joined(self._lines(), "\n", "\n")

    def __str__(self) -> str:
        text = self.text
        return f"{text.en}\n\n{text.zh}" if current() == "both" else text.show()

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as numbers, lists and English words, for JSON."""
        answer = asdict(self)
        answer |= {"features": self.features, "share": self.share, "direction": self.direction}
        answer["problem"] = self.problem and self.problem.en
        answer["notes"] = [note.en for note in self.notes]
        return answer

    def _lines(self) -> list[Text]:
        if self.problem is not None:
            head = Text(f"不是旋转：{self.problem.zh}。", f"This is not a rotation: {self.problem.en}.")
            return [head, *self.notes]
        return [*self._pair_lines(), *self._frequency_lines(), self._precision_line(), *self.notes]

    def _pair_lines(self) -> list[Text]:
        names = {
            "interleaved": Text("相邻配对", "interleaved"),
            "half_split": Text("对半配对", "half-split"),
            "listed": Text("自成一套的配对", "in an order of their own"),
        }
        turns = {
            "anticlockwise": Text("逆时针", "anticlockwise"),
            "clockwise": Text("顺时针（转置了）", "clockwise (transposed)"),
            "mixed": Text("方向不一", "in different directions"),
        }
        some = self.pairs if self.pairing == "listed" and len(self.pairs) <= 16 else self.pairs[:3]
        pairs = ", ".join(map(str, some)) + (", …" if len(some) < len(self.pairs) else "")
        name, turn = names[self.pairing or "listed"], turns[self.direction or "mixed"]
        return [
            Text(
                f"旋转，{name.zh}：{pairs}；{turn.zh}。{self.d_head} 个特征里转 {self.features} 个。",
                f"A rotation; pairs are {name.en}: {pairs}; {turn.en}. "
                f"{self.features} of {self.d_head} features rotate.",
            )
        ]

    def _frequency_lines(self) -> list[Text]:
        some = ", ".join(f"{value:.6g}" for value in self.inverse_frequencies[:4])
        some += ", …" if len(self.inverse_frequencies) > 4 else ""
        lines = [Text(f"每个位置转的弧度：{some}。", f"Radians per position: {some}.")]
        if self.base is not None:
            rule = f"{self.base:.12g}^(−2i/{self.width})"
            stretch = Text("", "") if self.extension is None else self._stretch()
            lines.append(Text(f"规律：{rule}{stretch.zh}。", f"Rule: {rule}{stretch.en}."))
        elif len(self.inverse_frequencies) > 1:
            lines.append(Text("这些频率不合任何已知的规律。", "No rule that we know fits these frequencies."))
        if abs(self.scale - 1) > 1e-6:
            lines.append(
                Text(
                    f"转的特征都乘上了 {self.scale:.6g}，长度随之改变。",
                    f"Rotated features are multiplied by {self.scale:.6g}, and their lengths with them.",
                )
            )
        if self.modulo_2pi:
            lines.append(
                Text(
                    "只能问整数位置，所以频率差 2π 的整数倍也测不出来。",
                    "Only whole positions could be asked, so frequencies are known modulo 2π.",
                )
            )
        return lines

    def _stretch(self) -> Text:
        extension = self.extension
        assert extension is not None  # the caller looked
        kind = f"{extension.method}, s = {extension.factor:g}"
        if extension.method in ("linear", "ntk"):
            return Text(f"，拉长：{kind}", f", extended: {kind}")
        length = extension.original_length
        return Text(f"，拉长：{kind}，训练长度 {length}", f", extended: {kind}, trained on {length}")

    def _precision_line(self) -> Text:
        zh, en = [f"与此相差最多 {self.deviation:.1e}"], [f"Off by at most {self.deviation:.1e}"]
        if self.far_deviation is not None:
            zh.append(f"位置 1,000,000 处 {self.far_deviation:.1e}")
            en.append(f"{self.far_deviation:.1e} at position 1,000,000")
        if self.bfloat16_deviation is not None:
            fine = self.bfloat16_deviation < 0.01 * self.scale
            zh.append(f"bfloat16 {self.bfloat16_deviation:.1e}{'' if fine else '（不对）'}")
            en.append(f"{self.bfloat16_deviation:.1e} in bfloat16{'' if fine else ' (wrong)'}")
        return Text("，".join(zh) + "。", ", ".join(en) + ".")
