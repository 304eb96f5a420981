"""The explorers' page without a kernel, in a real browser: a reader's actions and their results."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from posenc_lessons import language
from posenc_lessons.explorers import (
    EXPLORERS,
    DistanceExplorer,
    GateExplorer,
    RaceExplorer,
    RotationExplorer,
    ShuffleExplorer,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.theme import DARK
from posenc_lessons.language import Language
from tests.browser.watching import canvas_pixels
from tests.support.hostile import AS_CHARACTERS, AS_MARKUP, MARK
from tests.support.site import SETTLED, Visit, place


@pytest.fixture(scope="module")
def shared(browser: Browser, page_url: str) -> Iterator[Visit]:
    """Open one page with Python for all tests, because this takes seconds."""
    visit = Visit(browser, page_url, permissions=["clipboard-read", "clipboard-write"]).open()
    yield visit
    visit.close()


@pytest.fixture
def visit(shared: Visit) -> Iterator[Visit]:
    """Return the shared page in English and light, with every open explorer reset."""
    with_language("en")
    yield shared
    shared.settle()
    shared.page.keyboard.press("Escape")  # a dialog
    shared.page.locator("#languages button[value=en]").click()
    shared.button("Reset").click()
    shared.page.locator("#modes button[value=light]").click()
    shared.settle()
    with_language("both")


def with_language(spoken: Language) -> None:
    language.choose(spoken)


def open_at_start(visit: Visit, make: type[Explorer]) -> None:
    visit.show(make.name)
    visit.button("Reset").click()
    visit.settle()


# ---- First the still, then live ----


@pytest.mark.parametrize("place", ["http", "file"])
def test_the_still_is_shown_at_once_and_going_live_changes_nothing(
    browser: Browser, page_url: str, page_folder: Path, place: str
) -> None:
    with_language("en")
    opened = Visit(browser, page_url if place == "http" else (page_folder / "index.html").as_uri())
    opened.open("explorer=rotation", live=False)
    assert opened.page.locator(SETTLED).count() == 0, "the still comes before Python"
    opened.slider("query at m").press("ArrowRight")  # changes made meanwhile are kept
    opened.slider("query at m").press("ArrowLeft")
    twin = RotationExplorer()
    opened.expect_picture_of(twin)
    still = canvas_pixels(opened.canvas)
    opened.panel.locator(".tries button").nth(2).click()
    opened.slider("key at n").press("End")  # after the try, and so is its answer
    opened.let_python_come()
    tried = RotationExplorer.tries[2]
    assert opened.settings() == {"n": "400", "pair": "15"}
    expect(opened.panel.locator(".tip")).to_have_text(tried.look_for.en)
    opened.button("Reset").click()
    opened.settle()
    opened.expect_words_of(twin)
    live = canvas_pixels(opened.canvas).astype(int)
    np.testing.assert_allclose(live, still, atol=2)  # a curve's last digits are NumPy's now, not PyTorch's
    twin.close()
    opened.close()
    with_language("both")


def test_without_webassembly_the_stills_stay_and_the_page_says_so(browser: Browser, page_url: str) -> None:
    opened = Visit(browser, page_url)
    opened.context.add_init_script("delete globalThis.WebAssembly")
    opened.page.goto(page_url)
    opened.canvas.wait_for()
    expect(opened.page.locator("#state")).to_contain_text("WebAssembly")
    opened.page.locator("#tab-gate").click()
    opened.page.locator("#panel-gate canvas[data-painted]").wait_for()
    opened.close()


def test_the_page_works_with_a_server_that_does_not_know_webassembly(browser: Browser, page_url: str) -> None:
    opened = Visit(browser, page_url)
    opened.page.route(
        "**/*.wasm", lambda route: route.fulfill(content_type="application/octet-stream", body="")
    )
    opened.open()
    assert not opened.errors
    opened.close()


def test_each_file_is_requested_once_and_progress_is_shown_in_percent(
    browser: Browser, page_url: str
) -> None:
    opened = Visit(browser, page_url)
    asked: list[str] = []
    opened.page.on("request", lambda request: asked.append(request.url))
    opened.page.add_init_script(
        """new MutationObserver(() => {
            const tip = document.querySelector(".tip")?.textContent;
            if (tip && tip !== (window.tips ??= []).at(-1)) window.tips.push(tip);
        }).observe(document, { subtree: true, childList: true, characterData: true });"""
    )
    opened.open("explorer=rotation&lang=en")
    assert len(asked) == len(set(asked)), sorted(url for url in asked if asked.count(url) > 1)
    said = "".join(opened.page.evaluate("tips"))
    percents = [int(number) for number in re.findall(r"Getting ready \((\d+)%\)", said)]
    assert len(percents) > 4 and percents == sorted(percents)
    opened.close()


def test_an_explorer_requests_only_the_data_that_it_reads(browser: Browser, page_url: str) -> None:
    opened = Visit(browser, page_url)
    asked: list[str] = []
    opened.page.on("request", lambda request: asked.append(request.url))
    opened.open("explorer=rotation&lang=en")
    assert not [url for url in asked if "/data_" in url]
    opened.show("gate")
    assert len([url for url in asked if "/data_" in url]) == 1
    opened.close()


# ---- Controls ----


# Counts the calls of Python.
COUNTED = """() => {
    window.asked = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        if (message.call) window.asked.push([message.call, message.args]);
        return post.call(this, message, ...rest);
    };
}"""
BURST = """slider => {
    for (let value = 10; value < 70; value++) {
        slider.value = value;
        slider.dispatchEvent(new Event("input"));
    }
}"""


def test_of_many_quick_values_only_the_first_and_the_newest_are_asked_for(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    visit.page.evaluate(COUNTED)
    visit.slider("query at m").evaluate(BURST)
    visit.settle()
    assert visit.page.evaluate("asked") == [["set", ["m", 10]], ["set", ["m", 69]]]
    visit.expect_same_as(RotationExplorer)


def test_a_value_set_right_after_a_try_is_applied_after_it(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    slider = visit.slider("key at n").element_handle()
    both_before_any_answer = """(button, slider) => {
        button.click();
        slider.value = slider.max;
        slider.dispatchEvent(new Event("input"));
    }"""
    visit.panel.locator(".tries button").nth(2).evaluate(both_before_any_answer, slider)
    visit.settle()
    assert visit.settings() == {"n": "400", "pair": "15"}


@pytest.mark.parametrize("make", EXPLORERS)
def test_every_control_works_by_keys_and_pointer_and_the_picture_is_pythons(
    visit: Visit, make: type[Explorer]
) -> None:
    open_at_start(visit, make)
    for summary in visit.panel.locator("details:not([open]) > summary").filter(visible=True).all():
        summary.press("Enter")
    for control in visit.panel.locator(".control:visible").all():
        handle = control.locator("input:enabled, select:enabled").last
        if handle.count() == 0:
            continue
        before = visit.settings()
        kind = handle.evaluate("it => it.type")
        if kind == "range":
            by_key = []
            for key in ("Home", "ArrowRight"):
                handle.press(key)
                visit.settle()
                by_key.append(visit.settings())
            box = handle.bounding_box()
            assert box is not None and box["height"] >= 24
            visit.page.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2)
            visit.settle()
            assert any(each != before for each in (*by_key, visit.settings()))
        else:
            handle.press({"checkbox": "Space", "select-one": "ArrowDown"}.get(kind, "a"))
            visit.settle()
            assert visit.settings() != before
            if visit.alert.inner_text():  # a letter where numbers are expected
                handle.press("Backspace")
                visit.settle()
                assert visit.settings() == before
    visit.expect_same_as(make, picture=True)


def test_a_number_can_be_typed_beside_its_slider(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    visit.number("query at m").fill("17")
    visit.settle()
    assert visit.settings() == {"m": "17"}
    expect(visit.slider("query at m")).to_have_value("17")
    visit.number("query at m").fill("9999")
    visit.number("query at m").press("Tab")
    visit.settle()
    expect(visit.number("query at m")).to_have_value("200")
    visit.number("base").fill("500000")
    visit.settle()
    expect(visit.slider("base")).to_have_attribute("aria-valuetext", re.compile("500,000"))
    visit.expect_same_as(RotationExplorer)


def test_a_disabled_slider_follows_the_other_one(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    visit.panel.get_by_label("move together").check()
    visit.settle()
    expect(visit.slider("key at n")).to_be_disabled()
    visit.slider("query at m").press("ArrowRight")
    visit.settle()
    expect(visit.number("key at n")).to_have_value("10")


@pytest.mark.parametrize("name", [*AS_MARKUP, *AS_CHARACTERS])
def test_hostile_text_stays_text(visit: Visit, name: str) -> None:
    open_at_start(visit, GateExplorer)
    hostile = (AS_MARKUP | AS_CHARACTERS)[name].encode(errors="replace").decode().replace("\x00", "")
    visit.panel.get_by_label("text", exact=True).fill(hostile)
    visit.settle()
    assert visit.page.evaluate(f"globalThis.{MARK} ?? document.getElementById('{MARK}')") is None
    visit.button("Show the code").click()
    expect(visit.page.locator("dialog[open] .listing")).to_contain_text("draw(gate_scene")
    assert visit.page.evaluate(f"globalThis.{MARK} ?? document.getElementById('{MARK}')") is None


def test_a_complaint_is_an_alert_and_goes_when_its_cause_does(visit: Visit) -> None:
    open_at_start(visit, GateExplorer)
    text = visit.panel.get_by_label("text", exact=True)
    text.fill("")
    expect(visit.alert).to_have_text("The text is empty: type at least one word.")
    text.fill("one word. Two words")
    expect(visit.alert).to_be_empty()
    visit.settle()
    visit.expect_same_as(GateExplorer)


# ---- Language, theme, links ----


def test_the_language_changes_everything_at_once(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    visit.page.locator("#languages button[value=zh]").click()
    visit.settle()
    with_language("zh")
    assert visit.page.title() == "位置编码交互图"
    assert visit.link()["lang"] == "zh"
    expect(visit.slider("查询位置 m")).to_be_visible()
    visit.expect_same_as(RotationExplorer, picture=True)
    shown = visit.page.evaluate(
        "() => [...document.querySelectorAll('button, .name, .tip, .heading')]"
        ".filter(it => it.checkVisibility()).map(it => it.innerText)"
    )
    assert [words for words in shown if re.search(r"[a-z]{4,}", words)] == ["English", "底数 base"]
    visit.page.locator("#languages button[value=both]").click()
    visit.settle()
    expect(visit.slider("查询位置 m · query at m")).to_be_visible()


def test_the_dark_theme_changes_page_and_picture(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    visit.page.locator("#modes button[value=dark]").click()
    visit.settle()
    twin = RotationExplorer(theme=DARK)
    visit.expect_picture_of(twin)
    twin.close()
    paper = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb({}, {}, {})".format(*bytes.fromhex(DARK.paper[1:]))
    assert visit.link()["mode"] == "dark"


def test_a_link_restores_everything_and_invalid_parts_are_named(browser: Browser, page_url: str) -> None:
    with_language("en")
    opened = Visit(browser, page_url, color_scheme="dark", permissions=["clipboard-read", "clipboard-write"])
    opened.open(
        "token=secret&explorer=gate&query=9&key=3&rule=words&width=99999&nonsense=1&lang=en&mode=dark"
    )
    expect(opened.alert).to_contain_text("nonsense=1")
    assert opened.settings() == {"query": "9", "key": "3", "rule": "words", "width": "24"}
    opened.expect_same_as(GateExplorer)
    opened.button("Copy link").click()
    expect(opened.panel.locator(".toast.shown")).to_contain_text("The link is copied")
    copied = opened.page.evaluate("navigator.clipboard.readText()")
    assert copied == opened.page.url and "secret" not in copied
    opened.open("explorer=gate&text=&query=2&lang=en&mode=light")  # the value is too large for a picture
    expect(opened.alert).to_have_text("The text is empty: type at least one word.")
    opened.panel.get_by_label("text", exact=True).fill("one word. Two words")
    expect(opened.alert).to_be_empty()
    opened.settle()
    opened.expect_same_as(GateExplorer)
    opened.close()
    with_language("both")


@pytest.mark.parametrize(
    ("locale", "kept", "spoken"), [("zh-CN", None, "zh"), ("de-DE", None, "en"), ("en-GB", "both", "both")]
)
def test_without_a_link_the_language_is_the_last_one_or_the_browsers(
    browser: Browser, page_url: str, locale: str, kept: str | None, spoken: str
) -> None:
    opened = Visit(browser, page_url, locale=locale, color_scheme="dark").open(live=False)
    if kept is not None:
        opened.page.locator(f"#languages button[value={kept}]").click()
        opened.page.reload()
        opened.canvas.wait_for()
    root = opened.page.locator("html")
    expect(root).to_have_attribute("data-language", spoken)
    expect(root).to_have_attribute("data-mode", "dark")
    opened.close()


# ---- Other buttons ----


@pytest.mark.parametrize("make", EXPLORERS)
def test_tries_can_be_followed_in_order(visit: Visit, make: type[Explorer]) -> None:
    open_at_start(visit, make)
    twin = make()
    tries = visit.panel.get_by_role("group", name="Try this").get_by_role("button")
    expect(tries).to_have_count(len(make.tries))
    for number, tried in enumerate(make.tries):
        visit.panel.locator(".next").click()
        visit.settle()
        expect(tries.nth(number)).to_have_attribute("aria-pressed", "true")
        expect(visit.panel.locator(".tip")).to_have_text(tried.look_for.en)
        twin.restore({**twin.initial, **tried.settings()})
        visit.expect_words_of(twin)
    expect(visit.panel.locator(".next")).to_be_disabled()
    twin.close()


def test_the_code_is_shown_copied_and_closed(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    visit.button("Show the code").press("Enter")
    twin = RotationExplorer()
    expect(visit.page.locator("dialog[open] .listing")).to_have_text(twin.present_code(), use_inner_text=True)
    expect(visit.page.locator(".listing")).to_have_css("font-family", re.compile("monospace"))
    visit.button("Copy").click()
    expect(visit.panel.locator(".toast")).to_have_text("Copied.")
    assert visit.page.evaluate("navigator.clipboard.readText()") == twin.present_code()
    visit.page.keyboard.press("Escape")
    expect(visit.button("Show the code")).to_be_focused()
    twin.close()


def test_pictures_are_saved_as_png_and_svg(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    for kind, begins in (("png", b"\x89PNG"), ("svg", b"<svg")):
        with visit.page.expect_download() as coming:
            visit.button(f"Save {kind.upper()}").click()
        path = coming.value.path()
        assert coming.value.suggested_filename == f"rotation.{kind}"
        content = path.read_bytes()
        assert content.startswith(begins) and len(content) > 5000
    assert "The plane of this pair" in content.decode()


# Each frame is a tenth of a step after the one before, on any machine.
EVEN_FRAMES = """() => {
    let now = 0;
    window.ownFrames = window.requestAnimationFrame;
    window.requestAnimationFrame = (draw) => ownFrames(() => draw((now += 32)));
}"""
PICTURES_A_STEP = """(panel) => new Promise((done) => {
    const look = () => [".plays .number[type=number]", ".present canvas"]
        .map((it) => panel.querySelector(it)).map((it) => +(it.value ?? it.dataset.painted));
    const [start, before] = look();
    const wait = () => {
        const [now, painted] = look();
        now < start + 4 ? setTimeout(wait, 10) : done((painted - before) / (now - start));
    };
    wait();
})"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_playing_moves_the_slider_until_it_is_stopped(visit: Visit, motion: str) -> None:
    open_at_start(visit, RotationExplorer)
    visit.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    visit.page.evaluate(EVEN_FRAMES)
    visit.button("Play: query at m").press("Enter")
    pictures = visit.panel.evaluate(PICTURES_A_STEP)
    assert pictures > 3 if motion == "no-preference" else pictures <= 3
    visit.page.evaluate("() => { window.requestAnimationFrame = ownFrames; }")
    visit.button("Pause: query at m").press("Enter")
    visit.panel.and_(visit.page.locator(":not([data-moving])")).wait_for()  # the requested position is shown
    visit.page.emulate_media(reduced_motion="no-preference")
    visit.expect_same_as(RotationExplorer)


