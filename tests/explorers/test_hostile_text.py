"""A reader's text, typed or in a link, stays text everywhere, and the shown code runs as it is."""

from __future__ import annotations

import ast
import json
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from itertools import cycle
from pathlib import Path
from urllib.parse import urlencode

import pytest

import posenc_lessons
from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, RaceExplorer, ShuffleExplorer
from posenc_lessons.explorers.base import MOST_TYPED, Explorer
from posenc_lessons.explorers.controls import TextBox
from posenc_lessons.explorers.host import Host
from posenc_lessons.explorers.links import follow, link_and_omitted, read_link, write_link
from posenc_lessons.language import LANGUAGES
from tests.support.hostile import AS_CODE, AS_MARKUP, MARK, TEXTS

NAMES = [explorer.name for explorer in EXPLORERS]
# The elements and attributes that our own HTML uses.
ELEMENTS = {"div", "span", "br"}
ATTRIBUTES = {"lang", "style"}
DANGEROUS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|createContextualFragment"
    r"|srcdoc|setHTMLUnsafe|parseFromString|setTimeout\(\s*[\"'`]|javascript:|\.on[a-z]+\s*=\s*[\"'`]"
)


def boxes(make: type[Explorer]) -> list[str]:
    """Return the controls in which a reader types."""
    explorer = make()
    explorer.close()
    return [name for name, control in explorer.controls.items() if isinstance(control, TextBox)]


TYPING = [(make, name) for make in EXPLORERS for name in boxes(make)]
IN_CODE = [(make, name) for make, name in TYPING if name not in make.needs_kernel]
# Texts in place of the values of menus and sliders, one of each kind.
FOR_OTHERS = ("script", "out of an attribute", "address", "format", "quotes", "lines", "half", "long")


class Elements(HTMLParser):
    """A parser that fails at the first element or attribute that our HTML does not use."""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS, tag
        assert {name for name, _ in attributes} <= ATTRIBUTES, (tag, attributes)
        assert not any(MARK in (value or "") for _, value in attributes)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    handle_decl = handle_pi = unknown_decl = handle_comment


def assert_all_is_text(host: Host) -> None:
    """Assert that HTML for a panel has only our elements, and that it can be sent."""
    view = host.answer("view")
    for markup in (view["reading"], view["alert"]):
        parser = Elements()
        parser.feed(markup)
        parser.close()
    # Text that cannot be encoded would lose the whole message, and the panel would wait for it.
    json.dumps(view, ensure_ascii=False, default=bytes.hex).encode()


@pytest.mark.parametrize(("make", "name"), TYPING, ids=lambda each: getattr(each, "name", each))
def test_typed_text_stays_text_in_every_box(make: type[Explorer], name: str) -> None:
    explorer = make()
    if make.name == "gate":
        explorer.controls["rule"].value = "chosen"  # where the other box is used
    host = Host(explorer, kernel=True)
    for spoken, (kind, text) in zip(cycle(LANGUAGES), TEXTS.items(), strict=False):
        explorer.controls[name].value = text
        assert_all_is_text(host)
        language.choose(spoken)
        assert_all_is_text(host)
        if explorer.message is not None:
            assert "出错" not in explorer.message.zh, (kind, explorer.message.en)
    explorer.reset()
    assert explorer.message is None
    explorer.close()


@pytest.mark.parametrize(("make", "name"), IN_CODE, ids=lambda each: getattr(each, "name", each))
def test_the_shown_code_contains_typed_text_as_a_string(make: type[Explorer], name: str) -> None:
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
        assert code.replace("\n", "").isprintable(), kind  # nothing reverses its lines
        if kind in ("quotes", "end of a string", "right to left"):
            *body, last = code.rstrip().splitlines()
            names: dict[str, object] = {}
            exec("\n".join([*body, f"picture = {last}"]), names)
            assert names["picture"].alt.zh == explorer.still().alt.zh  # type: ignore[attr-defined]
    explorer.close()


