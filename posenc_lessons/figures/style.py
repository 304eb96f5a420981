"""The common look of the course's pictures, and their form on a page.

A figure function is ``styled``, takes numbers, draws on a ``new_picture`` and returns this ``Picture``, which
has its own fonts and settings; Matplotlib's (``rcParams``, ``pyplot``) neither affect it nor change.

Text from outside (a reader's sentence) passes through ``drawable`` first. Our own text may hold ``$…$``. In
such a label Matplotlib uses only the first font outside the dollars, so characters that the bundled font
lacks (``₀ ⌊ ⌋ ✔ ⟨ ⟩ ℝ``) belong inside the dollars, or in a label without formulas.
"""

import io
import math
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib import ft2font
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.layout_engine import PlaceHolderLayoutEngine
from matplotlib.text import Text as Label
from PIL import Image

from posenc_lessons.figures.colors import CYCLE, INK, MUTED, PAPER, RAMPS, RULE
from posenc_lessons.figures.fonts import FAMILY, FONT
from posenc_lessons.language import Text, joined

fontManager.addfont(FONT)
FAMILIES = [FAMILY, "DejaVu Sans"]  # ours comes first: after DejaVu, "位置 $m$" would be boxes

DPI = 96  # an inch is 96 CSS pixels
KEPT, MIXED = 48, 32  # colours of a PNG's palette: exact ones, and approximate ones for the rest
LARGEST = 60_000  # bytes of a picture in a notebook; a larger one is saved with fewer colours
FEWEST = 12  # exact colours, in such a picture
PX = 72 / DPI  # a CSS pixel in points, the unit of Matplotlib: fontsize=13 * PX

SEQUENTIAL, DIVERGING = (
    LinearSegmentedColormap.from_list(f"posenc_{name}", RAMPS[name]) for name in ("sequential", "diverging")
)

_STYLE: dict[str, Any] = {
    "font.family": FAMILIES,
    "font.size": 13 * PX,
    "mathtext.fontset": "stix",
    "axes.titlesize": 14 * PX,
    "axes.titlelocation": "left",
    "axes.titlepad": 8 * PX,
    "axes.labelsize": 13 * PX,
    "xtick.labelsize": 12 * PX,
    "ytick.labelsize": 12 * PX,
    "legend.fontsize": 12 * PX,
    "figure.facecolor": PAPER,
    "figure.dpi": DPI,
    "savefig.dpi": DPI,
    "text.color": INK,
    "axes.labelcolor": MUTED,
    "axes.titlecolor": INK,
    "axes.edgecolor": RULE,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "axes.axisbelow": True,
    "grid.color": RULE,
    "grid.linewidth": 0.8,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "axes.prop_cycle": cycler(color=CYCLE),
    "lines.linewidth": 1.8,
    "legend.frameon": False,
    "image.cmap": "viridis",
    "image.interpolation": "nearest",
    "image.aspect": "auto",
    "svg.hashsalt": "posenc-lessons",
}
# Settings of the session, which are not part of the look.
_SESSION = (
    *("backend", "interactive", "toolbar", "webagg", "tk.", "macosx", "keymap", "docstring", "timezone"),
    *("savefig.directory", "figure.hooks", "figure.max_open_warning"),
)


@contextmanager
def styled() -> Iterator[None]:
    """Set Matplotlib's defaults plus the course's look within a ``with`` block or a decorated function."""
    look: dict[Any, Any] = {k: v for k, v in mpl.rcParamsDefault.items() if not k.startswith(_SESSION)}
    with mpl.rc_context(look | _STYLE):
        yield


