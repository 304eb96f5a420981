"""The built page's own Python, for the tests of this folder."""

import os
import shutil
from collections.abc import Iterator

import pytest

from posenc_lessons.browser.build import cells_part, data_parts, part_files, python_parts
from tests.page.page_python import PagePython


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PagePython]:
    """Return the built page's own Python, in WebAssembly."""
    if shutil.which("node") is None:
        if os.environ.get("POSENC_REQUIRE_BROWSER") == "1":
            pytest.fail("POSENC_REQUIRE_BROWSER=1, and there is no node")
        pytest.skip("no node here")
    folder = tmp_path_factory.mktemp("page")
    for name, content in part_files([*python_parts(), *data_parts(), cells_part()]).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    page = PagePython.under_node(folder)
    for part in data_parts():
        page.ask(call="start data", args={"name": part.name})
    page.ask(call="start cells", args={})
    yield page
    page.close()
