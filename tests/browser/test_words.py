"""What the page says and hands out: languages, complaints, code, files."""

from __future__ import annotations

import io

from PIL import Image
from playwright.sync_api import Page, expect

from posenc_lessons import language
from posenc_lessons.language import HAN
from tests.browser.watching import SWITCH, Shown


def test_the_switch_changes_labels_words_and_picture(page: Page, sinusoid: Shown) -> None:
    page.locator(SWITCH).get_by_role("button", name="English").click()
    language.choose("en")
    sinusoid.expect_picture()
    expect(sinusoid.slider("position")).to_be_visible()
    expect(sinusoid.root.get_by_text("the slowest pair")).to_be_visible()
    expect(sinusoid.root.get_by_text("最慢的一对")).to_be_hidden()
    expect(sinusoid.root.get_by_role("button", name="Reset", exact=True)).to_be_visible()
    assert HAN.search(sinusoid.root.inner_text()) is None
    page.locator(SWITCH).get_by_role("button", name="中文").click()
    language.choose("zh")
    sinusoid.expect_picture()
    expect(sinusoid.root.get_by_text("最慢的一对")).to_be_visible()
    expect(sinusoid.root.get_by_text("the slowest pair")).to_be_hidden()
    page.locator(SWITCH).get_by_role("button", name="双语").click()
    language.choose("both")
    sinusoid.expect_picture()
    expect(sinusoid.root.get_by_text("最慢的一对")).to_be_visible()
    expect(sinusoid.root.get_by_text("the slowest pair")).to_be_visible()


def test_a_sentence_it_cannot_show_is_said_aloud_kept_and_recovered_from(shuffle: Shown) -> None:
    box = shuffle.control("sentence")
    box.fill("")
    expect(shuffle.alert).to_contain_text("The sentence is empty")
    expect(shuffle.alert).to_contain_text("句子是空的")
    expect(shuffle.canvas).to_be_hidden()
    long = " ".join(["word"] * 500)
    box.fill(long)
    expect(shuffle.alert).to_contain_text("500")
    expect(box).to_have_value(long)
    box.fill("the cat sat")
    expect(shuffle.alert).to_have_count(0)
    expect(shuffle.canvas).to_be_visible()
    shuffle.expect_picture(sentence="the cat sat")


def test_the_code_is_shown_follows_the_sliders_and_hides_again(sinusoid: Shown) -> None:
    code = sinusoid.root.locator("pre")
    expect(code).to_have_count(0)
    toggle = sinusoid.button("Show the code")
    toggle.click()
    expect(code).to_contain_text("sinusoidal_encoding(128, 64, base=10000.0, device='cpu')")
    sinusoid.slider("length").focus()
    sinusoid.slider("length").press("ArrowRight")
    expect(code).to_contain_text("sinusoidal_encoding(129, 64")
    toggle.click()
    expect(code).to_have_count(0)


def test_saving_hands_over_the_still(page: Page, sinusoid: Shown) -> None:
    sinusoid.slider("position").focus()
    sinusoid.slider("position").press("ArrowRight")
    sinusoid.expect_picture(position=25)
    with page.expect_download() as coming:
        sinusoid.button("Save PNG").click()
    assert coming.value.suggested_filename == "sinusoid.png"
    saved = coming.value.path().read_bytes()
    assert Image.open(io.BytesIO(saved)).size == (1920, 920)
    assert saved == sinusoid.twin.still().png()
    with page.expect_download() as coming:
        sinusoid.button("Save SVG").click()
    assert coming.value.suggested_filename == "sinusoid.svg"
    assert coming.value.path().read_bytes().lstrip().startswith(b"<?xml")