class Picture(Figure):
    """A Matplotlib figure that shows itself in a notebook: a sharp PNG of its size in CSS pixels.

    ``alt`` describes the picture in one sentence, in both languages. Everything added to the figure later, by
    any code, is drawn with the course's fonts.
    """

    def __init__(self, width: float, height: float, alt: Text, **figure: Any) -> None:
        super().__init__(figsize=(width / DPI, height / DPI), dpi=DPI, **figure)
        self.alt = alt
        self._laid_out_at = 0.0

    def draw(self, renderer: Any) -> None:
        with styled():
            for artist in self.findobj(Label):
                # It was made outside ``styled``, where Matplotlib uses one font without fallbacks.
                if isinstance(artist, Label) and artist.get_fontfamily() == ["sans-serif"]:
                    artist.set_fontfamily(FAMILIES)
            for axes in self.axes:
                _without_frame(axes)
            engine = self.get_layout_engine()
            # To save a figure, Matplotlib lays it out in a first drawing; the second keeps this layout.
            if not isinstance(engine, PlaceHolderLayoutEngine):
                if self._laid_out_at != self.dpi and engine is not None:
                    engine.execute(self)  # a first pass moves colour bars near their final places
                    self._laid_out_at = self.dpi
                self._reset_places()
            super().draw(renderer)

    def _reset_places(self) -> None:
        """Put the axes back in their grid, because each layout starts from their present places."""
        for axes in self.axes:
            place = axes.get_subplotspec()
            if place is not None and axes.get_in_layout():
                axes.set_position(place.get_position(self))
                axes.set_in_layout(True)

    def savefig(self, fname: Any, **options: Any) -> None:
        with styled():
            super().savefig(fname, **options)

    def pixels(self, scale: float = 2) -> np.ndarray:
        """Return the picture as uint8 [height, width, 4] with ``scale`` device pixels per CSS pixel."""
        canvas, dpi = FigureCanvasAgg(self), self.dpi
        self.dpi = DPI * scale
        try:
            canvas.draw()
            return np.array(canvas.buffer_rgba())
        finally:
            self.dpi = dpi

    def png(self, scale: float = 2, largest: float = math.inf) -> bytes:
        """Return the picture as a PNG with a palette, a third of the usual size; the same bytes each time.

        If it has more than ``largest`` bytes, it gets fewer colours, but enough for its words to be read.
        """
        image = Image.fromarray(self.pixels(scale)).convert("RGB")
        kept, mixed = KEPT, MIXED
        while True:
            buffer = io.BytesIO()
            with_palette(image, kept, mixed).save(buffer, "PNG", optimize=True)
            kept, mixed = 3 * kept // 4, 3 * mixed // 4
            if buffer.tell() <= largest or kept < FEWEST:
                return buffer.getvalue()

    def svg(self) -> bytes:
        """Return the picture as an SVG with letters as outlines; the same bytes each time."""
        buffer = io.BytesIO()
        described = {"Date": None, "Creator": None, "Description": self.alt.show("both")}
        self.savefig(buffer, format="svg", metadata=described)
        return buffer.getvalue()

    def bundle(self, scale: float = 2, largest: float = math.inf) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return data and metadata for a notebook or page: the PNG, its description, its width."""
        # Only the width is given, so that a narrow page scales the picture instead of squeezing it.
        shown = {"width": round(self.get_figwidth() * DPI), "alt": self.alt.show()}
        return {"image/png": self.png(scale, largest), "text/plain": repr(self)}, {"image/png": shown}

    def saved(self, scale: float = 2) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the ``bundle`` that a notebook saves, small enough to be committed."""
        return self.bundle(scale, LARGEST)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.saved()

    def __repr__(self) -> str:
        return self.alt.show("both")  # a saved notebook is the same for any choice of language


def _without_frame(axes: Axes) -> None:
    """Remove the lines around a heatmap, whose cells show its extent. Tick labels keep their places."""
    if axes.images and axes.axison:
        axes.spines[:].set_visible(False)
        axes.tick_params(which="both", length=0)


