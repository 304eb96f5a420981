"""The bundled Chinese font, made by ``build.py``; its licence is ``OFL.txt``."""

from pathlib import Path

FAMILY = "Posenc Sans SC"
FONT = Path(__file__).with_name("PosencSansSC-Regular.otf")
WEB_FONT = FONT.with_suffix(".woff2")  # the same for browsers, smaller
CHINESE = "U+2E80-9FFF, U+F900-FAFF, U+FF00-FFEF, U+20000-3FFFF"  # for browsers, as in font.js
