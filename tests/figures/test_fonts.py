"""The bundled font has the course's characters, its own name, and its licence."""

import base64
import io
import re
from pathlib import Path

import fontTools
import pytest
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

import posenc_lessons
from posenc_lessons.figures.fonts import CHINESE, FAMILY, FONT, WEB_FONT, faces
from posenc_lessons.figures.fonts.build import (
    CHARACTERS,
    PROPORTIONAL,
    SOURCE,
    build,
    level_1,
    repository_han,
)

REBUILD = "run `python -m posenc_lessons.figures.fonts.build` (it wants Debian's fonts-noto-cjk) and commit"
WROTE = "4.68.0"  # the fontTools that wrote the committed font


@pytest.fixture(scope="module")
def font() -> TTFont:
    return TTFont(FONT)


def _missing(font: TTFont, characters: str) -> str:
    return "".join(sorted(set(characters) - set(map(chr, font.getBestCmap()))))


def test_the_font_has_every_chinese_character_of_the_repository(font: TTFont) -> None:
    missing = _missing(font, repository_han())
    assert not missing, f"the font lacks {missing}: {REBUILD}"


def test_the_font_has_common_and_listed_characters_and_signs(font: TTFont) -> None:
    assert len(level_1()) == 3755
    listed = CHARACTERS.read_text(encoding="utf-8").strip()
    signs = "，。、；：？！（）「」《》“”‘’…—→←↔·×÷−±≤≥≠≈∞∑√°′²③θπΣ□✓"
    ascii_characters = "".join(map(chr, range(0x20, 0x7F)))
    assert not _missing(font, level_1() + listed + signs + ascii_characters), REBUILD


def test_signs_are_as_wide_as_they_look(font: TTFont) -> None:
    """Full-width quotes, dots and crosses would leave gaps in English text and formulas."""
    widths = {c: font["hmtx"][font.getBestCmap()[ord(c)]][0] for c in PROPORTIONAL + "×÷±≤≈∑"}
    assert {c: width for c, width in widths.items() if width >= 980} == {}
    assert font["hmtx"][font.getBestCmap()[ord("中")]][0] == font["head"].unitsPerEm


def test_the_font_has_its_own_name_and_its_licence(font: TTFont) -> None:
    name = font["name"]
    assert name.getDebugName(1) == name.getDebugName(4) == FAMILY
    presented = " ".join(name.getDebugName(number) for number in (1, 3, 4, 6))
    assert "Noto" not in presented and "Source" not in presented
    assert "SIL Open Font License, Version 1.1" in name.getDebugName(13)
    licence = FONT.with_name("OFL.txt").read_text(encoding="utf-8")
    assert licence.startswith(name.getDebugName(0).rstrip("."))
    for clause in ("PERMISSION & CONDITIONS", "5) The Font Software", "TERMINATION", "DISCLAIMER"):
        assert clause in licence


def test_the_font_is_small() -> None:
    assert FONT.stat().st_size < 1_000_000


def test_the_font_for_browsers_has_the_same_glyphs_in_fewer_bytes(font: TTFont) -> None:
    web = TTFont(WEB_FONT)
    assert web.flavor == "woff2" and WEB_FONT.stat().st_size < 700_000
    assert web.getBestCmap() == font.getBestCmap(), REBUILD
    assert web["hmtx"].metrics == font["hmtx"].metrics
    for name in list(font.getGlyphOrder())[::50]:
        drawn = []
        for glyphs in (font.getGlyphSet(), web.getGlyphSet()):
            drawn.append(DecomposingRecordingPen(glyphs))
            glyphs[name].draw(drawn[-1])
        assert drawn[0].value == drawn[1].value, REBUILD


def test_pages_name_the_font() -> None:
    package = Path(posenc_lessons.__file__).parent
    words, lent = (
        (package / "explorers" / "panel" / name).read_text(encoding="utf-8")
        for name in ("type.js", "font.js")
    )
    assert f'const FONT = "{FAMILY}";' in words and f'const CHINESE = "{CHINESE}";' in lent
    assert f'"{FAMILY}", sans-serif' in (package / "export" / "page" / "style.css").read_text(
        encoding="utf-8"
    )


def test_live_pictures_have_the_fonts_of_the_stills(font: TTFont) -> None:
    said = faces.SCRIPT.read_text(encoding="utf-8")
    brought = {
        family: TTFont(io.BytesIO(base64.b64decode(content)))
        for family, content in re.findall(r'"([\w ]+)": "([\w+/=]+)"', said)
    }
    words, formulas = brought[faces.WORDS], brought[faces.FORMULAS]
    assert len(said) < 50_000
    for face, source, letters in (
        (words, font, {letter: ord(letter) for letter in "Aβ7−"}),
        (
            formulas,
            TTFont(faces.MATH),
            {letter: faces.italics()[ord(letter)] for letter in "hPθ"} | {"+": ord("+")},
        ),
    ):
        assert face["name"].getDebugName(13) == source["name"].getDebugName(13), "the licence"
        for letter, code in letters.items():
            drawn = []
            for each, place in ((face, ord(letter)), (source, code)):
                glyphs = each.getGlyphSet()
                drawn.append(DecomposingRecordingPen(glyphs))
                glyphs[each.getBestCmap()[place]].draw(drawn[-1])
            assert drawn[0].value == drawn[1].value, "run `python -m posenc_lessons.figures.fonts.faces`"


@pytest.mark.skipif(not SOURCE.exists(), reason="needs Debian's fonts-noto-cjk")
def test_the_script_makes_the_same_font_again(font: TTFont, tmp_path) -> None:  # type: ignore[no-untyped-def]
    build(SOURCE, tmp_path / FONT.name)
    again = TTFont(tmp_path / FONT.name)
    if again["name"].getDebugName(5) != font["name"].getDebugName(5):
        pytest.skip("another version of the source font")
    assert again.getBestCmap() == font.getBestCmap(), REBUILD
    assert again["hmtx"].metrics == font["hmtx"].metrics
    if fontTools.version == WROTE:
        assert (tmp_path / FONT.name).read_bytes() == FONT.read_bytes()
