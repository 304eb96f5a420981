"""An explorer in an exported copy: a still for each of several settings."""

from __future__ import annotations

import base64

import pytest

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.export import stills


@pytest.mark.parametrize("kind", EXPLORERS, ids=lambda kind: kind.name)
def test_every_explorer_has_a_still_for_each_of_its_stops(kind: type[Explorer]) -> None:
    language.choose("en")
    explorer = kind()
    before = explorer.parameters()
    name, places = stills._places(explorer)
    assert explorer.controls[name].value in places or not places
    assert explorer.stops is None or {*explorer.stops[1]} <= {*places}, "places that its control knows"
    first, last = (places or [before[name]])[0], (places or [before[name]])[-1]
    for place in (first, last):
        explorer.controls[name].value = place
        assert explorer.controls[name].value == place and explorer.message is None
        left = stills._still(explorer, name, place)
        assert base64.b64decode(left["png"]).startswith(b"\x89PNG") and left["reading"] and left["place"]
    explorer.controls[name].value = before[name]
    explorer.close()
