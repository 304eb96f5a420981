"""Write files completely or not at all; read small JSON files. Pure Python, for every room."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from posenc_lessons.language import BilingualError


class Outside(BilingualError):
    """A file would be written outside the given folder."""


@contextlib.contextmanager
def in_turn(path: Path) -> Iterator[None]:
    """Lock ``path`` against other processes, to read, change and write it.

    Raises:
        OSError: the folder cannot be written, or another process holds ``path`` for ten seconds.
    """
    from filelock import FileLock  # imported here: the page without a kernel lacks it

    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_name(f".{path.name}.lock"), timeout=10):
        yield


def json_in(path: Path) -> Any:
    """Return the content of the JSON file ``path``.

    Raises:
        OSError: the file cannot be read, or is a folder, a pipe or a device.
        ValueError: it is not JSON, or is nested too deeply.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace ``path`` by ``content``; missing folders are made.

    The content is first written beside ``path``, so a full disk or a killed process leaves the earlier file
    as it was.

    Raises:
        OSError: it cannot be written; no other file is left behind.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{secrets.token_hex(8)}.part")  # ``path``'s name may be as long as allowed
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_all(files: Mapping[str, bytes], folder: Path) -> None:
    """Write ``files`` (path within ``folder`` → content), in this order, each completely or not at all.

    Raises:
        OSError: a file cannot be written. If something is in the way of one, none is written.
        Outside: a path leads out of ``folder``, perhaps by a link. None is written.
    """
    for name in files:
        _check_place(folder.resolve(), name)
    for name, content in files.items():
        write_atomically(folder / name, content)


def check_writable(folder: Path) -> None:
    """Raise the OSError that writing into ``folder`` would raise, as far as can be known; change nothing."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    with tempfile.TemporaryDirectory(dir=nearest, prefix=".posenc-"):
        pass


def _check_place(root: Path, name: str) -> None:
    """Raise an error unless ``name`` stays within ``root`` and nothing is in its way."""
    target = root / name
    if not target.parent.resolve().is_relative_to(root) or ".." in Path(name).parts:
        raise Outside(
            f"{name} 会写到 {root} 之外：{target.parent.resolve()}",
            f"{name} would be written outside {root}, to {target.parent.resolve()}",
        )
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a folder is in the way", str(target))
    for within in Path(name).parents:
        if (root / within).exists() and not (root / within).is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "a file is in the way", str(root / within))
