"""The bundled Chinese font, made by ``build.py``; its licence is ``OFL.txt``."""

from pathlib import Path

FAMILY = "Posenc Sans SC"
FONT = Path(__file__).with_name("PosencSansSC-Regular.otf")
