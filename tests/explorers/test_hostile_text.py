"""A reader's text, typed or in a link, stays text everywhere, and the shown code runs as it is."""

import ast
import json
import re
from collections.abc import Iterable
from html.parser import HTMLParser
from itertools import cycle
from pathlib import Path
from urllib.parse import urlencode

import pytest

import posenc_lessons
from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, ShuffleExplorer
from posenc_lessons.explorers.base import MOST_TYPED, Explorer
from posenc_lessons.explorers.controls import TextBox
from posenc_lessons.explorers.host import Host
from posenc_lessons.explorers.links import follow, link_and_omitted, read_link, write_link
from posenc_lessons.language import LANGUAGES
from tests.support.hostile import AS_CODE, AS_MARKUP, MARK, TEXTS

NAMES = [explorer.name for explorer in EXPLORERS]
# The elements and attributes that our own HTML uses.
ELEMENTS = {"div", "span", "br"}
ATTRIBUTES = {"lang", "style", "data-mark"}
DANGEROUS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|createContextualFragment"
    r"|srcdoc|setHTMLUnsafe|parseFromString|setTimeout\(\s*[\"'`]|javascript:|\.on[a-z]+\s*=\s*[\"'`]"
)
SOME = (
    "script",
    "out of an attribute",
    "format",
    "quotes",
    "end of a string",
    "lines",
    "half",
    "control",
    "long",
)
KINDS_OF_TEXT = [SOME, pytest.param(tuple(TEXTS), marks=pytest.mark.sweep)]


def boxes(make: type[Explorer]) -> list[str]:
    """Return the controls in which a reader types."""
    return [name for name, control in make().controls.items() if isinstance(control, TextBox)]


TYPING = [(make, name) for make in EXPLORERS for name in boxes(make)]
in_every_box = pytest.mark.parametrize(("make", "name"), TYPING, ids=lambda each: getattr(each, "name", each))
with_texts = pytest.mark.parametrize("kinds", KINDS_OF_TEXT, ids=lambda kinds: f"{len(kinds)} texts")


def explorer_with(make: type[Explorer]) -> Explorer:
    return make(**({"rule": "chosen"} if make.name == "gate" else {}))  # where the other box is used


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


@in_every_box
@with_texts
def test_typed_text_stays_text_in_every_box_and_a_string_in_the_code(
    make: type[Explorer], name: str, kinds: Iterable[str]
) -> None:
    explorer = explorer_with(make)
    host = Host(explorer)
    for spoken, kind in zip(cycle(LANGUAGES), kinds, strict=False):
        language.choose(spoken)
        explorer.controls[name].value = TEXTS[kind]
        assert_all_is_text(host)
        if explorer.message is not None:
            assert "出错" not in explorer.message.zh, (kind, explorer.message.en)
            continue
        code = explorer.present_code()
        settings = {it.arg: it.value for it in ast.walk(ast.parse(code)) if isinstance(it, ast.keyword)}
        assert settings.keys() == explorer.controls.keys(), kind
        assert ast.literal_eval(settings[name]) == explorer.controls[name].value, kind
        assert code.replace("\n", "").isprintable(), kind  # nothing reverses its lines
    explorer.reset()
    assert explorer.message is None


@with_texts
def test_text_from_a_link_stays_text_in_every_control(explorer: Explorer, kinds: Iterable[str]) -> None:
    host = Host(explorer)
    for name in [*explorer.controls, "no such control"]:
        is_typed = isinstance(explorer.controls.get(name), TextBox)
        for kind in kinds if is_typed else ("script", "half"):
            query = urlencode({"explorer": explorer.name, name: TEXTS[kind]}, errors="surrogatepass")
            request = read_link(query, NAMES)
            problems = request.problems + follow(explorer, request.values)
            assert explorer.message is None or "出错" not in explorer.message.zh, (name, kind)
            for problem in problems:
                assert len(problem.en) < 400
                Elements().feed(problem.html())
            assert is_typed or problems, (name, kind)
        assert_all_is_text(host)
        explorer.reset()


@in_every_box
def test_a_link_restores_a_hostile_text_exactly(make: type[Explorer], name: str) -> None:
    explorer, restored = make(), make()
    for kind, text in (AS_MARKUP | AS_CODE).items():
        explorer.controls[name].value = text
        link = write_link(explorer, "en")
        assert re.fullmatch(r"[\w.~%+=&*-]*", link), kind  # nothing that ends an attribute or an address
        request = read_link(link, NAMES)
        assert request.problems + follow(restored, request.values) == ()
        assert restored.controls[name].value == text


def test_a_text_too_long_for_a_link_is_left_out_and_named() -> None:
    explorer = ShuffleExplorer()
    explorer.controls["sentence"].value = "长" * 2000
    assert link_and_omitted(explorer, "both") == ("explorer=shuffle&lang=both", ("sentence",))
    explorer.controls["sentence"].value = "a"
    assert link_and_omitted(explorer, "both") == ("explorer=shuffle&lang=both&sentence=a", ())


@in_every_box
def test_a_text_of_any_length_is_kept_without_a_picture(make: type[Explorer], name: str) -> None:
    explorer = make()
    values = explorer.parameters()
    explorer.controls[name].value = "字" * 1_000_000
    assert explorer.parameters() == {**values, name: "字" * 1_000_000}
    assert explorer.message is not None and str(MOST_TYPED) in explorer.message.en
    answer = Host(explorer).answer("code")
    assert len(answer["alert"]) < 10_000 and "code" not in answer


def test_no_script_turns_a_string_into_markup() -> None:
    package = Path(posenc_lessons.__file__).parent
    scripts = [
        p for kind in ("js", "j2", "html") for p in package.rglob(f"*.{kind}") if ".min." not in p.name
    ]
    assert len(scripts) > 6
    dangerous = {
        f"{path.name}: {line.strip()}"
        for path in scripts
        for line in path.read_text(encoding="utf-8").splitlines()
        if DANGEROUS.search(line)
    }
    # The parsed document runs and loads nothing; only words, blocks and lines are copied from it. What a cell
    # shows is HTML of the reader's own code, on pages whose policy lets no script in it run. The card of a
    # guess is HTML that Python made of the lesson's own words, each of them escaped.
    assert dangerous == {
        'dom.js: const parsed = new DOMParser().parseFromString(html, "text/html").body;',
        "cell_outputs.js: element.innerHTML = html;",
        'guess.js: el.innerHTML = `${model.get("card")}'
        '<div role="status" class="posenc-guess-status"></div>`;',
        'guess.js: status.innerHTML = model.get("status");',
    }
