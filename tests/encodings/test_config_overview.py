"""The census as a table for readers: some rows, compared with the models' code and papers, and the counts."""

from __future__ import annotations

import pytest

from posenc_lessons.encodings.config.families import families
from posenc_lessons.encodings.config.overview import CensusRow, census_rows
from posenc_lessons.encodings.config.overview_words import (
    NOTHING,
    bases,
    census_counts,
    doors,
    extension,
    layers,
    share,
)

ROWS = {row.name: row for row in census_rows()}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("llama", ("2", "the whole head", "10,000", "all alike", "–")),
        ("gemma4_text", ("2", "proportional, 25%", "10,000 / 1,000,000", "5 window, 1 full", "–")),
        ("cohere2", ("2", "the whole head", "10,000", "3 window, 1 no positions", "–")),
        ("llama4_text", ("2", "the whole head", "500,000", "3 window, 1 no positions", "–")),
        ("smollm3", ("2", "the whole head", "2,000,000", "3 full, 1 no positions", "–")),
        ("qwen3_next", ("2", "a part, 25%", "10,000", "3 no attention, 1 full", "–")),
        ("deepseek_v3", ("2", "a part set apart, 64", "10,000", "all alike", "–")),
        ("gptj", ("2", "a part, 64", "10,000", "all alike", "–")),
        ("gpt_oss", ("2", "the whole head", "150,000", "1 window, 1 full", "YaRN")),
        ("mpnet", ("1 + 3", "–", "–", "–", "–")),
        ("bert", ("1", "–", "–", "–", "–")),
        ("bloom", ("3", "–", "–", "–", "–")),
        ("mamba", ("–", "–", "–", "all without attention", "–")),
    ],
)
def test_a_row_says_what_its_code_does(name: str, said: tuple[str, ...]) -> None:
    row = ROWS[name]
    assert tuple(each(row).en for each in (doors, share, bases, layers, extension)) == said


def test_every_row_has_a_door_or_a_reason_to_have_none() -> None:
    for row in ROWS.values():
        assert row.doors or row.kind in ("none", "unseen"), row.name
        assert (row.pairing is None) == (row.kind != "rotary") == (doors(row) == NOTHING or row.share is None)


def test_files_that_contain_another_model_have_no_row() -> None:
    assert set(ROWS) == {name for name, family in families().items() if not family.of}


def test_groups_count_every_row_that_is_in_them() -> None:
    rows = list(ROWS.values())
    by_door, pairing, turns, kinds = (dict(groups) for _, groups in census_counts())
    turning = sum(row.kind == "rotary" for row in rows)
    both = sum(len(row.doors) - 1 for row in rows if row.doors)
    assert sum(by_door.values()) == len(rows) + both
    assert sum(pairing.values()) == sum(turns.values()) == turning
    assert list(kinds.values())[2] == sum(_has_none(row) for row in rows)


def _has_none(row: CensusRow) -> bool:
    return "no positions" in layers(row).en or "without positions" in layers(row).en
