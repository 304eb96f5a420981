"""ES modules as one classic script, which a page also loads from a disk, where browsers refuse modules.

Understands what the modules in here use: imports of names or of a whole module, from a relative file; exports
of declarations. Anything else is refused by name, never guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from posenc_lessons.language import BilingualValueError

IMPORT = re.compile(
    r'^import\s+(?:\{(?P<names>[^}]*)\}|\*\s+as\s+(?P<whole>\w+))\s+from\s+"(?P<file>[^"]+)";[^\n]*\n?',
    re.MULTILINE,
)
EXPORT = re.compile(r"^export\s+((?:async\s+)?function\*?|class|const)\s+(\w+)", re.MULTILINE)
LEFT = re.compile(r"^\s*(?:import|export)\b(?!\s*\()|\bimport\.meta\b|^import\(", re.MULTILINE)


def bundle(entry: Path, made: Mapping[str, str] | None = None) -> str:
    """``entry`` and all that it imports as one script; ``made`` are modules by name that no file has.

    Raises BilingualValueError for a module written in a way that is not understood, or modules in a circle.
    """
    given = dict(made or {})
    written: dict[Path, str] = {}  # modules in the order in which they run, and their names in the script
    script: list[str] = []

    def add(path: Path, above: tuple[Path, ...]) -> str:
        if path in written:
            return written[path]
        if path in above:
            raise _refused(path, "模块绕成了圈", "modules import each other in a circle")
        source = given[path.name] if path.name in given else path.read_text(encoding="utf-8")
        heads = []
        for found in IMPORT.finditer(source):
            name = add((path.parent / found["file"]).resolve(), (*above, path))
            heads.append(f"const {found['whole'] or _names(found['names'])} = {name};")
        exported = [name for _, name in EXPORT.findall(source)]
        body = EXPORT.sub(r"\1 \2", IMPORT.sub("", source))
        if left := LEFT.search(body):
            said = body[left.start() :].lstrip().split("\n")[0]
            raise _refused(path, f"不认得这一行：{said}", f"this line is not understood: {said}")
        written[path] = name = f"module{len(written)}"
        script.append(
            f"// {path.name}\nconst {name} = (() => {{\n"
            + "\n".join([*heads, body.strip()])
            + f"\nreturn {{ {', '.join(exported)} }};\n}})();\n"
        )
        return name

    add(entry.resolve(), ())
    return '"use strict";\n(() => {\n' + "\n".join(script) + "})();\n"


def _names(names: str) -> str:
    """``a, b as c`` as a pattern: ``{ a, b: c }``."""
    each = [name.strip() for name in names.split(",") if name.strip()]
    return "{ " + ", ".join(re.sub(r"\s+as\s+", ": ", name) for name in each) + " }"


def _refused(path: Path, zh: str, en: str) -> BilingualValueError:
    return BilingualValueError(f"{path.name}：{zh}", f"{path.name}: {en}")
