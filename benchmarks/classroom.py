"""``make bench-classroom``: a class at the explorers' page, thirty at once; writes classroom.md.

Each learner opens the page over HTTP, connects to the kernel, and drags a slider as ipywidgets would: one
message at a time, the newest value next (``tests/support/learner.py``). Every picture that comes back is
compared with the one that this process draws for that value.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psutil  # type: ignore[import-untyped]

from posenc_lessons.course.folder import shipped_lessons
from posenc_lessons.experiments.machine import machine
from posenc_lessons.language import LANGUAGES
from tests.support.learner import DRAGS, Learner, Wrong, expected, first_picture
from tests.support.pages import kernels, voila

HERE = Path(__file__).parent
ARRIVAL = 3.0  # seconds within which all of a class open the page
SECONDS = 25.0  # of dragging
PACE = 20  # values a second while a slider is dragged
DRAG, REST = (0.8, 2.0), (1.0, 4.0)  # seconds that a drag, and a look at the picture, take
TAIL_OF_ONE, PRIVATE_MIB = 3.0, 250.0  # goals: p95 of the single learner's, memory of each


@dataclass(frozen=True)
class Way:
    """A way to serve the page, measured with so many learners."""

    name: str
    learners: tuple[int, ...]
    module: str
    options: tuple[str, ...] = ()  # {n} is the number of learners


WAYS = (
    Way(
        "posenc-lessons explore",
        (1, 10, 30),
        "posenc_lessons.classroom.server",
        ("--Explorers.learners={n}",),
    ),
    Way(
        "Voilà, preheated pool",
        (10,),
        "voila",
        ("--VoilaConfiguration.preheat_kernel=True", "--VoilaConfiguration.default_pool_size={n}"),
    ),
    Way("Voilà", (1, 10), "voila"),
)


@dataclass
class Measured:
    """What a class saw. Times in seconds, memory in MiB (None where the system does not tell)."""

    opening: list[float] = field(default_factory=list)
    slider: list[float] = field(default_factory=list)
    private: list[float] | None = None
    proportional: list[float] | None = None
    whole: float | None = None  # the server and all its processes
    errors: list[str] = field(default_factory=list)
    lag: list[float] = field(default_factory=list)  # by which this process itself was late

    def tail(self) -> float:
        """The 95th percentile of the slider's times."""
        return percentile(self.slider, 95)


def percentile(values: list[float], share: int) -> float:
    return (
        statistics.quantiles(values, n=100, method="inclusive")[share - 1] if len(values) > 1 else values[0]
    )


# ---- the class ----


async def attend(address: str, learners: int, seconds: float, server: psutil.Process) -> Measured:
    """Let so many learners arrive, drag for ``seconds`` and leave."""
    measured = Measured()
    members = [
        Learner(address, DRAGS[place % len(DRAGS)], LANGUAGES[place % len(LANGUAGES)])
        for place in range(learners)
    ]
    clock = asyncio.create_task(_watch_the_clock(measured.lag))
    arrivals = [ARRIVAL * place / learners for place in range(learners)]
    arrived = await asyncio.gather(
        *(_arrive(member, after, measured) for member, after in zip(members, arrivals, strict=True))
    )
    until = time.perf_counter() + seconds
    present = [member for member, is_there in zip(members, arrived, strict=True) if is_there]
    await asyncio.gather(
        *(_drag(member, random.Random(place), until, measured) for place, member in enumerate(present))
    )
    clock.cancel()
    _weigh(server, measured)
    await asyncio.gather(*(_leave(member, measured) for member in members))
    return measured


async def _arrive(member: Learner, after: float, measured: Measured) -> bool:
    await asyncio.sleep(after)
    started = time.perf_counter()
    try:
        await member.arrive()
    except (Wrong, OSError) as error:
        measured.errors.append(f"opening: {error!r}")
        return False
    measured.opening.append(time.perf_counter() - started)
    return True


