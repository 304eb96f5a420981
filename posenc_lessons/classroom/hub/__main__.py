"""Start the class's JupyterHub; further arguments are JupyterHub's own options.

python -m posenc_lessons.classroom.hub --url=http://0.0.0.0:8000
"""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys
from pathlib import Path

CONFIG = Path(__file__).with_name("jupyterhub_config.py")


def main() -> None:
    """Run JupyterHub with the configuration beside this file, or say why that is impossible."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if os.name != "posix":
        sys.exit(
            "JupyterHub runs on Linux and macOS, not on Windows; WSL or a Linux server will do.\n"
            "JupyterHub 只能在 Linux 和 macOS 上运行，不支持 Windows；可以用 WSL 或一台 Linux 服务器。"
        )
    if importlib.util.find_spec("jupyterhub") is None:
        sys.exit(
            'JupyterHub is not installed here; it comes with the extra "classroom" of posenc-lessons.'
            " In a clone: pip install -c constraints.txt -e '.[classroom]'\n"
            "这里没有安装 JupyterHub，它在 posenc-lessons 的附加依赖 classroom 里。"
            "在克隆下来的文件夹里：pip install -c constraints.txt -e '.[classroom]'"
        )
    sys.argv[1:1] = ["--config", str(CONFIG)]
    try:
        runpy.run_module("jupyterhub", run_name="__main__")
    except KeyboardInterrupt:  # before the hub handles it
        sys.exit(130)


if __name__ == "__main__":
    main()
