"""``posenc-lessons explore``: the explorers' page, served here or written into a folder."""

import argparse
import contextlib
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from posenc_lessons import choices
from posenc_lessons.browser import build
from posenc_lessons.browser.packing import page_python
from posenc_lessons.files import check_writable, write_all
from posenc_lessons.language import Text
from posenc_lessons.serving import LOOPBACK, announce, free_port

EXPLORE = """\
The explorers as a page. It computes in the browser, in Python: nothing runs here but a plain server of files.
By itself: for you, on this machine. With --out, for a class: written into a folder, to be put on any web
server or a stick; index.html opens from there too.

交互图单独成页。计算都在浏览器里进行（也是 Python），这里只是一个发送文件的普通服务器。
什么也不加：只在本机，给你自己用。给一个班用，就加 --out：写进一个文件夹，可以放到任何网站或 U 盘上，
从那里直接打开 index.html 也行。
"""
NAME = "The explorers' page · 交互图网页"
# Folders of the package from which the page is made.
MADE_OF = ("browser", "encodings", "experiments", "explorers", "figures", "models")
PAGES_KEPT = 2  # how many earlier pages stay, because another command may be serving one


def write(folder: Path) -> None:
    """Write the page into ``folder``; remove parts of an earlier page."""
    check_writable(folder)  # before half a minute of work, not after
    files = build.page()
    write_all(files, folder)
    for path in (folder / "parts").iterdir():
        if f"parts/{path.name}" not in files and build.is_part(path.name):
            path.unlink()


def serve(options: argparse.Namespace) -> None:
    """Serve the page until stopped, and say where it is."""
    # Imported here, because writing a folder needs no server.
    from posenc_lessons.browser.server import Server

    port = free_port(options.port, first=8866)
    query = f"?lang={options.lang}" if options.lang else ""
    with page_folder() as folder, Server(folder, LOOPBACK, port) as server:
        announce(NAME, port, query, browser=not options.no_browser)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


@contextlib.contextmanager
def page_folder() -> Iterator[Path]:
    """Yield a folder with the page: an earlier one, if nothing has changed since it was made."""
    stored = choices.home() / "page" / _content_key()
    if stored.is_dir():
        yield stored
        return
    text = Text(
        "第一次打开要先把网页做好，约半分钟……", "The first time, the page has to be made: half a minute …"
    )
    print(text.show("both"), flush=True)
    files = build.page()
    unfinished = stored.with_name(f"{stored.name}.{os.getpid()}")
    try:
        write_all(files, unfinished)
        unfinished.rename(stored)  # it is there as a whole, or not at all
    except OSError:  # then the page is made again each time
        with TemporaryDirectory() as folder:
            write_all(files, Path(folder))
            yield Path(folder)
        return
    others = sorted(stored.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[PAGES_KEPT:]:
        shutil.rmtree(path)
    yield stored


def _content_key() -> str:
    """Return a key that changes with the page's sources, and with the Python that compiles them."""
    versions = [metadata.version(name) for name in ("torch", "numpy")]
    made_with = (sys.version, versions, page_python())
    digest = hashlib.sha256(repr(made_with).encode())
    folders = [path for name in MADE_OF for path in (build.PACKAGE / name).rglob("*")]
    for path in sorted([*folders, *build.PACKAGE.glob("*.py")]):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(path.relative_to(build.PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
