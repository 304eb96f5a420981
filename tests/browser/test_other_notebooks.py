"""The panel without JupyterLab: in its own frame, as VS Code and Colab show an anywidget.

Such a page gives the widget's module a model and an element. It has none of JupyterLab's styles and classes.
"""

import base64
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from posenc_lessons import language
from posenc_lessons.explorers import RotationExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.panel import PanelWidget, _without_bytes
from tests.browser.watching import barriers
from tests.support.pages import watched_page

pytestmark = pytest.mark.sweep

# The model that the widget's module gets. Buffers are DataViews, in its state too.
SHOW = """async ([esm, text, buffers]) => {
    const listeners = [];
    const asBytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const asViews = (buffers) => buffers.map((text) => new DataView(asBytes(text).buffer));
    const within = asViews(buffers);
    const state = JSON.parse(text, (_, value) => within[value?.$buffer] ?? value);
    window.arrive = (content, buffers) => {
        const views = asViews(buffers);
        for (const [event, called] of listeners) if (event === "msg:custom") called(content, views);
    };
    const model = {
        get: (name) => state[name],
        set: (name, value) => void (state[name] = value),
        send: (content) => void toKernel(content).then((sent) => sent.forEach((one) => arrive(...one))),
        on: (event, called) => void listeners.push([event, called]),
        off: (event, called) => listeners.splice(listeners.findIndex((one) => one[1] === called), 1),
    };
    const address = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
    const { default: widget } = await import(address);
    await widget.initialize({ model });
    const place = () => document.body.appendChild(document.createElement("div"));
    window.show = () => widget.render({ model, el: place() });
    window.leave = show();
}"""


BARE = """<html lang="en"><title>A notebook</title>
<iframe title="output" srcdoc="<html lang='en'><title>output</title></html>" width="1000" height="800">
</iframe></html>"""


class Kernel:
    """Answer for ``widget``, whose comm is the page's function ``toKernel``."""

    def __init__(self, widget: PanelWidget, monkeypatch: pytest.MonkeyPatch) -> None:
        self.widget, self.sent = widget, list[tuple[Any, list[str]]]()
        monkeypatch.setattr(widget, "send", self._send)

    def _send(self, content: Any, buffers: list[bytes] | None = None) -> None:
        self.sent.append((content, [base64.b64encode(content).decode() for content in buffers or ()]))

    def answer(self, content: Any) -> list[tuple[Any, list[str]]]:
        self.sent.clear()
        data = {"method": "custom", "content": content}
        self.widget._handle_msg({"content": {"data": data}, "buffers": []})
        return list(self.sent)

    def show(self, page: Page) -> Frame:
        """Show the widget in a frame of ``page``, and return the frame."""
        page.expose_function("toKernel", self.answer)
        page.set_content(BARE)
        frame = page.frames[1]
        buffers: list[bytes] = []
        view = _without_bytes(self.widget.get_state("view")["view"], buffers)
        state = json.dumps({"fixed": self.widget.fixed, "view": view})
        within = [base64.b64encode(content).decode() for content in buffers]
        frame.evaluate(SHOW, [self.widget._esm, state, within])
        return frame

    def set_by_a_cell(self, frame: Frame, explorer: Explorer, **values: Any) -> None:
        """Set controls of ``explorer`` as a cell does, and send the page what the widget says of it."""
        self.sent.clear()
        for name, value in values.items():
            explorer.controls[name].value = value
        sent = list(self.sent)  # a question of the page, answered while one arrives, clears the list
        for message in sent:
            frame.evaluate("sent => arrive(...sent)", list(message))


@pytest.mark.parametrize(("width", "columns"), [(1000, True), (560, False)])
def test_a_panel_works_in_a_bare_page(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, width: int, columns: bool
) -> None:
    language.choose("en")
    explorer = RotationExplorer()
    kernel = Kernel(PanelWidget(explorer), monkeypatch)
    with watched_page(browser, viewport={"width": 1200, "height": 900}) as page:
        frame = kernel.show(page)
        page.locator("iframe").evaluate("(frame, width) => { frame.style.width = `${width}px`; }", width)
        panel = frame.locator(".panel[data-live]")
        panel.wait_for()
        in_one_column = expect(panel).not_to_have_class if columns else expect(panel).to_have_class
        in_one_column(re.compile(r"\bnarrow\b"))
        slider = panel.get_by_role("slider", name="query at m", exact=True)
        slider.press("ArrowRight")
        expect(panel.get_by_role("spinbutton", name="query at m", exact=True)).to_have_value("6")
        moved = RotationExplorer(m=6)
        expect(panel.locator(".present .reading")).to_have_text(moved.reading.en, use_inner_text=True)
        moved.close()
        assert explorer.controls["m"].value == 6
        kernel.set_by_a_cell(frame, explorer, n=30)
        expect(panel.get_by_role("slider", name="key at n", exact=True)).to_have_value("30")
        overflow = frame.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, f"the panel is {overflow} px wider than its frame"
        assert barriers(page, runOnly=["wcag2a", "wcag2aa"]) == []
        frame.evaluate("leave()")
    kernel.widget.close()
    explorer.close()
