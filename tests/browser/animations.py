"""Film the rotation explorer for the READMEs: ``python -m tests.browser.animations``.

It sets the explorer, in the explorers' page and both languages, step by step as ``STEPS`` says.
images/rotation.LANGUAGE.webp plays this in a loop. images/rotation.LANGUAGE.still.webp is its most telling
frame, for readers who want no motion.
"""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from posenc_lessons.browser.explore import page_folder
from posenc_lessons.browser.server import Server
from posenc_lessons.explorers import RotationExplorer
from posenc_lessons.figures.style import with_palette
from posenc_lessons.language import Language
from posenc_lessons.serving import LOOPBACK
from tests.support.pages import chromium
from tests.support.site import Visit, running

IMAGES = Path(__file__).parents[2] / "images"
LANGUAGES: tuple[Language, ...] = ("zh", "en")
WIDTH, HEIGHT = 900, 700  # CSS pixels of the window; empty space below is cut off
MARGIN = 12  # CSS pixels that stay below the last word or control
FRAME = 100  # milliseconds

# Words about the page itself, and what most readers leave folded.
LEFT_OUT = "header, .strip, .advice, .actions { display: none !important }"
SET = """([id, value]) => {
  const control = document.getElementById(id);
  const property = control.type === "checkbox" ? "checked" : "value";
  control[property] = value;
  for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind));
}"""
LOWEST = """() => Math.max(
  ...[...document.querySelectorAll(".control, .present canvas, .present .reading")]
    .filter((element) => element.checkVisibility())
    .map((element) => element.getBoundingClientRect().bottom),
)"""


TOGETHER, FAR = range(7, 30, 2), range(11, 34, 2)
TELLING = 5  # the number of the step that the still shows
# The values of controls, by name, and for how many milliseconds the result is shown. Query and key move
# together: the score stays. One of them moves: the score follows the distance.
STEPS: list[tuple[dict[str, Any], int]] = [
    ({"m": 5, "n": 9, "pair": 3, "locked": True}, 600),
    *(({"m": m}, FRAME) for m in TOGETHER),
    ({"locked": False}, 600),
    *(({"m": m}, FRAME) for m in [*TOGETHER[-2::-1], 5]),
    *(({"n": n}, FRAME) for n in [*FAR[-2::-1], 9]),
    ({"locked": True}, 200),
]


def recorded(visit: Visit) -> list[Image.Image]:
    """Return a frame for each step; all of one size."""
    visit.show(RotationExplorer)
    visit.page.evaluate("() => document.fonts.ready.then(() => null)")
    frames, lowest = [], 0.0
    for values, _ in STEPS:
        for name, value in values.items():
            visit.page.evaluate(SET, [f"rotation-{name}", value])
        visit.settle()
        frames.append(Image.open(io.BytesIO(visit.page.screenshot())).convert("RGB"))
        lowest = max(lowest, visit.page.evaluate(LOWEST))
    cut = (0, 0, frames[0].width, round(lowest + MARGIN))
    return with_one_palette([frame.crop(cut) for frame in frames])


def with_one_palette(frames: Sequence[Image.Image]) -> list[Image.Image]:
    """Reduce ``frames``, of one size, to 256 colours, which look the same in half the bytes."""
    strip = Image.fromarray(np.concatenate([np.asarray(frame) for frame in frames]))
    pixels = np.asarray(with_palette(strip, 128, 128).convert("RGB"))
    return [Image.fromarray(frame) for frame in np.split(pixels, len(frames))]


def save(path: Path, frame: Image.Image, **options: Any) -> None:
    # A higher method takes minutes and saves a tenth.
    frame.save(path, "WEBP", lossless=True, quality=75, method=4, **options)
    print(f"{path}: {path.stat().st_size:,} bytes", flush=True)


def main() -> None:
    with page_folder() as folder, running(Server(folder, LOOPBACK, 0)) as address, chromium() as browser:
        for language in LANGUAGES:
            window: dict[str, Any] = {"viewport": {"width": WIDTH, "height": HEIGHT}}
            at_once: dict[str, Any] = {"reduced_motion": "reduce"}  # pictures do not move on their own
            visit = Visit(browser, f"{address}/", **window, **at_once, bypass_csp=True)  # for LEFT_OUT
            visit.open(f"explorer=rotation&lang={language}")
            visit.page.add_style_tag(content=LEFT_OUT)
            frames = recorded(visit)
            shown = [milliseconds for _, milliseconds in STEPS]
            later: dict[str, Any] = {"append_images": frames[1:], "duration": shown, "loop": 0}
            # With kmax 0 later frames hold only what changed.
            save(IMAGES / f"rotation.{language}.webp", frames[0], save_all=True, kmax=0, **later)
            save(IMAGES / f"rotation.{language}.still.webp", frames[TELLING])
            visit.close()


if __name__ == "__main__":
    main()
