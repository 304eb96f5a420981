"""Whatever a reader types or a link says is text, everywhere it can appear; the code shown runs as it is."""

from __future__ import annotations

import ast
import json
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from itertools import cycle
from pathlib import Path
from urllib.parse import urlencode

import ipywidgets
import pytest

import posenc_lessons
from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, RaceExplorer, ShuffleExplorer
from posenc_lessons.explorers.base import MOST_TYPED, SAVE_PNG, SAVE_SVG, Explorer
from posenc_lessons.explorers.links import follow, link_and_omitted, read_link, write_link
from posenc_lessons.explorers.widgets import widgets_in
from posenc_lessons.language import LANGUAGES
from tests.support.hostile import AS_CODE, AS_MARKUP, MARK, TEXTS

NAMES = [explorer.name for explorer in EXPLORERS]
# All that our own HTML is made of.
ELEMENTS = {"b", "div", "span", "br", "pre", "h2", "h3", "style"}
ATTRIBUTES = {"role", "lang", "style", "class", "tabindex", "aria-live"}
DANGEROUS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|createContextualFragment"
    r"|srcdoc|setHTMLUnsafe|parseFromString|setTimeout\(\s*[\"'`]|javascript:|\.on[a-z]+\s*=\s*[\"'`]"
)


def boxes(make: type[Explorer]) -> list[str]:
    """The controls in which a reader types."""
    explorer = make()
    explorer.close()
    return [name for name, widget in explorer.controls.items() if isinstance(widget, ipywidgets.Text)]


TYPING = [(make, name) for make in EXPLORERS for name in boxes(make)]
# What a menu or a slider is given instead of its values: one of each kind.
FOR_OTHERS = ("script", "out of an attribute", "address", "format", "quotes", "lines", "half", "long")


class Elements(HTMLParser):
    """Fails at the first element or attribute that is not one of ours."""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS, tag
        assert {name for name, _ in attributes} <= ATTRIBUTES, (tag, attributes)
        assert not any(MARK in (value or "") for _, value in attributes)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    handle_decl = handle_pi = unknown_decl = handle_comment


def assert_all_is_text(root: ipywidgets.Widget) -> None:
    """Every HTML that ``root`` shows has our elements alone, and no name or tip is HTML at all."""
    for widget in widgets_in(root):
        assert getattr(widget, "description_allow_html", False) is False
        if isinstance(widget, ipywidgets.HTML):
            parser = Elements()
            parser.feed(widget.value)
            parser.close()
        # What cannot be sent would end the message, and the page would wait for it.
        json.dumps(widget.get_state(), ensure_ascii=False, default=lambda _: "").encode()


@pytest.mark.parametrize(("make", "name"), TYPING, ids=lambda each: getattr(each, "name", each))
def test_what_is_typed_is_text_in_every_box(make: type[Explorer], name: str) -> None:
    explorer = make()
    if make.name == "gate":
        explorer.controls["rule"].value = "chosen"  # where the other box is used
    explorer._show_code.value = True
    for spoken, (kind, text) in zip(cycle(LANGUAGES), TEXTS.items(), strict=False):
        explorer.controls[name].value = text
        assert_all_is_text(explorer)
        language.choose(spoken)
        assert_all_is_text(explorer)
        shown = explorer.message.zh if explorer.message is not None else explorer.canvas.alt
        assert shown, kind
        if explorer.message is not None:
            assert "出错" not in explorer.message.zh, (kind, explorer.message.en)
    explorer.reset()
    assert explorer.message is None
    explorer.close()


@pytest.mark.parametrize(("make", "name"), TYPING, ids=lambda each: getattr(each, "name", each))
def test_the_code_shown_is_python_and_has_the_text_in_it_as_text(make: type[Explorer], name: str) -> None:
    explorer = make(**({"rule": "chosen"} if make.name == "gate" else {}))
    usual = len(list(ast.walk(ast.parse(explorer.code(explorer.parameters())))))
    for kind, text in TEXTS.items():
        explorer.controls[name].value = text
        if explorer.message is not None:
            continue
        code = explorer.code(explorer.parameters())
        tree = list(ast.walk(ast.parse(code)))
        assert len(tree) == usual, kind
        typed = explorer.controls[name].value.replace("␣", " ")
        assert typed in [node.value for node in tree if isinstance(node, ast.Constant)], kind
        assert code.replace("\n", "").isprintable(), kind  # nothing turns its lines around
        if kind in ("quotes", "end of a string", "right to left"):
            *body, last = code.rstrip().splitlines()
            names: dict[str, object] = {}
            exec("\n".join([*body, f"picture = {last}"]), names)
            assert names["picture"].alt.zh == explorer.still().alt.zh  # type: ignore[attr-defined]
    explorer.close()


