"""The bundled Chinese font, made by ``build.py``; its licence is ``OFL.txt``."""

import base64
from functools import cache
from pathlib import Path

FAMILY = "Posenc Sans SC"
FONT = Path(__file__).with_name("PosencSansSC-Regular.otf")
WEB_FONT = FONT.with_suffix(".woff2")  # the same for browsers, smaller
CHINESE = "U+2E80-9FFF, U+F900-FAFF, U+FF00-FFEF, U+20000-3FFFF"  # what browsers take from it, as in live.js


@cache
def font_face() -> str:
    """A style sheet's rule that brings the font along, for where the fonts named before it lack a glyph."""
    content = base64.b64encode(WEB_FONT.read_bytes()).decode()
    source = f'url(data:font/woff2;base64,{content}) format("woff2")'
    return f'@font-face {{ font-family: "{FAMILY}"; src: {source}; unicode-range: {CHINESE}; }}'