def test_hovering_previews_and_a_press_chooses(visit: Visit) -> None:
    open_at_start(visit, RaceExplorer)
    visit.panel.get_by_label("highlight").select_option("RoPE")
    visit.settle()
    said = visit.reading.inner_text()
    box = visit.canvas.bounding_box()
    assert box is not None
    visit.page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 0.45 * box["height"])
    expect(visit.reading).not_to_have_text(said)
    expect(visit.canvas).to_have_css("cursor", "pointer")
    assert visit.settings() == {"highlight": "rotary"}
    visit.page.mouse.move(2, 2)
    expect(visit.reading).to_have_text(said)
    visit.show(DistanceExplorer.name)
    twin = DistanceExplorer()
    scene = twin.present_scene()[0]
    left, top, wide, high = next(panel.box for panel in scene.panels if panel.name == "matrix")
    box = visit.canvas.bounding_box()
    assert box is not None
    scale = box["width"] / scene.width
    visit.page.mouse.click(
        box["x"] + scale * (left + 6.5 / 8 * wide), box["y"] + scale * (top + 1.5 / 8 * high)
    )
    visit.settle()
    assert visit.settings() == {"query": "1", "key": "6"}
    visit.expect_same_as(DistanceExplorer)
    twin.close()


def test_a_race_is_saved_and_opened_and_a_broken_file_loses_nothing(visit: Visit, tmp_path: Path) -> None:
    open_at_start(visit, RaceExplorer)
    with visit.page.expect_download() as coming:
        visit.button("Save this race").click()
    assert coming.value.suggested_filename == "race.json"
    mine, broken = tmp_path / "mine.json", tmp_path / "broken.json"
    mine.write_bytes(coming.value.path().read_bytes())
    broken.write_text("{")
    visit.panel.locator("input[type=file]").set_input_files(mine)
    expect(visit.reading).to_contain_text("mine.json")
    visit.panel.locator("input[type=file]").set_input_files(broken)
    expect(visit.alert).to_contain_text("broken.json")
    expect(visit.reading).to_contain_text("mine.json")
    visit.button("Recorded race").click()
    expect(visit.reading).not_to_contain_text("mine.json")
    expect(visit.alert).to_be_empty()