def test_files_are_named_by_the_explorer_and_hold_the_text_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, str, bytes]] = []
    for make, name in TYPING:
        explorer = make()
        monkeypatch.setattr(explorer.canvas, "download", lambda *file: sent.append(file))
        for kinds in (("script", "comment", "cdata", "formula"), ("control", "zero byte", "private", "half")):
            explorer.controls[name].value = " ".join(TEXTS[kind] for kind in kinds)
            explorer._save("svg", "image/svg+xml")
        explorer.close()
    assert len(sent) > 4
    for name, _, content in sent:
        assert name in [f"{make.name}.svg" for make in EXPLORERS]
        for element in ElementTree.fromstring(content).iter():
            assert element.tag.rpartition("}")[2].lower() not in (
                "script",
                "foreignobject",
                "iframe",
                "img",
                "a",
            )
            assert not any(
                key.lower().startswith("on") or "javascript:" in value for key, value in element.items()
            )


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_what_a_link_says_of_any_control_is_text(make: type[Explorer]) -> None:
    explorer = make()
    for name in [*explorer.controls, "no such control"]:
        typed = isinstance(explorer.controls.get(name), ipywidgets.Text)
        for kind in TEXTS if typed else FOR_OTHERS:
            text = TEXTS[kind]
            asked = read_link(urlencode({"explorer": make.name, name: text}, errors="surrogatepass"), NAMES)
            problems = asked.problems + follow(explorer, asked.values)
            assert explorer.message is None or "出错" not in explorer.message.zh, (name, kind)
            for problem in problems:
                assert len(problem.en) < 400
                Elements().feed(problem.html())
            assert typed or problems, (name, kind)
        assert_all_is_text(explorer)
        explorer.reset()
    explorer.close()


@pytest.mark.parametrize(("make", "name"), TYPING, ids=lambda each: getattr(each, "name", each))
def test_a_link_brings_a_hostile_text_back_letter_by_letter(make: type[Explorer], name: str) -> None:
    before, after = make(), make()
    for kind, text in (AS_MARKUP | AS_CODE).items():
        before.controls[name].value = text
        link = write_link(before, "en")
        assert re.fullmatch(r"[\w.~%+=&*-]*", link), kind  # nothing that ends an attribute or an address
        asked = read_link(link, NAMES)
        assert asked.problems + follow(after, asked.values) == ()
        assert after.controls[name].value == text
    before.close()
    after.close()


def test_what_is_typed_as_a_file_s_name_writes_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path | None] = []

    class Noted:
        def __init__(
            self, race: object, so_far: object = None, *, path: Path | None = None, **_: object
        ) -> None:
            asked.append(path)
            raise ValueError("not run")

    (tmp_path / "outside").mkdir()
    here = tmp_path / "here"
    here.mkdir()
    (here / "link").symlink_to(tmp_path / "outside")
    (here / "link.json").symlink_to(tmp_path / "outside" / "race.json")
    monkeypatch.chdir(here)
    monkeypatch.setattr("posenc_lessons.experiments.race.background.BackgroundRace", Noted)
    explorer = RaceExplorer()
    names = [*TEXTS.values(), "link/race.json", "link.json", "../outside/race.json", str(tmp_path / "a.json")]
    pictures = {SAVE_PNG.show(), SAVE_SVG.show()}  # saved under a name of ours, and drawn anew each time
    buttons = [each for each in widgets_in(explorer) if isinstance(each, ipywidgets.Button)]
    buttons = [button for button in buttons if button.description not in pictures]
    for name in names:
        explorer._file.value = name
        for button in buttons:
            if not button.disabled:
                button.click()
        assert explorer._alert.value.count("<div") <= 3 and len(explorer._alert.value) < 3000, name[:60]
        assert_all_is_text(explorer)
    assert all(path is None or (path.parent == here and path.suffix == ".json") for path in asked)
    assert asked, "some of them are names as good as any"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["here", "link", "link.json", "outside"]
    explorer.close()


def test_a_text_that_no_link_can_hold_is_left_out_and_named() -> None:
    explorer = ShuffleExplorer()
    explorer.controls["sentence"].value = "长" * 2000
    assert link_and_omitted(explorer, "both") == ("explorer=shuffle&lang=both", ("sentence",))
    explorer.controls["sentence"].value = "a"
    assert link_and_omitted(explorer, "both") == ("explorer=shuffle&lang=both&sentence=a", ())
    explorer.close()


@pytest.mark.parametrize(("make", "name"), TYPING, ids=lambda each: getattr(each, "name", each))
def test_a_text_of_any_length_is_kept_and_nothing_made_of_it(make: type[Explorer], name: str) -> None:
    explorer = make()
    begun = explorer.parameters()
    explorer.controls[name].value = "字" * 1_000_000
    assert explorer.parameters() == {**begun, name: "字" * 1_000_000}
    assert explorer.message is not None and str(MOST_TYPED) in explorer.message.en
    explorer._show_code.value = True
    assert len(explorer._code.value) < 10_000 and len(explorer._alert.value) < 10_000
    explorer.close()


def test_no_script_of_ours_makes_markup_of_a_string() -> None:
    package = Path(posenc_lessons.__file__).parent
    scripts = [path for kind in ("js", "j2", "html") for path in package.rglob(f"*.{kind}")]
    assert len(scripts) > 6
    found = {
        f"{path.name}: {line.strip()}"
        for path in scripts
        for line in path.read_text(encoding="utf-8").splitlines()
        if DANGEROUS.search(line)
    }
    # Parsed in a document that runs and loads nothing; only words, blocks and lines are copied from it.
    assert found == {'dom.js: const parsed = new DOMParser().parseFromString(html, "text/html").body;'}
