"""A learner at the explorers' page, as the server sees one: the page, the websocket, the widgets' messages.

What a browser would do is done here by hand, message by message, because thirty browsers would not leave the
server a core to run on. Each answer is compared with what the explorer shows when it is asked in this
process.
"""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import json
import re
import time
import uuid
from collections.abc import Coroutine
from dataclasses import dataclass
from functools import cache
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from jupyter_server.services.kernels.connection.base import (
    deserialize_msg_from_ws_v1,
    serialize_msg_to_ws_v1,
)
from tornado.httpclient import AsyncHTTPClient, HTTPRequest, HTTPResponse
from tornado.websocket import WebSocketClientConnection, websocket_connect

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.live import data_name

PROTOCOL = "v1.kernel.websocket.jupyter.org"
PATIENCE = 120.0  # seconds for a page to open; one kernel of thirty that start at once on few cores is slow
ANSWER = 20.0  # seconds for an answer to a slider
CONTROL = "jupyter.widget.control"
MANY = 200  # connections at once; tornado's own limit is 10


class Wrong(Exception):
    """An answer that was not the right one, or none."""


@dataclass(frozen=True)
class Drag:
    """A control that is dragged over ``values``: those of a slider, or places in a menu."""

    explorer: str
    control: str
    values: tuple[int, ...]
    trait: str = "value"


DRAGS = (
    Drag("shuffle", "arrangement", tuple(range(24))),
    Drag("sinusoid", "position", tuple(range(20, 100, 2))),
    Drag("distance", "clip", tuple(range(1, 9))),
    Drag("rotation", "m", tuple(range(0, 120, 3))),
    Drag("gate", "query", tuple(range(14, 28))),
    Drag("attention", "step", tuple(range(1, 12))),
    Drag("race", "highlight", tuple(range(9)), "index"),
)


