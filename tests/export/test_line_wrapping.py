"""Code on paper: comments are kept whole, other code does not change, and every line has its own box."""

from __future__ import annotations

import ast
import html
import re

import nbformat
import pytest

from posenc_lessons.course.lessons import shipped_lessons
from posenc_lessons.export.line_wrapping import COLUMNS, SHORT, box_lines, fit_comments, width
from posenc_lessons.export.one_language import words_in_language

LONG = "y" * 60


def test_comments_move_to_the_left_together() -> None:
    source = f"x = 1{' ' * 60}# one\n{LONG} = 2{' ' * 40}# two\nz = 3"
    assert fit_comments(source) == f"x = 1{' ' * 61}# one\n{LONG} = 2  # two\nz = 3"


def test_letters_of_full_width_take_two_columns() -> None:
    assert [width(text) for text in ("位", "Ａ", "，", "A", "θ")] == [2, 2, 2, 1, 1]


def test_a_comment_without_room_comes_before_its_line() -> None:
    source = f"if x:\n    {LONG} = 2  # {'word ' * 9}end"
    assert fit_comments(source) == f"if x:\n    # {'word ' * 9}end\n    {LONG} = 2"


@pytest.mark.parametrize(
    "source", ["x = 1        # one", f"{LONG} = '# no comment {LONG}'", f"%magic {LONG * 2}"]
)
def test_other_code_stays(source: str) -> None:
    assert fit_comments(source) == source


@pytest.mark.parametrize("lesson", ["03_learned", "05_rotary", "06_cope"])
def test_lessons_mean_the_same_and_their_comments_fit(lesson: str) -> None:
    notebook = nbformat.read(shipped_lessons() / f"{lesson}.ipynb", as_version=4)
    changed = 0
    for cell in words_in_language(notebook, "zh").cells:
        if cell.cell_type == "code" and (source := fit_comments(cell.source)) != cell.source:
            changed += 1
            assert ast.dump(ast.parse(source)) == ast.dump(ast.parse(cell.source))
            commented = [line for line in source.split("\n") if re.search(r"\S.*  # ", line)]
            assert all(width(line) <= COLUMNS for line in commented)
    assert changed


def test_every_line_has_a_box_and_the_words_stay() -> None:
    text = "def f():\n    return <b>\n\nprint()"
    markup = box_lines(f'<pre tabindex="0">{html.escape(text)}\n</pre>')
    boxes = re.findall(r'<span class="line" style="--indent:(\d+)ch">(.*?)</span>', markup)
    assert [(int(indent), html.unescape(line)) for indent, line in boxes] == [
        *((0, "def f():"), (4, "    return <b>"), (0, ""), (0, "print()"))
    ]
    assert markup.count('class="chunk"') == 2 and '<pre class="short">' in markup
    long = "\n".join(["x"] * (SHORT + 1))
    assert "short" not in box_lines(f"<pre>{long}</pre>")
