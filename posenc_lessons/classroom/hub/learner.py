"""One learner's server: update their copy of the lessons, then start JupyterLab on it.

JupyterHub starts this in the learner's process, so the copy always belongs to the account that also runs the
learner's code.
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
    """Copy the lessons into the folder of Spawner.notebook_dir, limit the memory, and become the server."""
    folder = Path(os.environ["JUPYTERHUB_ROOT_DIR"]).expanduser()
    try:
        copy_lessons(shipped_lessons(), folder, __version__)
    except OSError as error:  # printed to the hub's log; the learner sees that the server did not start
        sys.exit(f"The lessons could not be copied into {folder}: {error}\n课程没能复制到 {folder}：{error}")
    limit_memory()
    runpy.run_module("jupyterhub.singleuser", run_name="__main__")


def limit_memory() -> None:
    """Limit the memory of this process, and of each kernel it will start, to Spawner.mem_limit.

    JupyterHub's process spawners only announce that limit. If it is enforced, a tensor that is too large
    raises an error in its own notebook, and other learners are not affected. Linux enforces it; macOS does
    not.
    """
    wanted = os.environ.get("MEM_LIMIT")
    if wanted:
        _, highest = resource.getrlimit(resource.RLIMIT_DATA)
        limit = int(wanted) if highest == resource.RLIM_INFINITY else min(int(wanted), highest)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


if __name__ == "__main__":
    main()
