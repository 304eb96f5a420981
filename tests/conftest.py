"""Fixtures of all tests: no settings of the developer, one thread, the language restored."""

import gc
import os
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.support.ports import kernels_have_them

# Set before torch is imported; the xdist workers are the parallelism.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# A choice of language or device remembered on this machine must not affect a test.
os.environ.setdefault("POSENC_LESSONS_HOME", tempfile.mkdtemp(prefix="posenc-tests-"))

# The time of an example depends more on other workers than on our code.
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("here"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

kernels_have_them()


def pytest_collection_finish() -> None:
    """Collect garbage less often, and not among loaded modules: this took a fifth of the pictures' time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(autouse=True)
def _language_put_back() -> Iterator[None]:
    """Restore both languages after a test, which may choose any.

    Explorers that are still open stop following the language. Otherwise each later change would paint them.
    """
    from posenc_lessons import language

    before = list(language._listeners)
    yield
    for listener in language._listeners[:]:
        if listener not in before and listener.__module__.startswith("posenc_lessons.explorers"):
            language._listeners.remove(listener)
    language.choose("both")
