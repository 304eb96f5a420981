"""Model families: facts in each model's code that its configuration does not contain.

Nearly all rows are in ``census.json`` beside this file. A program finds them: it builds small models of
transformers and probes them (``tests/oracles/census``). Facts that cannot be probed are in ``by_hand.py``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from posenc_lessons.encodings.config.by_hand import ROWS
from posenc_lessons.encodings.pairing import Pairing
from posenc_lessons.encodings.sinusoidal import Order
from posenc_lessons.language import Text

Kind = Literal["rotary", "learned", "sinusoidal", "alibi", "t5", "none", "unlike", "unseen"]

#: Layers of these types have no attention: order comes from a recurrence or a convolution.
WITHOUT_ATTENTION = (
    *("linear_attention", "mamba", "mamba2", "conv", "recurrent", "moe", "mlp", "ssm", "kda"),
    *("sparse_mlp", "dense_mlp"),
)


@dataclass(frozen=True)
class Family:
    """One row: how to read the configurations of a ``model_type``.

    Attributes:
        name: the ``model_type``.
        folder: the folder of ``transformers/models`` with the code that the row describes.
        kind: the kind of position encoding; "none" if attention reads no positions, "unlike" if this library
            has no such encoding, "unseen" if no small model could be built.
        why: for "unlike", what the code does instead.
        error: for "unseen", why no model could be built.
        inside: the key of the text model's keys in a file that describes other models too.
        of: the ``model_type`` of that text model, if its keys do not name one.
        any_inside: whether that may be any text model.
        width, heads, layers, longest, head: the names of these sizes' keys.
        later: the key of a decoder's number of layers, where ``layers`` counts the encoder's.

        pairing: which features make a pair.
        last: whether the part that turns is the last of the head.
        base: the base if the file has none; a dict by layer type if the types differ.
        theta: the keys that set the base outside ``rope_parameters``; a dict by layer type if they differ.
        base_with_scaling: whether the code reads the keys of ``theta`` only where the file has
            ``rope_scaling``.
        rotary_share: how much of a head rotates if the file does not say; None if the code rotates all.
        share_keys: the names of the key that sets this share.
        rope: the ``rope_parameters`` if the file has none; by layer type if ``base`` is by layer type.
        stretched: the layer types that ``rope_scaling`` is about; None means all.
        old_keys: whether the code also reads the keys from before ``rope_parameters``.
        renamed: rope types that the code treats as another type.
        sections: how pairs share the coordinates of a position: ``layout``, and ``default``, the sections if
            the file has none. Empty if positions have one coordinate.

        types: the types of layers that the code names.
        listed: the key that lists the layers' types.
        rule: the types if the file has no such list: a ``cycle``, with other layers at the ``start`` and the
            ``end``; the cycle is counted from the last layer if ``back``.
        period: keys that say that one in so many layers is of the rare type.
        rare_first: whether the rare type is the first of each period; otherwise it is the last.
        upper: whether ``use_sliding_window`` and ``max_window_layers`` make the list.
        by_rope: the types of layers with 0 and with 1 in ``no_rope_layers``.
        by_layer: the lists with an entry for each layer that the code reads: ``no_rope_layers`` (1: RoPE is
            used), ``layer_rope_theta`` (0: RoPE is not used).
        still: types of layers whose attention rotates nothing.
        without_window: whether layers of these types rotate if the file has no window.
        still_power: exponent and step of the ``PowerTemperature`` in layers that do not rotate, if any.
        windows: the key that says how far layers of a type see, by type.
        both_sides: whether a window lies on both sides of a token; otherwise it ends with the token.
        halved: whether a window reaches only half as far as that key says (on each side, if there are two).

        order: the order of sines and cosines.
        over_one_less: whether their exponents are divided by d/2 − 1 instead of d/2.
        first_row: the row of position 0 in a table.
        after_padding: whether position 0 has the row after that of ``pad_token_id``.
        more_rows: how many more rows a learned table has than ``longest`` says.

        fixed: keys for which the code has only one value, and the value.
        reads: keys about positions that the code reads.
        ignored: keys that look like positions, but that the code does not read, or not for positions.
        unexplained: keys that change scores in a way that no encoding here does, each with the value that
            changes nothing, or null.
        missing: the code's values for keys that are not in the file. ``rotary_dim``, ``global_head_dim`` and
            ``attn_temperature_tuning`` are read only for families that have them here.
        told: whether the code takes positions (``position_ids``); otherwise it counts 0, 1, 2, ….
        sink: whether each head has its own learned logit in the softmax.
        remarks: what else a reader should know about these models.
        unless: changes of this row for certain values of a key: ``{"key": …, "rows": {value: {…}}}``.
    """

    name: str
    folder: str
    kind: Kind = "rotary"
    inside: str = ""
    of: str = ""
    pairing: Pairing = "half_split"
    last: bool = False
    base: float | Mapping[str, float] = 10000.0
    rotary_share: float | None = None
    width: tuple[str, ...] = ("hidden_size",)
    heads: tuple[str, ...] = ("num_attention_heads",)
    layers: tuple[str, ...] = ("num_hidden_layers",)
    later: tuple[str, ...] = ()
    longest: tuple[str, ...] = ("max_position_embeddings",)
    head: str = "head_dim"
    theta: tuple[str, ...] | Mapping[str, tuple[str, ...]] = ("rope_theta",)
    base_with_scaling: bool = False
    share_keys: tuple[str, ...] = ("partial_rotary_factor",)
    listed: str = ""
    types: tuple[str, ...] = ()
    rule: Mapping[str, Any] = field(default_factory=lambda: {"cycle": ["full_attention"]})
    period: tuple[str, ...] = ()
    rare_first: bool = False
    upper: bool = False
    by_rope: tuple[str, ...] = ()
    by_layer: tuple[str, ...] = ()
    still: tuple[str, ...] = ()
    without_window: bool = False
    still_power: tuple[float, ...] = ()
    windows: Mapping[str, str] = field(default_factory=dict)
    both_sides: bool = False
    halved: bool = False
    rope: Mapping[str, Any] = field(default_factory=dict)
    stretched: tuple[str, ...] | None = None
    old_keys: bool = True
    renamed: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, Any] = field(default_factory=dict)
    any_inside: bool = False
    order: Order = "interleaved"
    over_one_less: bool = False
    first_row: int = 0
    after_padding: bool = False
    more_rows: int = 0
    fixed: Mapping[str, Any] = field(default_factory=dict)
    reads: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    unexplained: Mapping[str, Any] = field(default_factory=dict)
    missing: Mapping[str, Any] = field(default_factory=dict)
    told: bool = True
    sink: bool = False
    why: Text | None = None
    error: str = ""
    remarks: tuple[Text, ...] = ()
    unless: Mapping[str, Any] | None = None

    @property
    def source(self) -> str:
        """The folder of the code that this row was read from."""
        return f"transformers/models/{self.folder}"

    @property
    def by_type(self) -> bool:
        """True if layers of different types have different frequencies."""
        return isinstance(self.base, Mapping)


_FIELDS = {each.name for each in fields(Family)}


def _tuples(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def family_of(name: str, row: Mapping[str, Any]) -> Family:
    """Return the row of a ``model_type`` from its data, ``row``, in the form of the table."""
    keys = {key: _tuples(value) for key, value in row.items() if key in _FIELDS}
    if isinstance(keys.get("theta"), Mapping):
        keys["theta"] = {layer_type: tuple(names) for layer_type, names in keys["theta"].items()}
    return Family(name, **keys)


@cache
def census() -> Mapping[str, Any]:
    """Return the whole table: ``made`` (version of transformers, date), and ``models``, each with its row."""
    return json.loads(Path(__file__).with_name("census.json").read_text("utf-8"))


@cache
def families() -> Mapping[str, Family]:
    """Return every row by its ``model_type``."""
    found = {name: family_of(name, row) for name, row in census()["models"].items()}
    for name, own in ROWS.items():
        if name in found:
            added = {**own, "ignored": (*found[name].ignored, *own.get("ignored", ()))}
            found[name] = replace(
                found[name], **{**added, "missing": {**found[name].missing, **own.get("missing", {})}}
            )
    return found
