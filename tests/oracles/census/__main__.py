"""``python -m tests.oracles.census``: read every text model of the installed transformers and
write the table.

    python -m tests.oracles.census                all model types; results are kept in build/census
    python -m tests.oracles.census llama gemma3   only these, again
    python -m tests.oracles.census --part 0/2     only every second one, without writing the table
    python -m tests.oracles.census --rows         the table from kept results, without building models

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

from posenc_lessons.encodings.config.families import census, families
from tests.oracles.census.facts import facts, variants
from tests.oracles.census.folders import ModelType, model_types, source_files
from tests.oracles.census.rows import container, row_of, written
from tests.oracles.census.seen import written_seen
from tests.oracles.census.small import WHOLE, built, small

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "build" / "census"
TABLE = ROOT / "posenc_lessons" / "encodings" / "config" / "census.json"
SEEN = ROOT / "tests" / "encodings" / "census_seen.json"
#: Seconds of computing for one model type; a type that takes longer counts as one that cannot be built.
LIMIT = 120


class TooLong(Exception):
    """A model type took more than LIMIT seconds."""


def look(name: str) -> dict[str, Any]:
    """Return what the small model of ``name`` shows, or under "error" why it cannot be built or run."""

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
    except Exception as error:  # the reason why a model cannot be built is the result
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


def _path(model: ModelType) -> Path:
    return KEPT / transformers.__version__ / f"{model.name}.json"


def kept(model: ModelType, again: bool) -> dict[str, Any]:
    """Return the kept result for ``model`` with this version of transformers, or look now."""
    path = _path(model)
    if path.exists() and not again:
        return json.loads(path.read_text("utf-8"))
    seen = look(model.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(seen), encoding="utf-8")
    print(model.name, seen.get("error", "seen"), flush=True)
    return seen


def _heavy_last() -> list[ModelType]:
    """Return the model types to look at; those with recurrences come last, because they take long."""
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


def _compare() -> None:
    """Print how many model types are read, refused, and read differently from what their small models do.

    Types without attention, or whose attention uses no positions, do not count.
    """
    families.cache_clear()
    census.cache_clear()
    from tests.encodings import test_config_census as comparison  # reads both files at import

    table = families()
    reading = [name for name in table if table[comparison._root(name)].kind != "none"]
    refused = [name for name in reading if comparison._root(name) in comparison.UNLIKE | comparison.UNSEEN]
    differing = []
    for name in set(comparison.SEEN) - comparison.UNLIKE:
        try:
            comparison.test_each_layer_is_what_the_model_does(name)
        except (AssertionError, ValueError):
            differing.append(name)
    print(
        f"read: {len(reading) - len(refused)}, refused: {len(refused)},"
        f" differing: {len(differing)} {', '.join(differing)}"
    )


def main(arguments: list[str]) -> None:
    """Look at the named model types, or at all, and write the table and the file for its test."""
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    if "--part" in arguments:
        number, parts = arguments[arguments.index("--part") + 1].split("/")
        for model in _heavy_last()[int(number) :: int(parts)]:
            kept(model, again=False)
        return
    wanted = {each for each in arguments if not each.startswith("-")}
    rows, seen = _rows(wanted, only_known="--rows" in arguments)
    _count(rows)
    date = datetime.date.today().isoformat()
    SEEN.write_text(written_seen(seen), encoding="utf-8")
    TABLE.write_text(written(rows, transformers.__version__, date), encoding="utf-8")
    _compare()


def _rows(wanted: set[str], only_known: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the row of each model type, and the results of the small models that could be built."""
    rows: dict[str, Any] = {}
    seen: dict[str, Any] = {}
    own = {model.name for model in model_types()}
    for model in model_types():
        inner = container(model)
        name = inner["of"] if inner else model.name
        if inner is not None:
            rows[model.name] = inner
        if inner is not None and (name in own or name in rows):
            continue  # for a type that is looked at by itself, or was inside another
        if only_known and not _path(model).exists():
            continue
        found = kept(model, model.name in wanted)
        if "error" in found:
            rows[name] = {"folder": model.folder, "kind": "unseen", "error": found["error"]}
        else:
            rows[name], seen[name] = row_of(model, found), found
    return rows, seen


if __name__ == "__main__":
    main(sys.argv[1:])
