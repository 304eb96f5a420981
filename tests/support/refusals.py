"""Test a refusal: its message, and that the refused value was next to the limit in the message."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from posenc_lessons.language import BilingualValueError

Refused = tuple[Callable[[], Any], str]  # a call, and a pattern of its message

NUMBER = r"(-?[\d.]+)"
LEAST = re.compile(rf"(?:whole|finite) number, {NUMBER} or more; got {NUMBER}$")
ABOVE = re.compile(rf"finite number, above {NUMBER}; got {NUMBER}$")


def assert_refused(call: Callable[[], Any], message: str) -> None:
    """Assert that ``call`` is refused with ``message``, a pattern.

    If the message names a limit, the refused value must be next to it, so that a wrong limit is noticed.
    """
    with pytest.raises(BilingualValueError, match=message) as refused:
        call()
    if found := LEAST.search(refused.value.en):
        assert float(found[1]) - float(found[2]) <= 1, f"try the limit less one: {refused.value.en}"
    if found := ABOVE.search(refused.value.en):
        assert found[1] == found[2], f"try the limit itself: {refused.value.en}"
