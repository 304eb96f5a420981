"""The explorers' page for a class: forked kernels that share memory and nothing else, and leave nothing."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from jupyter_client import BlockingKernelClient
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from posenc_lessons.classroom.forked import Nursery
from posenc_lessons.classroom.settings import FORKS
from posenc_lessons.course.folder import shipped_lessons
from posenc_lessons.language import Language
from tests.support import learner
from tests.support.learner import DRAGS, Learner, Wrong
from tests.support.pages import kernels, voila

pytestmark = pytest.mark.skipif(not FORKS, reason="kernels are forked on Linux alone")

SINUSOID, ROTATION, RACE = (DRAGS[place] for place in (1, 3, 6))
GONE_AFTER = 2  # seconds that a kernel waits for its page here
LEARNERS = 2
IN_KERNEL = """
import json, os, random, tempfile
import numpy, torch
from IPython import get_ipython
print(json.dumps({
    "chance": [random.random(), numpy.random.random(), torch.rand(1).item()],
    "names": next(tempfile._get_candidate_names()),
    "threads": [torch.get_num_threads(), os.environ["OMP_NUM_THREADS"]],
    "secrets": [name for name, value in os.environ.items() if "token" in (name + value).lower()],
    "history": bool(get_ipython().history_manager.enabled),
    "folder": os.getcwd(),
    "forged": "forged" in globals(),
    "parent": os.getppid(),
}))
"""


@dataclass(frozen=True)
class Room:
    """A running server, its process and its private folder."""

    address: str
    server: psutil.Process
    folder: Path

    def learner(self, drag: Any = SINUSOID, spoken: Language = "en") -> Learner:
        return Learner(self.address, drag, spoken)

    def kernels(self) -> list[psutil.Process]:
        return kernels(self.server)

    def nursery(self) -> psutil.Process:
        (found,) = self.server.children()
        return found

    def ask(self, kernel: str) -> dict[str, Any]:
        """What a kernel says of itself, asked past the server."""
        return json.loads(self.run(kernel, IN_KERNEL))

    def run(self, kernel: str, code: str) -> str:
        client = BlockingKernelClient(connection_file=str(self.folder / f"kernel-{kernel}.json"))
        client.load_connection_file()
        client.start_channels()
        said = []
        try:
            client.execute_interactive(
                code, timeout=20, output_hook=lambda message: said.append(message["content"].get("text", ""))
            )
        finally:
            client.stop_channels()
            client.context.term()
        return "".join(said)


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    options = (
        f"--Explorers.learners={LEARNERS}",
        "--Kernels.cull_interval=1",
        f"--Kernels.cull_idle_timeout={GONE_AFTER}",
    )
    with opened(*options) as made:
        yield made
        left = [made.server, *made.server.children(recursive=True)]
    assert not any(is_alive(each) for each in left)
    assert not made.folder.exists()


class opened:
    """A server with a private folder for temporary files, whose names are not too long for sockets."""

    def __init__(self, *options: str) -> None:
        self._options = options

    def __enter__(self) -> Room:
        self._temporary = Path(tempfile.mkdtemp(prefix="room-"))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TMPDIR", str(self._temporary))
            patch.setattr(tempfile, "tempdir", None)
            self._serving = voila(
                shipped_lessons() / "explorer.ipynb",
                *self._options,
                module="posenc_lessons.classroom.server",
            )
            address = self._serving.__enter__()
        port = f"--Voila.port={urlsplit(address).port}"
        (server,) = (each for each in psutil.Process().children() if port in each.cmdline())
        (folder,) = self._temporary.glob("voila_*")
        return Room(address, server, folder)

    def __exit__(self, *error: Any) -> None:
        self._serving.__exit__(*error)
        shutil.rmtree(self._temporary)


def is_alive(process: psutil.Process) -> bool:
    """Whether it still does something; what waits for its parent to notice its end does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_until(condition: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def together(room: Room, *learners: Learner, then: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Let the learners arrive, do something, and let them leave."""

    async def attend() -> None:
        await asyncio.gather(*(each.arrive() for each in learners))
        try:
            await then()
        finally:
            await asyncio.gather(*(each.leave() for each in learners))

    asyncio.run(attend())
    wait_until(lambda: room.kernels() == [])


def test_two_learners_see_their_own_pictures_in_their_own_language(room: Room) -> None:
    one, other = room.learner(SINUSOID, "en"), room.learner(SINUSOID, "zh")

    async def drag() -> None:
        for value in (40, 42, 44):
            await asyncio.gather(one.move(value), other.move(value + 20))
        assert one._models[one._shown("control")]["value"] == 44
        assert other._models[other._shown("control")]["value"] == 64

    together(room, one, other, then=drag)


def test_a_wrong_picture_would_be_noticed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    one = room.learner()

    async def expect_another() -> None:
        await one.move(44)
        monkeypatch.setattr(learner, "expected", lambda drag, spoken: {46: "another"})
        with pytest.raises(Wrong, match="not the picture for position = 46"):
            await one.move(46)

    together(room, one, then=expect_another)


def test_kernels_share_no_chance_no_names_no_folder_and_no_secret(room: Room) -> None:
    one, other = room.learner(), room.learner(ROTATION)

    async def ask() -> None:
        said = [room.ask(each.kernel) for each in (one, other)]
        for a, b in zip(*(each["chance"] for each in said), strict=True):
            assert a != b
        assert said[0]["names"] != said[1]["names"]
        assert {each["folder"] for each in said} == {str(room.folder / each.kernel) for each in (one, other)}
        for each in said:
            assert each["threads"] == [1, "1"]
            assert each["secrets"] == []
            assert not each["history"]
            assert each["parent"] == room.nursery().pid
        assert list(room.folder.rglob("history.sqlite")) == []

    together(room, one, other, then=ask)


def test_a_choice_of_language_is_kept_for_its_learner_alone(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = room.learner(), room.learner()

    async def choose() -> None:
        for each, place in ((one, 0), (other, 1)):
            switch = each._only(lambda state: state.get("_model_name") == "ToggleButtonsModel")
            await each._update(switch, {"index": place})
        kept = [
            json.loads((room.folder / each.kernel / "choices.json").read_text())["language"]
            for each in (one, other)
        ]
        assert kept == ["zh", "en"]

    together(room, one, other, then=choose)


def test_nobody_trains_on_the_machine_of_all(room: Room) -> None:
    one = room.learner(RACE)

    async def press_start() -> None:
        await one.move(3)
        start = one._only(
            lambda state: state.get("description") == "Start" and state["_model_name"] == "ButtonModel"
        )
        assert one._models[start]["disabled"]
        content = {"comm_id": start, "data": {"method": "custom", "content": {"event": "click"}}}
        await one._request("comm_msg", content)
        assert any("nothing is trained on it" in str(state.get("value")) for state in one._models.values())
        (kernel,) = room.kernels()
        assert kernel.children(recursive=True) == []

    together(room, one, then=press_start)


def test_a_page_that_is_left_gives_its_kernel_back_at_once(room: Room) -> None:
    one, other = room.learner(), room.learner()

    async def leave_one() -> None:
        third = room.learner()
        await third.arrive()
        assert len(room.kernels()) == 3
        await third.leave()
        await asyncio.to_thread(wait_until, lambda: len(room.kernels()) == 2, 3)
        assert not (room.folder / third.kernel).exists()

    together(room, one, other, then=leave_one)


def test_a_lost_page_has_a_while_to_come_back_and_a_connected_one_stays(room: Room) -> None:
    stays, lost, back = room.learner(), room.learner(), room.learner(ROTATION)

    async def lose() -> None:
        await lost.arrive()
        await back.arrive()
        for each in (lost, back):
            assert each._socket is not None
            each._socket.close()
        await asyncio.sleep(GONE_AFTER / 2)
        await back.connect()
        await back.move(6)
        await asyncio.to_thread(wait_until, lambda: len(room.kernels()) == 2, GONE_AFTER + 5)
        await back.move(9)
        await stays.move(44)
        await lost.disconnect()
        await back.leave()

    together(room, stays, then=lose)


def test_code_sent_by_hand_is_not_run(room: Room) -> None:
    one = room.learner()

    async def forge() -> None:
        code = {"code": "forged = 1", "silent": False, "store_history": False, "user_expressions": {}}
        await one.send("execute_request", {**code, "allow_stdin": False, "stop_on_error": True})
        for kind, content in (
            ("complete_request", {"code": "impor", "cursor_pos": 5}),
            ("debug_request", {}),
        ):
            await one.send(kind, content)
        await one._request("kernel_info_request", {})  # all before it has been dealt with
        assert not room.ask(one.kernel)["forged"]
        room.run(one.kernel, "forged = 1")
        assert room.ask(one.kernel)["forged"], "had it been run, this would have been seen"

    together(room, one, then=forge)


def test_nothing_is_served_without_the_key(room: Room) -> None:
    one = room.learner()

    async def knock() -> None:
        client = AsyncHTTPClient(force_instance=True)
        bare = room.address.partition("?")[0]
        for path in ("", f"api/kernels/{one.kernel}"):
            request = HTTPRequest(bare + path, follow_redirects=False)
            answer = await client.fetch(request, raise_error=False)
            assert answer.code in (302, 403), path
            assert "login" in answer.headers.get("Location", "login")
        goodbye = HTTPRequest(f"{bare}voila/api/shutdown/{one.kernel}", method="POST", body="")
        assert (await client.fetch(goodbye, raise_error=False)).code == 403
        client.close()
        with pytest.raises(HTTPClientError) as refused:
            await websocket_connect(f"{bare}api/kernels/{one.kernel}/channels".replace("http", "ws", 1))
        assert refused.value.code == 403
        await one.move(44)

    together(room, one, then=knock)


def test_a_full_server_says_so_in_both_languages(room: Room) -> None:
    class_ = [room.learner() for _ in range(2 * LEARNERS)]

    async def one_more() -> None:
        answer = await class_[0].fetch(HTTPRequest(room.address))
        assert answer.code == 503
        page = answer.body.decode()
        assert "This server has 4 pages open" in page and "已经打开了 4 个页面" in page
        assert "Traceback" not in page
        await class_[3].move(44)

    together(room, *class_, then=one_more)


def test_after_a_crash_the_next_page_is_well(room: Room) -> None:
    one, other = room.learner(), room.learner(ROTATION)

    async def crash() -> None:
        (pid,) = {room.run(one.kernel, "import os; print(os.getpid(), end='')")}
        os.kill(int(pid), signal.SIGKILL)
        again = room.learner()
        await again.arrive()
        await again.move(44)
        await again.leave()
        await other.move(6)

    together(room, one, other, then=crash)


def test_with_what_is_forked_go_its_kernels_and_with_the_server_everything() -> None:
    with opened(f"--Explorers.learners={LEARNERS}") as room:

        async def lose_the_nursery() -> None:
            one, other = room.learner(), room.learner()
            await one.arrive()
            (kernel,), before = room.kernels(), room.nursery()
            before.kill()
            await asyncio.to_thread(wait_until, lambda: not is_alive(kernel), 5)
            await one.disconnect()
            await other.arrive()  # another one is there to be forked
            await other.move(44)
            assert room.nursery().pid != before.pid
            await other.disconnect()

        asyncio.run(lose_the_nursery())
        all_of_them = room.server.children(recursive=True)
        assert len(all_of_them) >= 2
        room.server.kill()
        wait_until(lambda: not any(is_alive(each) for each in all_of_them), 5)


def test_whoever_waits_for_a_kernel_hears_of_the_end_also_when_another_gave_up(tmp_path: Path) -> None:
    nursery = Nursery(os.environ)

    async def wait_for_two() -> None:
        asked = [
            asyncio.create_task(nursery.kernel(str(tmp_path / name), str(tmp_path), {})) for name in "ab"
        ]
        await asyncio.sleep(0)
        asked[0].cancel()
        psutil.Process(nursery.pid).kill()
        with pytest.raises(RuntimeError, match="forked from has ended"):
            await asyncio.wait_for(asked[1], 10)

    asyncio.run(wait_for_two())
    nursery.close()


def hear_ctrl_c() -> None:
    """Tests that run in the background of a shell are deaf to it, and so would be what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_stopped_while_it_is_still_loading_it_leaves_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "posenc_lessons.cli", "explore", "--no-browser", "--learners=2"]
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=hear_ctrl_c,
    ) as process:
        try:
            assert process.stdout is not None
            while not process.stdout.readline().startswith("Ctrl+C"):
                assert process.poll() is None
            family = psutil.Process(process.pid).children(recursive=True)
            assert len(family) == 2
            os.killpg(process.pid, signal.SIGINT)  # as Ctrl+C does: all in front of the terminal hear it
            rest = process.communicate(timeout=20)[0]
        finally:
            process.terminate()  # or a test that failed would wait for it
    assert "Traceback" not in rest and process.returncode == 0
    wait_until(lambda: not any(is_alive(each) for each in family))
    assert list(tmp_path.glob("voila_*")) == []


def test_without_forks_the_kernels_are_ordinary_and_as_much_apart() -> None:
    with opened("--Explorers.learners=2", "--Explorers.forked=False") as room:
        one = room.learner()

        async def ask() -> None:
            await one.move(44)
            said = room.ask(one.kernel)
            assert said["parent"] == room.server.pid
            assert said["threads"] == [1, "1"] and said["secrets"] == []
            assert said["folder"] == str(room.folder / one.kernel)

        together(room, one, then=ask)
