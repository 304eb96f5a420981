"""All explorers on one page: what Voilà serves from ``notebooks/explorer.ipynb``."""

from __future__ import annotations

from typing import Any

import ipywidgets
from comm import get_comm_manager

from posenc_lessons import language
from posenc_lessons.course.switch import language_switch
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.address import Address
from posenc_lessons.explorers.base import Explorer, alert
from posenc_lessons.explorers.links import (
    LONGEST,
    LONGEST_KEPT,
    Request,
    follow,
    link_and_rest,
    place,
    places,
    read_link,
)
from posenc_lessons.explorers.page import Page
from posenc_lessons.explorers.session import Session
from posenc_lessons.explorers.trust import hear_only_readers
from posenc_lessons.figures.theme import THEMES
from posenc_lessons.language import Text

NAMES = [explorer.name for explorer in EXPLORERS]


class App(ipywidgets.VBox):
    """The language switch, the mode, a tab for each explorer, and an address that says what is shown.

    An explorer is made when its tab is first opened: thirty learners share one machine, and few of them
    open every tab.
    """

    def __init__(self) -> None:
        self._switch = language_switch()  # first: it brings back the language chosen earlier
        self.page = Page()
        self.address = Address()
        self.session = Session()
        self.problems = ipywidgets.HTML()
        self._made: dict[int, Explorer] = {}
        self._kept: dict[str, Request] = {}  # of explorers that were open before, until they are opened again
        self.tabs = ipywidgets.Tab([ipywidgets.VBox() for _ in EXPLORERS], selected_index=0)
        self._name_tabs()
        self._open()
        super().__init__([self._switch, self.page, self.address, self.session, self.problems, self.tabs])
        self.add_class("posenc-page")
        self.tabs.observe(self._open, "selected_index")
        self.page.observe(self._light, "mode")
        self.address.observe(self._arrive, "arrived")
        language.on_change(self._relabel)
        hear_only_readers(self, lambda message: self._show_problems((message,)))

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Alive, and for a reader without a kernel the names of what is here."""
        names = "\n".join(explorer.title.show("both") for explorer in EXPLORERS)
        return {**super()._repr_mimebundle_(**kwargs), "text/plain": names}

    @property
    def explorer(self) -> Explorer:
        """The one whose tab is open."""
        return self._made[self.tabs.selected_index]

    def _open(self, _change: Any = None) -> None:
        index = self.tabs.selected_index
        if index is None:  # a click on the open tab closes it in some front ends
            return
        if index not in self._made:
            made = self._made[index] = EXPLORERS[index](theme=THEMES[self.page.mode])
            made.heading = 2  # below the page's title
            for widget in made.controls.values():
                widget.observe(self._tell, "value")
            if (kept := self._kept.pop(made.name, None)) is not None:
                self._show_problems(kept.problems + follow(made, kept.values))
            self.tabs.children[index].children = (made,)
            self._say_where()
        self._light()

    def _light(self, _change: Any = None) -> None:
        """Show the open explorer in the mode chosen; others follow when their tab is opened."""
        if self.tabs.selected_index is not None:
            self.explorer.theme = THEMES[self.page.mode]
        self._tell()

    def _tell(self, _change: Any = None) -> None:
        if self.tabs.selected_index is not None:
            self.address.shown, rest = link_and_rest(self.explorer, language.current())
            self.address.relabel(tuple(self.explorer.label(name) for name in rest))

    def _say_where(self) -> None:
        """Where the page itself finds what a link would say, for the day that this kernel is gone."""
        if not self.address.arrived:
            return  # until its address is followed, that says more than what is shown
        self.address.places = {
            "names": NAMES,
            "tabs": self.tabs.model_id,
            "everywhere": {
                "lang": place(self._switch.buttons),
                "mode": {"model": self.page.model_id, "trait": "mode"},
            },
            "explorers": {made.name: places(made) for made in self._made.values()},
        }

    def _arrive(self, _change: Any) -> None:
        """The page is there and has said what its address asks for."""
        # A page of our own makes no widgets; orders for them, written by hand, could go on for ever.
        get_comm_manager().targets.pop("jupyter.widget", None)
        longest = LONGEST_KEPT if self.address.again else LONGEST
        asked = read_link(self.address.asked, NAMES, longest)
        for link in self.address.also[: len(EXPLORERS)]:
            other = read_link(link, NAMES, LONGEST_KEPT)
            if other.explorer not in (None, asked.explorer):
                self._kept[other.explorer] = other
        problems = asked.problems
        if asked.language is not None:
            language.choose(asked.language)
        if asked.mode is not None:
            self.page.mode = asked.mode
        if asked.explorer is not None:
            self.tabs.selected_index = NAMES.index(asked.explorer)
            problems += follow(self.explorer, asked.values)
        self._show_problems(problems)
        self._tell()
        self._say_where()

    def _show_problems(self, problems: tuple[Text, ...]) -> None:
        self.problems.value = "".join(alert(problem) for problem in problems)

    def _name_tabs(self) -> None:
        self.tabs.titles = [explorer.title.show() for explorer in EXPLORERS]
        self.page.relabel()

    def _relabel(self) -> None:
        self._name_tabs()
        self._tell()


def app() -> App:
    """The page of the explorers; display it by being the last expression of a cell."""
    return App()
