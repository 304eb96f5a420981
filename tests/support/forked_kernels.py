"""Kernels that start fast: each is forked from a process that has loaded torch, IPython and Matplotlib.

Loading them takes a kernel three seconds of a core. Nothing of this project is loaded before the fork; each
kernel has its own process, folder, environment, and the code under test.

    pytest -p tests.support.forked_kernels …     while tests run, the kernel "python3" is forked (Linux)
"""

import importlib
import json
import os
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, NoReturn

LOADED = (
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell"),
    *("torch", "torch._dynamo"),  # the first optimizer loads the second one
    *("matplotlib.figure", "matplotlib.backends.backend_agg", "matplotlib_inline.backend_inline"),
    "PIL.Image",
)  # not ipywidgets, which must be loaded in the kernel to register there
INTERRUPT = b"i"
FORKED_KERNELS = "POSENC_FORKED_KERNELS"  # tells servers with their own environment where the folder is


# ---- the process that is forked ----


def serve(address: str) -> None:
    """Fork a kernel for each request at ``address``, until this process's standard input is closed."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen(64)
        for name in LOADED:
            importlib.import_module(name)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no process waits for them
        while True:
            ready, _, _ = select.select([listening, sys.stdin], [], [])
            if sys.stdin in ready:
                return
            asking, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                become_kernel(asking, address)
            asking.close()


def become_kernel(asking: socket.socket, address: str) -> NoReturn:
    """Become the kernel that ``asking`` describes, until that connection closes."""
    asked, handles = described(asking)
    os.setsid()
    wait_for_the_one_before(f"{address}-{Path(asked['arguments'][-1]).name}")
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
        os.close(handle)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    for path in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)):
        if path not in sys.path:
            sys.path.insert(0, path)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    random.seed()
    sys.modules["numpy"].random.seed()
    threading.Thread(target=_obey, args=(asking,), daemon=True).start()
    sys.argv = ["ipykernel_launcher.py", *asked["arguments"]]
    sys.modules["ipykernel.kernelapp"].launch_new_instance()
    os._exit(0)


def described(asking: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Return the description of the requested kernel, and its file descriptors for input and output."""
    first, handles, _, _ = socket.recv_fds(asking, 1 << 16, 3)
    size, _, text = first.partition(b"\n")
    while len(text) < int(size or 1):
        more = asking.recv(1 << 16)
        if not more:  # the requesting process has ended
            os._exit(0)
        text += more
    return json.loads(text), handles


def wait_for_the_one_before(mark: str) -> None:
    """Wait for the end of an earlier kernel with the same ports, then lock ``mark`` until this kernel ends.

    A restarted kernel gets the ports of the earlier one, which may end a moment after its requester.
    """
    import fcntl  # imported here, because Windows lacks it

    fcntl.flock(os.open(mark, os.O_CREAT), fcntl.LOCK_EX)


def _obey(asking: socket.socket) -> NoReturn:
    """Pass interrupts on; end when the requesting process has ended."""
    while asking.recv(1) == INTERRUPT:
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(0)


# ---- the process that Jupyter starts in place of the kernel ----


def ask(address: str, arguments: list[str]) -> None:
    """Request a kernel; when it or this process ends, the other ends too."""
    surroundings = {name: value for name, value in os.environ.items() if name != "JPY_PARENT_PID"}
    asked = {"arguments": arguments, "folder": os.getcwd(), "environment": surroundings}
    text = json.dumps(asked).encode()
    with socket.socket(socket.AF_UNIX) as asking:
        signal.signal(signal.SIGINT, lambda *_: asking.send(INTERRUPT))
        asking.connect(address)
        socket.send_fds(asking, [b"%d\n" % len(text)], [0, 1, 2])
        asking.sendall(text)
        asking.recv(1)


# ---- the plugin ----


class Forks:
    """The process from which kernels are forked, while the tests run."""

    def __init__(self, folder: Path) -> None:
        self.folder, address = folder, str(folder / "socket")
        kernel = folder / "kernels" / "python3"
        kernel.mkdir(parents=True)
        ours = [sys.executable, "-I", "-S", __file__, address, "-f", "{connection_file}"]
        spec = {"argv": ours, "display_name": "Python 3 (ipykernel)", "language": "python"}
        (kernel / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
        self.process = subprocess.Popen([sys.executable, __file__, address], stdin=subprocess.PIPE)

    def pytest_unconfigure(self) -> None:
        """End the process and remove its files."""
        self.process.communicate()
        shutil.rmtree(self.folder)


def pytest_configure(config: Any) -> None:
    """Install the kernel before the workers start, so that they find it like any other."""
    from tests.support.ports import kernels_have_them  # here, because Jupyter starts this file itself

    kernels_have_them()
    if sys.platform == "linux" and not hasattr(config, "workerinput"):
        folder = Path(tempfile.mkdtemp(prefix="posenc-kernels-"))
        others = filter(None, [os.environ.get("JUPYTER_PATH")])
        os.environ["JUPYTER_PATH"] = os.pathsep.join([str(folder), *others])
        os.environ[FORKED_KERNELS] = str(folder)
        config.pluginmanager.register(Forks(folder))


if __name__ == "__main__":
    if sys.argv[2:]:
        ask(sys.argv[1], sys.argv[2:])
    else:
        sys.path[0] = ""  # as in a kernel: its folder, not this file's folder
        serve(sys.argv[1])
