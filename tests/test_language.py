"""The reader's language, the switch that chooses it, and the choice that the switch remembers."""

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import ipywidgets
import pytest

from posenc_lessons import language
from posenc_lessons.course import switch
from posenc_lessons.language import (
    CHINESE,
    BilingualError,
    BilingualIndexError,
    BilingualRuntimeError,
    BilingualTypeError,
    BilingualValueError,
    Text,
)

HELLO = Text("你好", "Hello")
PACKAGE = Path(language.__file__).parent


@pytest.fixture(autouse=True)
def fresh_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start as a reader without choices, in a kernel without outputs."""
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(switch, "_switch", None)
    monkeypatch.setattr(language, "_current", "both")
    monkeypatch.setattr(language, "_listeners", [])
    yield
    ipywidgets.Widget.close_all()


def test_a_text_follows_the_chosen_language() -> None:
    assert HELLO.show() == "你好 · Hello"
    language.choose("en")
    assert HELLO.show() == str(HELLO) == "Hello"
    assert HELLO.show("zh") == "你好"
    assert Text("RoPE", "RoPE").show("both") == "RoPE"


def test_a_text_within_a_text_has_the_outer_language() -> None:
    both = language.joined((HELLO, Text("再见", "bye")))
    said = Text("“{both}”", "“{both}” ({n})").format(both=both, n=2)
    assert (said.zh, said.en) == ("“你好、再见”", "“Hello, bye” (2)")
    assert HELLO.show("both", between="\n") == "你好\nHello"


def test_shown_in_changes_the_language_without_telling_listeners() -> None:
    heard: list[str] = []
    language.on_change(lambda: heard.append(language.current()))
    with pytest.raises(ZeroDivisionError), language.shown_in("en"):
        assert HELLO.show() == "Hello"
        raise ZeroDivisionError
    assert language.current() == "both" and heard == []


def test_both_languages_can_be_restored_after_only() -> None:
    language.only("en")
    assert HELLO.parts() == {"en": "Hello"} and str(BilingualError("错", "wrong")) == "wrong"
    language.choose("both")
    assert str(BilingualError("错", "wrong")) == "wrong"
    language.only("zh")
    drawn: list[str] = []
    stop = language.on_change(lambda: drawn.append(HELLO.show()))  # as a picture does
    language.only("both")
    stop()
    assert drawn == ["你好 · Hello"]
    assert HELLO.parts() == {"zh": "你好", "en": "Hello"} and language.alone() is None
    language.choose("zh")
    assert str(BilingualError("错", "wrong")) == "错"


def test_listeners_are_called_only_until_they_stop() -> None:
    heard: list[str] = []
    stop = language.on_change(lambda: heard.append(language.current()))
    language.choose("zh")
    language.choose("zh")  # no change
    language.choose("en")
    stop()
    stop()
    language.choose("both")
    assert heard == ["zh", "en"]


def test_a_failing_listener_is_reported_and_does_not_stop_others() -> None:
    heard: list[str] = []

    def fail() -> None:
        raise RuntimeError("no ink")

    language.on_change(fail)
    language.on_change(lambda: heard.append(language.current()))
    with pytest.raises(RuntimeError, match="no ink"):
        language.choose("zh")
    assert heard == ["zh"]
    with pytest.raises(BilingualValueError, match="'fr'"):
        language.choose("fr")  # type: ignore[arg-type]


# Errors.


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (BilingualValueError, ValueError),
        (BilingualIndexError, IndexError),
        (BilingualTypeError, TypeError),
        (BilingualRuntimeError, RuntimeError),
    ],
)
def test_an_error_from_another_process_has_the_readers_language(
    kind: type[BilingualError], expected: type[Exception]
) -> None:
    for error in (kind("太长", "too long"), pickle.loads(pickle.dumps(kind("太长", "too long")))):
        assert isinstance(error, expected) and isinstance(error, BilingualError)
        assert error.text == language.text_of(error) == Text("太长", "too long")
        for chosen, said in (("zh", "太长"), ("en", "too long"), ("both", "too long\n太长")):
            language.choose(chosen)  # type: ignore[arg-type]
            assert str(error) == said


SOURCES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}
CAUGHT = {
    "choices.py",
    "files.py",
    "configs/measured.py",
    "configs/naming.py",
    "configs/small.py",
}  # our own code catches these plain errors


def name_of(node: ast.expr) -> str:
    """Return the last name of ``language.BilingualError``."""
    return ast.unparse(node).rpartition(".")[2]


def bilingual_kinds() -> set[str]:
    """Return the names of BilingualError and of its subclasses in the package."""
    classes = [node for tree in SOURCES.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    kinds, before = {"BilingualError"}, 0
    while len(kinds) > before:
        before = len(kinds)
        kinds |= {each.name for each in classes if kinds & set(map(name_of, each.bases))}
    return kinds


def test_every_text_and_every_error_has_its_chinese_first_and_its_english_second() -> None:
    """Or the same text twice, as for a name. The page's menu names each language in the other."""
    kinds, calls, wrong = bilingual_kinds() | {"Text"}, 0, []
    for path, tree in SOURCES.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or len(node.args) < 2:
                continue
            if name_of(node.func) not in kinds:  # such as an exercise's mistake
                texts = [each for each in node.args[:2] if isinstance(each, (ast.Constant, ast.JoinedStr))]
                if [bool(CHINESE.search(ast.unparse(text))) for text in texts] == [False, True]:
                    wrong.append(f"{path}:{node.lineno}: {ast.unparse(node)}")
                continue
            if len(node.args) > 2:
                continue
            zh, en = (re.sub(r"\d+年\d+月\d+日", "", ast.unparse(text)) for text in node.args)
            error = name_of(node.func) != "Text"
            values = [
                {re.sub("_?(zh|en)$", "", name.id) for name in ast.walk(text) if isinstance(name, ast.Name)}
                for text in node.args
            ]
            written = all(isinstance(each, (ast.Constant, ast.JoinedStr)) for each in node.args)
            if zh != en and (zh, en) != ("'L：English'", "'L: 中文'"):
                calls += 1
                chinese = not written or CHINESE.search(zh) or (".zh}" in zh and ".en}" not in zh)
                if not chinese or CHINESE.search(en) or ".zh}" in en or (error and values[0] != values[1]):
                    wrong.append(f"{path}:{node.lineno}: {zh} | {en}")
    assert wrong == [] and calls > 600


