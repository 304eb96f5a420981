"""``make bench-classroom``: three hundred readers load the explorers' page together; writes classroom.md.

Each loads the page once, as a browser does on a first visit, by six connections, and checks every file. Later
nothing comes from the server: the page computes in the browser. Readers and server share the machine.
"""

from __future__ import annotations

import asyncio
import hashlib
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psutil  # type: ignore[import-untyped]

from benchmarks.__main__ import machine
from benchmarks.side_by_side import table
from posenc_lessons.browser import explore
from posenc_lessons.browser.packing import sha256
from tests.support.running import running

READERS, CONNECTIONS = 300, 6
WRITTEN = Path(__file__).with_name("classroom.md")


@dataclass
class Tally:
    """The readers' results: seconds each needed for everything, bytes in all, failures."""

    seconds: list[float] = field(default_factory=list)
    received: int = 0
    errors: list[str] = field(default_factory=list)


async def fetch(host: str, port: int, path: str, wanted: str, tally: Tally) -> None:
    """Load one file over its own connection; its SHA-256 must be ``wanted``."""
    try:
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        found, size = hashlib.sha256(), 0
        while piece := await reader.read(1 << 16):  # in pieces, because 300 readers share one process
            found.update(piece)
            size += len(piece)
        writer.close()
        await writer.wait_closed()
        tally.received += len(head) + size
        if not head.startswith(b"HTTP/1.1 200 ") or found.hexdigest() != wanted:
            tally.errors.append(f"{path}: {head[:40]!r}, {size} bytes")
    except (OSError, EOFError) as error:
        tally.errors.append(f"{path}: {error}")


async def visit(host: str, port: int, files: dict[str, str], tally: Tally) -> None:
    """Load everything that one reader's first visit needs."""
    begun, free = time.perf_counter(), asyncio.Semaphore(CONNECTIONS)

    async def one(path: str, wanted: str) -> None:
        async with free:
            await fetch(host, port, path, wanted, tally)

    await asyncio.gather(*(one(path, wanted) for path, wanted in files.items()))
    tally.seconds.append(time.perf_counter() - begun)


async def visits(address: str, files: dict[str, str], readers: int) -> tuple[Tally, float]:
    """Let all readers load together; return their results and the seconds it took."""
    where, tally, begun = urlsplit(address), Tally(), time.perf_counter()
    assert where.hostname is not None and where.port is not None
    await asyncio.gather(*(visit(where.hostname, where.port, files, tally) for _ in range(readers)))
    return tally, time.perf_counter() - begun


def server_of(address: str) -> psutil.Process:
    """Return the process that listens at ``address``."""
    port = urlsplit(address).port
    for process in psutil.Process().children(recursive=True):
        listening = [
            each.laddr.port for each in process.net_connections() if each.status == psutil.CONN_LISTEN
        ]
        if port in listening:
            return process
    raise RuntimeError(f"nobody listens at {address}")


def run(readers: int = READERS) -> str:
    """Measure and return a section of Markdown."""
    with explore.page_folder() as folder:
        kept = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".txt"]
        files = {path.relative_to(folder).as_posix(): sha256(path.read_bytes()) for path in kept}
    size = sum(path.stat().st_size for path in kept)
    with tempfile.TemporaryDirectory() as empty, running(Path(empty), {}, "explore") as (address, _):
        server = server_of(address)
        before = server.memory_info().rss
        tally, seconds = asyncio.run(visits(address, files, readers))
        after, used = server.memory_info().rss, sum(server.cpu_times()[:2])
    median, last = statistics.median(tally.seconds), max(tally.seconds)
    rows = {
        "readers at once": str(readers),
        "bytes that each loads (the font for machines without a Chinese one among them)": f"{size:,}",
        "requests, and how many went wrong": f"{readers * len(files):,}, {len(tally.errors)}",
        "seconds until all had all": f"{seconds:.1f}",
        "bytes per second": f"{tally.received / seconds:,.0f}",
        "seconds for one reader, median and last": f"{median:.1f}, {last:.1f}",
        "the server's memory before and after, MB": f"{before / 1e6:.0f}, {after / 1e6:.0f}",
        "the server's own seconds of a core": f"{used:.1f}",
    }
    wrong = [f"- {error}" for error in tally.errors[:10]]
    lines = table(" | ", rows.items(), (0, 1))
    return "\n".join(["## A first visit of everybody at the same moment", "", *lines, *wrong]).strip()


def main() -> None:
    """Measure and write classroom.md."""
    section = run(int(sys.argv[1]) if sys.argv[1:] else READERS)
    head = "# A class at the explorers' page"
    how = "Written by `make bench-classroom`. Server and readers share the machine."
    WRITTEN.write_text("\n\n".join([head, how, machine(), section]) + "\n", encoding="utf-8")
    print(section)


if __name__ == "__main__":
    main()
