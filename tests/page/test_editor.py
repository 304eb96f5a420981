"""The cells' editor that ships is built from its source, is small, and brings its licences."""

import gzip
import json
from pathlib import Path

import pytest

from posenc_lessons import npm
from posenc_lessons.browser.build_editor import LICENCES, OUTPUT, SCRIPT, SOURCES


@pytest.mark.parametrize(("part", "folder"), [("sources", SOURCES), ("output", OUTPUT)])
def test_the_editor_is_what_was_built_from_its_source(part: str, folder: Path) -> None:
    again = "build it again: python -m posenc_lessons.browser.build_editor"
    assert npm.built(OUTPUT)[part] == npm.fingerprint(folder), again


def test_it_is_small_and_names_the_licence_of_each_package() -> None:
    assert len(gzip.compress(SCRIPT.read_bytes(), 9)) < 100_000
    named = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))["dependencies"]
    licences = LICENCES.read_text(encoding="utf-8")
    assert [name for name in named if f"==== {name} ====" not in licences] == []
