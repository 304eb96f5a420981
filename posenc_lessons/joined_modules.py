"""Join JavaScript modules into one file.

A page loads it as a classic script, because browsers refuse modules from a disk; anywidget loads one module.

The modules may import names, or a whole module, from a relative file, and export declarations. An error names
any other import or export.
"""

import json
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


def as_script(entry: str, folders: Sequence[Path], made: Mapping[str, str] | None = None) -> str:
    """Return ``entry`` and all that it imports as one script. Modules import each other as ``./NAME.js``.

    ``folders``: the folders with the modules; ``made``: modules by name that are not in a file. Raises
    BilingualValueError for a module that cannot be found or understood, and for a circle of imports.
    """
    joined = _Joined(folders, made or {})
    joined.add(entry)
    return '"use strict";\n(() => {\n' + "\n".join(joined.parts) + "})();\n"


def as_module(entry: str, folders: Sequence[Path], made: Mapping[str, str] | None = None) -> str:
    """Return ``entry`` and all that it imports as one module; its default export has ``entry``'s exports."""
    joined = _Joined(folders, made or {})
    name = joined.add(entry)
    return "\n".join([*joined.parts, f"export default {name};\n"])


def style_module(*files: Path) -> str:
    """Return a JavaScript module whose ``STYLE`` is the style sheets ``files``, one after the other."""
    style = "".join(path.read_text(encoding="utf-8") for path in files)
    return f"export const STYLE = {json.dumps(style, ensure_ascii=False)};\n"


class _Joined:
    """The added modules as constants, each after those that it imports."""

    def __init__(self, folders: Sequence[Path], made: Mapping[str, str]) -> None:
        self.parts: list[str] = []
        self._folders, self._made = folders, made
        self._names: dict[str, str] = {}  # of the constants, by file name

    def add(self, file: str, above: tuple[str, ...] = ()) -> str:
        """Add ``file``, which the modules ``above`` need, and return the name of its constant."""
        if file in self._names:
            return self._names[file]
        if file in above:
            raise BilingualValueError(
                f"{file}：模块绕成了圈", f"{file}: modules import each other in a circle"
            )
        source = self._made[file] if file in self._made else _read(file, self._folders)
        heads = []
        for match in IMPORT.finditer(source):
            name = self.add(match["file"].removeprefix("./"), (*above, file))
            heads.append(f"const {match['whole'] or _names(match['names'])} = {name};")
        exported = ", ".join(name for _, name in EXPORT.findall(source))
        body = EXPORT.sub(r"\1 \2", IMPORT.sub("", source))
        if remaining := UNSUPPORTED.search(body):
            text = body[remaining.start() :].lstrip().split("\n")[0]
            raise BilingualValueError(
                f"{file}：不认得这一行：{text}", f"{file}: this line is not understood: {text}"
            )
        self._names[file] = name = f"module{len(self._names)}"
        inside = "\n".join([*heads, body.strip(), f"return {{ {exported} }};"])
        self.parts.append(f"// {file}\nconst {name} = (() => {{\n{inside}\n}})();\n")
        return name


def _names(names: str) -> str:
    """Return ``a, b as c`` as a pattern: ``{ a, b: c }``."""
    item = [name.strip() for name in names.split(",") if name.strip()]
    return "{ " + ", ".join(re.sub(r"\s+as\s+", ": ", name) for name in item) + " }"


def _read(file: str, folders: Sequence[Path]) -> str:
    for folder in folders:
        if (folder / file).is_file():
            return (folder / file).read_text(encoding="utf-8")
    raise BilingualValueError(f"{file}：没有这个文件", f"{file}: there is no such file")
