"""Measure a lesson's page as readers see it: the time until it is painted, and until a check answers.

Visits are by a browser with a profile, like a reader's. The clock is the page's, from the press of Check to
the words that answer. ``benchmarks.page`` runs this as its second part.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, BrowserType

from benchmarks.side_by_side import verdict
from posenc_lessons.course.lessons import lesson_names, shipped_lessons
from posenc_lessons.export import exporting
from tests.support.pages import CHROMIUM_FLAGS, FONTS, find_chromium
from tests.support.site import plain_server

LESSON = "00_start_here"
READERS = 5
STAYED_MS = 5000  # on a first visit, because browsers save compiled code some seconds after compiling it
# A telephone's line: milliseconds there and back, bytes a second.
SLOW = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
ROOT_BEFORE_S = 5.6  # on that line, when the root had both fonts in it, 1.02 MB
SLOWLY_S = 1.5
PAINTED_S, FIRST_S, FROM_DISK_S, AGAIN_S, LATER_S = 0.5, 3.0, 4.5, 1.5, 0.1

# Returns the seconds until the first check answers, and until the next one does.
CHECK = """async () => {
  const cell = document.querySelector("[data-exercise]");
  const check = async () => {
    const answered = new Promise((done) => {
      const watch = new MutationObserver(() => {
        if (cell.querySelector(".ran").textContent) {
          watch.disconnect();
          done();
        }
      });
      watch.observe(cell.querySelector(".ran"), { childList: true, subtree: true });
    });
    const pressed = performance.now();
    cell.querySelector(".deeds button").click();
    await answered;
    const { port1, port2 } = new MessageChannel();
    await new Promise((done) => {
      port1.onmessage = done;
      requestAnimationFrame(() => port2.postMessage(0));
    });
    return (performance.now() - pressed) / 1000;
  };
  const first = await check();
  await new Promise((done) => setTimeout(done, 200));
  return [first, await check()];
}"""
# Resolves to the seconds until the page is painted, also if that has not happened yet.
PAINTED = """() => new Promise((resolve) => {
    new PerformanceObserver((entries) => {
        const [painted] = entries.getEntriesByName("first-contentful-paint");
        if (painted) resolve(painted.startTime / 1000);
    }).observe({ type: "paint", buffered: true });
})"""


def section(kind: BrowserType) -> str:
    """Measure and return a section of Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        lessons = shipped_lessons()
        options = exporting.Options("both", "site", tuple(lesson_names(lessons)), Path(folder), run=False)
        exporting.export(options, lessons, lambda said: None)
        page = f"en/{LESSON}.html"
        disk = [_reader(kind, Path(folder, page).as_uri())[1] for _ in range(READERS)]
        with plain_server(Path(folder)) as address:
            readers = [_reader(kind, f"{address}/{page}") for _ in range(READERS)]
            slowly, root = (
                statistics.median(_painted_slowly(kind, f"{address}/{path}") for _ in range(READERS))
                for path in (page, "index.html")
            )
    painted, first, later, again = (statistics.median(each) for each in zip(*readers, strict=True))
    return "\n".join(
        [
            "## A lesson's page",
            "",
            f"Lesson 00, exported; seconds, medians of {READERS} readers with a profile each:",
            "",
            f"- until it is painted: {verdict(painted, PAINTED_S)}",
            f"- … on a line with 1.6 Mbit and 150 ms: {verdict(slowly, SLOWLY_S)}",
            f"- … the site's root there, {ROOT_BEFORE_S} s with the fonts in it: {verdict(root, SLOWLY_S)}",
            f"- from the first press of Check to its answer: {verdict(first, FIRST_S)}",
            f"- … opened from a disk: {verdict(statistics.median(disk), FROM_DISK_S)}",
            f"- … on the next visit: {verdict(again, AGAIN_S)}",
            f"- from a later press to its answer: {verdict(later, LATER_S)}",
        ]
    )


def _reader(kind: BrowserType, address: str) -> tuple[float, float, float, float]:
    """Return a reader's seconds to the painted page, a first and a later answer, one on a second visit."""
    with with_a_profile(kind) as context:
        painted, first, later = _visit(context, address)
        _, again, _ = _visit(context, address)
    return painted, first, later, again


def _painted_slowly(kind: BrowserType, address: str) -> float:
    """Return a reader's seconds on a slow line until the page in the reader's language is painted."""
    with with_a_profile(kind) as context:
        page = context.new_page()
        line = context.new_cdp_session(page)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", {"offline": False, **SLOW})
        start = time.time()
        page.goto(address, wait_until="commit")
        page.wait_for_url("**/en/*.html", wait_until="commit")  # the root opens the reader's language
        painted: float = page.evaluate(PAINTED)
        opened: float = page.evaluate("performance.timeOrigin / 1000")  # the root had its own clock
        return opened + painted - start


@contextmanager
def with_a_profile(kind: BrowserType, **options: Any) -> Iterator[BrowserContext]:
    """Run a browser with a new profile, which keeps compiled code between visits, as a reader's does."""
    with tempfile.TemporaryDirectory() as profile:
        context = kind.launch_persistent_context(
            profile,
            executable_path=find_chromium(),
            args=list(CHROMIUM_FLAGS),
            env={**os.environ, "FONTCONFIG_FILE": str(FONTS)},
            **options,
        )
        yield context
        context.close()


def _visit(context: BrowserContext, address: str) -> tuple[float, float, float]:
    page = context.new_page()
    page.goto(address)
    painted: float = page.evaluate(PAINTED)
    first, later = page.evaluate(CHECK)
    page.wait_for_timeout(STAYED_MS)
    page.close()
    return painted, first, later
