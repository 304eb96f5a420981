"""tests/check.py: the tests that belong to a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import check

WRITTEN = {  # in tests/figures
    "gallery": "from posenc_lessons.figures import (\n    animals,\n    draw,\n)\n",
    "test_all": "from tests.figures import gallery\n",
    "test_some": "from posenc_lessons.figures.draw import draw\n",
    "test_other": "from posenc_lessons.figures import style\n# draws nothing, and no font.woff2 either\n",
}
IN_PAGE = "page/test_numpy_torch_has_all.py"
LISTED = "figures/test_gallery.py::test_every_figure_function_is_in_the_gallery"
SHARED_BY_EXPLORERS = ["page/test_host.py", IN_PAGE, "test_animations.py"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in (
        *("encodings/test_rotary.py", "encodings/test_rotary_forms.py", "encodings/test_t5.py"),
        *("experiments/test_race.py", "browser/test_words.py", "classroom/test_hub.py", "test_language.py"),
        *("test_stages.py", "test_set_up.py", "test_animations.py", "page/test_host.py"),
        *("oracles/test_config_defaults.py", "oracles/test_config_descriptions.py"),
        *("page/test_numpy_torch_has_all.py", "explorers/test_every_explorer.py", "explorers/test_race.py"),
        "javascript/test_javascript.py",
        *("exercises/test_every_exercise.py", "exercises/test_verdict.py", "figures/test_gallery.py"),
        *(f"figures/{name}.py" for name in WRITTEN),
    ):
        path = tmp_path / "tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(WRITTEN.get(path.stem, ""), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        (
            "posenc_lessons/encodings/rotary.py",
            ["encodings/test_rotary.py", "encodings/test_rotary_forms.py", IN_PAGE],
        ),
        (
            "posenc_lessons/encodings/config/census.json",
            ["oracles/test_config_defaults.py", "oracles/test_config_descriptions.py"],
        ),
        ("posenc_lessons/encodings/t5.py", ["encodings/test_t5.py", IN_PAGE]),
        ("posenc_lessons/experiments/race/results.py", ["experiments/test_race.py"]),
        (
            "posenc_lessons/encodings/doors.py",
            ["encodings/test_rotary.py", "encodings/test_rotary_forms.py", "encodings/test_t5.py", IN_PAGE],
        ),
        ("posenc_lessons/language.py", ["test_language.py"]),
        (
            "posenc_lessons/figures/draw.py",
            [LISTED, "figures/test_all.py", "figures/test_some.py", IN_PAGE],
        ),
        ("posenc_lessons/exercises/new.py", ["exercises/test_every_exercise.py"]),
        ("posenc_lessons/explorers/new.py", ["explorers/test_every_explorer.py", *SHARED_BY_EXPLORERS]),
        ("posenc_lessons/explorers/race.py", ["explorers/test_race.py", *SHARED_BY_EXPLORERS]),
        ("posenc_lessons/figures/fonts/font.woff2", ["figures/test_other.py"]),
        ("posenc_lessons/figures/fonts/another.woff2", []),
        ("posenc_lessons/browser/host.py", ["page/test_host.py"]),
        ("posenc_lessons/explorers/panel/glide.js", ["javascript/test_javascript.py"]),
        ("tests/encodings/test_t5.py", ["encodings/test_t5.py"]),
        ("tests/stages.py", ["test_stages.py"]),
        ("set_up.py", ["test_set_up.py"]),
        ("tests/browser/test_words.py", []),
        ("posenc_lessons/classroom/hub/proxy.py", []),
        ("README.md", []),
    ],
)
def test_a_change_runs_the_tests_that_mirror_it(root: Path, changed: str, tests: list[str]) -> None:
    assert check.tests_of([changed], root) == sorted(f"tests/{name}" for name in tests)


def test_shared_tests_exist() -> None:
    """The list names existing tests; a renamed test would no longer run."""
    for each in {each for shared in check.SHARED.values() for each in shared}:
        file, _, name = each.partition("::")
        assert f"def {name}(" in (check.ROOT / "tests" / file).read_text(encoding="utf-8") or not name, each


def test_new_and_changed_files_count_and_none_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "ROOT", tmp_path)
    monkeypatch.setattr(check.sys, "argv", ["check.py"])
    (tmp_path / "old.py").write_text("1\n", encoding="utf-8")
    author = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    for command in (("init", "-q", "-b", "main"), ("add", "."), (*author, "commit", "-q", "-m", "first")):
        check._git(*command)
    check.main()
    assert "nothing differs from main" in capsys.readouterr().out
    (tmp_path / "old.py").write_text("2\n", encoding="utf-8")
    (tmp_path / "new.py").touch()
    assert check.changed("main") == ["new.py", "old.py"]


def test_a_base_that_does_not_exist_is_reported() -> None:
    with pytest.raises(SystemExit, match="no-such-commit"):
        check.changed("no-such-commit")
