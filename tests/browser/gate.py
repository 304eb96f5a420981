"""A gate between a browser and a server: shut, it is as if the network, or the server, were gone."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Gate:
    """Passes connections from ``port`` on to ``target``, a port of this machine, while it is open."""

    def __init__(self, target: int) -> None:
        self.target = target
        self._passing: list[socket.socket] = []
        self._door = _listening(0)
        self.port: int = self._door.getsockname()[1]
        self._guard()

    def shut(self) -> None:
        """Refuse whoever comes, and cut off who is there."""
        with contextlib.suppress(OSError):  # nobody waits at it
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self._watchman.join()
        for each in self._passing:
            with contextlib.suppress(OSError):  # it was cut off from the other side
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._passing.clear()

    def open(self) -> None:
        """Let everybody through again."""
        self._door = _listening(self.port)
        self._guard()

    def _guard(self) -> None:
        self._watchman = threading.Thread(target=self._let_in, args=(self._door,), daemon=True)
        self._watchman.start()

    def _let_in(self, door: socket.socket) -> None:
        while True:
            try:
                near, _ = door.accept()
            except OSError:
                return  # shut
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            self._passing += [near, far]
            for pair in ((near, far), (far, near)):
                threading.Thread(target=_pump, args=pair, daemon=True).start()


def _listening(port: int) -> socket.socket:
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    door.bind(("127.0.0.1", port))
    door.listen(64)
    return door


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):  # cut off
        while data := source.recv(1 << 16):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


@contextmanager
def gate(target: int) -> Iterator[Gate]:
    """An open gate before ``target``; shut at the end."""
    made = Gate(target)
    try:
        yield made
    finally:
        made.shut()
