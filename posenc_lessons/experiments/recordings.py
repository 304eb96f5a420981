"""Read and write files with outcomes of experiments: a dataclass as JSON, checked when it is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from posenc_lessons.files import write_atomically
from posenc_lessons.language import BilingualValueError, Text, text_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

RECORDED = Path(__file__).with_name("recorded")

Record = TypeVar("Record")


def read_record(path: Path, kind: type[Record]) -> Record:
    """Return the content of ``path`` as an object of the dataclass ``kind``.

    Raises:
        ValueError: the file cannot be read or has another form; the command of its name makes it again.
    """
    command = f"python -m posenc_lessons.experiments.{path.stem}"
    try:
        record: Record = _as_type(kind, json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        message = text_of(error) if isinstance(error, ValueError) else Text(repr(error), repr(error))
        raise BilingualValueError(
            f"读不了 {path.name}（{message.zh}），请重新生成：{command}",
            f"{path.name} cannot be read ({message.en}); make it again with: {command}",
        ) from error
    return record


def make_record(
    name: str, about: str | None, measured: Callable[[tuple[int, ...]], DataclassInstance]
) -> None:
    """Write what ``measured`` returns for the seeds in the command's options, as the record ``name``."""
    import argparse  # a page does not have this module

    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(5)))
    parser.add_argument("--out", type=Path, default=RECORDED / name)
    options = parser.parse_args()
    write_record(options.out, measured(tuple(options.seeds)))
    print(options.out)


def _as_type(kind: Any, value: Any) -> Any:
    """Return ``value``, parsed from JSON, as ``kind``: a dataclass, tuple, list, mapping or plain value."""
    if is_dataclass(kind) and isinstance(kind, type):
        hints = _types_of(kind)
        return kind(**{name: _as_type(hints[name], part) for name, part in value.items()})
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (tuple, list):
        return origin(_as_type(parts[0], item) for item in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {name: _as_type(parts[1], item) for name, item in value.items()}
    return value


_types_of = cache(get_type_hints)  # a record may have hundreds of objects of one kind


def write_record(path: Path, record: DataclassInstance) -> None:
    """Write ``record`` as JSON in one step, each of its fields in a line, and each object of a list.

    Shares are rounded to four digits, because further digits differ between machines.
    """
    lines = [f" {json.dumps(name)}: {_json(value)}" for name, value in _rounded(asdict(record)).items()]
    write_atomically(path, ("{\n" + ",\n".join(lines) + "\n}\n").encode())


def _json(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n  " + ",\n  ".join(map(_json, value)) + "\n ]"
    return json.dumps(value, ensure_ascii=False)


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(part) for part in value]
    return round(value, 4) if isinstance(value, float) else value
