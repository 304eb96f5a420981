"""``posenc-lessons lab`` opens the lessons in JupyterLab; ``posenc-lessons explore`` the explorers as a page;
``posenc-lessons export`` makes copies of the lessons that travel.

The first two serve on this machine only (127.0.0.1), with a token, and print the address, so that they work
the same on a laptop and on a server without a screen.
"""

from __future__ import annotations

import argparse
import errno
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from . import __version__
from .course.folder import PACKAGE, Copied, copy_lessons, in_checkout, shipped_lessons
from .course.language import LANGUAGES

HOST = "127.0.0.1"
FORMS = ("html", "ipynb", "slides", "pdf", "nbgrader")
EXPORT = """\
Copies of the lessons that travel, in a folder of their own. Existing files of the same name are replaced,
all or none, and nothing is left anywhere else. Lessons with pictures are run, which takes minutes, so that
the pictures speak the language as well.
With --to nbgrader: the exercises as a course folder, to hand out and grade; what is there already stays.

可以带走的课程，写在单独的文件夹里。同名文件会被替换，要么全部写好，要么一个也不动，别处什么也不留下。
有图的课会先运行一遍（要几分钟），图里的字才会是所选的语言。
--to nbgrader：把练习做成 nbgrader 的课程文件夹，用来发作业、批改；已经有的文件原样保留。
"""
COURSE = "posenc_lessons_course"


class Refusal(Exception):
    """What stands in the way, in both languages; shown without a traceback."""


def main(arguments: list[str] | None = None) -> None:
    """The command line: exits with 0 when the server was stopped, 1 when something stood in the way."""
    for stream in (sys.stdout, sys.stderr):
        # A console or a log that cannot write Chinese shows ? for it rather than a traceback.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    signal.signal(signal.SIGTERM, _stop)
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except Refusal as refusal:
        sys.exit(f"posenc-lessons: {refusal}")
    except KeyboardInterrupt:
        print()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="posenc-lessons", description="How Transformers know order · Transformer 怎样知道顺序"
    )
    parser.add_argument("--version", action="version", version=__version__)
    verbs = parser.add_subparsers(required=True, metavar="lab | explore | export")

    serving = argparse.ArgumentParser(add_help=False)
    serving.add_argument("--no-browser", action="store_true", help="print the address only · 只显示网址")
    serving.add_argument("--port", type=_port, help="serve on this port · 指定端口")

    lab = verbs.add_parser(
        "lab", parents=[serving], help="open the lessons in JupyterLab · 在 JupyterLab 里打开课程"
    )
    lab.add_argument("--dir", type=Path, help=f"where your copy lives (./{COURSE}) · 课程副本放在哪里")
    lab.set_defaults(run=open_lab)

    explore = verbs.add_parser(
        "explore", parents=[serving], help="the live explorers as a page · 实时图单独成页"
    )
    explore.set_defaults(run=open_explorer)
    _add_export(verbs)
    return parser


