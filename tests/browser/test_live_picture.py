"""The panel in JupyterLab: keys and pointer reach the kernel, and the picture equals Python's still."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from posenc_lessons.explorers import SinusoidExplorer
from tests.browser.watching import SWITCH, Shown, Watch, mismatches
from tests.support.pace import wait_until


def test_the_comparison_notices_a_cursor_one_row_off() -> None:
    here, next_row = SinusoidExplorer(position=24), SinusoidExplorer(position=25)
    scene = here.present_scene()[0]
    stills = [explorer.still().pixels(2)[..., :3] for explorer in (here, next_row)]
    assert mismatches(stills[0], stills[0], scene) == {}
    assert "row" in mismatches(stills[1], stills[0], scene)


@pytest.mark.parametrize(
    ("without", "aside"), [((60, 428, 24, 18), 0), ((64, 10, 150, 28), 10), ((570, 12, 130, 24), 0)]
)
def test_the_comparison_notices_a_missing_or_moved_word(
    without: tuple[int, int, int, int], aside: int
) -> None:
    """Erase a digit or a title; if ``aside`` is not 0, write it again that many CSS pixels away."""
    explorer = SinusoidExplorer()
    still = explorer.still().pixels(2)[..., :3]
    left, top, width, height = (2 * side for side in without)
    word = still[top : top + height, left : left + width].copy()
    wrong = still.copy()
    wrong[top : top + height, left : left + width] = 255
    if aside:
        wrong[top : top + height, left + 2 * aside : left + 2 * aside + width] = word
    assert "words" in mismatches(wrong, still, explorer.present_scene()[0])


def test_an_arrow_key_moves_slider_number_words_and_picture(sinusoid: Shown) -> None:
    sinusoid.expect_picture(position=24)
    before = sinusoid.pixels()
    sinusoid.slider("position").press("ArrowRight")
    expect(sinusoid.number("position")).to_have_value("25")
    sinusoid.expect_picture(position=25)
    wait_until(lambda: (sinusoid.pixels() != before).any())  # it is painted in the next frame
    expect(sinusoid.root.get_by_text("p = 25: PE(25)·PE(25) = 32.00")).to_be_visible()
    expect(sinusoid.slider("position")).to_have_attribute("aria-valuetext", "25")
    expect(sinusoid.canvas).to_have_attribute("aria-label", re.compile("the row of position 25;"))


def test_a_slider_is_as_wide_as_its_column(sinusoid: Shown) -> None:
    box = sinusoid.slider("position").bounding_box()
    assert box is not None and box["width"] > 230


def test_a_press_and_a_drag_on_the_heatmap_move_the_cursor(sinusoid: Shown) -> None:
    sinusoid.expect_picture(position=24)
    box = sinusoid.canvas.bounding_box()
    assert box is not None
    left, top, width, height = sinusoid.twin.present_scene()[0].panels[0].box
    scale = box["width"] / sinusoid.twin.present_scene()[0].width

    def row(position: int) -> tuple[float, float]:
        y = top + (position + 0.5) / 128 * height
        return box["x"] + scale * (left + width / 3), box["y"] + scale * y

    mouse = sinusoid.root.page.mouse
    mouse.move(*row(60))
    mouse.down()
    sinusoid.expect_picture(position=60)
    mouse.move(*row(99), steps=8)
    sinusoid.expect_picture(position=99)
    mouse.move(*row(100_000), steps=3)  # off the picture, button held
    mouse.up()
    mouse.move(*row(10))  # no button: not a drag
    expect(sinusoid.number("position")).to_have_value("99")
    sinusoid.expect_picture(position=99)


@pytest.mark.parametrize(
    ("key", "sizes", "position"),
    [("End", {"length": 1024, "d_model": 512}, 1023), ("Home", {"length": 2}, 0)],
)
def test_the_largest_and_the_smallest_table_match_the_still(
    sinusoid: Shown, key: str, sizes: dict[str, int], position: int
) -> None:
    for name in sizes:
        sinusoid.slider(name).press(key)
    expect(sinusoid.slider("position")).to_have_attribute("max", str(sizes["length"] - 1))
    sinusoid.slider("position").press(key)
    for name, size in sizes.items():
        expect(sinusoid.number(name)).to_have_value(str(size))
    sinusoid.expect_picture(**sizes, position=position)


def test_a_held_key_ends_on_the_right_picture(sinusoid: Shown) -> None:
    sinusoid.slider("length").focus()
    for _ in range(60):
        sinusoid.root.page.keyboard.down("ArrowRight")
    sinusoid.root.page.keyboard.up("ArrowRight")
    expect(sinusoid.number("length")).to_have_value("188")
    sinusoid.expect_picture(length=188)


def test_every_control_reaches_the_picture_and_keeps_its_keys_from_jupyterlab(
    page: Page, shuffle: Shown
) -> None:
    cells = page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length")
    shuffle.slider("arrangement").press("ArrowLeft")
    shuffle.control("encoding").select_option(index=1)
    shuffle.control("causal").check()
    box = shuffle.control("sentence")
    box.fill("")
    box.press_sequentially("dd x a bb 狗")  # in JupyterLab's command mode each of these letters is a command
    shuffle.expect_picture(arrangement=1, encoding="sinusoidal", causal=True, sentence="dd x a bb 狗")
    assert page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length") == cells
    shuffle.button("恢复初始值 · Reset").click()
    shuffle.expect_picture()
    expect(box).to_have_value(shuffle.twin.controls["sentence"].value)


def test_changes_by_a_cell_reach_the_panel_and_a_kept_picture_stays(
    page: Page, shared: Watch, sinusoid: Shown
) -> None:
    sinusoid.button("Compare").press("Enter")
    named = sinusoid.root.locator(".present .which span")
    shared.tell("sinusoid.controls['position'].value = 25")
    expect(sinusoid.number("position")).to_have_value("25")
    page.locator(SWITCH).get_by_role("button", name="English").click()
    expect(named).to_have_text(["Kept (faint, dashed): cursor p 24", "Present picture: cursor p 25"])
    expect(sinusoid.root.get_by_role("slider", name="cursor p", exact=True)).to_be_visible()
    sinusoid.button("End comparison").press("Enter")
    expect(named.first).to_be_hidden()


def test_the_code_is_shown_over_the_notebook(sinusoid: Shown) -> None:
    sinusoid.button("Show the code").click()
    expect(sinusoid.root.locator("dialog[open] .listing")).to_have_text(
        sinusoid.twin.present_code(), use_inner_text=True
    )
    sinusoid.root.page.keyboard.press("Escape")
    expect(sinusoid.root.locator("dialog")).to_have_count(0)


def test_a_second_view_shows_the_present_state_and_works(page: Page, sinusoid: Shown) -> None:
    sinusoid.slider("position").press("ArrowRight")
    sinusoid.expect_picture(position=25)
    page.evaluate(
        """() => {
            const panel = jupyterapp.shell.currentWidget;
            panel.content.activeCellIndex = 2;
            return jupyterapp.commands.execute('notebook:create-output-view');
        }"""
    )
    view = Shown(page.locator(".jp-LinkedOutputView .posenc-explorer"), sinusoid.twin)
    view.expect_picture(position=25)
    view.slider("position").press("ArrowRight")
    view.expect_picture(position=26)
    sinusoid.expect_picture(position=26)
    page.evaluate("[...jupyterapp.shell.widgets('main')].at(-1).dispose()")
    sinusoid.slider("position").press("ArrowRight")
    sinusoid.expect_picture(position=27)  # closing one view leaves the other alive
