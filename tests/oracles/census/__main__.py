"""``python -m tests.oracles.census``: read every text model of the installed transformers and write the
table.

    python -m tests.oracles.census                all model types; what was seen is kept in build/census
    python -m tests.oracles.census llama gemma3   these only, seen again
    python -m tests.oracles.census --part 0/2     look at every second one only, and write no table
    python -m tests.oracles.census --rows         the table from what was seen before, without building models

It writes posenc_lessons/encodings/config/census.json and tests/encodings/census_seen.json.
"""

from __future__ import annotations

import collections
import datetime
import gc
import json
import signal
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

import transformers

from tests.oracles.census.facts import facts, variants
from tests.oracles.census.folders import ModelType, model_types, source_files
from tests.oracles.census.rows import container, row_of, written
from tests.oracles.census.seen import written_seen
from tests.oracles.census.small import WHOLE, built, small

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "build" / "census"
TABLE = ROOT / "posenc_lessons" / "encodings" / "config" / "census.json"
SEEN = ROOT / "tests" / "encodings" / "census_seen.json"
#: Seconds of computing for one model type; one that takes longer counts as one that cannot be built.
LIMIT = 60


class TooLong(Exception):
    """A model type took more than LIMIT seconds."""


def look(name: str) -> dict[str, Any]:
    """Return what the small model of ``name`` shows; under "error" why it cannot be built or run."""

    def stop(*_: Any) -> None:
        raise TooLong(f"more than {LIMIT} seconds")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        config = small(name)
        seen = _looked(config)
        more = {}
        for what, keys in (variants(config) if name not in WHOLE else {}).items():
            try:
                more[what] = _looked(small(name, **keys))
            except TooLong:
                raise
            except Exception as error:  # a class that refuses these keys has no such layers
                more[what] = {"error": repr(error)[:200]}
        seen["more"] = [each for each in more.values() if "error" not in each]
        still = more.get("without_window", {}).get("layers", [])
        if still and all(each["query"]["kind"] == "turns" for each in still):
            seen["without_window"] = "turns"
        return seen
    except Exception as error:  # why a model cannot be built is what is written down
        place = traceback.extract_tb(error.__traceback__)[-1]
        told = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return {"error": told, "where": f"{Path(place.filename).name}:{place.lineno}"}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _looked(config: Any) -> dict[str, Any]:
    network = built(config)
    seen = facts(network)
    text = config.decoder if config.model_type in WHOLE else config
    seen["config"] = json.loads(text.to_json_string(use_diff=False))
    del network
    gc.collect()
    return seen


def kept(model: ModelType, again: bool) -> dict[str, Any]:
    """Return what was seen of ``model`` before with this version of transformers, or look."""
    path = KEPT / transformers.__version__ / f"{model.name}.json"
    if path.exists() and not again:
        return json.loads(path.read_text("utf-8"))
    seen = look(model.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(seen), encoding="utf-8")
    print(model.name, seen.get("error", "seen"), flush=True)
    return seen


def _heavy_last() -> list[ModelType]:
    """Return the model types to look at; those with recurrences, which take long, last."""
    known = {model.name for model in model_types()}
    own = [
        model for model in model_types() if (inner := container(model)) is None or inner["of"] not in known
    ]
    return sorted(
        own, key=lambda model: any("conv1d" in each.read_text("utf-8") for each in source_files(model.folder))
    )


def _count(rows: dict[str, Any]) -> None:
    """Print how many model types there are of each kind, and which could not be built."""
    kinds = collections.Counter(row.get("kind", "holds another") for row in rows.values())
    print(", ".join(f"{kind}: {number}" for kind, number in kinds.most_common()))
    for name, row in rows.items():
        if row.get("kind") == "unseen":
            print(f"not built: {name}: {row['error']}")


def main(arguments: list[str]) -> None:
    """Look at the model types named, or at all, and write the table and what it is held against."""
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    if "--part" in arguments:
        number, parts = arguments[arguments.index("--part") + 1].split("/")
        for model in _heavy_last()[int(number) :: int(parts)]:
            kept(model, again=False)
        return
    rows_only = "--rows" in arguments
    wanted = {each for each in arguments if not each.startswith("-")}
    rows, seen_of = {}, {}
    known = {model.name for model in model_types()}
    for model in model_types():
        if (inner := container(model)) is not None and inner["of"] in known:
            rows[model.name] = inner
            continue
        path = KEPT / transformers.__version__ / f"{model.name}.json"
        if rows_only and not path.exists():
            continue
        seen = kept(model, model.name in wanted)
        if "error" in seen:
            rows[inner["of"] if inner else model.name] = {
                "folder": model.folder,
                "kind": "unseen",
                "error": seen["error"],
            }
            if inner is not None:
                rows[model.name] = inner
            continue
        rows[model.name] = row_of(model, seen)
        seen_of[inner["of"] if inner else model.name] = seen
        if inner is not None:
            rows[inner["of"]] = rows[model.name]
            rows[model.name] = inner
    _count(rows)
    date = datetime.date.today().isoformat()
    SEEN.write_text(written_seen(seen_of), encoding="utf-8")
    TABLE.write_text(written(rows, transformers.__version__, date), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
