"""Which characters are Chinese, and what a Chinese text becomes for a reader who has none of it."""

from __future__ import annotations

import re

HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
# Han, its punctuation, and the wide forms of Latin letters and marks.
CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")

_NARROW = {
    **{"，": ", ", "、": ", ", "。": ". ", "：": ": ", "；": "; ", "（": " (", "）": ") ", "！": "! "},
    **{"？": "? ", "《": " “", "》": "” ", "　": " "},
}


def narrow(text: str) -> str:
    """``text`` with Western punctuation: what is left when the Han around it is gone."""
    for wide, plain in _NARROW.items():
        text = re.sub(rf" *{re.escape(wide)} *", plain, text)
    text = re.sub(r"\) +(?=[,.:;)])", ")", text)
    text = "".join(chr(ord(c) - 0xFEE0) if "\uff01" <= c <= "\uff5e" else c for c in text)
    return CHINESE.sub("", text)
