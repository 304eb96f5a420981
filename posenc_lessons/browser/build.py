"""Make the folder of the explorers' page, for any web server or to be opened from a disk.

::

    index.html  page.css  page.js     the page; page.js is ``page/page.js`` with all that it imports
    parts/NAME-HASH.bin               the runtime, the lessons' modules, weights, first views; by gzip
    parts/NAME-HASH.bin.js            the same for file://, where a page may load only scripts
    parts/NAME-HASH.js                a script that the page adds unchanged
    parts/NAME-HASH.wasm              unpacked WebAssembly, for this machine and servers that compress
                                      responses: a browser keeps its compiled form for the next visit

Scripts of a page import ``./made.js``, which this module makes: ``FOLDER`` (the script's folder, where
``parts/`` is), ``PARTS`` (the parts that start Python), ``DATA`` (the parts that some explorers read, such as
trained weights), ``READERS`` (the names of these explorers), ``CELLS`` (the part with further modules for
lessons' cells), ``FIRST``, ``FONT`` and ``EDITOR`` (the parts with the first views, the font and the cells'
editor; null if a page does not have one), and ``TABLE`` (``page_texts.table()``).

To find the modules and files that the page needs, a second Python loads the explorers over the page's torch.
"""

import base64
import difflib
import gzip
import json
import os
import pprint
import re
import subprocess
import sys
import timeit
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from posenc_lessons.browser import build_editor, page_versions, runtime
from posenc_lessons.browser.packing import archive, byte_code, gzipped, page_python, sha256, unzipped
from posenc_lessons.figures.fonts import WEB_FONT
from posenc_lessons.joined_modules import as_script
from posenc_lessons.language import BilingualRuntimeError

BROWSER = Path(__file__).parent
PACKAGE = BROWSER.parent
NUMPY_TORCH = BROWSER / "numpy_torch"
PAGE = BROWSER / "page"
PANEL = PACKAGE / "explorers" / "panel"
GUESS = PACKAGE / "course" / "guess"

# Lessons import from these folders (their files of these kinds) and these modules.
IN_CELLS = ("exercises", "encodings", "models", "probing", "configs", "experiments")
CARRIED = (".py", ".json", ".npz")
RUNNING_CELLS = (
    *("browser/__init__.py", "browser/cell_errors.py", "browser/cells.py", "browser/needs.py"),
    "browser/page_versions.py",
    *("choices.py", "course/__init__.py", "display.py", "files.py", "progress.py"),
)

# The parts that the page fetches when it needs them, by their names in made.js.
ASKED_FOR = {
    "CELLS": "cells.zip",
    "FIRST": "first.json",
    "FONT": "font.woff2",
    "EDITOR": "editor.js",
}

# Modules of Python's library that cells, or those that run them, import and the page's runtime leaves out.
FROM_LIBRARY = (difflib, pprint, timeit)

# The page's content security policy: WebAssembly needs 'wasm-unsafe-eval'; the worker's script is a blob.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)


@dataclass(frozen=True)
class Part:
    """A file of ``parts/``: the content of ``name`` by gzip."""

    name: str
    packed: bytes

    @property
    def file(self) -> str:
        """Its path in the folder, which changes with the content."""
        return f"parts/{self.name}-{sha256(self.packed)[:10]}.bin"

    def entry(self) -> dict[str, Any]:
        """Return the part's entry in made.js."""
        return {"name": self.name, "file": self.file, "size": len(self.packed)}


class Script(Part):
    """A script that the page adds unchanged: ``packed`` is not packed, because servers compress it."""

    @property
    def file(self) -> str:
        return f"parts/{self.name.removesuffix('.js')}-{sha256(self.packed)[:10]}.js"


