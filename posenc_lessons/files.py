"""Files written whole or not at all. Pure Python, for every room."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


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
