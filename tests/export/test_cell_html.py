"""Cells of a lesson on its page: stills, folds, and what is left out."""

from __future__ import annotations

import re
from typing import Any

import nbformat
from nbformat import v4

from posenc_lessons.course.guess import Answer, Guess, answer_html, question_html
from posenc_lessons.course.sections import FOLDED
from posenc_lessons.export.markdown import render
from posenc_lessons.export.site import site
from posenc_lessons.language import Text
from tests.support.exported import Page, with_stills


def test_an_explorer_becomes_stills_with_a_slider() -> None:
    markup = site({"play.ipynb": with_stills('"><script>')}, "en")["play.html"].decode()
    assert 'data-place="&quot;&gt;&lt;script&gt;"' in markup and "n = 1 &lt; 9" in markup
    page = Page(markup)
    assert [image["alt"] for image in page.images] == ["picture 0", "picture 1", "picture 2"]
    (slider,) = page.inputs
    assert slider["type"] == "range" and slider["aria-label"] == "cursor p"
    assert (slider["min"], slider["max"], slider["value"]) == ("0", "2", "1")
    frames = re.findall(r'<div class="frame"[^>]*>', markup)
    assert [frame.endswith(" hidden>") for frame in frames] == [True, False, True]


def test_outputs_that_only_say_to_run_a_cell_are_left_out() -> None:
    said = ["Run this cell to choose", "… Not yet: fill in", "12"]
    cells = [nbformat.v4.new_code_cell(f"f({n})") for n in range(3)]
    for cell, name, words in zip(cells, ("device", "exercise-x", "y"), said, strict=True):
        cell.id = name
        cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": words})]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# T"), *cells])
    markup = site({"t.ipynb": notebook}, "en")["t.html"].decode()
    assert "choose" not in markup.partition("<main")[2].partition("</main>")[0]
    assert "Not yet" not in markup and '<pre tabindex="0">12</pre>' in markup


def test_a_mark_does_not_begin_a_line() -> None:
    markup = render("看 $k$，再看 `x`。又 **a**，", "zh", lambda address: None)
    assert re.sub(r"<math.*?</math>", "M", markup) == (
        '<p>看 <span class="together">M，</span>再看 <span class="together"><code>x</code>。</span>'
        "又 <strong>a</strong>，</p>\n"
    )
    english = render("Look at $k$, then (at `x`).", "en", lambda address: None)
    assert re.sub(r"<math.*?</math>", "M", english) == (
        '<p>Look at <span class="together">M,</span> then (at '
        '<span class="together"><code>x</code>).</span></p>\n'
    )


def lesson(*cells: Any) -> str:
    """Return the page of a lesson of these cells."""
    notebook = v4.new_notebook(cells=[v4.new_markdown_cell("# 01 课 · Lesson", id="title"), *cells])
    return site({"01_lesson.ipynb": notebook}, "both")["01_lesson.html"].decode()


def prose(name: str, source: str, folded: bool = False) -> Any:
    return v4.new_markdown_cell(source, id=name, metadata={FOLDED: True} if folded else {})


def test_deeper_sections_are_folded_and_nested() -> None:
    page = lesson(
        prose("one", "## 一 · One"),
        prose("two", "## 二（深入） · Two (deeper)\n\ntext of two", folded=True),
        prose("inner", "### 三（深入） · Three (deeper)", folded=True),
        prose("text", "text of three"),
        prose("four", "### 四 · Four"),
        prose("five", "## 五 · Five"),
        prose("last", "## 六（深入） · Six (deeper)", folded=True),
    )
    main = page[page.index('<div class="md" id="one"') : page.index("</main>")]
    Page(page)  # complains about tags that do not match
    marks = re.findall(r'<details class="deeper" id="(\w+)"|<div class="md" id="(\w+)"|(</details>)', main)
    assert ["".join(mark) for mark in marks] == [
        *("one", "two", "inner", "text", "</details>", "four", "</details>", "five", "last", "</details>")
    ]
    assert re.search(r"<summary><h2>.*Two.*</h2></summary>\s*<p>text of two", main)


def test_code_that_jupyterlab_hides_is_folded_and_a_guess_shows_none() -> None:
    hidden = {"jupyter": {"source_hidden": True}}
    guess = Guess("x", Text("几个？", "How many?"), (Text("一个", "One"),))
    asked = v4.new_code_cell("guess()", id="asked", metadata={**hidden, "guess": "x"})
    asked.outputs = [v4.new_output("execute_result", {"text/html": question_html(guess)})]
    settled = v4.new_code_cell("settle()", id="settled", metadata={"settles": {"guess": "x", "right": 0}})
    html = answer_html(guess, Answer(0, (Text("对。", "Yes."),)), None)
    settled.outputs = [v4.new_output("display_data", {"text/html": html})]
    cells = [v4.new_code_cell("taught = 1", id="taught")]
    cells += [v4.new_code_cell("drawn = 1", id="drawn", metadata=hidden), asked, settled]
    cells += [v4.new_code_cell("progress_map()", id="mine")]
    page = lesson(*cells)
    Page(page)
    assert re.findall(r'id="(taught|drawn|asked|settled|mine)"', page) == [
        *("taught", "drawn", "asked", "settled")
    ]
    drawn = page[page.index('id="drawn"') : page.index('id="asked"')]
    assert re.match(r'id="drawn" data-cell="drawn">\s*<details><summary>.*</summary>', drawn)
    assert 'class="source"' not in page[page.index('id="asked"') :]
    assert page.count('class="guessed"') == 2 and page.count("data-when=") == 2
