"""Make ``PosencSansSC-Regular.otf``, the part of Noto Sans CJK SC that the course needs, and its ``.woff2``.

    python -m posenc_lessons.figures.fonts.build [path of NotoSansCJK-Regular.ttc]
    python -m posenc_lessons.figures.fonts.build --web  only the .woff2, from the committed .otf

Most machines have no Chinese font, and 16 MB is too much to ship. The subset has GB2312 level 1 (the 3,755
commonest characters), the symbols of GB2312, Latin, Greek, arrows and mathematics, and the characters in
``characters.txt``. The script first adds to this file all other characters that the repository uses. The
source font and the file determine the font byte for byte (fontTools 4.68.0 wrote the committed one).

The source is ``NotoSansCJK-Regular.ttc`` of Noto Sans CJK 2.004, from Debian's ``fonts-noto-cjk`` or from
https://github.com/notofonts/noto-cjk/releases/tag/Sans2.004.

Browsers halve full-width signs that follow each other, as in "）。", only where a font has half widths for
them; so the subset keeps that table ("halt"), besides kerning.

Three things differ from the source, so the font has its own name and cannot be mistaken for an installed
Noto: hints are dropped; quotes and middle dots are the proportional ones of the Japanese face; full-width
mathematical signs lose their empty margins. Full-width signs suit purely Chinese text, but in the English
labels and formulas here, "3 × 4" had gaps like three words.

The .woff2 is for browsers: the same glyphs in two thirds of the bytes. Writing it needs ``brotli``.
"""

import json
import sys
from pathlib import Path
from typing import Any

from fontTools import subset  # type: ignore[import-untyped]
from fontTools.pens.boundsPen import BoundsPen  # type: ignore[import-untyped]
from fontTools.pens.t2CharStringPen import T2CharStringPen  # type: ignore[import-untyped]
from fontTools.pens.transformPen import TransformPen  # type: ignore[import-untyped]
from fontTools.ttLib import TTCollection, TTFont  # type: ignore[import-untyped]

from posenc_lessons.figures.fonts import FAMILY, FONT, WEB_FONT
from posenc_lessons.language import HAN

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[2]
SOURCE = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
CHARACTERS = HERE / "characters.txt"
RANGES = (
    (0x0020, 0x007E),  # ASCII
    (0x00A0, 0x00FF),  # Latin-1
    (0x0370, 0x03FF),  # Greek
    (0x2010, 0x205E),  # dashes, quotes, primes
    (0x2070, 0x209F),  # superscripts and subscripts
    (0x2190, 0x22FF),  # arrows, mathematics
    (0x2460, 0x2473),  # ① … ⑳
    (0x25A0, 0x25FF),  # squares, triangles, circles
    (0x2713, 0x2713),  # ✓
    (0x3000, 0x30FF),  # Chinese punctuation, kana
    (0xFF01, 0xFF5E),  # full-width forms
)
PROPORTIONAL = "·•‘’“”"
MARGIN = 70  # on either side of a narrowed sign, in thousandths of an em


def main() -> None:
    if sys.argv[1:] == ["--web"]:
        build_web(FONT, WEB_FONT)
        return
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE
    listed = CHARACTERS.read_text(encoding="utf-8")
    wanted = sorted({c for c in listed + repository_han() if c not in level_1() and not c.isspace()})
    CHARACTERS.write_text("".join(wanted) + "\n", encoding="utf-8")
    build(source, FONT)
    build_web(FONT, WEB_FONT)
    print(f"{FONT}: {FONT.stat().st_size:,} bytes, {len(wanted)} characters beyond GB2312 level 1")


def build(source: Path, target: Path, han: str | None = None, style: str = "Regular") -> None:
    """Write the subset of ``source`` (a collection that holds Noto Sans CJK SC and JP) to ``target``.

    ``han``: these Chinese characters instead of all; ``style``: the weight of the source, by its name.
    """
    faces = {font["name"].getDebugName(4): font for font in TTCollection(source).fonts}
    weight = "" if style == "Regular" else f" {style}"
    japanese = faces[f"Noto Sans CJK JP{weight}"].getBestCmap()
    index = list(faces).index(f"Noto Sans CJK SC{weight}")
    font = TTFont(source, fontNumber=index, recalcTimestamp=False)
    for table in font["cmap"].tables:
        if table.isUnicode() and table.format != 14:
            table.cmap.update({ord(c): japanese[ord(c)] for c in PROPORTIONAL})
    options = subset.Options(
        hinting=False, layout_features=["kern", "halt"], notdef_outline=True, name_IDs=["*"]
    )
    options.drop_tables += ["BASE", "VORG", "vhea", "vmtx"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters() if han is None else signs() + han)
    subsetter.subset(font)
    narrow_mathematics(font)
    rename(font, target.stem, style)
    font.save(target)


