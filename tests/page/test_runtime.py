"""The shipped Python of the page is the one in the table, with the licences of all its parts."""

import subprocess
import tarfile
from pathlib import Path

import pytest

from posenc_lessons.browser import packing, runtime
from posenc_lessons.language import BilingualValueError

LICENCES = runtime.FOLDER / "LICENSES"


@pytest.mark.parametrize("part", runtime.PARTS)
def test_every_part_is_as_in_the_table(part: str) -> None:
    assert packing.sha256(runtime.content(part)) == runtime.PARTS[part]


def test_the_folder_has_what_the_table_names_and_a_licence_for_each() -> None:
    files = {path.name for path in runtime.FOLDER.iterdir()} - {"LICENSES"}
    assert files == {part + runtime.SUFFIX for part in runtime.PARTS}
    texts = {path.stem for path in LICENCES.glob("*.txt")}
    assert texts == {*runtime.SOURCES, "cpython", "emscripten"}


def test_another_archive_than_the_one_in_the_table_is_refused() -> None:
    with pytest.raises(BilingualValueError, match="this numpy is not the one"):
        runtime._verify("numpy", b"another")


def test_a_runtime_is_made_of_what_a_page_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = (
        "json/__init__.py json/tool.py encodings/utf_8.py encodings/cp037.py unittest/case.py json/a.txt"
    )
    numpy = (
        "numpy/__init__.py numpy/a.so numpy/a.txt numpy/tests/a.py numpy/ma/core.py numpy-2.dist-info/a.py"
    )
    core = dict.fromkeys(("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm"), b"as it is")
    core["python_stdlib.zip"] = packing.archive(dict.fromkeys(library.split(), b""))
    for name, content in core.items():
        (tmp_path / name).write_bytes(content)
    with tarfile.open(tmp_path / "core.tgz", "w:gz") as tarball:
        tarball.add(tmp_path, "package")
    monkeypatch.setattr(runtime, "_verify", lambda *_: None)
    monkeypatch.setattr(runtime, "_compiled", lambda files, _: files)
    wheel = packing.archive(dict.fromkeys(numpy.split(), b""))
    parts = runtime.rebuilt(runtime._read(str(tmp_path / "core.tgz")), wheel, "python3.12")
    assert parts.keys() == runtime.PARTS.keys() and parts["pyodide.js"] == b"as it is"
    assert set(packing.unzipped(parts["stdlib.zip"])) == {"json/__init__.py", "encodings/utf_8.py"}
    packages = set(packing.unzipped(parts["packages.zip"]))
    assert packages == {"numpy/__init__.py", "numpy/a.so", *runtime.EMPTIED}


@pytest.mark.skipif(packing.page_python() is None, reason="no Python 3.12 here")
def test_byte_code_runs_without_its_source(tmp_path: Path) -> None:
    python = packing.page_python()
    assert python is not None
    result = packing.byte_code(python, {"said.py": b"'Not kept.'\nprint('said', __doc__)\n"}, optimize=2)
    (tmp_path / "made.zip").write_bytes(packing.archive(result))
    command = [python, "-c", "import sys; sys.path.insert(0, 'made.zip'); import said"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (ran.stdout, list(result)) == ("said None\n", ["said.pyc"])
