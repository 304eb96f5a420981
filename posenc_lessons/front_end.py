"""Whether the JupyterLab around this kernel can show widgets.

JupyterLab may run in another environment than the kernel. That one needs the packages that show a widget, and
a page tells no kernel that they are missing. But a kernel is a child of JupyterLab's server.
"""

import os
import sys
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from posenc_lessons.language import Text

ANYWIDGET, IPYWIDGETS = "anywidget", "@jupyter-widgets/jupyterlab-manager"  # their extensions of JupyterLab
MISSING = Text(
    "这里只能看，不能动：JupyterLab 所在的环境里没有 anywidget；在终端运行 "
    "{python} -m pip install anywidget，然后刷新网页，再运行这一格。",
    "Nothing moves here because the environment in which JupyterLab runs has no anywidget: run "
    "“{python} -m pip install anywidget” in a terminal, reload the page and run this cell again.",
)


def what_is_missing(extension: str = ANYWIDGET) -> Text | None:
    """Return what to install where, if JupyterLab runs without ``extension``; None if not, or if unknown."""
    python = _of_server()
    share = None if python is None else python.parent.parent / "share" / "jupyter"
    if share is None or not (share / "lab").is_dir():  # another program than JupyterLab runs this kernel
        return None
    from jupyter_core.paths import ENV_JUPYTER_PATH, jupyter_path

    elsewhere = (Path(folder) for folder in jupyter_path() if folder not in ENV_JUPYTER_PATH)
    if any((folder / "labextensions" / extension).is_dir() for folder in (share, *elsewhere)):
        return None
    return MISSING.format(python=python)


def _of_server() -> Path | None:
    """Return the Python that started this kernel, as its command names it, or None."""
    parent = os.environ.get("JPY_PARENT_PID", "")
    if sys.platform == "win32" or not parent.isdecimal():  # Windows has another kind of number there
        return None
    try:
        server = psutil.Process(int(parent))
        python = Path(server.cwd(), server.cmdline()[0])
    except (psutil.Error, IndexError):
        return None
    return python if python.is_file() else None
