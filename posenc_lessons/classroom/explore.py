"""``posenc-lessons explore``: the explorers as a page, for one reader or for a class."""

from __future__ import annotations

import argparse
from pathlib import Path

from posenc_lessons.classroom.settings import FORKS, IDLE, LEARNERS, LEFT, PAGES_PER_LEARNER
from posenc_lessons.serving import LOOPBACK, Site, address_of, free_port, is_private, serve

TEMPLATES = Path(__file__).resolve().parents[1] / "explorers" / "jupyter"
EXPLORE = """\
The explorers as a page. By itself: for you, on this machine. For a class in one room:

    posenc-lessons explore --learners 30 --host 0.0.0.0

Each learner opens the printed address and has a session of their own, with a language and settings that
touch nobody else's; it computes on one thread. There are at most {pages} pages for each learner expected.
Training is off: the race shows what was recorded. A session ends when its page is closed, {left} minutes
after its page has lost the connection, and {idle} hours after anybody last touched it; the page then offers
to go on.

交互图单独成页。什么也不加：只在本机，给你自己用。给同一间教室的一个班用，就写上面这样。

每个学生打开显示的网址，就有自己单独的一份，语言和设置互不影响，计算只用一个线程。按预计的人数，
每人最多 {pages} 个页面。不能训练：赛跑只放录好的。页面关掉，这一份就收起；断线 {left} 分钟、
或 {idle} 小时没人动，也会收起，页面上有按钮可以接着用。
""".format(pages=PAGES_PER_LEARNER, left=LEFT // 60, idle=IDLE // 3600)


HEAVY = """\
On this system every page starts a process of its own from nothing: several seconds of a core, 250 MB. For a
large class a Linux machine serves better; there pages share one process that has all loaded.
在这个系统上，每个页面都要从头启动一个单独的进程：占一个核几秒钟、250 MB 内存。人多的班最好用 Linux 机器，
那里所有页面共用一个已经加载好的进程。
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Those that only this command has."""
    parser.add_argument(
        "--learners",
        type=_learners,
        metavar="N",
        help=f"a class of so many ({LEARNERS} with --host) · 给多少人的班用（有 --host 时默认 {LEARNERS}）",
    )
    parser.add_argument(
        "--host",
        default=LOOPBACK,
        metavar="ADDRESS",
        help="(%(default)s) listen here; 0.0.0.0 lets the whole network in"
        " · 在哪个地址上提供；0.0.0.0 表示整个网络都能来",
    )


def open_page(options: argparse.Namespace, notebook: Path) -> None:
    """Serve ``notebook``, the explorers, with Voilà until it is stopped."""
    host = address_of(options.host)
    port = free_port(options.port, first=8866, host=host)
    learners = options.learners or (0 if is_private(host) else LEARNERS)
    server = [
        *("posenc_lessons.classroom.server", str(notebook), "--no-browser"),
        *(f"--Voila.ip={host}", f"--Voila.port={port}", "--Voila.port_retries=0"),
        *("--Voila.auto_token=True", "--Application.log_level=ERROR"),
        *("--VoilaConfiguration.template=posenc", f"--Explorers.learners={learners}"),
    ]
    if learners and not FORKS:
        print(HEAVY, flush=True)
    site = Site("Voilà", server, port, host, look_in={"JUPYTER_PATH": TEMPLATES})
    serve(site, browser=not options.no_browser)


def _learners(text: str) -> int:
    """What --learners takes."""
    if not (text.isdecimal() and 1 <= int(text) <= 1000):
        raise argparse.ArgumentTypeError(
            f"a class has from 1 to 1000 learners, not {text!r} · 一个班有 1 到 1000 人，不能是 {text!r}"
        )
    return int(text)
