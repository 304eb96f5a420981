"""Where the parts of an explorer stand in a notebook: controls beside the picture, above it in a narrow room.

What is set seldom is folded away, so that controls, picture and the sentence below it share a screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets

from posenc_lessons.language import Text

MORE = Text("更多设置", "More settings")
LABEL_WIDTH = "38%"  # of a control's width; a longer name takes a second line

_COLUMN, _PICTURE = 280, 560  # CSS pixels that both want at least, to stand side by side

# ipywidgets cuts a name that is too long, and gives a heading the room of a lesson's.
STYLE = """
.posenc-explorer :is(.widget-label, .widget-label-basic, .widget-label-basic span) {
  white-space: normal; line-height: 1.15; height: auto; overflow: visible; text-overflow: clip;
}
.posenc-explorer .widget-label { align-self: center; }
.posenc-explorer .widget-inline-hbox { height: auto; min-height: 28px; }
.posenc-explorer .widget-inline-hbox :is(select, input[type=text]) { height: 26px; }
.posenc-explorer .widget-dropdown { flex-wrap: wrap; } /* a menu too wide for the room beside its name */
.posenc-explorer .widget-dropdown > .widget-label { flex: 1 1 auto; }
.posenc-explorer .widget-dropdown > select { flex: 999 1 auto; min-width: 0; max-width: 100%; }
.posenc-explorer .jupyter-button { height: auto; min-height: 28px; white-space: normal; line-height: 1.2; }
.posenc-explorer .posenc-controls > * { margin: 0 2px; }
.posenc-explorer .widget-readout { min-width: 62px; margin: 0; padding: 0 2px; }
.posenc-explorer .widget-slider .slider-container { min-width: 60px; }
.posenc-explorer .widget-html-content > :is(h1, h2, h3, h4) { margin: 2px 8px; line-height: 1.3; }

/* Two pictures take a row of their own sooner than one. Side by side they stand line by line: names, pictures
   and words. The controls are above both, their buttons in one line, and below these what a try says. */
.posenc-room { container-type: inline-size; }
.posenc-room:has(.posenc-kept) { flex-basis: 900px !important; }
@container (min-width: 880px) {
  .posenc-explorer .posenc-pictures:has(.posenc-kept) {
    display: grid; grid-template: auto auto auto / repeat(2, minmax(0, 1fr)); column-gap: 12px;
  }
  .posenc-explorer .posenc-pictures:has(.posenc-kept) > * {
    display: grid; grid-row: span 3; grid-template: subgrid / minmax(0, 1fr);
  }
  .posenc-explorer .posenc-kept { order: -1; }
  .posenc-explorer .posenc-pictures::before, .posenc-explorer .posenc-pictures > ::before {
    content: none; /* a mark of ipywidgets where the kernel is gone, which would stand in a picture's place */
  }
}
.posenc-parts:has(.posenc-kept) > .posenc-side { flex-flow: row wrap; align-content: flex-start; gap: 0 8px; }
.posenc-parts:has(.posenc-kept) > .posenc-side > * { order: 1; }
.posenc-parts:has(.posenc-kept) > .posenc-side > .widget-html { flex: 1 0 100%; order: 0; }
.posenc-parts:has(.posenc-kept) > .posenc-side > .widget-vbox { flex: 1 1 260px; } /* what is folded away */
.posenc-parts:has(.posenc-kept) > .posenc-side > .posenc-controls { flex: 1 0 100%; order: 0; }
.posenc-parts:has(.posenc-kept) > .posenc-side > .widget-html:has([role=status]) { order: 2; }
"""


def beside(controls: Sequence[ipywidgets.Widget], picture: Sequence[ipywidgets.Widget]) -> ipywidgets.Widget:
    """``controls`` in a column left of ``picture``, or above it where the room is too narrow for both."""
    column = ipywidgets.VBox(controls, layout=_flexible(1, _COLUMN))
    column.add_class("posenc-side")
    wide = ipywidgets.VBox(picture, layout=_flexible(999, _PICTURE))  # all that the column does not need
    wide.add_class("posenc-room")
    parts = ipywidgets.HBox([column, wide], layout={"flex_flow": "row wrap", "grid_gap": "0 12px"})
    parts.add_class("posenc-parts")
    return parts


def grid(controls: Sequence[ipywidgets.Widget]) -> ipywidgets.GridBox:
    """``controls`` in as many columns as there is room for."""
    columns = f"repeat(auto-fit, minmax({_COLUMN - 20}px, 1fr))"
    made = ipywidgets.GridBox(controls, layout={"grid_template_columns": columns, "grid_gap": "1px 16px"})
    made.add_class("posenc-controls")
    return made


class Folded(ipywidgets.VBox):
    """``inside``, shown once the reader asks for it."""

    def __init__(self, inside: Sequence[ipywidgets.Widget]) -> None:
        self.button = ipywidgets.ToggleButton(icon="chevron-right", layout={"width": "auto"})
        self._inside = ipywidgets.VBox(inside, layout={"display": "none"})
        super().__init__([self.button, self._inside], layout={"align_items": "stretch"})
        self.button.layout.align_self = "flex-start"
        self.button.observe(self._fold, "value")

    def _fold(self, change: dict[str, Any]) -> None:
        self._inside.layout.display = None if change["new"] else "none"
        self.button.icon = "chevron-down" if change["new"] else "chevron-right"


def _flexible(share: int, least: int) -> dict[str, str]:
    return {"flex": f"{share} 1 {least}px", "min_width": "0", "width": "auto"}
