"""Make ``PosencMath-Regular.woff``: the part of STIX Two Math that formulas on exported pages need.

    python -m posenc_lessons.export.fonts.build FONT

Without a font that has a table of mathematics, browsers draw MathML badly (brackets do not grow), and many
machines have no such font. FONT is STIX Two Math (https://github.com/stipub/stixfonts), as OpenType or as
``stix-two-math-latin-400-normal.woff`` of npm's ``@fontsource/stix-two-math`` 5.3.0, from which fontTools
4.68.0 made the committed file. The subset has its own name, because the licence requires one for changed
fonts.
"""

import sys
from pathlib import Path

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from posenc_lessons.export.fonts import FAMILY, FONT

# ASCII, Latin-1, accents, Greek, dashes, quotes, invisible operators, letters such as ℝ, arrows, operators,
# floor and ceiling, brackets and braces, long arrows, and the mathematical alphabets.
RANGES = """20-7E A0-FF 300-304 370-3FF 2010-2057 2061-2064 2100-214F 2190-21FF 2200-22FF 2308-230B 23B4-23B5
    23DC-23DF 27E6-27EB 27F5-27FA 1D400-1D467 1D49C-1D4CF 1D538-1D56B 1D6A4-1D6A5 1D6E2-1D71B"""
DROPPED = ["GPOS", "DSIG", "FFTM", "BASE"]


def main() -> None:
    source = Path(sys.argv[1])
    font = TTFont(source, recalcTimestamp=False)
    options = subset.Options(hinting=False, notdef_outline=True, layout_features=["ssty", "dtls", "flac"])
    options.drop_tables += DROPPED
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=subset.parse_unicodes(",".join(RANGES.split())))
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
