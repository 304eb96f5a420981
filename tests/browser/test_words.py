"""Words in JupyterLab: languages, and messages about typed text."""

from __future__ import annotations

import re

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
    assert HAN.search(sinusoid.root.locator(".panel").inner_text()) is None
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


def test_an_impossible_sentence_is_announced_kept_and_recovered_from(shuffle: Shown) -> None:
    box = shuffle.control("sentence")
    box.fill("")
    expect(shuffle.alert).to_contain_text("The sentence is empty")
    expect(shuffle.alert).to_contain_text("句子是空的")
    expect(shuffle.root.locator(".panel")).to_have_class(re.compile(r"\bwrong\b"))
    long = " ".join(["word"] * 500)
    box.fill(long)
    expect(shuffle.alert).to_contain_text("500")
    expect(box).to_have_value(long)
    box.fill("the cat sat")
    expect(shuffle.alert).to_be_empty()
    shuffle.expect_picture(sentence="the cat sat")
