"""The explorers' page without a kernel: start, response, size.

Visits are by a browser with a profile, like a reader's, which keeps compiled code between visits. For the
response a key is pressed on a slider. The clock starts at the time stamp of the key event and stops after the
frame in which the canvas was painted.
"""

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Request, ViewportSize

from benchmarks import lesson_page
from benchmarks.side_by_side import verdict
from posenc_lessons.explorers.host import NAMES
from tests.support.pages import chromium, new_context
from tests.support.running import running

SESSIONS, ROUNDS, WARM_UP = 5, 20, 4  # the times of a session are correlated (cores, order of threads)
READERS = 5
VIEWPORT: ViewportSize = {"width": 1300, "height": 900}
STAYED_MS = 5000  # on a first visit, because browsers save compiled code some seconds after compiling it
TAIL_MS, STILL_S, LIVE_S, AGAIN_S, DOWNLOAD = 50.0, 0.5, 5.0, 3.0, 8_000_000
SHOWN = "explorer=sinusoid&lang=en"
QUERY = f"{SHOWN}&length=256"
LIVE = "html[data-state=live][data-busy='0']"
SLIDER = "#sinusoid-position"

# Seconds from the start of the navigation to the first frame, the first picture, and Python's own picture.
NOTE = """
window.noted = {};
const note = (name) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { noted[name] ??= performance.now() / 1000; };
  port2.postMessage(0);
};
requestAnimationFrame(() => note("frame"));
new MutationObserver(() => {
  const { state, busy } = document.documentElement.dataset;
  if (document.querySelector("canvas[data-painted]")) note("still");
  if (state === "live" && busy === "0") note("live");
}).observe(document, { subtree: true, attributeFilter: ["data-painted", "data-state", "data-busy"] });
"""

# Returns milliseconds from the next key to the end of the frame that answers it.
WATCH = """
() => {
  let pressed = 0;
  document.addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
  const canvases = [...document.querySelectorAll("canvas[data-painted]")];
  const canvas = canvases.find((each) => each.checkVisibility());
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
    """Measure and return a section of Markdown."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        with running(Path(folder), {}, "explore") as (address, _):
            visits = [_visits(browser, address) for _ in range(READERS)]
            downloads = {name: _download(browser, f"{address}?explorer={name}&lang=zh") for name in NAMES}
            times = [taken for _ in range(SESSIONS) for taken in _presses(browser, address)]
        lesson = lesson_page.section(browser.browser_type)
    visit = [statistics.median(each) for each in zip(*visits, strict=True)]
    return f"{_said(visit, downloads, times)}\n\n{lesson}"


def _visits(browser: Browser, address: str) -> tuple[float, float, float, float]:
    """Return a reader's seconds to plain text, still, live page, and live page on a second visit."""
    with lesson_page.with_a_profile(browser.browser_type, viewport=VIEWPORT) as context:
        nothing = _noted(context, f"{address}LICENSES.txt", "pre")
        first, again = (_noted(context, f"{address}?{SHOWN}", LIVE) for _ in range(2))
    return nothing["frame"], first["still"], first["live"], again["live"]


def _noted(context: BrowserContext, address: str, shown: str) -> dict[str, float]:
    """Return the times in ``NOTE`` once ``shown`` is there and the reader has stayed a while."""
    page = context.new_page()
    page.add_init_script(NOTE)
    page.goto(address)
    page.locator(shown).wait_for()
    page.wait_for_timeout(STAYED_MS)
    noted: dict[str, float] = page.evaluate("noted")
    page.close()
    return noted


def _download(browser: Browser, address: str) -> int:
    """Return the bytes that a first visit loads until the explorer is live, with headers of responses."""
    context = new_context(browser, viewport=VIEWPORT)
    finished: list[Request] = []
    context.on("requestfinished", lambda request: finished.append(request))
    page = context.new_page()
    page.goto(address)
    page.locator(LIVE).wait_for()
    page.wait_for_load_state("networkidle")
    sizes = [each.sizes() for each in finished]
    context.close()
    return sum(each["responseBodySize"] + each["responseHeadersSize"] for each in sizes)


def _presses(browser: Browser, address: str) -> list[float]:
    """Return the milliseconds from each key to the painted canvas, in a new page."""
    context = new_context(browser, viewport=VIEWPORT, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{address}?{QUERY}")
    page.locator(LIVE).wait_for()
    page.evaluate(WATCH)
    times = []
    for turn in range(ROUNDS + WARM_UP):
        page.locator(SLIDER).first.focus()
        page.wait_for_timeout(150)  # until the previous turn is finished
        page.evaluate("bench()")
        page.keyboard.press("ArrowRight" if turn % 2 == 0 else "ArrowLeft")
        taken: float = page.evaluate("answered")
        times += [taken] if turn >= WARM_UP else []
    context.close()
    return times


def _said(visits: list[float], downloads: dict[str, int], times: list[float]) -> str:
    nothing, still, live, again = visits
    least, most = min(downloads.values()), max(downloads, key=downloads.__getitem__)
    tail = statistics.quantiles(times, n=20)[-1]
    return "\n".join(
        [
            "## The page without a kernel",
            "",
            "SinusoidExplorer, 256 × 64, in headless Chromium: milliseconds from a key on the slider to the",
            f"painted canvas, {SESSIONS * ROUNDS} presses in {SESSIONS} pages: median "
            f"{statistics.median(times):.0f}; p95 {verdict(tail, TAIL_MS)}.",
            "",
            "Seconds on the browser's own clock from when it begins to go there, medians of",
            f"{READERS} readers with a profile each:",
            "",
            f"- a plain text from the same server, until its first frame: {nothing:.3f}",
            f"- first visit, until the still is painted: {verdict(still, STILL_S)}",
            f"- first visit, until it is live: {verdict(live, LIVE_S)}",
            f"- second visit, until it is live: {verdict(again, AGAIN_S)}",
            "",
            f"Download of a first visit, font and all, MB: from {least / 1e6:.2f}; of {most}, which",
            f"reads most, {verdict(downloads[most] / 1e6, DOWNLOAD / 1e6)}",
        ]
    )
