"""Our JavaScript: tsc finds no type errors (JSDoc has the types), and eslint finds nothing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TOOLS = HERE / "node_modules" / ".bin"


@pytest.fixture(scope="module", autouse=True)
def tools() -> None:
    """Install the versions in package-lock.json if they are missing; skip the tests without npm."""
    npm = shutil.which("npm")
    if npm is None:
        reason = "no npm here, so JavaScript is not checked: install Node.js 18.18 or newer with npm"
        pytest.fail(reason) if os.environ.get("POSENC_REQUIRE_NPM") == "1" else pytest.skip(reason)
    wanted, installed = HERE / "package-lock.json", HERE / "node_modules" / "installed.json"
    if not installed.exists() or installed.read_bytes() != wanted.read_bytes():
        run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", within=HERE)
        shutil.copyfile(wanted, installed)


def run(*command: str | Path, within: Path = ROOT) -> None:
    done = subprocess.run(command, cwd=within, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("project", ["tsconfig.json", "tsconfig.node.json"])
def test_tsc_finds_no_type_errors(project: str) -> None:
    run(tool("tsc"), "--project", HERE / project)


def test_eslint_finds_nothing() -> None:
    rules = ("--config", HERE / "eslint.config.mjs", "--max-warnings", "0")
    run(tool("eslint"), *rules, "posenc_lessons", "tests")


@pytest.mark.parametrize(
    "folder",
    [
        HERE,
        ROOT / "posenc_lessons/course/jupyter/extension",
        ROOT / "posenc_lessons/browser/editor/source",
    ],
)
def test_lock_files_have_no_download_addresses(folder: Path) -> None:
    lock = (folder / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock, f"npm wrote it without {folder / '.npmrc'}"


def tool(name: str) -> Path:
    """Return the path of a command that npm installed."""
    return TOOLS / (f"{name}.cmd" if os.name == "nt" else name)
