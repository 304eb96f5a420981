"""``python -m tests.oracles.census.towers``: vision towers, probed by numbers; writes their table.

A rotary module is asked for its cosines and sines at random places of a picture; a learned table is found by
changing it and seeing what changes in the embeddings. It writes posenc_lessons/encodings/config/towers.json
and tests/encodings/towers_seen.json.
"""

from __future__ import annotations

import datetime
import importlib
import inspect
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor, nn
from transformers import CONFIG_MAPPING
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

from posenc_lessons.encodings.rotary_axes import axial_frequencies
from tests.oracles.census.folders import MODELS, folder_of, source
from tests.oracles.census.small import WIDTH, small_keys

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "posenc_lessons" / "encodings" / "config" / "towers.json"
SEEN = ROOT / "tests" / "encodings" / "towers_seen.json"
#: Towers whose code makes positions of (row, column); elsewhere ``get_vision_position_ids`` does.
ROWS_FIRST = ("pixtral", "mlcd")
_SIZES = {
    "width": ("embed_dim", "hidden_size"),
    "heads": ("num_heads", "num_attention_heads"),
    "layers": ("depth", "num_hidden_layers", "num_layers"),
}
_KEPT = re.compile(r"hidden_size$|embed_dim|num_heads|num_attention_heads|depth|layers$|patch_size|image_size|rope")
Row = dict[str, Any]


def configurations() -> tuple[dict[str, Any], dict[str, str]]:
    """Return the class's own configuration of each vision tower, and the tower in each larger model."""
    towers: dict[str, Any] = {}
    inside: dict[str, str] = {}
    for name in sorted(CONFIG_MAPPING_NAMES):
        try:
            config = CONFIG_MAPPING[name]()
        except Exception:  # a class that needs keys has no default to look at
            continue
        inner = getattr(config, "vision_config", None)
        tower = config if inner is None or isinstance(inner, dict) else inner
        if tower is not config:
            inside[name] = tower.model_type
        if hasattr(tower, "patch_size"):
            towers.setdefault(tower.model_type, tower)
    return towers, inside


def places() -> Tensor:
    """Return random places [n, 2] of patches: (row, column)."""
    return torch.randint(0, 40, (12, 2), generator=torch.Generator().manual_seed(2))


def rotary_modules() -> Iterator[tuple[Any, nn.Module]]:
    """Yield each configuration with axial RoPE, and the rotary module of its model."""
    for path in sorted(MODELS.glob("*/modeling_*.py")):
        if "def compute_axial_rope_parameters" not in path.read_text("utf-8"):
            continue
        name = f"transformers.models.{path.parent.name}.{path.stem}"
        module = importlib.import_module(name)
        for kind in list(vars(module).values()):
            if not hasattr(kind, "compute_axial_rope_parameters") or kind.__module__ != name:
                continue
            named = inspect.signature(kind.__init__).parameters["config"].annotation
            config = (getattr(module, named) if isinstance(named, str) else named)()
            yield config, kind(config)


def axial(config: Any, rotary: nn.Module) -> tuple[Row, dict[str, Any]] | None:
    """Return the row of a tower with axial RoPE and what was seen; None for what is no RoPE of a tower."""
    at = places()
    try:
        cos, sin = rotary(torch.zeros(1, len(at), 8), at)
    except (RuntimeError, IndexError):
        cos, sin = rotary(torch.zeros(1, len(at), 8), at[None])  # Gemma 4's has a batch
    angles = torch.atan2(sin, cos).reshape(len(at), -1).double()  # [n, features]
    pairs = angles.shape[1] // 2
    said = config.to_dict()
    row: Row = {"kind": "unlike", "folder": folder_of(config), **_names(said)}
    if torch.equal(angles[:, :pairs], angles[:, pairs:]):
        row["pairing"], of_pair = "half_split", angles[:, :pairs]
    elif torch.equal(angles[:, 0::2], angles[:, 1::2]):
        row["pairing"], of_pair = "interleaved", angles[:, 0::2]
    else:
        return row, {}
    first = folder_of(config) in ROWS_FIRST or "get_vision_position_ids" in source(folder_of(config))
    base = config.rope_parameters["rope_theta"]
    for alternate in (False, True):
        if pairs % 2 or not first:
            break
        expected = at.double() @ axial_frequencies((pairs, pairs), base, alternate)
        apart = torch.remainder(expected - of_pair + torch.pi, 2 * torch.pi) - torch.pi
        if apart.abs().max() < 2e-5:
            row |= {"kind": "axial", "base": base, **({"alternate": True} if alternate else {})}
    if row["kind"] == "unlike":
        return row, {}
    angles_there = [[round(angle, 7) for angle in of_pair[n].tolist()] for n in (0, 7)]
    return row, {"at": at[[0, 7]].tolist(), "angles": angles_there, "pairing": row["pairing"]}


