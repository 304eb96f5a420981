"""Lessons on paper: their pages, printed by a browser that is already there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posenc_lessons.course.folder import PACKAGE
from posenc_lessons.export.browser import print_page
from posenc_lessons.export.site import site
from posenc_lessons.language import Language

# For a machine without a Chinese font; the style of the pages names it last.
_FONT = PACKAGE / "figures" / "fonts" / "PosencSansSC-Regular.otf"


def papers(notebooks: Mapping[str, Any], language: Language) -> dict[str, bytes]:
    """A PDF of every notebook. Raises NoBrowser."""
    found = {}
    for name, notebook in notebooks.items():
        (page,) = site(
            {name: notebook}, language
        ).values()  # alone: links to other lessons become plain words
        font = f'<style>@font-face {{ font-family: "Posenc Sans"; src: url("{_FONT.as_uri()}"); }}</style>'
        markup = page.decode().replace("</head>", f"{font}</head>", 1)
        found[name.replace(".ipynb", ".pdf")] = print_page(markup)
    return found
