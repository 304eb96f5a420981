"""Text as 中文 · English, and each of its two sides."""

import pytest

from posenc_lessons.export.two_sides import heading, in_language


@pytest.mark.parametrize(
    ("both", "zh", "en"),
    [
        ("每行和为 1 · each row sums to 1", "每行和为 1", "each row sums to 1"),
        ("因果：只往回看 · causal: back, and only back", "因果：只往回看", "causal: back, and only back"),
        ("甲 · 乙 · both", "甲 · 乙", "both"),
        ("a · b", "a · b", "a · b"),
        ("甲 · a，b", "甲 · a，b", "甲 · a，b"),
        ("英文在前 · Chinese 在后", "英文在前 · Chinese 在后", "英文在前 · Chinese 在后"),
    ],
)
def test_the_two_sides_of_a_line(both: str, zh: str, en: str) -> None:
    assert (in_language(both, "zh"), in_language(both, "en"), in_language(both, "both")) == (zh, en, both)


@pytest.mark.parametrize(
    ("both", "zh", "en"),
    [
        ("## 路 · The path", "## 路", "## The path"),
        ("## 3 · 一整行 · A whole row", "## 3 · 一整行", "## 3 · A whole row"),
        ("### 练习 1 · 行号 · Exercise 1: row numbers", "### 练习 1 · 行号", "### Exercise 1: row numbers"),
        ("# 05 旋转 · Rotary", "# 05 · 旋转", "# 05 · Rotary"),
        ("# RoPE", "# RoPE", "# RoPE"),
    ],
)
def test_the_two_sides_of_a_heading(both: str, zh: str, en: str) -> None:
    assert (heading(both, "zh"), heading(both, "en"), heading(both, "both")) == (zh, en, both)
