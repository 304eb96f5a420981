"""ES modules as one classic script, which a page also loads from a disk, where browsers refuse modules.

Understands what the modules in here use: imports of names or of a whole module, from a relative file; exports
of declarations. Anything else is refused by name, never guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from posenc_lessons.language import BilingualValueError

IMPORT = re.compile(
    r'^import\s+(?:\{(?P<names>[^}]*)\}|\*\s+as\s+(?P<whole>\w+))\s+from\s+"(?P<file>[^"]+)";[^\n]*\n?',
    re.MULTILINE,
)
EXPORT = re.compile(r"^export\s+((?:async\s+)?function\*?|class|const)\s+(\w+)", re.MULTILINE)
UNSUPPORTED = re.compile(r"^\s*(?:import|export)\b(?!\s*\()|\bimport\.meta\b|^import\(", re.MULTILINE)


def bundle(entry: str, folders: Sequence[Path], made: Mapping[str, str] | None = None) -> str:
    """``entry`` and all that it imports as one script. Each module is ``./NAME.js`` to the others.

    ``folders``: where the modules lie; ``made``: modules by name that no file has. Raises BilingualValueError
    for a module that is nowhere or written in a way that is not understood, and for modules in a circle.
    """
    given = dict(made or {})
    written: dict[str, str] = {}  # the modules by file name, and their names in the script
    script: list[str] = []

    def add(file: str, above: tuple[str, ...]) -> str:
        if file in written:
            return written[file]
        if file in above:
            raise BilingualValueError(
                f"{file}：模块绕成了圈", f"{file}: modules import each other in a circle"
            )
        source = given[file] if file in given else _read(file, folders)
        heads = []
        for found in IMPORT.finditer(source):
            name = add(found["file"].removeprefix("./"), (*above, file))
            heads.append(f"const {found['whole'] or _names(found['names'])} = {name};")
        exported = [name for _, name in EXPORT.findall(source)]
        body = EXPORT.sub(r"\1 \2", IMPORT.sub("", source))
        if left := UNSUPPORTED.search(body):
            said = body[left.start() :].lstrip().split("\n")[0]
            raise BilingualValueError(
                f"{file}：不认得这一行：{said}", f"{file}: this line is not understood: {said}"
            )
        written[file] = name = f"module{len(written)}"
        script.append(
            f"// {file}\nconst {name} = (() => {{\n"
            + "\n".join([*heads, body.strip()])
            + f"\nreturn {{ {', '.join(exported)} }};\n}})();\n"
        )
        return name

    add(entry, ())
    return '"use strict";\n(() => {\n' + "\n".join(script) + "})();\n"


def _names(names: str) -> str:
    """``a, b as c`` as a pattern: ``{ a, b: c }``."""
    each = [name.strip() for name in names.split(",") if name.strip()]
    return "{ " + ", ".join(re.sub(r"\s+as\s+", ": ", name) for name in each) + " }"


def _read(file: str, folders: Sequence[Path]) -> str:
    for folder in folders:
        if (folder / file).is_file():
            return (folder / file).read_text(encoding="utf-8")
    raise BilingualValueError(f"{file}：没有这个文件", f"{file}: there is no such file")
