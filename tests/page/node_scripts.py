"""Run a script in Node that imports modules of the explorers' panel."""

import json
import shutil
import subprocess
from base64 import b64decode, b64encode
from typing import Any

import pytest

from posenc_lessons.browser.build import PANEL

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
# ``given`` is what the script gets; it calls ``answer``. Bytes travel as base64.
FRAME = """
const panel = process.argv[1];
const answer = (value) => console.log(JSON.stringify(value, (_, it) =>
    it instanceof Uint8Array ? { base64: Buffer.from(it).toString("base64") } : it));
let text = "";
for await (const part of process.stdin) text += part;
const given = JSON.parse(text, (_, it) =>
    it?.base64 === undefined ? it : Uint8Array.from(Buffer.from(it.base64, "base64")));
"""


def answered(script: str, given: Any) -> Any:
    """Return what ``script`` passes to ``answer``; it finds ``given`` and the address of the ``panel``."""
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", FRAME + script, "--", PANEL.as_uri()],
        input=json.dumps(given, default=lambda content: {"base64": b64encode(content).decode()}),
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout, object_hook=lambda it: b64decode(it["base64"]) if "base64" in it else it)
