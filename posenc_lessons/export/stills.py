"""Save explorers for readers without Python: pictures at a few values of the main control, and settings.

``prepare`` runs inside the kernel that draws the pictures of an export.
"""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import parse_qsl, urlencode

from matplotlib.text import Text as Label

from posenc_lessons import language
from posenc_lessons.display import shell as running_shell
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import Choice, LogSlider, Slider
from posenc_lessons.explorers.links import made_with, write_link
from posenc_lessons.export.outputs import STILLS, WORDS, Stills
from posenc_lessons.figures.style import Picture
from posenc_lessons.language import CHINESE, BilingualRuntimeError, Language

Bundle = tuple[dict[str, Any], dict[str, Any]]  # data and metadata, as IPython has them

SHARPNESS = 1.5
MOST = 9  # stills of a slider without stops


def prepare(chosen: Language, stills: Stills) -> None:
    """Use only the language ``chosen`` in this kernel; ``stills`` as for ``run``."""
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
    bundles.for_type(Explorer, {"none": _explorer, "one": with_still, "several": with_stills}[stills])


def _picture(picture: Picture, scale: float = 2) -> Bundle:
    """Return the picture's data and metadata; if the language is English, with the Chinese words in it."""
    data, metadata = picture.bundle(scale)
    if language.current() == "en":
        words = {label.get_text() for label in picture.findobj(Label) if isinstance(label, Label)}
        if chinese := sorted(text for text in words if CHINESE.search(text)):
            metadata = {**metadata, WORDS: {"chinese": chinese}}
    return data, metadata


def _explorer(explorer: Explorer) -> Bundle:
    return _picture(explorer.still(), SHARPNESS)


def with_still(explorer: Explorer) -> Bundle:
    """Return the explorer's picture, with the settings from which a page makes it live."""
    name, _ = _places(explorer)
    return _bundle(explorer, name, {explorer.parameters()[name]: _still(explorer, name)})


def with_stills(explorer: Explorer) -> Bundle:
    """Return the explorer's picture, with its settings and pictures at several values of a control."""
    name, places = _places(explorer)
    present = explorer.parameters()
    stills: dict[Any, dict[str, Any]] = {}
    for place in places:
        explorer.restore({**present, name: place})  # also settings that an earlier place displaced
        if explorer.message is None and explorer.controls[name].value == place:
            still = _still(explorer, name)
            if place == present[name] or still["png"] not in (earlier["png"] for earlier in stills.values()):
                stills[place] = still
    explorer.restore(present)
    return _bundle(explorer, name, stills or {present[name]: _still(explorer, name)})


def _bundle(explorer: Explorer, name: str, stills: dict[Any, dict[str, Any]]) -> Bundle:
    """Return the explorer's picture, ``stills`` of it, its name, its initial and its present settings."""
    data, metadata = _explorer(explorer)
    place = explorer.parameters()[name]
    link = dict(parse_qsl(write_link(explorer, language.current()), keep_blank_values=True))
    del link["lang"]  # the page decides, and its language may change
    data[STILLS] = {
        "label": explorer.label(name).show(),
        "start": list(stills).index(place) if place in stills else 0,
        "stills": list(stills.values()),
        "explorer": explorer.name,
        "initial": made_with(explorer),
        "query": urlencode(link),
    }
    return data, metadata


def _still(explorer: Explorer, name: str) -> dict[str, Any]:
    """Return the explorer as it is now; ``name`` is the control to slide."""
    data, metadata = explorer.still().bundle(SHARPNESS)
    control, place = explorer.controls[name], explorer.parameters()[name]
    return {
        "place": control.in_words(place).show() if isinstance(control, Choice) else str(place),
        "png": base64.b64encode(data["image/png"]).decode(),
        **metadata["image/png"],  # its width and its alt text
        "reading": explorer.present_scene()[1].show(),
    }


def _places(explorer: Explorer) -> tuple[str, list[Any]]:
    """Return the control to slide and its values: those of ``stops``, or of the first slider or menu."""
    if explorer.stops is not None:
        name, stops = explorer.stops
        control = explorer.controls[name]
        places = {*stops, control.value}
        if isinstance(control, Choice):  # a menu keeps its own order
            return name, [value for _, value in control.options if value in places]
        return name, sorted(places)
    for name, control in explorer.controls.items():
        if isinstance(control, Choice) and len(control.options) > 2 and name != "device":
            return name, [value for _, value in control.options][:MOST]
        if isinstance(control, Slider) and not isinstance(control, LogSlider):
            spread = (control.max - control.min) / (MOST - 3)
            evenly = {round(control.min + n * spread) for n in range(MOST - 2)}
            return name, sorted({control.value, *evenly})
    return "device", []
