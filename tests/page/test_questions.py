"""A panel's questions while it waits for an answer: only the newest of each value, all others in order."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from posenc_lessons.browser.build import PANEL
from posenc_lessons.joined_modules import as_script

# Makes all calls in ``DEEDS`` at once, answers one after another, and prints the questions asked.
ENTRY = """\
import { Questions } from "./questions.js";
const asked = [];
const put = (call, args) => new Promise((done) => setTimeout(() => done(asked.push([call, ...args]) && {})));
const questions = new Questions(put, () => {}, () => {});
if (OPEN) questions.begin("view");
for (const [deed, ...rest] of DEEDS) questions[deed](...rest);
if (!OPEN) questions.begin("view");
const idle = () => !questions.underWay && !questions.waiting.length && !questions.aside;
const wait = () => (idle() ? console.log(JSON.stringify(asked)) : setTimeout(wait));
wait();
"""


def place(x: int, kind: str) -> dict[str, Any]:
    return {"panel": "p", "x": x, "y": 0, "kind": kind}


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
@pytest.mark.parametrize(
    ("deeds", "asked"),
    [
        ([["set", "m", 1], ["set", "m", 2], ["set", "m", 3]], [["set", "m", 3]]),
        ([["set", "m", 1], ["set", "n", 2], ["set", "m", 3]], [["restore", {"m": 3, "n": 2}]]),
        ([["set", "m", 1], ["ask", "reset"], ["set", "m", 3]], [["set", "m", 1], ["reset"], ["set", "m", 3]]),
        (
            [["point", place(1, "press")], ["point", place(2, "drag")], ["point", place(3, "drag")]],
            [["point", "p", 1, 0, "press"], ["point", "p", 3, 0, "drag"]],
        ),
        ([["point", place(1, "hover")], ["point", place(2, "leave")]], [["point", "p", 2, 0, "leave"]]),
        ([["set", "m", 1], ["clear"], ["ask", "follow_try", 2]], [["follow_try", 2]]),
        (
            [["askAside", "number", 1], ["askAside", "number", 2], ["set", "m", 1]],
            [["set", "m", 1], ["number", 2]],
        ),
    ],
)
@pytest.mark.parametrize("is_open", [True, False])
def test_values_set_before_an_answer_are_asked_for_once_and_in_order(
    deeds: list[list[Any]], asked: list[list[Any]], is_open: bool, tmp_path: Path
) -> None:
    made = f"const OPEN = {json.dumps(is_open)}, DEEDS = {json.dumps(deeds)};\n"
    (tmp_path / "main.js").write_text(ENTRY, encoding="utf-8")
    script = made + as_script("main.js", (tmp_path, PANEL))
    ran = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == [["view"], *asked]
