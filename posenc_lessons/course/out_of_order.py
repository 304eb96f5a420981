"""A word of help when a cell uses a name that no cell has made yet: most often one above was skipped."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from IPython import get_ipython
from IPython.display import HTML, display

from posenc_lessons.language import Text

HINT = Text(
    "名字 {name} 还没有定义：多半是跳过了上面的某个格子。菜单 Run → Run All Above Selected Cell "
    "会把它们都运行一遍，然后再运行这一格。你写的内容不会丢。",
    "The name {name} does not exist yet: most likely a cell above was skipped. The menu Run → Run All Above "
    "Selected Cell runs them all; then run this one again. Nothing you wrote is lost.",
)
STYLE = "border-left:4px solid #6b5900;padding:4px 12px"


def help_with_skipped_cells() -> None:
    """From now on a NameError in this notebook is followed by ``HINT``; elsewhere nothing changes."""
    shell = get_ipython()
    if shell is not None:
        shell.set_custom_exc((NameError,), _explain)


def _explain(
    shell: Any, kind: type[NameError], error: NameError, trace: TracebackType, tb_offset: int | None = None
) -> None:
    """What IPython calls instead of showing the traceback: the traceback all the same, then the hint."""
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
    if error.name is not None:
        hint = HINT.format(name=error.name)
        display(HTML(f'<div role="alert" style="{STYLE}">{hint.html()}</div>'))
