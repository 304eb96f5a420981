"""A plugin for `make test`: cells that train for minutes train for a tenth of their steps.

    pytest -p tests.notebooks.shorter …

Numbers of these models are printed as "≈ 0.93" and not compared. Fewer steps suffice to show that the cells
train and that the rest of the lesson works with their models. Recorded outputs come from all steps.
"""

import re
from collections.abc import Sequence

import pytest
from nbval.plugin import IPyNbCell

SHORTER = {
    "06_cope.ipynb": ("counter-train",),
    "10_not_every_layer.ipynb": ("hybrid-train",),
}


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Change the number of steps in collected cells."""
    for item in items:
        if isinstance(item, IPyNbCell) and item.cell.id in SHORTER.get(item.path.name, ()):
            item.cell.source, found = re.subn(r"(?<=steps=)(\d+)0\b", r"\1", item.cell.source)
            assert found == 1, f"{item.nodeid} says {found} times how many steps it takes"
