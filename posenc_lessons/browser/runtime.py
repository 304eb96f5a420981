"""The Python that runs in a page: Pyodide and NumPy, trimmed to what explorers need.

It is kept in ``runtime/``, so that pages are made without a network. One command makes it again from the
published archives, and checks that the result is as in the tables below::

    npm pack pyodide@VERSION
    python -m posenc_lessons.browser.runtime --pyodide pyodide-VERSION.tgz --numpy URL-OR-FILE

It needs a Python 3.12 to make byte code, because reading sources would take seconds in the page.

Newer versions, tried in November 2026: Pyodide 314.0.7 (Python 3.14) is on npm. Its NumPy 2.4.6 was found
neither there nor on PyPI, under the tags ``pyodide_2025_0``, ``pyodide_2026_0`` and ``pyemscripten_2026_0``.
Its core by gzip is 0.4 MB larger. When PyPI has the wheel, change the versions below and ``PAGE_PYTHON``.

Each part is one file, always compressed by gzip, which the page unpacks. Hashes are those of the unpacked
content, because compression differs between machines.
"""

import argparse
import gzip
import io
import sys
import tarfile
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from posenc_lessons.browser.packing import (
    PAGE_PYTHON,
    archive,
    byte_code,
    gzipped,
    page_python,
    sha256,
    unzipped,
)
from posenc_lessons.language import BilingualRuntimeError, BilingualValueError

FOLDER = Path(__file__).with_name("runtime")
SUFFIX = ".bin"  # not .gz, because some servers would unpack it

# These versions are only here and in PAGE_PYTHON; worker.js gets them from here.
PYODIDE, PYTHON, EMSCRIPTEN = "0.27.7", "3.12.7", "3_1_58"
NUMPY_URL = (
    f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl"
)


# NumPy's WebAssembly, which is a separate part of the page.
NUMPY_BINARY = "numpy/_core/_multiarray_umath.cpython-{}{}-wasm32-emscripten.so".format(*PAGE_PYTHON)


# The archives from which the parts are made, and their SHA-256; the licences are in runtime/LICENSES.
SOURCES = {
    "pyodide": "89d5d952675eb08e11286e52c7238f1248ce71726e896db9703e73bef23dc343",
    "numpy": "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08",
}
# The files of ``runtime/``, without suffix, and the SHA-256 of their content.
PARTS = {
    "pyodide.js": "b4cb23a53aba19c221659b9fb40a2f18281d685691dc06647fb0afd0681baf98",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "stdlib.zip": "cddc5537beb1045d5b0bdf57d5515f0d0303800fb373091d8f4a82aa5e9ca2a6",
    "packages.zip": "a281fb90d40332cd3fc681c51578b27a1c7d61235aa61625c1d1513c13572f9f",
}

# The modules of Python's library that are kept: those that explorers import, and those for tracebacks.
_KEPT = """
    __future__ _compat_pickle _compression _pyodide _weakrefset ast asyncio base64 bisect bz2
    collections colorsys concurrent contextlib contextvars copy copyreg ctypes dataclasses datetime dis
    encodings enum fnmatch functools hashlib heapq hmac html importlib inspect ipaddress json keyword
    linecache locale logging numbers opcode operator pathlib pickle platform pyodide random re
    reprlib secrets selectors shutil signal socket string struct subprocess tempfile textwrap threading
    token tokenize traceback types typing urllib warnings weakref zipfile
"""
STDLIB = frozenset(_KEPT.split())
ENCODINGS = frozenset(
    f"encodings/{name}.py" for name in ("__init__", "aliases", "idna", "latin_1", "utf_8", "cp437")
)
_LEFT_OUT = """
    asyncio/proactor_events asyncio/windows_ asyncio/__main__ concurrent/futures/process ctypes/_aix
    ctypes/macholib/ ctypes/util ctypes/wintypes html/parser importlib/metadata/ json/tool logging/config
    logging/handlers pyodide/console pyodide/http urllib/error urllib/request urllib/response
    urllib/robotparser zipfile/__main__
"""
NOT_IN_STDLIB = tuple(_LEFT_OUT.split())
_LEFT_OUT_OF_PACKAGES = """
    numpy/_pyinstaller/ numpy/compat/ numpy/core/ numpy/distutils/ numpy/doc/ numpy/f2py/ numpy/fft/
    numpy/ma/ numpy/polynomial/ numpy/random/ numpy/testing/ numpy/typing/ numpy/rec/ numpy/strings/
    numpy/char/ numpy/_core/_simd numpy/_core/_rational_tests numpy/_core/_multiarray_tests
    numpy/_core/_umath_tests numpy/_core/_struct_ufunc numpy/_core/_operand_flag numpy/_core/defchararray
    numpy/_core/strings numpy/_core/cversions numpy/lib/recfunctions numpy/lib/user_array
    numpy/lib/_user_array numpy/linalg/lapack_lite numpy/linalg/_umath_linalg numpy/conftest
    numpy/ctypeslib numpy/matlib numpy/_configtool numpy/_utils/_pep440
"""
NOT_IN_PACKAGES = tuple(_LEFT_OUT_OF_PACKAGES.split())
# NumPy imports these, but nobody needs their content: docstrings, and LAPACK with 1.9 MB.
EMPTIED = (
    "numpy/_core/_add_newdocs.py",
    "numpy/_core/_add_newdocs_scalars.py",
    "numpy/linalg/_umath_linalg.py",
)


