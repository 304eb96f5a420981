"""Both languages of every notebook say the same, cell by cell."""

import re
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.export.markdown import render
from tests.notebooks import bilingual, record


def name(path: Path) -> str:
    return path.relative_to(record.ROOT / "notebooks").as_posix()


UNREAD = re.compile(r"<(pre|code|math)\b.*?</\1>|<[^>]+>", re.DOTALL)


@pytest.mark.parametrize("path", record.notebooks(), ids=name)
def test_both_languages_say_the_same_and_show_no_marks(path: Path) -> None:
    """Markdown ignores ``**`` between a punctuation mark and a character, which happens in Chinese."""
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        prose = cell.cell_type == "markdown"
        check = bilingual.problems if prose else bilingual.comment_problems
        rendered = UNREAD.sub("", render(cell.source)) if prose else ""
        visible = re.findall(r".{0,30}\*\*.{0,30}", rendered)
        found += [f"{name(path)} cell {cell.id}: {problem}" for problem in [*check(cell.source), *visible]]
    assert not found, "\n" + "\n".join(found)


# One thing has one name in all lessons. The glossary has the terms of the field.
ONE_WORD = {"讲义": "笔记", "四扇门": "四道门", "bug 门诊": "错误门诊", "答案在[": "解答在["}


@pytest.mark.parametrize(
    "path", [*record.notebooks(), record.ROOT / "README.zh.md"], ids=lambda path: path.name
)
def test_one_thing_has_one_chinese_word(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    used = [f"{other}, say {word}" for other, word in ONE_WORD.items() if other in text]
    assert used == []


@pytest.mark.parametrize("path", [p for p in record.notebooks() if p.name[0].isdigit()], ids=name)
def test_titles_and_cases_have_one_form(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    solution = ("：解答", "[Ss]olutions?") if path.parent.name == "solutions" else ("", "")
    title = rf"# {path.name[:2]} [^·]*[^·：]{solution[0]} · [^·]*{solution[1]}"
    assert re.fullmatch(title, cells[0].source.split("\n")[0]), cells[0].source.split("\n")[0]
    clinic = [cell.source for cell in cells if re.match("(bug|clinic)-", cell.id)]
    cases = [heading for source in clinic for heading in re.findall(r"^### .+", source, re.M)]
    form = re.compile(r"### 病例 (\d+)( 和 \d+)? · .+ · Cases? \1( and \d+)?: .+")
    assert bool(cases) == (path.parent.name != "solutions" and path.name[:2] != "00")
    assert [heading for heading in cases if not form.fullmatch(heading)] == []