def test_the_race_says_that_training_needs_the_notebook(visit: Visit) -> None:
    open_at_start(visit, RaceExplorer)
    expect(visit.panel.locator(".note")).to_contain_text("Training needs the notebook")
    twin = RaceExplorer()
    there = set(twin.controls) - RaceExplorer.needs_kernel - {"device"}
    twin.close()
    assert visit.panel.locator(".control").count() == len(there)


# ---- Moving arrows, words and gates by the pointer ----


def drag(visit: Visit, make: type[Explorer], panel: str, *places: tuple[float, float]) -> None:
    mouse = visit.page.mouse
    mouse.move(*place(visit, make, panel, *places[0]))
    expect(visit.canvas).to_have_css("cursor", "grab")
    mouse.down()
    visit.settle()
    for at in places[1:]:
        mouse.move(*place(visit, make, panel, *at))
        expect(visit.canvas).to_have_css("cursor", "grabbing")
        visit.settle()
    mouse.up()


def test_an_arrow_is_turned_by_the_pointer(visit: Visit) -> None:
    open_at_start(visit, RotationExplorer)
    twin = RotationExplorer()
    arrow = twin.compute(twin.parameters())["turned_key"]
    angle, rate = math.atan2(arrow[1], arrow[0]), 10000.0 ** (-6 / 32)
    aims = [angle + turns * rate for turns in (0, 4, 8, 12)]
    drag(visit, RotationExplorer, "plane", *[(0.7 * math.cos(aim), 0.7 * math.sin(aim)) for aim in aims])
    assert visit.settings() == {"n": str(9 + 12)}
    visit.expect_same_as(RotationExplorer)
    twin.close()


