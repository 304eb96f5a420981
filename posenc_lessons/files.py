"""Files written whole or not at all. Pure Python, for every room."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from posenc_lessons.language import BilingualError


class Outside(BilingualError):
    """A file would land outside the folder that was named."""


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Put ``content`` in the place of ``path``; folders on the way are made where they are missing.

    It is first written beside it, so that a full disk or a killed process leaves the earlier file whole.

    Raises:
        OSError: it cannot be written; nothing is left beside it.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{secrets.token_hex(8)}.part")  # as short as any, for a name as long as any
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_all(files: Mapping[str, bytes], folder: Path) -> None:
    """Write ``files`` (path within ``folder`` → content), all of them or none.

    Everything is first written beside them, so that a disk that fills up changes nothing; then each takes the
    place of an earlier file of its name, and all earlier files come back when one cannot.

    Raises:
        OSError: ``folder`` cannot take them.
        Outside: a path leads out of ``folder``, perhaps by a link that is there.
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
            with contextlib.suppress(OSError):  # it was not made, or holds something after all
                path.rmdir()
        raise


def check_writable(folder: Path) -> None:
    """Raise the OSError that ``write_all`` would, where it can be known before; leaves nothing behind."""
    missing = _missing_folders((), folder)
    write_all({}, folder)
    for path in missing:
        path.rmdir()


def _missing_folders(names: Iterable[str], folder: Path) -> list[Path]:
    """The folders that writing ``names`` into ``folder`` would make; the innermost come first."""
    needed = {parent for name in names for parent in (folder / name).parents} | {folder, *folder.parents}
    return sorted((path for path in needed if not path.exists()), key=lambda path: -len(path.parts))


def _check_place(root: Path, name: str) -> None:
    """``name`` stays within ``root``, and neither a folder nor a file is in its way."""
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
    """Move ``names`` from ``new`` into ``folder``, what was there to ``earlier``; all back on an error."""
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
