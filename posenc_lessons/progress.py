"""The reader's progress: guesses and solved exercises, in a file beside the choices.

As with the choices, a file that cannot be read or written is never an error: the functions return the problem
as a ``Text`` to show. The file never leaves the machine, and it locks nothing in the course.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from posenc_lessons.choices import brief, home
from posenc_lessons.files import in_turn, write_atomically
from posenc_lessons.language import Text

_elsewhere: Callable[[str], None] | None = None  # the function by which a page keeps solved exercises


@dataclass(frozen=True)
class Progress:
    """The progress of one reader.

    Attributes:
        guessed: a guess's name → the number of the choice, from 0.
        settled: names of guesses whose answer was seen.
        solved: exercises, as ``LESSON.STUB`` (``why_position.attention_weights``).
    """

    guessed: Mapping[str, int] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()
    solved: frozenset[str] = frozenset()


def use(keep_in_page: Callable[[str], None] | None) -> None:
    """Pass every solved exercise to ``keep_in_page`` instead of the file; for None, to the file again."""
    global _elsewhere
    _elsewhere = keep_in_page


def so_far() -> tuple[Progress, Text | None]:
    """Return the saved progress, and the problem with the file (None if there is none)."""
    try:
        return _read(json.loads(_file().read_text(encoding="utf-8"))), None
    except FileNotFoundError:
        return Progress(), None
    except (OSError, ValueError, OverflowError, KeyError, TypeError, AttributeError) as error:
        return Progress(), Text(
            "读不出以前的进度（{path}：{error}）；下一次猜测或做对练习会改写它。",
            "Your progress so far could not be read ({path}: {error}); the next guess or solved exercise "
            "rewrites the file.",
        ).format(path=_file(), error=brief(error))


def guessed(name: str, choice: int) -> Text | None:
    """Keep the choice (from 0) made for the guess ``name``; return a problem or None."""
    return _change(lambda before: replace(before, guessed={**before.guessed, name: choice}))


def settled(name: str) -> Text | None:
    """Record that the answer to the guess ``name`` was seen; return a problem or None."""
    return _change(lambda before: replace(before, settled=before.settled | {name}))


def solved(exercise: str) -> Text | None:
    """Record that the reader solved ``exercise`` (``LESSON.STUB``); return a problem or None.

    Only a notebook that Jupyter opened has a reader. A notebook that is recorded, exported or graded records
    nothing, and neither does a notebook with the solutions.
    """
    if _elsewhere is not None:
        _elsewhere(exercise)
        return None
    notebook = os.environ.get("JPY_SESSION_NAME")  # its path, as Jupyter's server tells the kernel
    if notebook is None or Path(notebook).parent.name == "solutions":
        return None
    return _change(lambda before: replace(before, solved=before.solved | {exercise}))


def taken_in(content: bytes) -> tuple[Progress, Text | None]:
    """Add the progress in a lesson page's export (``browser/work.js``); return it, and a problem or None.

    Such a file has the form of this module's file, and also the reader's drafts, which are not added. A guess
    that was settled here does not change.
    """
    try:
        found = _read(json.loads(content))
    except (ValueError, OverflowError, KeyError, TypeError, AttributeError) as error:
        return Progress(), Text(
            "这不是网页导出的学习记录（{error}）；什么也没有改。",
            "This is not a record that a lesson's page has exported ({error}); nothing was changed.",
        ).format(error=brief(error))
    return found, _change(lambda before: _together(before, found))


def _together(before: Progress, found: Progress) -> Progress:
    fixed = {name: choice for name, choice in before.guessed.items() if name in before.settled}
    return Progress(
        {**before.guessed, **found.guessed, **fixed},
        before.settled | found.settled,
        before.solved | found.solved,
    )


def forget_all() -> Text | None:
    """Forget all progress; return a problem or None."""
    return _change(lambda before: Progress())


def _read(found: Any) -> Progress:
    choices = {str(name): int(choice) for name, choice in found["guessed"].items()}
    return Progress(choices, frozenset(map(str, found["settled"])), frozenset(map(str, found["solved"])))


def _change(change: Callable[[Progress], Progress]) -> Text | None:
    """Read the file, change its progress and write it, while no other notebook does the same."""
    try:
        with in_turn(_file()):
            before, _ = so_far()
            write_atomically(_file(), json.dumps(_as_data(change(before)), indent=1).encode())
    except OSError as error:
        return Text(
            "进度没能存到 {path}（{error}）。", "Your progress could not be saved to {path} ({error})."
        ).format(path=_file(), error=brief(error))
    return None


def _as_data(progress: Progress) -> dict[str, Any]:
    return {
        "guessed": dict(progress.guessed),
        "settled": sorted(progress.settled),
        "solved": sorted(progress.solved),
    }


def _file() -> Path:
    return home() / "progress.json"
