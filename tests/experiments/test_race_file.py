"""The file of a race: its results are read back, and what is no race is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.experiments.race import Race, Results, Run, load_results, results_from_json, run_race
from posenc_lessons.experiments.race.__main__ import table
from tests.experiments.tiny_race import TINY


@settings(max_examples=20)
@given(
    st.lists(st.tuples(*[st.floats(0, 1)] * 3), min_size=4, max_size=4),
    st.lists(st.floats(0, 9), max_size=5).map(tuple),
    st.permutations(range(4)),
)
def test_results_survive_json(shares: list[Any], loss: tuple[float, ...], order: list[int]) -> None:
    results = Results(TINY, "2025-01-31", ({"processor": "计算机", "cores": "2"},))
    for i in order:
        results = results.with_run(Run(*TINY.entries()[i], accuracy=shares[i], loss=loss, seconds=1.5))
    assert results_from_json(results.to_json(), "x") == results
    assert [run.entry for run in results.runs] == TINY.entries()
    empty = replace(results, runs=())
    assert results_from_json(empty.to_json(), "x") == empty


def test_means_over_seeds() -> None:
    race = replace(TINY, seeds=(0, 1))
    results = Results(race, "2025-01-31", ())
    for seed, shares in ((0, (1.0, 0.8, 0.2)), (1, (0.5, 1.0, 0.4))):
        results = results.with_run(Run("copy_back", "none", seed, shares, (), 1.0))
    assert results.accuracy("copy_back", "none") == [(1.0, 0.8, 0.2), (0.5, 1.0, 0.4)]
    assert results.inside_and_outside("copy_back", "none") == pytest.approx((0.9, 0.3))
    assert results.inside_and_outside("copy_back", "rotary") is None
    assert "none    0.90 → 0.30  –" in table(results) and table(results).startswith("6 → 9\n")


def changed(**changes: Any) -> bytes:
    """Return a race's file with changed values; None removes a key."""
    race = Results(TINY, "2025-01-31", ({"processor": "计", "cores": "2"},))
    run = Run("copy_back", "none", 0, (1.0, 1.0, 0.5), (), 1.0)
    content = json.loads(race.with_run(run).to_json())
    for path, value in changes.items():
        *where, last = path.split("__")
        inner = content
        for key in where:
            inner = inner[int(key) if key.isdigit() else key]
        if value is None:
            del inner[last]
        else:
            inner[last] = value
    return json.dumps(content).encode()


DAMAGED = {
    "half": (changed()[:200], r"f.json is not a results file: it is no JSON "),
    "empty": (b"", r"it is no JSON "),
    "no text": (b"\xff\xfe\x00", r"it is no JSON "),
    "a list": (b"[1, 2]", r"no race was saved in it"),
    "foreign": (b'{"format": "something"}', r"no race was saved in it"),
    "newer": (changed(version=2), r"newer posenc_lessons \(file version 2.*update"),
    "no race": (changed(race=None), r"damaged.*KeyError\('race'\)"),
    "no machine": (changed(machines__0__cores=None), r"damaged.*'cores'"),
    "no date": (changed(date=None), r"damaged.*'date'"),
    "another measure": (changed(race__counted="all"), r"damaged.*counted must be among .*'all'"),
    "a setting gone": (changed(race__steps=None), r"damaged.*race: \['steps'\]"),
    "an unknown setting": (changed(race__speed=1), r"damaged.*race: \['speed'\]"),
    "no such task": (changed(race__tasks=["fly"]), r"damaged.*tasks must be among .*'fly'"),
    "a run too many": (changed(runs__0__seed=7), r"damaged.*run: \('copy_back', 'none', 7\)"),
    "too good": (changed(runs__0__accuracy=[1, 1, 1.5]), r"damaged.*run: "),
    "a length gone": (changed(runs__0__accuracy=[1, 1]), r"damaged.*run: "),
    "a word": (changed(runs__0__accuracy=["1", 1, 1]), r"damaged.*run: "),
    "a field gone": (changed(runs__0__seconds=None), r"damaged.*TypeError.*seconds"),
    "no runs": (changed(runs=3), r"damaged.*TypeError"),
    "no such line": (changed(order_blind={"copy_back": [0.5]}), r"damaged.*order_blind: \['copy_back'\]"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_file_that_is_not_a_race_is_refused_in_both_languages(case: str, tmp_path: Path) -> None:
    content, message = DAMAGED[case]
    path = tmp_path / "f.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        load_results(path)
    assert str(caught.value).count("\n") == 1
    with pytest.raises(ValueError, match=message):
        run_race(TINY, path, progress=False)
    assert path.read_bytes() == content, "what cannot be read is not overwritten"


@pytest.mark.parametrize(
    ("key", "said", "read"), [("counted", None, "new_positions"), ("device", "cuda:7", "cuda:7")]
)
def test_a_file_from_before_there_were_two_measures_or_from_a_gpu_is_read(
    key: str, said: str | None, read: str
) -> None:
    results = results_from_json(changed(**{f"race__{key}": said}), "f.json")
    assert getattr(results.race, key) == read and len(results.runs) == 1


def test_a_file_of_any_length_is_sorted_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    race = replace(TINY, seeds=tuple(range(100)))
    runs = tuple(Run(*entry, (1.0, 1.0, 0.5), (), 1.0) for entry in race.entries())
    backwards = Results(race, "2025-01-31", (), runs[::-1]).to_json()
    listed: list[Race] = []
    entries = Race.entries
    monkeypatch.setattr(Race, "entries", lambda race: listed.append(race) or entries(race))
    assert results_from_json(backwards, "f.json").runs == runs
    assert len(listed) <= 2, "not once for each of 400 runs"
