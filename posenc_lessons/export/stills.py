"""Save explorers for readers without Python: a picture, and the settings from which a page makes it live.

``prepare`` runs inside the kernel that draws the pictures of an export; ``add_settings`` is for lessons that
are not run.
"""

import ast
import base64
from typing import Any
from urllib.parse import parse_qsl, urlencode

from posenc_lessons import language
from posenc_lessons.display import shell as running_shell
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.links import follow, made_with, read_link, write_link
from posenc_lessons.export.outputs import STILL, STILLS
from posenc_lessons.figures.style import Picture
from posenc_lessons.language import LANGUAGES, BilingualRuntimeError, Language

Bundle = tuple[dict[str, Any], dict[str, Any]]  # data and metadata, as IPython has them

SHARPNESS = 1.5


def prepare(chosen: Language, live: bool) -> None:
    """Use only the language ``chosen`` in this kernel; ``live`` as for ``run``."""
    if chosen != "both":
        language.only(chosen)
    shell = running_shell()
    if shell is None:
        raise BilingualRuntimeError(
            "prepare 只能在笔记本的内核里用", "prepare works inside a notebook's kernel"
        )
    formatter: Any = shell.display_formatter  # untyped in older versions of IPython
    bundles = formatter.mimebundle_formatter
    bundles.for_type(Picture, _picture)
    bundles.for_type(Explorer, with_still if live else _explorer)


def prepare_to_save() -> None:
    """Let this kernel save an explorer's picture in each language, for a notebook in both."""
    shell: Any = running_shell()
    shell.display_formatter.mimebundle_formatter.for_type(Explorer, in_each_language)


def in_each_language(explorer: Explorer) -> Bundle:
    """Return what a notebook saves of the explorer; its picture's metadata have it in each language too."""
    pictures: dict[Language, str] = {}
    initial, link = made_with(explorer), read_link(write_link(explorer, language.current()), [explorer.name])
    for spoken in LANGUAGES:  # both languages come last, and stay
        language.only(spoken)
        again = type(explorer)(**initial)  # some begin with a sentence in the language
        follow(again, link.values)
        data, metadata = again.saved()
        again.close()
        pictures[spoken] = base64.b64encode(data["image/png"]).decode()
    del pictures["both"]
    metadata["image/png"][STILLS] = pictures
    return data, metadata


def _picture(picture: Picture) -> Bundle:
    return picture.bundle(2)


def _explorer(explorer: Explorer) -> Bundle:
    return explorer.still().bundle(SHARPNESS)


def with_still(explorer: Explorer) -> Bundle:
    """Return the explorer's picture, its sentence, its name, its initial and its present settings."""
    data, metadata = _explorer(explorer)
    link = dict(parse_qsl(write_link(explorer, language.current()), keep_blank_values=True))
    del link["lang"]  # the page decides, and its language may change
    data[STILL] = {
        "reading": explorer.present_scene()[1].show(),
        "explorer": explorer.name,
        "initial": made_with(explorer),
        "query": urlencode(link),
    }
    return data, metadata


def add_settings(notebook: Any) -> None:
    """Add settings, in place, to the recorded picture of each cell that makes an explorer from literals."""
    for cell in notebook.cells:
        settings = _settings(cell.source) if cell.cell_type == "code" and "Explorer(" in cell.source else None
        for output in cell.get("outputs", ()):
            if settings and "image/png" in output.get("data", {}):
                output.data.setdefault(STILL, {"reading": "", **settings})


def _settings(source: str) -> dict[str, Any] | None:
    """Return the explorer that the last line of ``source`` makes, and its arguments; None if none."""
    match ast.parse(source).body[-1]:
        case ast.Expr(ast.Call(ast.Name(maker), [], keywords)):
            name = next((each.name for each in EXPLORERS if each.__name__ == maker), None)
            initial = {str(each.arg): ast.literal_eval(each.value) for each in keywords}
            return {"explorer": name, "initial": initial, "query": ""} if name else None
    return None
