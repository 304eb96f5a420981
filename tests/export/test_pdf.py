"""PDF by an installed browser, and a clear message without one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from posenc_lessons.course.lessons import shipped_lessons
from posenc_lessons.export import exporting, pdf
from tests.support.exported import with_still


def no_browser() -> bool:
    """Return whether this machine has no browser that prints."""
    try:
        pdf.find_browser()
    except pdf.NoBrowser:
        return True
    return False


def test_without_a_browser_it_says_so_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POSENC_CHROMIUM", raising=False)
    monkeypatch.setattr(pdf.shutil, "which", lambda command: None)
    monkeypatch.setattr(pdf, "PATHS", ())
    options = exporting.Options("en", "pdf", ("02_sinusoidal",), tmp_path / "out")
    with pytest.raises(pdf.NoBrowser, match=r"takes Chromium, Chrome or Edge[\s\S]*没有找到"):
        exporting.export(options, shipped_lessons(), lambda text: pytest.fail("nothing is run"))
    assert list(tmp_path.iterdir()) == []


def test_a_named_browser_that_does_not_exist_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSENC_CHROMIUM", "/nowhere/chromium")
    with pytest.raises(pdf.NoBrowser, match="/nowhere/chromium"):
        pdf.find_browser()


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
def test_a_browser_that_prints_nothing_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho it broke >&2\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setenv("POSENC_CHROMIUM", str(broken))
    with pytest.raises(pdf.NoBrowser, match=r"it broke[\s\S]*没有生成"):
        pdf.print_page("<p>x</p>")


@pytest.mark.skipif(no_browser() or sys.platform == "win32", reason="no Chromium here")
def test_a_lesson_on_paper() -> None:
    ((name, content),) = pdf.pdfs({"play.ipynb": with_still()}, "zh").items()
    assert name == "play.pdf"
    assert content.startswith(b"%PDF-") and len(content) > 5_000
