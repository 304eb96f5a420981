"""The comparison of the languages: it accepts correct cells and names each kind of difference."""

from __future__ import annotations

import pytest

from tests.notebooks.bilingual import comment_problems, problems

GOOD = """\
## 3 · 为什么要位置 · Why positions

<div lang="zh">

第 2 行是 $PE(p)$，代码是 `x[:, :4]`，一共 10000 个词元（见[上一课](01_why_position.ipynb)）。

- 第一点
- 第二点

| 量 | 值 |
|---|---|
| $d$ | 4 |

</div>
<div lang="en">

Row 2 is $PE(p)$, in code `x[:, :4]`, 10,000 tokens in all (see [the last lesson](01_why_position.ipynb)).

- one
- two

| quantity | value |
|---|---|
| $d$ | 4 |

</div>

$$PE(p+k) = M_k\\,PE(p)$$

<div lang="zh">

GPT-2 和 T5 都可以提，*Attention Is All You Need* 也可以：

$$a = b$$

```python
y = 1
```

</div>
<div lang="en">

You may speak of T5 and T5 again, and of GPT-2:

$$a = b$$

```python
y = 1
```

</div>"""


def test_a_good_cell_has_no_problems() -> None:
    assert problems(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        # tags
        ('<div lang="zh">\n\n第 2', '<div lang="zh">\n第 2', 'no blank line after <div lang="zh">'),
        ("| $d$ | 4 |\n\n</div>\n<div", "| $d$ | 4 |\n</div>\n<div", "no blank line before </div>"),
        ("</div>\n\n$$PE", "\n$$PE", "opens inside another block"),
        ("```\n\n</div>\n<div", "```\n\n<div", 'opens inside another block'),
        ('<div lang="en">\n\nYou', '  <div lang="en">\n\nYou', "not alone on its line"),
        ('<div lang="en">\n\nYou', '<div lang="zh">\n\nYou', "blocks must alternate zh en"),
        (GOOD[GOOD.index("You may") : -len("</div>")], "\n", "the en block is empty"),
        # headings and text outside blocks
        ("为什么要位置 · Why positions", "Why positions", "heading is not of the form"),
        ("为什么要位置 · Why positions", "为什么要位置", "heading is not of the form"),
        ("为什么要位置 · Why positions", "练习 1 · Exercise 2", "numbers in the heading only in zh: 1"),
        ("- one\n", "### One\n\n- one\n", "heading inside the en block"),
        ("\n$$PE(p+k)", "\nLook:\n\n$$PE(p+k)", "prose outside the language blocks: Look:"),
        ("\n$$PE(p+k)", "\n看：\n\n$$PE(p+k)", "prose outside the language blocks: 看："),
        ("\n$$PE(p+k)", "\n![a map](x.png)\n\n$$PE(p+k)", "picture without a description"),
        # facts
        ("Row 2 is $PE(p)$", "Row 2 is $PE(q)$", "inline formulas only in zh: PE(p)"),
        ("Row 2 is $PE(p)$", "Row 2 is $PE(p)$ or $q$", "inline formulas only in en: q"),
        ("in code `x[:, :4]`", "in code `x[:, 4]`", "inline code only in zh: x[:, :4]"),
        ("Row 2 is", "Row 3 is", "numbers only in en: 3"),
        ("10,000", "100,000", "numbers only in zh: 10000"),
        ("Row 2 is", "The row is", "numbers only in zh: 2"),
        ("lesson](01_why_position", "lesson](00_start_here", "links only in en: 00_start_here.ipynb"),
        ("- one\n- two", "- one", "lists differ in shape"),
        ("- one\n- two", "1. one\n2. two", "lists differ in shape"),
        ("- one\n- two", "- one\n  - two", "lists differ in shape"),
        ("| quantity | value |\n|---|---|\n", "", "tables differ in shape: zh [(2, 2)], en [(1, 2)]"),
        ("| quantity | value |", "| quantity | value | why |", "tables differ in shape"),
        ("again, and of GPT-2:\n\n$$a = b$$", "again:\n\n$$a = c$$", "display formulas only in en: a = c"),
        ("y = 1", "y = 2", "code blocks only in"),
        # languages
        ("- one", "- 一", "Chinese in the English block"),
        ("- one", "- one，", "Chinese in the English block"),
        ("第 2 行是", "第 2 行 which is the row that we all want to see 是", "an English sentence"),
        ("第 2 行是", "第 ２ 行是", "fullwidth digit"),
        ("代码是", "代码是,代码", "halfwidth punctuation after Chinese"),
        ("第一点", "第一点.", "halfwidth punctuation after Chinese"),
        # terms
        ("个词元", "个", 'the English says "tokens", the Chinese never says 词元'),
        ("个词元", "个词元（代币）", "mistranslation 代币, say 词元"),
        ("第一点", "头寸指数", "mistranslation 头寸, say 位置索引"),
    ],
)  # fmt: skip
def test_each_kind_of_difference_is_named(old: str, new: str, problem: str) -> None:
    assert GOOD.count(old) >= 1
    named = problems(GOOD.replace(old, new, 1))
    assert any(problem in name for name in named), named


@pytest.mark.parametrize(
    "code",
    [
        "x = 1  # [B, L, d]",
        "x = 1  # 每行和为 1 · rows sum to 1",
        "x = '#中文'  # θ_i",
        '"""[B, L] → [L]"""',
        "# ✘ 先舍入位置 · positions rounded",
        "# BERT",
        "# sin cos sin cos",
        "# [n_heads · d_head] → 同样形状 · the same shape",
    ],
)
def test_comments_in_both_languages_are_accepted(code: str) -> None:
    assert comment_problems(code) == []


@pytest.mark.parametrize(
    "code",
    [
        "x = 1  # 每行和为 1",
        "x = 1  # every row sums to one",
        "x = 1  # rows sum to 1 · 每行和为 1",
        'def f():\n    """Return the table of positions."""',
        'def f():\n    """返回位置表。"""',
    ],
)
def test_comments_in_one_language_are_reported(code: str) -> None:
    assert len(comment_problems(code)) == 1
