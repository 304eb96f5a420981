"""Changes that a reader sees: named settings, tabs and Reset glide; a kept state is shown for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from posenc_lessons import language
from posenc_lessons.explorers import (
    DistanceExplorer,
    RaceExplorer,
    RotationExplorer,
    ShuffleExplorer,
    SinusoidExplorer,
)
from posenc_lessons.explorers.base import Explorer
from tests.browser.watching import canvas_pixels
from tests.support.site import SETTLED, Visit

# Each frame is this many milliseconds after the one before, at any real rate, and a small copy of its picture
# is recorded. With 0 milliseconds, time stands still.
FRAMES = """(step) => {
    let now = 0;
    window.seen = [];
    window.said = [];
    window.ownFrames ??= window.requestAnimationFrame;
    const panel = [...document.querySelectorAll(".panel")].find((it) => !it.hidden);
    const canvas = panel.querySelector(".present canvas");
    const small = Object.assign(document.createElement("canvas"), { width: 400, height: 200 });
    const picture = () => {
        small.getContext("2d").drawImage(canvas, 0, 0, 400, 200);
        return small.toDataURL();
    };
    window.requestAnimationFrame = (draw) => ownFrames(() => {
        draw((now += step));
        if (!step) return;
        const numbers = [...panel.querySelectorAll("input[type=number]")].map((it) => it.value).join();
        seen.push({ numbers, picture: picture(), gliding: "gliding" in panel.dataset });
    });
    const name = ({ target, attributeName }) => attributeName ?? target.className;
    window.watcher = new MutationObserver((records) => said.push(...records.map(name)));
    watcher.observe(canvas, { attributeFilter: ["aria-label"] });
    watcher.observe(panel.querySelector(".present .reading"), { childList: true });
    watcher.observe(panel.querySelector(".tip"), { childList: true });
}"""
OWN_FRAMES = "() => { window.requestAnimationFrame = ownFrames; watcher.disconnect(); }"


@pytest.fixture(scope="module")
def shared(browser: Browser, page_url: str) -> Iterator[Visit]:
    """Open one page with Python for all tests, because this takes seconds."""
    visit = Visit(browser, page_url).open("lang=en&mode=light")
    yield visit
    visit.close()


@pytest.fixture
def visit(shared: Visit) -> Iterator[Visit]:
    """Return the shared page; afterwards restore the browser's own frames and end a comparison."""
    language.choose("en")
    yield shared
    shared.page.evaluate("() => window.ownFrames && (window.requestAnimationFrame = ownFrames)")
    shared.page.emulate_media(reduced_motion="no-preference")
    shared.settle()
    for button in shared.page.get_by_role("button", name="End comparison").filter(visible=True).all():
        button.click()
    language.choose("both")


def open_at_start(visit: Visit, make: type[Explorer]) -> None:
    visit.page.emulate_media(reduced_motion="no-preference")
    visit.show(make.name)
    visit.button("Reset").click()
    visit.settle()


def press_try(visit: Visit, number: int) -> None:
    visit.panel.locator(".tries button").nth(number).click()


def watched(visit: Visit, deed: Any, step: int = 20) -> list[dict[str, Any]]:
    """Return what each frame showed after ``deed``."""
    visit.page.evaluate(FRAMES, step)
    deed()
    visit.settle()
    seen: list[dict[str, Any]] = visit.page.evaluate("seen")
    visit.page.evaluate(OWN_FRAMES)
    return seen


# ---- Glides ----


