"""All explorers in tabs, on the kernel of a notebook: ``EveryExplorer()`` in a cell shows them."""

from __future__ import annotations

from typing import Any

from posenc_lessons.explorers import closing
from posenc_lessons.explorers.base import SAVED_SHARPNESS
from posenc_lessons.explorers.every import EXPLORERS
from posenc_lessons.explorers.panel import PanelWidget


class EveryExplorer:
    """A tab for each explorer. An explorer is made when its tab is first shown: few readers open all."""

    def __init__(self) -> None:
        self._live: Any = PanelWidget()  # anywidget says that it may have no bundle

    def close(self) -> None:
        """Close all explorers."""
        self._live.close()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the live tabs, and for a reader without a kernel the first still and all names."""
        closing.close_when_replaced(self)
        live, source = self._live._repr_mimebundle_(**kwargs)
        first = EXPLORERS[0]()
        still, size = first.still().saved(SAVED_SHARPNESS)
        first.close()
        names = "\n".join(explorer.title.show("both") for explorer in EXPLORERS)
        return {**live, **still, "text/plain": names}, {**size, **source}
