"""The bundled Chinese font, made by ``build.py``; its licence is ``OFL.txt``."""

import base64
from functools import cache
from pathlib import Path

FAMILY = "Posenc Sans SC"
FONT = Path(__file__).with_name("PosencSansSC-Regular.otf")
WEB_FONT = FONT.with_suffix(".woff2")  # the same for browsers, smaller
CHINESE = "U+2E80-9FFF, U+F900-FAFF, U+FF00-FFEF, U+20000-3FFFF"  # for browsers, as in font.js


@cache
def font_face() -> str:
    """Return a style sheet's rule that embeds the font, for glyphs that the fonts named before it lack."""
    content = base64.b64encode(WEB_FONT.read_bytes()).decode()
    source = f'url(data:font/woff2;base64,{content}) format("woff2")'
    return f'@font-face {{ font-family: "{FAMILY}"; src: {source}; unicode-range: {CHINESE}; }}'
