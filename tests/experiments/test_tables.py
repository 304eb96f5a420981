"""The recorded tables: rows that were never used did not move, and training again gives the same."""

from __future__ import annotations

import pytest
import torch

from posenc_lessons.experiments.trained.tables import (
    EVERY,
    LENGTH,
    TABLES,
    TableHistory,
    record_table,
    table_history,
)


@pytest.mark.parametrize("name", TABLES.names)
def test_trained_rows_moved_and_the_others_did_not(name: str) -> None:
    record = table_history(name)
    moved = (record.tables - record.tables[0]).norm(dim=2)
    assert (moved[:, LENGTH:] == 0).all()
    assert (moved[-1, :LENGTH] > 1).all()


@pytest.mark.parametrize("name", TABLES.names)
def test_training_again_gives_the_table_recorded(name: str) -> None:
    again, kept = TableHistory(), table_history(name)
    record_table(again, name, EVERY, progress=False)
    torch.testing.assert_close(again.tables[:2], kept.tables[:2], atol=5e-3, rtol=0)
    assert (again.accuracy[:2] - kept.accuracy[:2]).abs().mean() < 0.02
