"""``python -m tests.oracles.census.towers``: look at transformers' vision towers, write a table.

    python -m tests.oracles.census.towers             all types of towers; writes the table
    python -m tests.oracles.census.towers vit swin    print the results for these, without writing

It builds a small model of each type, runs it with a picture and finds by numbers the effect of places on
queries, scores and embeddings. It writes posenc_lessons/encodings/config/towers.json, then reads every tower
from its configuration, compares it with a model of other sizes, and prints how many are read, refused and
different.
"""

from __future__ import annotations

import datetime
import gc
import json
import re
import signal
import sys
import warnings
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import CONFIG_MAPPING
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

from posenc_lessons.encodings.config.keys import about_positions
from posenc_lessons.encodings.config.towers import census, towers_table
from tests.oracles.census.tower_biases import class_tables
from tests.oracles.census.tower_models import GRID, built, classes, inner_configs, sides, small, step, towers
from tests.oracles.census.tower_rows import Row, row_of, shown
from tests.oracles.census.tower_tables import table_of

TABLE = Path(__file__).parents[3] / "posenc_lessons" / "encodings" / "config" / "towers.json"
#: Seconds for one type of tower; a type that takes longer counts as one that cannot be built.
LIMIT = 120


class TooLong(BaseException):
    """A type of tower took more than LIMIT seconds. Code that catches errors of models must not catch it."""


_SIZES = {
    "width": ("embed_dim", "hidden_size"),
    "heads": ("num_attention_heads", "num_heads"),
    "layers": ("num_hidden_layers", "depth", "num_layers", "depths"),
}
_SWITCH = re.compile(r"^use_.*position")
_KEPT = re.compile(
    r"^(head_dim|pretrained_window_sizes|global_attn_indexes|image_size|patch_size|patch_stride|window_size|rope_theta|rope_parameters)$"
)


def look(name: str) -> Row:
    """Return the row of a type of tower; kind "unseen" and the error if no small model could be built."""
    config, error = towers()[name], "no class takes a picture alone"
    for kind in classes(config):
        for grid in (GRID, (GRID[1], GRID[1])):  # some take only squares
            try:
                signal.alarm(LIMIT)
                little = small(config, grid)
                row = row_of(shown(built(kind, little), little))
                if row == {"kind": "unlike", "named": []} and switches(config):
                    row = _switched(config, kind, grid)
                return {"folder": type(config).__module__.split(".")[2], **_keys(config, little, row)}
            except (Exception, TooLong) as wrong:  # the reason why a model cannot be built is the result
                error = " ".join(f"{type(wrong).__name__}: {wrong}".split())[:120]
            finally:
                signal.alarm(0)
                gc.collect()
    return {"folder": type(config).__module__.split(".")[2], "kind": "unseen", "error": error}


def switches(config: Any) -> list[str]:
    """Return the keys that are off and would switch an encoding on."""
    return [key for key, value in config.to_dict().items() if value is False and _SWITCH.search(key)]


def _switched(config: Any, kind: Any, grid: tuple[int, int]) -> Row:
    """Return the encoding that each switch turns on: a table, or a table of biases with a class token."""
    found: dict[str, str] = {}
    for key in switches(config):
        little = small(config, grid, {key: True})
        what = shown(built(kind, little), little)
        if (table_of(what) or {}).get("special") == 1:
            found[key] = "table"
        elif class_tables(what.network):
            found[key] = "bias"
    return {"kind": "switched", "switches": found} if found else {"kind": "unlike", "named": []}


def _keys(config: Any, little: Any, row: Row) -> Row:
    """Return the keys from which the row's encoding is read, and the class's defaults for them."""
    if row["kind"] == "unlike":
        return row
    said = config.to_dict()
    found = {size: next((name for name in names if said.get(name)), "") for size, names in _SIZES.items()}
    if isinstance(said.get("depths"), list):
        found["layers"] = "depths"
    if "rows" in row:
        found |= _rows(little, row)
        if found["rows"] == "?":
            return {"kind": "unlike", "seen": "rows", "named": row["named"]}
    if row["kind"] == "row_column" or row.get("beside") == "row_column":
        found["rows"] = next((key for key in _SIDES if key in said), "?")
    if row["kind"] == "sinusoidal":
        found |= {"tubelet": "tubelet_size", "frames": "num_frames"}
    used = {*(key for name in found.values() for key in name.split(" * ")), *row.get("switches", {})}
    used |= {*(key for key in said if _KEPT.search(key))}
    others = {key: said[key] for key in said if about_positions(key) and key not in used}
    fixed = {key: value for key, value in others.items() if isinstance(value, bool | str)}
    return {
        **{key: value for key, value in row.items() if key not in ("rows", "window", "named")},
        "keys": found,
        "missing": {key: said[key] for key in sorted(used) if said.get(key) is not None},
        **({"fixed": fixed} if fixed else {}),
        **({"reads": sorted(others.keys() - fixed.keys())} if others.keys() - fixed.keys() else {}),
    }


