"""Measure every type of text model that transformers has: ``python -m posenc_lessons.configs.census``.

    python -m posenc_lessons.configs.census                what is missing; results are kept in build/census
    python -m posenc_lessons.configs.census llama gemma3   only these, again
    python -m posenc_lessons.configs.census --write        write census.json and table.json of kept results

It takes most of an hour on one core, may be stopped at any time and goes on where it was.
"""

from __future__ import annotations

import gc
import json
import signal
import sys
import time
from pathlib import Path
from typing import Any

import transformers
from transformers.models.auto import modeling_auto as auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, model_type_to_module_name

from posenc_lessons.configs.layers import Layer
from posenc_lessons.configs.measured import read_measured
from posenc_lessons.configs.small import full_config, text_of
from posenc_lessons.language import BilingualValueError

KEPT = Path("build") / "census"
#: Seconds for one type.
LIMIT = 300
_MAPPINGS = (
    auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    auto.MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES,
)


class TooLong(Exception):
    """A type took more than LIMIT seconds."""


def model_types() -> list[str]:
    """Return every type with a causal, masked, sequence-to-sequence or multimodal language model, by name."""
    return sorted({name for mapping in _MAPPINGS for name in mapping if name in CONFIG_MAPPING})


def look(name: str) -> dict[str, Any]:
    """Return what the type ``name`` does by default; "of" for one whose text model is another type."""

    def stop(*_: Any) -> None:
        raise TooLong(f"more than {LIMIT} seconds")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(LIMIT)
    row: dict[str, Any] = {"folder": model_type_to_module_name(name)}
    try:
        inner = text_of(full_config({"model_type": name}))
        if inner.model_type != name and inner.model_type in CONFIG_MAPPING:
            row["of"] = inner.model_type
        model = read_measured({"model_type": row.get("of", name)}, name)
        row["layers"] = [_row(layer) for layer in model.layers]
    except (BilingualValueError, TooLong) as error:
        row["error"] = getattr(error, "en", str(error))
    except Exception as error:  # a class may raise anything; why a type is not read is the result
        row["error"] = f"{type(error).__name__}: {error}"[:300]
    finally:
        signal.alarm(0)
        gc.collect()
    return row


def _row(layer: Layer) -> dict[str, Any]:
    """Return one layer as plain data, without its long lists of frequencies."""
    row = layer.as_json(0)
    del row["index"]
    for rotation, shown in zip(layer.rotations, row["rotations"], strict=True):
        shown["n"] = len(shown.pop("inverse_frequencies"))
        shown["start"], shown["clockwise"] = rotation.start, rotation.clockwise
    extension = layer.settings.get("extension")
    return {
        **row,
        "makes": [part.makes.__name__ for part in layer.parts],
        "extension": extension.method if extension is not None else "",
        "head": layer.settings.get("d_head"),
        "proportional": layer.settings.get("turning_pairs") is not None,
        "lacks": [layer.lacks.zh, layer.lacks.en] if layer.lacks is not None else None,
        "reason": layer.reason.en if layer.reason is not None else None,
    }


def kept(name: str, again: bool = False) -> dict[str, Any]:
    """Return the kept result of ``name`` with this version of transformers, or look now and keep it."""
    path = KEPT / transformers.__version__ / f"{name}.json"
    if path.exists() and not again:
        return json.loads(path.read_text("utf-8"))
    start = time.perf_counter()
    row = look(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    print(f"{name} {time.perf_counter() - start:.0f} s", row.get("error", "measured"), flush=True)
    return row


def main(arguments: list[str]) -> None:
    """Look at the named types, or at all that are not kept."""
    transformers.logging.set_verbosity_error()
    wanted = [name for name in arguments if not name.startswith("-")]
    for name in wanted or model_types():
        kept(name, again=bool(wanted))


if __name__ == "__main__":
    main(sys.argv[1:])
