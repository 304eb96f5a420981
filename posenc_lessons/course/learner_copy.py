"""Make the learner's own copy of the lessons: a folder to write in, kept up to date without losing a word.

A small record in the folder holds the hash of each file as it was handed out. A file that still has that hash
is unchanged, so a newer version may replace it; any other file is the learner's work and stays, and the newer
version is laid beside it. Jupyter changes the layout of a notebook that is only looked at and adds the
kernel's name and version; that does not count as a change.
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

    A file the learner deleted comes back, which is how to begin a lesson again. ``version`` names a newer
    version laid beside a changed file. Raises OSError when ``target`` cannot be read or written; what was
    copied by then is whole, and the next call goes on from there.
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
        elif (found := theirs.read_bytes()) == content or _hash(found) == shipped:
            pass
        elif record.get(name) == _hash(found):
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
    """Return the hash of a file; for a notebook, of its cells and of other content that a person wrote."""
    try:
        notebook = json.loads(content)
        kept = {key: notebook[key] for key in ("cells", "metadata")}
        for completed in OF_THE_KERNEL:
            kept["metadata"].pop(completed, None)
    except (ValueError, KeyError, TypeError, AttributeError):  # no notebook
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha256(json.dumps(_joined(kept), sort_keys=True).encode()).hexdigest()


def _joined(value: Any) -> Any:
    """Return ``value`` with texts in one piece; a notebook may hold their lines as a list."""
    if isinstance(value, dict):
        return {key: _joined(each) for key, each in value.items()}
    if isinstance(value, list):
        whole = value and all(isinstance(each, str) for each in value)
        return "".join(value) if whole else [_joined(each) for each in value]
    return value


def _read_record(target: Path) -> dict[str, str]:
    """Return the hashes as handed out; none without a legible record: then every file is the learner's."""
    try:
        record = json.loads((target / RECORD).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}