#: Keys with the number of rows and of columns, if each has a table, and keys with a picture's size.
_SIDES = ("seq_len", "max_num_patches", "position_embedding_size")
_PICTURES = ("pretrain_image_size", "max_image_size", "max_img_size", "image_size")


def _rows(little: Any, row: Row) -> dict[str, str]:
    """Return the key with the number of patches in the table, or two keys whose product it is ("a * b"); ""
    if it follows from a picture's size, whose key is then in "picture"; "?" if no key has it."""
    said, rows = little.to_dict(), row["rows"] - row["special"]
    numbers = {key: value for key, value in said.items() if isinstance(value, int) and value > 1}
    named = [key for key in numbers if re.search(r"pos(ition)?_?emb|num_patches", key)]
    if found := next((key for key in named if numbers[key] == rows), None):
        return {"rows": found}
    pitch = step(little)
    for key in _PICTURES:
        picture = sides(said.get(key))
        if picture and pitch and (picture[0] // pitch[0]) * (picture[1] // pitch[1]) == rows:
            return {"rows": "", "picture": key}
    pairs = ((a, b) for a in named for b in reversed(named) if numbers[a] * numbers[b] == rows)
    return {"rows": next((f"{a} * {b}" for a, b in pairs), "?")}


def inside() -> dict[str, str]:
    """Return the type of the tower in each type of larger model, by the larger model's type."""
    found = {}
    for name in sorted(CONFIG_MAPPING_NAMES):
        try:
            config = CONFIG_MAPPING[name]()
        except Exception:  # a class that needs keys has no default
            continue
        inner = getattr(config, "vision_config", None)
        kinds = [each.model_type for each in inner_configs(inner)] if hasattr(inner, "model_type") else []
        kind = next((each for each in kinds if each in towers()), None)
        if kind is not None and kind != name:
            found[name] = kind
    return found


def written(rows: dict[str, Row]) -> str:
    """Return the table as text, a tower to a line."""
    made = {"transformers": transformers.__version__, "date": datetime.date.today().isoformat()}
    lines = [f"{json.dumps(name)}: {json.dumps(row, sort_keys=True)}" for name, row in sorted(rows.items())]
    return (
        f'{{"made": {json.dumps(made)},\n"inside": {json.dumps(inside(), sort_keys=True)},\n"towers": {{\n'
        + ",\n".join(lines)
        + "\n}}\n"
    )


def compare() -> tuple[list[str], list[str], list[str]]:
    """Return the names of the towers that are read, refused, and read differently from their models."""
    from tests.oracles.census.tower_checks import check_tower, read_towers

    census.cache_clear()
    towers_table.cache_clear()
    read_towers.cache_clear()
    differing = []
    for name in read_towers():
        try:
            check_tower(name)
        except Exception as wrong:  # for any error, this tower does not count as read
            differing.append(f"{name} ({' '.join(str(wrong).split())[:150]})")
        gc.collect()
    return read_towers(), sorted(set(towers_table()) - set(read_towers())), differing


def main(names: list[str]) -> None:
    """Look at the named towers and print the results, or look at all towers and write the table."""
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)

    def stop(*_: Any) -> None:
        raise TooLong(f"more than {LIMIT} seconds")

    signal.signal(signal.SIGALRM, stop)
    rows = {}
    for name in names or towers():
        rows[name] = look(name)
        print(name, json.dumps(rows[name]), flush=True)
    if names:
        return
    TABLE.write_text(written(rows), encoding="utf-8")
    read, refused, differing = compare()
    print(f"read: {len(read)}, refused: {len(refused)}, differing: {len(differing)} {', '.join(differing)}")


if __name__ == "__main__":
    main(sys.argv[1:])
