"""A first cell that installs this package, for a notebook opened by itself, for example on Colab."""

from __future__ import annotations

from typing import Any

import nbformat

from posenc_lessons.language import BilingualError, Language, Text

CELL = "install"  # the cell's id
WHY = Text("没有 posenc_lessons 时才安装", "Installs posenc_lessons where it is missing")
_SPECIAL = set("\"'`${}\\")  # have a meaning for IPython or for pip's shell


class NotToInstall(BilingualError):
    """The error for a requirement that cannot be passed to pip from a cell."""


def with_install(notebook: Any, requirement: str, language: Language) -> Any:
    """Add a first cell to ``notebook``, in place, that installs ``requirement``; return the notebook.

    ``requirement`` is a wheel's name or address, ``git+https://…``, or any other word that ``pip install``
    takes. If the package is already installed, the cell does nothing. Raises NotToInstall.
    """
    check(requirement)
    source = (
        f"# {WHY.show(language)}\n"
        "import importlib.util\n\n"
        'if importlib.util.find_spec("posenc_lessons") is None:\n'
        f'    %pip install --quiet "{requirement}"'
    )
    notebook.cells.insert(0, nbformat.v4.new_code_cell(source, id=CELL))
    return notebook


def check(requirement: str) -> None:
    """Raise NotToInstall if the shell or IPython would not pass ``requirement`` to pip as one word."""
    if (
        not requirement.strip()
        or not requirement.isprintable()  # IPython breaks lines at more characters than \n
        or requirement.startswith(("-", "%", "!"))
        or _SPECIAL & set(requirement)
    ):
        raise NotToInstall(
            "--install 后面是交给 pip 的一个词：wheel 的文件名或网址，或者 git+https://…，"
            f"不含引号、反斜杠、$、{{ 和换行，不能是 {requirement!r}",
            "what --install names is handed to pip as one word: a wheel's name or address, or git+https://…,"
            f" without quotes, backslashes, $, {{ or line breaks, not {requirement!r}",
        )
