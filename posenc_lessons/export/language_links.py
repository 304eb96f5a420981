"""The link from a page to itself in the other language, by the name that the language has in itself."""

from __future__ import annotations

from functools import cache

from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath

from posenc_lessons.export.page_address import TAGS, PageAddress
from posenc_lessons.figures.fonts import FONT
from posenc_lessons.language import NAMES, Language


def link_to_other_language(here: PageAddress) -> str:
    """HTML; nothing where the page has no other language."""
    return "".join(
        f'<a class="other" href="{here.relative(here.folders[one] + here.file)}" '
        f'lang="{TAGS[one]}" hreflang="{TAGS[one]}" rel="alternate">{_name(one)}</a>'
        for one in here.folders
        if one != here.language
    )


@cache
def _name(language: Language) -> str:
    """HTML: the language's own name. English pages bring no Chinese font along, so they have it drawn."""
    name = NAMES[language]
    if name.isascii():
        return name
    outline = TextPath((0, 0), name, size=20, prop=FontProperties(fname=FONT))
    letters = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}
    drawn = ""
    for points, code in outline.iter_segments():
        flipped = [f"{each:.2f}" for x, y in points.reshape(-1, 2) for each in (x, -y)]  # down is positive
        drawn += letters[code] + ("" if code == Path.CLOSEPOLY else " ".join(flipped))
    shape = f'viewBox="0 -18 {20 * len(name)} 22" height="1.1em" fill="currentColor"'
    return f'<svg {shape} role="img" aria-label="{name}"><path d="{drawn}"/></svg>'
