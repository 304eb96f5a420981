"""The guides say the same in both languages, and what they name exists: links, cells, explorers, commands."""

import json
import re
import shlex
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from posenc_lessons import cli
from posenc_lessons.course.lessons import lesson_names
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.links import follow, read_link
from tests.notebooks import bilingual

ROOT = Path(__file__).parents[2]
GUIDES = ("TEACHING", "CLASSROOM", "ACCESSIBILITY")
BY_NAME = {explorer.name: explorer for explorer in EXPLORERS}
NOTEBOOKS = {name[:2]: ROOT / "notebooks" / f"{name}.ipynb" for name in lesson_names(ROOT / "notebooks")}
CELL = re.compile(r"`(\d\d):([\w-]+)`")
LINK = re.compile(r"`[?&](explorer=[^`]+)`")
SPOKEN = {"en": "", "zh": ".zh"}

every_pair = pytest.mark.parametrize("name", GUIDES)
every_guide = pytest.mark.parametrize(
    ("name", "spoken"), [(name, spoken) for name in GUIDES for spoken in SPOKEN]
)


def guide(name: str, spoken: str) -> str:
    return (ROOT / f"{name}{SPOKEN[spoken]}.md").read_text(encoding="utf-8")


@cache
def cells(lesson: str) -> set[str]:
    notebook = json.loads(NOTEBOOKS[lesson].read_text(encoding="utf-8"))
    return {cell["id"] for cell in notebook["cells"]}


def headings(text: str) -> list[str]:
    return re.findall(r"^(#+ .+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.M)


# --- both languages say the same --------------------------------------------------------------------------


def without_language(text: str) -> str:
    """Remove what differs between the languages: their names, pictures, sentences to shuffle, anchors."""
    text = re.sub(r"(lang=|--lang |images/\w+\.)(en|zh)\b", r"\1…", text)
    text = re.sub(r"sentence=[^&`]+", "sentence=…", text)
    return re.sub(r"\]\(([A-Z]*)(?:\.zh)?(\.md)?#[^)]+\)", r"](\1\2#…)", text.replace(".zh.md", ".md"))


@every_pair
def test_both_languages_state_the_same_facts(name: str) -> None:
    en, zh = (without_language(guide(name, spoken)) for spoken in ("en", "zh"))
    en, zh = (re.sub(r"\[(中文|English)\]\([A-Z]+\.md\)", "", text) for text in (en, zh))
    levels = [[re.match("#+", line)[0] for line in headings(text)] for text in (en, zh)]  # type: ignore[index]
    assert levels[0] == levels[1]
    sections = (re.split(r"^#+ ", text, flags=re.M) for text in (en, zh))
    found = [
        f"{of_en.splitlines()[0]}: {problem}"
        for of_en, of_zh in zip(*sections, strict=True)
        for problem in bilingual.differences(of_zh, of_en)
    ]
    assert found == []


@every_pair
def test_each_guide_is_in_one_language(name: str) -> None:
    en, zh = (re.sub(r"```.*?```", "", guide(name, spoken), flags=re.DOTALL) for spoken in ("en", "zh"))
    assert bilingual.CHINESE.findall(en.replace("[中文]", "")) == []
    body = re.sub(r"^(#+ .+|\|.+)$", "", zh, flags=re.M)
    found = [
        problem
        for paragraph in re.split(r"\n{2,}", body)
        if bilingual.HAN.search(paragraph)
        for problem in bilingual.alone(bilingual.Block("zh", 1, paragraph.split("\n")))
    ]
    assert found == []


# --- their links lead somewhere ----------------------------------------------------------------------------


def anchor(heading: str) -> str:
    """Return GitHub's anchor of a heading."""
    words = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", heading.lstrip("# ")).lower()
    return re.sub(r"[^\w\s-]", "", words).replace(" ", "-")


@every_guide
def test_no_link_is_dead_and_every_cell_named_exists(name: str, spoken: str) -> None:
    text = guide(name, spoken)
    for link in bilingual.links(text):
        if link.startswith("https://"):
            continue
        file, _, fragment = unquote(link).partition("#")
        assert (ROOT / file).exists(), link
        if fragment:
            there = (ROOT / file).read_text(encoding="utf-8") if file else text
            assert fragment in map(anchor, headings(there)), link
    named = CELL.findall(text)
    assert [f"{lesson}:{cell}" for lesson, cell in named if cell not in cells(lesson)] == []
    assert named or name != "TEACHING"


def restored(query: str) -> Explorer:
    """Return the explorer that a link opens; fail if a part of the link has no effect."""
    asked = read_link(query, BY_NAME)
    assert asked.problems == () and asked.explorer is not None
    explorer = BY_NAME[asked.explorer]()
    assert follow(explorer, asked.values) == ()
    for control, text in asked.values.items():
        value = explorer.controls[control].value
        assert str(int(value) if isinstance(value, bool) else value) == text, f"{control} in {query}"
    assert explorer.message is None, explorer.message
    return explorer


@every_guide
def test_every_explorer_link_restores_its_settings(name: str, spoken: str) -> None:
    links = LINK.findall(guide(name, spoken))
    for query in links:
        restored(query)
        assert read_link(query, BY_NAME).language in (None, spoken), query
    assert links or name != "TEACHING"


@every_guide
def test_every_command_can_be_typed(name: str, spoken: str) -> None:
    text = guide(name, spoken)
    spans = [
        *bilingual.inline_code(text),
        *re.findall(r"^(?!```)(.+)$", "\n".join(bilingual.fences(text)), re.M),
    ]
    for span in (span.removeprefix("$ ") for span in spans):
        words = shlex.split(span, comments=True) if re.match(r"(posenc-lessons|make) ", span) else []
        if words[:1] == ["make"]:
            assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M), span
        elif len(words) > 1:
            cli._parser().parse_args(words[1:])
