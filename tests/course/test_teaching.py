"""The teacher's guides are true: links work, cells exist, answers are the solutions', plans add up."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from functools import cache
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote

import pytest

from posenc_lessons import cli, language
from posenc_lessons.course.lessons import lesson_names
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.links import follow, read_link
from tests.course.minutes import measured
from tests.notebooks import bilingual
from tests.support.duties import assert_complete

ROOT = Path(__file__).parents[2]
GUIDES = ("TEACHING", "CLASSROOM", "ACCESSIBILITY")
BY_NAME = {explorer.name: explorer for explorer in EXPLORERS}
NOTEBOOKS = {name[:2]: ROOT / "notebooks" / f"{name}.ipynb" for name in lesson_names(ROOT / "notebooks")}
CELL = re.compile(r"`(\d\d):([\w-]+)`")
LINK = re.compile(r"`[?&](explorer=[^`]+)`")
ENTRY = re.compile(r"^\*\*(\d\d) · `(exercise-[\w-]+)`\*\*", re.M)
SPOKEN = {"en": "", "zh": ".zh"}

every_pair = pytest.mark.parametrize("name", GUIDES)
every_guide = pytest.mark.parametrize(
    ("name", "spoken"), [(name, spoken) for name in GUIDES for spoken in SPOKEN]
)
each_language = pytest.mark.parametrize("spoken", SPOKEN)


def guide(name: str, spoken: str) -> str:
    return (ROOT / f"{name}{SPOKEN[spoken]}.md").read_text(encoding="utf-8")


@cache
def cells(lesson: str) -> dict[str, dict[str, object]]:
    notebook = json.loads(NOTEBOOKS[lesson].read_text(encoding="utf-8"))
    return {cell["id"]: cell for cell in notebook["cells"]}


def source(cell: dict[str, object]) -> str:
    return "".join(cell["source"])  # type: ignore[arg-type]


def headings(text: str) -> list[str]:
    return re.findall(r"^(#+ .+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.M)


def section(text: str, number: int) -> str:
    """Return the text under the second-level heading of that number, counted from 0."""
    return re.split(r"^## ", text, flags=re.M)[number + 1]


def rows(text: str) -> list[list[str]]:
    """Return the cells of every table row in ``text``, without heads."""
    lines = text.split("\n")
    heads = {number - 1 for number, line in enumerate(lines) if re.fullmatch(r"[|\s:-]+-[|\s:-]+", line)}
    return [
        [part.strip() for part in line.strip().strip("|").split("|")]
        for number, line in enumerate(lines)
        if line.startswith("|") and number not in heads and number - 1 not in heads
    ]


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
def test_no_link_is_dead(name: str, spoken: str) -> None:
    text = guide(name, spoken)
    for link in bilingual.links(text):
        if link.startswith("https://"):
            continue
        file, _, fragment = unquote(link).partition("#")
        assert (ROOT / file).exists(), link
        if fragment:
            there = (ROOT / file).read_text(encoding="utf-8") if file else text
            assert fragment in map(anchor, headings(there)), link


@every_guide
def test_every_test_named_as_evidence_exists(name: str, spoken: str) -> None:
    named = re.findall(r"\b(?:tests|benchmarks)/[\w./-]*\w", guide(name, spoken))
    modules = re.findall(r"python3? -m ((?:tests|posenc_lessons|benchmarks)[\w.]*)", guide(name, spoken))
    assert [path for path in named if not (ROOT / path).exists()] == []
    for module in modules:
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module


@every_guide
def test_every_lesson_and_cell_named_exists(name: str, spoken: str) -> None:
    named = CELL.findall(guide(name, spoken))
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


@each_language
def test_explorers_show_the_numbers_in_the_guide(spoken: str) -> None:
    shown = [row for row in rows(guide("TEACHING", spoken)) if len(row) == 3 and LINK.search("|".join(row))]
    assert [row[0] for row in shown if len(row[0]) == 1] == list("ABCDEFGH")
    assert len(shown) > 15
    language.choose("en" if spoken == "en" else "zh")
    for row in shown:
        explorer = restored(LINK.findall("|".join(row))[0])
        parameters = explorer.parameters()
        reading = explorer.caption(parameters, explorer.compute(parameters)).show()
        (quoted,) = re.findall("“(.+?)”", row[-1])
        assert quoted in reading, row


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


# --- their facts are true ----------------------------------------------------------------------------------


@each_language
def test_the_times_come_from_the_lessons_content(spoken: str) -> None:
    table = [row for row in rows(section(guide("TEACHING", spoken), 0)) if len(row) == 5]
    name = f"TEACHING{SPOKEN[spoken]}.md"
    there = [row[0] for row in table]
    assert_complete(
        NOTEBOOKS,
        there,
        f"{name} has no row of times for lesson {{}}",
        f"{name} has times for {{}}, no lesson",
    )
    assert there == list(NOTEBOOKS), f"the rows of times in {name} are not in the lessons' order"
    for lesson, *numbers, says in table:
        asked, core, whole = (int(number) for number in numbers)
        found = measured(ROOT / "notebooks", NOTEBOOKS[lesson].stem)
        # The guide does not have to change with every paragraph.
        assert core == pytest.approx(found.core[spoken], abs=6), lesson
        assert whole == pytest.approx(found.whole[spoken], abs=6), lesson
        exercises_there = sum(there == lesson for there, _ in exercises())
        assert asked == exercises_there, (
            f"{name} says {asked} exercises in {lesson}; it has {exercises_there}"
        )
        assert says == str(found.promised or "–"), lesson


@each_language
def test_the_plans_fill_their_time(spoken: str) -> None:
    for number, whole in ((2, 45), (3, 90)):
        now = 0
        plan = section(guide("TEACHING", spoken), number)
        for begin, end in re.findall(r"^\| (\d+)–(\d+) \|", plan, re.M):
            assert int(begin) == now
            now = int(end)
        assert now == whole
    long = section(guide("TEACHING", spoken), 4)

    now, variants = 0, []
    for row in rows(long):
        if clock := re.fullmatch(r"(\d):(\d\d)", row[0]):
            assert int(clock[1]) * 60 + int(clock[2]) == now, row
            now += int(row[1])
        else:
            variants.append(int(row[0]))
    assert now == 180
    assert sum(variants[:3]) == sum(variants[3:]) == 25


@each_language
def test_the_needs_of_a_class_are_as_measured(spoken: str) -> None:
    table = rows((ROOT / "benchmarks/classroom.md").read_text(encoding="utf-8"))
    measured = {
        row[0]: [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\d|\d", row[1])]
        for row in table
    }
    (loaded,) = (numbers[0] for name, numbers in measured.items() if name.startswith("bytes that each loads"))
    (said,) = re.findall(r"(?<=最多 )\d+(?= MB)|\d+(?= MB at most)", guide("CLASSROOM", spoken))
    assert (int(said) - 1) * 1e6 < loaded <= int(said) * 1e6
    assert measured["readers at once"] == [300] and measured["requests, and how many went wrong"][1] == 0


@each_language
def test_the_numbers_of_the_questions_stand_in_their_lesson(spoken: str) -> None:
    questions = [row for row in rows(section(guide("TEACHING", spoken), 5)) if len(row) == 4]
    assert len(questions) > 40
    for cell, question, answer, _ in questions:
        lesson = CELL.findall(cell)[0][0]
        shown = json.dumps(cells(lesson), ensure_ascii=False)
        numbers = [number for number in bilingual.numbers(answer) if len(number) > 1]
        assert [number for number in numbers if number not in shown] == [], f"{cell} {question}"


def exercises() -> list[tuple[str, str]]:
    return [
        (lesson, name)
        for lesson in NOTEBOOKS
        for name, cell in cells(lesson).items()
        if name.startswith("exercise-") and cell["cell_type"] == "code"
    ]


def named(found: list[tuple[str, str]]) -> list[str]:
    return [f"{lesson}:{cell}" for lesson, cell in found]


@each_language
def test_every_exercise_has_its_answer(spoken: str) -> None:
    name, told = f"TEACHING{SPOKEN[spoken]}.md", named(ENTRY.findall(guide("TEACHING", spoken)))
    wanted = named(exercises())
    assert_complete(
        wanted, told, f"{name} has no answer for {{}}", f"{name} answers {{}}, which is no exercise"
    )
    assert told == wanted, f"the answers in {name} are not in the lessons' order"


@each_language
def test_every_objective_has_its_section_exercise_and_check(spoken: str) -> None:
    table = rows(section(guide("TEACHING", spoken), 0))
    needs = {row[0][1:3]: re.findall(r"\b\d\d\b", row[2]) for row in table if row[0].startswith("[")}
    objectives = [row for row in table if "check_" in row[-1]]
    examined = []
    for what, sections, asked, checks in objectives:
        lesson, *after = re.findall(r"\b\d\d\b", what)
        assert after == needs.pop(lesson, []), what  # named only in the lesson's first line
        for there, cell in CELL.findall(sections):
            assert there == lesson and re.search("^#+ ", source(cells(there)[cell]), re.M), cell
        for (there, cell), check in zip(CELL.findall(asked), bilingual.inline_code(checks), strict=True):
            module, _, name = check.partition(".")
            assert callable(getattr(import_module(f"posenc_lessons.exercises.{module}"), name))
            assert there == lesson and f"\n{name}(" in source(cells(there)[cell]), cell
            examined.append((there, cell))
    name = f"TEACHING{SPOKEN[spoken]}.md"
    assert not needs, f"{name} has no objectives for lesson " + ", ".join(needs)
    assert_complete(
        named(exercises()),
        named(examined),
        f"{name} has no objective that {{}} examines",
        f"an objective in {name} names {{}}, which is no exercise",
    )
    assert len(examined) == len(exercises()), f"{name} names an exercise with two objectives"


@each_language
def test_every_question_page_has_a_row_with_its_cells(spoken: str) -> None:
    page = re.compile(r"\((notebooks/questions/\w+\.ipynb)\)")
    told = {
        found[1]: CELL.findall(row[0])
        for row in rows(section(guide("TEACHING", spoken), 0))
        if (found := page.search(row[-1]))
    }
    pages = sorted((ROOT / "notebooks" / "questions").glob("*.ipynb"))
    assert_complete(
        [path.relative_to(ROOT).as_posix() for path in pages],
        told,
        f"TEACHING{SPOKEN[spoken]}.md has no row for the question {{}}",
        f"TEACHING{SPOKEN[spoken]}.md has a row for {{}}, which is not there",
    )
    for name, cells_told in told.items():
        said = "".join(map(source, json.loads((ROOT / name).read_text(encoding="utf-8"))["cells"]))
        links = re.findall(r"\.\./(\d\d)_\w+\.ipynb#cell-id=([\w-]+)", said)
        assert cells_told == list(dict.fromkeys(links)), name


@each_language
def test_key_lines_are_lines_of_their_own_solutions(spoken: str) -> None:
    text = guide("TEACHING", spoken)
    for entry in re.split(r"(?=^\*\*\d\d · `exercise-)", section(text, 6), flags=re.M)[1:]:
        lesson, name = ENTRY.findall(entry)[0]
        (check,) = re.findall(r"^(check_\w+)\(", source(cells(lesson)[name]), re.M)
        module = import_module(f"posenc_lessons.exercises.{NOTEBOOKS[lesson].stem[3:]}")
        solution = inspect.getsource(getattr(module, check).solution)
        _, key, named, hints = re.split(r"\n- ", entry.strip())
        lines = bilingual.inline_code(key)
        assert lines and all(
            re.search(rf"^ +{re.escape(line)}\b|^ +{re.escape(line)}", solution, re.M) for line in lines
        ), name
        assert re.search("[:：]", named) and len(re.findall("[?？.。]", hints)) >= 2, name
