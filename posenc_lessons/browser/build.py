"""Makes the folder that is the explorers' page: for any web server, or to be opened from a disk.

::

    index.html  page.css  page.js     the page; page.js is ``page/page.js`` with all that it imports
    parts/NAME-HASH.bin               the runtime, the lessons' modules, weights, first views; by gzip
    parts/NAME-HASH.bin.js            the same for file://, where a page may load scripts alone
    parts/NAME-HASH.wasm              WebAssembly as it is, for servers that compress it on the way:
                                      a browser then keeps what it compiles of it, for the next visit

Scripts of a page import from ``./made.js``, which exists in here only: ``FOLDER`` (the script's own, where
``parts/`` is), ``PARTS`` (what starts Python), ``FIRST`` and ``FONT`` (the parts with the first views and the
font, null without) and ``TABLE`` (``page_texts.table()``).

Which modules of the lessons go in, and which of their files, is found by loading the explorers over the
stand-in for torch, in a Python of its own: what is loaded and read then is what the page needs.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from posenc_lessons.browser import runtime
from posenc_lessons.browser.bundle import bundle
from posenc_lessons.browser.packing import archive, byte_code, gzipped, page_python, sha256, unzipped
from posenc_lessons.figures.fonts import WEB_FONT
from posenc_lessons.language import BilingualRuntimeError

BROWSER = Path(__file__).parent
PACKAGE = BROWSER.parent
STANDIN = BROWSER / "standin"
PAGE = BROWSER / "page"

# NumPy's own WebAssembly, which is a part by itself.
NUMPY = "numpy/_core/_multiarray_umath.cpython-312-wasm32-emscripten.so"

# What Python in the page may do: WebAssembly wants 'wasm-unsafe-eval', its worker is made of a blob.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)


@dataclass(frozen=True)
class Part:
    """A file of ``parts/``: gzip of what ``name`` holds."""

    name: str
    packed: bytes

    @property
    def file(self) -> str:
        """Where it lies in the folder; the name changes with the content."""
        return f"parts/{self.name}-{sha256(self.packed)[:10]}.bin"

    def entry(self) -> dict[str, Any]:
        """What the page knows of it."""
        return {"name": self.name, "file": self.file, "size": len(self.packed)}


def page(from_disk: bool) -> dict[str, bytes]:
    """The page's files by their place in its folder; ``from_disk``: so that file:// works as well."""
    parts = [*python_parts(), first_views_part(), font_part()]
    return {
        "index.html": _with_policy((PAGE / "index.html").read_text(encoding="utf-8")).encode(),
        "page.css": (PAGE / "page.css").read_bytes(),
        "page.js": script("main.js", parts).encode(),
        "LICENSES.txt": licences().encode(),
        **part_files(parts, from_disk),
    }


def is_part(name: str) -> bool:
    """Whether a file of that name in ``parts/`` is such as this module writes."""
    return re.fullmatch(r"[\w.]+-[0-9a-f]{10}\.(bin(\.js)?|wasm)", name) is not None


def licences() -> str:
    """The licences of what is in the page, ours and those of the runtime."""
    texts = [_own_licence(), *sorted((runtime.FOLDER / "LICENSES").glob("*.txt"))]
    return "\n\n".join(f"==== {path.stem} ====\n\n{path.read_text(encoding='utf-8')}" for path in texts)


def _own_licence() -> Path:
    """Beside the package in a checkout, else where pip puts it."""
    beside = PACKAGE.parent / "LICENSE"
    shipped = metadata.files("posenc-lessons") or []
    return beside if beside.is_file() else next(Path(str(f.locate())) for f in shipped if f.name == "LICENSE")


def python_parts() -> list[Part]:
    """What starts Python in a page: the runtime, its worker, the lessons' modules and their weights."""
    core = [
        Part(part.name, (runtime.FOLDER / (part.name + runtime.SUFFIX)).read_bytes())
        for part in runtime.PARTS
        if part.name != "packages.zip"
    ]
    packages = unzipped(runtime.content("packages.zip"))
    modules, resources = page_modules()
    sources = {_path_in_page(path): path.read_bytes() for path in modules}
    python = page_python()
    lessons = sources if python is None else byte_code(python, sources, optimize=2)
    weights = {_path_in_page(path): path.read_bytes() for path in resources}
    made = {
        "worker.js": (BROWSER / "worker.js").read_bytes(),
        "numpy.wasm": packages.pop(NUMPY),
        "packages.zip": archive(packages),
        "lessons.zip": archive(lessons),
        "weights.zip": archive(weights),
    }
    return [*core, *(Part(name, gzipped(content)) for name, content in made.items())]


def first_views_part() -> Part:
    """The first view of every explorer, computed with PyTorch."""
    return Part("first.json", gzipped(_run("-m", "posenc_lessons.browser.first_views").encode()))


def font_part() -> Part:
    """The course's Chinese font, for machines that have none."""
    return Part("font.woff2", gzipped(WEB_FONT.read_bytes()))


def script(entry: str, parts: Iterable[Part], made: Mapping[str, str] | None = None) -> str:
    """The module ``entry`` and all that it imports as one script, to lie beside ``parts/``.

    ``made``: modules by name that no file has.
    """
    modules = {"made.js": _made_js(parts), **(made or {})}
    return bundle(entry, (PAGE, BROWSER, PACKAGE / "explorers"), modules)


def _made_js(parts: Iterable[Part]) -> str:
    # Only here: the words are those of the explorers, which bring PyTorch.
    from posenc_lessons.browser.page_texts import table

    entries = {part.name: part.entry() for part in parts}
    first, font = entries.pop("first.json", None), entries.pop("font.woff2", None)
    said = {"PARTS": list(entries.values()), "FIRST": first, "FONT": font, "TABLE": table()}
    lines = [
        f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in said.items()
    ]
    return "".join(['export const FOLDER = document.currentScript.src.replace(/[^/]*$/, "");\n', *lines])


def part_files(parts: Iterable[Part], from_disk: bool) -> dict[str, bytes]:
    """The files of the parts by their place in the folder; ``from_disk``: all that they are there as.

    Else the .bin alone, of which our own server makes the .wasm.
    """
    files = {}
    for part in parts:
        files[part.file] = part.packed
        if from_disk and part.name.endswith(".wasm"):
            files[re.sub("bin$", "wasm", part.file)] = gzip.decompress(part.packed)
        if from_disk:
            content = base64.b64encode(part.packed).decode()
            files[part.file + ".js"] = f'posencPart("{part.name}", "{content}");\n'.encode()
    return files


def page_modules() -> tuple[list[Path], list[Path]]:
    """The modules that explorers need in the page, and the files that these read."""
    found = json.loads(_run(str(BROWSER / "page_modules.py"), str(STANDIN), str(PACKAGE)))
    return [Path(path) for path in found["modules"]], [Path(path) for path in found["read"]]


def _path_in_page(path: Path) -> str:
    """Where a file lies in the page: the stand-in's modules have a folder of their own."""
    if path.is_relative_to(STANDIN):
        return f"standin/{path.relative_to(STANDIN).as_posix()}"
    return path.relative_to(PACKAGE.parent).as_posix()


def _run(*words: str) -> str:
    """What this Python prints when it runs these words, as one who never chose anything: on the CPU."""
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


def _with_policy(html: str) -> str:
    meta = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return html.replace("<head>", f"<head>\n{meta}", 1)
