"""Run lessons by themselves: in an empty folder, without this user's settings.

The lesson's outputs are compared with the committed ones as in nbval: timings and progress are left out, and
pictures only have to be there.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbval.plugin import get_sanitize_patterns

from posenc_lessons.export.run import client_for
from tests.notebooks import record

KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "LANG", "LC_ALL")  # variables that a program needs
SANITIZE = Path(__file__).with_name("sanitize.cfg")


def run_alone(notebook: Any, home: Path, **environment: str) -> Any:
    """Run a copy of ``notebook`` in ``home``, an empty folder, and return it; errors are kept as outputs.

    Raises AssertionError when the run leaves anything in the folder of the notebook.
    """
    ran = copy.deepcopy(notebook)
    record.forget(ran)
    here = home / "here"
    here.mkdir()
    client = client_for(ran, here, home, timeout=record.CELL_SECONDS, allow_errors=True)
    surroundings = {name: os.environ[name] for name in KEPT if name in os.environ}
    surroundings |= {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "OMP_NUM_THREADS": "1",  # the last digits of the committed outputs depend on it
        "PYTHONUTF8": "1",
    }
    client.execute(env={**surroundings, **environment}, cleanup_kc=True)
    assert list(here.iterdir()) == [], "a lesson writes no files"
    record.tidy(ran)
    return ran


def differences(ran: Any, committed: Any) -> Iterator[str]:
    """Yield, cell by cell, the visible differences between ``ran`` and the committed notebook."""
    for now, before in zip(ran.cells, committed.cells, strict=True):
        if now.cell_type == "code" and (shown := _shown(now)) != (expected := _shown(before)):
            only = [part for part in shown if part not in expected]
            missing = [part for part in expected if part not in shown]
            yield f"cell {now.id} shows {only or 'nothing new'}, without {missing or 'losing anything'}"


def _shown(cell: Any) -> list[tuple[str, str]]:
    shown: list[tuple[str, str]] = []
    for output in cell.outputs:
        if output.output_type == "stream":
            shown.append((output.name, _sanitized(output.text)))
        elif output.output_type == "error":
            shown.append(("error", f"{output.ename}: {output.evalue}"))
        else:
            for mime, data in sorted(output.data.items()):
                shown.append((mime, _sanitized(data) if mime.startswith("text/") else ""))
    return shown


RULES = list(get_sanitize_patterns(SANITIZE.read_text(encoding="utf-8")))


def _sanitized(text: str) -> str:
    for pattern, instead in RULES:
        text = re.sub(pattern, instead, text)
    return text
