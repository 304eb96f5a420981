"""Make .venv or bring it up to date if needed; the Makefile does so before every verb.

    python set_up.py                         for `make lab` and `make explorer`
    python set_up.py test oracles classroom  also for the Makefile's other verbs
    python set_up.py --venv .venv-3.12 test  in another folder; .venv does not change

The last file written is .venv/ready.json, which says what the .venv was made from. A .venv without it is
half-built and is made again. A .venv from another pyproject.toml or constraints.txt is refreshed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Run by the .venv's Python, from HERE: does it start, does it find the package in this folder (and not where
# this folder was moved or copied from), and are its largest dependencies installed?
HEALTHY = """
import importlib.util, os, posenc_lessons
assert os.path.samefile(os.path.dirname(posenc_lessons.__file__), "posenc_lessons")
assert all(map(importlib.util.find_spec, ["torch", "ipywidgets", "jupyterlab", "nbconvert"]))
"""


class SetUpError(Exception):
    """An error that the reader can fix; the message says how, in both languages."""


def python_of(venv: Path) -> Path:
    """Return the path of the Python inside ``venv``, which Windows keeps elsewhere."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def fingerprint(folder: Path) -> str:
    """Return one hash of what a .venv is made from: the dependencies and their versions."""
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((folder / name).read_bytes() + b"\0")
    return digest.hexdigest()


def read_stamp(venv: Path) -> dict[str, object] | None:
    """Return the content of ready.json, or None if it cannot be read."""
    try:
        stamp = json.loads((venv / "ready.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return stamp if isinstance(stamp, dict) else None


def is_healthy(venv: Path, folder: Path) -> bool:
    """Return True if the .venv's Python starts and finds this package and its largest dependencies."""
    try:
        run = subprocess.run([python_of(venv), "-I", "-c", HEALTHY], cwd=folder, capture_output=True)
    except OSError:  # no such file, or one that is not a program on this system
        return False
    return run.returncode == 0


def plan(
    folder: Path, extras: set[str], this_python: bool = False, name: str = ".venv"
) -> tuple[str, set[str]]:
    """Return the action for ``folder``'s .venv ("nothing", "refresh" or "build"), and its extras.

    ``this_python``: rebuild a .venv of another Python version than the running one. ``name``: the name of the
    .venv's folder.
    """
    venv = folder / name
    stamp = read_stamp(venv)
    if stamp is None or not is_healthy(venv, folder):
        return "build", extras
    if this_python and stamp.get("python") != list(sys.version_info[:2]):
        return "build", extras
    had = stamp.get("extras")
    installed = {str(extra) for extra in had} if isinstance(had, list) else set()
    if stamp.get("made_from") == fingerprint(folder) and extras <= installed:
        return "nothing", installed
    return "refresh", extras | installed


def build(venv: Path) -> None:
    """Make an empty virtual environment, which replaces anything in its place."""
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        raise SetUpError(
            f"This Python ({sys.executable}, {version}) cannot make a virtual environment:"
            " ensurepip is missing. On Debian or Ubuntu, install it and try again:\n"
            f"    sudo apt install python{version}-venv\n"
            f"这个 Python（{sys.executable}，{version}）不能建虚拟环境：缺少 ensurepip。"
            f"在 Debian 或 Ubuntu 上先装上它，再试一次：\n    sudo apt install python{version}-venv"
        )
    if venv.is_symlink():
        venv.unlink()
    elif venv.exists():
        shutil.rmtree(venv)
    if subprocess.run([sys.executable, "-m", "venv", venv]).returncode:
        raise SetUpError(
            f"Could not make the virtual environment {venv}; Python's own words are above.\n"
            f"虚拟环境 {venv} 没有建成，原因见上面 Python 自己的话。"
        )


def install(folder: Path, extras: set[str], name: str = ".venv") -> None:
    """Install this package, editable, with the versions of constraints.txt; write the stamp last."""
    venv = folder / name
    stamp = venv / "ready.json"
    stamp.unlink(missing_ok=True)
    what = f".[{','.join(sorted(extras))}]" if extras else "."
    pip = [str(python_of(venv)), "-m", "pip", "--disable-pip-version-check", "install"]
    # For tests, pip does not compile: Python compiles the part that they import at its first use, which
    # halves the time. A class's .venv is compiled here, because learners could not save compiled files.
    later = ["--no-compile"] if "test" in extras and not sys.dont_write_bytecode else []
    if subprocess.run([*pip, *later, "-c", "constraints.txt", "-e", what], cwd=folder).returncode:
        raise SetUpError(
            "Installing did not finish; pip's own words are above. Once the cause is mended"
            " (most often the network or a full disk), run the same command again.\n"
            "安装没有完成，原因见上面 pip 自己的话。"
            "解决之后（多半是网络不通或磁盘已满），再运行一次同样的命令。"
        )
    record = {
        "made_from": fingerprint(folder),
        "extras": sorted(extras),
        "python": list(sys.version_info[:2]),
    }
    stamp.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Do what ``plan`` returns, and print it."""
    parser = argparse.ArgumentParser(description="Make or refresh .venv.")
    parser.add_argument("extras", nargs="*", help="extras to install: test, oracles, classroom")
    parser.add_argument("--this-python", action="store_true", help="rebuild a .venv of another version")
    parser.add_argument("--venv", default=".venv", help="another folder than .venv, in this one")
    arguments = parser.parse_args()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        name = arguments.venv
        todo, extras = plan(HERE, set(arguments.extras), arguments.this_python, name)
        if todo == "nothing":
            return
        print(
            f"Setting up {name}; the first time takes a few minutes, most of it PyTorch.\n"
            f"正在准备 {name}。第一次要几分钟，大部分时间在下载 PyTorch。",
            flush=True,
        )
        if todo == "build":
            build(HERE / name)
        install(HERE, extras, name)
    except SetUpError as error:
        sys.exit(f"\n{error}")
    except OSError as error:
        sys.exit(f"\nCould not set up {name}: {error}\n{name} 没有准备好：{error}")
    except KeyboardInterrupt:
        sys.exit("\nStopped; the next run starts over.\n已停下，下次会重新开始。")


if __name__ == "__main__":
    main()