def _add_export(verbs: Any) -> None:
    export = verbs.add_parser(
        "export",
        help="copies of the lessons that travel: one language · 可以带走的课程：单一语言的副本",
        description=EXPORT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    export.add_argument(
        "--lang", type=_one_of(LANGUAGES), default="both", metavar="zh|en|both", help="(both) language · 语言"
    )
    export.add_argument(
        "--to",
        type=_one_of(FORMS),
        default=FORMS[0],
        metavar="|".join(FORMS),
        help="(%(default)s) form · 形式",
    )
    export.add_argument(
        "--lesson",
        action="append",
        default=[],
        metavar="N",
        help="this lesson, 2 or 02_sinusoidal; may be repeated (all lessons and solutions)"
        " · 只要这一课，可以写多次（默认全部，连同解答）",
    )
    export.add_argument(
        "--out", type=Path, metavar="DIR", help="(./posenc_lessons_LANG) where to write · 写到哪里"
    )
    export.add_argument(
        "--no-run",
        action="store_true",
        help="do not run the lessons: quick, but words inside pictures stay in both languages"
        " · 不运行课程：快，但图里的字仍是两种语言",
    )
    export.add_argument(
        "--install",
        metavar="SPEC",
        help="with --to ipynb: a first cell that has pip install SPEC, a wheel's name or address or git+https://…,"
        " where this package is missing, as on Colab"
        " · 与 --to ipynb 同用：第一格在没有本软件包的地方（例如 Colab）用 pip 安装 SPEC，即 wheel 的文件名、"
        "网址或 git+https://…",
    )
    export.set_defaults(run=export_lessons)


def _one_of(allowed: Sequence[str]) -> Callable[[str], str]:
    """What an option with a few values takes; argparse's own message is English alone."""

    def check(text: str) -> str:
        if text not in allowed:
            raise argparse.ArgumentTypeError(
                f"one of {', '.join(allowed)} is wanted, not {text!r}"
                f" · 只能是 {'、'.join(allowed)}，不能是 {text!r}"
            )
        return text

    return check


def _port(text: str) -> int:
    """What --port takes; argparse puts the option's name before the message."""
    if not (text.isdecimal() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(
            f"a port is a whole number from 1 to 65535, not {text!r}"
            f" · 端口是 1 到 65535 的整数，不能是 {text!r}"
        )
    return int(text)


def open_lab(options: argparse.Namespace) -> None:
    """Serve the lessons in JupyterLab: in place in the repository, else from the learner's own copy."""
    folder = _lessons(options.dir)
    port = _free_port(options.port, first=8888)
    serve(
        "JupyterLab",
        [
            *("jupyterlab", "--no-browser", f"--ServerApp.ip={HOST}"),
            *(f"--ServerApp.port={port}", "--ServerApp.port_retries=0"),
            f"--ServerApp.root_dir={folder}",
            # Inside a container one is root, and on loopback with a token that is no danger.
            "--ServerApp.allow_root=True",
            # Ctrl+C stops at once instead of asking in English.
            "--ServerApp.answer_yes=True",
            # The classic notebook's old settings: JupyterLab has no use for them, and they print a warning.
            "--ServerApp.jpserver_extensions=notebook_shim=False",
            "--Application.log_level=ERROR",
        ],
        port,
        page="lab/tree/00_start_here.ipynb",
        browser=not options.no_browser,
        # JupyterLab's settings, unless the reader has others: it neither offers news nor looks for updates.
        look_in={"JUPYTER_CONFIG_PATH": PACKAGE / "course" / "jupyter"},
    )


def open_explorer(options: argparse.Namespace) -> None:
    """Serve explorer.ipynb with Voilà: the explorers on a page, no code."""
    notebook = _shipped() / "explorer.ipynb"
    port = _free_port(options.port, first=8866)
    serve(
        "Voilà",
        [
            *("voila", str(notebook), "--no-browser", f"--Voila.ip={HOST}"),
            *(f"--Voila.port={port}", "--Voila.port_retries=0"),
            *("--Voila.auto_token=True", "--Application.log_level=ERROR"),
            "--VoilaConfiguration.template=posenc",
        ],
        port,
        page="",
        browser=not options.no_browser,
        look_in={"JUPYTER_PATH": PACKAGE / "explorers" / "jupyter"},  # the page's template
    )


def export_lessons(options: argparse.Namespace) -> None:
    """Write the lessons asked for, in one language and one form, into a folder of their own."""
    # Only here: what converts notebooks takes a second to load.
    from .course.export import exporting
    from .course.export.browser import NoBrowser
    from .course.export.install import NotToInstall
    from .course.export.run import DidNotRun
    from .course.export.write import Outside

    source = _shipped()
    folder = (options.out or Path(f"posenc_lessons_{options.lang}")).absolute()
    try:
        lessons = tuple(exporting.named(wanted, source) for wanted in options.lesson)
        order = exporting.Order(
            options.lang, options.to, lessons, folder, run=not options.no_run, install=options.install
        )
        written = exporting.export(order, source, lambda text: print(text.show("both"), flush=True))
    except (exporting.NoSuchLesson, Outside, DidNotRun, NoBrowser, NotToInstall) as error:
        raise Refusal(str(error)) from error
    except OSError as error:
        raise Refusal(_explain_export(error, folder)) from error
    print(f"{len(written)} files are in {folder}\n{len(written)} 个文件在 {folder}")


def _explain_export(error: OSError, folder: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return (
            f"the disk is full, so nothing was written to {folder}. Free some space and run the same command"
            f" again.\n磁盘已满，{folder} 里什么也没有写。腾出一些空间，再运行同样的命令。"
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
        return (
            f"{folder} cannot be written ({error.strerror}). Name a folder of your own:"
            " posenc-lessons export --out DIR\n"
            f"{folder} 不能写入（{error.strerror}）。请指定一个自己的文件夹："
            "posenc-lessons export --out 文件夹"
        )
    return f"could not export into {folder}: {error}\n没能导出到 {folder}：{error}"


def _shipped() -> Path:
    try:
        return shipped_lessons()
    except FileNotFoundError as error:
        raise Refusal(str(error)) from error


def _lessons(wanted: Path | None) -> Path:
    """The folder to open, after copying the lessons into it unless they are read where they are."""
    source = _shipped()
    if wanted is None and in_checkout():
        return source
    folder = (wanted or Path(COURSE)).absolute()
    try:
        copied = copy_lessons(source, folder, __version__)
    except OSError as error:
        raise Refusal(_explain(error, folder)) from error
    _say_copied(copied, folder)
    return folder


def _say_copied(copied: Copied, folder: Path) -> None:
    print(
        f"The lessons are in {folder}. Write in them as you like: your changes are never overwritten.\n"
        f"课程在 {folder}。尽管在里面改写，你的改动不会被覆盖。"
    )
    if copied.updated:
        names = ", ".join(copied.updated)
        print(f"Brought up to date: {names}\n已更新到新版：{names}")
    for theirs, beside in copied.beside.items():
        print(
            f"{theirs} has your changes and stays; its new version is beside it: {beside}\n"
            f"{theirs} 里有你的改动，原样保留；新版放在旁边：{beside}"
        )


def _explain(error: OSError, folder: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return (
            f"the disk is full, so the lessons could not all be copied into {folder}. Free some space and"
            " run the same command again: it goes on where it stopped.\n"
            f"磁盘已满，课程没能全部复制到 {folder}。腾出一些空间再运行同样的命令，会从停下的地方继续。"
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return (
            f"{folder} cannot be written ({error.strerror}). Go to a folder of your own, or name one:"
            " posenc-lessons lab --dir FOLDER\n"
            f"{folder} 不能写入（{error.strerror}）。换到自己的文件夹里运行，或指定一个："
            "posenc-lessons lab --dir 文件夹"
        )
    return f"could not copy the lessons into {folder}: {error}\n课程没能复制到 {folder}：{error}"


def _free_port(wanted: int | None, first: int) -> int:
    """The port asked for, or the first free one of fifty; Refusal when it is taken or not allowed."""
    for port in [wanted] if wanted is not None else range(first, first + 50):
        with socket.socket() as probe:
            if os.name == "posix":  # a port just left counts as free; on Windows this means another thing
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError as error:
                reason = error
            else:
                return port
    which = str(wanted) if wanted is not None else f"{first}–{first + 49}"
    raise Refusal(
        f"port {which} on {HOST} is not to be had ({reason.strerror}). Choose another with --port,"
        " or leave --port out to take any free one.\n"
        f"{HOST} 的端口 {which} 用不了（{reason.strerror}）。"
        "用 --port 换一个，或不写 --port，自动选一个空的。"
    )


def has_screen() -> bool:
    """Whether opening a browser here would show it to the person who typed the command."""
    if os.environ.get("BROWSER"):  # somebody said how to open one, as remote editors do
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


def serve(
    name: str, module: list[str], port: int, page: str, browser: bool, look_in: dict[str, Path] | None = None
) -> None:
    """Run ``python -m module…`` until it is stopped; once it answers, say where and open a browser.

    ``look_in``: folders to put first on the search paths of these names, ``JUPYTER_PATH`` for one.
    Raises Refusal when the server ends by itself with an error.
    """
    token = secrets.token_hex(24)
    # The token goes by the environment: a command line can be read by everyone on the machine. The kernel
    # is this very Python's, even where another one was once registered under the same name.
    environment = {**os.environ, "JUPYTER_TOKEN": token, "JUPYTER_PREFER_ENV_PATH": "1"}
    for variable, folder in (look_in or {}).items():
        environment[variable] = os.pathsep.join([str(folder), *filter(None, [os.environ.get(variable)])])
    server = subprocess.Popen([sys.executable, "-m", *module], env=environment)
    try:
        if _answers(server, port):
            _announce(name, f"http://{HOST}:{port}/{page}?token={token}", port, browser)
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
            f"{name} stopped with an error (exit {status}); its own words are above.\n"
            f"{name} 出错停下了（退出码 {status}），原因见上面它自己的话。"
        )


def _answers(server: subprocess.Popen[bytes], port: int) -> bool:
    """Wait until somebody listens on ``port``; False if the server ends before that."""
    while server.poll() is None:
        try:
            socket.create_connection((HOST, port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return True
    return False


def _announce(name: str, address: str, port: int, browser: bool) -> None:
    print(f"\n{name} is open here · {name} 已在这里打开：\n\n    {address}\n")
    if browser and has_screen():
        webbrowser.open(address)
    else:
        print(
            "Open that address in a browser on this machine. From another computer, first run\n"
            f"    ssh -L {port}:{HOST}:{port} NAME@THIS-MACHINE\n"
            "there and keep it open; the address then works there too.\n"
            "请用本机的浏览器打开上面的网址。若从另一台电脑访问，先在那台电脑上运行上面的 ssh 命令"
            "（换成你的用户名和本机地址）并保持连接，之后网址在那边同样能打开。\n"
        )
    print("Ctrl+C here stops it · 在这里按 Ctrl+C 停止", flush=True)


def _wait(server: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether the server ended within ``seconds``."""
    try:
        server.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _stop(signal_number: int, frame: FrameType | None) -> None:
    sys.exit(128 + signal_number)


if __name__ == "__main__":
    main()
