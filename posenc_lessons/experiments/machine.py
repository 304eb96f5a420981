"""Describe the machine of a measurement, and set the number of PyTorch's threads."""

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch

import posenc_lessons


def machine(device: str = "cpu") -> dict[str, str]:
    """Return processor, cores, system and versions, as text."""
    facts = {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "PyTorch": torch.__version__,
        "posenc_lessons": posenc_lessons.__version__,
    }
    if torch.device(device).type == "cuda":
        facts["GPU"] = torch.cuda.get_device_name(device)
    return facts


def processor() -> str:
    """Return the processor's name as Linux gives it; elsewhere the one that Python knows."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Run PyTorch on ``count`` threads, then on as many as before.

    For small tensors 1 is best: several threads wait for each other and are many times slower.
    """
    threads_outside = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(threads_outside)
