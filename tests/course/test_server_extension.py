"""What JupyterLab's server and extension do for the lessons, without a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import nbformat
import pytest

from posenc_lessons.course.lessons import PACKAGE, lesson_names, shipped_lessons
from posenc_lessons.export import phrases
from posenc_lessons.language import CHINESE, HAN, LANGUAGES, NAMES
from tests.support.pages import TOKEN, Lab, jupyter_lab

SCRIPTS = PACKAGE / "course/jupyter/labextensions/posenc-lessons/static"
PHRASES = SCRIPTS / "phrases.js"
ANSWER = """
const { heading, headingSides, leftOut, lines, phrase } = await import(process.argv[1]);
const answers = { heading: (text) => headingSides(text), lines, phrase, leftOut };
let asked = "";
for await (const part of process.stdin) asked += part;
console.log(JSON.stringify(JSON.parse(asked).map(([name, ...given]) => answers[name](...given))));
"""


def in_javascript(questions: list[list[Any]]) -> list[Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node here to ask the extension's own module")
    command = [node, "--input-type=module", "-e", ANSWER, PHRASES.as_uri()]
    told = subprocess.run(command, input=json.dumps(questions), capture_output=True, text=True, check=True)
    return list(json.loads(told.stdout))


@pytest.fixture(scope="module")
def cells() -> list[Any]:
    folder = shipped_lessons()
    return [
        cell
        for name in lesson_names(folder)
        for cell in nbformat.read(folder / f"{name}.ipynb", as_version=4).cells
    ]


def headings(cells: list[Any]) -> list[str]:
    prose = (cell.source for cell in cells if cell.cell_type == "markdown")
    return [found[1] for text in prose for found in re.finditer(r"^#+ +(.*)$", text, re.M)]


def printed(cells: list[Any]) -> list[str]:
    outputs = (output for cell in cells for output in cell.get("outputs", ()))
    return [output.text for output in outputs if output.output_type == "stream"]


def comments(cells: list[Any]) -> list[str]:
    code = (cell.source for cell in cells if cell.cell_type == "code")
    found = (re.search(r"#[^\"'#]*$", line) for text in code for line in text.split("\n"))
    return [comment.group() for comment in found if comment and HAN.search(comment.group())]


def test_the_page_takes_headings_and_results_apart_as_exports_do(cells: list[Any]) -> None:
    questions = [["heading", text] for text in headings(cells)]
    expected: list[Any] = [list(phrases.heading_sides(text)) for text in headings(cells)]
    assert len(questions) > 200
    for language in LANGUAGES:
        for text in printed(cells):
            questions.append(["lines", text, language])
            expected.append(phrases.lines(text, language))
        for text in comments(cells):
            questions.append(["phrase", text, language])
            expected.append(phrases.phrase(text, language))
    answers = in_javascript(questions)
    wrong = [
        (asked, want, got)
        for asked, want, got in zip(questions, expected, answers, strict=True)
        if want != got
    ]
    assert wrong == []


def test_its_scripts_know_the_languages_names_and_what_is_chinese_as_python_does() -> None:
    names = ", ".join(f'{code}: "{name}"' for code, name in NAMES.items())
    assert f"const NAMES = {{ {names} }};" in (SCRIPTS / "extension.js").read_text(encoding="utf-8")
    written = PHRASES.read_text(encoding="utf-8")
    for name, known in (("HAN", HAN), ("CHINESE", CHINESE)):
        in_script = re.sub(r"\\U000(\w{5})", r"\\u{\1}", known.pattern)
        assert f"const {name} = /{in_script}/u;" in written


def test_of_a_comment_one_side_is_left_out_and_no_letter_changed(cells: list[Any]) -> None:
    told = comments(cells)
    assert len(told) > 100
    for language in ("zh", "en"):
        ranges = in_javascript([["leftOut", text, language] for text in told])
        left = [
            text if cut is None else text[: cut[0]] + text[cut[1] :]
            for text, cut in zip(told, ranges, strict=True)
        ]
        assert all(text.startswith("#") for text in left)
        both = [text for text, cut in zip(told, ranges, strict=True) if cut is None]
        assert len(both) < len(told) / 10
        if language == "en":
            rest = [text for text, cut in zip(left, ranges, strict=True) if cut is not None]
            assert [text for text in rest if HAN.search(re.sub(r"\[.*?\]", "", text))] == []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with jupyter_lab(tmp_path_factory.mktemp("empty")) as running:
        yield running


def ask(server: Lab, body: Any = None, token: str = TOKEN) -> tuple[int, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"{server.address}/posenc-lessons/choice", data, {"Authorization": f"token {token}"}
    )
    try:
        with urllib.request.urlopen(request) as answer:
            content = answer.read()
            return answer.status, json.loads(content) if content else None
    except urllib.error.HTTPError as error:
        error.close()
        return error.code, None


def test_the_server_keeps_the_language_for_whoever_has_the_token(server: Lab) -> None:
    assert ask(server) == (200, {"language": "both"})
    assert ask(server, {"language": "en"}) == (204, None)
    assert ask(server) == (200, {"language": "en"})
    for wrong in ({"language": "fr"}, {}, ["en"], None):
        status, _ = ask(server, wrong) if wrong is not None else ask(server, token="wrong")
        assert status in (400, 403)
    assert ask(server) == (200, {"language": "en"})
