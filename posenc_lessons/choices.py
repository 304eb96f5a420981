"""The reader's language, kept for other lessons and later visits, and the devices of this machine.

The choice is in a small JSON file in ``POSENC_LESSONS_HOME``, or in Jupyter's data folder if that is not set.
A file that cannot be read or written is never an error: the functions return the problem as a ``Text`` to
show, and the choice still holds for the kernel that made it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from posenc_lessons.files import write_atomically
from posenc_lessons.language import LANGUAGES, Language, Text

DEVICES = ("cpu", "cuda", "mps")


def home() -> Path:
    """Return the folder of the choices: ``POSENC_LESSONS_HOME``, or one in Jupyter's data folder."""
    chosen = os.environ.get("POSENC_LESSONS_HOME")
    if chosen:
        return Path(chosen)
    from jupyter_core.paths import jupyter_data_dir

    return Path(jupyter_data_dir()) / "posenc_lessons"


def remembered() -> tuple[Language | None, Text | None]:
    """Return the saved language (None before the first choice), and the problem with the file or None.

    Without a choice kernels speak both languages, and JupyterLab's page the browser's.
    """
    path = _file()
    try:
        language: Language = json.loads(path.read_text(encoding="utf-8"))["language"]
        if language not in LANGUAGES:
            raise ValueError(f"language={language!r}")
    except FileNotFoundError:
        return None, None
    except (OSError, ValueError, KeyError, TypeError) as error:
        return None, Text(
            "读不出以前的选择（{path}：{error}），先用默认值；重新选一次就会改写它。",
            "Your earlier choice could not be read ({path}: {error}), so the default is used; "
            "choosing again rewrites the file.",
        ).format(path=path, error=brief(error))
    return language, None


def remember(language: Language) -> Text | None:
    """Keep this choice for other lessons; return a problem or None."""
    try:
        write_atomically(_file(), json.dumps({"language": language}).encode())
    except OSError as error:
        return Text(
            "选择没能存到 {path}（{error}）。它在这个笔记本里仍然有效，打开别的课时要再选一次。",
            "Your choice could not be saved to {path} ({error}). It holds in this notebook; "
            "other lessons will need it again.",
        ).format(path=_file(), error=brief(error))
    return None


def available_devices() -> tuple[str, ...]:
    """Return the devices that PyTorch can use on this machine; ``"cpu"`` is always first."""
    import torch

    exists = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    return tuple(name for name in DEVICES if exists[name])


def _file() -> Path:
    return home() / "choices.json"


def brief(error: Exception) -> str:
    """Return a one-line reason why a file could not be read or written."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"{type(error).__name__}: {error}"