def page(home: str | None = None) -> dict[str, bytes]:
    """Return the page's files by path in its folder; its head has a link to ``home``, if that is given."""
    parts = [*python_parts(), *data_parts(), first_views_part(), font_part()]
    html = (PAGE / "index.html").read_text(encoding="utf-8")
    if home is not None:
        html = html.replace("<header>", f'<header>\n  <a id="home" href="{home}"></a>')
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return {
        "index.html": html.replace("<head>", f"<head>\n{policy}", 1).encode(),
        "page.css": b"".join(
            path.read_bytes() for path in (PANEL / "panel.css", BROWSER / "phone.css", PAGE / "page.css")
        ),
        "page.js": script("page.js", parts).encode(),
        "LICENSES.txt": licences().encode(),
        **part_files(parts),
    }


def is_part(name: str) -> bool:
    """Return whether ``name`` has the form of the files in ``parts/``."""
    return re.fullmatch(r"[\w.]+-[0-9a-f]{10}\.(bin(\.js)?|wasm|js)", name) is not None


def licences(editor: bool = False) -> str:
    """Return the licences of everything in the page: ours, the runtime's and, if ``editor``, the editor's."""
    texts = [_own_licence(), *sorted((runtime.FOLDER / "LICENSES").glob("*.txt"))]
    text = [f"==== {path.stem} ====\n\n{path.read_text(encoding='utf-8')}" for path in texts]
    return "\n\n".join([*text, *([build_editor.LICENCES.read_text(encoding="utf-8")] if editor else [])])


def _own_licence() -> Path:
    """Return the file with our licence: beside the package in a checkout, otherwise in pip's metadata."""
    beside = PACKAGE.parent / "LICENSE"
    shipped = metadata.files("posenc-lessons") or []
    return beside if beside.is_file() else next(Path(str(f.locate())) for f in shipped if f.name == "LICENSE")


def python_parts() -> list[Part]:
    """Return the parts that start Python: the runtime, its worker and the lessons' modules."""
    core = [
        Part(name, (runtime.FOLDER / (name + runtime.SUFFIX)).read_bytes())
        for name in runtime.PARTS
        if name != "packages.zip"
    ]
    packages = unzipped(runtime.content("packages.zip"))
    sources = {path_in_page(path): path.read_bytes() for path in page_modules()}
    result = {
        "worker.js": runtime.versions_for_worker(as_script("worker.js", (BROWSER,))).encode(),
        "numpy.wasm": packages.pop(runtime.NUMPY_BINARY),
        "packages.zip": archive(packages),
        "lessons.zip": archive(_compiled(sources)),
    }
    return [*core, *(Part(name, gzipped(content)) for name, content in result.items())]


@cache
def data_parts() -> dict[Part, list[str]]:
    """Return the parts with the files that explorers read, such as trained weights, each with its readers.

    A part has the files that the same explorers read, so that no explorer waits for other explorers' files.
    """
    by_readers: dict[tuple[str, ...], list[Path]] = {}
    for path in data_files():
        who = tuple(name for name, paths in readers().items() if path in paths)
        by_readers.setdefault(who, []).append(path)
    return {
        Part(
            f"data_{number}.zip", gzipped(archive({path_in_page(path): path.read_bytes() for path in paths}))
        ): [*who]
        for number, (who, paths) in enumerate(by_readers.items())
    }


def cells_part() -> Part:
    """Return the further part for lessons' cells: the modules that run them, and those that they import."""
    files = cells_files()
    view = f"{path_in_page(PACKAGE)}/exercises/solutions/"  # lessons print them
    sources = {
        name: files.pop(name) for name in list(files) if name.endswith(".py") and not name.startswith(view)
    }
    return Part("cells.zip", gzipped(archive({**_compiled(sources), **files})))


def cells_files() -> dict[str, bytes]:
    """Return the files that cells need in addition to those of explorers, by their paths in the page."""
    carried = {
        path for folder in IN_CELLS for path in (PACKAGE / folder).rglob("*") if path.suffix in CARRIED
    }
    ours = {*carried, *(PACKAGE / name for name in RUNNING_CELLS)} - {*page_modules(), *data_files()}
    pictures = sorted(path for path in (PACKAGE / "figures").rglob("*.py") if path not in page_modules())
    return {
        **page_versions.stand_ins(pictures, PACKAGE),
        **{path_in_page(path): path.read_bytes() for path in sorted(ours)},
        **{f"{module.__name__}.py": Path(str(module.__file__)).read_bytes() for module in FROM_LIBRARY},
    }


