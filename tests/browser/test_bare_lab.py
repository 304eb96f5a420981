"""JupyterLab in an environment that cannot show widgets: the still, and what to install where."""

import json
import sys
import venv
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.watching import SWITCH_CELL, Watch
from tests.support.pages import jupyter_lab, run_all, write_notebook

pytestmark = pytest.mark.sweep

EXPLORER_CELL = "from posenc_lessons.explorers import RotationExplorer\n\nRotationExplorer()"
SHARE = Path("share", "jupyter")


def bare_environment(folder: Path, *extensions: str) -> Path:
    """Make an environment with this one's packages, but only these of JupyterLab's extensions."""
    venv.create(folder, symlinks=True)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    here = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "everything.pth").write_text("\n".join(here), encoding="utf-8")
    for shared in ("lab", *(f"labextensions/{name}" for name in extensions)):
        (folder / SHARE / shared).parent.mkdir(parents=True, exist_ok=True)
        (folder / SHARE / shared).symlink_to(Path(sys.prefix) / SHARE / shared)
    return folder / "bin" / "python"


@pytest.mark.parametrize(
    ("extensions", "switched"),
    [(["@jupyter-widgets"], True), ([], False)],
    ids=["no anywidget", "no widgets"],
)
def test_the_still_and_a_sentence_stand_where_widgets_cannot(
    extensions: list[str], switched: bool, tmp_path: Path, browser: Browser
) -> None:
    python = bare_environment(tmp_path / "lab", *extensions)
    kernel = {"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]}
    spec = tmp_path / "jupyter" / "kernels" / "python3" / "kernel.json"
    spec.parent.mkdir(parents=True)
    spec.write_text(
        json.dumps({**kernel, "display_name": "Python 3", "language": "python"}), encoding="utf-8"
    )
    write_notebook(tmp_path / "shown.ipynb", [SWITCH_CELL, EXPLORER_CELL])
    watched = Watch(browser)
    with jupyter_lab(tmp_path, python, tmp_path / "jupyter") as lab:
        lab.open(watched.page, "shown.ipynb")
        assert run_all(watched.page)
        switch, explorer = watched.page.locator(".jp-CodeCell .jp-Cell-outputArea").all()
        install = f"{python} -m pip install anywidget"
        if switched:
            expect(switch.get_by_role("button", name="English")).to_be_visible()
        else:
            expect(switch).to_contain_text(install)
        expect(explorer.get_by_text(install)).to_have_count(2)  # once in each language
        expect(explorer.get_by_role("img")).to_be_visible()
        expect(watched.page.get_by_text("Click to show javascript error")).to_have_count(0)
    watched.close()  # its console says that JupyterLab found no widgets
