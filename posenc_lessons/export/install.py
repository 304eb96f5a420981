"""A first cell that installs this package, for a notebook opened by itself, for example on Colab."""

from typing import Any

import nbformat

from posenc_lessons.language import BilingualError, Language, Text

CELL = "install"  # the cell's id
WHY = Text("没有 posenc_lessons 时才安装", "Installs posenc_lessons where it is missing")
SOURCE = """\
# {why}
import importlib.util
import subprocess
import sys

if importlib.util.find_spec("posenc_lessons") is None:
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", {requirement!r}], check=True)"""


class NotToInstall(BilingualError):
    """The error for a requirement that pip would not take for one."""


def with_install(notebook: Any, requirement: str, language: Language) -> Any:
    """Add a first cell to ``notebook``, in place, that installs ``requirement``; return the notebook.

    ``requirement`` is a wheel's name or address, ``git+https://…``, or any other word that ``pip install``
    takes. If the package is already installed, the cell does nothing.
    """
    source = SOURCE.format(why=WHY.show(language), requirement=requirement)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(source, id=CELL))
    return notebook


def check(requirement: str, form: str) -> None:
    """Raise NotToInstall if ``requirement`` is empty or an option of pip, or is for another form."""
    if form != "ipynb":
        raise NotToInstall(
            f"--install 只用于笔记本，即 --to ipynb；--to {form} 什么也不用安装",
            f"--install is for notebooks, --to ipynb; --to {form} has nothing to install",
        )
    if not requirement.strip() or requirement.startswith("-"):
        raise NotToInstall(
            "--install 后面是 pip 要安装的一样东西：wheel 的文件名或网址，或者 git+https://…，"
            f"不能是 {requirement!r}",
            "--install names one thing for pip to install: a wheel's name or address, or git+https://…,"
            f" not {requirement!r}",
        )
