"""A plain server for the page's folder: it serves only files, so there is nothing to attack."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from pathlib import Path

import tornado.web
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets

from posenc_lessons.browser.build import POLICY

HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Server": "posenc-lessons",
}
# Fixed here, because Windows may give other types.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
}
FOREVER = "public, max-age=31536000, immutable"  # for files with names that change with their content


class FileHandler(tornado.web.StaticFileHandler):
    """Serve a file of the folder, whole or in part, with an ETag; other paths are not looked up."""

    def initialize(self, path: str, names: frozenset[str]) -> None:  # type: ignore[override]
        super().initialize(path)
        self.names = names

    async def get(self, path: str, include_body: bool = True) -> None:
        name = path or "index.html"
        packed = re.sub(r"\.wasm$", ".bin", name)  # the same content by gzip; see build.py
        self.packed = packed != name and "gzip" in self.request.headers.get("Accept-Encoding", "")
        if self.packed:
            name = packed
        if name not in self.names:
            raise tornado.web.HTTPError(404)
        await super().get(name, include_body)

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def get_content_type(self) -> str:
        suffix = ".wasm" if self.packed else Path(self.absolute_path or "").suffix
        return TYPES.get(suffix, "application/octet-stream")

    def set_extra_headers(self, path: str) -> None:
        self.set_header("Cache-Control", FOREVER if path.startswith("parts/") else "no-cache")
        if self.packed:
            self.set_header("Content-Encoding", "gzip")
            self.set_header("Vary", "Accept-Encoding")

    def write_error(self, status_code: int, **kwargs: object) -> None:
        """Send only the status, as text, instead of tornado's page."""
        self.set_header("Content-Type", TYPES[".txt"])
        self.finish(f"{status_code} {self._reason}\n")


def application(folder: Path) -> tornado.web.Application:
    """Return an application that serves the files now in ``folder``, ``index.html`` at the root."""
    names = frozenset(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    files = (r"/(.*)", FileHandler, {"path": str(folder.resolve()), "names": names})
    return tornado.web.Application([files], log_function=lambda handler: None)


async def serve_forever(folder: Path, sockets: list[socket.socket]) -> None:
    """Answer on ``sockets`` until cancelled."""
    logging.getLogger("tornado.general").setLevel(logging.ERROR)  # no warnings about malformed requests
    server = HTTPServer(
        application(folder), max_header_size=16_384, max_body_size=0, idle_connection_timeout=60
    )
    server.add_sockets(sockets)
    try:
        await asyncio.Event().wait()
    finally:
        server.stop()
        await server.close_all_connections()


def listening(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen at ``host``:``port``; OSError if they cannot."""
    return bind_sockets(port, host, backlog=1024)
