"""The race in JupyterLab: its buttons start and stop it, and it shows results as they arrive."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.watching import Watch, choose
from tests.support.pages import Lab, run_all, write_notebook

SWITCH = """\
from posenc_lessons.course.switch import language_switch

language_switch()"""
RACE = """\
from posenc_lessons.explorers import RaceExplorer

RaceExplorer(
    tasks=("copy_back", "count_since_reset"), encodings=("none", "rotary", "sinusoidal"), n_seeds=5, jobs=1,
    train_length=16, stretch=2, steps=100,
)"""  # thirty models: the test stops the race after the first ones


def test_a_race_runs_without_blocking_and_stops(
    lab: Lab, lab_folder: Path, watch: Callable[[], Watch]
) -> None:
    folder = lab_folder / "race"  # a separate folder: it shows the files of a race
    folder.mkdir()
    write_notebook(folder / "race.ipynb", [SWITCH, RACE])
    page = watch().page
    lab.open(page, "race/race.ipynb")
    assert run_all(page)
    choose(page, "en")
    race = page.locator(".posenc-explorer")
    start, stop = (race.get_by_role("button", name=name) for name in ("Start", "Stop"))
    expect(page.get_by_text("Recorded race: ")).to_be_visible()
    expect(stop).to_be_disabled()
    start.click()
    expect(stop).to_be_enabled()
    expect(start).to_be_disabled()
    expect(page.get_by_text(re.compile(r"race.json: \d+ models trained"))).to_be_visible()
    # The kernel answers during the race.
    page.get_by_label("highlight").select_option("none")
    expect(page.get_by_text("none: 0.")).to_be_visible()
    expect(stop).to_be_enabled()
    stop.click()
    expect(start).to_be_enabled()
    expect(page.locator("canvas[data-painted]")).to_be_visible()
    # The quick race shows models as they learn.
    race.get_by_role("button", name="Quick race").click()
    expect(stop).to_be_enabled()
    expect(page.get_by_text(re.compile("Quick race after [0-9]+ steps.*RoPE"))).to_be_visible()
    stop.click(force=True)  # it may have ended by now
    expect(start).to_be_enabled()
    expect(page.get_by_text("Just trained: ")).to_be_visible()
    expect(page.locator("canvas[data-painted]")).to_be_visible()
    own = {".ipynb_checkpoints"}  # JupyterLab's own, after an automatic save
    assert {each.name for each in folder.iterdir()} - own == {"race.ipynb"}
