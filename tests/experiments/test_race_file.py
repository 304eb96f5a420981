"""The file of a race, and of any record: results are read back, and what is no record is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.experiments import context_extension, hybrid, resolutions
from posenc_lessons.experiments.race import Race, Results, Run, load_results, run_race
from posenc_lessons.experiments.race.__main__ import table
from tests.experiments.tiny_race import TINY


@settings(max_examples=20)
@given(
    st.lists(st.tuples(*[st.floats(0, 1).map(lambda x: round(x, 4))] * 3), min_size=4, max_size=4),
    st.permutations(range(4)),
)
def test_results_survive_their_file(
    tmp_path_factory: pytest.TempPathFactory, shares: list[Any], order: list[int]
) -> None:
    results = Results(TINY, "2025-01-31", ({"processor": "计算机", "cores": "2"},))
    for i in order:
        results = results.with_run(Run(*TINY.entries()[i], accuracy=shares[i], first_loss=0.5))
    path = tmp_path_factory.mktemp("race") / "race.json"
    for whole in (results, replace(results, runs=())):
        whole.save(path)
        assert load_results(path) == whole
    assert [run.entry for run in results.runs] == TINY.entries() and results.missing() == []


def test_means_over_seeds() -> None:
    race = replace(TINY, seeds=(0, 1))
    results = Results(race, "2025-01-31", ())
    for seed, shares in ((0, (1.0, 0.8, 0.2)), (1, (0.5, 1.0, 0.4))):
        results = results.with_run(Run("copy_back", "none", seed, shares, 1.0))
    assert results.accuracy("copy_back", "none") == [(1.0, 0.8, 0.2), (0.5, 1.0, 0.4)]
    assert results.inside_and_outside("copy_back", "none") == pytest.approx((0.9, 0.3))
    assert results.inside_and_outside("copy_back", "rotary") is None
    assert "none    0.90 → 0.30  –" in table(results) and table(results).startswith("8 → 9\n")


@pytest.mark.parametrize(
    "read", [load_results, hybrid.recorded, resolutions.recorded, context_extension.recorded]
)
@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b"\xff\xfe\x00", b'{"race": {"speed": 1}}', b'{"runs": 3}']
)
def test_a_file_that_is_no_record_is_refused_with_the_command_that_makes_it(
    read: Any, content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "f.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"(?s)f\.json cannot be read .*python -m posenc_lessons"):
        read(path)


def test_a_race_goes_on_where_it_stopped_and_another_race_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from posenc_lessons.experiments.race import running

    path, run_one, made = tmp_path / "race.json", running.run_one, []

    def stopping(race: Race, entry: Any, *rest: Any) -> Run:
        if len(made) == 2:
            raise KeyboardInterrupt
        made.append(entry)
        return run_one(race, entry, *rest)

    monkeypatch.setattr(running, "run_one", stopping)
    half = run_race(TINY, path, progress=False)
    assert [run.entry for run in half.runs] == made and "2 runs are finished" in capsys.readouterr().out
    monkeypatch.setattr(running, "run_one", run_one)
    whole = run_race(TINY, path, progress=False)
    assert whole.runs[:2] == load_results(path).runs[:2] and whole.missing() == []
    assert load_results(path) == whole
    with pytest.raises(ValueError, match="race under other conditions"):
        run_race(replace(TINY, steps=2), path, progress=False)
