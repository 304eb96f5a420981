"""Slides: the cells that make them, their content, and their notes."""

import json
import re
from typing import Any

import nbformat
import numpy as np
import pytest
from nbformat import v4

from posenc_lessons.course import sections
from posenc_lessons.course.lessons import lesson_names, shipped_lessons
from posenc_lessons.export import slides
from posenc_lessons.export.markdown import render
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.outputs import PICTURE, STILL
from posenc_lessons.export.slide_curves import CURVES, curves
from posenc_lessons.export.slide_pictures import MOST_FRAMES, drawn
from posenc_lessons.figures.colors import CYCLE, MUTED
from posenc_lessons.figures.scene import Line
from posenc_lessons.language import CHINESE, BilingualValueError
from tests.support.exported import AS_SET, PIXEL, Page, with_still

SHIPPED = shipped_lessons()
LESSONS = lesson_names(SHIPPED)


def tagged(cell: Any, kind: str, zh: str = "", en: str = "") -> Any:
    text = {"text": {"zh": zh, "en": en}} if zh else {}
    cell.metadata["slideshow"] = {"slide_type": kind, **text}
    return cell


def prose(zh: str, en: str, **metadata: Any) -> Any:
    source = f'<div lang="zh">\n\n{zh}\n\n</div>\n<div lang="en">\n\n{en}\n\n</div>'
    return v4.new_markdown_cell(source, metadata=metadata)


def code(source: str, **data: str) -> Any:
    return v4.new_code_cell(source, outputs=[v4.new_output("display_data", data)])


@pytest.fixture
def lesson() -> Any:
    deeper = v4.new_markdown_cell("## 深 · Deep", metadata={sections.FOLDED: True})
    return v4.new_notebook(
        cells=[
            tagged(v4.new_markdown_cell("# 很长 · Long"), "slide", "# 短", "# Short"),
            prose("讲的话", "what is said <!-- page:\n\n- of pages\n-->"),
            tagged(code("draw()", **{"image/png": PIXEL}), "subslide", "## 图", "## A picture"),
            tagged(code("print(1)", **{"text/plain": "1"}), "slide"),
            code("left_out()", **{"text/plain": "gone"}),
            deeper,
            prose("更深的话", "deeper words"),
        ]
    )


def sections_of(deck: str) -> list[str]:
    """Return the slides, without those around others."""
    within = deck.split('<div class="slides">', 1)[1]
    return re.findall(r"<section[^>]*>((?:(?!<section).)*?)</section>", within, re.DOTALL)


def test_the_content_and_notes_of_a_slide(lesson: Any) -> None:
    title, picture, numbers = sections_of(slides.deck(in_language(lesson, "en"), "en"))
    shown, notes = title.split('<aside class="notes">', 1)
    assert "Short" in shown and "Long" not in shown
    assert "Long" in notes and "what is said" in notes
    shown, notes = picture.split('<aside class="notes">', 1)
    assert "A picture" in shown and PIXEL in shown and "draw" not in shown and "draw" in notes
    assert "A picture" in numbers and "print" in numbers, "the last heading, and code above its result"
    deck = title + picture + numbers
    assert "left_out" not in deck and "deeper words" not in deck and not CHINESE.search(deck)
    assert "<!--" not in deck and "of pages" not in deck


def test_notes_for_the_speaker_replace_prose_and_code_up_to_the_next_slide(lesson: Any) -> None:
    for cell in lesson.cells[0], lesson.cells[2]:
        cell.metadata["slideshow"]["notes"] = {"zh": "问全班", "en": "Ask the class"}
    title, picture, numbers = sections_of(slides.deck(in_language(lesson, "en"), "en"))
    for slide in (title, picture):
        (notes,) = re.findall(r'<aside class="notes">(.*?)</aside>', slide, re.DOTALL)
        assert re.sub(r"<[^>]*>", "", notes).strip() == "Ask the class"
    assert "Ask" not in numbers


