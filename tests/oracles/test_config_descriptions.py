"""Every type of model and tower is described as before; ``descriptions.py`` writes a change down."""

from __future__ import annotations

import json

import pytest

from posenc_lessons.encodings.config.reading import Part
from tests.oracles.descriptions import KEPT, TYPES, described, rows

BEFORE = json.loads(KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("part", "name"), TYPES, ids=" ".join)
def test_a_type_is_described_as_it_was(part: Part, name: str) -> None:
    start = f"{part} {name}"
    before = {key: BEFORE[key] for key in BEFORE if key.partition(",")[0] == start}
    assert described(part, name) == before, "python -m tests.oracles.descriptions writes the change down"


def test_the_table_of_the_census_is_as_it_was() -> None:
    now = rows()
    assert now == {key: BEFORE[key] for key in BEFORE if key.startswith(("row ", "groups by "))}
    types = {f"{part} {name}" for part, name in TYPES}
    assert {key.partition(",")[0] for key in BEFORE} == types | set(now)
