"""What makes explorers live in exported pages: one folder beside them, with Python for all of them."""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache
from pathlib import Path

from posenc_lessons.browser import build
from posenc_lessons.export.site import LIVE

FOLDER, SCRIPT = LIVE.split("/")


@cache
def files() -> dict[str, bytes]:
    """The folder's files by their place in the export; they serve pages on a server and on a disk alike."""
    parts = build.python_parts()
    made = {
        SCRIPT: build.script(SCRIPT, parts, {"style.js": _style_js()}).encode(),
        "LICENSES.txt": build.licences().encode(),
        **build.part_files(parts, from_disk=True),
    }
    return {f"{FOLDER}/{name}": content for name, content in made.items()}


def forget_older(out: Path, written: Collection[str]) -> None:
    """Remove from ``out`` the parts that an earlier export wrote and this one, which wrote these, did not."""
    for path in sorted(out.glob(f"{FOLDER}/parts/*")):
        if build.is_part(path.name) and path.relative_to(out).as_posix() not in written:
            path.unlink()


def _style_js() -> str:
    """The style of the explorers' page, for a shadow root, as the module that lesson.js imports."""
    style = (build.PAGE / "page.css").read_text(encoding="utf-8").replace(":root", ":host")
    own = (build.BROWSER / "lesson.css").read_text(encoding="utf-8")
    return f"export const STYLE = {json.dumps(style + own)};\n"
