"""The explorers' page without a kernel, beside JupyterLab's explorer: how soon, how fast, how large.

The same explorer at the same size in both; a key on the same slider, in turns. The clock starts at the key
event's own time stamp and stops after the frame in which the canvas was painted.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, Page

from benchmarks.side_by_side import verdict
from posenc_lessons.browser import explore
from tests.support.pages import chromium, jupyter_lab, run_all, write_notebook
from tests.support.running import running

ROUNDS, WARM_UP = 40, 4
OF_LAB, TAIL_MS, STILL_S, LIVE_S, AGAIN_S, DOWNLOAD = 0.6, 50.0, 0.5, 5.0, 3.0, 8_000_000
QUERY = "explorer=sinusoid&lang=en&length=256"
CELL = """\
from posenc_lessons import language
from posenc_lessons.explorers import SinusoidExplorer
language.choose("en")
explorer = SinusoidExplorer(length=256)
explorer"""
LIVE = "html[data-state=live][data-busy='0']"
SLIDERS = {"page": "#sinusoid-position", "lab": ".posenc-explorer .noUi-handle >> nth=2"}

# Gives milliseconds from the next key to the end of the frame that answers it.
WATCH = """
() => {
  let pressed = 0;
  document.addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
  const canvas = [...document.querySelectorAll("canvas[data-painted]")].find((each) => each.offsetParent);
  window.bench = () => {
    window.answered = new Promise((done) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(performance.now() - pressed);
        port2.postMessage(0);
      });
      observer.observe(canvas, { attributeFilter: ["data-painted"] });
    });
  };
}
"""


def run() -> str:
    """Measure; a section of Markdown."""
    with explore.made() as folder:
        files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".txt"]
        download = sum(path.stat().st_size for path in files)
    with tempfile.TemporaryDirectory() as course, chromium() as browser:
        write_notebook(Path(course, "bench.ipynb"), (CELL,))
        with running(Path(course), {}, "explore") as (address, _):
            context = browser.new_context(viewport={"width": 1300, "height": 900}, bypass_csp=True)
            first, again = _visit(context, address), _visit(context, address)
            memory = _memory(context, address)
            with jupyter_lab(Path(course)) as lab:
                times = _in_turns(browser, context, lab, address)
    return _said(first, again, memory, download, times)


def _visit(context: BrowserContext, address: str) -> tuple[float, float]:
    """Seconds from going there to the still on the canvas, and to Python's own picture."""
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(f"{address}?{QUERY.replace('&length=256', '')}")
    page.locator("canvas[data-painted]").first.wait_for()
    still = time.perf_counter() - begun
    page.locator(LIVE).wait_for()
    live = time.perf_counter() - begun
    page.close()
    return still, live


def _memory(context: BrowserContext, address: str) -> int:
    """Bytes that the browser's processes have more once the page is live than with an empty page."""
    page = context.new_page()
    page.goto("about:blank")
    before = _browser_memory()
    page.goto(f"{address}?{QUERY}")
    page.locator(LIVE).wait_for()
    after = _browser_memory()
    page.close()
    return after - before


def _browser_memory() -> int:
    """The memory of every browser process under this one that is not shared with another (Linux)."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # helpers come and go
            total += process.memory_full_info().uss if "chrom" in process.name() else 0
    return total


def _in_turns(browser: Browser, context: BrowserContext, lab: object, address: str) -> dict[str, list[float]]:
    pages = {"page": context.new_page(), "lab": browser.new_page(viewport={"width": 1300, "height": 900})}
    pages["page"].goto(f"{address}?{QUERY}")
    pages["page"].locator(LIVE).wait_for()
    lab.open(pages["lab"], "bench.ipynb")  # type: ignore[attr-defined]
    if not run_all(pages["lab"]):
        raise RuntimeError("the cell failed, so there is nothing to measure")
    pages["lab"].locator("canvas[data-painted]").first.wait_for(timeout=30_000)
    for page in pages.values():
        page.evaluate(WATCH)
    times: dict[str, list[float]] = {name: [] for name in pages}
    for turn in range(ROUNDS + WARM_UP):
        for name, page in pages.items():
            page.bring_to_front()
            taken = _press(page, SLIDERS[name], "ArrowRight" if turn % 2 == 0 else "ArrowLeft")
            if turn >= WARM_UP:
                times[name].append(taken)
    return times


def _press(page: Page, slider: str, key: str) -> float:
    page.locator(slider).first.focus()
    page.wait_for_timeout(150)  # nothing of the turn before is left to do
    page.evaluate("bench()")
    page.keyboard.press(key)
    taken: float = page.evaluate("answered")
    return taken


def _said(
    first: tuple[float, float],
    again: tuple[float, float],
    memory: int,
    download: int,
    times: dict[str, list[float]],
) -> str:
    median = {name: statistics.median(taken) for name, taken in times.items()}
    tail = {name: statistics.quantiles(taken, n=20)[-1] for name, taken in times.items()}
    return "\n".join(
        [
            "## The page without a kernel",
            "",
            "SinusoidExplorer, 256 × 64, in headless Chromium: milliseconds from a key on the slider to the",
            f"painted canvas, {ROUNDS} presses each, in turns with the same explorer in JupyterLab.",
            "",
            "| where | median | p95 |",
            "|---|---:|---:|",
            f"| the page | {median['page']:.0f} | {tail['page']:.0f} |",
            f"| JupyterLab | {median['lab']:.0f} | {tail['lab']:.0f} |",
            "",
            f"- of JupyterLab's: {verdict(median['page'] / median['lab'], OF_LAB)}",
            f"- p95, ms: {verdict(tail['page'], TAIL_MS)}",
            f"- first visit, seconds to the still: {verdict(first[0], STILL_S)}",
            f"- first visit, seconds until it is live: {verdict(first[1], LIVE_S)}",
            f"- second visit, seconds until it is live: {verdict(again[1], AGAIN_S)}",
            f"- download of a first visit, font and all, MB: {verdict(download / 1e6, DOWNLOAD / 1e6)}",
            f"- memory of the live page, MB: {memory / 1e6:.0f}",
        ]
    )


if __name__ == "__main__":
    print(run())
