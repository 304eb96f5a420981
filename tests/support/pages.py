"""JupyterLab and Chromium on loopback, for tests and benchmarks that drive the lessons in a real browser.

Every server gets its own empty folders for settings and data, every browser its own profile and none of the
machine's Chinese fonts, so the machine's settings have no effect and nothing remains.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

import posenc_lessons
from posenc_lessons.export.pdf import NoBrowser, find_browser
from tests.support.forked_kernels import FORKED_KERNELS
from tests.support.pace import patience, wait_until
from tests.support.ports import free_port

PACKAGE = Path(posenc_lessons.__file__).parent
OF_COURSE = PACKAGE / "course" / "jupyter"
TOKEN = "a-token-for-loopback"
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # loopback needs no proxy
# The page also shows the state "idle" before there is a kernel.
KERNEL_READY = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
FONTS = Path(__file__).with_name("fonts.conf")  # hides the Chinese fonts of a machine with Linux
# Two lists of suggestions below the address bar are pages too, and cost each window a second of a core. All
# features that Playwright turns off are listed again, because only the last such option of a command counts.
FEATURES_OFF = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
)
CHROMIUM_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"),
    f"--disable-features={','.join(FEATURES_OFF)}",
)


def find_chromium() -> str | None:
    """Return the path of a Chromium on this machine (POSENC_CHROMIUM names one), or None."""
    try:
        return find_browser()
    except NoBrowser:
        return None


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run a headless Chromium with a new profile. Raises FileNotFoundError when there is none."""
    path = find_chromium()
    if path is None:
        raise FileNotFoundError(
            "no Chromium on this machine: install one, or name it in POSENC_CHROMIUM\n"
            "这台机器上没有 Chromium：请先安装，或用 POSENC_CHROMIUM 指明它在哪里"
        )
    # This has an effect on Linux. The type must allow more than strings, as Playwright does.
    surroundings: dict[str, str | float | bool] = {**os.environ, "FONTCONFIG_FILE": str(FONTS)}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=list(CHROMIUM_FLAGS), env=surroundings
        )
        try:
            yield browser
        finally:
            browser.close()


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """Return a context of ``browser`` whose pages wait as long as this machine needs."""
    context = browser.new_context(**options)
    context.set_default_timeout(1000 * patience())
    return context


class Watched:
    """A page and the ``errors`` in its console."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = new_context(browser, accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _note(self, said: ConsoleMessage) -> None:
        if said.type == "error":  # "failed to load resource" does not say which
            self.errors.append(f"{said.text} ({said.location['url']})")

    def close(self) -> None:
        self.context.close()


@contextmanager
def watched_page(browser: Browser, **options: Any) -> Iterator[Page]:
    """Open an empty page; errors on it until the block ends raise an AssertionError."""
    watched = Watched(browser, **options)
    yield watched.page
    watched.close()
    assert watched.errors == []


@contextmanager
def jupyter_lab(
    folder: Path, python: str | Path = sys.executable, jupyter: Path = OF_COURSE
) -> Iterator[Lab]:
    """Run JupyterLab on ``folder`` until the block ends, once it answers.

    It runs in ``python``, with the settings, extensions and kernels in the folder ``jupyter``.
    """
    port = free_port()
    command = [
        *(str(python), "-m", "jupyterlab", "--no-browser", "--ServerApp.ip=127.0.0.1"),
        *("--ServerApp.allow_root=True", f"--ServerApp.port={port}", "--ServerApp.port_retries=0"),
        f"--ServerApp.root_dir={folder}",
        # The page then has window.jupyterapp, by which a test runs JupyterLab's commands.
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as private:
        log = Path(private, "log.txt")
        with log.open("wb") as output:
            environment = _as_make_lab_has_it(Path(private), jupyter)
            server = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(server, f"{address}/api/status", log)
            yield Lab(address)
        finally:
            server.terminate()
            try:
                server.wait(patience())
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _as_make_lab_has_it(home: Path, jupyter: Path) -> dict[str, str]:
    """Return this process's environment, with every folder that Jupyter writes to inside ``home``."""
    return {
        **os.environ,
        "JUPYTER_TOKEN": TOKEN,
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_CONFIG_PATH": str(jupyter),  # no news, no nbgrader: as `make lab`
        # … and the extension for the lessons; where kernels are forked, the one to start
        "JUPYTER_PATH": os.pathsep.join(filter(None, [str(jupyter), os.environ.get(FORKED_KERNELS)])),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "POSENC_LESSONS_HOME": str(home / "choices"),
        "JUPYTER_PREFER_ENV_PATH": "1",  # the kernel uses this Python
        "PYTHONPATH": os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")])),
    }


def _wait_for(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    request = urllib.request.Request(address, headers={"Authorization": f"token {TOKEN}"})

    def answers() -> bool:
        try:
            OPENER.open(request, timeout=patience()).close()
        except urllib.error.HTTPError as error:  # an error is an answer too
            error.close()
        except OSError:
            return False
        return True

    def said() -> str:
        return f"the server did not start; its log:\n{log.read_text(errors='replace')}"

    wait_until(lambda: server.poll() is not None or answers(), said)
    assert server.poll() is None, said()


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    """Write a notebook of code ``cells`` to ``path``."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata.kernelspec = {
        "name": "python3",
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
    }
    nbformat.write(notebook, path)


PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def wait_until_laid_out(page: Page) -> None:
    """Wait until the fonts of ``page``, which has loaded, have come too and all has its place."""
    page.evaluate(PAINTED)  # the first layout asks for the fonts
    page.wait_for_function("document.fonts.status === 'loaded'")
    page.evaluate(PAINTED)


# Scrolls to a cell, and returns whether it is on the screen ten frames later. JupyterLab refuses to scroll
# while it lays a notebook out.
SHOW = """async (cell) => {
    const notebook = jupyterapp.shell.currentWidget.content;
    const found = notebook.widgets.findIndex((each) => each.model.id === cell);
    const at = found < 0 ? cell : found;
    notebook.scrollToItem(at, "start").catch(() => undefined);
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
    const { node } = notebook.widgets[at];
    const [window, box] = [notebook.outerNode, node].map((each) => each.getBoundingClientRect());
    return node.isConnected && box.height > 0 && box.bottom > window.top && box.top < window.bottom;
}"""


def show_cell(page: Page, cell: int | str) -> None:
    """Scroll to a cell by number or id, because JupyterLab removes cells out of view from the page."""
    wait_until(lambda: page.evaluate(SHOW, cell), lambda: f"cell {cell} does not come into view")


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab."""

    address: str

    def ask(self, path: str, method: str = "GET", content: Any = None) -> Any:
        """Return the server's JSON answer at ``path``, None if it is empty."""
        headers = {"Authorization": f"token {TOKEN}"}
        body = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(f"{self.address}/{path}", body, headers, method=method)
        with OPENER.open(request, timeout=patience()) as answer:
            return json.loads(answer.read() or "null")

    def open(self, page: Page, path: str) -> None:
        """Open only the notebook ``path``, and wait for its kernel."""
        page.goto(f"{self.address}/lab/tree/{path}?token={TOKEN}&reset")
        page.locator(".jp-Notebook .jp-Cell").first.wait_for(state="attached")  # a folded one takes no room
        page.wait_for_function(KERNEL_READY)


def run_all(page: Page) -> bool:
    """Run every cell of the notebook that JupyterLab shows; return True if none of them failed."""
    return bool(page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')"))
