"""The table explorer shows what was recorded of a row and, beyond the end, the error that is raised."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from posenc_lessons.experiments.trained.tables import EVERY, LAST, LENGTH, ROWS, table_history
from posenc_lessons.explorers.learned_table import IN_PYTORCH, SHOWN, LearnedTableExplorer
from posenc_lessons.figures.scene import Heatmap


@pytest.mark.parametrize(("task", "step", "position"), [("copy", LAST, 20), ("bar", 5 * EVERY, 31)])
def test_similarity_is_the_cosine_of_the_recorded_rows(task: str, step: int, position: int) -> None:
    explorer = LearnedTableExplorer(task=task, step=step, position=position)
    table = table_history(task).tables[step // EVERY].detach()
    arrays = explorer.compute(explorer.parameters())
    similarity = F.cosine_similarity(table[position][None], table, dim=1)
    np.testing.assert_allclose(arrays["similarity"], similarity, atol=1e-6)
    np.testing.assert_array_equal(arrays["table"], table)


def test_an_untrained_row_has_not_moved_and_gives_wrong_answers() -> None:
    explorer = LearnedTableExplorer(position=LENGTH)
    arrays = explorer.compute(explorer.parameters())
    assert arrays["moved"] == 0 and "to the last bit" in explorer.reading.en
    assert np.nanmin(arrays["accuracy"][:LENGTH]) > 0.99
    assert np.max(arrays["accuracy"][LENGTH:]) < 2 * arrays["guessing"]


def test_beyond_the_end_the_errors_of_the_package_and_pytorch_are_shown() -> None:
    explorer = LearnedTableExplorer(position=ROWS)
    assert explorer.message is None
    assert np.isnan(explorer.compute(explorer.parameters())["similarity"]).all()
    assert f"position {ROWS} is not in the table" in explorer.reading.en
    with pytest.raises(IndexError, match=IN_PYTORCH):
        nn.Embedding(ROWS, 4)(torch.tensor([ROWS]))
    table = explorer.present_scene()[0].panels[0]
    heatmap = table.layers[0]
    assert isinstance(heatmap, Heatmap) and len(heatmap.values) == SHOWN == table.y.start + 0.5
    assert (heatmap.indices()[ROWS:] == 0).all() and (heatmap.indices()[:ROWS] > 0).all()
