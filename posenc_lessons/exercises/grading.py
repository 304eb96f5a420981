"""Turn a verdict into a grade, in the locked cell below an exercise of an assignment for nbgrader."""

import contextlib
import sys
from collections.abc import Callable
from typing import Any

from posenc_lessons.display import display
from posenc_lessons.exercises.verdict import Verdict


class NotPassed(AssertionError):
    """The answer earns no points; the message is the check's own."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(repr(verdict))

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows instead of a traceback, whose lines would not be the learner's."""
        return [str(self)]


def grade(check: Callable[[Any], Verdict], answer: Any) -> None:
    """Show ``check``'s verdict on a right ``answer``; on any other raise NotPassed, 0 points.

    nbgrader takes any word on stderr for a failure, so what the answer prints there, perhaps a warning, goes
    to stdout.
    """
    with contextlib.redirect_stderr(sys.stdout):
        verdict = check(answer)
    if not verdict.passed:
        raise NotPassed(verdict)
    display(verdict)
