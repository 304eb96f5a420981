"""Where the lessons are: next to the package in the repository, inside it in a wheel."""

from pathlib import Path

import pytest

from posenc_lessons.course import lessons


@pytest.mark.parametrize("place", ["notebooks", "posenc_lessons/notebooks"], ids=["repository", "wheel"])
def test_lessons_are_next_to_the_package_or_inside_it(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "posenc_lessons"
    package.mkdir()
    monkeypatch.setattr(lessons, "PACKAGE", package)
    with pytest.raises(lessons.LessonsMissing, match="the lessons are not in"):
        lessons.shipped_lessons()
    (tmp_path / place).mkdir()
    (tmp_path / place / "00_start_here.ipynb").touch()
    assert lessons.shipped_lessons() == tmp_path / place