@pytest.mark.parametrize(
    ("make", "number"), [(RotationExplorer, 2), (SinusoidExplorer, 3), (DistanceExplorer, 1)]
)
def test_a_named_setting_glides_to_the_same_end_as_without_motion(
    visit: Visit, make: type[Explorer], number: int
) -> None:
    open_at_start(visit, make)
    before = canvas_pixels(visit.canvas)
    seen = watched(visit, lambda: press_try(visit, number))
    gliding = [each for each in seen if each["gliding"]]
    assert 12 <= len({each["picture"] for each in gliding}) <= 16, "300 ms in steps of 20"
    assert len({each["numbers"] for each in gliding}) > 5
    said: list[str] = visit.page.evaluate("said")
    assert sorted(said) == sorted(set(said)), "what is said aloud changes once"
    end, reading = canvas_pixels(visit.canvas), visit.reading.inner_text()
    values = [box.input_value() for box in visit.panel.get_by_role("slider").all()]
    assert (end != before).any()

    open_at_start(visit, make)
    np.testing.assert_array_equal(canvas_pixels(visit.canvas), before)
    visit.page.emulate_media(reduced_motion="reduce")
    seen = watched(visit, lambda: press_try(visit, number))
    assert not any(each["gliding"] for each in seen)
    assert len({each["picture"] for each in seen}) <= 2 and len({each["numbers"] for each in seen}) <= 2
    np.testing.assert_array_equal(canvas_pixels(visit.canvas), end)
    assert visit.reading.inner_text() == reading
    assert [box.input_value() for box in visit.panel.get_by_role("slider").all()] == values


