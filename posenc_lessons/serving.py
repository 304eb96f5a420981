"""Start a server, print its address, and stop it: the common part of ``lab`` and ``explore``."""

import os
import secrets
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from posenc_lessons.language import BilingualError

LOOPBACK = "127.0.0.1"


class Refusal(BilingualError):
    """The reason why something cannot be done; shown without a traceback."""


def free_port(wanted: int | None, first: int) -> int:
    """Return the wanted port, or the first free one of fifty; Refusal if it is taken or not allowed."""
    for port in [wanted] if wanted is not None else range(first, first + 50):
        with socket.socket() as probe:
            # A port just released counts as free; on Windows this option has another meaning.
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, port))
            except OSError as error:
                reason = error
            else:
                return port
    which = str(wanted) if wanted is not None else f"{first}–{first + 49}"
    raise Refusal(
        f"{LOOPBACK} 的端口 {which} 用不了（{reason.strerror}）。"
        "用 --port 换一个，或不写 --port，自动选一个空的。",
        f"port {which} on {LOOPBACK} is not available ({reason.strerror}). Choose another with --port,"
        " or leave --port out to take any free one.",
    )


def has_screen() -> bool:
    """Return True if a browser opened here would be seen by the person who typed the command."""
    if os.environ.get("BROWSER"):  # set by remote editors, which open a browser for the user
        return True
    if os.name == "posix" and sys.platform != "darwin":
        seen = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    else:
        seen = not os.environ.get("SSH_CONNECTION")
    if not seen:
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def serve(name: str, module: Sequence[str], port: int, page: str, look_in: Path, browser: bool) -> None:
    """Run ``python -m module…``, which listens at ``port`` on this machine, until it is stopped.

    Once it answers, print the address of ``page`` and open a browser. ``look_in`` comes first on Jupyter's
    search paths for settings and extensions.

    Raises:
        Refusal: the server ends by itself with an error.
    """
    token = secrets.token_hex(24)
    # The token is in the environment, because everyone on the machine can read a command line. The kernel is
    # that of this Python, even if another one is registered under the same name.
    environment = {**os.environ, "JUPYTER_TOKEN": token, "JUPYTER_PREFER_ENV_PATH": "1"}
    for variable in ("JUPYTER_CONFIG_PATH", "JUPYTER_PATH"):
        environment[variable] = os.pathsep.join([str(look_in), *filter(None, [os.environ.get(variable)])])
    server = subprocess.Popen([sys.executable, "-m", *module], env=environment)
    try:
        if _answers(server, port):
            announce(name, port, f"{page}?token={token}", browser)
        status = server.wait()
    except KeyboardInterrupt:  # Ctrl+C reached the server as well: let it close its kernels
        status = 0
        _wait(server, seconds=5)
    finally:
        if server.poll() is None:
            server.terminate()
        if not _wait(server, seconds=10):
            server.kill()
    if status != 0:
        raise Refusal(
            f"{name} 出错停下了（退出码 {status}），原因见上面它自己的话。",
            f"{name} stopped with an error (exit {status}); see its own message above.",
        )


def _answers(server: subprocess.Popen[bytes], port: int) -> bool:
    """Wait until the server listens at its port; return False if it ends before that."""
    while server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex((LOOPBACK, port)) == 0:
                return True
        time.sleep(0.1)
    return False


def announce(name: str, port: int, page: str, browser: bool) -> None:
    """Print the address of ``page``; ``browser`` opens it, if there is a screen."""
    address = f"http://{LOOPBACK}:{port}/{page}"
    print(f"\n{name} is open here · {name} 已在这里打开：\n\n    {address}\n")
    if browser and has_screen():
        webbrowser.open(address)
    else:
        print(
            "Open that address in a browser on this machine. From another computer, first run\n"
            f"    ssh -L {port}:{LOOPBACK}:{port} NAME@THIS-MACHINE\n"
            "there and keep it open; the address then works there too.\n"
            "请用本机的浏览器打开上面的网址。若从另一台电脑访问，先在那台电脑上运行上面的 ssh 命令"
            "（换成你的用户名和本机地址）并保持连接，之后网址在那边同样能打开。\n"
        )
    print("Ctrl+C here stops it · 在这里按 Ctrl+C 停止", flush=True)


def _wait(server: subprocess.Popen[bytes], seconds: float) -> bool:
    """Return True if the server ended within ``seconds``."""
    try:
        server.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return False
    return True
