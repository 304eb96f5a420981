"""The words of every picture can be drawn, are large enough, stay inside and do not overlap."""

import logging
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.text import Text as Label
from matplotlib.transforms import Bbox

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import Choice, Slider
from posenc_lessons.figures.fonts import FONT
from posenc_lessons.figures.style import PX, Picture
from posenc_lessons.language import LANGUAGES, Language, choose
from tests.figures.gallery import GALLERY
from tests.support.digests import assert_recorded

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


def _tried(explorer: type[Explorer]) -> list[Picture]:
    """Return the stills of what an explorer suggests to try, of each choice, and of the sliders' ends."""
    started, stills = explorer(), []
    for at in range(len(explorer.tries)):
        started.follow_try(at)
        stills.append(started.still())
    choices = [control for control in started.controls.values() if isinstance(control, Choice)]
    sliders = [control.name for control in started.controls.values() if isinstance(control, Slider)]
    settings = [{choice.name: option} for choice in choices for _, option in choice.options]
    for end in ("min", "max"):
        settings.append({name: getattr(started.controls[name], end) for name in sliders})
    for setting in settings:
        started.restore({**started.initial, **setting})
        if started.message is None:
            stills.append(started.still())
    return stills


PICTURES: dict[str, Callable[[], list[Picture]]] = {
    **{name: lambda draw=draw: [draw()] for name, draw in GALLERY.items()},
    **{f"{explorer.name}, tried": lambda explorer=explorer: _tried(explorer) for explorer in EXPLORERS},
}


def _numbers(picture: Picture) -> Iterator[np.ndarray]:
    """Yield what a picture draws, in the coordinates of its axes, and the digits of its words."""
    for axes in picture.axes:
        yield from _drawn_in(axes)


def _drawn_in(axes: Axes) -> Iterator[np.ndarray]:
    for line in axes.lines:
        yield line.get_xydata()
    for image in axes.images:
        yield np.append(np.ma.filled(image.get_array(), 0), image.get_clim())
    for collection in axes.collections:
        yield np.ma.filled(collection.get_offsets(), 0)
        yield from (path.vertices for path in collection.get_paths())
    for patch in axes.patches:
        yield patch.get_patch_transform().transform(patch.get_path().vertices)
    for label in axes.texts:
        yield np.array(
            [*label.get_position(), *map(float, re.findall(r"\d+\.?\d*", label.get_text()))], float
        )
    yield np.array([*axes.get_xlim(), *axes.get_ylim(), *axes.get_xticks(), *axes.get_yticks()])


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_draws_what_is_recorded(name: str) -> None:
    choose("en")
    assert_recorded(
        name, (np.concatenate([*map(np.ravel, _numbers(picture))]) for picture in PICTURES[name]())
    )
