"""How many model types use which door, pairing, share of the head and kinds of layers: bars with numbers."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from posenc_lessons.figures.colors import INK, MUTED
from posenc_lessons.figures.four_doors import DOORS
from posenc_lessons.figures.style import PX, Picture, new_row, styled
from posenc_lessons.language import Text, current

BAR = "#8FA3B5"  # of panels whose groups have no colours
ROW, HEAD = 30, 48  # CSS pixels of a bar and its gap, and of the room above and below all bars
WIDTH = 235  # of a panel
LEAST_BAR = 0.012  # of the longest bar, so that a count of one is visible

Groups = Sequence[tuple[Text, int]]


@styled()
def census_figure(panels: Sequence[tuple[Text, Groups]], says: Text) -> Picture:
    """Draw a title and bars for each of ``panels``, side by side; the alt text begins with ``says``.

    The groups of the first panel are the four doors and models without a door.
    """
    rows = max(len(groups) for _, groups in panels)
    width = (1.5 if current() == "both" else 1) * WIDTH * len(panels)
    picture = new_row(width, HEAD + ROW * rows, Text("{titles}", "{titles}"), (title for title, _ in panels))
    picture.alt = _alt(panels, says)
    colors = [door.color for door in DOORS]
    for number, (axes, (_, groups)) in enumerate(zip(list(picture.axes), panels, strict=True)):
        _bars(axes, groups, colors if number == 0 else [], rows)
    return picture


def _alt(panels: Sequence[tuple[Text, Groups]], says: Text) -> Text:
    """Return the alt text, with every number."""
    zh = "；".join(
        f"{title.zh}：" + "，".join(f"{name.zh} {n}" for name, n in groups) for title, groups in panels
    )
    en = "; ".join(
        f"{title.en}: " + ", ".join(f"{name.en} {n}" for name, n in groups) for title, groups in panels
    )
    return Text(f"{says.zh}。{zh}。", f"{says.en}. {en}.")


def _bars(axes: Axes, groups: Groups, colors: Sequence[str], rows: int) -> None:
    """Draw one bar for each group, the first on top, with its number at the end."""
    most = max(number for _, number in groups)
    for row, (_, number) in enumerate(groups):
        color = colors[row] if row < len(colors) else BAR
        axes.barh(row, max(number, LEAST_BAR * most) if number else 0, height=0.62, color=color)
        axes.text(number + 0.04 * most, row, str(number), va="center", ha="left", size=12 * PX, color=INK)
    axes.set_yticks(range(len(groups)), [name.show(between="\n") for name, _ in groups], size=12 * PX)
    axes.set(xlim=(0, 1.25 * most), ylim=(rows - 0.5, -0.5))
    axes.set_xticks([])
    axes.spines[:].set_visible(False)
    axes.vlines(0, -0.45, len(groups) - 0.55, color=MUTED, linewidth=PX)
    axes.tick_params(length=0)
