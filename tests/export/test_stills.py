"""An explorer in an exported copy: a still, or one for each of several settings."""

from __future__ import annotations

import base64

import pytest

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, ShuffleExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.export import stills
from posenc_lessons.export.outputs import STILLS


@pytest.mark.sweep
@pytest.mark.parametrize("kind", EXPLORERS, ids=lambda kind: kind.name)
def test_every_explorer_has_a_still_for_each_of_its_stops(kind: type[Explorer]) -> None:
    language.choose("en")
    explorer = kind()
    present = explorer.parameters()
    name, places = stills._places(explorer)
    assert explorer.controls[name].value in places or not places
    assert explorer.stops is None or {*explorer.stops[1]} <= {*places}, "places that its control knows"
    for place in (places or [present[name]])[:: max(1, len(places) - 1)]:  # the first and the last
        explorer.controls[name].value = place
        assert explorer.controls[name].value == place and explorer.message is None
        still = stills._still(explorer, name)
        assert base64.b64decode(still["png"]).startswith(b"\x89PNG") and still["reading"] and still["place"]
    explorer.controls[name].value = present[name]
    explorer.close()


def test_one_still_or_several_and_the_explorer_is_as_before() -> None:
    language.choose("en")
    explorer = ShuffleExplorer(arrangement=3)
    for bundle, least in ((stills.with_still, 1), (stills.with_stills, 4)):
        data, _ = bundle(explorer)
        known = data[STILLS]
        assert known["explorer"] == "shuffle" and known["initial"] == {"arrangement": 3}
        assert known["stills"][known["start"]]["place"] == "3" and len(known["stills"]) >= least
        assert len({still["png"] for still in known["stills"]}) == len(known["stills"])
        assert (len(known["stills"]) == 1) == (bundle is stills.with_still)
        assert explorer.parameters()["arrangement"] == 3
    explorer.close()
