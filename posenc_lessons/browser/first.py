"""The first view of every explorer in each language, computed with PyTorch: what a page shows at once.

``python -m posenc_lessons.browser.first`` prints them as JSON, {language: {explorer: view}}.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from posenc_lessons.browser import host
from posenc_lessons.language import LANGUAGES


def first_views() -> dict[str, dict[str, Any]]:
    """By language and explorer."""
    return {
        language: {
            name: host.as_json(host.Host().answer("start", [name, "", language])) for name in host.NAMES
        }
        for language in LANGUAGES
    }


if __name__ == "__main__":
    json.dump(first_views(), sys.stdout, ensure_ascii=False)
