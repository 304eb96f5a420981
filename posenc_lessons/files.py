"""Write files completely or not at all; read small JSON files. Pure Python, for every room."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import tempfile
from collections.abc import Iterable, Iterator, Mapping
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
    """Write ``files`` (path within ``folder`` → content), all of them or none, in this order.

    All content is first written beside them, so a full disk changes nothing. Then each new file replaces the
    earlier one of its name; if one cannot, all earlier files are restored.

    Raises:
        OSError: ``folder`` cannot be written.
        Outside: a path leads out of ``folder``, perhaps by a link.
    """
    missing = _missing_folders(files, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            _check_place(folder.resolve(), name)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".posenc-part-") as beside:
            new, earlier = Path(beside, "new"), Path(beside, "earlier")
            for name, content in files.items():
                write_atomically(new / name, content)
            _exchange(list(files), new, folder, earlier)
    except BaseException:
        for path in missing:
            with contextlib.suppress(OSError):  # it was not made, or is not empty
                path.rmdir()
        raise


def check_writable(folder: Path) -> None:
    """Raise the OSError that ``write_all`` would raise, as far as it can be known; change nothing."""
    missing = _missing_folders((), folder)
    write_all({}, folder)
    for path in missing:
        path.rmdir()


def _missing_folders(names: Iterable[str], folder: Path) -> list[Path]:
    """Return the folders that writing ``names`` into ``folder`` would make, innermost first."""
    needed = {parent for name in names for parent in (folder / name).parents} | {folder, *folder.parents}
    return sorted((path for path in needed if not path.exists()), key=lambda path: -len(path.parts))


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


def _exchange(names: list[str], new: Path, folder: Path, earlier: Path) -> None:
    """Move ``names`` from ``new`` into ``folder``, and earlier files to ``earlier``; undo it on an error."""
    begun: list[str] = []
    try:
        for name in names:
            begun.append(name)
            for place in (folder / name, earlier / name):
                place.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                os.replace(folder / name, earlier / name)
            os.replace(new / name, folder / name)
    except BaseException:
        for name in begun:
            if os.path.lexists(earlier / name):
                os.replace(earlier / name, folder / name)
            elif not os.path.lexists(new / name):
                (folder / name).unlink()
        raise