def build_web(source: Path, target: Path) -> None:
    """Write ``source`` as WOFF2 without shared subroutines, because Brotli packs plain outlines better."""
    font = TTFont(source, recalcTimestamp=False)
    font["CFF "].cff.desubroutinize()
    font.flavor = "woff2"
    font.save(target)
    print(f"{target}: {target.stat().st_size:,} bytes")


def characters() -> str:
    """Return all characters that the font should have, if its source has them."""
    return level_1() + gb2312(0xA1, 0xA9) + signs() + CHARACTERS.read_text(encoding="utf-8").strip()


def signs() -> str:
    """Return the letters and signs that are not Chinese characters."""
    return "".join(chr(code) for first, last in RANGES for code in range(first, last + 1))


def level_1() -> str:
    """Return the 3,755 characters of GB2312 level 1."""
    return gb2312(0xB0, 0xD7)


def gb2312(first: int, last: int) -> str:
    """Return the characters in rows ``first`` … ``last`` of GB2312."""
    pairs = (bytes([row, cell]) for row in range(first, last + 1) for cell in range(0xA1, 0xFF))
    return "".join(pair.decode("gb2312", errors="ignore") for pair in pairs)


def repository_han(root: Path = REPOSITORY) -> str:
    """Return the Chinese characters of the package, the notebooks and the repository's top-level pages."""
    package = root / "posenc_lessons"
    files = [*package.rglob("*.py"), *package.rglob("*.js"), *root.glob("*.md")]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    for path in (root / "notebooks").rglob("*.ipynb"):
        if ".ipynb_checkpoints" not in path.parts:
            text += json.dumps(json.loads(path.read_text(encoding="utf-8")), ensure_ascii=False)
    return "".join(sorted(set(HAN.findall(text))))


def narrow_mathematics(font: TTFont) -> None:
    """Cut the empty margins of full-width signs of Latin-1 and of arrows and mathematics."""
    glyphs, charstrings = font.getGlyphSet(), font["CFF "].cff.topDictIndex[0].CharStrings
    narrow: dict[str, tuple[float, Any]] = {}
    for code, name in font.getBestCmap().items():
        if not (0xA0 <= code <= 0xFF or 0x2190 <= code <= 0x22FF) or font["hmtx"][name][0] < 1000:
            continue
        bounds = BoundsPen(glyphs)
        glyphs[name].draw(bounds)
        left, _, right, _ = bounds.bounds
        width = min(1000, round(right - left) + 2 * MARGIN)
        private = charstrings[name].private
        pen = T2CharStringPen(width - private.nominalWidthX, glyphs)
        glyphs[name].draw(TransformPen(pen, (1, 0, 0, 1, (width - left - right) / 2, 0)))
        narrow[name] = (width, pen.getCharString(private, charstrings[name].globalSubrs))
    for name, (width, charstring) in narrow.items():
        charstring.fdSelectIndex = getattr(charstrings[name], "fdSelectIndex", None)
        charstrings[name] = charstring
        font["hmtx"][name] = (width, MARGIN)


def rename(font: TTFont, postscript: str, style: str) -> None:
    """Give the font its own name; the copyright, the trademark and the licence stay."""
    name = font["name"]
    version = name.getDebugName(5).split(";")[0]
    kept = {number: name.getDebugName(number) for number in (0, 7, 8, 9, 11, 12, 13, 14)}
    own = {
        1: FAMILY,
        2: style,
        3: f"{version};{postscript}",
        4: FAMILY,
        5: version,
        6: postscript,
        10: "A subset of Noto Sans CJK SC for the pictures of posenc-lessons.",
    }
    name.names = []
    for number, text in sorted({**kept, **own}.items()):
        name.setName(text, number, 3, 1, 0x409)
    cff = font["CFF "].cff
    cff.fontNames = [postscript]
    cff.topDictIndex[0].FullName = cff.topDictIndex[0].FamilyName = FAMILY


if __name__ == "__main__":
    main()
