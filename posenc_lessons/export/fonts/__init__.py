"""The font of the formulas on exported pages: a part of STIX Two Math, which ``build`` makes."""

from pathlib import Path

FAMILY = "Posenc Math"
FONT = Path(__file__).parent / "PosencMath-Regular.woff"
TEXT_FAMILY = "Posenc Text"  # words that are not Chinese, made by ``build_text.py`` like the bold Chinese
REGULAR = Path(__file__).with_name("PosencText-Regular.woff2")
BOLD = Path(__file__).with_name("PosencText-Bold.woff2")
CHINESE_BOLD = Path(__file__).with_name("PosencSansSC-Bold.woff2")
BOLD_FAMILY = "Posenc Bold SC"
