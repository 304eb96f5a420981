"""中文 · English as one language says it, with what both share kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc_lessons.export.phrases import halfwidth, heading, lines, phrase
from posenc_lessons.language import CHINESE


@pytest.mark.parametrize(
    ("both", "zh", "en"),
    [
        ("每行和为 1 · each row sums to 1", "每行和为 1", "each row sums to 1"),
        ("✘ 太晚了 · too late", "✘ 太晚了", "✘ too late"),
        ("RoPE 没有要存的 · RoPE has nothing to save", "RoPE 没有要存的", "RoPE has nothing to save"),
        ("x → 一个数 · one number", "x → 一个数", "x → one number"),
        ("[L] → [L]，位置 0 · position 0", "[L] → [L]，位置 0", "[L] → [L], position 0"),
        ("[B, L, 头 · heads, d]", "[B, L, 头, d]", "[B, L, heads, d]"),
        ("[2 层 · layers, 2 头 · heads, L]", "[2 层, 2 头, L]", "[2 layers, 2 heads, L]"),
        ("[CLS] 狗 咬 人 · [CLS] dog bites man", "[CLS] 狗 咬 人", "[CLS] dog bites man"),
        ("{n} 对 · pairs: {mean:.2f} rad", "{n} 对: {mean:.2f} rad", "{n} pairs: {mean:.2f} rad"),
        ("128, 微调前最好 · best before tuning:", "128, 微调前最好:", "128, best before tuning:"),
        ("因果：只往回看 · causal: back only", "因果：只往回看", "causal: back only"),
        ("cummax：到此为止最大 · cummax: largest so far", "cummax：到此为止最大", "cummax: largest so far"),
        ("→ (cos, sin)：[length, d/2]", "→ (cos, sin)：[length, d/2]", "→ (cos, sin): [length, d/2]"),
        ("a · b", "a · b", "a · b"),
        ("只有中文", "只有中文", ""),
    ],
)
def test_a_phrase(both: str, zh: str, en: str) -> None:
    assert (phrase(both, "zh"), phrase(both, "en"), phrase(both, "both")) == (zh, en, both)


@given(st.text(alphabet="ab1 ·，。：《（中文[]{}→✘, \n"))
def test_no_chinese_is_ever_left_in_english(text: str) -> None:
    assert not CHINESE.search(lines(text, "en"))


@pytest.mark.parametrize(
    ("both", "zh", "en"),
    [
        ("## 路 · The path", "## 路", "## The path"),
        ("## 3 · 一整行 · A whole row", "## 3 · 一整行", "## 3 · A whole row"),
        ("### 练习 1 · 行号 · Exercise 1 · row numbers", "### 练习 1 · 行号", "### Exercise 1 · row numbers"),
        ("# 05 旋转 · Rotary", "# 05 · 旋转", "# 05 · Rotary"),
        ("# RoPE", "# RoPE", "# RoPE"),
    ],
)
def test_a_heading(both: str, zh: str, en: str) -> None:
    assert (heading(both, "zh"), heading(both, "en")) == (zh, en)


def test_an_error_said_twice_is_said_once() -> None:
    printed = "1.0\nIndexError: position 48 is not in the table\n表里没有位置 48\n2.0"
    assert lines(printed, "en") == "1.0\nIndexError: position 48 is not in the table\n2.0"
    assert lines(printed, "zh") == "1.0\nIndexError: 表里没有位置 48\n2.0"


def test_fullwidth_marks_become_halfwidth() -> None:
    assert halfwidth("（a），ｂ；c") == " (a), b; c"
