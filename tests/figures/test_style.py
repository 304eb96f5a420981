"""Pictures: their letters and bytes, which do not depend on the reader's settings."""

import io
import itertools
import logging
import os
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.cbook import is_math_text
from matplotlib.colors import to_hex
from PIL import Image

from posenc_lessons.figures.colors import CHOSEN, CYCLE, INK, KEY, PAPER, QUERY, RESULT, WRONG
from posenc_lessons.figures.four_doors import DOORS, doors_strip_figure
from posenc_lessons.figures.style import (
    DIVERGING,
    FAMILIES,
    LARGEST,
    Picture,
    drawable,
    new_drawing,
    new_picture,
    styled,
)
from posenc_lessons.figures.theme import DARK, LIGHT, contrast
from posenc_lessons.language import Text
from tests.figures.sight import SIGHT, lab

ALT = Text("一张图", "a picture")


def plot(title: str = "标题 · title") -> Picture:
    with styled():
        picture = new_picture(300, 200, ALT, ncols=2)
        left, right = picture.axes
        image = left.imshow(np.outer(np.arange(-3, 4), np.arange(5)), cmap=DIVERGING)
        picture.colorbar(image, ax=left)
        right.plot([1, -2, 3], label=r"值 $\theta_i$")
        right.set_title(title)
        right.legend()
    return picture


def decoded(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


# Text from outside


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("我爱 you, naïve Ωmega → ✔", "我爱 you, naïve Ωmega → ✔"),
        ("👍🏽", "□"),
        ("1️⃣", "1"),
        ("𠮷野家", "□野家"),
        ("cafe\u0301", "café"),
        ("x\u0331\u0e49", "x\u0331"),  # one combining mark that our fonts have, and one that they lack
        ("ไทย", "□□□"),
        ("a\tb\nc\r\x07\u2028", "a b c   "),
        ("zero\u200bwidth\u202e\ufeff", "zerowidth"),
        ("$5 and $6", r"\$5 and \$6"),
        ("\\frac\\$", "\\frac\\\\$"),
        ("", ""),
    ],
)
def test_drawable_replaces_only_what_has_no_glyph(text: str, shown: str) -> None:
    assert drawable(text) == shown


@given(st.text())
@settings(max_examples=60)
def test_any_text_can_be_drawn(text: str) -> None:
    safe = drawable(text)
    assert not is_math_text(safe) and "\n" not in safe
    log = logging.getLogger("matplotlib")
    records: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = records.append  # type: ignore[method-assign]
    log.addHandler(handler)
    try:
        picture = new_drawing(200, 20, ALT)
        picture.axes[0].text(5, 10, safe)
        picture.pixels(1)
    finally:
        log.removeHandler(handler)
    assert records == []


# Fonts


@pytest.mark.parametrize("text", ["位置 ₀", "位置 $m_0$", "−1 × ✔"])
def test_text_added_without_the_style_still_finds_its_letters(
    text: str, caplog: pytest.LogCaptureFixture
) -> None:
    late = new_picture(200, 120, ALT)
    with caplog.at_level(logging.INFO, logger="matplotlib"):
        late.axes[0].text(0.1, 0.5, text)
        late.axes[0].twinx().set_ylabel(text)
        late.pixels(1)
    assert not caplog.records
    assert all(label.get_fontfamily() == FAMILIES for label in late.axes[0].texts)


# The reader's settings


def test_the_readers_settings_stay_and_have_no_effect() -> None:
    plain = plot().png()
    theirs = {
        "font.size": 30,
        "axes.facecolor": "black",
        "font.family": "monospace",
        "axes.unicode_minus": False,
    }
    with mpl.rc_context(theirs):
        assert plot().png() == plain
        assert {key: mpl.rcParams[key] for key in theirs} == theirs | {"font.family": ["monospace"]}


