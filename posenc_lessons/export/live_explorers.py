"""List the files for live explorers: a folder beside exported pages, and the explorers' page of a site."""

from collections.abc import Collection
from functools import cache
from pathlib import Path

from posenc_lessons.browser import build
from posenc_lessons.export.page_address import EXPLORERS_PAGE, LIVE
from posenc_lessons.joined_modules import style_module

FOLDER, SCRIPT = LIVE.split("/")


@cache
def files() -> dict[str, bytes]:
    """Return the folder's files by path in the export; they work on a server and from a disk."""
    parts = [*build.python_parts(), *build.data_parts(), build.cells_part(), build.editor_part()]
    styles = {
        "style.js": style_module(
            build.PANEL / "panel.css", build.BROWSER / "phone.css", build.BROWSER / "lesson.css"
        ),
        "cells_style.js": style_module(build.BROWSER / "cells.css"),
    }
    folder = {
        SCRIPT: build.script(SCRIPT, parts, styles).encode(),
        "LICENSES.txt": build.licences(editor=True).encode(),
        **build.part_files(parts),
    }
    return {f"{FOLDER}/{name}": content for name, content in folder.items()}


@cache
def explorers_page() -> dict[str, bytes]:
    """Return the files of the page with all explorers, by path in a site."""
    folder = EXPLORERS_PAGE.removesuffix("index.html")
    return {f"{folder}{name}": content for name, content in build.page("../index.html").items()}


def forget_older(out: Path, written: Collection[str]) -> None:
    """Remove parts of an earlier export from ``out``: those that are not among the ``written`` ones."""
    for path in sorted(out.glob("*/parts/*")):
        folder = f"{path.relative_to(out).parts[0]}/"
        ours = any(name.startswith(folder) for name in written)
        if ours and build.is_part(path.name) and path.relative_to(out).as_posix() not in written:
            path.unlink()
