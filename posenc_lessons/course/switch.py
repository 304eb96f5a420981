"""The language switch in the first cell of every lesson, and the hint after a skipped cell.

Three buttons are linked to three style sheets in the browser, so the switch also works without a kernel. With
a kernel, labels, pictures and messages follow too.
"""

from types import TracebackType
from typing import Any

import ipywidgets as widgets

from posenc_lessons import choices, language
from posenc_lessons.display import display
from posenc_lessons.display import shell as running_shell
from posenc_lessons.front_end import IPYWIDGETS, what_is_missing
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
_HINT_STYLE = "border-left:4px solid #6b5900;padding:4px 12px"

# JupyterLab has all open notebooks in one page, so a style sheet must apply only to its own notebook. In a
# page of one notebook it applies to the body. The selector [lang] by itself would hide parts of JupyterLab.
# A lesson that follows JupyterLab's toolbar (jupyter/extension) needs no sheet.
_PAGE = ":is(.jp-Notebook:not(.posenc-lesson), body:not(:has(.jp-Notebook)))"


def _sheet(shown: Language) -> str:
    mark = f"posenc-language-{shown}"
    hidden = _HIDDEN[shown]
    rule = f'{_PAGE}:has(.{mark}) [lang="{hidden}"] {{ display: none !important; }}' if hidden else ""
    # The buttons do not tell screen readers which of them is pressed; this sheet does.
    return f'<style class="{mark}">{rule}</style><span role="status">{_SHOWING[shown]}</span>'


class LanguageSwitch(widgets.VBox):
    """The buttons 中文 / English / 双语. A kernel has one switch; all its views have the same choice."""

    def __init__(self) -> None:
        remembered, problem = choices.remembered()
        if language.current() == "both":
            language.choose(remembered.language or choices.guessed())
        self.buttons = widgets.ToggleButtons(
            options=[(_BUTTONS[name], name) for name in LANGUAGES],
            value=language.current(),
            description="语言 · Language",
            tooltips=["只显示中文", "Show English only", "两种语言都显示 · Show both languages"],
            style={"button_width": "auto", "description_width": "auto"},
        )
        sheets = widgets.Stack([widgets.HTML(_sheet(name)) for name in LANGUAGES])
        self.message = widgets.HTML()
        # The browser links indices, because only the kernel knows the values of buttons.
        self._link = widgets.jsdlink((self.buttons, "index"), (sheets, "selected_index"))
        super().__init__([self.buttons, sheets, self.message])
        self.add_class("posenc-switch")
        self.buttons.observe(self._chosen, "value")
        language.on_change(self._follow)
        self._say(problem)

    def _chosen(self, change: dict[str, Any]) -> None:
        if change["new"] == language.current():  # chosen and saved elsewhere
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
        missing = what_is_missing(IPYWIDGETS)
        if missing is not None:
            return {"text/html": missing.html(), "text/plain": missing.show()}
        return {**bundle, "text/plain": _PLAIN}


_switch: LanguageSwitch | None = None


def language_switch() -> LanguageSwitch:
    """Return this notebook's 中文 / English / 双语 buttons, with the reader's earlier choice already made.

    The first code cell of every notebook ends with this call. A second call returns the same switch. From the
    first call on, a NameError is followed by a hint about skipped cells.
    """
    global _switch
    hint_at_skipped_cells()
    if _switch is None or _switch.comm is None:
        _switch = LanguageSwitch()
    return _switch


def single_language(chosen: Language) -> None:
    """Set up a lesson that was exported in one language, instead of ``language_switch()``."""
    hint_at_skipped_cells()
    language.only(chosen)


def hint_at_skipped_cells() -> None:
    """Show ``SKIPPED`` after each later NameError in this notebook; do nothing outside of notebooks."""
    shell = running_shell()
    if shell is not None:
        shell.set_custom_exc((NameError,), _explain_missing_name)


def _explain_missing_name(
    shell: Any, kind: type[NameError], error: NameError, trace: TracebackType, tb_offset: int | None = None
) -> None:
    """Show the traceback, then the hint. IPython calls this instead of showing the error itself."""
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
    if error.name is not None:
        hint = SKIPPED.format(name=error.name)
        display({"text/html": f'<div role="alert" style="{_HINT_STYLE}">{hint.html()}</div>'})
