"""The census as a table for readers: a row for each type of text model, by the defaults of its code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from posenc_lessons.encodings.config.families import WITHOUT_ATTENTION, Family, Kind, families
from posenc_lessons.encodings.pairing import Pairing
from posenc_lessons.language import Text

LayerKind = Literal["full", "window", "none", "no_attention"]
Share = Literal["whole", "part", "proportional", "apart"]

_DOORS: Mapping[Kind, tuple[int, ...]] = {
    "rotary": (2,),
    "learned": (1,),
    "sinusoidal": (1,),
    "alibi": (3,),
    "t5": (3,),
    "none": (),
    "unseen": (),
}


@dataclass(frozen=True)
class CensusRow:
    """One row: what the code of a ``model_type`` does about positions by default.

    Attributes:
        name, folder: the ``model_type``, and the folder of ``transformers/models``.
        kind: of the encoding, as in ``Family``. doors: where order enters.
        pairing, share, bases: for RoPE, else None, None and (). ``share``: "part", a part of the head rotates
            by the frequencies of a narrower head; "proportional", by the fastest ones of the whole head;
            "apart", a separate part rotates, as in latent attention. ``bases``: several if layers differ.
        amount: how much of a head rotates, a share up to 1, or a number of features; None for all of it.
        layers: how often each kind of layer comes in the repeated pattern; "none" is attention that reads no
            positions. Empty if the table does not tell.
        extension: the type of extension, "" for none.
        why: what the code does instead, if the library lacks its encoding.
    """

    name: str
    folder: str
    kind: Kind
    doors: tuple[int, ...]
    pairing: Pairing | None
    share: Share | None
    amount: float | None
    bases: tuple[float, ...]
    layers: Mapping[LayerKind, int]
    extension: str
    why: Text | None


def census_rows() -> tuple[CensusRow, ...]:
    """Return a row for each type of text model, by name; types whose files only contain one have no row.

    >>> next(row for row in census_rows() if row.name == "cohere2").layers
    {'window': 3, 'none': 1}
    """
    found = (family for family in families().values() if not family.of)
    return tuple(_row(family) for family in sorted(found, key=lambda family: family.name))


def _row(family: Family) -> CensusRow:
    turns = family.kind == "rotary"
    share, amount = _share(family) if turns else (None, None)
    return CensusRow(
        name=family.name,
        folder=family.folder,
        kind=family.kind,
        doors=_doors(family),
        pairing=family.pairing if turns else None,
        share=share,
        amount=amount,
        bases=_bases(family) if turns else (),
        layers=_layers(family),
        extension=_extension(family) if turns else "",
        why=family.why,
    )


def _doors(family: Family) -> tuple[int, ...]:
    if family.kind != "unlike":
        return _DOORS[family.kind]
    assert family.why is not None, f"{family.name}: by_hand.py must say what it is unlike"
    return tuple(map(int, re.findall(r"\d", family.why.en.partition(":")[0])))


def _share(family: Family) -> tuple[Share, float | None]:
    if family.head == "qk_rope_head_dim":
        return "apart", family.missing.get("qk_rope_head_dim")
    for rope in _ropes(family):
        if rope.get("rope_type") == "proportional":
            return "proportional", rope["partial_rotary_factor"]
    if (features := family.missing.get("rotary_dim")) is not None:
        return "part", features
    if family.rotary_share is not None and family.rotary_share < 1:
        return "part", family.rotary_share
    return "whole", None


def _ropes(family: Family) -> list[Mapping[str, Any]]:
    """Return the default ``rope_parameters``: one for all layers, or one for each type of layer."""
    nested = [each for each in family.rope.values() if isinstance(each, Mapping)]
    return nested or [family.rope]


def _bases(family: Family) -> tuple[float, ...]:
    bases = family.base.values() if isinstance(family.base, Mapping) else (family.base,)
    return tuple(sorted(set(map(float, bases))))


def _extension(family: Family) -> str:
    types = [str(rope.get("rope_type", "default")) for rope in _ropes(family)]
    return next((each for each in types if each not in ("default", "proportional")), "")


def _layers(family: Family) -> dict[LayerKind, int]:
    if family.kind not in ("rotary", "none"):
        return {}
    cycle = list(family.rule["cycle"])
    if family.kind == "none" and not set(cycle) & set(WITHOUT_ATTENTION):
        return {}  # nothing tells layers with attention from others
    if "no_rope_layers" in family.by_layer and len(set(cycle)) == 1:
        return {"full": 3, "none": 1}  # the code's default: every fourth layer does not rotate
    return dict(Counter(_layer_kind(family, layer_type) for layer_type in cycle))


def _layer_kind(family: Family, layer_type: str) -> LayerKind:
    if layer_type in WITHOUT_ATTENTION:
        return "no_attention"
    still = (*family.still, *family.by_rope[:1])
    if family.kind == "none" or layer_type in still:
        return "none"
    sized = family.missing.get(family.windows.get(layer_type, ""))
    return "window" if sized or layer_type.startswith(("sliding", "chunked")) else "full"
