"""The words of every picture can be drawn, are large enough, stay inside and do not overlap."""

from __future__ import annotations

import importlib
import inspect
import logging
import pkgutil
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

import posenc_lessons.figures
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import Choice, Slider
from posenc_lessons.figures.fonts import FONT
from posenc_lessons.figures.style import PX, Picture
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


# Pictures, each with a digest of the numbers it draws and writes. Nothing else tells that a line, a cell or a
# label stands at the wrong place. Who changes a picture on purpose looks at it and writes the new number.
DIGESTS = """
    architecture -82.684 | shifted_target -12.287 | doors_strip 40.223 | four_doors -92.163 | house -72.929
    four_doors, at 3 and 4 -52.376 | binary_counter -21.987 | pictures 3.860 | pair_coordinates 19.533
    matrix_chain -31.326 | decay 5.222 | pairing 55.834 | race_curves 8.120 | heads_split -14.764
    heads_split, mixed up 34.272 | heatmaps -11.653 | heatmaps, numbers -3.273 | heatmaps, masks 3.529
    heatmaps, two scales -47.346 | census 12.562 | row_norms -1.008 | seed_dots 8.745 | token_strips -65.343
    shuffle {} 3.194 | sinusoid {} 150.460 | learned {} 160.250 | distance {} 97.291 | rotation {} 36.883
    gate {} -87.777 | attention {} -96.707 | race {} -28.963 | stretch {} 44.347 | batch {} 37.261
    spectrum {} -126.356 | grid {} -2036.290 | attention {'head': 3} -105.427
    distance {'kind': 'alibi', 'len_q': 20, 'len_k': 30} -232.476 | gate {'matrices': True} 18.283
    gate {'text': 'a'} 31.225 | grid {'encoding': 'mrope', 'frame': 2} -2105.619
    race {'highlight': 'learned', 'table': True} -29.401
    rotation {'sentence': 'the dog bites a uncharacteristically nice man'} 73.818 | shuffle, tried 85.164
    sinusoid, tried -6904.965 | learned, tried 1047.234 | distance, tried 211.706 | rotation, tried 396.962
    gate, tried -1307.307 | attention, tried -3519.266 | race, tried -589.514 | stretch, tried 255.339
    batch, tried 539.393 | spectrum, tried -369.122 | grid, tried -37441.128
"""


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


def _numbers(axes: Axes) -> Iterator[np.ndarray]:
    """Yield what ``axes`` draw, in their coordinates, and the digits of their words."""
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
def test_a_picture_draws_what_was_looked_at(name: str) -> None:
    choose("en")
    digest = 0.0
    for picture in PICTURES[name]():
        drawn = [np.nan_to_num(part).ravel() for axes in picture.axes for part in _numbers(axes)]
        numbers = np.arcsinh(np.concatenate(drawn))  # a pixel counts less among large numbers
        digest += float(np.cos(np.arange(len(numbers)) ** 2) @ numbers)
    recorded = dict(line.rsplit(" ", 1) for line in re.split(r" *[|\n] *", DIGESTS.strip()))
    assert digest == pytest.approx(float(recorded[name]), abs=0.01)
