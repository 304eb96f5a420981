"""The comparison of the languages accepts a correct cell and names each kind of difference."""

from __future__ import annotations

import pytest

from tests.notebooks.bilingual import comment_problems, problems

GOOD = """\
## 3 · 为什么要位置 · Why positions

<div lang="zh">

第 2 行是 $PE(p)$，代码是 `x[:, :4]`，一共 10000 个词元（见[上一课](01_why_position.ipynb)）：

- 第一点
- 第二点

| $d$ | 4 |
|---|---|

$$a = b$$

```python
y = 1
```

</div>
<div lang="en">

Row 2 is $PE(p)$, in code `x[:, :4]`, 10,000 tokens in all (see [the last lesson](01_why_position.ipynb)):

- one
- two

| $d$ | 4 |
|---|---|

$$a = b$$

```python
y = 1
```

</div>

$$PE(p+k) = M_k\\,PE(p)$$"""


def test_a_good_cell_has_no_problems() -> None:
    assert problems(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('<div lang="zh">\n\n第 2', '<div lang="zh">\n第 2', 'no blank line after <div lang="zh">'),
        ("```\n\n</div>\n<div", "```\n\n<div", "opens inside another block"),
        ('<div lang="en">\n\nRow', '<div lang="zh">\n\nRow', "blocks must alternate zh en"),
        ("为什么要位置 · Why positions", "为什么要位置", "heading is not of the form"),
        ("为什么要位置 · Why positions", "练习 1 · Exercise 2", "numbers in the heading only in zh: 1"),
        ("\n$$PE(p+k)", "\nLook:\n\n$$PE(p+k)", "prose outside the language blocks: Look:"),
        ("\n$$PE(p+k)", "\n![a map](x.png)\n\n$$PE(p+k)", "picture without a description"),
        ("Row 2 is $PE(p)$", "Row 2 is $PE(q)$", "inline formulas only in zh: PE(p)"),
        ("in code `x[:, :4]`", "in code `x[:, 4]`", "inline code only in zh: x[:, :4]"),
        ("10,000", "100,000", "numbers only in zh: 10000"),
        ("lesson](01_why_position", "lesson](00_start_here", "links only in en: 00_start_here.ipynb"),
        ("- one\n- two", "- one", "lists differ in shape"),
        (
            "| $d$ | 4 |\n|---|---|\n\n$$a = b$$\n\n```python\ny = 1\n```\n\n</div>\n\n",
            "</div>\n\n",
            "tables differ",
        ),
        ("- one", "- 一", "Chinese in the English block"),
        ("第 2 行是", "第 2 行 which is the row that we all want to see 是", "an English sentence"),
        ("第一点", "第一点.", "halfwidth punctuation after Chinese"),
        ("个词元", "个", 'the English says "tokens", the Chinese never says 词元'),
        ("个词元", "个词元（代币）", "mistranslation 代币, say 词元"),
    ],
)
def test_each_kind_of_difference_is_named(old: str, new: str, problem: str) -> None:
    assert old in GOOD
    named = problems(GOOD.replace(old, new, 1))
    assert any(problem in name for name in named), named


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("x = 1  # 每行和为 1 · rows sum to 1", 0),
        ("# [n_heads · d_head] → 同样形状 · the same shape", 0),
        ("# sin cos sin cos", 0),
        ("x = 1  # 每行和为 1", 1),
        ("x = 1  # every row sums to one", 1),
        ('def f():\n    """返回位置表。"""', 1),
    ],
)
def test_comments_are_in_both_languages(code: str, found: int) -> None:
    assert len(comment_problems(code)) == found
