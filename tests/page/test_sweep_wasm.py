"""In WebAssembly the explorers show the same as over PyTorch: the built page's own Python, run by Node."""

from __future__ import annotations

import base64
import pickle

import pytest

from posenc_lessons.explorers import EXPLORERS
from tests.page.agreement import differences
from tests.page.conftest import ROOT, SWEEP, Sweeping
from tests.page.page_python import PagePython
from tests.page.sweep import is_among

# A third of the settings. test_sweep.py tests the page's torch at all of them in less time.
EVERY = 3
HOSTILE = ROOT / "tests" / "support" / "hostile.py"  # the only module that the sweep imports
SWEPT = """
import base64, pickle, sys, types
hostile = sys.modules["tests.support.hostile"] = types.ModuleType("hostile")
exec({hostile!r}, vars(hostile))
exec({sweep!r}, swept := {{"__name__": "sweep"}})
base64.b64encode(pickle.dumps(swept["sweep"]({name!r}, {every}))).decode()
"""


@pytest.mark.parametrize("name", [explorer.name for explorer in EXPLORERS])
def test_an_explorer_shows_the_same_in_webassembly(
    name: str, over_pytorch: Sweeping, page: PagePython
) -> None:
    sources = {"sweep": SWEEP.read_text(encoding="utf-8"), "hostile": HOSTILE.read_text(encoding="utf-8")}
    swept = page.run(SWEPT.format(**sources, name=name, every=EVERY))
    found = enumerate(over_pytorch.found[name])
    expected = [setting for number, setting in found if is_among(number, setting["calls"], EVERY)]
    differ = differences(expected, pickle.loads(base64.b64decode(swept)))
    assert not differ, "\n".join(differ[:20])
