"""Every committed notebook is complete, small and clean, and has no dead links."""

import re
from base64 import b64decode
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import nbformat
import pytest

from posenc_lessons.course.lessons import lesson_names, opening, promised
from posenc_lessons.figures import style
from posenc_lessons.language import HAN
from tests.notebooks import bilingual, record

FOLDER = record.ROOT / "notebooks"
SETUP = "from posenc_lessons.course.switch import language_switch\nlanguage_switch()"
ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
MADE_UP = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4})*")  # a random id from Jupyter
IGNORED = re.compile(r"NBVAL_|PYTEST_VALIDATE_IGNORE")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)[^)]*\)|(?:href|src)=\"([^\"]+)\"")


def name(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def code(path: Path) -> list[Any]:
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def outputs(path: Path) -> list[tuple[str, Any]]:
    return [(cell.id, output) for cell in code(path) for output in cell.outputs]


LESSONS = lesson_names(FOLDER)
WITH_SOLUTIONS = [path for path in record.notebooks() if path.stem in LESSONS]
every_notebook = pytest.mark.parametrize("path", record.notebooks(), ids=name)
every_lesson = pytest.mark.parametrize("path", WITH_SOLUTIONS, ids=name)


def said(cell: Any, language: str) -> str:
    return "\n".join(b.text for b in bilingual.split(cell.source)[0] if b.language == language)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_path_links_to_every_lesson_and_the_guide_has_its_minutes(language: str) -> None:
    (path,) = [cell for cell in read(FOLDER / "00_start_here.ipynb").cells if cell.id == "path"]
    rows = re.findall(r"^\| \[(\d\d) [^]]+\]\((\S+)\) \| .*\S.* \|$", said(path, language), re.M)
    assert rows == [(lesson[:2], f"{lesson}.ipynb") for lesson in LESSONS[1:]]
    guide = (record.ROOT / ("TEACHING.zh.md" if language == "zh" else "TEACHING.md")).read_text("utf-8")
    minutes = dict(re.findall(r"^\| (\d\d) \|(?: [^|]+ \|){3} (\d+) \|$", guide, re.M))
    for number, file in rows:
        assert minutes[number] == str(promised(opening(read(FOLDER / file).cells), language)), file


def test_every_lesson_ends_with_a_link_to_the_next() -> None:
    for here, following in pairwise(LESSONS):
        last = read(FOLDER / f"{here}.ipynb").cells[-1]
        for language in ("zh", "en"):
            assert f"{following}.ipynb" in links(said(last, language)), f"{here}, {language}"


@every_notebook
def test_a_notebook_is_valid_and_formatted_as_recorded(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    text = path.read_bytes().decode("utf-8")
    assert text == nbformat.writes(notebook) + "\n", "record it with tests/notebooks/record.py"
    assert len(text.encode("utf-8")) <= record.LARGEST
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert all(len(b64decode(data["image/png"])) <= style.LARGEST for data in shown if "image/png" in data)


@every_notebook
def test_no_traces_of_one_run_or_machine_are_kept(path: Path) -> None:
    notebook = read(path)
    assert notebook.metadata == {"kernelspec": record.KERNELSPEC, "language_info": {"name": "python"}}
    for cell in notebook.cells:
        assert set(cell.metadata) <= set(record.KEPT_CELL_METADATA), cell.id
        assert not IGNORED.search(cell.source + str(cell.metadata)), f"{cell.id} hides from nbval"
    mimes = {mime for _, output in outputs(path) for mime in output.get("data", {})}
    assert not {mime for mime in mimes if "widget" in mime}
    record.examine(notebook)


@every_notebook
def test_every_cell_has_its_own_id(path: Path) -> None:
    names = [cell.id for cell in read(path).cells]
    assert len(set(names)) == len(names)
    assert [
        each for each in names if not ID.fullmatch(each) or MADE_UP.fullmatch(each) or len(each) > 64
    ] == []


@every_notebook
def test_a_notebook_was_run_from_top_to_bottom(path: Path) -> None:
    cells = code(path)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        assert cell.source.strip(), f"{cell.id} is empty"
        for output in cell.outputs:
            assert output.get("execution_count", cell.execution_count) == cell.execution_count, cell.id
            allowed = "raises-exception" in cell.metadata.get("tags", [])
            assert output.output_type != "error" or allowed, f"{cell.id} failed"


@every_lesson
def test_the_language_switch_is_the_first_code_cell(path: Path) -> None:
    first = code(path)[0]
    assert (first.id, first.source) == ("setup", SETUP)
    assert len(first.outputs) == 1 and "English" in first.outputs[0].data["text/plain"]


@every_notebook
def test_every_picture_has_an_alternative_text(path: Path) -> None:
    for cell, output in outputs(path):
        if "image/png" in output.get("data", {}):
            said = output.data.get("text/plain", "")
            assert HAN.search(said) and re.search("[A-Za-z]{2}", said), f"{cell}: {said!r}"
            assert "object at" not in said and not re.match(r"<\w+ size", said), f"{cell}: {said!r}"


@every_lesson
def test_exercises_are_open_in_lessons_and_solved_in_solutions(path: Path) -> None:
    mark = "✔" if path.parent.name == "solutions" else "…"
    for cell in code(path):
        if "check_" not in cell.source or "exercise" not in cell.id:
            continue
        said = [output.data["text/plain"] for output in cell.outputs if "data" in output]
        assert said and said[-1].startswith(mark), f"{cell.id}: {said}"


@every_notebook
def test_no_link_is_dead(path: Path) -> None:
    dead = []
    for cell in read(path).cells:
        texts = [cell.source] if cell.cell_type == "markdown" else []
        texts += [
            output.data["text/html"]
            for output in cell.get("outputs", [])
            if "text/html" in output.get("data", {})
        ]
        dead += [
            f"{cell.id}: {link}" for text in texts for link in links(text) if not leads_somewhere(link, path)
        ]
    assert dead == []


def links(text: str) -> list[str]:
    outside_code = re.sub(r"(`+).+?\1", "", text)
    return [markdown or html for markdown, html in LINK.findall(outside_code)]


def leads_somewhere(link: str, path: Path) -> bool:
    """Return True if the link leads to an existing file, cell or heading, or to the web."""
    if re.match(r"https://", link):
        return True
    file, _, fragment = unquote(link).partition("#")
    target = (path.parent / file).resolve() if file else path
    if not target.is_file() or not target.is_relative_to(FOLDER):
        return False
    if not fragment:
        return True
    cells = read(target).cells if target.suffix == ".ipynb" else []
    if fragment.startswith("cell-id="):
        return fragment.removeprefix("cell-id=") in {cell.id for cell in cells}
    headings = re.findall(r"^#+ (.+)$", "\n".join(c.source for c in cells if c.cell_type == "markdown"), re.M)
    return fragment in {heading.strip().replace(" ", "-") for heading in headings}
