"""Make a learner's copy of the lessons: a folder to write in, which updates never overwrite.

A small record in the folder has the hash of each file as it was copied. A file with this hash is unchanged,
so a newer version may replace it. Any other file is the learner's work and stays; the newer version is
written beside it.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from posenc_lessons.course.lessons import lesson_files
from posenc_lessons.files import write_atomically

RECORD = ".posenc_lessons.json"


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
        elif (present := _hash(theirs.read_bytes())) == shipped:
            pass
        elif record.get(name) == present:
            write_atomically(theirs, content)
            copied.updated.append(name)
        elif record.get(name) != shipped:
            beside = theirs.with_name(f"{theirs.stem}.new-{version}{theirs.suffix}")
            if not beside.exists():  # else the learner may have written in it
                write_atomically(beside, content)
            copied.beside[name] = beside.relative_to(target).as_posix()
        record[name] = shipped
    write_atomically(target / RECORD, json.dumps(record).encode())
    return copied


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_record(target: Path) -> dict[str, str]:
    """Return the hashes in the record; {} without a readable one, so that every file is the learner's."""
    try:
        record = json.loads((target / RECORD).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}
