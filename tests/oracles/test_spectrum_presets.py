"""The models of the spectrum explorer are as in their configurations, including transformers' defaults."""

from __future__ import annotations

import json

import pytest
import transformers

from tests.oracles.spectrum_presets import PRESETS, presets

KEPT = json.loads(PRESETS.read_text("utf-8"))


@pytest.mark.skipif(transformers.__version__ != KEPT["transformers"], reason="its defaults may be others")
@pytest.mark.sweep
def test_the_command_writes_the_committed_file() -> None:
    assert presets() == KEPT