def editor_part() -> Part:
    """Return the script of the editor of cells."""
    return Script("editor.js", build_editor.SCRIPT.read_bytes())


def _compiled(sources: dict[str, bytes]) -> dict[str, bytes]:
    """Return byte code for the page's Python, or the sources if no Python here can make it."""
    python = page_python()
    return sources if python is None else byte_code(python, sources, optimize=2)


def first_views_part() -> Part:
    """Return the part with the first view of every explorer, computed with PyTorch."""
    return Part("first.json", gzipped(_run("-m", "posenc_lessons.browser.first_views").encode()))


def font_part() -> Part:
    """Return the part with the course's Chinese font, for machines that have none."""
    return Part("font.woff2", gzipped(WEB_FONT.read_bytes()))


def script(entry: str, parts: Iterable[Part], made: Mapping[str, str] | None = None) -> str:
    """Return the module ``entry`` and all that it imports as one script, for the folder with ``parts/``.

    ``made``: modules by name that are not in a file.
    """
    modules = {"made.js": _made_js(parts), **(made or {})}
    return as_script(entry, (PAGE, BROWSER, PANEL, GUESS), modules)


def _made_js(parts: Iterable[Part]) -> str:
    # Imported here, because the words come from the explorers, which import PyTorch.
    from posenc_lessons.browser.page_texts import table

    entries = {part.name: part.entry() for part in parts}
    by_name = {name: entries.pop(part, None) for name, part in ASKED_FOR.items()}
    data = [{"part": entries.pop(part.name), "readers": who} for part, who in data_parts().items()]
    text = {"PARTS": list(entries.values()), **by_name, "DATA": data, "TABLE": table()}
    lines = [
        f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in text.items()
    ]
    return "".join(['export const FOLDER = document.currentScript.src.replace(/[^/]*$/, "");\n', *lines])


def part_files(parts: Iterable[Part]) -> dict[str, bytes]:
    """Return the files of the parts by path in the folder, in all their forms."""
    files = {}
    for part in parts:
        files[part.file] = part.packed
        if isinstance(part, Script):
            continue
        if part.name.endswith(".wasm"):
            files[re.sub("bin$", "wasm", part.file)] = gzip.decompress(part.packed)
        content = base64.b64encode(part.packed).decode()
        files[part.file + ".js"] = f'posencPart("{part.name}", "{content}");\n'.encode()
    return files


def page_modules() -> list[Path]:
    """Return the modules that explorers need in the page."""
    return [Path(path) for path in _needed()["modules"]]


def readers() -> dict[str, list[Path]]:
    """Return the files that explorers read, by the name of each explorer that reads any."""
    return {name: [Path(path) for path in paths] for name, paths in _needed()["read"].items()}


def data_files() -> list[Path]:
    """Return all files that explorers read."""
    return sorted({path for paths in readers().values() for path in paths})


@cache
def _needed() -> Any:
    return json.loads(_run(str(BROWSER / "page_modules.py"), str(NUMPY_TORCH), str(PACKAGE)))


def path_in_page(path: Path) -> str:
    """Return a file's path in the page; files of the page's torch are in another folder."""
    if path.is_relative_to(NUMPY_TORCH):
        return f"numpy_torch/{path.relative_to(NUMPY_TORCH).as_posix()}"
    return path.relative_to(PACKAGE.parent).as_posix()


def _run(*words: str) -> str:
    """Run this Python with these arguments and default choices (on the CPU); return its output."""
    with TemporaryDirectory() as home:
        environment = {**os.environ, "POSENC_LESSONS_HOME": home, "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, *words]
        ran = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", cwd=PACKAGE.parent, env=environment
        )
    if ran.returncode:
        sys.stderr.write(ran.stderr)
        why = ran.stderr.strip().rpartition("\n")[2]
        raise BilingualRuntimeError(f"网页没能做出来：{why}", f"the page could not be made: {why}")
    return ran.stdout
