"""The models that the spectrum explorer shows: their kinds of layers, and the kind of each layer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import torch
from torch import Tensor

from posenc_lessons.encodings.context_extension import ContextExtension
from posenc_lessons.encodings.pairing import rotary_frequencies

Kind: TypeAlias = Literal["window", "full", "none", "no_attention"]


class Speeds(NamedTuple):
    """How fast the pairs of a head turn, in radians per position, float64 [d_head/2]; 0 for no rotation."""

    present: Tensor
    trained: Tensor  # before any extension


@dataclass(frozen=True)
class Layers:
    """Layers of one kind. ``window``: how many tokens they see, None for all.

    ``rotary``: the arguments of their ``RotaryEncoding``, None if nothing turns. ``attention``: whether they
    have attention.
    """

    d_head: int
    rotary: Mapping[str, Any] | None = None
    window: int | None = None
    attention: bool = True

    @property
    def kind(self) -> Kind:
        """The explorer's name for such layers."""
        if not self.attention:
            return "no_attention"
        if self.rotary is None:
            return "none"
        return "full" if self.window is None else "window"

    @property
    def extension(self) -> ContextExtension | None:
        """The extension of their frequencies, if there is one."""
        return self.rotary.get("extension") if self.rotary else None

    def speeds(self, context: int) -> Speeds:
        """Return the speeds of a head's pairs, fastest first, in a text of ``context`` tokens."""
        still = torch.zeros(self.d_head // 2, dtype=torch.float64)
        if self.rotary is None:
            return Speeds(still, still)
        width, base = self.rotary["rotary_dim"], self.rotary["base"]
        present = trained = rotary_frequencies(width, base)
        if self.extension is not None:
            present, _ = self.extension.reaching(context).frequencies(width, base)
        turning = self.rotary.get("turning_pairs")
        turning = width // 2 if turning is None else turning
        return Speeds(*(torch.cat([speeds[:turning], still[turning:]]) for speeds in (present, trained)))


@dataclass(frozen=True)
class Model:
    """A model's ``kinds`` of layers, the kind of each of its ``layers``, and its ``context``.

    ``source``: "released" for a published configuration, "defaults" for the defaults of transformers' code.
    """

    title: str
    source: Literal["released", "defaults"]
    context: int
    kinds: tuple[Layers, ...]
    layers: tuple[int, ...]

    def trained(self, kind: Layers) -> int:
        """Return the length in training, before any extension, as far as the configuration tells."""
        return kind.extension.original_length if kind.extension else self.context


@cache
def _file() -> Mapping[str, Any]:
    return json.loads(Path(__file__).with_name("spectrum_presets.json").read_text("utf-8"))


def version() -> str:
    """Return the version of transformers from which the defaults are."""
    return _file()["transformers"]


@cache
def presets() -> Mapping[str, Model]:
    """Return the models by name; ``python -m tests.oracles.spectrum_presets`` writes them."""
    return {name: _model(row) for name, row in _file()["models"].items()}


def _model(row: Mapping[str, Any]) -> Model:
    # Layers without attention have no heads; their bars are as wide as the others.
    widest = max(kind.get("d_head", 0) for kind in row["kinds"])
    kinds = tuple(_layers(kind, widest) for kind in row["kinds"])
    return Model(row["title"], row["source"], row["context"], kinds, tuple(row["layers"]))


def _layers(row: Mapping[str, Any], widest: int) -> Layers:
    rotary = row.get("rotary")
    if rotary is not None and "extension" in rotary:
        rotary = {**rotary, "extension": ContextExtension(**rotary["extension"])}
    return Layers(row.get("d_head", widest), rotary, row.get("window"), row.get("attention", True))
