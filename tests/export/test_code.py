"""Code cells in one language run as before."""

import ast

import pytest

from posenc_lessons.export.code import in_language

CELL = '''\
x = Text("词元", "token")  # 名字 · a name
y = [Text(f"第 {n} 个", f"number {n}") for n in range(2)]  # 只有中文
z = 1          # 一 · one
zzz = 1        # 二 · two
def f(a):
    """一个数 → 一个数 · one number → one number"""
    return a[0], 'it\\'s', f"{a} 对 · pairs: {a:>4}"
'''


def test_each_form_of_bilingual_code_in_english() -> None:
    assert (
        in_language(CELL, "en")
        == '''\
x = Text("token")  # a name
y = [Text(f"number {n}") for n in range(2)]  # 只有中文
z = 1    # one
zzz = 1  # two
def f(a):
    """one number → one number"""
    return a[0], 'it\\'s', f"{a} 对 · pairs: {a:>4}"
'''
    )


def test_each_form_of_bilingual_code_in_chinese() -> None:
    chinese = in_language(CELL, "zh")
    assert 'Text("词元")  # 名字\n' in chinese
    assert 'Text(f"第 {n} 个") for n in range(2)]  # 只有中文' in chinese
    assert '一个数 → 一个数"""' in chinese
    ast.parse(chinese)


def test_columns_after_chinese_are_found() -> None:
    """Python counts columns in bytes, of which a Chinese character has three."""
    assert in_language('f("词词词 · w", Text("甲甲", "a"), "乙 · b")', "en") == 'f("w", Text("a"), "b")'


def test_the_language_switch_becomes_a_choice_of_one_language() -> None:
    source = "from posenc_lessons.course.switch import language_switch\n\nlanguage_switch()"
    assert in_language(source, "en") == source.replace("language_switch()", 'single_language("en")').replace(
        "language_switch", "single_language"
    )


@pytest.mark.parametrize("source", ["%matplotlib inline", "def (", ""])
def test_code_that_is_not_python_stays(source: str) -> None:
    assert in_language(source, "en") == source
