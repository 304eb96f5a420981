"""The websocket between a page and its kernel, for pages of this server alone."""

from __future__ import annotations

from typing import Any

from tornado.web import HTTPError
from voila.tornado.kernel_websocket_handler import (  # type: ignore[import-untyped]
    VoilaKernelWebsocketHandler,
)

PROTOCOL = "v1.kernel.websocket.jupyter.org"


class Channels(VoilaKernelWebsocketHandler):
    """Speaks the protocol that its page speaks.

    In the older one Voilà takes the head of a picture's message for a count of parts, and counts for years:
    one such connection would stop the page of every learner.
    """

    async def pre_get(self) -> None:
        await super().pre_get()
        offered = self.request.headers.get("Sec-WebSocket-Protocol", "")
        if PROTOCOL not in [each.strip() for each in offered.split(",")]:
            raise HTTPError(400, f"only {PROTOCOL} is spoken here")

    async def open(self, *arguments: Any, **named: Any) -> None:
        # An answer is five small messages. Without this the second waits until the browser's system has
        # acknowledged the first, which it puts off for 40 ms.
        self.set_nodelay(True)
        await super().open(*arguments, **named)


def for_our_pages(handlers: list[Any]) -> list[Any]:
    """``handlers`` of Voilà's, with the kernels' websocket this one."""
    return [
        (route, Channels if kind is VoilaKernelWebsocketHandler else kind, *more)
        for route, kind, *more in handlers
    ]
