"""JupyterLab's extension for the lessons is built from its sources, with our version and names."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest

from posenc_lessons import __version__, npm
from posenc_lessons.course.build_extension import OUTPUT, SOURCES
from posenc_lessons.course.lessons import lesson_names, shipped_lessons
from posenc_lessons.explorers.behind_doors import door_color
from posenc_lessons.export.code import in_language
from posenc_lessons.export.two_sides import heading_sides
from posenc_lessons.language import HAN, NAMES

SIDES = """
const { heading, otherHalves } = await import(process.argv[1]);
let asked = "";
for await (const part of process.stdin) asked += part;
const without = (source, [from, to]) => source.slice(0, from) + source.slice(to);
const code = (source, language) => {
    const latestFirst = [...otherHalves(source, language)].sort(([one], [other]) => other - one);
    return latestFirst.reduce(without, source);
};
const side = (words, language) =>
    words.startsWith("§") ? heading(words.slice(1), language) : code(words, language);
const sides = (words) => ["zh", "en"].map((language) => side(words, language));
console.log(JSON.stringify(JSON.parse(asked).map(sides)));
"""


@pytest.fixture(scope="module")
def lessons() -> list[nbformat.NotebookNode]:
    folder = shipped_lessons()
    return [nbformat.read(folder / f"{name}.ipynb", as_version=4) for name in lesson_names(folder)]


def sides(words: list[str]) -> list[tuple[str, str]]:
    """Return the Chinese and the English of each ``§heading`` or code, as the extension shows them."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node here to ask the extension's own module")
    command = [node, "--input-type=module", "-e", SIDES, (SOURCES / "src/headings.js").as_uri()]
    answer = subprocess.run(command, input=json.dumps(words), capture_output=True, text=True, check=True)
    return [(zh, en) for zh, en in json.loads(answer.stdout)]


@pytest.mark.parametrize("part, folder", [("sources", SOURCES), ("output", OUTPUT)])
def test_the_output_is_what_was_built_from_the_sources(part: str, folder: Path) -> None:
    again = "build it again: python -m posenc_lessons.course.build_extension"
    assert npm.built(OUTPUT)[part] == npm.fingerprint(folder), (
        f"{folder} is not what it was when the extension was built; {again}"
    )


def test_its_package_has_our_version_and_an_entry() -> None:
    described = json.loads((OUTPUT / "package.json").read_text(encoding="utf-8"))
    assert described["name"] == OUTPUT.name and described["version"] == __version__
    assert (OUTPUT / described["jupyterlab"]["_build"]["load"]).is_file()


def test_the_extension_and_python_agree_on_language_names_and_chinese() -> None:
    names = ", ".join(f'{code}: "{name}"' for code, name in NAMES.items())
    assert f"const NAMES = {{ {names} }};" in (SOURCES / "src/lesson.js").read_text(encoding="utf-8")
    han = re.sub(r"\\U000(\w{5})", r"\\u{\1}", HAN.pattern)
    assert f"const HAN = /{han}/u;" in (SOURCES / "src/headings.js").read_text(encoding="utf-8")


def test_lessons_have_the_colours_of_their_doors() -> None:
    style = (SOURCES / "style/base.css").read_text(encoding="utf-8")
    for name in lesson_names(shipped_lessons()):
        match = re.search(rf'data-lesson="{name[:2]}"\].*--door: (#\w+)', style)
        assert (match and match[1].upper()) == door_color(name), name


def test_the_extension_splits_headings_as_exports_do(lessons: list[nbformat.NotebookNode]) -> None:
    prose = [cell.source for book in lessons for cell in book.cells if cell.cell_type == "markdown"]
    headings = [found for text in prose for found in re.findall(r"^#+ +(.*)$", text, re.M)]
    split = [(text, *heading_sides(text)) for text in headings]
    wanted = [[number, zh, en] if zh else ["", text, text] for text, number, zh, en in split]
    answers = sides([f"§{text}" for text in headings])
    for spoken, (number, *both) in zip(answers, wanted, strict=True):
        assert all(each.startswith(number) for each in spoken)
        assert [each.removeprefix(number).lstrip(" ·") for each in spoken] == both
    assert sum(zh != en for _, zh, en in wanted) > 200


def test_the_extension_shows_code_in_one_language_as_exports_do(lessons: list[nbformat.NotebookNode]) -> None:
    def bare(source: str) -> str:  # the extension leaves gaps before comments, and hides Text( )
        return re.sub(r"\s|\bText\(|[(),]", "", source)

    code = [cell.source for book in lessons for cell in book.cells if cell.cell_type == "code"][1:]
    code = [source for source in code if "language_switch" not in source]
    for source, spoken in zip(code, sides(code), strict=True):
        assert bare(spoken[0]) == bare(in_language(source, "zh")), source
        assert bare(spoken[1]) == bare(in_language(source, "en")), source
