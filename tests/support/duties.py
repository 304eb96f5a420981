"""Say what was forgotten: a sentence for each missing thing, instead of a list difference."""

from __future__ import annotations

from collections.abc import Iterable


def assert_complete(wanted: Iterable[object], there: Iterable[object], missing: str, unknown: str) -> None:
    """Fail unless ``there`` holds all of ``wanted`` and nothing else.

    The message has the sentence ``missing`` for each wanted thing that is not there, and the sentence
    ``unknown`` for each that is there but not wanted. ``{}`` in them is replaced by the thing.
    """
    wanted, there = list(wanted), list(there)
    problems = [missing.format(each) for each in wanted if each not in there]
    problems += [unknown.format(each) for each in there if each not in wanted]
    assert not problems, "\n".join(problems)
