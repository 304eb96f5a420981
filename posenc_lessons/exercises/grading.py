"""A verdict as a grade: what the locked cell below an exercise calls in an assignment made for nbgrader."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Any

from IPython.display import display

from posenc_lessons.exercises.verdict import Verdict


class NotPassed(AssertionError):
    """The answer earns no points; the message is the check's own."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(f"{repr(verdict)[0]} {verdict.message.show('both')}")

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows in place of a traceback, whose lines are none of the learner's."""
        return [str(self)]


def grade(check: Callable[[Any], Verdict], answer: Any) -> None:
    """Show ``check``'s verdict on a right ``answer``; raise NotPassed, 0 points to nbgrader, on any other.

    nbgrader takes a single word on stderr for a failure, so what the answer says there, perhaps a warning,
    goes to stdout instead.
    """
    with contextlib.redirect_stderr(sys.stdout):
        verdict = check(answer)
    if not verdict.passed:
        raise NotPassed(verdict)
    display(verdict)
