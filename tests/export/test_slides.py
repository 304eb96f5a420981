"""Slides: one idea each, and every word of the lesson in the notes."""

from __future__ import annotations

import re

import nbformat
import pytest
from nbformat import v4

from posenc_lessons.course.lessons import shipped_lessons
from posenc_lessons.course.sections import FOLDED
from posenc_lessons.export.one_language import in_language, prose_in_language
from posenc_lessons.export.slide_texts import blocks, sentences, slide_texts
from posenc_lessons.export.slides import deck, decks, slides
from posenc_lessons.language import Language
from tests.support.exported import NAMES, Page, with_stills

SHIPPED = shipped_lessons()
LESSONS = [name for name in NAMES if "/" not in name]


def words(markup: str) -> list[str]:
    return re.findall(r"[A-Za-z]{3,}", re.sub(r"<[^>]+>", " ", markup))


def test_blocks_of_prose() -> None:
    source = "## Head\n\nOne\ntwo\n\n$$\nx\n\ny\n$$\nthree\n- a\n- b\n\n```\n\ncode\n```\n"
    source += "<details>\n<summary>Answer</summary>\n\nno\n\n</details>"
    assert list(blocks(source)) == ["One\ntwo", "$$\nx\n\ny\n$$", "three", "- a\n- b", "```\n\ncode\n```"]


@pytest.mark.parametrize(
    ("paragraph", "parts"),
    [
        ("One. Two? Three", ["One.", "Two?", "Three"]),
        ("第一句。第二句！三", ["第一句。", "第二句！", "三"]),
        (
            "At 3.5 it stops. $a. B$ goes on. `x. Y` too",
            ["At 3.5 it stops.", "$a. B$ goes on.", "`x. Y` too"],
        ),
        ("**Bold. One** idea. Next", ["**Bold. One** idea.", "Next"]),
    ],
)
def test_sentences(paragraph: str, parts: list[str]) -> None:
    assert sentences(paragraph) == parts


def test_a_formula_comes_with_the_sentence_before_it() -> None:
    (formula, table) = slide_texts("First. So we write\n\n$$x$$\n\nAfter.\n\n| a |\n|---|\n| b |\n\nEnd.")
    assert formula.shown == ["So we write", "$$x$$"] and formula.notes[0] == "First. So we write"
    assert table.shown[0] == "After." and table.notes[-1] == "End."


def test_what_is_folded_away_is_said() -> None:
    (idea,) = slide_texts("What is it?\n\n<details>\n<summary>Hint</summary>\n\nLook *here*.\n\n</details>")
    assert idea.shown == ["What is it?"] and idea.notes[1:] == ["**Hint**", "Look *here*."]
    (alone,) = slide_texts("<details><summary>Answers</summary>\n\n1. **Yes.**\n2. No\n\n</details>")
    assert alone.shown == ["**Answers**", "1. **Yes.**\n2. No"]


def test_prose_alone_is_its_bold_sentence() -> None:
    (idea,) = slide_texts("Some talk. This **matters**. More talk.\n\nAnd more.")
    assert idea.shown == ["This **matters**."] and len(idea.notes) == 2


def test_long_items_are_cut() -> None:
    (idea,) = slide_texts(f"- **Short.** {'word ' * 60}\n- brief")
    assert idea.shown == ["- **Short.**\n- brief"]


def test_the_core_comes_before_what_is_deeper() -> None:
    cells = [v4.new_markdown_cell("# 01 课 · Lesson", id="title")]
    for name, folded in (("Core", False), ("Deeper", True), ("Rest", False)):
        known = {FOLDED: True} if folded else {}
        said = f'## 节 · {name}\n\n<div lang="en">\n\n**{name}**\n\n</div>'
        cells.append(v4.new_markdown_cell(said, id=name.lower(), metadata=known))
    made = list(slides(v4.new_notebook(cells=cells), "en"))
    assert [slide.title for slide in made[1:]] == ["Core", "Rest", "Deeper"]


@pytest.mark.parametrize("name", LESSONS)
def test_both_languages_have_the_same_ideas(name: str) -> None:
    for cell in nbformat.read(SHIPPED / name, as_version=4).cells:
        if cell.cell_type == "markdown":
            zh, en = (slide_texts(prose_in_language(cell.source, language)) for language in ("zh", "en"))
            assert len(zh) == len(en), cell.id


@pytest.mark.parametrize(
    ("name", "language"), [("00_start_here", "zh"), ("02_sinusoidal", "en"), ("01_why_position", "both")]
)
def test_every_word_is_shown_or_said(name: str, language: Language) -> None:
    notebook = in_language(nbformat.read(SHIPPED / f"{name}.ipynb", as_version=4), language)
    made = list(slides(notebook, language))
    assert 10 < len(made) < 200
    everything = set(words(" ".join(slide.title + slide.shown + slide.notes for slide in made)))
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            # Formulas first: one may hold a bracket that opens outside it.
            bare = re.sub(r"\$\$.*?\$\$|\$[^$]*\$", " ", cell.source, flags=re.S)
            plain = re.sub(r"\([^)]*\)|<[^>]*>", " ", bare)
            assert set(words(plain)) <= everything, cell.id
    for slide in made[1:]:
        assert len(re.sub(r"<math.*?</math>|<pre.*?</pre>|<[^>]+>", "", slide.shown, flags=re.S)) < 1500, (
            slide.shown
        )


def test_the_page_needs_nothing_else() -> None:
    page = Page(deck(with_stills(), "en"))
    assert [source for source in page.loaded if not source.startswith("data:")] == []
    assert page.links == ["#main"] and len(page.inputs) == 1


def test_solutions_make_no_slides() -> None:
    assert list(decks({"a.ipynb": with_stills(), "solutions/a.ipynb": with_stills()}, "en")) == [
        "a.slides.html"
    ]
