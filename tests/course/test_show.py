"""A picture of a lesson follows the language as long as it is on the page."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from posenc_lessons import language
from posenc_lessons.course import show as showing
from posenc_lessons.course.show import show
from posenc_lessons.language import Text
from tests.support.pace import patience


@dataclass
class Drawn:
    """A stand-in for a picture, which records the language in which it was drawn."""

    subject: str
    language: str = field(default_factory=language.current)
    alt: Text = field(default_factory=lambda: Text("<图>", "<picture>"))


@dataclass
class Page:
    """A stand-in for the notebook: its outputs, and the running cell."""

    cell: str = "a"
    run: str = "1"
    pictures: list[Drawn] = field(default_factory=list)
    rest: list[Any] = field(default_factory=list)

    def display(self, what: Any, *, updatable: bool = False) -> Any:
        if not updatable:
            self.rest.append(what)
            return None
        self.pictures.append(what)
        page, place = self, len(self.pictures) - 1

        class Handle:
            def update(self, what: Any) -> None:
                page.pictures[place] = what

        return Handle()

    def languages(self) -> list[str]:
        return [picture.language for picture in self.pictures]


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    page = Page()
    monkeypatch.setattr(showing, "display", page.display)
    monkeypatch.setattr(showing, "_where", lambda: (page.cell, page.run))
    monkeypatch.setattr(showing, "_shown", [])
    yield page


def test_every_picture_follows_the_language(page: Page) -> None:
    show(Drawn, "one")
    show(Drawn, subject="two")
    assert page.languages() == ["both", "both"]
    language.choose("en")
    assert page.languages() == ["en", "en"]
    assert [picture.subject for picture in page.pictures] == ["one", "two"]


def test_a_cell_that_runs_again_replaces_its_picture(page: Page) -> None:
    for run in range(100):
        page.cell, page.run = "a", f"a{run}"
        show(Drawn, "one")
        show(Drawn, "two")
        page.cell, page.run = "b", f"b{run}"
        show(Drawn, "three")
    assert len(showing._shown) == 3
    language.choose("zh")
    assert page.languages().count("zh") == 3


def test_after_a_switch_pictures_follow_one_by_one_and_the_last_choice_wins(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    first = asyncio.Event()

    def picture(subject: str) -> Drawn:
        drawn.append(language.current())
        first.set()
        return Drawn(subject)

    for subject in ("one", "two", "three"):
        show(picture, subject)
    monkeypatch.setattr(showing, "_asked_by_page", lambda: True)
    drawn.clear()
    first.clear()

    async def switch_twice() -> None:
        language.choose("en")
        assert drawn == []  # the page gets its answer before any picture is drawn
        await first.wait()  # a waiting task runs before the next picture, even if the picture is late
        assert drawn == ["en"]
        language.choose("zh")
        while "zh" not in page.languages()[2]:
            await asyncio.sleep(showing.PAUSE)

    asyncio.run(asyncio.wait_for(switch_twice(), patience()))
    assert page.languages() == ["zh"] * 3
    assert drawn == ["en", "zh", "zh", "zh"]


def test_a_description_for_screen_readers_follows_the_picture(page: Page) -> None:
    show(Drawn, "one")
    (description,) = page.rest
    assert '<div lang="en">&lt;picture&gt;</div>' in description["text/html"]
    assert '<div lang="zh">&lt;图&gt;</div>' in description["text/html"]
