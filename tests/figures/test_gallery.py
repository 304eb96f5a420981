"""The words of every picture can be drawn, are large enough, and stay inside."""

from __future__ import annotations

import importlib
import inspect
import logging
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.font_manager import fontManager
from matplotlib.text import Text as Label

import posenc_lessons.figures
from posenc_lessons.figures.fonts import FONT
from posenc_lessons.figures.style import PX
from posenc_lessons.language import LANGUAGES, Language, choose
from tests.figures import gallery
from tests.figures.gallery import GALLERY

# They take a scene, which is in the gallery, or return more than a picture.
NOT_SHOWN = {"draw", "with_theme", "new_picture", "new_row", "new_drawing"}
WITHOUT_WORDS = {"clock_hands"}  # only formulas


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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.usefixtures("no_fonts_of_the_machine")
def test_words_can_be_drawn_and_read_and_stay_inside(
    name: str, language: Language, caplog: pytest.LogCaptureFixture
) -> None:
    choose(language)
    picture = GALLERY[name]()
    caplog.set_level(logging.INFO, logger="matplotlib")
    if language == "both":
        picture.svg()  # as a reader gets it, with the characters of both languages
    else:
        picture.draw_without_rendering()
    inside = picture.get_tightbbox(FigureCanvasAgg(picture).get_renderer())
    width, height = picture.get_size_inches() * picture.dpi
    left, bottom, right, top = inside.extents * picture.dpi
    assert left > -1 and bottom > -1 and right < width + 1 and top < height + 1
    assert not caplog.records, caplog.text

    labels = [label for label in picture.findobj(Label) if isinstance(label, Label) and label.get_text()]
    small = [label.get_text() for label in labels if label.get_visible() and label.get_fontsize() / PX < 11]
    assert not small, "11 CSS pixels at least"

    typed = "我猫"  # the reader's own words, in the sentence of the shuffle picture
    chinese = [c for label in labels for c in label.get_text() if is_chinese(c) and c not in typed]
    assert bool(chinese) == (language != "en" and name not in WITHOUT_WORDS)
    assert any(map(is_chinese, picture.alt.zh)) and not any(map(is_chinese, picture.alt.en))


def is_chinese(character: str) -> bool:
    return "一" <= character <= "鿿"


def test_every_figure_function_is_in_the_gallery() -> None:
    shown = inspect.getsource(gallery)
    for module in pkgutil.iter_modules(posenc_lessons.figures.__path__, "posenc_lessons.figures."):
        if module.ispkg:
            continue
        for name, function in inspect.getmembers(importlib.import_module(module.name), inspect.isfunction):
            makes = function.__annotations__.get("return") in ("Picture", "Scene")
            if makes and function.__module__ == module.name and not name.startswith("_"):
                imported_and_used = len(re.findall(rf"\b{name}\b", shown)) > 1
                assert name in NOT_SHOWN or imported_and_used, f"tests/figures/gallery.py lacks {name}"
