"""The hub for a larger class, started for real on loopback: two learners, each with their own lessons."""

from __future__ import annotations

import asyncio
import html
import json
import os
import re
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from posenc_lessons.course.lessons import PACKAGE, shipped_lessons

if sys.platform == "win32":
    pytest.skip("JupyterHub does not run on Windows", allow_module_level=True)
pytest.importorskip("jupyterhub", reason="the hub wants the extra: pip install -e '.[classroom]'")

import psutil
import requests
import websocket
import yaml
from jupyterhub.authenticators.shared import SharedPasswordAuthenticator
from jupyterhub.spawner import Spawner
from requests.cookies import get_cookie_header
from traitlets.config import Config, PyFileConfigLoader

from posenc_lessons.classroom.hub.spawners import AsAccount
from posenc_lessons.language import HAN
from tests.support.pace import patience, wait_until
from tests.support.ports import free_port

CONFIG = PACKAGE / "classroom" / "hub" / "jupyterhub_config.py"
PASSWORD = "a password for one class"
LESSON = "00_start_here.ipynb"

# Only the configuration.


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Config]:
    """Read the configuration as JupyterHub does, with these environment variables and as this user."""
    for name in [name for name in os.environ if name.startswith("POSENC_HUB_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("POSENC_HUB_FOLDER", str(tmp_path / "hub"))

    def read(user: int = 1000, **variables: str) -> Config:
        monkeypatch.setattr(os, "geteuid", lambda: user)
        for name, value in variables.items():
            monkeypatch.setenv(f"POSENC_HUB_{name}", value)
        return PyFileConfigLoader(CONFIG.name, str(CONFIG.parent)).load_config()

    return read


@pytest.mark.parametrize(
    ("user", "variables", "words"),
    [
        (1000, {}, "it has 0"),
        (1000, {"PASSWORD": "7 signs"}, "it has 7"),
        (1000, {"PASSWORD": "八个字的班级密码"}, "English keyboard"),
        (1000, {"PASSWORD": PASSWORD, "TEACHER_PASSWORD": PASSWORD}, "at least 32"),
        (1000, {"PASSWORD": "t" * 32, "TEACHER_PASSWORD": "t" * 32}, "must differ"),
        (1000, {"ACCOUNTS": "1"}, "only root may do"),
        (0, {"PASSWORD": PASSWORD}, "would run as root"),
        (1000, {"PASSWORD": PASSWORD, "IDLE_MINUTES": "an hour"}, "number of minutes"),
        (1000, {"PASSWORD": PASSWORD, "IDLE_MINUTES": "-1"}, "number of minutes"),
    ],
)
def test_a_hub_that_cannot_start_says_why_in_both_languages(
    user: int, variables: dict[str, str], words: str, load: Callable[..., Config]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        load(user, **variables)
    english, _, chinese = str(stopped.value).partition("\n")
    assert words in english and not HAN.search(english) and HAN.search(chinese)
    assert PASSWORD not in english + chinese
    assert not Path(os.environ["POSENC_HUB_FOLDER"]).exists()


def test_a_folder_that_cannot_be_used_is_named(load: Callable[..., Config], tmp_path: Path) -> None:
    (tmp_path / "hub").touch()
    with pytest.raises(SystemExit, match=rf"{tmp_path}/hub cannot be used[\s\S]*{tmp_path}/hub 用不了"):
        load(PASSWORD=PASSWORD)


def test_a_second_hub_leaves_the_first_alone(load: Callable[..., Config]) -> None:
    load(PASSWORD=PASSWORD)
    with pytest.raises(SystemExit, match=r"running in .* already[\s\S]*已经有一个服务在运行"):
        load(PASSWORD=PASSWORD)


def test_zero_idle_minutes_mean_forever(load: Callable[..., Config]) -> None:
    arguments = load(PASSWORD=PASSWORD, IDLE_MINUTES="0").Spawner.args
    assert "--MappingKernelManager.cull_idle_timeout=0" in arguments
    assert "--ServerApp.shutdown_no_activity_timeout=0" in arguments


def test_only_this_machine_can_reach_the_hub_by_default(load: Callable[..., Config]) -> None:
    config = load(PASSWORD=PASSWORD)
    assert config.JupyterHub.bind_url == "http://127.0.0.1:8000"
    assert "allow_root" not in " ".join(config.Spawner.args)
    assert "admin_users" not in config.Authenticator


def test_the_teacher_may_have_a_password(load: Callable[..., Config]) -> None:
    config = load(PASSWORD=PASSWORD, TEACHER_PASSWORD="t" * 32)
    assert config.Authenticator.admin_users == {"teacher"}
    assert config.SharedPasswordAuthenticator.admin_password == "t" * 32
    door = SharedPasswordAuthenticator(config=config)

    def enters(name: str, password: str) -> bool:
        form = {"username": name, "password": password}
        return asyncio.run(door.get_authenticated_user(None, form)) is not None

    assert enters("ana", PASSWORD) and enters("teacher", "t" * 32)
    for name in ("teacher", "Teacher", "TEACHER"):
        assert not enters(name, PASSWORD), "a learner, let in as the teacher"


# From values.schema.yaml of Zero to JupyterHub 4.4.0; hub.config contains classes and their traits.
CHART_KEYS = {
    "hub.config",
    *(f"singleuser.{key}" for key in ("image.name", "image.tag", "cmd", "defaultUrl", "startTimeout")),
    *(f"singleuser.{key}" for key in ("memory.limit", "memory.guarantee", "cpu.limit", "cpu.guarantee")),
    *("singleuser.storage.capacity", "singleuser.extraEnv", "cull.enabled", "cull.timeout"),
}


def chart_keys(values: dict[str, Any], above: str = "") -> set[str]:
    """Return the dotted names of all keys that ``values`` sets; a free-form table counts as one key."""
    found: set[str] = set()
    for name, value in values.items():
        key = f"{above}{name}"
        deeper = isinstance(value, dict) and key not in {"hub.config", "singleuser.extraEnv"}
        found |= chart_keys(value, f"{key}.") if deeper else {key}
    return found


def test_a_cluster_has_the_same_settings_as_one_machine(load: Callable[..., Config]) -> None:
    values = yaml.safe_load((CONFIG.parent / "kubernetes.yaml").read_text(encoding="utf-8"))
    assert chart_keys(values) == CHART_KEYS
    config, learner, classes = load(PASSWORD=PASSWORD), values["singleuser"], values["hub"]["config"]
    spawner, idle = classes["KubeSpawner"], values["cull"]["timeout"]
    for trait in spawner:  # KubeSpawner is a Spawner
        assert Spawner.class_traits()[trait], trait
    assert classes["JupyterHub"]["authenticator_class"] == config.JupyterHub.authenticator_class
    assert classes["Authenticator"] == {
        name: config.Authenticator[name] for name in ("allow_all", "username_pattern")
    }
    assert "user_password" not in str(values), "no password in a file that is handed on"
    assert learner["cmd"][1:] == config.Spawner.cmd[1:]
    assert spawner["notebook_dir"] == config.Spawner.notebook_dir
    assert learner["defaultUrl"] == config.Spawner.default_url
    assert learner["startTimeout"] == spawner["http_timeout"] == config.Spawner.start_timeout
    assert learner["memory"]["limit"] == config.Spawner.mem_limit
    stopping = f"--ServerApp.shutdown_no_activity_timeout={idle}"  # the chart has its own culler
    assert [*spawner["args"], stopping] == config.Spawner.args
    inside = {
        name: value.replace("/srv/posenc_lessons/posenc_lessons", str(PACKAGE))
        for name, value in learner["extraEnv"].items()
    }
    assert inside == config.Spawner.environment


def test_learners_with_accounts_need_no_password_of_the_class(load: Callable[..., Config]) -> None:
    config = load(0, ACCOUNTS="1")
    assert (config.JupyterHub.authenticator_class, config.JupyterHub.spawner_class) == ("pam", AsAccount)
    assert config.Authenticator.blocked_users == {"root"}
    assert "allow_root" not in " ".join(config.Spawner.args)


@pytest.mark.parametrize(
    "name", ["ana", "小明", "zoë b.", "li-na_2", "o'neil", "a" * 33, "..", "a/b", "", " a"]
)
def test_a_name_becomes_a_folder(name: str, load: Callable[..., Config]) -> None:
    pattern = re.compile(load(PASSWORD=PASSWORD).Authenticator.username_pattern)
    assert bool(pattern.match(name)) == (name in {"ana", "小明", "li-na_2"})


def test_no_two_servers_get_the_same_port(load: Callable[..., Config]) -> None:
    give = load(PASSWORD=PASSWORD).Spawner.pre_spawn_hook
    servers = [type("Spawner", (), {"port": 0})() for _ in range(200)]
    for server in servers:
        give(server)
    ports = {server.port for server in servers}
    assert len(ports) == 200 and 0 not in ports


# Only the proxy.


class Backend(BaseHTTPRequestHandler):
    """A server that answers immediately, except for /slow, which waits until the test is over."""

    over = threading.Event()
    waiting = threading.Semaphore(0)

    def do_GET(self) -> None:
        if self.path == "/slow":
            self.waiting.release()
            self.over.wait(patience())
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing."""


def test_waiting_pages_do_not_block_others(tmp_path: Path) -> None:
    """Thirty learners wait for their servers; another one's request is answered meanwhile."""
    port, api = free_port(), free_port()
    backend = ThreadingHTTPServer(("127.0.0.1", 0), Backend)
    threading.Thread(target=backend.serve_forever, daemon=True).start()
    command = [sys.executable, "-m", "posenc_lessons.classroom.hub.proxy", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--api-ip=127.0.0.1", f"--api-port={api}"]
    command += [f"--default-target=http://127.0.0.1:{backend.server_port}"]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    log = tmp_path / "log.txt"
    with log.open("wb") as output:
        proxy = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
    try:
        wait_until_it_says(b"Proxy API at", proxy, log)
        address = f"http://127.0.0.1:{port}"
        with requests.Session() as session, ThreadPoolExecutor(30) as thirty:
            session.trust_env = False
            session.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=40))
            slow = [thirty.submit(session.get, f"{address}/slow", timeout=patience()) for _ in range(30)]
            try:
                assert all(Backend.waiting.acquire(timeout=patience()) for _ in slow)
                assert session.get(f"{address}/quick", timeout=patience()).status_code == 200
            finally:
                Backend.over.set()
            assert {answer.result().status_code for answer in slow} == {200}
    finally:
        proxy.terminate()
        proxy.wait(patience())
        backend.shutdown()
        backend.server_close()


def wait_until_it_says(words: bytes, process: subprocess.Popen[bytes], log: Path) -> None:
    wait_until(
        lambda: words in log.read_bytes() or process.poll() is not None, lambda: log.read_text("utf-8")
    )
    assert process.poll() is None, log.read_text("utf-8")


# The hub itself.


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


def test_two_learners_in_a_class(tmp_path: Path) -> None:
    """This is one test with several steps, because a hub takes seconds to start."""
    with running(tmp_path) as hub:
        the_login_page_speaks_both_languages(hub)
        a_wrong_password_or_an_odd_name_stays_outside(hub)
        ana, ming = Learner(hub.address, "ana"), Learner(hub.address, "小明")
        with ana.session, ming.session:
            with ThreadPoolExecutor(2) as both:
                list(both.map(Learner.sign_in, (ana, ming)))
            for learner in (ana, ming):
                each_arrives_at_the_first_lesson(learner)
            the_other_pages_speak_both_languages(ana)
            what_one_writes_is_theirs_alone(ana, ming, hub.folder)
            a_kernel_runs_the_lessons_within_its_limits(ana, hub.folder)
            page = ana.channel()  # stays open, but its kernel is not used
            too_large_a_tensor_is_an_error_of_one_notebook(ming)
            who_cannot_have_a_copy_is_told_at_once(hub)
            kernels_that_nobody_uses_are_closed(ana, page)
            a_server_that_was_closed_is_opened_again(ana)


def a_server_that_was_closed_is_opened_again(learner: Learner) -> None:
    home = learner.get("/hub/home").text
    (xsrf,) = re.findall(r'xsrf_token: "([^"]+)"', home)
    server = f"{learner.hub}/hub/api/users/{learner.name}/server"
    asked = {"X-XSRFToken": xsrf, "Referer": f"{learner.hub}/hub/home"}
    assert learner.session.delete(server, headers=asked, timeout=patience()).status_code in (202, 204)
    page = learner.get_when("课程已收起 · Your lessons are put away", f"{learner.home}lab")
    assert "打开课程 · Open the lessons" in page and "Nobody was using them" in page
    (button,) = re.findall(r'id="start"[^>]*href="([^"]+)"', page)
    learner.arrive(learner.get(html.unescape(button)))
    assert learner.lesson()["cells"][0]["source"] == "Ana was here."


def who_cannot_have_a_copy_is_told_at_once(hub: Hub) -> None:
    (hub.folder / "learners" / "bo").mkdir()
    (hub.folder / "learners" / "bo" / "posenc_lessons_course").touch()  # a file in place of the folder
    bo = Learner(hub.address, "bo")
    with bo.session:
        bo.enter(PASSWORD)
        page = bo.get_when("没能启动 · It did not start", "/hub/spawn-pending/bo")
        assert "日志里。 · The lessons did not open" in page


def the_login_page_speaks_both_languages(hub: Hub) -> None:
    nobody = Learner(hub.address, "")
    with nobody.session:
        page = nobody.get("/hub/login").text
    assert "名字 · Name:" in page and "密码 · Password:" in page and "登录 · Sign in" in page
    assert "没有加密" in page and "显示密码 · Show password" in page


def the_other_pages_speak_both_languages(learner: Learner) -> None:
    home = learner.get("/hub/home").text
    assert "打开课程 · Open my lessons" in home and "收起课程 · Put my lessons away" in home
    assert "退出 · Logout" in home


def a_wrong_password_or_an_odd_name_stays_outside(hub: Hub) -> None:
    tries = {"ana": "not the password", "bo": "", "..": PASSWORD, "a/b": PASSWORD, "a  b": PASSWORD}
    for name, password in tries.items():
        stranger = Learner(hub.address, name)
        with stranger.session:
            answer = stranger.enter(password)
            assert answer.status_code == 403
            assert "名字或密码不对 · Invalid username or password" in answer.text
            assert "最多 32 个字符。 · A name has letters and digits" in answer.text
            home = stranger.get("/hub/home")
            assert home.url.startswith(f"{hub.address}/hub/login")
    assert not (hub.folder / "learners").exists()


def each_arrives_at_the_first_lesson(learner: Learner) -> None:
    original = json.loads((shipped_lessons() / LESSON).read_text(encoding="utf-8"))
    assert learner.arrived == f"{learner.home}lab/tree/{LESSON}"
    assert [cell["source"] for cell in learner.lesson()["cells"]] == [
        "".join(cell["source"]) for cell in original["cells"]
    ]


def what_one_writes_is_theirs_alone(ana: Learner, ming: Learner, folder: Path) -> None:
    changed = ana.lesson()
    changed["cells"][0]["source"] = "Ana was here."
    sent = {"type": "notebook", "format": "json", "content": changed}
    assert ana.ask("PUT", f"api/contents/{LESSON}", json=sent).status_code == 200
    assert ana.lesson()["cells"][0]["source"] == "Ana was here."
    assert ming.lesson()["cells"][0]["source"] != "Ana was here."
    assert "Ana was here." not in (shipped_lessons() / LESSON).read_text(encoding="utf-8")
    written = folder / "learners" / "ana" / "posenc_lessons_course" / LESSON
    assert "Ana was here." in written.read_text(encoding="utf-8")
    theirs = ana.get(f"{ming.home}api/contents/{LESSON}")
    assert theirs.status_code == 403 and "cells" not in theirs.text
    assert folder.stat().st_mode & 0o077 == 0  # other accounts of the machine cannot look into it


def a_kernel_runs_the_lessons_within_its_limits(learner: Learner, folder: Path) -> None:
    code = """
import os, resource, sys, torch, posenc_lessons
print(torch.get_num_threads(), resource.getrlimit(resource.RLIMIT_DATA)[0], sys.executable)
print("POSENC_HUB_PASSWORD" in os.environ, os.environ["HOME"])
"""
    first, second = printed(learner.run(code)).splitlines()
    assert first == f"1 {2 * 1024**3} {sys.executable}"
    assert second == f"False {folder / 'learners' / learner.name}"


def too_large_a_tensor_is_an_error_of_one_notebook(learner: Learner) -> None:
    if sys.platform != "linux":  # other systems do not enforce this limit
        return
    heard = learner.run("import torch\ntorch.ones(2**30)")  # 4 GiB
    (error,) = [one["content"] for one in heard if one["msg_type"] == "error"]
    assert "can't allocate memory" in error["evalue"]
    assert learner.lesson()["cells"]


def kernels_that_nobody_uses_are_closed(learner: Learner, page: websocket.WebSocket) -> None:
    assert page.connected
    wait_until(lambda: learner.ask("GET", "api/kernels").json() == [], every=0.3)
    page.close()
    assert learner.lesson()["cells"][0]["source"] == "Ana was here."  # the learner's text stays


def printed(heard: list[dict[str, Any]]) -> str:
    return "".join(one["content"]["text"] for one in heard if one["msg_type"] == "stream")
