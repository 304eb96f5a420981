"""Files written all or none: a full disk, or a stop half way, leaves what was there before."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from posenc_lessons.language import BilingualError


class Outside(BilingualError):
    """A file would land outside the folder that was named."""


def try_out(folder: Path) -> None:
    """Raise the OSError that ``write_all`` would, where it can be known before; leaves nothing behind."""
    missing = _missing(folder)
    write_all({}, folder)
    for path in missing:
        path.rmdir()


def write_all(files: Mapping[str, bytes], folder: Path) -> None:
    """Write ``files`` (path within ``folder`` → content), each in place of one of the same name.

    Everything is first written beside them, so that a disk that fills up changes nothing. Raises OSError when
    ``folder`` cannot take them, and Outside when a path, perhaps by a link in ``folder``, leads out of it.
    """
    missing = _missing(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        root = folder.resolve()
        for name in files:
            _check(root, name)
        with tempfile.TemporaryDirectory(dir=root, prefix=".posenc-export-") as beside:
            for name, content in files.items():
                (Path(beside, name)).parent.mkdir(parents=True, exist_ok=True)
                Path(beside, name).write_bytes(content)
            for name in files:
                _check(root, name)  # again: a folder may have become a link meanwhile
                _put(Path(beside, name), root, (root / name).parent.resolve().relative_to(root).parts)
    except BaseException:
        for path in missing:
            with contextlib.suppress(OSError):  # it was not made, or holds something after all
                path.rmdir()
        raise


def _missing(folder: Path) -> list[Path]:
    """``folder`` and those it lies in, as far as they are yet to be made; innermost first."""
    return [path for path in (folder, *folder.parents) if not path.exists()]


def _put(file: Path, root: Path, folders: tuple[str, ...]) -> None:
    """Move ``file`` into ``root``/``folders``, which are made where they are missing.

    Folder by folder, so that none can be exchanged for a link between being looked at and being written to.
    """
    if os.rename not in os.supports_dir_fd:  # Windows, where making a link takes an administrator
        root.joinpath(*folders).mkdir(parents=True, exist_ok=True)
        os.replace(file, root.joinpath(*folders, file.name))
        return
    no_link = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    here = os.open(root, no_link)
    try:
        for folder in folders:
            with contextlib.suppress(FileExistsError):
                os.mkdir(folder, dir_fd=here)
            inner = os.open(folder, no_link, dir_fd=here)
            os.close(here)
            here = inner
        os.replace(file, file.name, dst_dir_fd=here)
    finally:
        os.close(here)


def _check(root: Path, name: str) -> None:
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
