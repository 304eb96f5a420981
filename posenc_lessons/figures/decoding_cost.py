"""How long writing takes, with the keys and values kept and without."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.ticker import FixedLocator, NullLocator

from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Language, Text

WITHOUT = Text("每次从头算", "all anew each time")
WITH = Text("用缓存", "with a cache")
LENGTH = Text("写几个词元（对数轴）", "tokens written (log axis)")
SECONDS = Text("秒（对数轴）", "seconds (log axis)")


@styled()
def decoding_cost_figure(
    lengths: Sequence[int],
    with_cache: Sequence[float],
    without: Sequence[float],
    language: Language | None = None,
) -> Picture:
    """Seconds to write ``lengths`` tokens ``with_cache`` and ``without`` it; both axes logarithmic."""
    picture = new_picture(
        560,
        300,
        alt=Text(
            "写 n 个词元要几秒：不用缓存的那条线更陡。",
            "Seconds to write n tokens: the line without a cache is the steeper one.",
        ),
    )
    (axes,) = picture.axes
    for seconds, name, marker in ((without, WITHOUT, "s"), (with_cache, WITH, "o")):
        axes.plot(lengths, seconds, marker=marker, markersize=5 * PX, label=name.show(language))
    axes.set(xscale="log", yscale="log")
    axes.xaxis.set_major_locator(FixedLocator(list(lengths)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([str(length) for length in lengths])
    axes.set_xlabel(LENGTH.show(language))
    axes.set_ylabel(SECONDS.show(language))
    axes.legend(loc="upper left")
    return picture