class Learner:
    """One page. ``await arrive()`` opens it, ``await move(value)`` moves the slider of ``drag`` and waits."""

    def __init__(self, address: str, drag: Drag, spoken: language.Language) -> None:
        self.drag, self.spoken = drag, spoken
        self._address = address
        self._server = "{0.scheme}://{0.netloc}".format(urlsplit(address))
        self._session = uuid.uuid4().hex
        # The page's script makes this one up; a goodbye shows that it can read it.
        self._cookies = SimpleCookie({"_xsrf": uuid.uuid4().hex})
        self._http = AsyncHTTPClient(force_instance=True, max_clients=MANY)
        self._socket: WebSocketClientConnection | None = None
        self._models: dict[str, dict[str, Any]] = {}
        self._idle: dict[str, asyncio.Event] = {}
        self._news = asyncio.Condition()
        self._listener: asyncio.Task[None] | None = None
        self.kernel = ""
        self.answered = 0.0  # when the last canvas data arrived

    # ---- the page ----

    async def arrive(self) -> None:
        """Open the page by a link to the explorer, until its picture is there."""
        page = (await self.get(f"{self._address}&explorer={self.drag.explorer}&lang={self.spoken}")).decode()
        for script in re.findall(r'<script src="(/[^"]+)"', page):
            await self.get(self._server + script)
        config = json.loads(re.findall(r'id="jupyter-config-data"[^>]*>(.*?)</script>', page, re.S)[0])
        shown = re.findall(r'"model_id": "(\w+)"', page)
        self.kernel = config["kernelId"]
        await self.get(f"{self._server}/api/kernels/{self.kernel}")
        await self.connect()
        await self._request("kernel_info_request", {})
        await self._load_models()
        if len(shown) != 1 or shown[0] not in self._models:
            raise Wrong(f"the page shows the widgets {shown}, the kernel has {len(self._models)} others")
        address = self._only(lambda state: "arrived" in state)
        asked = f"token=…&explorer={self.drag.explorer}&lang={self.spoken}"
        await self._update(address, {"asked": asked, "arrived": True})
        await self._until(self._is_shown)

    async def get(self, address: str) -> bytes:
        """What the server answers to the browser's request."""
        answer = await self.fetch(HTTPRequest(address, request_timeout=PATIENCE))
        if answer.code != 200:
            raise Wrong(f"{answer.code} {answer.reason} for {urlsplit(address).path}")
        return bytes(answer.body)

    async def fetch(self, request: HTTPRequest) -> HTTPResponse:
        """Send a request with the page's cookies and keep those that come back; no error for any answer."""
        request.headers["Cookie"] = self._cookie
        request.follow_redirects = False
        answer = await self._http.fetch(request, raise_error=False)
        if answer.error is not None and answer.code == 599:  # no answer at all
            raise answer.error
        for line in answer.headers.get_list("Set-Cookie"):
            self._cookies.load(line)
        return answer

    @property
    def _cookie(self) -> str:
        return "; ".join(f"{name}={each.coded_value}" for name, each in self._cookies.items())

    async def leave(self) -> None:
        """Close the page as a browser does: Voilà's script says goodbye, which ends the kernel."""
        status = (await self.goodbye()).code
        await self.disconnect()
        if status != 204:
            raise Wrong(f"the server answered a goodbye with {status}")

    async def goodbye(self) -> HTTPResponse:
        body = f"_xsrf={self._cookies['_xsrf'].value}"
        address = f"{self._server}/voila/api/shutdown/{self.kernel}"
        return await self.fetch(HTTPRequest(address, method="POST", body=body, request_timeout=PATIENCE))

    # ---- the slider ----

    async def move(self, value: int) -> float:
        """Move the slider; seconds until the picture is there. Raises Wrong when it is not the right one."""
        canvas = self._shown("canvas")
        before = self._models[canvas]["edition"]
        started = time.perf_counter()
        await self._update(self._shown("control"), {self.drag.trait: value})
        if self._models[canvas]["edition"] == before:
            raise Wrong(f"no picture came for {self.drag.control} = {value} of {self.drag.explorer}")
        if fingerprint(self._models[canvas]) != expected(self.drag, self.spoken)[value]:
            raise Wrong(f"not the picture for {self.drag.control} = {value} of {self.drag.explorer}")
        return self.answered - started

    def _is_shown(self) -> bool:
        """Whether the explorer asked for is open and painted in the language asked for."""
        try:
            canvas = self._models[self._shown("canvas")]
        except Wrong:
            return False
        return fingerprint(canvas) == first_picture(self.drag.explorer, self.spoken)

    def _shown(self, what: str) -> str:
        """The id of the canvas, or of the dragged control, of the explorer in the open tab."""
        tabs = self._models[self._only(lambda state: state.get("_model_name") == "TabModel")]
        panel = tabs["children"][tabs["selected_index"]]
        explorer = self._below(panel, lambda state: "posenc-explorer" in state.get("_dom_classes", ()))
        if what == "canvas":
            return self._below(explorer, lambda state: "edition" in state)
        grid = self._below(explorer, lambda state: state.get("_model_name") == "GridBoxModel")
        place = list(_twin(self.drag.explorer, self.spoken).controls).index(self.drag.control)
        return _model_id(self._models[grid]["children"][place])

    def _below(self, reference: str, wanted: Any) -> str:
        ids = [_model_id(reference)]
        while ids:
            model_id = ids.pop(0)
            state = self._models.get(model_id)
            if state is None:  # named, and on its way
                continue
            if wanted(state):
                return model_id
            ids += [_model_id(child) for child in state.get("children", ())]
        raise Wrong("a widget of the page is missing")

    def _only(self, wanted: Any) -> str:
        (found,) = [model_id for model_id, state in self._models.items() if wanted(state)]
        return found

    # ---- the websocket ----

    async def connect(self) -> None:
        address = f"{self._server}/api/kernels/{self.kernel}/channels?session_id={self._session}"
        request = HTTPRequest(address.replace("http", "ws", 1), headers={"Cookie": self._cookie})
        self._socket = await websocket_connect(request, subprotocols=[PROTOCOL], max_message_size=1 << 27)
        self._listener = asyncio.create_task(self._listen(self._socket))

    async def disconnect(self) -> None:
        """Lose the connection, without a word."""
        if self._socket is not None and self._listener is not None:
            self._socket.close()
            await self._listener
        self._http.close()

    async def _listen(self, connection: WebSocketClientConnection) -> None:
        while (message := await connection.read_message()) is not None:
            _, parts = deserialize_msg_from_ws_v1(message)
            header, parent, content = (json.loads(parts[place]) for place in (0, 1, 3))
            self._hear(header["msg_type"], content, parts[4:])
            if header["msg_type"] == "status" and content["execution_state"] == "idle":
                event = self._idle.pop(parent.get("msg_id"), None)
                if event is not None:
                    event.set()
            async with self._news:
                self._news.notify_all()

    def _hear(self, kind: str, content: dict[str, Any], buffers: list[bytes]) -> None:
        data = content.get("data", {})
        if kind == "comm_open":
            self._models[content["comm_id"]] = _joined(data["state"], data.get("buffer_paths", ()), buffers)
        elif kind == "comm_close":
            self._models.pop(content["comm_id"], None)
        elif kind == "comm_msg" and data.get("method") == "update_states":
            states = _joined(data["states"], data["buffer_paths"], buffers)
            self._models |= {model_id: each["state"] for model_id, each in states.items()}
        elif kind == "comm_msg" and data.get("method") in ("update", "echo_update"):
            state = _joined(data["state"], data.get("buffer_paths", ()), buffers)
            self._models.setdefault(content["comm_id"], {}).update(state)
            if "edition" in state:
                self.answered = time.perf_counter()

    async def send(self, kind: str, content: dict[str, Any], metadata: dict[str, Any] | None = None) -> str:
        """Send a message on the shell channel; its id."""
        assert self._socket is not None
        now = datetime.datetime.now(datetime.timezone.utc).isoformat()
        header = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "date": now, "version": "5.2"}
        header |= {"session": self._session, "username": ""}
        parts = {"header": header, "parent_header": {}, "metadata": metadata or {}, "content": content}
        packed = serialize_msg_to_ws_v1(parts, "shell", pack=lambda part: json.dumps(part).encode())
        await self._socket.write_message(packed, binary=True)
        return header["msg_id"]

    async def _request(
        self, kind: str, content: dict[str, Any], metadata: dict[str, Any] | None = None
    ) -> None:
        """Send a message and wait until the kernel is done with it."""
        assert self._listener is not None
        done = asyncio.Event()
        self._idle[await self.send(kind, content, metadata)] = done
        await self._or_lost(done.wait(), f"an answer to {kind}")

    async def _or_lost(self, awaited: Coroutine[Any, Any, Any], name: str) -> None:
        """Wait for it, or raise what has ended the connection, or Wrong when that was silence."""
        assert self._listener is not None
        waiting = asyncio.ensure_future(awaited)
        await asyncio.wait([waiting, self._listener], timeout=ANSWER, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
            if self._listener.done():
                self._listener.result()
                raise Wrong(f"the connection was closed before {name}")
            raise Wrong(f"{name} did not come in {ANSWER:.0f} s")

    async def _update(self, model_id: str, state: dict[str, Any]) -> None:
        self._models[model_id] |= state
        content = {"comm_id": model_id, "data": {"method": "update", "state": state, "buffer_paths": []}}
        await self._request("comm_msg", content)

    async def _load_models(self) -> None:
        comm = uuid.uuid4().hex
        opening = {"comm_id": comm, "target_name": CONTROL, "data": {}}
        await self._request("comm_open", opening, {"version": "1.0.0"})
        await self._request("comm_msg", {"comm_id": comm, "data": {"method": "request_states"}})
        await self._until(lambda: bool(self._models))

    async def _until(self, condition: Any) -> None:
        async def wait() -> None:
            async with self._news:
                await self._news.wait_for(condition)

        await self._or_lost(wait(), "the page's picture")


def _joined(state: Any, paths: Any, buffers: list[bytes]) -> Any:
    """``state`` with the binary parts, which travel apart, back in their places."""
    for path, buffer in zip(paths, buffers, strict=True):
        inside = state
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = bytes(buffer)
    return state


def _model_id(reference: str) -> str:
    return reference.removeprefix("IPY_MODEL_")


# ---- what is right ----


def fingerprint(canvas: dict[str, Any]) -> str:
    """Of all that a canvas shows: the frame, the axes, every layer's data, the words of its alt text."""
    panels = canvas["stage"]["panels"]
    layers = [data_name(panel, layer) for panel, looks in panels.items() for layer in looks["layers"]]
    found = hashlib.sha256()
    _feed(found, {name: canvas[name] for name in ("frame", "stage", "axes", "alt", *layers)})
    return found.hexdigest()


def _feed(found: Any, value: Any) -> None:
    if isinstance(value, dict):
        for name in sorted(value):
            found.update(name.encode())
            _feed(found, value[name])
    elif isinstance(value, (list, tuple)):
        for each in value:
            _feed(found, each)
    else:
        found.update(value if isinstance(value, bytes) else json.dumps(value).encode())


@cache
def _twin(name: str, spoken: language.Language) -> Any:
    """The same explorer in this process."""
    language.choose(spoken)
    (kind,) = [each for each in EXPLORERS if each.name == name]
    return kind()


@cache
def first_picture(name: str, spoken: language.Language) -> str:
    """The fingerprint of what an explorer shows when it opens."""
    language.choose(spoken)
    twin = _twin(name, spoken)
    twin.reset()
    return fingerprint(twin.canvas.get_state())


@cache
def expected(drag: Drag, spoken: language.Language) -> dict[int, str]:
    """The fingerprint of the picture for each value of ``drag``."""
    language.choose(spoken)
    twin = _twin(drag.explorer, spoken)
    twin.reset()
    found = {}
    for value in drag.values:
        setattr(twin.controls[drag.control], drag.trait, value)
        found[value] = fingerprint(twin.canvas.get_state())
    return found
