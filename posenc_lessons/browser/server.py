"""A plain server for the page's folder: it sends files and does nothing else."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from posenc_lessons.browser.build import POLICY

HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class FileHandler(SimpleHTTPRequestHandler):
    """Send a file of the folder; folders are not listed."""

    protocol_version = "HTTP/1.1"  # several requests on a connection
    path, packed = "", False  # of a request that cannot be read
    # Fixed here, because Windows may give other types.
    extensions_map = {  # noqa: RUF012  # as the base class has it
        ".html": "text/html; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".txt": "text/plain; charset=utf-8",
    }

    def send_head(self) -> Any:
        self.packed = self.path.endswith(".wasm")  # the .bin is the same by gzip; see build.py
        self.path = self.path.removesuffix(".wasm") + ".bin" * self.packed
        return super().send_head()

    def guess_type(self, path: Any) -> str:
        return "application/wasm" if self.packed else super().guess_type(path)

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if not self.path.startswith("/parts/"):  # a part's name changes with its content
            self.send_header("Cache-Control", "no-store")
        if self.packed:
            self.send_header("Content-Encoding", "gzip")
        super().end_headers()

    def list_directory(self, path: Any) -> None:
        self.send_error(404)

    def log_message(self, *message: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    """Send the files in ``folder`` from ``host``:``port``; OSError if it cannot listen there."""

    def __init__(self, folder: Path, host: str, port: int) -> None:
        super().__init__((host, port), partial(FileHandler, directory=str(folder)))

    def handle_error(self, *request: object) -> None:
        """Say nothing: a browser may close its connection at any time."""
