"""The explorers' page and a lesson's in Firefox, by its own protocol (Marionette), where it is installed."""

from __future__ import annotations

import itertools
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.export import live_explorers
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import site
from posenc_lessons.files import write_all
from tests.browser.watching import LESSONS
from tests.support.pace import patience
from tests.support.ports import free_port
from tests.support.site import SETTLED

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
pytestmark = [pytest.mark.sweep, pytest.mark.skipif(FIREFOX is None, reason="no Firefox here")]

WAIT = """
const [selector, done] = arguments;
const look = () => (document.querySelector(selector) ? done(true) : setTimeout(look, 50));
look();
"""
# The sentence below the picture, and the picture's alternative text.
SHOWN = """
const present = document.querySelector(`#panel-${arguments[0]} .present`);
const picture = present.querySelector("canvas");
return [present.querySelector(".reading").innerText, picture.getAttribute("aria-label")];
"""
# Moves the first slider to another end; returns whether there is a slider.
MOVED = """
const range = document.querySelector(`#panel-${arguments[0]} input[type=range]:enabled`);
if (range) [range.value] = [range.value === range.max ? range.min : range.max];
range?.dispatchEvent(new Event("input"));
return Boolean(range);
"""
# The output of a cell of the lesson after a run, with this text as its code if there is one.
RAN = """
const [cell, code, done] = arguments;
posenc.run(cell, ...(code === null ? [] : [code])).then(done, (error) => done({ error: String(error) }));
"""
LESSON = "00_start_here.ipynb"
EXERCISE = "exercise-swap-ends"
RIGHT = "words if len(words) < 2 else [words[-1], *words[1:-1], words[0]]"


class Firefox:
    """A headless Firefox with its own profile."""

    def __init__(self, profile: Path) -> None:
        assert FIREFOX is not None
        port = free_port()
        (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n', encoding="ascii")
        command = [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._numbers = itertools.count()
        deadline = time.monotonic() + patience()
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", port), timeout=patience())
                break
            except OSError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self._process.kill()
                    raise
                time.sleep(0.1)
        self._answers = self._socket.makefile("rb")
        self._answer()  # its first message
        self.ask("WebDriver:NewSession", capabilities={})
        self.ask("WebDriver:SetTimeouts", script=int(1000 * patience()), pageLoad=int(1000 * patience()))

    def ask(self, command: str, **parameters: Any) -> Any:
        """Return Firefox's answer to a command of the protocol."""
        message = json.dumps([0, next(self._numbers), command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, answer = self._answer()
        assert error is None, error
        return answer

    def run(self, script: str, *arguments: Any) -> Any:
        """Return what ``script`` returns on the page."""
        return self.ask("WebDriver:ExecuteScript", script=script, args=arguments)["value"]

    def run_until_done(self, script: str, *arguments: Any) -> Any:
        """Return the value that ``script`` passes to its last argument, a function."""
        return self.ask("WebDriver:ExecuteAsyncScript", script=script, args=arguments)["value"]

    def wait_for(self, selector: str) -> None:
        """Wait until the page has an element for ``selector``."""
        self.run_until_done(WAIT, selector)

    def _answer(self) -> Any:
        length = b"".join(iter(lambda: self._answers.read(1), b":"))
        return json.loads(self._answers.read(int(length)))

    def close(self) -> None:
        self._answers.close()
        self._socket.close()
        self._process.terminate()
        self._process.wait(patience())


@pytest.fixture(scope="module")
def firefox(page_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Start Firefox with the page in English, its Python up."""
    running = Firefox(tmp_path_factory.mktemp("firefox"))
    running.ask("WebDriver:Navigate", url=f"{page_url}?lang=en&mode=light")
    running.wait_for(SETTLED)
    yield running
    running.close()


@pytest.mark.parametrize("make", EXPLORERS)
def test_every_explorer_has_the_same_words_and_follows_its_slider(
    firefox: Firefox, make: type[Explorer]
) -> None:
    language.choose("en")
    twin = make()
    firefox.run("document.getElementById(`tab-${arguments[0]}`).click()", make.name)
    firefox.wait_for(f"#panel-{make.name}[data-live] .present canvas[data-painted]")
    firefox.wait_for(SETTLED)
    assert firefox.run(SHOWN, make.name) == [twin.reading.show(), twin.present_scene()[0].alt.show()]
    twin.close()
    address = firefox.run("return location.search")
    if firefox.run(MOVED, make.name):
        firefox.wait_for(SETTLED)
        assert firefox.run("return location.search") != address


def test_a_lesson_on_a_disk_runs_its_cells_and_checks_answers(firefox: Firefox, tmp_path: Path) -> None:
    notebook = in_language(nbformat.read(LESSONS / LESSON, as_version=4), "zh")
    write_all({**site({LESSON: notebook}, "zh", live=True), **live_explorers.files()}, tmp_path)
    firefox.ask("WebDriver:Navigate", url=(tmp_path / LESSON.replace("ipynb", "html")).as_uri())
    cell = f"[data-cell={EXERCISE}]"
    firefox.wait_for(f"{cell} textarea")
    stub = firefox.run("return document.querySelector(arguments[0]).value", f"{cell} textarea")
    assert "..." in stub
    for code, begins in ((stub, "…"), (stub.replace("...", RIGHT), "✔")):
        result = firefox.run_until_done(RAN, EXERCISE, code)
        assert result["error"] is None and result["text"].startswith(begins), result
    assert firefox.run_until_done(RAN, EXERCISE, "1 / 0")["error"].startswith("ZeroDivisionError")
    firefox.run("document.querySelector(arguments[0]).click()", f"{cell} .deeds button")
    firefox.wait_for(f"{cell} .ran:not(:empty)")
