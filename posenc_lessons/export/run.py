"""Run a lesson from top to bottom in one language, so that its pictures are drawn in that language."""

import asyncio
import copy
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbformat
import psutil  # type: ignore[import-untyped]
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from posenc_lessons.course.lessons import PACKAGE
from posenc_lessons.language import BilingualError, Language

START_SECONDS = 300  # long enough for a busy machine
CELL_SECONDS = 900


class DidNotRun(BilingualError):
    """The error for a cell that failed; the message says which and why."""


def run(notebook: Any, language: Language, live: bool) -> None:
    """Execute ``notebook`` in place, only in ``language``, in a new kernel of this Python.

    The kernel does not have this user's settings and choices, and works in an empty folder that is removed
    afterwards. ``live``: explorers save their settings beside their picture. Raises DidNotRun.
    """
    first = nbformat.v4.new_code_cell(
        f"from posenc_lessons.export.stills import prepare\nprepare({language!r}, {live!r})"
    )
    notebook.cells.insert(0, first)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    metadata = copy.deepcopy(notebook.metadata)  # because the kernel writes its version into the original
    with tempfile.TemporaryDirectory(prefix="posenc-export-") as home:
        client = client_for(notebook, Path(home), Path(home), timeout=CELL_SECONDS)
        try:
            _execute(client, surroundings(Path(home)))
        except (CellExecutionError, CellTimeoutError, DeadKernelError, RuntimeError) as error:
            if isinstance(error, CellExecutionError):
                why = f"{error.ename}: {error.evalue}"
            else:
                why = f"{type(error).__name__}: {error}"
            raise DidNotRun(
                f"运行这一课时有一格出错：{why}", f"a cell failed while the lesson ran: {why}"
            ) from error
        finally:
            notebook.cells.pop(0)
            notebook.metadata = metadata
            _count_from_one(notebook)


def _execute(client: NotebookClient, environment: dict[str, str]) -> None:
    """Run the notebook in a second thread, so that Ctrl+C or `kill` ends its kernel and raises here.

    In the main thread, nbclient would handle both signals itself and fail while it stops the kernel.
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        executed = client.async_execute(env=environment, cleanup_kc=True)
        running = thread.submit(asyncio.run, executed)
        try:
            running.result()
        finally:
            while not running.done():
                _end_kernel(client)
                wait([running], timeout=0.1)


def _end_kernel(client: NotebookClient) -> None:
    pid = getattr(client.km and client.km.provisioner, "pid", None)
    if pid:
        with suppress(psutil.NoSuchProcess):
            psutil.Process(pid).kill()


def _count_from_one(notebook: Any) -> None:
    """Number the cells as if nothing had run before them."""
    for cell in notebook.cells:
        for counted in (cell, *cell.get("outputs", ())):
            if counted.get("execution_count"):
                counted.execution_count -= 1


def client_for(notebook: Any, folder: Path, home: Path, **options: Any) -> NotebookClient:
    """Return a client that runs ``notebook`` in ``folder``, in a new kernel of this Python.

    ``home`` is a separate empty folder; ``options`` are those of NotebookClient.
    """
    kernels = AsyncKernelManager(kernel_spec_manager=_OneKernel(), connection_file=str(home / "kernel.json"))
    return NotebookClient(
        notebook,
        km=kernels,
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
        startup_timeout=START_SECONDS,
        **options,
    )


def surroundings(home: Path) -> dict[str, str]:
    """Return an environment for a kernel without this user's settings, history and choices."""
    paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "POSENC_LESSONS_HOME": str(home / "choices"),
        "JUPYTER_CONFIG_DIR": str(home / "jupyter"),
        "IPYTHONDIR": str(home / "ipython"),
        "MPLCONFIGDIR": str(home / "matplotlib"),
        "OMP_NUM_THREADS": "1",  # the order of additions, and with it the last digits, depends on it
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONUTF8": "1",
    }


class _OneKernel(KernelSpecManager):
    """Offer only the kernel of this interpreter, and no other installed kernel."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=ERROR"]
        return KernelSpec(argv=command, display_name=kernel_name, language="python")
