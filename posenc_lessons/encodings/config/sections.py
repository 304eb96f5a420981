"""Read which coordinate of a position each pair of a head reads: time, row or column (M-RoPE)."""

from __future__ import annotations

from typing import Any, NamedTuple

from posenc_lessons.encodings.config.families import Family
from posenc_lessons.encodings.config.keys import Keys
from posenc_lessons.encodings.rotary_axes import Layout, sectioned_frequencies
from posenc_lessons.language import BilingualValueError, Text

#: The keys that say how many pairs read each coordinate, and whether coordinates take turns.
SECTIONS, TURNS = "mrope_section", "mrope_interleaved"

IGNORED = Text(
    "mrope_section 把频率分给图像的几个坐标；文字的几个坐标相等，和普通的 RoPE 一样",
    "mrope_section deals the frequencies to the coordinates of an image; those of text are equal, as in"
    " plain RoPE",
)
ON_TEXT = Text(
    "文字的几个坐标相等，所以只有文字时和普通的 RoPE 一样",
    "the coordinates of text are equal, so on text alone this is plain RoPE",
)


class Sections(NamedTuple):
    """How many pairs read each coordinate, and in which layout."""

    pairs: tuple[int, ...]
    layout: Layout


def sections_of(rope: Keys, family: Family, pairs: int) -> Sections | None:
    """Return how ``pairs`` pairs share the coordinates in the family's code; None for one coordinate.

    Raises:
        ValueError: sections that are not a list of whole numbers, with which the code fails, or that
            ``MultiAxisRotary`` cannot express.
    """
    if not family.sections:
        return None
    said, turns = rope.said(SECTIONS), rope.said(TURNS, "interleaved")
    rule = family.sections["layout"]
    if rule == "alternate":  # rows and columns always take turns; files do not decide
        return Sections((pairs - pairs // 2, pairs // 2), "interleaved")
    if turns is not None and bool(turns) != (rule == "interleaved"):
        raise BilingualValueError(
            f"{rope.where}{TURNS} 是 {turns!r}，但 {family.source} 的代码里，各坐标的特征对"
            + ("总是轮流排" if rule == "interleaved" else "总是一段接一段"),
            f"{rope.where}{TURNS} is {turns!r}, but in the code of {family.source} the coordinates' pairs "
            + ("always take turns" if rule == "interleaved" else "always stand in sections"),
        )
    sections = _whole_numbers(rope, family.sections.get("default") if said is None else said)
    if rule == "contiguous":
        if sum(sections) != pairs:
            raise BilingualValueError(
                f"{rope.where}{SECTIONS} 是 {sections}，和是 {sum(sections)}，而旋转的特征有 {pairs} 对："
                f"两者必须相等",
                f"{rope.where}{SECTIONS} is {sections}, which adds up to {sum(sections)}, but {pairs} pairs "
                f"rotate: the two must be equal",
            )
        return Sections(tuple(sections), "contiguous")
    return _taking_turns(rope, family, sections, pairs)


def _taking_turns(rope: Keys, family: Family, sections: list[int], pairs: int) -> Sections:
    """Return the sections that Qwen3-VL's rule makes of ``sections``.

    Pairs 1, 4, 7, … read the row and pairs 2, 5, 8, … the column, as many as the sections say or as there
    are; all other pairs read the time.
    """
    axis_of_pair = [0] * pairs
    for axis in (1, 2):
        for pair in range(axis, min(3 * sections[axis], pairs), 3):
            axis_of_pair[pair] = axis
    found = tuple(axis_of_pair.count(axis) for axis in range(3))
    ours = sectioned_frequencies(found, layout="interleaved").argmax(dim=0).tolist()
    if ours != axis_of_pair:
        raise BilingualValueError(
            f"{rope.where}{SECTIONS} 是 {sections}：{family.source} 的代码用它得到的排法，这里的编码没有",
            f"{rope.where}{SECTIONS} is {sections}: no encoding here has the order that the code of "
            f"{family.source} makes of it",
        )
    return Sections(found, "interleaved")


def _whole_numbers(rope: Keys, sections: Any) -> list[int]:
    right = isinstance(sections, (list, tuple)) and len(sections) == 3
    if not right or not all(type(each) is int and each >= 0 for each in sections):
        raise BilingualValueError(
            f"{rope.where}{SECTIONS} 必须是三个整数，依次是时间、行、列的特征对数，收到 {sections!r}",
            f"{rope.where}{SECTIONS} must be three whole numbers, the pairs of time, row and column; "
            f"got {sections!r}",
        )
    return list(sections)
