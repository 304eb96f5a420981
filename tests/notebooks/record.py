"""Run notebooks from top to bottom and keep their outputs, as the repository commits them.

    python tests/notebooks/record.py                                    every notebook
    python tests/notebooks/record.py notebooks/01_why_position.ipynb    these

Each runs in a fresh kernel of this interpreter, in its own folder, as on a reader's first visit. Outputs that
change from run to run without meaning are dropped: times, widget ids and state, the kernel's version.
A picture stays as ``image/png`` with its ``text/plain``; an explorer shows its still until its cell is run.
Pictures of explorers, and those of slides that fit, are stored in each language in their metadata.
Nothing is written when a cell fails, warns, or shows something of this machine.
"""

import copy
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient.exceptions import CellExecutionError

from posenc_lessons.export.run import client_for, surroundings

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 600_000  # bytes; GitHub does not show much larger notebooks
CELL_SECONDS = 300  # as nbval allows
BOTH = "from posenc_lessons.export.stills import prepare_to_save\n\nprepare_to_save()\n"
ONE = "from posenc_lessons.export.stills import prepare\n\nprepare({language!r}, live=False)\n"
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
KEPT_CELL_METADATA = (
    *("tags", "jupyter", "editable", "slideshow", "jp-MarkdownHeadingCollapsed"),
    *("exercise", "guess", "settles", "trains"),
)
PROGRESS = re.compile(r"\d+%\|")  # a progress line of tqdm
OF_THIS_MACHINE = re.compile(r"/tmp/|/home/|/root/|/Users/|[A-Z]:\\\\|site-packages|ipykernel_\d+")


class Unfit(Exception):
    """The notebook must not be committed, for the reason given."""


def notebooks() -> list[Path]:
    """Return every notebook of the course, solutions included."""
    found = sorted((ROOT / "notebooks").rglob("*.ipynb"))
    return [path for path in found if ".ipynb_checkpoints" not in path.parts]


def record(path: Path) -> int:
    """Execute the notebook at ``path``, write it back with its outputs, and return its size in bytes."""
    notebook = nbformat.read(path, as_version=4)
    forget(notebook)
    execute(notebook, path.parent, BOTH)
    stills: list[dict[str, str]] = [{} for _ in plots_of_slides(notebook)]  # of each plot, by language
    for language in ("zh", "en") if stills else ():
        alone = copy.deepcopy(notebook)
        forget(alone)
        execute(alone, path.parent, ONE.format(language=language))
        for still, plot in zip(stills, plots_of_slides(alone), strict=True):
            still[language] = plot.data["image/png"]
    tidy(notebook)
    add_stills(notebook, stills)
    examine(notebook)
    nbformat.validate(notebook)
    content = written(notebook)
    if len(content) > LARGEST:
        raise Unfit(f"{len(content)} bytes, more than {LARGEST}: fewer or smaller pictures")
    path.write_bytes(content)
    return len(content)


def written(notebook: Any) -> bytes:
    """Return the content of the notebook's file."""
    return f"{nbformat.writes(notebook)}\n".encode()


def forget(notebook: Any) -> None:
    """Remove everything that earlier runs left."""
    for cell in notebook.cells:
        cell.metadata = {key: cell.metadata[key] for key in KEPT_CELL_METADATA if key in cell.metadata}
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None


def add_stills(notebook: Any, stills: list[dict[str, str]]) -> None:
    """Store plots of slides in each language, the smallest first, as far as the notebook has room."""
    plots = zip(plots_of_slides(notebook), stills, strict=True)
    for plot, still in sorted(plots, key=lambda pair: sum(map(len, pair[1].values()))):
        without = copy.deepcopy(plot.metadata)
        plot.metadata.setdefault("image/png", {})["in_one_language"] = still
        if len(written(notebook)) > LARGEST:
            plot.metadata = without
            return


def plots_of_slides(notebook: Any) -> list[Any]:
    """Return the outputs of cells with plots that slides show as they are."""
    tagged = [(cell, cell.metadata.get("slideshow", {"slide_type": "skip"})) for cell in notebook.cells]
    shown = [
        cell for cell, look in tagged if not {"skip", "picture", "lines"} & {look.get("slide_type"), *look}
    ]
    outputs = [output for cell in shown for output in cell.get("outputs", ())]
    return [output for output in outputs if "image/png" in output.get("data", {})]


def execute(notebook: Any, folder: Path, startup: str) -> None:
    """Run ``startup``, then all cells, in a fresh kernel without this user's settings and choices."""
    with tempfile.TemporaryDirectory(prefix="posenc-record-") as home:
        client = client_for(notebook, folder, Path(home), timeout=CELL_SECONDS)
        settings = surroundings(Path(home))
        script = Path(settings["IPYTHONDIR"], "profile_default", "startup", "stills.py")
        script.parent.mkdir(parents=True)
        script.write_text(startup, encoding="utf-8")
        try:
            client.execute(env=settings, cleanup_kc=True)
        except CellExecutionError as error:
            raise Unfit(f"a cell failed\n{error}") from None


def tidy(notebook: Any) -> None:
    """Keep only outputs that a reader sees."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": {"name": "python"}})
    for cell in notebook.cells:
        cell.metadata = {key: cell.metadata[key] for key in KEPT_CELL_METADATA if key in cell.metadata}
        for output in cell.get("outputs", ()):
            output.pop("transient", None)
            if "data" in output:
                kept = {mime: data for mime, data in output.data.items() if not _is_widget(mime)}
                described = {mime: known for mime, known in output.metadata.items() if mime in kept}
                output.data, output.metadata = nbformat.from_dict(kept), nbformat.from_dict(described)
            if output.output_type == "error":
                output.traceback = [f"{output.ename}: {output.evalue}"]


def examine(notebook: Any) -> None:
    """Refuse outputs that a reader should not see, or that another machine could not show again."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.get("name") == "stderr" and not PROGRESS.search(output.text):
                raise Unfit(f"cell {cell.id} warns: {output.text.strip()}")
            for text in _texts(output):
                if found := OF_THIS_MACHINE.search(text):
                    raise Unfit(f"cell {cell.id} shows a path of this machine: …{found.group()}…")
            if "data" in output and not output.data:
                raise Unfit(f"cell {cell.id} shows a widget that has no still and no text")


def _is_widget(mime: str) -> bool:
    return mime.startswith("application/vnd.jupyter.widget")


def _texts(output: Any) -> list[str]:
    data = {mime: value for mime, value in output.get("data", {}).items() if mime.startswith("text/")}
    return [*data.values(), output.get("text", ""), output.get("evalue", "")]


def main() -> None:
    """Record the notebooks named on the command line, or all; stop at the first unfit one."""
    for path in [Path(name).resolve() for name in sys.argv[1:]] or notebooks():
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        try:
            size = record(path)
        except Unfit as trouble:
            sys.exit(f"{name}: {trouble}")
        print(f"{name}: {size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