def test_importing_pictures_loads_no_pyplot_no_torch_no_widgets() -> None:
    script = (
        "import sys, posenc_lessons.figures.images, posenc_lessons.figures.draw\n"
        "print(*[name for name in ('matplotlib.pyplot', 'torch', 'ipywidgets', 'IPython') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


# Bytes


def test_the_same_picture_has_the_same_bytes_each_time() -> None:
    picture = plot()
    first = picture.png(), picture.svg()
    assert (picture.png(), picture.svg()) == first
    fresh = plot()
    assert (fresh.svg(), fresh.png()) == first[::-1]


def test_a_png_is_sharp_small_and_has_its_plain_colours_exactly() -> None:
    picture = doors_strip_figure((1,))
    png, pixels = picture.png(), picture.pixels()[..., :3]
    shown = np.asarray(decoded(png).convert("RGB"))
    assert shown.shape == pixels.shape == (round(picture.get_figheight() * 192), 880 * 2, 3)
    colors, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    for color in colors[np.argsort(counts)[-20:]]:
        there = (pixels == color).all(axis=2)
        assert (shown[there] == color).all()
    assert np.abs(shown.astype(int) - pixels).mean() < 0.5


def test_an_svg_has_its_alternative_text_and_no_date() -> None:
    svg = plot().svg().decode()
    assert ALT.zh in svg and ALT.en in svg and "<dc:date>" not in svg and "font-family" not in svg


# In a notebook


def test_a_notebook_gets_a_png_with_width_and_text() -> None:
    data, metadata = plot()._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG")
    assert data["text/plain"] == "一张图 · a picture"
    assert metadata["image/png"] == {"width": 300, "alt": "一张图 · a picture"}


@pytest.mark.sweep
def test_inline_pyplot_does_not_replace_a_pictures_png(tmp_path: Path) -> None:
    script = """
import io, matplotlib.pyplot
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.pylabtools import select_figure_formats
from PIL import Image
shell = InteractiveShell.instance()
select_figure_formats(shell, {"png"})  # what %matplotlib inline does
from posenc_lessons.language import Text
from posenc_lessons.figures.style import new_picture
data, metadata = shell.display_formatter.format(new_picture(300, 200, Text("图", "picture")))
print(Image.open(io.BytesIO(data["image/png"])).size, metadata["image/png"]["width"], data["text/plain"])
"""
    surroundings = {**os.environ, "IPYTHONDIR": str(tmp_path), "MPLBACKEND": "agg", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=surroundings,
        check=True,
    )
    assert done.stdout.strip().splitlines()[-1] == "(600, 400) 300 图 · picture"


# Colours

DOOR_COLORS = tuple(door.color for door in DOORS)
ROLES = (QUERY, KEY, WRONG, RESULT, CHOSEN, INK)  # what a colour means in a plot


GROUPS = [
    *(tuple(map(theme.shown, group)) for theme in (LIGHT, DARK) for group in (CYCLE, ROLES, DOOR_COLORS)),
    tuple(to_hex(DIVERGING(share)) for share in (0.2, 0.5, 0.8)),
]


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("colors", GROUPS)
def test_colours_can_be_told_apart(colors: tuple[str, ...], sight: str) -> None:
    for first, second in itertools.combinations(colors, 2):
        assert np.linalg.norm(lab(first, sight) - lab(second, sight)) > 10, (first, second)


def test_colours_with_a_meaning_are_visible_and_differ_from_the_doors() -> None:
    assert all(contrast(color, PAPER) >= 4.5 for color in DOOR_COLORS), "white numbers stand on them"
    for color in ROLES:
        assert contrast(color, PAPER) >= 3, "WCAG asks for 3 of what is drawn"
        for door in DOORS:
            assert np.linalg.norm(lab(color, "usual") - lab(door.color, "usual")) > 20, (color, door.number)


@pytest.mark.sweep
def test_a_picture_too_large_for_a_notebook_has_fewer_colours() -> None:
    picture = new_picture(600, 400, Text("噪声", "noise"))
    picture.axes[0].plot(np.random.default_rng(0).normal(size=(200, 40)))
    full = picture.png()
    small = picture.png(largest=0.9 * len(full))
    assert len(small) <= 0.9 * len(full)
    assert len(decoded(small).getcolors()) < len(decoded(full).getcolors())
    assert picture.saved()[0]["image/png"] == picture.png(largest=LARGEST)
