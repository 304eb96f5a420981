"""A process that has everything loaded; each kernel of a page is a fork of it.

Importing torch and Matplotlib takes seconds and 200 MiB. Here it happens once: a fork shares that memory and
is ready in a tenth of a second. The process stays on one thread and opens no ZeroMQ socket, since neither
threads nor sockets survive a fork. Linux only.

``python -m posenc_lessons.classroom.nursery FD`` is told what to do through the socket FD, a message of JSON
each: ``{"start": CONNECTION_FILE, "folder": …, "environment": …}`` and ``{"signal": PID, "number": 15}``.
It answers ``{"started": CONNECTION_FILE, "pid": …}`` and says ``{"ended": PID, "code": …}``. When the socket
closes, it ends every kernel and itself.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import random
import select
import signal
import socket
import sys
from typing import Any

from posenc_lessons.language import BilingualRuntimeError

LONGEST = 65536  # bytes of a message; they hold a few paths
# What a kernel would import only when it starts.
LATE = (
    "ipykernel.kernelapp",
    "ipykernel.debugger",
    "IPython.core.completerlib",
    "IPython.core.debugger",
    "IPython.core.oinspect",
    "IPython.extensions.storemagic",
    "tornado.platform.asyncio",
)


def main() -> None:
    """Load, then serve until the other side is gone."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    load()
    rehearse()
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        raise BilingualRuntimeError(
            f"要 fork 的进程只能有 1 个线程，现在有 {threads} 个",
            f"a process to be forked must have 1 thread, this one has {threads}",
        )
    gc.collect()
    gc.freeze()  # what is here now stays: the collector need not touch, and so copy, its pages
    Nursery(channel).serve()


def load() -> None:
    """Import what every kernel needs."""
    for name in LATE:
        importlib.import_module(name)
    import posenc_lessons.course.switch
    import posenc_lessons.explorers  # noqa: F401


def rehearse() -> None:
    """Show every explorer once in every language: what is drawn and read for that is kept and shared."""
    import ipywidgets

    from posenc_lessons import language
    from posenc_lessons.explorers import EXPLORERS

    for spoken in language.LANGUAGES:
        language.choose(spoken)
        for explorer in EXPLORERS:
            explorer().close()
    language.choose("both")
    ipywidgets.Widget.close_all()  # or every page would be sent all that they are made of


class Nursery:
    """Forks kernels, passes signals on to them and tells of those that ended."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._kernels: set[int] = set()
        self._woken, waker = os.pipe()
        for end in (self._woken, waker):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(waker)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def serve(self) -> None:
        """Until the other side closes the channel."""
        while True:
            ready, _, _ = select.select([self._channel.fileno(), self._woken], [], [])
            if self._woken in ready:
                os.read(self._woken, LONGEST)
                self._bury()
            if self._channel.fileno() in ready:
                message = self._channel.recv(LONGEST)
                if not message:
                    break
                self._obey(json.loads(message))
        for pid in self._kernels:
            _signal(pid, signal.SIGKILL)

    def _obey(self, order: dict[str, Any]) -> None:
        if "signal" in order:
            if order["signal"] in self._kernels:  # else it has ended meanwhile
                _signal(order["signal"], order["number"])
            return
        pid = os.fork()
        if pid == 0:
            _live(self._channel, order)
        self._kernels.add(pid)
        self._tell({"started": order["start"], "pid": pid})

    def _bury(self) -> None:
        for pid in list(self._kernels):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self._kernels.remove(pid)
                self._tell({"ended": pid, "code": os.waitstatus_to_exitcode(status)})

    def _tell(self, news: dict[str, Any]) -> None:
        self._channel.send(json.dumps(news).encode())


def _signal(pid: int, number: int) -> None:
    """To the kernel and whatever it has started."""
    try:
        os.killpg(pid, number)
    except ProcessLookupError:  # it has not made a group of its own yet
        os.kill(pid, number)


def _live(channel: socket.socket, order: dict[str, Any]) -> None:
    """In the fork: be the kernel that ``order`` describes, and never return."""
    code = 1
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        channel.close()
        os.chdir(order["folder"])
        os.environ.update(order["environment"])
        _begin_anew()
        _run_kernel(order["start"])
        code = 0
    finally:
        if code:
            sys.excepthook(*sys.exc_info())
        # What would be run at exit was meant for the process that was forked.
        os._exit(code)


def _begin_anew() -> None:
    """Chance that is this kernel's own; a fork would roll its sisters' dice."""
    import numpy as np
    import torch

    random.seed()
    np.random.seed()
    torch.seed()


def _run_kernel(connection_file: str) -> None:
    from ipykernel.kernelapp import IPKernelApp
    from IPython.core.history import HistoryManager

    HistoryManager.enabled = False  # type: ignore[assignment]  # one file for all of them, and nobody types here
    # A kernel looks once a second whether the process that forked it is still there, and leaves if not.
    app = IPKernelApp.instance(parent_handle=os.getppid())
    app.initialize(["-f", connection_file])
    # Widgets answer the page through the kernel; there was none to tell when they were imported.
    assert app.shell is not None
    app.shell.extension_manager.load_extension("ipywidgets")
    app.start()


if __name__ == "__main__":
    main()
