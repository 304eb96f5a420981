"""Measure time and memory of several ways to do one thing, fairly even on a busy machine."""

import ctypes
import statistics
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

Times = dict[str, list[float]]


@contextmanager
def memory_kept() -> Iterator[None]:
    """On Linux, let the process keep freed memory, as in a program that has been running for a while.

    Otherwise the C library sometimes returns the memory of large tensors to the system and gets new pages for
    the next one, so that the same copy takes 1 ms or 12 ms.
    """
    trim, mapped = -1, -4  # M_TRIM_THRESHOLD in bytes, and M_MMAP_MAX: how many blocks lie outside the heap
    tune = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if tune is not None:
        tune(trim, -1)  # never
        tune(mapped, 0)
    try:
        yield
    finally:
        if tune is not None:
            tune(trim, 1 << 26)
            tune(mapped, 1 << 16)


def taking_turns(ways: Mapping[str, Callable[[], object]], budget: float) -> Times:
    """Return the seconds of each way in each round, at least three rounds and ``budget`` seconds."""
    for way in ways.values():
        way()  # to warm up
    times: Times = {name: [] for name in ways}
    began, rounds = time.perf_counter(), 0
    while rounds < 3 or time.perf_counter() - began < budget:
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            times[name].append(time.perf_counter() - start)
        rounds += 1
    return times


def ratio(times: Times, name: str, to: str) -> float:
    """Return the time of ``name`` as a multiple of that of ``to``: the median over rounds."""
    return statistics.median(a / b for a, b in zip(times[name], times[to], strict=True))


def milliseconds(times: Times, name: str) -> float:
    return 1000 * statistics.median(times[name])


def job(
    way: Callable[[], Any], inputs: Sequence[Tensor], gradient: Tensor | Sequence[Tensor] | None
) -> Callable[[], object]:
    """Return a function for ``way``; with the result's ``gradient`` also for those of ``inputs``."""
    if gradient is None:
        return torch.no_grad()(way)
    return lambda: torch.autograd.grad(way(), inputs, gradient)


def peak_bytes(way: Callable[[], object]) -> int:
    """Return PyTorch's peak memory during ``way``, including its result."""
    way()
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as watched:
        way()
    assert watched.profiler is not None and watched.profiler.kineto_results is not None
    changes = [event for event in watched.profiler.kineto_results.events() if event.name() == "[memory]"]
    changes.sort(key=lambda event: event.start_ns())
    taken = most = 0
    for change in changes:
        taken += change.nbytes()
        most = max(most, taken)
    return most


def table(heads: str, rows: Iterable[Sequence[str]], words: Collection[int] = (0,)) -> list[str]:
    """Return the lines of a Markdown table and a blank line; ``words`` are the columns without numbers."""
    marks = ("---" if column in words else "---:" for column in range(heads.count("|") + 1))
    return [f"| {heads} |", f"|{'|'.join(marks)}|", *(f"| {' | '.join(cells)} |" for cells in rows), ""]


def verdict(value: float, goal: float) -> str:
    """Return ``0.71 (goal 0.75: met)``."""
    return f"{value:.3g} (goal {goal:.3g}: {'met' if value <= goal else '**not met**'})"
