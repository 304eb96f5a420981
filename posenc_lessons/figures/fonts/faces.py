"""Make ``explorers/panel/faces.js``: the two fonts of live pictures, small enough to be shipped with them.

    python -m posenc_lessons.figures.fonts.faces

One is for words: the part of the course's Chinese font that is not Chinese. The other is for mathematics:
digits and signs of STIX Two Math, with its italics in the places of plain letters. Stills use the same
families, from ``PosencSansSC-Regular.otf`` and from Matplotlib's STIX. Writing needs ``brotli``.
"""

import base64
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from posenc_lessons.figures.fonts import FONT

PACKAGE = Path(__file__).parents[2]
MATH = PACKAGE / "export" / "fonts" / "PosencMath-Regular.woff"
SCRIPT = PACKAGE / "explorers" / "panel" / "faces.js"
WORDS, FORMULAS = "Posenc Words", "Posenc Formulas"
RANGES = (
    (0x0020, 0x007E),  # ASCII
    (0x00A0, 0x00FF),  # Latin-1
    (0x0370, 0x03FF),  # Greek
    (0x2010, 0x2044),  # dashes, quotes
    (0x2070, 0x209F),  # superscripts and subscripts
    (0x2190, 0x2193),  # arrows
    (0x2200, 0x2265),  # mathematics
    (0x2713, 0x2713),  # ✓
)
SIGNS = "0123456789()[]{}+−=<>≤≥·⋅×,.;:/|∈∞ '′"
H = 0x210E  # Planck's constant, which is also the italic h; other italic letters are in one range


def italics() -> dict[int, int]:
    """Return the code point of the italic of each plain letter, Latin and Greek."""
    latin = {ord("A") + i: 0x1D434 + i for i in range(26)} | {ord("a") + i: 0x1D44E + i for i in range(26)}
    greek = {0x03B1 + i: 0x1D6FC + i for i in range(25)} | {0x0391 + i: 0x1D6E2 + i for i in range(25)}
    return {**latin, **greek, ord("h"): H}


def face_of_words(font: Path = FONT) -> bytes:
    """Return the words' face as WOFF2, from the course's font or its bold one."""
    return _part(font, {code: code for first, last in RANGES for code in range(first, last + 1)})


def face_of_formulas() -> bytes:
    """Return the formulas' face as WOFF2."""
    return _part(MATH, {**{ord(sign): ord(sign) for sign in SIGNS}, **italics()})


def _part(path: Path, wanted: Mapping[int, int]) -> bytes:
    """Return the glyphs of a font for the values of ``wanted``, at the places that are its keys, as WOFF2."""
    font: Any = TTFont(path, recalcTimestamp=False)
    glyphs = font.getBestCmap()
    there = {place: glyphs[code] for place, code in wanted.items() if code in glyphs}
    options = subset.Options(hinting=False, notdef_outline=True, layout_features=[], glyph_names=False)
    options.name_IDs += [13]  # the licence
    options.drop_tables += ["GPOS", "GSUB", "GDEF", "MATH", "BASE", "DSIG", "VORG", "vhea", "vmtx", "gasp"]
    for table in font["cmap"].tables:
        table.cmap = {place: name for place, name in there.items() if place <= 0xFFFF or table.format == 12}
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=there)
    chosen.subset(font)
    font.flavor = "woff2"
    content = io.BytesIO()
    font.save(content)
    return content.getvalue()


def script() -> str:
    """Return the module with both faces."""
    faces = {WORDS: face_of_words(), FORMULAS: face_of_formulas()}
    lines = [f'  "{name}": "{base64.b64encode(face).decode()}",' for name, face in faces.items()]
    return "\n".join(
        (
            "// The faces of live pictures by family, as WOFF2 in base64. Made by figures/fonts/faces.py.",
            "/** @type {Record<string, string>} */",
            "export const FACES = {",
            *lines,
            "};\n",
        )
    )


if __name__ == "__main__":
    SCRIPT.write_text(script(), encoding="utf-8")
    print(f"{SCRIPT.name}: {SCRIPT.stat().st_size:,} bytes")
