"""Make the faces of words on exported pages: Latin in two weights, and bold Chinese for headings.

    python -m posenc_lessons.export.fonts.build_text [path of NotoSansCJK-Bold.ttc]

The pages use the typeface of the pictures, the course's part of Noto Sans CJK SC. Its regular Chinese is the
``.woff2`` in ``figures/fonts``. Bold Chinese has the characters of headings and of bold words in the lessons;
others are drawn from the regular face. The source is Debian's ``fonts-noto-cjk``, as for that font.
"""

import json
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from posenc_lessons.course.lessons import shipped_lessons
from posenc_lessons.export.fonts import BOLD, CHINESE_BOLD, REGULAR
from posenc_lessons.figures.fonts.build import build, build_web
from posenc_lessons.figures.fonts.faces import face_of_words
from posenc_lessons.language import HAN

SOURCE = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc")
TEXTS = Path(__file__).parents[1] / "texts.py"  # headings of the pages' own
_BOLD = re.compile(r"^#+ .*$|\*\*.+?\*\*|^\|.*\|$(?=\n\|[-:| ]+\|$)", re.MULTILINE)


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE
    REGULAR.write_bytes(face_of_words())
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "PosencSansSC-Bold.otf"
        build(source, whole, bold_han(), style="Bold")
        BOLD.write_bytes(face_of_words(whole))
        build_web(whole, CHINESE_BOLD)
    print(
        *(f"{path.name}: {path.stat().st_size:,} bytes" for path in (REGULAR, BOLD, CHINESE_BOLD)), sep="\n"
    )


def bold_han() -> str:
    """Return the Chinese characters that pages show in bold."""
    bold = TEXTS.read_text(encoding="utf-8")
    for path in shipped_lessons().rglob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                bold += "".join(_BOLD.findall("".join(cell["source"])))
    return "".join(sorted(set(HAN.findall(bold))))


if __name__ == "__main__":
    main()
