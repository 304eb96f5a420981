"""The pictures of ``images/``. ``make images`` writes them: ``python -m posenc_lessons.figures.images``.

To add a picture, add a line to ``IMAGES``: a name, and a function that returns it. Its files are
``name.zh.png`` and ``name.en.png``; a document has to show them.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from posenc_lessons.figures.four_doors import four_doors_figure
from posenc_lessons.figures.matrix_chain import Step, matrix_chain_figure
from posenc_lessons.figures.style import Picture
from posenc_lessons.language import Language, Text, shown_in

POSITIONS = np.arange(5)
DISTANCES = POSITIONS - POSITIONS[:, None]  # n − m: a row for each query

IMAGES: dict[str, Callable[[], Picture]] = {
    "four_doors": four_doors_figure,
    "relative_distance": lambda: matrix_chain_figure(
        [
            Step("$n-m$", Text("相对位置", "relative position"), DISTANCES, digits=0),
            Step(
                "$\\mathrm{clip}(n-m)$",
                Text("截断到 ±2", "clipped to ±2"),
                DISTANCES.clip(-2, 2),
                "clip",
                digits=0,
            ),
            Step("$r$", Text("表的行号", "row of the table"), DISTANCES.clip(-2, 2) + 2, "+ K", digits=0),
        ]
    ),
}
SUFFIXES: dict[Language, str] = {"zh": ".zh.png", "en": ".en.png"}
FOLDER = Path(__file__).parents[2] / "images"


def write_images(folder: Path = FOLDER) -> list[Path]:
    """Write every picture in each language to ``folder``; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, figure in IMAGES.items():
        for language, suffix in SUFFIXES.items():
            path = folder / f"{name}{suffix}"
            with shown_in(language):
                path.write_bytes(figure().png())
            written.append(path)
    return written


if __name__ == "__main__":
    for path in write_images(*map(Path, sys.argv[1:2])):
        print(f"{path}: {path.stat().st_size:,} bytes")
