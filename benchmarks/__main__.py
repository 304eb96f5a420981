"""``make bench``: measure everything and write results.md; ``make bench ARGS=NAME`` measures one."""

import argparse
import datetime
import importlib
import subprocess
from pathlib import Path

from benchmarks.side_by_side import table
from posenc_lessons.experiments.machine import machine as this_machine
from tests.support.pages import find_chromium

HERE = Path(__file__).parent
SECTIONS = ("page", "rotary", "relative", "cope")


def machine() -> str:
    """Return a table of the machine and versions on which the numbers were measured."""
    browser = find_chromium()
    version = "none"
    if browser is not None:
        said = subprocess.run([browser, "--version"], capture_output=True, text=True).stdout
        version = said.strip() or browser
    rows = {"date": datetime.date.today().isoformat(), **this_machine(), "browser": version}
    return "\n".join(table(" | ", rows.items(), (0, 1))).strip()


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(SECTIONS)} (all)")
    names = parser.parse_args().names
    if unknown := sorted(set(names) - set(SECTIONS)):
        parser.error(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(SECTIONS)}")
    sections = []
    for name in names or SECTIONS:
        print(f"measuring {name} …", flush=True)
        sections.append(importlib.import_module(f"benchmarks.{name}").run().strip())
        print(sections[-1], end="\n\n", flush=True)
    if not names:
        introduction = (
            "# Measured\n\nWritten by `make bench`. Times vary with the machine; the ratios are what counts."
        )
        results = HERE / "results.md"
        results.write_text("\n\n".join([introduction, machine(), *sections]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