@pytest.mark.parametrize(("make", "name"), TYPING, ids=lambda each: getattr(each, "name", each))
def test_a_still_that_is_saved_holds_the_text_as_text(make: type[Explorer], name: str) -> None:
    explorer = make()
    for kinds in (("script", "comment", "cdata", "formula"), ("control", "zero byte", "private", "half")):
        explorer.controls[name].value = " ".join(TEXTS[kind] for kind in kinds)
        if explorer.message is not None:
            continue
        for element in ElementTree.fromstring(explorer.still().svg()).iter():
            tag = element.tag.rpartition("}")[2].lower()
            assert tag not in ("script", "foreignobject", "iframe", "img", "a")
            assert not any(
                key.lower().startswith("on") or "javascript:" in value for key, value in element.items()
            )
    explorer.close()


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_text_from_a_link_stays_text_in_every_control(make: type[Explorer]) -> None:
    explorer = make()
    host = Host(explorer, kernel=True)
    for name in [*explorer.controls, "no such control"]:
        typed = isinstance(explorer.controls.get(name), TextBox)
        for kind in TEXTS if typed else FOR_OTHERS:
            text = TEXTS[kind]
            asked = read_link(urlencode({"explorer": make.name, name: text}, errors="surrogatepass"), NAMES)
            problems = asked.problems + follow(explorer, asked.values)
            assert explorer.message is None or "出错" not in explorer.message.zh, (name, kind)
            for problem in problems:
                assert len(problem.en) < 400
                Elements().feed(problem.html())
            assert (typed and name not in make.not_in_links) or problems, (name, kind)
        assert_all_is_text(host)
        explorer.reset()
    explorer.close()


@pytest.mark.parametrize(("make", "name"), IN_CODE, ids=lambda each: getattr(each, "name", each))
def test_a_link_restores_a_hostile_text_exactly(make: type[Explorer], name: str) -> None:
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


def test_a_typed_file_name_cannot_write_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    host = Host(explorer, kernel=True)
    names = [*TEXTS.values(), "link/race.json", "link.json", "../outside/race.json", str(tmp_path / "a.json")]
    for name in names:
        host.answer("set", ["file", name])
        for action in ("start", "open"):
            alert = host.answer("press", [action]).get("alert", "")
            assert alert.count("<div") <= 3 and len(alert) < 3000, name[:60]
        assert_all_is_text(host)
    assert all(path is None or (path.parent == here and path.suffix == ".json") for path in asked)
    assert asked, "some of them are names as good as any"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["here", "link", "link.json", "outside"]
    explorer.close()


def test_a_text_too_long_for_a_link_is_left_out_and_named() -> None:
    explorer = ShuffleExplorer()
    explorer.controls["sentence"].value = "长" * 2000
    assert link_and_omitted(explorer, "both") == ("explorer=shuffle&lang=both", ("sentence",))
    explorer.controls["sentence"].value = "a"
    assert link_and_omitted(explorer, "both") == ("explorer=shuffle&lang=both&sentence=a", ())
    explorer.close()


@pytest.mark.parametrize(("make", "name"), TYPING, ids=lambda each: getattr(each, "name", each))
def test_a_text_of_any_length_is_kept_without_a_picture(make: type[Explorer], name: str) -> None:
    explorer = make()
    begun = explorer.parameters()
    explorer.controls[name].value = "字" * 1_000_000
    assert explorer.parameters() == {**begun, name: "字" * 1_000_000}
    assert explorer.message is not None and str(MOST_TYPED) in explorer.message.en
    told = Host(explorer).answer("code")
    assert len(told["alert"]) < 10_000 and "code" not in told
    explorer.close()


def test_no_script_turns_a_string_into_markup() -> None:
    package = Path(posenc_lessons.__file__).parent
    scripts = [
        path
        for kind in ("js", "j2", "html")
        for path in package.rglob(f"*.{kind}")
        if ".min." not in path.name
    ]
    assert len(scripts) > 6
    found = {
        f"{path.name}: {line.strip()}"
        for path in scripts
        for line in path.read_text(encoding="utf-8").splitlines()
        if DANGEROUS.search(line)
    }
    # The parsed document runs and loads nothing; only words, blocks and lines are copied from it. What a cell
    # shows is HTML of the reader's own code, on pages whose policy lets no script in it run.
    assert found == {
        'dom.js: const parsed = new DOMParser().parseFromString(html, "text/html").body;',
        "cell_outputs.js: element.innerHTML = html;",
    }