def versions_for_worker(worker: str) -> str:
    """Return ``worker.js`` with these versions instead of their names."""
    names = {
        "PYODIDE_VERSION": PYODIDE,
        "PYTHON_VERSION": PYTHON,
        "PYTHON_FOLDER": "python{}.{}".format(*PAGE_PYTHON),
        "EMSCRIPTEN_VERSION": EMSCRIPTEN,
        "NUMPY_BINARY": NUMPY_BINARY,
    }
    for name, version in names.items():
        worker = worker.replace(name, version)
    return worker


def content(part: str) -> bytes:
    """Return the unpacked content of a part of the runtime."""
    return gzip.decompress((FOLDER / (part + SUFFIX)).read_bytes())


def rebuilt(pyodide: bytes, numpy: bytes, python: str) -> dict[str, bytes]:
    """Return every part's content, from the archives of Pyodide and NumPy; ``python`` makes the byte code.

    Raises BilingualValueError if an archive is not the one in the table.
    """
    _verify("pyodide", pyodide)
    _verify("numpy", numpy)
    core = _members(pyodide)
    library = {n: item for n, item in unzipped(core["python_stdlib.zip"]).items() if _in_stdlib(n)}
    stored = {n: item for n, item in unzipped(numpy).items() if _in_packages(n)}
    stored |= dict.fromkeys(EMPTIED, b"")
    return {
        **{name: core[name] for name in ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm")},
        "stdlib.zip": archive(_compiled(library, python)),
        "packages.zip": archive(_compiled(stored, python)),
    }


def _compiled(files: Mapping[str, bytes], python: str) -> dict[str, bytes]:
    sources = {name: item for name, item in files.items() if name.endswith(".py")}
    rest = {name: item for name, item in files.items() if not name.endswith(".py")}
    return {**rest, **byte_code(python, sources, optimize=2)}


def _in_stdlib(name: str) -> bool:
    top = name.split("/")[0].removesuffix(".py")
    if not name.endswith(".py") or top not in STDLIB or name.startswith(NOT_IN_STDLIB):
        return False
    return top != "encodings" or name in ENCODINGS


def _in_packages(name: str) -> bool:
    wanted = name.endswith((".py", ".so")) and "/tests/" not in name and ".dist-info/" not in name
    return wanted and not name.startswith(NOT_IN_PACKAGES)


def _members(tarball: bytes) -> dict[str, bytes]:
    """Return the files of npm's archive by name, without its folder ``package/``."""
    with tarfile.open(fileobj=io.BytesIO(tarball)) as argument:
        match = {member.name: argument.extractfile(member) for member in argument.getmembers()}
        return {name.removeprefix("package/"): file.read() for name, file in match.items() if file}


def _verify(name: str, packed: bytes) -> None:
    if (found := sha256(packed)) != SOURCES[name]:
        raise BilingualValueError(
            f"{name} 不是表里的那一份：SHA-256 是 {found}，应为 {SOURCES[name]}",
            f"this {name} is not the one in the table: SHA-256 {found}, not {SOURCES[name]}",
        )


def main(arguments: list[str] | None = None) -> None:
    """Make ``runtime/`` again; without arguments, only check it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pyodide", metavar="TGZ", help=f"npm pack pyodide@{PYODIDE}, or its URL")
    parser.add_argument("--numpy", metavar="WHEEL", default=NUMPY_URL, help="(%(default)s) path or URL")
    options = parser.parse_args(arguments)
    if options.pyodide is not None:
        python = page_python()
        if python is None:
            raise BilingualRuntimeError("这里没有 Python 3.12", "there is no Python 3.12 here")
        for name, result in rebuilt(_read(options.pyodide), _read(options.numpy), python).items():
            (FOLDER / (name + SUFFIX)).write_bytes(gzipped(result))
            print(f"{sha256(result)}  {name}")
    wrong = [part for part, expected in PARTS.items() if sha256(content(part)) != expected]
    print("\n".join(f"not as in the table: {name}" for name in wrong) or "all as in the table")
    sys.exit(bool(wrong))


def _read(place: str) -> bytes:
    if place.startswith("https://"):
        with urllib.request.urlopen(place) as answer:
            return bytes(answer.read())
    return Path(place).read_bytes()


if __name__ == "__main__":
    main()
