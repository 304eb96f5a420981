"""Imports go one way, as pyproject.toml says, and nothing is loaded that is not needed."""

import subprocess
import sys

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports


def test_imports_go_one_way_and_make_no_circle(capsys: pytest.CaptureFixture[str]) -> None:
    assert lint_imports(no_cache=True) == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_explorers_answer_a_page_without_widgets_matplotlib_and_pillow() -> None:
    """A page without a kernel has none of them; only notebooks and stills need them."""
    script = (
        "import sys\n"
        "for name in ('matplotlib', 'PIL', 'ipywidgets', 'anywidget', 'traitlets', 'psutil'):\n"
        "    sys.modules[name] = None\n"
        "from posenc_lessons.explorers.host import NAMES, answer\n"
        "for name in NAMES:\n"
        "    assert answer('start', [name], name)['stage']['panels'], name\n"
        "try:\n"
        "    from posenc_lessons.explorers import RotationExplorer\n"
        "    RotationExplorer().widget\n"
        "except RuntimeError as error:\n"
        "    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0 and "A page without a kernel has no ipywidgets" in done.stdout, done.stderr
