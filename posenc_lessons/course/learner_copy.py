"""Make a learner's copy of the lessons: a folder to write in, which updates never overwrite.

A small record in the folder has the hash of each file as it was copied. A file with this hash is unchanged,
so a newer version may replace it. Any other file is the learner's work and stays; the newer version is
written beside it. Jupyter changes the layout of a notebook that is only looked at and adds the kernel's name
and version; that does not count as a change.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from posenc_lessons.course.lessons import lesson_files
from posenc_lessons.files import write_atomically

RECORD = ".posenc_lessons.json"
OF_THE_KERNEL = ("kernelspec", "language_info")  # metadata that Jupyter completes when a kernel starts


@dataclass
class Copied:
    """The result of copying, as paths relative to the learner's folder."""

    new: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    beside: dict[str, str] = field(default_factory=dict)  # the learner's file -> the newer version's name


def copy_lessons(source: Path, target: Path, version: str) -> Copied:
    """Copy the lessons from ``source`` into ``target``, and never overwrite the learner's changes.

    A deleted file comes back, so a learner can begin a lesson again by deleting it. ``version`` is part of
    the name of a newer version beside a changed file. Raises OSError if ``target`` cannot be read or written;
    files copied before are whole, and the next call copies the rest.
    """
    target.mkdir(parents=True, exist_ok=True)
    record = _read_record(target)
    copied = Copied()
    for relative in lesson_files(source):
        name = relative.as_posix()
        content = (source / relative).read_bytes()
        theirs = target / relative
        shipped = _hash(content)
        if not theirs.exists():
            write_atomically(theirs, content)
            copied.new.append(name)
        elif (present := theirs.read_bytes()) == content or _hash(present) == shipped:
            pass
        elif record.get(name) == _hash(present):
            write_atomically(theirs, content)
            copied.updated.append(name)
        elif record.get(name) != shipped:
            copied.beside[name] = _lay_beside(theirs, content, version).relative_to(target).as_posix()
        record[name] = shipped
    write_atomically(target / RECORD, json.dumps(record).encode())
    return copied


def _lay_beside(theirs: Path, content: bytes, version: str) -> Path:
    """Write ``content`` as ``NAME.new-VERSION.ipynb`` next to ``theirs``; -2, -3, … if that is taken."""
    count, ending = 1, f".new-{version}"
    while (beside := theirs.with_name(theirs.stem + ending + theirs.suffix)).exists():
        if beside.read_bytes() == content:
            return beside
        count += 1
        ending = f".new-{version}-{count}"
    write_atomically(beside, content)
    return beside


def _hash(content: bytes) -> str:
    """Return the hash of a file; for a notebook, only of content that a person wrote, such as its cells."""
    try:
        notebook = json.loads(content)
        parts = {key: notebook[key] for key in ("cells", "metadata")}
        for completed in OF_THE_KERNEL:
            parts["metadata"].pop(completed, None)
    except (ValueError, KeyError, TypeError, AttributeError):  # not a notebook
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha256(json.dumps(_joined(parts), sort_keys=True).encode()).hexdigest()


def _joined(value: Any) -> Any:
    """Return ``value`` with texts as single strings; a notebook may have them as lists of lines."""
    if isinstance(value, dict):
        return {key: _joined(part) for key, part in value.items()}
    if isinstance(value, list):
        whole = value and all(isinstance(part, str) for part in value)
        return "".join(value) if whole else [_joined(part) for part in value]
    return value


def _read_record(target: Path) -> dict[str, str]:
    """Return the hashes in the record; {} without a readable one, so that every file is the learner's."""
    try:
        record = json.loads((target / RECORD).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}
