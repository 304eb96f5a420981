"""Photograph the explorers: ``python -m tests.browser.photographs [NAME …]``.

Each is photographed in the explorers' page in English and in Chinese, on a laptop, in the dark, on a large
screen and on a phone. ``NAME-WHERE-LANGUAGE.png`` goes to ``build/photographs``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from posenc_lessons.browser.explore import page_folder
from posenc_lessons.explorers import EXPLORERS
from tests.support.pages import chromium
from tests.support.site import Visit, serving

PHOTOGRAPHS = Path(__file__).parents[2] / "build" / "photographs"
LAPTOP: dict[str, Any] = {"width": 1366, "height": 641}  # what a browser leaves of a 1366 × 768 screen
PHONE: dict[str, Any] = {"width": 390, "height": 844}
LARGE: dict[str, Any] = {"width": 1920, "height": 1080}
WINDOWS: dict[str, tuple[str, dict[str, Any]]] = {  # the mode and the window's options
    "laptop": ("light", {"viewport": LAPTOP}),
    "dark": ("dark", {"viewport": LAPTOP}),
    "large": ("light", {"viewport": LARGE}),
    "phone": ("light", {"viewport": PHONE, "has_touch": True, "is_mobile": True}),
}


def main(names: Sequence[str]) -> None:
    kinds = [kind for kind in EXPLORERS if not names or kind.name in names]
    PHOTOGRAPHS.mkdir(parents=True, exist_ok=True)
    with page_folder() as folder, serving(folder) as address, chromium() as browser:
        for where, (mode, window) in WINDOWS.items():
            visit = Visit(browser, address, **window).open(f"mode={mode}")
            for spoken in ("en", "zh"):
                visit.choose("languages", spoken)
                for kind in kinds:
                    visit.show(kind)
                    visit.page.screenshot(path=PHOTOGRAPHS / f"{kind.name}-{where}-{spoken}.png")
            visit.close()


if __name__ == "__main__":
    main(sys.argv[1:])
