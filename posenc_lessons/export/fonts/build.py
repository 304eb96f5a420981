"""Make ``PosencMath-Regular.woff``: the part of STIX Two Math that formulas on exported pages need.

    python -m posenc_lessons.export.fonts.build FONT

Without a font that has a table of mathematics, browsers draw MathML badly (brackets do not grow), and many
machines have no such font. FONT is STIX Two Math (https://github.com/stipub/stixfonts), as OpenType or as
``stix-two-math-latin-400-normal.woff`` of npm's ``@fontsource/stix-two-math`` 5.3.0, from which fontTools
4.68.0 made the committed file. The subset has its own name, because the licence requires one for changed
fonts.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from posenc_lessons.export.fonts import FAMILY, FONT

RANGES = (
    (0x0020, 0x007E),  # ASCII
    (0x00A0, 0x00FF),  # Latin-1
    (0x0300, 0x0304),  # accents
    (0x0370, 0x03FF),  # Greek
    (0x2010, 0x2057),  # dashes, quotes, primes
    (0x2061, 0x2064),  # invisible operators
    (0x2100, 0x214F),  # ℝ, ℓ and other letters
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematical operators
    (0x2308, 0x230B),  # floor and ceiling
    (0x23B4, 0x23B5),  # brackets above and below
    (0x23DC, 0x23DF),  # braces above and below
    (0x27E6, 0x27EB),  # angle and double brackets
    (0x27F5, 0x27FA),  # long arrows
    (0x1D400, 0x1D467),  # bold and italic letters
    (0x1D49C, 0x1D4CF),  # script
    (0x1D538, 0x1D56B),  # double-struck
    (0x1D6A4, 0x1D6A5),  # dotless i and j
    (0x1D6E2, 0x1D71B),  # italic Greek
)
DROPPED = ["GPOS", "DSIG", "FFTM", "BASE"]


def main() -> None:
    source = Path(sys.argv[1])
    font = TTFont(source, recalcTimestamp=False)
    options = subset.Options(hinting=False, notdef_outline=True, layout_features=["ssty", "dtls", "flac"])
    options.drop_tables += DROPPED
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in RANGES for code in range(first, last + 1)])
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 16):
            record.string = FAMILY
        elif record.nameID == 6:
            record.string = f"{FAMILY.replace(' ', '')}-Regular"
    font.flavor = "woff"
    font.save(FONT)
    print(f"{FONT.name}: {FONT.stat().st_size / 1000:.0f} kB, {len(font.getGlyphOrder())} glyphs")


if __name__ == "__main__":
    main()