async def _drag(member: Learner, chance: random.Random, until: float, measured: Measured) -> None:
    """Drag to and fro with rests. A value that is overtaken while an answer is awaited is never sent."""
    values = member.drag.values + member.drag.values[-2:0:-1]
    place = 0
    await asyncio.sleep(chance.uniform(0, REST[1]))
    while time.perf_counter() < until:
        began, first = time.perf_counter(), place
        length = chance.uniform(*DRAG)
        while (now := time.perf_counter()) < began + length:
            newest = first + 1 + int((now - began) * PACE)
            moved = began + (newest - first - 1) / PACE  # when the hand got there
            if newest == place:
                await asyncio.sleep(moved + 1 / PACE - now)
                continue
            before, place = place, newest
            if values[place % len(values)] == values[before % len(values)]:
                continue  # there and back again while an answer was awaited
            try:
                taken = await member.move(values[place % len(values)])
            except (Wrong, OSError) as error:
                measured.errors.append(f"dragging: {error!r}")
                return
            measured.slider.append(taken + now - moved)
        await asyncio.sleep(chance.uniform(*REST))


async def _leave(member: Learner, measured: Measured) -> None:
    try:
        await member.leave()
    except (Wrong, OSError) as error:
        measured.errors.append(f"leaving: {error!r}")


async def _watch_the_clock(lag: list[float]) -> None:
    while True:
        due = time.perf_counter() + 0.05
        await asyncio.sleep(0.05)
        lag.append(time.perf_counter() - due)


# ---- the server ----


@contextmanager
def served(way: Way, learners: int) -> Iterator[tuple[str, psutil.Process]]:
    """The page, served that way and settled, and the server's process."""
    options = [option.format(n=learners) for option in way.options]
    with voila(shipped_lessons() / "explorer.ipynb", *options, module=way.module) as address:
        port = f"--Voila.port={urlsplit(address).port}"
        (server,) = (each for each in psutil.Process().children() if port in each.cmdline())
        asyncio.run(_open_once(address))
        _settle(server)
        yield address, server


async def _open_once(address: str) -> None:
    """What only the first page waits for is not a class's business: the teacher has looked at it before."""
    first = Learner(address, DRAGS[0], "both")
    await first.arrive()
    await first.leave()


def _settle(server: psutil.Process, seconds: float = 120) -> None:
    """Wait until nothing is being prepared any more: a pool may be filling."""
    deadline = time.monotonic() + seconds
    spent = _cpu(server)
    while time.monotonic() < deadline:
        time.sleep(1)
        before, spent = spent, _cpu(server)
        if abs(spent - before) < 0.05:
            return
    raise RuntimeError(f"the server is still busy after {seconds:.0f} s without a learner")


def _cpu(server: psutil.Process) -> float:
    times = [each.cpu_times() for each in [server, *server.children(recursive=True)]]
    return sum(each.user + each.system for each in times)


def _weigh(server: psutil.Process, measured: Measured) -> None:
    if sys.platform != "linux":
        return  # elsewhere no system call tells shared pages from private ones
    each = [_memory(kernel) for kernel in kernels(server)]
    measured.private = [private for private, _ in each]
    measured.proportional = [proportional for _, proportional in each]
    everything = [server, *server.children(recursive=True)]
    measured.whole = sum(_memory(process)[1] for process in everything)


def _memory(process: psutil.Process) -> tuple[float, float]:
    """MiB that are the process's alone, and its share of all it uses."""
    lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()[1:]
    sizes = {name.rstrip(":"): int(size) / 1024 for name, size, *_ in map(str.split, lines)}
    return sizes["Private_Clean"] + sizes["Private_Dirty"], sizes["Pss"]


# ---- the report ----


def measure(ways: Iterable[Way] = WAYS) -> dict[tuple[str, int], Measured]:
    """A fresh server for each way and each size of class."""
    for drag in DRAGS:
        for spoken in LANGUAGES:
            first_picture(drag.explorer, spoken)
            expected(drag, spoken)
    found = {}
    for way in ways:
        for learners in way.learners:
            print(f"{way.name}, {learners} …", flush=True)
            with served(way, learners) as (address, server):
                found[way.name, learners] = asyncio.run(attend(address, learners, SECONDS, server))
            print(_row(way.name, learners, found[way.name, learners], found), flush=True)
    return found


