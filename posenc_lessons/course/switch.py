"""What the first cell of every lesson sets up: the language switch, and a hint where a cell was skipped.

Three buttons are linked, in the browser alone, to one of three style sheets, so the switch goes on working
when the kernel is gone; with a kernel, labels, pictures and messages follow as well.
"""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any

import ipywidgets as widgets
from comm import get_comm_manager
from IPython.core.getipython import get_ipython
from IPython.display import HTML, display

from posenc_lessons import choices, language
from posenc_lessons.language import LANGUAGES, NAMES, Language, Text

_BUTTONS: dict[Language, str] = {**NAMES, "both": f"{NAMES['both']} · both"}
_HIDDEN: dict[Language, Language | None] = {"zh": "en", "en": "zh", "both": None}
_SHOWING: dict[Language, str] = {
    "zh": "正在显示中文",
    "en": "Showing English",
    "both": "两种语言都显示 · Showing both languages",
}
_PLAIN = "运行本格，选择语言：中文 / English / 双语 · Run this cell to choose a language"

SKIPPED = Text(
    "名字 {name} 还没有定义：多半是跳过了上面的某个格子。菜单 Run → Run All Above Selected Cell "
    "会把它们都运行一遍，然后再运行这一格。你写的内容不会丢。",
    "The name {name} does not exist yet: most likely a cell above was skipped. The menu Run → Run All Above "
    "Selected Cell runs them all; then run this one again. Nothing you wrote is lost.",
)
_TARGET = "posenc-language"  # as the extension in jupyter/labextensions names it
_HINT_STYLE = "border-left:4px solid #6b5900;padding:4px 12px"

# JupyterLab keeps every open notebook in one page, so a style sheet speaks only for the notebook that holds
# it; elsewhere (a page that is one notebook) it speaks for the body. Never a bare [lang]: that is JupyterLab.
# A lesson whose words follow JupyterLab's toolbar (jupyter/labextensions) needs no sheet.
_PAGE = ":is(.jp-Notebook:not(.posenc-lesson), body:not(:has(.jp-Notebook)))"


def _sheet(shown: Language) -> str:
    mark = f"posenc-language-{shown}"
    hidden = _HIDDEN[shown]
    rule = f'{_PAGE}:has(.{mark}) [lang="{hidden}"] {{ display: none !important; }}' if hidden else ""
    # The buttons do not announce which of them is pressed, so the sheet says it, for screen readers too.
    return f'<style class="{mark}">{rule}</style><span role="status">{_SHOWING[shown]}</span>'


class LanguageSwitch(widgets.VBox):
    """中文 / English / 双语. One per kernel: displayed twice, both views show and make the same choice."""

    def __init__(self) -> None:
        before, problem = choices.remembered()
        if language.current() == "both":
            language.choose(before.language)
        self.buttons = widgets.ToggleButtons(
            options=[(_BUTTONS[name], name) for name in LANGUAGES],
            value=language.current(),
            description="语言 · Language",
            tooltips=["只显示中文", "Show English only", "两种语言都显示 · Show both languages"],
            style={"button_width": "auto", "description_width": "auto"},
        )
        sheets = widgets.Stack([widgets.HTML(_sheet(name)) for name in LANGUAGES])
        self.message = widgets.HTML()
        # The front end links indices, not values: a toggle's value is known to the kernel alone.
        self._link = widgets.jslink((self.buttons, "index"), (sheets, "selected_index"))
        super().__init__([self.buttons, sheets, self.message])
        self.add_class("posenc-switch")
        self.buttons.observe(self._chosen, "value")
        language.on_change(self._follow)
        self._say(problem)

    def _chosen(self, change: dict[str, Any]) -> None:
        if change["new"] == language.current():  # chosen elsewhere, where it is kept
            return
        self._say(choices.remember(language=change["new"]))
        language.choose(change["new"])

    def _follow(self) -> None:
        self.buttons.value = language.current()

    def _say(self, problem: Text | None) -> None:
        self.message.value = f'<div role="alert">{problem.html()}</div>' if problem else ""

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        return {**bundle, "text/plain": _PLAIN}


_switch: LanguageSwitch | None = None


def language_switch() -> LanguageSwitch:
    """The 中文 / English / 双语 buttons of this page, with the reader's earlier choice already made.

    The first code cell of every notebook ends with it. Called again, it is the same switch once more. From
    then on a name that does not exist is answered with a hint about skipped cells.
    """
    global _switch
    hint_at_skipped_cells()
    follow_toolbar()
    if _switch is None or _switch.comm is None:
        _switch = LanguageSwitch()
    return _switch


def follow_toolbar() -> None:
    """Keep in step with JupyterLab's toolbar, which opens a comm once it sees that this kernel listens."""
    get_comm_manager().register_target(_TARGET, _toolbar_opened)


def _toolbar_opened(toolbar: Any, opening: Any) -> None:
    """Follow what the toolbar says and say what is chosen here, each with the number of what was heard last.

    The messages come in threads of their own (JupyterLab's subshells), so an older one may come later.
    """
    heard = -1
    turn = threading.Lock()

    def say() -> None:
        toolbar.send({"language": language.current(), "count": heard})

    def hear(message: Any) -> None:
        nonlocal heard
        told = message["content"]["data"]
        with turn:
            if told["count"] > heard:
                heard = told["count"]
                language.choose(told["language"])

    stop = language.on_change(say)
    toolbar.on_close(lambda _: stop())
    toolbar.on_msg(hear)
    hear(opening)
    say()


def single_language(chosen: Language) -> None:
    """What stands in place of ``language_switch()`` in a lesson exported in one language."""
    hint_at_skipped_cells()
    language.only(chosen)


def hint_at_skipped_cells() -> None:
    """From now on a NameError in this notebook is followed by ``SKIPPED``; elsewhere nothing changes."""
    shell = get_ipython()
    if shell is not None:
        shell.set_custom_exc((NameError,), _explain_missing_name)


def _explain_missing_name(
    shell: Any, kind: type[NameError], error: NameError, trace: TracebackType, tb_offset: int | None = None
) -> None:
    """What IPython calls instead of showing the traceback: the traceback all the same, then the hint."""
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
    if error.name is not None:
        hint = SKIPPED.format(name=error.name)
        display(HTML(f'<div role="alert" style="{_HINT_STYLE}">{hint.html()}</div>'))
