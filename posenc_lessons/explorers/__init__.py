"""Explorers: live pictures with controls. ``SinusoidExplorer()`` in a cell shows one."""

from typing import TYPE_CHECKING

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.every import *  # noqa: F403 - one module names the explorers

if TYPE_CHECKING:
    from posenc_lessons.explorers.panel import PanelWidget


def _widget(explorer: Explorer) -> "PanelWidget":
    from posenc_lessons.explorers.panel import PanelWidget  # loads ipywidgets, which a page lacks

    return PanelWidget(explorer)


Explorer.make_widget = staticmethod(_widget)
