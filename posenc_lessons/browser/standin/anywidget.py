"""A page without a kernel has a canvas of its own: of anywidget's widget it needs the place in the class."""

from __future__ import annotations

import ipywidgets


class AnyWidget(ipywidgets.DOMWidget):
    """A widget without a page's half."""
