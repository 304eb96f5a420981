"""One learner's server: update their copy of the lessons, then start JupyterLab on it.

JupyterHub starts this as the learner, in the learner's own process, so the copy belongs to them whether
learners are accounts of the machine or not.
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

from posenc_lessons import __version__
from posenc_lessons.course.learner_copy import copy_lessons
from posenc_lessons.course.lessons import shipped_lessons

assert sys.platform != "win32", "JupyterHub does not run on Windows"
import resource  # noqa: E402


def main() -> None:
    """Copy the lessons to where Spawner.notebook_dir says, limit the memory, and become the server."""
    folder = Path(os.environ["JUPYTERHUB_ROOT_DIR"]).expanduser()
    try:
        copy_lessons(shipped_lessons(), folder, __version__)
    except OSError as error:  # goes to the hub's log; the learner is told that the server did not start
        sys.exit(f"The lessons could not be copied into {folder}: {error}\n课程没能复制到 {folder}：{error}")
    limit_memory()
    runpy.run_module("jupyterhub.singleuser", run_name="__main__")


def limit_memory() -> None:
    """Hold this process, and each kernel it will start, to the memory that Spawner.mem_limit names.

    JupyterHub's own process spawners only announce that limit. If it is enforced, a tensor that is too large
    raises an error in the one notebook that asked for it, and the other learners go on. It holds on Linux;
    macOS counts this memory but stops nobody.
    """
    wanted = os.environ.get("MEM_LIMIT")
    if wanted:
        _, highest = resource.getrlimit(resource.RLIMIT_DATA)
        limit = int(wanted) if highest == resource.RLIM_INFINITY else min(int(wanted), highest)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


if __name__ == "__main__":
    main()
