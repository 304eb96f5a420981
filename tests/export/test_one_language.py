"""Every lesson in one language: no words of the other, and the code still compiles."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from posenc_lessons.course.lessons import lesson_files, shipped_lessons
from posenc_lessons.export import one_language, outputs, two_sides
from posenc_lessons.language import CHINESE, HAN

SHIPPED = shipped_lessons()
NOTEBOOKS = [path for path in lesson_files(SHIPPED) if path.suffix == ".ipynb"]


def read(path: Path) -> Any:
    return nbformat.read(SHIPPED / path, as_version=4)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=str)
def test_a_copy_has_one_language_and_its_code_compiles(path: Path) -> None:
    original = read(path)
    english, chinese = (one_language.in_language(original, chosen) for chosen in ("en", "zh"))
    assert CHINESE.findall(nbformat.writes(english)) == []
    nbformat.validate(english)
    for before, en, zh in zip(original.cells, english.cells, chinese.cells, strict=True):
        assert before.id == en.id == zh.id
        if before.cell_type == "code":
            for after in (en, zh):
                compile(after.source, after.id, "exec")
            continue
        assert "<div lang=" not in zh.source and '<span lang="en">' not in zh.source
        assert not re.search(r"^#+ [A-Za-z]\S* [a-z]", zh.source, re.MULTILINE)
        if len(re.findall("[A-Za-z]{2,}", prose_of(zh.source))) > 5:
            assert HAN.search(zh.source), zh.source


def prose_of(source: str) -> str:
    return re.sub(r"```.*?```|\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|\([^)]*\)|<[^>]*>", "", source, flags=re.DOTALL)


def test_blocks_folds_and_pictures_of_prose() -> None:
    source = (
        '## 路 · Path\n\n<div lang="zh">\n\n甲 `#`\n\n</div>\n<div lang="en">\n\na\n\n</div>\n\n$$x$$\n'
        '\n<details>\n<summary><span lang="zh">看</span> <span lang="en">Look</span></summary>\n'
        "![图 · picture](p.png)"
    )
    english = "## Path\n\na\n\n$$x$$\n\n<details>\n<summary>Look</summary>\n![picture](p.png)"
    assert two_sides.prose_in_language(source, "en") == english
    assert "甲 `#`" in two_sides.prose_in_language(
        source, "zh"
    ) and "\na\n" not in two_sides.prose_in_language(source, "zh")


def test_the_still_of_an_explorer_has_the_language_of_the_copy() -> None:
    lesson = read(Path("05_rotary.ipynb"))
    stills = set()
    for chosen in ("zh", "en", "both"):
        copied = one_language.in_language(lesson, chosen)
        (still,) = next(cell.outputs for cell in copied.cells if cell.id == "rotation-explorer")
        stills.add(still.data["image/png"])
        assert (outputs.STILLS in still.metadata["image/png"]) == (chosen == "both")
    assert len(stills) == 3


def test_progress_bars_and_live_widgets_are_left_out() -> None:
    bar = nbformat.v4.new_output("display_data", {"text/plain": "train:   0%|     | 0/400"})
    widget = nbformat.v4.new_output(
        "display_data", {"text/plain": "still", "application/vnd.jupyter.widget-view+json": {}}
    )
    kept = outputs.tidy([bar, widget, nbformat.v4.new_output("stream", name="stderr", text="careful")])
    assert [list(output.data) for output in kept] == [["text/plain"]]
    metadata = {"image/png": {"width": 9}, "theme": "light"}
    picture = nbformat.v4.new_output("display_data", {"image/png": "A"}, metadata=metadata)
    assert outputs.in_language([picture], "en") == [picture]
