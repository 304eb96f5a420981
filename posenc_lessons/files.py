"""Write files completely or not at all. Pure Python, for every room."""

import contextlib
import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path


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
        OSError: a file cannot be written; those before it are.
    """
    for name, content in files.items():
        write_atomically(folder / name, content)


def check_writable(folder: Path) -> None:
    """Raise the OSError that writing into ``folder`` would raise, as far as can be known; change nothing."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    with tempfile.TemporaryDirectory(dir=nearest, prefix=".posenc-"):
        pass