def test_a_word_is_dragged_and_the_picture_comes_to_rest(visit: Visit) -> None:
    open_at_start(visit, ShuffleExplorer)
    drag(visit, ShuffleExplorer, "cards", (0.0, 0.0), (1.0, 0.0), (2.0, 0.0))
    assert set(visit.settings()) == {"order"}
    visit.expect_same_as(ShuffleExplorer)


def test_a_gate_is_opened_by_a_press(visit: Visit) -> None:
    open_at_start(visit, GateExplorer)
    visit.page.mouse.click(*place(visit, GateExplorer, "gates", 5.0, 0.5))
    visit.settle()
    assert visit.settings() == {"turned": "5"}
    visit.expect_same_as(GateExplorer)


# ---- On a phone ----


def test_on_a_phone_taps_work_and_the_picture_stays_in_view(browser: Browser, page_url: str) -> None:
    with_language("en")
    phone = Visit(browser, page_url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone.open("explorer=sinusoid&lang=en")
    slider = phone.slider("cursor p")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None and box["width"] >= 340
    before = slider.input_value()
    phone.page.touchscreen.tap(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)
    expect(slider).not_to_have_value(before)  # the browser makes a press of the tap, a little later
    phone.settle()
    assert int(phone.settings()["position"]) == pytest.approx(0.75 * 127, abs=6)
    frame = phone.panel.locator(".present .frame").bounding_box()
    assert frame is not None and 0 <= frame["y"] <= 60 and frame["height"] > 200
    phone.page.get_by_role("combobox", name="Choose an explorer").select_option("Distance")
    phone.page.locator("#panel-distance[data-live]").wait_for()
    phone.settle()
    frame = phone.panel.locator(".present .frame").bounding_box()
    assert frame is not None
    said = phone.canvas.get_attribute("aria-label") or ""
    phone.page.touchscreen.tap(frame["x"] + 0.5 * frame["width"], frame["y"] + 150)
    expect(phone.canvas).not_to_have_attribute("aria-label", said)
    phone.settle()
    assert set(phone.settings()) <= {"query", "key"} and phone.settings()
    phone.close()
    with_language("both")
