"""Write the repository's owner in place of OWNER: python .github/fill_in_owner.py NAME

Links to the site, badges, Colab and Binder need the name of the GitHub account.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PLACES = re.compile(
    r"(?<=github\.com/)OWNER(?=/)|(?<=/gh/)OWNER(?=/)|(?<=/github/)OWNER(?=/)"
    r"|OWNER(?=\.github\.io)"
)


def main() -> None:
    """Replace the placeholder in every text file that git tracks, and print which files changed."""
    if len(sys.argv) != 2 or not re.fullmatch(r"[A-Za-z0-9-]+", sys.argv[1]):
        sys.exit("usage: python .github/fill_in_owner.py NAME")
    listing = subprocess.run(["git", "grep", "-lI", "OWNER"], capture_output=True, text=True, check=True)
    for path in map(Path, listing.stdout.splitlines()):
        text = path.read_text(encoding="utf-8")
        filled = PLACES.sub(sys.argv[1], text)
        if filled != text:
            path.write_text(filled, encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
