"""What a reader has guessed and solved: a file beside their choices, for themselves alone.

As with the choices, a file that cannot be read or written is never an error: the problem comes back as a
``Text`` to show. Nothing of it leaves the machine, and nothing in the course is locked by it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from posenc_lessons.choices import brief, home
from posenc_lessons.files import write_atomically
from posenc_lessons.language import Text


@dataclass(frozen=True)
class Progress:
    """``guessed``: a guess's name → the number of the choice, from 0; ``settled``: names of guesses whose
    answer was seen; ``solved``: exercises, as ``LESSON.STUB`` (``why_position.causal_mask``).
    """

    guessed: Mapping[str, int] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()
    solved: frozenset[str] = frozenset()


def so_far() -> tuple[Progress, Text | None]:
    """What is on file, and what is wrong with the file (None when nothing is, or there is none yet)."""
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
        return _read(found), None
    except FileNotFoundError:
        return Progress(), None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return Progress(), Text(
            "读不出以前的进度（{path}：{error}）；下一次猜测或做对练习会改写它。",
            "Your progress so far could not be read ({path}: {error}); the next guess or solved exercise "
            "rewrites the file.",
        ).format(path=_file(), error=brief(error))


def guessed(name: str, choice: int) -> Text | None:
    """Keep the choice (from 0) made for the guess ``name``. Returns what went wrong, or None."""
    before, _ = so_far()
    return _write(Progress({**before.guessed, name: choice}, before.settled, before.solved))


def settled(name: str) -> Text | None:
    """Keep that the answer to the guess ``name`` was seen. Returns what went wrong, or None."""
    before, _ = so_far()
    return _write(Progress(before.guessed, before.settled | {name}, before.solved))


def solved(exercise: str) -> Text | None:
    """Keep that the reader solved ``exercise`` (``LESSON.STUB``). Returns what went wrong, or None.

    The reader is whoever sits before a notebook of Jupyter's. Notebooks that are recorded, exported or
    graded keep nothing, nor do those that hold the solutions.
    """
    notebook = os.environ.get("JPY_SESSION_NAME")  # its path, as Jupyter's server tells the kernel
    if notebook is None or Path(notebook).parent.name == "solutions":
        return None
    before, _ = so_far()
    if exercise in before.solved:
        return None
    return _write(Progress(before.guessed, before.settled, before.solved | {exercise}))


def begin_anew() -> Text | None:
    """Forget all of it. Returns what went wrong, or None."""
    return _write(Progress())


def _read(found: Any) -> Progress:
    choices = {str(name): int(choice) for name, choice in found["guessed"].items()}
    return Progress(choices, frozenset(map(str, found["settled"])), frozenset(map(str, found["solved"])))


def _write(progress: Progress) -> Text | None:
    kept = {
        "guessed": dict(progress.guessed),
        "settled": sorted(progress.settled),
        "solved": sorted(progress.solved),
    }
    try:
        write_atomically(_file(), json.dumps(kept, indent=1).encode())
    except OSError as error:
        return Text(
            "进度没能存到 {path}（{error}）。", "Your progress could not be saved to {path} ({error})."
        ).format(path=_file(), error=brief(error))
    return None


def _file() -> Path:
    return home() / "progress.json"
