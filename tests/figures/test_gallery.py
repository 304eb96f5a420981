"""The words of every picture can be drawn, are large enough, stay inside and do not overlap."""

from __future__ import annotations

import importlib
import inspect
import logging
import pkgutil
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.text import Text as Label
from matplotlib.transforms import Bbox

import posenc_lessons.figures
from posenc_lessons.figures.fonts import FONT
from posenc_lessons.figures.style import PX
from posenc_lessons.language import LANGUAGES, Language, choose
from tests.figures import gallery
from tests.figures.gallery import GALLERY

NOT_SHOWN = {"draw", "new_picture", "new_row", "new_drawing"}  # parts of every picture
# A picture of each kind, in both languages at once, which need the most room; the others are a sweep.
SAMPLE = (
    *("four_doors", "heatmaps, masks", "pairing", "heatmaps", "token_strips", "gate {}", "race {}"),
    "grid {'encoding': 'mrope', 'frame': 2}",  # three names in a narrow legend
)


@pytest.fixture(scope="module")
def no_fonts_of_the_machine() -> Iterator[None]:
    """Use only the fonts that come with Matplotlib and with the course."""
    ours = [entry for entry in fontManager.ttflist if _comes_along(Path(entry.fname))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fontManager, "ttflist", ours)
        fontManager._findfont_cached.cache_clear()
        yield
    fontManager._findfont_cached.cache_clear()


def _comes_along(path: Path) -> bool:
    return path == FONT or path.is_relative_to(mpl.get_data_path())


@pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param(name, language, marks=() if language == "both" and name in SAMPLE else pytest.mark.sweep)
        for name in GALLERY
        for language in LANGUAGES
    ],
)
@pytest.mark.usefixtures("no_fonts_of_the_machine")
def test_words_can_be_drawn_and_read_and_keep_apart(
    name: str, language: Language, caplog: pytest.LogCaptureFixture
) -> None:
    choose(language)
    picture = GALLERY[name]()
    caplog.set_level(logging.INFO, logger="matplotlib")
    if language == "both":
        picture.svg()  # as a reader gets it, with the characters of both languages
    picture.draw_without_rendering()
    inside = picture.get_tightbbox(FigureCanvasAgg(picture).get_renderer())
    width, height = picture.get_size_inches() * picture.dpi
    left, bottom, right, top = inside.extents * picture.dpi
    assert left > -1 and bottom > -1 and right < width + 1 and top < height + 1
    assert not caplog.records, caplog.text

    labels = [label for label in picture.findobj(Label) if isinstance(label, Label) and label.get_text()]
    small = [label.get_text() for label in labels if label.get_visible() and label.get_fontsize() / PX < 11]
    assert not small, "11 CSS pixels at least"

    renderer = FigureCanvasAgg(picture).get_renderer()
    hidden = _beyond_their_axes(picture)
    level = [label for label in labels if label.get_visible() and label.get_rotation() % 90 == 0]
    boxes = [(label.get_text(), label.get_window_extent(renderer)) for label in level if label not in hidden]
    lying = [f"{one} on {other}" for (one, a), (other, b) in combinations(boxes, 2) if _overlap(a, b)]
    assert not lying, "a word lies on another"

    typed = "我猫"  # tokens, which are the same in both languages
    chinese = [c for label in labels for c in label.get_text() if is_chinese(c) and c not in typed]
    assert bool(chinese) == (language != "en")
    assert any(map(is_chinese, picture.alt.zh)) and not any(map(is_chinese, picture.alt.en))


def _beyond_their_axes(picture: Figure) -> set[Label]:
    """Return the labels of ticks beyond the axes, which are not drawn."""
    hidden = set()
    for axis in (axis for axes in picture.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for minor in (False, True):
            ticks = zip(axis.get_ticklabels(minor=minor), axis.get_ticklocs(minor=minor), strict=False)
            hidden |= {label for label, at in ticks if not axis.axes.axison or not low <= at <= high}
    return hidden


def _overlap(one: Bbox, other: Bbox) -> bool:
    """Return whether boxes share more than the room that a font keeps around its letters."""
    shared = Bbox.intersection(one, other)
    return shared is not None and shared.width > 2 and shared.height > 4


def is_chinese(character: str) -> bool:
    return "一" <= character <= "鿿"


def test_every_figure_function_is_in_the_gallery() -> None:
    shown = inspect.getsource(gallery)
    for module in pkgutil.iter_modules(posenc_lessons.figures.__path__, "posenc_lessons.figures."):
        if module.ispkg:
            continue
        for name, function in inspect.getmembers(importlib.import_module(module.name), inspect.isfunction):
            makes = function.__annotations__.get("return") == "Picture"
            if makes and function.__module__ == module.name and not name.startswith("_"):
                imported_and_used = len(re.findall(rf"\b{name}\b", shown)) > 1
                assert name in NOT_SHOWN or imported_and_used, f"tests/figures/gallery.py lacks {name}"
