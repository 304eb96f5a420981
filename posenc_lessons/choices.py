"""The reader's choices in lesson 00, kept for the other lessons: the language and the device.

They are in a small JSON file in ``POSENC_LESSONS_HOME``, or in Jupyter's data folder if that is not set. A
file that cannot be read or written is never an error: the functions return the problem as a ``Text`` to show,
and the choice still holds for the kernel that made it.
"""

import json
import os
import warnings
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from posenc_lessons.files import in_turn, write_atomically
from posenc_lessons.language import LANGUAGES, BilingualValueError, Language, Text

DEVICES = ("cpu", "cuda", "mps")
_GUESS = "POSENC_LESSONS_LANGUAGE"  # kernels inherit it from JupyterLab's server

_device: str | None = None  # this kernel's choice; None until it is needed


@dataclass(frozen=True)
class Choices:
    """One reader's choices. The defaults hold for a first visit and do not depend on the machine.

    ``language`` is None before the first choice: kernels then speak the one that JupyterLab's page guessed.
    """

    language: Language | None = None
    device: str = "cpu"


def home() -> Path:
    """Return the folder of the choices: ``POSENC_LESSONS_HOME``, or one in Jupyter's data folder."""
    chosen = os.environ.get("POSENC_LESSONS_HOME")
    if chosen:
        return Path(chosen)
    from jupyter_core.paths import jupyter_data_dir

    return Path(jupyter_data_dir()) / "posenc_lessons"


def remembered() -> tuple[Choices, Text | None]:
    """Return the saved choices, and the problem with the file (None if there is none)."""
    path = _file()
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        language, device = saved["language"], saved["device"]
        if language not in (*LANGUAGES, None) or device not in DEVICES:
            raise ValueError(f"language={language!r}, device={device!r}")
    except FileNotFoundError:
        return Choices(), None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        return Choices(), Text(
            "读不出以前的选择（{path}：{error}），先用默认值；重新选一次就会改写它。",
            "Your earlier choices could not be read ({path}: {error}), so the defaults are used; "
            "choosing again rewrites the file.",
        ).format(path=path, error=brief(error))
    return Choices(language, device), None


def remember(*, language: Language | None = None, device: str | None = None) -> Text | None:
    """Keep these choices for other lessons and leave the others unchanged; return a problem or None.

    ``device`` also becomes this kernel's choice (``language.choose`` does that for the language).
    """
    global _device
    if device is not None:
        if device not in available_devices():
            raise BilingualValueError(
                f"这台机器上 device 只能是 {', '.join(available_devices())} 之一，收到 {device!r}",
                f"device must be one of {', '.join(available_devices())} on this machine, got {device!r}",
            )
        _device = device
    try:
        with in_turn(_file()):
            choices, _ = remembered()
            choices = replace(choices, language=language or choices.language, device=device or choices.device)
            write_atomically(_file(), json.dumps(asdict(choices)).encode())
    except OSError as error:
        return Text(
            "选择没能存到 {path}（{error}）。它在这个笔记本里仍然有效，打开别的课时要再选一次。",
            "Your choice could not be saved to {path} ({error}). It holds in this notebook; "
            "other lessons will need it again.",
        ).format(path=_file(), error=brief(error))
    return None


def guess(language: Language) -> None:
    """Have kernels that this process starts later speak ``language`` until the reader chooses one."""
    os.environ[_GUESS] = language


def guessed() -> Language:
    """Return the language that was guessed before this kernel started, or both."""
    return next((name for name in LANGUAGES if name == os.environ.get(_GUESS)), "both")


def available_devices() -> tuple[str, ...]:
    """Return the devices that PyTorch can use on this machine; ``"cpu"`` is always first."""
    import torch

    exists = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    return tuple(name for name in DEVICES if exists[name])


def device() -> str:
    """Return where to compute: the reader's choice, or ``"cpu"`` if there is none or that device is gone.

    The lessons' models are small enough for a CPU, and their printed numbers come from one, so a GPU is used
    only if the reader asks for it. If a choice cannot be followed, a warning says so once.
    """
    name, problem = settle_device()
    if problem is not None:
        warnings.warn(problem.show(), stacklevel=2)
    return name


def settle_device() -> tuple[str, Text | None]:
    """Return ``device()`` and, instead of a warning, the reason if it is not the chosen one."""
    global _device
    if _device is not None:
        return _device, None
    choices, problem = remembered()
    if choices.device in available_devices():
        _device = choices.device
    else:
        _device = "cpu"
        problem = Text(
            "以前选的设备 {wanted} 在这台机器上找不到，改用 cpu。",
            "The device chosen before, {wanted}, is not on this machine; cpu is used instead.",
        ).format(wanted=choices.device)
    return _device, problem


def _file() -> Path:
    return home() / "choices.json"


def brief(error: Exception) -> str:
    """Return a one-line reason why a file could not be read or written."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"{type(error).__name__}: {error}"
