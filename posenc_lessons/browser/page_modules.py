"""Load every explorer as the page does, with its torch on NumPy, and print the files that this needed.

Run as ``python page_modules.py NUMPY_TORCH PACKAGE``; prints JSON: {"modules": files, "read": {explorer:
files}}, with only the explorers that read files.
"""

from __future__ import annotations

import ast
import functools
import gc
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGES = frozenset({"numpy"})  # in the page's runtime


def main(numpy_torch: Path, package: Path) -> None:
    opened: set[str] = set()
    sys.addaudithook(lambda event, args: opened.add(str(args[0])) if event == "open" else None)
    there = set(sys.modules)  # the modules that Python loads at its start
    sys.path[:0] = [str(numpy_torch), str(package.parent)]
    from posenc_lessons.explorers import host

    if at_import := _resources(opened, package):  # the page fetches files when an explorer starts
        sys.exit(f"read by an import, not by an explorer: {', '.join(at_import)}")
    read = {}
    for name in host.MAKERS:
        opened.clear()
        _forget_what_was_read()
        _use(host, name)
        if resources := _resources(opened, package):
            read[name] = resources
    loaded = {name: module for name, module in sys.modules.items() if name not in there}
    files = {name: Path(file).resolve() for name, module in loaded.items() if (file := _file(module))}
    ours = {name: file for name, file in files.items() if file.is_relative_to(package)}
    if strange := sorted(_missing(files.keys() - ours.keys(), ours.values(), files)):
        sys.exit(f"the page lacks what is imported here (see STDLIB in runtime.py): {'; '.join(strange)}")
    print(json.dumps({"modules": sorted(map(str, ours.values())), "read": read}))


def _forget_what_was_read() -> None:
    """Empty every cache, so that each explorer opens all the files that it needs, also those read before."""
    for each in gc.get_objects():
        if isinstance(each, functools._lru_cache_wrapper):
            each.cache_clear()


def _use(host: ModuleType, name: str) -> None:
    """Start the explorer ``name`` and make it load everything; exit with its message if something fails."""
    shown = host.answer("start", [name, "", "both", "light"], name)
    if shown["alert"]:
        sys.exit(f"{name}: {shown['alert']}")
    for call, *given in _calls(shown):
        if said := host.answer(call, given, name).get("alert"):
            sys.exit(f"{name}, {call} {given}: {said}")


def _resources(opened: Iterable[str], package: Path) -> list[str]:
    """Return the files of the package among those opened that are not modules."""
    files = {Path(name).resolve() for name in opened}
    return sorted(
        str(file)
        for file in files  # without those that Python writes there when it compiles
        if file.is_relative_to(package) and file.suffix != ".py" and file.parent.name != "__pycache__"
    )


def _calls(view: dict[str, Any]) -> Iterator[list[Any]]:
    """Yield the calls that make an explorer load everything: cards, every option, every try, its code."""
    for panel, looks in view["stage"]["panels"].items():
        yield from (["number", panel, layer, 0, 0] for layer in looks["asked"])
    for control in view["controls"]:
        if control["kind"] == "choice":
            yield from (["set", control["name"], at] for at in range(len(control["options"])))
    yield from (["follow_try", at] for at in range(len(view["tries"])))
    yield from (["code"], ["set_mode", "dark"])


def _missing(others: Set[str], ours: Iterable[Path], files: Mapping[str, Path]) -> set[str]:
    """Return the modules among ``others`` that the page lacks, with the modules that import them.

    Of Python's library, only modules that ours import count; the imports of these differ between versions.
    """
    from posenc_lessons.browser.runtime import FROZEN, STDLIB

    lacking = {name.split(".")[0] for name in others} - PACKAGES - sys.stdlib_module_names
    library = {name for name in others & sys.stdlib_module_names if files[name].suffix == ".py"}
    library -= STDLIB | FROZEN
    importers: dict[str, list[str]] = {name: [] for name in lacking}
    for path in ours:
        for name in _imports(path.read_text(encoding="utf-8")) & (lacking | library):
            importers.setdefault(name, []).append(path.name)
    return {f"{name} by {', '.join(paths)}" for name, paths in importers.items()}


def _imports(source: str) -> set[str]:
    """Return the packages, and modules outside packages, that ``source`` imports by their full names."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def _file(module: ModuleType) -> str | None:
    return getattr(module, "__file__", None)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
