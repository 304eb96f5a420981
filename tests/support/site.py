"""The explorers' page as readers see it: built once, served or opened from a disk, watched for errors."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Locator, Route, expect

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.links import follow
from posenc_lessons.serving import LOOPBACK
from tests.browser.watching import mismatches, still_for
from tests.support.pages import PAINTED, Watched

SETTLED = "html[data-state=live][data-busy='0']"  # Python runs and has answered all requests
IDLE = "html[data-busy='0']"  # the same before Python runs: the font has come
NO_ANSWER = re.compile(r"/parts/pyodide\.asm\.wasm-")  # this part is blocked, so that only the still shows


class Quiet(SimpleHTTPRequestHandler):
    """A plain web server."""

    def log_message(self, *message: object) -> None:
        pass


def plain_server(folder: Path) -> AbstractContextManager[str]:
    """Serve ``folder`` with a plain web server; yield the address."""
    return running(ThreadingHTTPServer((LOOPBACK, 0), partial(Quiet, directory=str(folder))))


@contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[str]:
    """Let ``server`` answer, and yield its address."""
    with server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://{LOOPBACK}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class Visit(Watched):
    """A reader's page. ``strangers``: requests to other servers."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        super().__init__(
            browser, **{"viewport": {"width": 1400, "height": 900}, "locale": "en-GB", **options}
        )
        self.address = address
        self.strangers: list[str] = []
        self._held: list[Route] = []
        self.page.on("request", lambda request: self._look(request.url))

    def _look(self, url: str) -> None:
        if not url.startswith((self.address.rsplit("/", 1)[0], "blob:", "data:")):
            self.strangers.append(url)

    def open(self, query: str = "", live: bool = True) -> Visit:
        """Open the page and wait until Python runs or, without ``live``, for the still.

        The still stays until ``let_python_come()``.
        """
        if not live:
            self.page.route(NO_ANSWER, lambda route: self._held.append(route))
        self.page.goto(self.address + (f"?{query}" if query else ""))
        self.canvas.wait_for()
        if live:
            self.settle()
        else:
            self.page.locator(IDLE).wait_for()
            self.rest()
        return self

    def let_python_come(self) -> None:
        """Answer what ``open()`` has held back, and wait until Python runs."""
        for route in self._held:
            route.continue_()
        self.settle()

    def settle(self) -> None:
        """Wait until Python has answered and the painted picture no longer changes."""
        self.page.locator(SETTLED).wait_for()
        self.rest()

    def rest(self) -> None:
        """Wait until no picture changes any more, and the page is laid out and painted."""
        self.page.locator("canvas[data-changing]").first.wait_for(state="detached")
        self.page.evaluate(PAINTED)

    def show(self, make: type[Explorer]) -> None:
        """Open the tab of that explorer, with every control reset."""
        self.page.locator(f"#tab-{make.name}").evaluate("tab => tab.click()")  # hidden in a narrow window
        self.panel.and_(self.page.locator(f"#panel-{make.name}[data-live]")).wait_for()
        self.panel.locator("button[value=reset]").evaluate("button => button.click()")
        self.settle()

    def show_still(self, make: type[Explorer]) -> None:
        """Open the tab of that explorer on a page without Python."""
        self.page.locator(f"#tab-{make.name}").evaluate("tab => tab.click()")
        self.page.evaluate("scrollTo(0, 0)")
        self.canvas.wait_for()
        self.rest()

    def choose(self, kind: str, value: str) -> None:
        """Press a button of the page's head: ``kind`` is "languages" or "modes"."""
        self.page.locator(f"#{kind} button[value={value}]").evaluate("button => button.click()")

    def press_try(self, number: int) -> None:
        """Press a named setting, counted from 0, and wait for its picture."""
        self.panel.locator(".tries button").nth(number).click()
        self.settle()

    @property
    def panel(self) -> Locator:
        return self.page.locator(".panel:visible")

    @property
    def canvas(self) -> Locator:
        return self.panel.locator(".present canvas[data-painted]")

    @property
    def reading(self) -> Locator:
        return self.panel.locator(".present .reading")

    @property
    def alert(self) -> Locator:
        return self.panel.locator("[role=alert]")

    def button(self, name: str) -> Locator:
        """Return the button of that name, as a screen reader finds it."""
        return self.page.get_by_role("button", name=name, exact=True).filter(visible=True)

    def slider(self, label: str) -> Locator:
        return self.panel.get_by_role("slider", name=label, exact=True)

    def number(self, label: str) -> Locator:
        return self.panel.get_by_role("spinbutton", name=label, exact=True)

    def link(self) -> dict[str, str]:
        """Return the query of the page's address, which describes what is shown."""
        query = urlsplit(self.page.url).query
        return {name: values[0] for name, values in parse_qs(query, keep_blank_values=True).items()}

    def settings(self) -> dict[str, str]:
        """Return the part of ``link()`` that sets controls."""
        return {name: text for name, text in self.link().items() if name not in ("explorer", "lang", "mode")}

    def expect_picture_of(self, twin: Explorer) -> None:
        """Compare the picture, saved at its natural size, with the still of PyTorch and Matplotlib."""
        with self.page.expect_download() as coming:
            self.panel.get_by_role("button", name=re.compile("PNG")).click()
        live = np.array(Image.open(coming.value.path()).convert("RGB"))
        off = mismatches(live, still_for(twin.still(), live), twin.present_scene()[0])
        assert not off, f"the picture is not the still: {off}"

    def expect_same_as(self, make: type[Explorer], picture: bool = False) -> None:
        """Compare the page with an explorer of kind ``make`` in this process, set by the page's link.

        With ``picture`` compare the picture too, which takes Matplotlib a second.
        """
        self.settle()
        twin = make()
        assert follow(twin, self.settings()) == ()
        self.expect_words_of(twin)
        if picture:
            self.expect_picture_of(twin)
        twin.close()

    def expect_words_of(self, twin: Explorer) -> None:
        """Compare the sentence below the picture and its alternative text with those of ``twin``."""
        assert twin.message is None
        expect(self.reading).to_have_text(twin.reading.show(), use_inner_text=True)
        expect(self.canvas).to_have_attribute("aria-label", twin.present_scene()[0].alt.show())

    def use_every_control(self, make: type[Explorer]) -> None:
        """Use every control by keys and pointer; each changes the settings, and the picture is Python's."""
        self.show(make)
        for summary in self.panel.locator("details:not([open]) > summary").filter(visible=True).all():
            summary.press("Enter")
        for control in self.panel.locator(".control:visible").all():
            handle = control.locator("input:enabled, select:enabled").last
            if handle.count() == 0:
                continue
            settings = self.settings()
            kind = handle.evaluate("it => it.type")
            if kind == "range":
                assert any(step != settings for step in self._settings_along(handle))
                continue
            handle.press({"checkbox": "Space", "select-one": "ArrowDown"}.get(kind, "a"))
            self.settle()
            if kind == "select-one" and self.settings() == settings:  # the last option was chosen
                handle.press("ArrowUp")
                self.settle()
            assert self.settings() != settings
            if self.alert.inner_text():  # a letter where numbers are expected
                handle.press("Backspace")
                self.settle()
                assert self.settings() == settings
        self.expect_same_as(make, picture=True)

    def _settings_along(self, slider: Locator) -> list[dict[str, str]]:
        """Return the settings after Home, an arrow key and a click on the slider."""
        settings = []
        for key in ("Home", "ArrowRight"):
            slider.press(key)
            self.settle()
            settings.append(self.settings())
        box = slider.bounding_box()
        assert box is not None and box["height"] >= 24
        self.page.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2)
        self.settle()
        return [*settings, self.settings()]

    def follow_tries(self, make: type[Explorer]) -> None:
        """Follow the named settings in order; each is marked, explained, and shows Python's words."""
        self.show(make)
        twin = make()
        tries = self.panel.get_by_role("group", name="Try this").get_by_role("button")
        expect(tries).to_have_count(len(make.tries))
        for number, named in enumerate(make.tries):
            self.panel.locator(".next").click()
            self.settle()
            expect(tries.nth(number)).to_have_attribute("aria-pressed", "true")
            expect(self.panel.locator(".tip")).to_have_text(named.look_for.en)
            twin.restore({**twin.initial, **named.settings()})
            self.expect_words_of(twin)
        expect(self.panel.locator(".next")).to_be_disabled()
        twin.close()

    def swipe(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Move a finger from ``start`` to ``end`` in small steps, and lift it."""
        touch = self.page.context.new_cdp_session(self.page)

        def send(kind: str, *points: dict[str, float]) -> None:
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

        for step in range(11):
            share = step / 10
            at = {side: a + share * (b - a) for side, a, b in zip("xy", start, end, strict=True)}
            send("touchMove" if step else "touchStart", at)
        send("touchEnd")

    def close(self) -> None:
        """Close the page; fail if there was an error, or a request to another server."""
        super().close()
        assert (self.errors, self.strangers) == ([], [])


def place(visit: Visit, make: type[Explorer], panel: str, x: float, y: float) -> tuple[float, float]:
    """Return the place on the screen of (x, y) on ``panel``'s axes, for the explorer's first picture.

    A window with room to spare makes all panels higher; an ``equal`` panel keeps its circles round.
    """
    explorer = make()
    scene = explorer.present_scene()[0]
    explorer.close()
    plot = next(plot for plot in scene.panels if plot.name == panel)
    box = visit.canvas.bounding_box()
    assert box is not None
    scales = box["width"] / scene.width, box["height"] / scene.height
    left, top, wide, high = (scales[side % 2] * length for side, length in enumerate(plot.box))
    spans = plot.x.end - plot.x.start, plot.y.end - plot.y.start
    units = [wide / spans[0], high / spans[1]]  # CSS pixels for each step of an axis
    if plot.equal:
        least = min(map(abs, units))
        units = [math.copysign(least, unit) for unit in units]
    across = units[0] * (x - (plot.x.start + plot.x.end) / 2)
    up = units[1] * (y - (plot.y.start + plot.y.end) / 2)
    return box["x"] + left + wide / 2 + across, box["y"] + top + high / 2 - up
