"""Build JavaScript with npm, and save fingerprints, with which a test finds output that is out of date.

The sources are in a folder with a ``package.json`` whose script ``build`` writes into an output folder. The
output is committed, so that nobody else needs npm; its file ``BUILT`` has the fingerprints of both folders.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

BUILT = "built.json"


def fingerprint(folder: Path) -> str:
    """Return a hash of all files in ``folder``, names and contents, except npm's packages and ``BUILT``."""
    match = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and path.name != BUILT and "node_modules" not in name.parts:
            content = path.read_bytes().replace(b"\r\n", b"\n")  # as git may check it out on Windows
            match.update(f"{name.as_posix()} {len(content)}\n".encode())
            match.update(content)
    return match.hexdigest()


def build(sources: Path) -> None:
    """Install the packages of the lock file and run the script ``build``."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("this needs npm, which comes with Node.js: https://nodejs.org")
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    for command in (["ci", "--ignore-scripts", "--no-audit", "--no-fund"], ["run", "build"]):
        subprocess.run([npm, *command], cwd=sources, env={**os.environ, "PATH": tools}, check=True)


def note(sources: Path, output: Path) -> None:
    """Write the fingerprints of both folders into ``output``."""
    fingerprints = {"sources": fingerprint(sources), "output": fingerprint(output)}
    (output / BUILT).write_text(json.dumps(fingerprints, indent=2) + "\n", encoding="utf-8")


def built(output: Path) -> dict[str, str]:
    """Return the fingerprints in ``output``: "sources" and "output"."""
    match: dict[str, str] = json.loads((output / BUILT).read_text(encoding="utf-8"))
    return match
