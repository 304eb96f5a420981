"""Make small, reproducible files: archives, compression, byte code for the page's Python."""

import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from tempfile import TemporaryDirectory

from posenc_lessons.language import BilingualRuntimeError

PAGE_PYTHON = (3, 12)  # the version whose byte code the page's Python reads

# Reads sources from one zip, writes byte code into another; run by a Python of that version.
_COMPILE = """\
import importlib._bootstrap_external as b, sys, zipfile
level = int(sys.argv[1])
with zipfile.ZipFile(sys.argv[2]) as given, zipfile.ZipFile(sys.argv[3], "w") as made:
    for name in given.namelist():
        code = compile(given.read(name), name, "exec", dont_inherit=True, optimize=level)
        made.writestr(name + "c", b._code_to_hash_pyc(code, b"\\0" * 8, checked=False))
"""


def sha256(content: bytes) -> str:
    """Return the SHA-256 of ``content`` in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of ``files`` by name, always the same bytes; not compressed, because the whole will be."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as result:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # Unix, on every system
            result.writestr(entry, content)
    return buffer.getvalue()


def unzipped(content: bytes) -> dict[str, bytes]:
    """Return the files of a zip by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as argument:
        return {name: argument.read(name) for name in argument.namelist() if not name.endswith("/")}


def gzipped(content: bytes) -> bytes:
    """Return ``content`` compressed by gzip, without a date, for ``DecompressionStream`` in a page."""
    return gzip.compress(content, 9, mtime=0)


def page_python() -> str | None:
    """Return the path of a Python that makes byte code for the page, this one or another; None without one.

    POSENC_LESSONS_PAGE_PYTHON can name it; otherwise it is on the path.
    """
    if sys.version_info[:2] == PAGE_PYTHON:
        return sys.executable
    named = os.environ.get("POSENC_LESSONS_PAGE_PYTHON", "python{}.{}".format(*PAGE_PYTHON))
    python = shutil.which(named)
    return python if python and _is_page_python(python) else None


def _is_page_python(python: str) -> bool:
    text = subprocess.run([python, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True)
    return text.returncode == 0 and text.stdout.split() == [str(n).encode() for n in PAGE_PYTHON]


def byte_code(python: str, sources: Mapping[str, bytes], optimize: int) -> dict[str, bytes]:
    """Return ``sources`` by name ("….py") as byte code ("….pyc") by ``python``; ``optimize`` as ``-O``."""
    with TemporaryDirectory() as folder:
        argument, result = os.path.join(folder, "given.zip"), os.path.join(folder, "made.zip")
        with open(argument, "wb") as file:
            file.write(archive(sources))
        ran = subprocess.run(
            [python, "-I", "-c", _COMPILE, str(optimize), argument, result], capture_output=True, text=True
        )
        if ran.returncode:
            raise BilingualRuntimeError(
                f"{python} 没能编译：{ran.stderr}", f"{python} could not compile: {ran.stderr}"
            )
        with open(result, "rb") as file:
            return unzipped(file.read())