@pytest.mark.parametrize(
    ("scale", "places"), [("", [0.0, 2.0, 8.0]), (" log", [0.0, 1.0, 3.0]), (" places", [0.0, 1.0, 2.0])]
)
def test_a_table_becomes_curves(scale: str, places: list[float]) -> None:
    table = "|length / accuracy|RoPE #3|$b$ #m|\n|-|-|-|\n|1|1|0.5|\n|3|−0.5||\n|9|0|0.25|"
    if scale == " log":
        table = table.replace("|3|", "|2|").replace("|9|", "|8|")
    chart = CURVES.search(f'<div class="curves{scale}">\n\n{table}\n\n</div>')
    assert chart is not None
    first, whole = (scene.panels[0] for scene in curves(chart[2], chart[1], (640, 560)))
    assert [end.name.en for end in first.ends] == ["RoPE"] and "curve1" not in {x.name for x in first.layers}
    panel = whole
    lines = {layer.name: layer for layer in panel.layers if isinstance(layer, Line)}
    np.testing.assert_allclose(lines["curve0"].x - lines["curve0"].x[0], places)
    np.testing.assert_allclose(lines["curve0"].y, [1, -0.5, 0])
    np.testing.assert_allclose(lines["curve1"].y, [0.5, 0.25])  # an empty cell is no zero
    assert (panel.x.label.en, panel.y.label.en) == ("length", "accuracy")
    assert [(end.name.en, end.y) for end in panel.ends] == [("RoPE", 0), ("b", 0.25)]
    assert "zero" in lines
    assert (lines["curve0"].color, lines["curve1"].color) == (CYCLE[3], MUTED) and lines["curve1"].dashed


@pytest.mark.parametrize("table", ["|x|\n|-|\n|1|", "|x|y|\n|-|-|\n|1|many|", "|x|y|\n|-|-|\n|1||\n|2||"])
def test_a_table_without_numbers_is_no_curve(table: str) -> None:
    with pytest.raises(BilingualValueError, match="drawn as curves"):
        curves(table, None, (640, 560))


def test_what_a_slide_shows_of_code() -> None:
    shown: list[Any] = [{"lines": [2, 3], "mark": "= 2"}, {"lines": [], "text": {"en": "## None"}}]
    cells = [code("a = 1\nb = 2\nc = 3\nd = 4", **{"text/plain": "printed"}) for _ in shown]
    for cell, look in zip(cells, shown, strict=True):
        cell.metadata["slideshow"] = {"slide_type": "slide", **look}
    deck = slides.deck(v4.new_notebook(cells=[tagged(v4.new_markdown_cell("# One"), "slide"), *cells]), "en")
    _, some, none = (re.sub(r"<(?!/?mark)[^>]*>", "", part) for part in sections_of(deck))
    assert "<mark>b = 2</mark>" in some and "c = 3" in some and "a = 1" not in deck and "printed" not in deck
    assert "None" in none and "b = 2" not in none


def test_a_picture_of_an_explorer_stands_where_nothing_was_run(lesson: Any) -> None:
    for cell in lesson.cells[2:4]:
        cell.metadata["slideshow"]["picture"] = "explorer=rotation&m=9&panel=score"
    deck = slides.deck(in_language(lesson, "en"), "en")
    assert PIXEL not in deck and deck.count('"alt":"Query and key after rotation') == 2
    lesson.cells[2].metadata["slideshow"]["picture"] = ["explorer=rotation", "m=many"]
    with pytest.raises(BilingualValueError, match="m=many"):
        slides.deck(in_language(lesson, "en"), "en")


def test_a_moving_picture_goes_from_state_to_state_by_the_settings_of_its_explorer() -> None:
    output = drawn(["explorer=rotation&locked=0&m=2", "m=6", "", "m=106&base=100"], "en")
    picture = json.loads(output.data[PICTURE])
    assert picture["states"] == [0, 4, 5, 5 + MOST_FRAMES[0]]
    assert picture["frames"][5] == {"data": {}}, "nothing has changed"
    turned = [scene for scene in picture["frames"][1:5] if "plane_turned_query" in scene["data"]]
    assert len(turned) == 4, "every frame turns the arrow"


@pytest.mark.parametrize("names", ["before,after", "plane,score"])
def test_several_panels_stand_side_by_side_and_are_equally_high(names: str) -> None:
    explorer = "shuffle" if "before" in names else "rotation"
    picture = json.loads(drawn(f"explorer={explorer}&panel={names}", "en").data[PICTURE])
    panels = picture["frames"][0]["stage"]["panels"]
    assert ",".join(panels) == names
    first, second = (panel["box"] for panel in panels.values())
    assert first[0] + first[2] < second[0], "beside each other"
    assert first[1] == second[1] and first[3] == pytest.approx(second[3])
    with pytest.raises(KeyError):
        drawn(f"explorer={explorer}&panel=nowhere", "en")


