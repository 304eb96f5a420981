"""Load every explorer as the page does, with its torch on NumPy, and print the files that this needed.

Run as ``python page_modules.py NUMPY_TORCH PACKAGE``; prints JSON: {"modules": files, "read": {explorer:
files}}, with only the explorers that read files.
"""

import functools
import gc
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any


def main(numpy_torch: Path, package: Path) -> None:
    opened: set[str] = set()
    sys.addaudithook(lambda event, args: opened.add(str(args[0])) if event == "open" else None)
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
    files = (getattr(module, "__file__", None) for name, module in sys.modules.items() if name != "__main__")
    loaded = {Path(file).resolve() for file in files if file}
    ours = {file for file in loaded if file.is_relative_to(package)}
    print(json.dumps({"modules": sorted(map(str, ours)), "read": read}))


def _forget_what_was_read() -> None:
    """Empty every cache, so that each explorer opens all the files that it needs, also those read before."""
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()


def _use(host: ModuleType, name: str) -> None:
    """Start the explorer ``name`` and make it load everything; exit with its message if something fails."""
    view = host.answer("start", [name, "", "both", "light"], name)
    if view["alert"]:
        sys.exit(f"{name}: {view['alert']}")
    for call, *arguments in _calls(view):
        if alert := host.answer(call, arguments, name).get("alert"):
            sys.exit(f"{name}, {call} {arguments}: {alert}")


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


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
