"""Write names of lines in Matplotlib's pictures, above the axes in their colours."""

from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.legend import Legend

from posenc_lessons.figures.theme import LIGHT


def names_above(axes: Axes, columns: int = 2) -> None:
    """Write the names of everything that ``axes`` show, in its colours, above the axes at the left."""
    legend = axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        borderaxespad=0,
        borderpad=0.2,
        ncols=columns,
        handlelength=0.8,
        handletextpad=0.5,
    )
    _in_colors(legend)


def _in_colors(legend: Legend) -> None:
    for text, line in zip(legend.get_texts(), legend.get_lines(), strict=True):
        text.set_color(LIGHT.legible(to_hex(line.get_color())))
