"""A hub that runs on loopback, and stand-ins for its learners' browsers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import requests
import websocket
from requests.cookies import get_cookie_header

from posenc_lessons.course.lessons import PACKAGE
from tests.support.pace import patience, wait_until
from tests.support.ports import free_port

PASSWORD = "a password for one class"
LESSON = "00_start_here.ipynb"


def read_as_utf8(answer: requests.Response, **_: Any) -> None:
    answer.encoding = "utf-8"


@dataclass
class Learner:
    """A stand-in for a learner's browser."""

    hub: str
    name: str
    session: requests.Session = field(default_factory=requests.Session)
    arrived: str = ""

    def __post_init__(self) -> None:
        self.session.trust_env = False  # loopback needs no proxy
        self.session.hooks["response"].append(read_as_utf8)  # as the pages' <meta charset> says

    @property
    def home(self) -> str:
        return f"{self.hub}/user/{requests.utils.quote(self.name)}/"

    def get(self, address: str) -> requests.Response:
        """Return the answer at ``address`` (on the hub, if it names no host) after all redirections."""
        return self.session.get(requests.compat.urljoin(self.hub, address), timeout=patience())

    def get_when(self, words: str, address: str) -> str:
        """Wait until the page at ``address`` has these words, and return it."""
        wait_until(lambda: words in self.get(address).text, lambda: self.get(address).text, every=0.3)
        return self.get(address).text

    def enter(self, password: str) -> requests.Response:
        """Fill in the form of the login page; return the answer after all redirections."""
        page = self.get("/hub/login")
        (xsrf,) = re.findall(r'name="_xsrf" value="([^"]+)"', page.text)
        form = {"username": self.name, "password": password, "_xsrf": xsrf}
        return self.session.post(f"{self.hub}/hub/login?next=", data=form, timeout=patience())

    def sign_in(self) -> Learner:
        """Sign in and wait for JupyterLab."""
        return self.arrive(self.enter(PASSWORD))

    def arrive(self, answer: requests.Response) -> Learner:
        """Wait until the server that ``answer`` says is starting has answered."""

        def is_there() -> bool:
            nonlocal answer
            if "/hub/spawn-pending/" not in answer.url:
                return True
            assert "正在为你准备" in answer.text and "停下 · Stop Server" in answer.text
            answer = self.get(answer.url)
            return False

        wait_until(is_there, lambda: answer.text, every=0.3)
        assert answer.status_code == 200, answer.text
        self.arrived = answer.url
        return self

    def ask(self, method: str, path: str, **sent: Any) -> requests.Response:
        """Send a request to this learner's server, as JupyterLab does."""
        address = self.home + path
        prepared = self.session.prepare_request(requests.Request("GET", address))
        found = re.search(r"_xsrf=([^;]+)", prepared.headers.get("Cookie", ""))
        headers = {"X-XSRFToken": found.group(1)} if found else {}
        return self.session.request(method, address, headers=headers, timeout=patience(), **sent)

    def lesson(self) -> dict[str, Any]:
        answer = self.ask("GET", f"api/contents/{LESSON}")
        assert answer.status_code == 200, answer.text
        content: dict[str, Any] = answer.json()["content"]
        return content

    def channel(self) -> websocket.WebSocket:
        """Return the websocket of a new kernel, like that of a notebook's page; the caller closes it."""
        kernel = self.ask("POST", "api/kernels", json={"name": "python3"}).json()["id"]
        address = f"{self.home}api/kernels/{kernel}/channels"
        cookies = get_cookie_header(self.session.cookies, requests.Request("GET", address).prepare())
        return websocket.create_connection(
            address.replace("http", "ws", 1), cookie=cookies, timeout=patience(), http_no_proxy=["*"]
        )

    def run(self, code: str) -> list[dict[str, Any]]:
        """Run ``code`` in a new kernel through the proxy's websocket; return the kernel's messages."""
        asked = uuid.uuid4().hex
        content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
        header = {"msg_id": asked, "username": "", "session": asked, "msg_type": "execute_request"}
        request = {
            **{"header": {**header, "version": "5.3"}, "parent_header": {}, "metadata": {}},
            **{"content": content, "channel": "shell", "buffers": []},
        }
        heard: list[dict[str, Any]] = []
        channel = self.channel()
        try:
            channel.send(json.dumps(request))
            idle = False
            while not (idle and any(message["msg_type"] == "execute_reply" for message in heard)):
                message = json.loads(channel.recv())
                if message["parent_header"].get("msg_id") == asked:
                    heard.append(message)
                    idle |= message["content"].get("execution_state") == "idle"
        finally:
            channel.close()
        return heard


@dataclass
class Hub:
    """A running hub."""

    address: str
    folder: Path
    process: subprocess.Popen[bytes]


@contextmanager
def running(folder: Path) -> Iterator[Hub]:
    """Start the committed configuration by its command; at the end none of its processes may remain."""
    address = f"http://127.0.0.1:{free_port()}"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("POSENC_", "JUPYTER"))},
        "POSENC_HUB_PASSWORD": PASSWORD,
        "POSENC_HUB_FOLDER": str(folder / "of the class"),
        "POSENC_HUB_IDLE_MINUTES": str(patience() / 8 / 60),  # longer than any step below takes
        "POSENC_HUB_ALLOW_ROOT": "1",  # for those who run tests in a container
        "PYTHONPATH": os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")])),
    }
    command = [sys.executable, "-m", "posenc_lessons.classroom.hub", f"--url={address}"]
    command += [f"--JupyterHub.hub_port={free_port()}"]
    command += [f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{free_port()}"]
    log = folder / "log.txt"
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=output)
    started = [psutil.Process(process.pid)]
    try:
        wait_until_it_says(b"is now running at", process, log)
        yield Hub(address, folder / "of the class", process)
        started += started[0].children(recursive=True)
        process.terminate()
        process.wait(patience())
        _, left = psutil.wait_procs(started[1:], timeout=patience())
        assert left == []
    finally:
        for one in (*started, *_children(started[0])):
            with suppress(psutil.NoSuchProcess):
                one.kill()
        process.wait()


def _children(process: psutil.Process) -> list[psutil.Process]:
    return process.children(recursive=True) if process.is_running() else []


def wait_until_it_says(words: bytes, process: subprocess.Popen[bytes], log: Path) -> None:
    wait_until(
        lambda: words in log.read_bytes() or process.poll() is not None, lambda: log.read_text("utf-8")
    )
    assert process.poll() is None, log.read_text("utf-8")
