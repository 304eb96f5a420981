"""Cells of a lesson on its page: stills, folds, and what is left out."""

import re
from typing import Any

from nbformat import v4

from posenc_lessons.course.sections import FOLDED
from posenc_lessons.export.markdown import render
from posenc_lessons.export.one_language import words_in_language
from posenc_lessons.export.site import site
from tests.support.exported import PIXEL, Page


def test_an_exercise_and_a_cell_with_a_tag_show_no_output() -> None:
    cells = [v4.new_code_cell(f"f({n})", id=name) for n, name in enumerate(("exercise-x", "device", "y"))]
    for cell in cells:
        cell.outputs = [v4.new_output("execute_result", {"text/plain": f"of {cell.id}"})]
    note = {"text/html": '<p role="note">of a picture</p>'}  # for screen readers in JupyterLab
    cells[2].outputs += [v4.new_output("display_data", data) for data in (note, {"image/png": PIXEL, **note})]
    cells[0].metadata["exercise"] = "start_here.swap_ends"
    cells[1].metadata["tags"] = ["remove-output"]
    page = lesson(*cells)
    assert len(Page(page).images) == 1
    assert re.findall(r"of [\w-]+", page.partition("<main")[2].partition("</main>")[0]) == ["of y"]
    assert 'data-cell="exercise-x" data-exercise="start_here.swap_ends"' in page
    solution = page[page.index('<details class="solution">') :]
    assert "Solution</summary>" in solution and "swap_ends" in solution


def test_a_page_says_which_cells_train_raise_or_are_recorded() -> None:
    trains = v4.new_code_cell(
        "train()", id="a", metadata={"tags": ["trains"], "trains": {"lab": 60, "page": 600}}
    )
    raises = v4.new_code_cell(
        "1 / 0", id="b", outputs=[v4.new_output("error", ename="E", evalue="no", traceback=[])]
    )
    recorded = v4.new_code_cell("compile()", id="c", metadata={"tags": ["recorded-in-page"]})
    page = lesson(trains, raises, recorded)
    assert re.findall(r'data-cell="\w"([^>]*)>', page) == [
        ' data-trains data-lab="60" data-page="600"',
        " data-raises",
        " data-recorded",
    ]
    assert '<pre tabindex="0" class="sentence">E: no</pre>' in page


def test_a_mark_does_not_begin_a_line() -> None:
    markup = render("看 $k$，再看 `x`。又 **a**，**看！** 完")
    assert re.sub(r"<math.*?</math>", "M", markup) == (
        '<p>看 <span class="together">M，</span>再看 <span class="together"><code>x</code>。</span>'
        "又 <strong>a</strong>，<strong>看！</strong>完</p>\n"
    )
    english = render("Look at $k$, then (at `x`).")
    assert re.sub(r"<math.*?</math>", "M", english) == (
        '<p>Look at <span class="together">M,</span> then (at '
        '<span class="together"><code>x</code>).</span></p>\n'
    )


def lesson(*cells: Any) -> str:
    """Return the page of a lesson of these cells, in English."""
    notebook = v4.new_notebook(cells=[v4.new_markdown_cell("# 01 课 · Lesson", id="title"), *cells])
    return site({"en": {"01_lesson.ipynb": words_in_language(notebook, "en")}})["01_lesson.html"].decode()


def prose(name: str, source: str, folded: bool = False) -> Any:
    return v4.new_markdown_cell(source, id=name, metadata={FOLDED: True} if folded else {})


def test_quotation_marks_and_apostrophes_are_curly_outside_of_code_and_formulas() -> None:
    markup = render('"Dogs" (\'d\') isn\'t **"b"**, "*e*" `"c"` $f\'$')
    words = re.sub(r"<[^>]*>", "", re.sub(r"<math.*?</math>", "M", markup)).strip()
    assert words == "“Dogs” (‘d’) isn’t “b”, “e” &quot;c&quot; M"


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
    guess = v4.new_code_cell("guess()", id="asked", metadata={**hidden, "guess": "rope-parameters"})
    guess.outputs = [v4.new_output("execute_result", {"text/html": '<div class="posenc-guess">A or B</div>'})]
    page = lesson(
        v4.new_code_cell("import torch", id="imports"),
        v4.new_code_cell("taught = 1", id="taught"),
        v4.new_code_cell("drawn = 1", id="drawn", metadata=hidden),
        guess,
        v4.new_code_cell("progress_map()", id="progress-map"),
        v4.new_code_cell("language_switch()", id="setup"),
    )
    Page(page)
    folds = re.findall(r'id="(\w+)"[^>]*>\s*(?:<details><summary>([^<]*)<)?', page)
    assert [fold for fold in folds if fold[0] in ("imports", "taught", "drawn", "asked", "setup")] == [
        ("imports", "What this page imports"),
        ("taught", ""),
        ("drawn", "The code of this cell"),
        ("asked", ""),
    ]
    shown = page[page.index('id="asked"') :]
    assert "A or B" in shown and 'class="source"' not in shown and "data-cell" not in shown.partition(">")[0]
    assert "progress_map" not in page


def test_links_in_outputs_lead_to_pages_and_wide_tables_scroll() -> None:
    table = '<table><tr><td><a href="01_lesson.ipynb#cell-id=y">y</a> <a href="gone.ipynb">z</a></table>'
    page = lesson(
        v4.new_code_cell("t", id="y", outputs=[v4.new_output("display_data", {"text/html": table})])
    )
    assert '<div class="wide" tabindex="0"><table><tr><td><a href="#y">y</a> z</table>' in page
