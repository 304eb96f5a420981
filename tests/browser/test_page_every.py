"""Every explorer on the page without a kernel, and the ways in which the page starts."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from posenc_lessons import language
from posenc_lessons.explorers import LearnedTableExplorer
from tests.support.site import Visit

pytestmark = pytest.mark.sweep


@pytest.fixture(autouse=True)
def english() -> None:
    language.choose("en")


# ---- How the page starts ----


def test_the_page_opens_from_a_disk_at_its_still_and_becomes_live(
    browser: Browser, page_folder: Path
) -> None:
    opened = Visit(browser, (page_folder / "index.html").as_uri()).open("explorer=rotation&lang=en")
    opened.slider("query at m").press("ArrowRight")
    opened.settle()
    expect(opened.reading).to_contain_text("n − m = 3")
    opened.close()


def test_each_file_is_requested_once_and_data_only_by_its_readers(browser: Browser, page_url: str) -> None:
    opened = Visit(browser, page_url)
    requests: list[str] = []
    opened.page.on("request", lambda request: requests.append(request.url))
    opened.page.add_init_script(
        """new MutationObserver(() => {
            const tip = document.querySelector(".tip")?.textContent;
            if (tip && tip !== (window.tips ??= []).at(-1)) window.tips.push(tip);
        }).observe(document, { subtree: true, childList: true, characterData: true });"""
    )
    opened.open("explorer=rotation&lang=en")
    assert len(requests) == len(set(requests)), sorted(url for url in requests if requests.count(url) > 1)
    assert not [url for url in requests if "/data_" in url]
    tips = "".join(opened.page.evaluate("tips"))
    percents = [int(number) for number in re.findall(r"Getting ready \((\d+)%\)", tips)]
    assert len(percents) > 4 and percents == sorted(percents)
    opened.show(LearnedTableExplorer)
    assert len([url for url in requests if "/data_" in url]) == 1
    opened.close()


@pytest.mark.parametrize(
    ("locale", "chosen", "spoken"), [("zh-CN", None, "zh"), ("de-DE", None, "en"), ("en-GB", "both", "both")]
)
def test_without_a_link_the_language_is_the_last_one_or_the_browsers(
    browser: Browser, page_url: str, locale: str, chosen: str | None, spoken: str
) -> None:
    opened = Visit(browser, page_url, locale=locale, color_scheme="dark").open(live=False)
    if chosen is not None:
        opened.choose("languages", chosen)
        opened.page.reload()
        opened.canvas.wait_for()
    root = opened.page.locator("html")
    expect(root).to_have_attribute("data-language", spoken)
    expect(root).to_have_attribute("data-mode", "dark")
    opened.close()