def test_no_public_error_is_in_one_language_only() -> None:
    plain = {"ValueError", "IndexError", "TypeError", "RuntimeError", "KeyError"}
    raised = {
        path.relative_to(PACKAGE).as_posix()
        for path, tree in SOURCES.items()
        if "exercises" not in path.parts  # functions there are wrong on purpose
        and "numpy_torch" not in path.parts  # errors there are PyTorch's
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and name_of(node.exc.func) in plain
    }
    assert raised <= CAUGHT


def test_switch_is_one_per_kernel_and_linked_in_the_browser() -> None:
    made = switch.language_switch()
    assert switch.language_switch() is made
    link = made._link
    assert (link.source, link.target) == ((made.buttons, "index"), (made.children[1], "selected_index"))
    made.close()
    assert switch.language_switch() is not made


def test_style_sheets_hide_the_other_language_only() -> None:
    """Every rule selects only the other language's blocks, so this language and the page stay."""
    zh, en, both = (child.value for child in switch.language_switch().children[1].children)
    assert '[lang="en"] { display: none' in zh and '[lang="zh"] {' not in zh
    assert '[lang="zh"] { display: none' in en and '[lang="en"] {' not in en
    assert "display: none" not in both


def test_a_new_kernel_remembers_and_a_language_set_in_code_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    switch.language_switch().buttons.value = "en"
    for set_in_code, shown in (("both", "en"), ("zh", "zh")):
        monkeypatch.setattr(switch, "_switch", None)
        monkeypatch.setattr(language, "_current", set_in_code)
        buttons = switch.language_switch().buttons
        assert buttons.value == language.current() == shown
    language.choose("en")
    assert buttons.value == "en"


def test_a_choice_that_cannot_be_read_or_saved_is_reported_and_still_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "choices.json").write_bytes(b"\xff\x00{")
    assert "could not be read" in switch.language_switch().message.value
    monkeypatch.setattr(switch, "_switch", None)
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path / "file" / "home"))
    made = switch.language_switch()
    made.buttons.value = "zh"
    assert language.current() == "zh"
    assert 'role="alert"' in made.message.value
    assert "没能存到" in made.message.value and "could not be saved" in made.message.value
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path / "home"))
    made.buttons.value = "en"
    assert made.message.value == ""
