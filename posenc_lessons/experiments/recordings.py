"""Read files with outcomes of experiments, with clear errors; write them in one step, with rounded shares."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from posenc_lessons.files import write_atomically
from posenc_lessons.language import BilingualValueError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@contextmanager
def content_of(path: Path, command: str) -> Iterator[dict[str, Any]]:
    """Yield the content of the file; an error of the ``with`` block means that the file has another form.

    Raises:
        ValueError: the file cannot be read or has another form; ``command`` makes it again.
    """
    try:
        yield json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}"
        raise BilingualValueError(
            f"读不了 {path.name}（{why}），请重新生成：{command}",
            f"{path.name} cannot be read ({why}); make it again with: {command}",
        ) from error


def write_rounded(path: Path, made: DataclassInstance) -> None:
    """Write ``made`` as JSON in one line."""
    write_atomically(path, (json.dumps(_rounded(asdict(made)), ensure_ascii=False) + "\n").encode())


def _rounded(data: Any) -> Any:
    """Round every share to four digits, because further digits differ between machines."""
    if isinstance(data, dict):
        return {name: _rounded(value) for name, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_rounded(value) for value in data]
    return round(data, 4) if isinstance(data, float) else data
