"""The host's answers to every call of every explorer in a page without a kernel, with PyTorch."""

from collections.abc import Iterator
from typing import Any

import pytest

from posenc_lessons import language as languages
from posenc_lessons.explorers import host
from posenc_lessons.explorers.links import read_link
from posenc_lessons.figures.theme import THEMES

WHOLE = {
    *("explorer", "title", "language", "mode", "controls", "tries", "first", "drag", "door", "stage"),
    *("axes", "data", "alt", "reading", "alert", "link", "left_out", "hover", "takes"),
}
KEYS = {"name", "label", "disabled", "hidden", "rare", "kind", "value", "text"}


@pytest.fixture(autouse=True)
def language_as_before() -> Iterator[None]:
    before = languages.current()
    yield
    languages.choose(before)


class Page:
    """A page that collects all answers."""

    def __init__(
        self,
        name: str,
        query: str = "",
        language: str = "en",
        mode: str = "light",
    ) -> None:
        self.host = host.Host()
        self.view: dict[str, Any] = {}
        self.news: dict[str, Any] = {}
        self.ask("start", name, query, language, mode)

    def ask(self, call: str, *arguments: Any) -> dict[str, Any]:
        self.news = self.host.answer(call, arguments)
        data = {**self.view.get("data", {}), **self.news.get("data", {})}
        self.view |= self.news
        panels = self.view.get("stage", {"panels": {}})["panels"].items()
        shown = {f"{panel}_{layer}" for panel, looks in panels for layer in looks["layers"]}
        self.view["data"] = {name: each for name, each in data.items() if name in shown}
        return self.news

    def control(self, name: str) -> dict[str, Any]:
        return next(each for each in self.view["controls"] if each["name"] == name)


@pytest.fixture(params=host.NAMES)
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    page = Page(request.param)
    yield page
    page.host.close()


def plain(value: Any) -> bool:
    """Return whether ``value`` can be passed to a page's JavaScript."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and plain(each) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(plain, value))
    return value is None or type(value) in (str, int, float, bool, bytes)


def another(control: dict[str, Any]) -> Any:
    """Return another value for ``control``, as a page would send it."""
    value = control["value"]
    if control["kind"] in ("slider", "log"):
        ends = [control["min"], control["max"]]
        if control["kind"] == "log":
            ends = [float(f"{10**end:.6g}") for end in ends]  # as the page rounds it
        return ends[0] if value != ends[0] else ends[1]
    if control["kind"] == "choice":
        return (value + 1) % len(control["options"])
    return not value if control["kind"] == "tick" else value + "b"


def test_the_first_answer_is_complete_plain_data(page: Page) -> None:
    assert set(page.news) == WHOLE and page.ask("view") == page.view
    assert plain(page.news) and page.news["alert"] == ""
    for control in page.news["controls"]:
        assert set(control) >= KEYS
        assert page.ask("set", control["name"], control["value"]) == {}  # as a page has it


def test_every_control_can_be_set_and_an_answer_says_only_what_changed(page: Page) -> None:
    for control in page.view["controls"]:
        if control["hidden"] or control["disabled"]:
            continue
        value, before = another(control), dict(page.view)
        news = page.ask("set", control["name"], value)
        assert page.control(control["name"])["value"] == value, control["name"]
        assert plain(news) and news["link"] == page.view["link"] != before["link"]
        assert all(news[key] != before[key] for key in news.keys() - {"data"})
        assert all(before["data"].get(name) != data for name, data in news.get("data", {}).items())
        fresh = Page(page.view["explorer"], page.view["link"])  # a link restores exactly this
        told = {"controls", "link", "alert", "reading"} if fresh.view["alert"] else WHOLE
        assert {key: fresh.view[key] for key in told} == {key: page.view[key] for key in told}
        fresh.host.close()
        page.ask("reset")


def test_language_and_light(page: Page) -> None:
    english = dict(page.view)
    news = page.ask("set_language", "zh")
    assert {"title", "language", "controls", "reading", "link"} <= set(news)
    for mode in set(THEMES) - {"light"}:
        news = page.ask("set_mode", mode)
        assert news["mode"] == mode and "stage" in news and "data" not in news
    page.ask("set_mode", "light")
    page.ask("set_language", "en")
    assert page.view == english


@pytest.mark.parametrize(
    "call",
    [
        ("set", "nobody", 1),
        ("set", "m", "far"),
        ("set", "m", float("nan")),
        ("set", "pairing", 7),
        ("set", "locked", 1),
        ("restore", {"m": 3, "nobody": 1}),
        ("point", "score", float("inf"), 0, "press"),
        ("follow_try", 99),
        ("set_mode", "green"),
        ("set_language", "fr"),
        ("start", "nobody"),
        ("start", "rotation", "", "en", "light", {"nobody": 1}),
        ("__init__",),
        ("set", "m"),
    ],
    ids=str,
)
def test_an_invalid_call_is_reported_and_changes_nothing(call: tuple[Any, ...]) -> None:
    page = Page("rotation")
    before = {key: page.view[key] for key in ("controls", "data", "link")}
    news = page.ask(*call)
    assert news["alert"]
    if call[0] != "start":
        assert {key: page.view[key] for key in before} == before
        assert page.ask("set", "m", 3)["alert"] == ""


def test_a_link_is_followed_and_its_invalid_parts_are_named() -> None:
    page = Page("sinusoid", "explorer=rotation&lang=both&mode=dark&m=7&nobody=1")
    assert [page.view[key] for key in ("explorer", "language", "mode")] == ["rotation", "both", "dark"]
    assert page.control("m")["value"] == 7 and "nobody=1" in page.view["alert"]
    asked = read_link(page.view["link"], host.NAMES)
    assert (asked.explorer, asked.language, asked.mode, asked.values) == (
        "rotation",
        "both",
        "dark",
        {"m": "7"},
    )
    assert page.ask("set", "m", 8)["alert"] == ""  # it is named only once


def test_reset_returns_to_the_settings_of_the_lesson() -> None:
    page = Page("rotation")
    page.ask("start", "rotation", "", "en", "light", {"m": 9})
    page.ask("set", "m", 3)
    assert page.ask("reset")["controls"] and page.control("m")["value"] == 9


def test_places_are_independent_except_for_the_language() -> None:
    first = host.answer("start", ["rotation", "", "en"], "one")
    host.answer("start", ["rotation", "", "en"], "two")
    host.answer("set", ["m", 9], "two")
    assert host.answer("set", ["m", first["controls"][0]["value"]], "one") == {}
    host.answer("set_language", ["zh"], "two")
    assert host.answer("set_mode", ["dark"], "one")["language"] == "zh"
    for place in ("one", "two"):
        host._places.pop(place).close()