def test_reset_glides_back(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    press_try(visit, 3)
    visit.settle()
    seen = watched(visit, visit.button("Reset").click)
    assert len({each["picture"] for each in seen if each["gliding"]}) > 8
    expect(visit.number("base")).to_have_value("10000")
    visit.expect_same_as(RotationExplorer, picture=True)


def test_pictures_with_other_panels_fade_into_each_other(visit: Visit) -> None:
    open_at_start(visit, DistanceExplorer)
    visit.page.evaluate(FRAMES, 0)  # time stands still
    press_try(visit, 0)
    veil = visit.panel.locator(".present .before")
    expect(veil).to_have_css("opacity", "1")
    visit.page.evaluate(OWN_FRAMES)
    visit.button("Reset").click()  # the reader's next action does not wait
    expect(veil).to_have_count(0)
    visit.settle()
    visit.expect_same_as(DistanceExplorer, picture=True)


def test_a_readers_next_action_ends_a_glide_at_once(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    visit.page.evaluate(FRAMES, 0)
    press_try(visit, 3)
    gliding = visit.page.locator("#panel-rotation[data-gliding]")
    gliding.wait_for()
    expect(visit.number("base")).to_have_value("10000")
    visit.slider("pair shown").press("ArrowRight")
    expect(gliding).to_have_count(0)
    expect(visit.number("base")).to_have_value("1000000")
    expect(visit.number("pair shown")).to_have_value("4")
    visit.page.evaluate(OWN_FRAMES)
    visit.expect_same_as(RotationExplorer, picture=True)


def test_a_slider_does_not_glide(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    seen = watched(visit, lambda: visit.slider("query at m").press("End"))
    assert not any(each["gliding"] for each in seen)
    assert len({each["picture"] for each in seen}) <= 2


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_tab_fades_in_over_the_one_before(visit: Visit, motion: Any) -> None:
    open_at_start(visit, SinusoidExplorer)
    open_at_start(visit, RotationExplorer)
    visit.page.emulate_media(reduced_motion=motion)
    visit.page.evaluate(FRAMES, 0)
    visit.page.locator("#tab-sinusoid").click()
    veil = visit.panel.locator(".present .before")
    settings = visit.panel.locator(".side > .settings")
    expect(veil).to_have_count(1 if motion == "no-preference" else 0)
    expect(settings).to_have_css("opacity", "0" if motion == "no-preference" else "1")
    visit.page.evaluate(OWN_FRAMES)
    visit.slider("cursor p").press("ArrowRight")
    expect(veil).to_have_count(0)
    expect(settings).to_have_css("opacity", "1")
    visit.expect_same_as(SinusoidExplorer)


# ---- Compares ----

CHANGES = {
    RotationExplorer: ("query at m", "Kept (faint, dashed): query at m 5", "Present picture: query at m 200"),
    SinusoidExplorer: (
        "cursor p",
        "Kept (faint, dashed): cursor p 24, k further 8",
        "Present picture: cursor p 127, k further 0",
    ),
    DistanceExplorer: ("keys", "Kept (faint, dashed): keys 8", "Present picture: keys 64"),
}


@pytest.mark.parametrize("make", CHANGES)
def test_a_kept_state_is_drawn_faint_and_saved(visit: Visit, make: type[Explorer]) -> None:
    open_at_start(visit, make)
    label, kept, present = CHANGES[make]
    visit.slider(label).press("End")
    visit.settle()
    alone = canvas_pixels(visit.canvas)
    link = visit.link()
    visit.button("Reset").click()
    visit.settle()
    visit.button("Compare").click()
    visit.slider(label).press("End")
    visit.settle()
    expect(visit.panel.locator(".present .which span")).to_have_text([kept, present])
    expect(visit.panel.locator(".kept")).to_have_count(0)
    assert visit.link() == link, "what is compared is not in the link"
    with visit.page.expect_download() as coming:
        visit.button("Save SVG").click()
    svg = coming.value.path().read_text(encoding="utf-8")
    assert ">kept</text>" in svg and "stroke-dasharray" in svg
    compared = canvas_pixels(visit.canvas)
    assert compared.shape != alone.shape or (compared != alone).any()
    visit.button("End comparison").click()
    visit.settle()
    np.testing.assert_array_equal(canvas_pixels(visit.canvas), alone)
    with visit.page.expect_download() as coming:
        visit.button("Save SVG").click()
    assert ">kept</text>" not in coming.value.path().read_text(encoding="utf-8")


def test_the_sentence_of_the_kept_state_is_shown(visit: Visit) -> None:
    open_at_start(visit, DistanceExplorer)
    box = visit.panel.get_by_label("your sentence", exact=True)
    box.fill("dog bites man")
    visit.settle()
    visit.button("Compare").click()
    box.fill("one two three four five six seven eight nine ten eleven")
    visit.settle()
    kept, present = visit.panel.locator(".present .which span").all()
    expect(kept).to_have_text("Kept (faint, dashed): your sentence “dog bites man”, queries 3, keys 3")
    expect(present).to_contain_text("your sentence “one two three four five six seven eight…”")
    visit.button("Reset").click()
    visit.settle()
    expect(present).to_contain_text("your sentence –")


def test_a_kept_race_of_another_task_is_drawn_in_the_same_axes(visit: Visit) -> None:
    open_at_start(visit, RaceExplorer)
    visit.button("Compare").click()
    press_try(visit, 1)
    visit.settle()
    kept = visit.panel.locator(".present .which span").first
    expect(kept).to_have_text("Kept (faint, dashed): highlight all")
    visit.panel.get_by_label("task shown", exact=True).select_option(index=3)
    visit.settle()
    expect(kept).to_contain_text("task shown copy 3 back")


def test_other_kept_pictures_are_shown_below_at_the_same_size(visit: Visit) -> None:
    open_at_start(visit, ShuffleExplorer)
    said = visit.reading.inner_text()
    visit.button("Compare").click()
    kept = visit.panel.locator(".kept canvas[data-painted]")
    kept.wait_for()
    described = visit.canvas.get_attribute("aria-label") or ""
    visit.slider("arrangement").press("End")
    visit.panel.get_by_label("encoding", exact=True).select_option("sinusoidal")
    visit.settle()
    expect(kept).to_have_attribute("aria-label", described)
    assert visit.canvas.get_attribute("aria-label") != described
    expect(visit.panel.locator(".kept .reading")).to_have_text(said)
    assert visit.reading.inner_text() != said
    above, below = visit.canvas.bounding_box(), kept.bounding_box()
    assert above is not None and below is not None
    assert above["y"] + above["height"] <= below["y"]
    assert [above["width"], above["height"]] == [below["width"], below["height"]]
    expect(visit.panel.locator(".kept .which")).to_be_in_viewport()  # so a reader knows that it is there
    visit.panel.locator(".pictures").press("End")
    expect(visit.panel.locator(".kept .reading")).to_be_in_viewport()
    visit.button("End comparison").click()
    expect(kept).to_have_count(0)
    assert visit.page.locator(SETTLED).count() == 1