def new_picture(width: float, height: float, alt: Text, **subplots: Any) -> Picture:
    """Return a picture of ``width`` × ``height`` CSS pixels with axes in ``picture.axes``.

    ``subplots`` go to ``Figure.subplots``: ``ncols=2, width_ratios=[2, 1]`` and so on. The constrained layout
    makes room for labels.
    """
    with styled():
        picture = Picture(width, height, alt, layout="constrained")
        picture.subplots(**subplots)
    return picture


def new_row(width: float, height: float, says: Text, titles: Iterable[Text], **subplots: Any) -> Picture:
    """Return a picture with axes side by side, one per title; ``says`` is its alt text, with {titles}."""
    named = list(titles)
    alt = says.format(titles=joined(named, "；", "; "))
    picture = new_picture(width, height, alt, ncols=len(named), **subplots)
    for axes, title in zip(picture.axes, named, strict=True):
        axes.set_title(title.show(between="\n"))
    return picture


def new_drawing(width: float, height: float, alt: Text) -> Picture:
    """Return a picture for free drawing: one ``axes`` without frame, in CSS pixels, y pointing down."""
    with styled():
        picture = Picture(width, height, alt)
        axes = picture.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.set_axis_off()
    return picture


def drawable(text: str) -> str:
    """Return ``text`` as one line that Matplotlib draws literally, with □ for characters without a font.

    A dollar sign stays a plain character, control characters and line breaks become spaces, and invisible
    marks are removed.
    """
    return "".join(map(_drawn, unicodedata.normalize("NFC", text)))


def _drawn(character: str) -> str:
    kind = unicodedata.category(character)
    if kind in ("Cc", "Zl", "Zp", "Zs"):
        return " "
    if kind == "Cf" or "\ufe00" <= character <= "\ufe0f":  # these choose a variant of a glyph
        return ""
    if ord(character) not in _glyphs():
        return "" if kind in ("Mn", "Me", "Sk") else "□"
    return r"\$" if character == "$" else character


@cache
def _glyphs() -> frozenset[int]:
    """Return the code points that the course's fonts can draw."""
    fonts = (FONT, Path(mpl.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf"))
    return frozenset(code for font in fonts for code in ft2font.FT2Font(str(font)).get_charmap())


def with_palette(image: Image.Image, kept: int = KEPT, mixed: int = MIXED) -> Image.Image:
    """Return ``image`` (RGB) with a palette of its ``kept`` commonest colours and ``mixed`` approximate ones.

    A palette has at most 256 colours. Pillow's own palettes change large pale areas in favour of rare dark
    pixels, and the colours it chooses for pixels are not always the nearest.
    """
    counted: Any = image.getcolors(1 << 24)  # [(count, (red, green, blue)), …]
    found = sorted(counted, reverse=True)
    colors = np.array([color for _, color in found], dtype=np.uint8)
    palette = colors
    if len(colors) > kept + mixed:
        rest = Image.fromarray(colors[None, kept:]).quantize(mixed, Image.Quantize.MAXCOVERAGE)
        stand_ins = np.array(rest.getpalette(), dtype=np.uint8)[: 3 * mixed].reshape(-1, 3)
        palette = np.concatenate([colors[:kept], stand_ins])
    targets = palette.astype(np.float32)
    nearest = np.argmin((targets**2).sum(axis=1) - 2 * colors.astype(np.float32) @ targets.T, axis=1)

    pack = np.array([1 << 16, 1 << 8, 1], dtype=np.int32)
    # A table of all colours, 16 MB: faster than sorting the pixels.
    index_of = np.empty(1 << 24, dtype=np.uint8)
    index_of[colors @ pack] = nearest
    result = Image.fromarray(index_of[np.asarray(image) @ pack])
    result.putpalette(palette.tobytes())
    return result


def _keep_own_png() -> None:
    """Keep a Picture's own PNG in a notebook, where ``%matplotlib inline`` makes a PNG of every Figure."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        # A formatter that returns None leaves the output of _repr_mimebundle_.
        shell.display_formatter.formatters["image/png"].for_type(Picture, lambda picture: None)


_keep_own_png()
