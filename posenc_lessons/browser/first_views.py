"""Compute the first view of every explorer, which a page shows before its Python has started, with PyTorch.

``python -m posenc_lessons.browser.first_views`` prints the views in every language and theme as JSON:
{"arrays": […], "views": {language: {mode: {explorer: view}}}}. Bytes in a view are {"at": n}, the nth of
``arrays`` (base64), because many views share them.
"""

import json
import sys
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from posenc_lessons.explorers import host
from posenc_lessons.figures.theme import THEMES
from posenc_lessons.language import LANGUAGES


def first_views() -> dict[str, Any]:
    """Return all first views as plain data, in the form described at the top of this module."""
    places: dict[bytes, int] = {}
    views = {
        language: {
            mode: {name: _view(name, language, mode, places) for name in host.NAMES} for mode in THEMES
        }
        for language in LANGUAGES
    }
    return {"arrays": [b64encode(content).decode() for content in places], "views": views}


def _view(name: str, language: str, mode: str, places: dict[bytes, int]) -> Any:
    visible = host.Host()
    view = _with_places(visible.answer("start", [name, "", language, mode]), places)
    visible.close()
    return view


def _with_places(value: Any, places: dict[bytes, int]) -> Any:
    """Return ``value`` with each ``bytes`` replaced by its place in ``places``; add new ones there."""
    if isinstance(value, bytes):
        return {"at": places.setdefault(value, len(places))}
    if isinstance(value, Mapping):
        return {key: _with_places(item, places) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_places(item, places) for item in value]
    return value


if __name__ == "__main__":
    json.dump(first_views(), sys.stdout, ensure_ascii=False)
