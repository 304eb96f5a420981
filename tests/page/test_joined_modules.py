"""Modules become one script that does the same, or are refused by name."""

import shutil
import subprocess
from pathlib import Path

import pytest

from posenc_lessons.joined_modules import as_script
from posenc_lessons.language import BilingualValueError

MAIN = """\
import { add, two as deux } from "./sums.js";
import * as all from "./sums.js";
import { NAME } from "./made.js";
console.log(NAME, add(deux, all.two), new all.Three().value);
"""
SUMS = """\
export const two = 2;
export function add(a, b) {
  return a + b;
}
const hidden = "import { x } from y";
export class Three {
  value = hidden.length;
}
"""
MODULES = {"main.js": MAIN, "sums.js": SUMS}


def folder_of(tmp_path: Path, modules: dict[str, str]) -> Path:
    for name, source in modules.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    return tmp_path


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
def test_the_script_does_what_the_modules_do(tmp_path: Path) -> None:
    script = as_script("main.js", [folder_of(tmp_path, MODULES)], {"made.js": 'export const NAME = "sum";\n'})
    assert script.count("const two = 2") == 1  # each module once
    ran = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True)
    assert ran.stdout == "sum 4 19\n"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('import two from "./sums.js";\n', "import two"),
        ("export default 3;\n", "export default"),
        ("export let changing = 1;\n", "export let"),
        ("const where = import.meta.url;\n", "import.meta"),
        ('import { x } from "./main.js";\n', "circle"),
        ('import { x } from "./nobody.js";\n', "no such file"),
    ],
)
def test_an_unsupported_import_or_export_is_refused_by_name(source: str, said: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {**MODULES, "main.js": source})
    with pytest.raises(BilingualValueError, match=r"\.js: .*" + said.replace(".", r"\.")):
        as_script("main.js", [folder])
