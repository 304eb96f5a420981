"""What both servers refuse, started as a reader starts them: strangers, other sites, code, forged limits."""

from __future__ import annotations

import asyncio
import json
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from jupyter_server.services.kernels.connection.base import serialize_msg_to_ws_v1
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest, HTTPResponse
from tornado.websocket import websocket_connect

from tests.support.learner import DRAGS, PROTOCOL, Learner
from tests.support.running import running

ROOT = Path(__file__).parents[2]
FOREIGN = ("evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example")
ROTATION = next(drag for drag in DRAGS if drag.explorer == "rotation")
# What a browser could ask a kernel for besides moving widgets, and the channel it would ask on.
FORGED: list[tuple[str, str, dict[str, Any]]] = [
    (channel, kind, content)
    for channel in ("shell", "control", "stdin", "iopub")
    for kind, content in (
        ("execute_request", {"code": "open({file!r}, 'w')", "silent": False, "store_history": False}),
        ("execute_request", {"code": "", "silent": True, "user_expressions": {"x": "open({file!r}, 'w')"}}),
        ("complete_request", {"code": "open({file!r}, 'w').", "cursor_pos": 20}),
        ("inspect_request", {"code": "open({file!r}, 'w')", "cursor_pos": 4, "detail_level": 1}),
        ("is_complete_request", {"code": "1"}),
        ("history_request", {"hist_access_type": "tail", "n": 9, "raw": True, "output": True}),
        ("create_subshell_request", {}),
        (
            "debug_request",
            {"type": "request", "seq": 1, "command": "evaluate", "arguments": {"expression": "1"}},
        ),
        ("interrupt_request", {}),
        ("apply_request", {}),
        ("input_reply", {"value": "open({file!r}, 'w')", "status": "ok"}),
    )
]


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[str]:
    """The address that ``posenc-lessons arguments…`` prints; the server ends with the block."""
    private = {
        name: str(folder / name.lower())
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    }
    private["POSENC_LESSONS_HOME"] = str(folder / "choices")
    private["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    with running(folder, private, *arguments) as (address, _):
        yield address


@pytest.fixture(scope="module")
def explore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with started(tmp_path_factory.mktemp("explore"), "explore") as address:
        yield address


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with started(tmp_path_factory.mktemp("lab"), "lab", "--dir", "course") as address:
        yield address


async def send_on(channel: str, learner: Learner, kind: str, content: dict[str, Any]) -> None:
    """Send a message on ``channel``: a page uses one of them, another client may use all."""
    assert learner._socket is not None
    header = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "session": "forged", "username": ""}
    parts = {"header": header | {"version": "5.3"}, "parent_header": {}, "metadata": {}, "content": content}
    packed = serialize_msg_to_ws_v1(parts, channel, pack=lambda part: json.dumps(part).encode())
    await learner._socket.write_message(packed, binary=True)


def site_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def key_of(address: str) -> str:
    return address.partition("token=")[2]


async def fetch(address: str, method: str = "GET", **headers: str) -> HTTPResponse:
    request = HTTPRequest(
        address,
        method,
        {name.replace("_", "-"): value for name, value in headers.items()},
        follow_redirects=False,
        allow_nonstandard_methods=True,
        request_timeout=60,
    )
    client = AsyncHTTPClient(force_instance=True)
    try:
        return await client.fetch(request, raise_error=False)
    finally:
        client.close()


