"""Explorers: live pictures with controls. ``SinusoidExplorer()`` in a cell shows one."""

from typing import TYPE_CHECKING

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.every import *  # noqa: F403 - one module names the explorers
from posenc_lessons.language import BilingualRuntimeError

if TYPE_CHECKING:
    from posenc_lessons.explorers.panel import PanelWidget


def _widget(explorer: Explorer) -> "PanelWidget":
    try:
        from posenc_lessons.explorers.panel import PanelWidget
    except ModuleNotFoundError as error:
        raise BilingualRuntimeError(
            "没有内核的网页里没有 ipywidgets：交互图自己可以用，.widget 要在 Jupyter 里用",
            "A page without a kernel has no ipywidgets: the explorer works, and .widget is for Jupyter",
        ) from error
    return PanelWidget(explorer)


Explorer.make_widget = staticmethod(_widget)
