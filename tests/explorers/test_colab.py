"""On Colab an output must say where the code of a widget comes from that is not Colab's own.

Two stand-in modules have everything that anywidget uses of Colab. No test runs in Colab itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
from anywidget import _util as anywidget_util

from posenc_lessons.explorers import ShuffleExplorer

WIDGET = "application/vnd.jupyter.widget-view+json"
MANAGER = "https://colab.example/manager.js"
SOURCE = {"colab": {"custom_widget_manager": {"url": MANAGER}}}


@pytest.fixture
def _colab(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    output, widgets = ModuleType("google.colab.output"), ModuleType("google.colab.output._widgets")
    output._widgets = widgets  # type: ignore[attr-defined]
    widgets._installed_url = None  # type: ignore[attr-defined]
    output.enable_custom_widget_manager = lambda: setattr(widgets, "_installed_url", MANAGER)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "google.colab.output", output)
    anywidget_util.enable_custom_widget_manager_once.cache_clear()
    yield output
    anywidget_util.enable_custom_widget_manager_once.cache_clear()


@pytest.mark.usefixtures("_colab")
@pytest.mark.parametrize("sentence", ["dog bites man", ""], ids=["a picture", "an error"])
def test_an_explorer_on_colab_says_where_its_panel_comes_from(sentence: str) -> None:
    explorer = ShuffleExplorer()
    explorer.controls["sentence"].value = sentence
    data, metadata = explorer._repr_mimebundle_()
    assert data[WIDGET]["model_id"] and metadata[WIDGET] == SOURCE
    if explorer.message is None:
        assert metadata["image/png"]["alt"]
    else:
        assert data["text/plain"] == explorer.message.show("both")


def test_outside_colab_nothing_is_added() -> None:
    _, metadata = ShuffleExplorer()._repr_mimebundle_()
    assert set(metadata) == {"image/png"}