async def refused_socket(address: str, **headers: str) -> int:
    """The status with which the server refuses a websocket; 101 when it does not."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    request = HTTPRequest(address.replace("http", "ws", 1), headers=headers, request_timeout=60)
    try:
        connection = await websocket_connect(request)
        connection.close()
        while await connection.read_message() is not None:
            pass  # what was on its way
    except HTTPClientError as error:
        return error.code
    return 101


def test_both_listen_on_this_machine_alone(explore: str, lab: str) -> None:
    for address in (explore, lab):
        assert urlsplit(address).hostname == "127.0.0.1" and len(key_of(address)) == 48


def test_nobody_without_the_key_gets_anything_of_jupyterlab(lab: str) -> None:
    async def knock() -> None:
        site = site_of(lab)
        for path in (
            "api/contents",
            "api/kernels",
            "api/sessions",
            "api/terminals",
            "api/me",
            "lab/api/settings",
        ):
            assert (await fetch(f"{site}/{path}")).code == 403, path
            assert (await fetch(f"{site}/{path}", Authorization="token wrong")).code == 403, path
            assert (await fetch(f"{site}/{path}?token=")).code == 403, path
        for path in ("api/kernels", "api/sessions", "api/terminals", "api/contents"):
            assert (await fetch(f"{site}/{path}", "POST")).code == 403, path
        for path in ("lab", "tree", "files/00_start_here.ipynb"):
            answer = await fetch(f"{site}/{path}")
            assert answer.code in (302, 403) and "login" in answer.headers.get("Location", "login"), path
        assert await refused_socket(f"{site}/api/kernels/{uuid.uuid4()}/channels") == 403
        assert await refused_socket(f"{site}/api/events/subscribe") == 403

    asyncio.run(knock())


def test_another_site_s_page_gets_nothing_of_jupyterlab(lab: str) -> None:
    async def knock() -> None:
        site, key = site_of(lab), key_of(lab)
        cookie = await signed_in(lab)
        kernel = json.loads((await fetch(f"{site}/api/kernels", "POST", Authorization=f"token {key}")).body)[
            "id"
        ]
        channels = f"{site}/api/kernels/{kernel}/channels"
        assert await refused_socket(channels, Cookie=cookie, Origin=site) == 101
        assert await refused_socket(channels, Cookie=cookie, Origin="null") == 403
        for host in FOREIGN:
            # A page elsewhere that talks to this server, and one whose name was made to point here.
            assert await refused_socket(channels, Cookie=cookie, Origin=f"http://{host}") == 403
            assert await refused_socket(channels, Cookie=cookie, Origin=f"http://{host}", Host=host) == 403
            assert (await fetch(f"{site}/api/contents", Cookie=cookie, Host=host)).code == 403
            assert (await fetch(f"{site}/api/contents?token={key}", Host=host)).code == 403
            answer = await fetch(f"{site}/api/kernels", "POST", Cookie=cookie, Origin=f"http://{host}")
            assert answer.code in (403, 404)

    asyncio.run(knock())


async def signed_in(address: str) -> str:
    """The cookies of a browser that opened ``address``."""
    answer = await fetch(address)
    assert answer.code == 200
    return "; ".join(line.partition(";")[0] for line in answer.headers.get_list("Set-Cookie"))


def test_another_site_s_page_gets_nothing_of_the_explorers(explore: str) -> None:
    async def knock() -> None:
        site, key = site_of(explore), key_of(explore)
        learner = Learner(explore, ROTATION, "en")
        await learner.arrive()
        cookie = learner._cookie
        channels = f"{site}/api/kernels/{learner.kernel}/channels"
        ours = {"Cookie": cookie, "Sec_WebSocket_Protocol": PROTOCOL}
        assert await refused_socket(channels, **ours, Origin=site) == 101
        assert await refused_socket(channels, **ours, Origin="null") == 403
        assert await refused_socket(channels) == 403
        for host in FOREIGN:
            assert await refused_socket(channels, **ours, Origin=f"http://{host}") == 403
            assert await refused_socket(channels, **ours, Origin=f"http://{host}", Host=host) == 403
            assert (await fetch(f"{site}/?token={key}", Host=host)).code == 403
            goodbye = f"{site}/voila/api/shutdown/{learner.kernel}"
            assert (await fetch(goodbye, "POST", Cookie=cookie, Origin=f"http://{host}")).code in (403, 404)
        await learner.leave()

    asyncio.run(knock())


def test_the_explorers_page_hands_out_no_files_no_list_and_no_other_template(explore: str) -> None:
    async def knock() -> None:
        site, key = site_of(explore), key_of(explore)
        listed = (
            "api/kernels",
            "api/contents",
            "api/sessions",
            "api/terminals",
            "voila/files/explorer.ipynb",
        )
        climbing = (
            "voila/files/..%2f..%2f..%2fetc%2fpasswd",
            "voila/files/%2fetc%2fpasswd",
            "voila/static/..%2f..%2f..%2f..%2fetc%2fpasswd",
            "voila/templates/lab/static/%2fetc%2fpasswd",
            "voila/templates/lab/static/a%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
        )
        for path in (*listed, *climbing):
            answer = await fetch(f"{site}/{path}", Authorization=f"token {key}")
            if answer.code == 302:  # whatever it does not know it looks for among files
                answer = await fetch(site + answer.headers["Location"], Authorization=f"token {key}")
            assert answer.code in (403, 404, 500), path  # of some Voilà says that it cannot be
            assert b"root:" not in (answer.body or b"")
        for asked in ("template=lab", "template=../../../tmp", "theme=dark"):
            page = (await fetch(f"{explore}&{asked}")).body.decode()
            assert 'name="posenc-page"' in page and "cdn.jsdelivr.net" not in page, asked

    asyncio.run(knock())


def test_no_code_and_no_question_reaches_a_kernel(explore: str, tmp_path: Path) -> None:
    file = tmp_path / "written"

    def with_file(content: dict[str, Any]) -> dict[str, Any]:
        return json.loads(json.dumps(content).replace("{file!r}", repr(str(file)).replace("'", "\\u0027")))

    async def forge() -> None:
        learner = Learner(explore, ROTATION, "en")
        await learner.arrive()
        answered: list[str] = []
        hear = learner._hear
        learner._hear = lambda kind, content, buffers: (answered.append(kind), hear(kind, content, buffers))  # type: ignore[method-assign, assignment]
        for channel, kind, content in FORGED:
            await send_on(channel, learner, kind, with_file(content))
        await learner.move(ROTATION.values[3])  # the kernel has been through all of them, and lives
        assert set(answered) <= {"status", "comm_msg"}
        await learner.leave()

    asyncio.run(forge())
    assert not file.exists()


def test_an_older_protocol_is_not_spoken(explore: str) -> None:
    """In it Voilà counts for years over the first picture, and answers nobody else meanwhile."""

    async def knock() -> None:
        learner = Learner(explore, ROTATION, "en")
        await learner.arrive()
        channels = f"{site_of(explore)}/api/kernels/{learner.kernel}/channels?session_id=old"
        assert await refused_socket(channels, Cookie=learner._cookie) == 400
        assert await refused_socket(channels, Cookie=learner._cookie, Sec_WebSocket_Protocol="v0") == 400
        await learner.move(ROTATION.values[2])
        await learner.leave()

    asyncio.run(knock())


def test_limits_hold_on_the_way_through_the_server(explore: str) -> None:
    async def forge() -> None:
        learner = Learner(explore, ROTATION, "en")
        await learner.arrive()
        slider, canvas = learner._shown("control"), learner._shown("canvas")
        for state in (
            {"max": 10**9, "min": -(10**9), "step": 0},
            {"max": 10**9, "value": 10**9},
            {"value": "NaN"},
            {"value": [10**9] * 1000},
            {"value": None, "_model_module": "evil", "layout": "IPY_MODEL_none"},
        ):
            content = {"comm_id": slider, "data": {"method": "update", "state": state, "buffer_paths": []}}
            await learner._request("comm_msg", content)
        for model in (slider, canvas):
            for data in (
                {},
                {"method": "custom"},
                {"method": "update", "state": 3},
                {"method": "no such"},
                "text",
                None,
            ):
                await learner._request("comm_msg", {"comm_id": model, "data": data})
        told: list[dict[str, Any]] = []
        hear = learner._hear
        learner._hear = lambda kind, content, buffers: (told.append(content), hear(kind, content, buffers))  # type: ignore[method-assign, assignment]
        for name in ("IntSlider", "FileUpload", "HTML"):
            made = {"_model_module": "@jupyter-widgets/controls", "_model_module_version": "2.0.0"}
            made |= {"_view_module": "@jupyter-widgets/controls", "_view_module_version": "2.0.0"}
            made |= {"_model_name": f"{name}Model", "_view_name": f"{name}View"}
            opening = {"comm_id": f"forged {name}", "target_name": "jupyter.widget", "data": {"state": made}}
            await learner._request("comm_open", opening, {"version": "2.1.0"})
        await learner._request("comm_info_request", {"target_name": "jupyter.widget"})
        await learner._until(lambda: any("comms" in content for content in told))  # on a channel of its own
        (known,) = [content["comms"] for content in told if "comms" in content]
        assert slider in known and not [comm for comm in known if comm.startswith("forged")]
        assert learner._models[slider]["max"] == 200 and learner._models[slider]["value"] <= 200
        await learner.move(ROTATION.values[5])  # which is the right picture, or this raises
        await learner.leave()

    asyncio.run(forge())