def test_a_live_explorer_begins_as_its_picture_does() -> None:
    live = {"explorer": "rotation", "query": "explorer=rotation&m=7", "initial": {}}
    for picture, begins in (("explorer=rotation&m=9&panel=plane", "m=9"), (None, "m=7")):
        assert drawn(picture, "en", live).data[STILL]["query"] == f"explorer=rotation&{begins}"


def test_one_file_for_each_lesson_none_for_solutions(lesson: Any) -> None:
    notebooks = {"a.ipynb": in_language(lesson, "zh"), "solutions/a.ipynb": lesson}
    assert list(slides.decks(notebooks, "zh")) == ["a.slides.html"]
    ((name, deck),) = slides.decks(notebooks, "zh", other="en").items()
    assert name == "a.zh.slides.html" and b'data-other="a.en.slides.html"' in deck
    assert "讲的话" in deck.decode() and "what is said" not in deck.decode()


def test_a_lesson_without_slides_is_named() -> None:
    with pytest.raises(slides.NoSlides, match="“Play” has no slides"):
        slides.deck(in_language(with_still(), "en"), "en")


@pytest.mark.parametrize("live", [False, True])
def test_a_deck_needs_nothing_but_python_for_its_explorers(live: bool) -> None:
    notebook = with_still(**AS_SET)
    for cell in notebook.cells:
        tagged(cell, "slide")
    page = Page(slides.deck(notebook, "en", live))
    assert [source for source in page.loaded if not source.startswith("data:")] == ["live/lesson.js"] * live


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_has_a_core_deck(name: str) -> None:
    cells = nbformat.read(SHIPPED / f"{name}.ipynb", as_version=4).cells
    kinds = [cell.metadata.get("slideshow", {}).get("slide_type") for cell in cells]
    assert kinds[0] == "slide", f"{name} has no title slide"
    count = sum(kind in slides.SLIDES for kind in kinds)
    assert 12 <= count <= 20 or (name.startswith("00") and count >= 5), (
        f"{name} has {count} slides, not 12 to 20"
    )
    labels = cells[0].metadata.slideshow.get("labels", {"zh": [], "en": []})
    assert len(labels["zh"]) == len(labels["en"])
    for language, words in labels.items():  # too few of them raise IndexError
        cover = slides.deck(v4.new_notebook(cells=cells[:1]), language, lesson=name)
        assert all(f">{word}</text>" in cover.replace("\u00a0", " ") for word in words)
    deeper = sections.deeper(cells)
    shown = [cell.id for cell, kind in zip(cells, kinds, strict=True) if kind and cell.id in deeper]
    assert shown == [], f"slides of {name} show deeper cells: {shown}"


@pytest.mark.parametrize("name", LESSONS)
def test_slides_say_the_same_in_both_languages(name: str) -> None:
    for cell in nbformat.read(SHIPPED / f"{name}.ipynb", as_version=4).cells:
        text = cell.metadata.get("slideshow", {}).get("text")
        if text is None:
            continue
        assert set(text) == {"zh", "en"}, f"{name}:{cell.id} speaks {', '.join(text)} on its slide"
        assert CHINESE.search(text["zh"]) and not CHINESE.search(text["en"]), f"{name}:{cell.id}"
        assert "**" not in re.sub("<code>.*?</code>", "", render(text["zh"])), f"{name}:{cell.id}"
        for shape in (r"^\d\. |^- ", r"^\|", r"^#+ ", r"`[^`]+`"):
            zh, en = (re.findall(shape, text[one], re.MULTILINE) for one in ("zh", "en"))
            assert zh == en, f"{name}:{cell.id} has {len(zh)} and {len(en)} of {shape}"
        if cell.metadata["slideshow"].get("lines") == []:
            printed = str(cell.outputs)
            numbers = re.findall(r"\d+\.\d+", text["en"])
            assert [number for number in numbers if number not in printed] == [], f"{name}:{cell.id}"
        formulas = [re.sub(r"\\text\{[^}]*\}", "", text[one]) for one in ("zh", "en")]
        zh, en = (sorted(re.findall(r"\$\$?[^$]+\$\$?", one)) for one in formulas)
        assert zh == en, f"{name}:{cell.id} has formulas that differ"