def _row(name: str, learners: int, one: Measured, found: dict[tuple[str, int], Measured]) -> str:
    alone = found.get((name, 1))
    times = f"{one.tail() / alone.tail():.2f}" if alone and alone.slider and one.slider else "–"
    opening = f"{percentile(one.opening, 50):.1f} / {percentile(one.opening, 95):.1f}" if one.opening else "–"
    slider = f"{1000 * percentile(one.slider, 50):.0f} / {1000 * one.tail():.0f}" if one.slider else "–"
    memory = "not told | – | –"
    if one.private and one.proportional and one.whole is not None:
        memory = (
            f"{statistics.median(one.private):.0f} / {max(one.private):.0f}"
            f" | {statistics.median(one.proportional):.0f} | {one.whole / learners:.0f}"
        )
    return (
        f"| {name} | {learners} | {opening} | {slider} | {times} | {memory} | {len(one.slider)}"
        f" | {len(one.errors)} |"
    )


def report(found: dict[tuple[str, int], Measured]) -> str:
    """The tables and what they say about the goals, in Markdown."""
    rows = [_row(name, learners, one, found) for (name, learners), one in found.items()]
    lag = percentile([late for one in found.values() for late in one.lag], 95)
    lines = [
        *_conditions(),
        "",
        "| served by | learners | opening, s, p50 / p95 | slider, ms, p50 / p95 | p95 of one learner's"
        " | private MiB of each, median / most | with its share of what is shared | all of the server, MiB a"
        " learner | pictures | errors |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        *rows,
        "",
        f"The process that plays the learners was late by {1000 * lag:.0f} ms (p95) itself.",
        "",
        *_goals(found),
    ]
    for (name, learners), one in found.items():
        lines += [f"- {name}, {learners}: {error}" for error in sorted(set(one.errors))]
    return "\n".join(lines)


def _conditions() -> list[str]:
    return [
        f"All open the page within {ARRIVAL:.0f} s, by a link to one of {len(DRAGS)} explorers in one of",
        f"{len(LANGUAGES)} languages; then each drags for {SECONDS:.0f} s: {PACE} values a second for"
        f" {DRAG[0]} to {DRAG[1]} s,",
        f"with rests of {REST[0]:.0f} to {REST[1]:.0f} s. Opening runs from the request for the",
        "page to the explorer's picture, the slider from the hand's movement to the picture's data; what a",
        "browser then does to show it happens on the learner's own machine. Learners and server share this",
        "machine's cores. A fresh server each time, after one page has been opened and closed. Every picture",
        "was compared with what the explorer draws for that value.",
    ]


def _goals(found: dict[tuple[str, int], Measured]) -> list[str]:
    ours = WAYS[0]
    one, full = (found[ours.name, learners] for learners in (min(ours.learners), max(ours.learners)))
    goals = [
        (f"errors with {max(ours.learners)} learners: {len(full.errors)} (goal 0)", not full.errors),
        _goal("p95 of the slider, of the single learner's", full.tail() / one.tail(), TAIL_OF_ONE),
    ]
    if full.private is not None:
        goals.append(_goal("private memory of the largest kernel, MiB", max(full.private), PRIVATE_MIB))
    return [f"- {words}: {'met' if is_met else '**not met**'}" for words, is_met in goals]


def _goal(words: str, value: float, goal: float) -> tuple[str, bool]:
    return f"{words}: {value:.3g} (goal below {goal:g})", value < goal


def main() -> None:
    """Measure everything and write classroom.md."""
    found = measure()
    about = "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in machine().items())])
    head = "# A class at the explorers' page\n\nWritten by `make bench-classroom`."
    text = "\n\n".join([head, about, report(found)]) + "\n"
    (HERE / "classroom.md").write_text(text, encoding="utf-8")
    print(f"\n{text}")
    if any(one.errors for (name, _), one in found.items() if name == WAYS[0].name):
        sys.exit("there were errors; they are in classroom.md")


if __name__ == "__main__":
    main()
