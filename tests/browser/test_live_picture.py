"""The live picture in JupyterLab: it follows slider and pointer, and is the still that Python draws."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from posenc_lessons.explorers import SinusoidExplorer
from tests.browser.watching import SWITCH, Shown, Watch, mismatches

# The boxes of both canvases and where the words below begin; with the mark of a lost kernel, if asked for.
BOXES = """(explorer, gone) => {
    const pictures = explorer.querySelector(".posenc-pictures");
    const marked = gone ? [pictures, ...pictures.querySelectorAll(".jupyter-widgets")] : [];
    marked.forEach((it) => it.classList.add("jupyter-widgets-disconnected"));
    const box = (it) => it.getBoundingClientRect().toJSON();
    const [present, kept] = [...pictures.querySelectorAll("canvas")].map(box);
    const words = Math.min(...[...pictures.querySelectorAll(".posenc-reading")].map((it) => box(it).top));
    marked.forEach((it) => it.classList.remove("jupyter-widgets-disconnected"));
    return [kept, present, words];
}"""
KEPT_AND_PRESENT = (".posenc-kept", ":not(.posenc-kept)")


def test_the_comparison_sees_a_cursor_one_row_off() -> None:
    here, next_row = SinusoidExplorer(position=24), SinusoidExplorer(position=25)
    scene = here.present_scene()[0]
    stills = [explorer.still().pixels(2)[..., :3] for explorer in (here, next_row)]
    assert mismatches(stills[0], stills[0], scene) == {}
    assert "row" in mismatches(stills[1], stills[0], scene)


@pytest.mark.parametrize(
    ("without", "aside"), [((60, 404, 24, 18), 0), ((64, 10, 150, 28), 10), ((570, 12, 130, 24), 0)]
)
def test_the_comparison_sees_a_word_that_is_missing_or_not_in_its_place(
    without: tuple[int, int, int, int], aside: int
) -> None:
    """A single figure on an axis, a title: whitened, and written ``aside`` CSS pixels from there if not 0."""
    explorer = SinusoidExplorer()
    still = explorer.still().pixels(2)[..., :3]
    left, top, width, height = (2 * side for side in without)
    word = still[top : top + height, left : left + width].copy()
    wrong = still.copy()
    wrong[top : top + height, left : left + width] = 255
    if aside:
        wrong[top : top + height, left + 2 * aside : left + 2 * aside + width] = word
    assert "words" in mismatches(wrong, still, explorer.present_scene()[0])


def test_an_arrow_key_moves_slider_readout_and_picture(sinusoid: Shown) -> None:
    sinusoid.expect_picture(position=24)
    before, painted = sinusoid.pixels(), sinusoid.painted()
    handle = sinusoid.slider("position")
    handle.focus()
    handle.press("ArrowRight")
    expect(handle).to_have_attribute("aria-valuenow", "25.0")
    expect(sinusoid.readout("position")).to_have_text("25")
    sinusoid.expect_picture(position=25)
    assert sinusoid.painted() > painted
    assert (sinusoid.pixels() != before).any()
    expect(sinusoid.root.get_by_text("p = 25: PE(25)·PE(25) = 32.00")).to_be_visible()


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
    expect(sinusoid.readout("position")).to_have_text("99")
    sinusoid.expect_picture(position=99)


def test_a_table_larger_than_the_screen_is_averaged_as_in_the_still(sinusoid: Shown, shared: Watch) -> None:
    shared.tell(
        "for name, value in dict(length=1024, d_model=512).items(): sinusoid.controls[name].value = value"
    )
    expect(sinusoid.readout("length")).to_have_text("1024")
    sinusoid.expect_picture(length=1024, d_model=512)
    handle = sinusoid.slider("position")
    handle.focus()
    handle.press("End")
    expect(sinusoid.readout("position")).to_have_text("1023")
    sinusoid.expect_picture(length=1024, d_model=512, position=1023)


def test_the_smallest_table_is_the_still(sinusoid: Shown) -> None:
    for name in ("length", "d_model"):
        handle = sinusoid.slider(name)
        handle.focus()
        handle.press("Home")
        expect(sinusoid.readout(name)).to_have_text("2")
    sinusoid.expect_picture(length=2, d_model=2, position=1)


def test_a_held_key_ends_on_the_right_picture(sinusoid: Shown) -> None:
    handle = sinusoid.slider("length")
    handle.focus()
    for _ in range(60):
        handle.page.keyboard.down("ArrowRight")
    handle.page.keyboard.up("ArrowRight")
    expect(handle).to_have_attribute("aria-valuenow", "188.0")
    sinusoid.expect_picture(length=188)


def test_every_control_of_the_shuffle_explorer_reaches_the_picture(shuffle: Shown) -> None:
    shuffle.expect_picture()
    handle = shuffle.slider("arrangement")
    handle.focus()
    handle.press("ArrowLeft")
    shuffle.expect_picture(arrangement=1)
    shuffle.control("encoding").select_option(index=1)
    shuffle.expect_picture(arrangement=1, encoding="sinusoidal")
    shuffle.control("causal").check()
    shuffle.expect_picture(arrangement=1, encoding="sinusoidal", causal=True)
    shuffle.control("sentence").fill("猫追狗 🐈 a b")
    shuffle.expect_picture(arrangement=1, encoding="sinusoidal", causal=True, sentence="猫追狗 🐈 a b")
    shuffle.button("Reset").click()
    shuffle.expect_picture()
    expect(shuffle.control("sentence")).to_have_value(shuffle.twin.controls["sentence"].value)


def test_a_screen_reader_hears_name_and_value_of_sliders_and_the_picture_in_words(sinusoid: Shown) -> None:
    handle = sinusoid.slider("base")
    expect(handle).to_have_attribute("aria-valuetext", "10,000.0")  # the base, not its exponent
    handle.focus()
    handle.press("ArrowRight")
    expect(handle).to_have_attribute("aria-valuetext", re.compile("^11,220"))
    sinusoid.expect_picture(base=10**4.05)
    expect(sinusoid.canvas).to_have_attribute("role", "img")
    expect(sinusoid.canvas).to_have_attribute("aria-label", re.compile("the row of position 24;"))
    sinusoid.slider("position").focus()
    sinusoid.slider("position").press("ArrowRight")
    expect(sinusoid.slider("position")).to_have_attribute("aria-valuetext", "25")
    expect(sinusoid.canvas).to_have_attribute("aria-label", re.compile("the row of position 25;"))


def test_a_kept_picture_stands_beside_the_present_one_and_speaks_the_readers_language(
    page: Page, sinusoid: Shown
) -> None:
    """The reader keeps it, moves a slider, changes language, moves back and puts it away, by keyboard."""
    kept, present = (sinusoid.root.locator(f".posenc-pictures > {which}") for which in KEPT_AND_PRESENT)
    toggle, handle = sinusoid.button("Compare"), sinusoid.slider("position")
    toggle.press("Space")
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect_alike(page, kept, present, True)
    for gone in (False, True):  # ipywidgets marks what has lost its kernel; the pictures keep their places
        left, right, words = sinusoid.root.evaluate(BOXES, gone)
        assert left["top"] == right["top"] and left["right"] <= right["left"] and words >= left["bottom"]
    handle.press("ArrowRight")
    expect(kept).to_contain_text("光标 p：24")
    expect(present).to_contain_text("光标 p：25")
    expect_alike(page, kept, present, False)
    page.locator(SWITCH).get_by_role("button", name="English").click()
    named = re.compile(r"^Kept picture \(cursor p: 24\): .*the row of position 24;")
    expect(kept.get_by_role("img", name=named)).to_be_visible()
    expect(kept.get_by_text("p = 24: PE(24)·PE(24)")).to_be_visible()
    sinusoid.button("Reset").press("Enter")
    expect(kept).to_contain_text("change a setting to compare")
    expect_alike(page, kept, present, True)
    toggle.press("Space")
    expect(kept).to_have_count(0)
    expect(toggle).to_be_focused()


def expect_alike(page: Page, first: Locator, second: Locator, alike: bool) -> None:
    """Wait until the canvases in both hold the same pixels, or until they do not."""
    page.wait_for_function(
        """([first, second, alike]) => {
            const canvases = [first, second].map((it) => it.querySelector("canvas[data-painted]"));
            const [one, other] = canvases.map((canvas) => canvas?.toDataURL());
            return one && other && (one === other) === alike;
        }""",
        arg=[first.element_handle(), second.element_handle(), alike],
    )


def test_a_second_view_shows_the_present_state_and_lives(page: Page, sinusoid: Shown) -> None:
    sinusoid.slider("position").focus()
    sinusoid.slider("position").press("ArrowRight")
    sinusoid.expect_picture(position=25)
    page.evaluate(
        """() => {
            const panel = jupyterapp.shell.currentWidget;
            const cell = panel.content.widgets[2];
            panel.content.activeCellIndex = 2;
            return jupyterapp.commands.execute('notebook:create-output-view');
        }"""
    )
    view = Shown(page.locator(".jp-LinkedOutputView .posenc-explorer"), sinusoid.twin)
    view.expect_picture(position=25)
    view.slider("position").focus()
    view.slider("position").press("ArrowRight")
    view.expect_picture(position=26)
    sinusoid.expect_picture(position=26)
    page.evaluate("[...jupyterapp.shell.widgets('main')].at(-1).dispose()")
    sinusoid.slider("position").focus()
    sinusoid.slider("position").press("ArrowRight")
    sinusoid.expect_picture(position=27)  # closing one view leaves the other alive