def _names(said: dict[str, Any]) -> Row:
    found = {}
    for size, names in _SIZES.items():
        there = [name for name in names if said.get(name) is not None]
        if there:
            found[size] = there
    if isinstance(said.get("head_dim"), int):
        found["head"] = "head_dim"
    return found


def learned(config: Any) -> tuple[Row, dict[str, Any]] | None:
    """Return the row of a tower with a learned table, and what was seen of its small model; None if none is.

    The table is what changes the embeddings of the patches by as much as it is changed itself.
    """
    said = config.to_dict()
    sizes = small_keys(said) | {name: 1 for name in _SIZES["layers"] if isinstance(said.get(name), int)}
    little = type(config)(**{**said, **sizes})
    grid = _grid(little)
    network = _built(little)
    if grid is None or network is None:
        return None
    pixels = torch.randn(1, 3, *grid[1], generator=torch.Generator().manual_seed(3))
    for name, table in network.named_parameters():
        rows = table.shape[-2] if table.ndim > 1 else 0
        if "pos" not in name or table.shape[-1] != WIDTH or rows < grid[0] or table.numel() != rows * WIDTH:
            continue
        owner = name.removesuffix(".weight").rpartition(".")[0]
        if _adds(network.get_submodule(owner), table, pixels):
            row = {"kind": "table", "folder": folder_of(config), "special": rows - grid[0], **_names(said)}
            kept = {key: value for key, value in little.to_dict().items() if _KEPT.search(key) and value}
            return row, {"config": {"model_type": config.model_type, **kept}, "rows": [rows, WIDTH]}
    return None


def _adds(embeddings: nn.Module, table: Tensor, pixels: Tensor) -> bool:
    """Return whether the rows of ``table`` are added to the embeddings, in their order."""
    change = torch.randn(table.shape[-2:], generator=torch.Generator().manual_seed(4))
    try:
        with torch.no_grad():
            before = embeddings(pixels)
            table.data += change.view_as(table)
            after = embeddings(pixels)
    except Exception:  # a module that is given something else is none that adds a table to patches
        return False
    before, after = (each[0] if isinstance(each, tuple) else each for each in (before, after))
    if before.ndim != 3 or before.shape[-2:] != change.shape:
        return False
    return bool((after - before - change).abs().max() < 1e-4)


def _grid(config: Any) -> tuple[int, tuple[int, int]] | None:
    """Return how many patches a picture of the usual size has, and that size in pixels."""
    size, patch = getattr(config, "image_size", None), config.patch_size
    height, width = size if isinstance(size, list | tuple) and len(size) == 2 else (size, size)
    down, across = patch if isinstance(patch, list | tuple) and len(patch) == 2 else (patch, patch)
    if not all(isinstance(each, int) and each for each in (height, width, down, across)):
        return None
    return (height // down) * (width // across), (height, width)


def _built(config: Any) -> nn.Module | None:
    """Return a model of the tower with random weights, the shortest name of its folder first."""
    module = importlib.import_module(type(config).__module__.replace(".configuration_", ".modeling_"))
    kinds = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, transformers.PreTrainedModel)
        and kind.config_class is type(config)
    ]
    for kind in sorted(kinds, key=lambda kind: len(kind.__name__)):
        try:
            torch.manual_seed(0)
            return kind(config).eval()
        except Exception:  # a base class has no forward; the next class may
            continue
    return None


def main() -> None:
    """Look at every tower and write the table and what it is held against."""
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    configs, inside = configurations()
    rows: dict[str, Row] = {}
    seen: dict[str, Any] = {}
    for config, rotary in rotary_modules():
        if config.model_type in configs and (found := axial(config, rotary)):
            rows[config.model_type], shown = found
            if shown:
                kept = {k: v for k, v in config.to_dict().items() if _KEPT.search(k) and v is not None}
                seen[config.model_type] = {"config": {"model_type": config.model_type, **kept}, **shown}
    for name, config in configs.items():
        try:
            found = None if name in rows else learned(config)
        except Exception as error:  # why a tower is left out is told
            print(f"not built: {name}: {' '.join(str(error).split())[:90]}")
            continue
        if found:
            rows[name], seen[name] = found
    made = {"transformers": transformers.__version__, "date": datetime.date.today().isoformat()}
    lines = [f"  {json.dumps(name)}: {json.dumps(row, sort_keys=True)}" for name, row in sorted(rows.items())]
    table = f'{{"made": {json.dumps(made)},\n "inside": {json.dumps(inside, sort_keys=True)},\n "towers": {{\n'
    TABLE.write_text(table + ",\n".join(lines) + "\n}}\n", encoding="utf-8")
    shown = [f"{json.dumps(name)}: {json.dumps(each, sort_keys=True)}" for name, each in sorted(seen.items())]
    SEEN.write_text("{\n" + ",\n".join(shown) + "\n}\n", encoding="utf-8")
    print({kind: sum(row["kind"] == kind for row in rows.values()) for kind in ("axial", "table", "unlike")})


if __name__ == "__main__":
    main()
