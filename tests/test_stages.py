"""tests/stages.py: a stage that ran nothing, or too little, fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import stages

GOOD = "def test_good():\n    assert 1 + 1 == 2\n"
BAD = "def test_bad():\n    assert 1 + 1 == 3\n"
SKIPPED = "import pytest\n\ndef test_skipped():\n    pytest.skip('not here')\n"


@pytest.fixture(autouse=True)
def without_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run pytest without plugins, which no test here needs and which take seconds to load."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def outcome(tmp_path: Path, source: str, least: int = 1) -> stages.Result:
    tests = tmp_path / "test_it.py"
    tests.write_text(source, encoding="utf-8")
    stage = stages.Stage("pytest", ("-q", "-c", str(tmp_path / "none.ini"), str(tests)), least=least)
    (tmp_path / "none.ini").write_text("[pytest]\n", encoding="utf-8")
    return stages.run(stage, tmp_path)


def test_good_tests_are_counted(tmp_path: Path) -> None:
    result = outcome(tmp_path, GOOD + SKIPPED)
    assert (result.passed, result.failed, result.skipped, result.trouble) == (1, 0, 1, None)


def test_a_failing_test_fails_the_stage(tmp_path: Path) -> None:
    result = outcome(tmp_path, GOOD + BAD)
    assert (result.passed, result.failed, result.trouble) == (1, 1, "exit 1")


def test_a_stage_without_tests_fails(tmp_path: Path) -> None:
    assert outcome(tmp_path, "", least=0).failed == 1


def test_a_stage_of_skipped_tests_fails(tmp_path: Path) -> None:
    result = outcome(tmp_path, SKIPPED)
    assert result.failed == 1 and result.trouble == "only 0 passed, at least 1 had to"


def test_a_stage_that_may_be_skipped_passes(tmp_path: Path) -> None:
    result = outcome(tmp_path, SKIPPED, least=0)
    assert (result.passed, result.failed, result.skipped) == (0, 0, 1)


def test_fewer_cells_than_the_notebooks_have_fail_the_stage(tmp_path: Path) -> None:
    assert outcome(tmp_path, GOOD, least=2).failed == 1


def test_a_failing_check_counts_as_failed(tmp_path: Path) -> None:
    assert stages.run(stages.Stage("ruff", ("no-such-verb",)), tmp_path).failed == 1


def test_a_stage_beside_the_others_is_counted_and_its_output_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none.ini").write_text("[pytest]\n", encoding="utf-8")
    chosen = {}
    for name, source in (("good", GOOD), ("bad", BAD)):
        (tmp_path / f"test_{name}.py").write_text(source, encoding="utf-8")
        arguments = ("-q", "-c", str(tmp_path / "none.ini"), str(tmp_path / f"test_{name}.py"))
        chosen[name] = stages.Stage("pytest", arguments, least=1, beside=name == "bad")
    results = stages.run_all(chosen)
    assert {name: (result.passed, result.failed) for name, result in results.items()} == {
        "good": (1, 0),
        "bad": (0, 1),
    }
    assert "def test_bad" in capfd.readouterr().out


def test_every_notebook_cell_must_run() -> None:
    folder = stages.ROOT / "notebooks"
    notebooks = [
        *folder.glob("*.ipynb"),
        *folder.glob("solutions/*.ipynb"),
        *folder.glob("questions/*.ipynb"),
    ]
    cells = [cell for path in notebooks for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    wanted = stages.stages()["notebooks"].least
    assert wanted == sum(cell["cell_type"] == "code" for cell in cells) > 0


def test_the_stages_name_files_that_exist() -> None:
    for stage in stages.stages().values():
        for argument in stage.arguments:
            path = argument.removeprefix("--ignore=")
            if path.startswith("tests."):  # a plugin
                path = path.replace(".", "/") + ".py"
            if path.startswith(("tests", "notebooks")):
                assert (stages.ROOT / path).exists(), argument


@pytest.mark.parametrize("required", [True, False])
def test_the_browser_is_required_only_if_the_variable_says_so(
    required: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stages, "BROWSER_REQUIRED", required)
    assert stages.stages()["browser"].least == int(required)
