"""Build the editor of a lesson's cells from CodeMirror: ``python -m posenc_lessons.browser.build_editor``.

This needs npm and the network. ``editor/source`` names the packages and their versions. The output in
``editor/built``, a script and the licences of its packages, is committed, so nobody else needs npm. A test
compares both with the fingerprints that ``posenc_lessons.npm`` saves.
"""

from pathlib import Path

from posenc_lessons import npm

FOLDER = Path(__file__).with_name("editor")
SOURCES, OUTPUT = FOLDER / "source", FOLDER / "built"
SCRIPT, LICENCES = OUTPUT / "editor.min.js", OUTPUT / "LICENSES.txt"
TOOLS = ("esbuild", "typescript", "@esbuild/")  # they build the script and are not in it


def build() -> None:
    """Check the types of the source, build it, gather licences, and save the fingerprints."""
    npm.build(SOURCES)
    LICENCES.write_text(licences(SOURCES / "node_modules"), encoding="utf-8")
    npm.note(SOURCES, OUTPUT)


def licences(packages: Path) -> str:
    """Return the licence of every package in the script, each below the package's name."""
    texts = {path.parent.relative_to(packages).as_posix(): path for path in packages.rglob("LICENSE")}
    stored = [name for name in sorted(texts) if not name.startswith(TOOLS)]
    return "\n".join(f"==== {name} ====\n\n{texts[name].read_text(encoding='utf-8')}" for name in stored)


if __name__ == "__main__":
    build()
