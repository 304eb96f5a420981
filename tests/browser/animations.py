"""Film the explorers for images/README.md: ``python -m tests.browser.animations [NAME …]``.

It sets each explorer, in the explorers' page and both languages, step by step as its entry of ``ANIMATIONS``
says. images/NAME.LANGUAGE.webp plays this in a loop. images/NAME.LANGUAGE.still.webp is its most telling
frame, for readers who want no motion.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from posenc_lessons.browser.explore import page_folder
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import Choice
from posenc_lessons.figures.style import with_palette
from posenc_lessons.language import Language, Text
from tests.support.pages import chromium
from tests.support.site import Visit, serving

IMAGES = Path(__file__).parents[2] / "images"
LANGUAGES: tuple[Language, ...] = ("zh", "en")
WIDTH, HEIGHT = 900, 700  # CSS pixels of the window; empty space below is cut off
MARGIN = 12  # CSS pixels that stay below the last word or control
FRAME, CHANGE = 100, 300  # milliseconds: a frame, and the length of a change in which rows slide

# Words about the page itself, and what most readers leave folded.
LEFT_OUT = "header, .strip, .actions { display: none !important }"
# The clock of moving pictures. It stops between two frames while an explorer is filmed.
CLOCK = """
window.pictureTime = null;
window.nextFrame = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (draw) => nextFrame((now) => draw(window.pictureTime ?? now));
"""
RUN, STOP = "() => { pictureTime = null; }", "() => { pictureTime = performance.now(); }"
SET = """([id, value]) => {
  const control = document.getElementById(id);
  const property = { checkbox: "checked", "select-one": "selectedIndex" }[control.type] ?? "value";
  control[property] = value;
  for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind));
}"""
LOWEST = """() => Math.max(
  ...[...document.querySelectorAll(".control, .present canvas, .present .reading")]
    .filter((element) => element.checkVisibility())
    .map((element) => element.getBoundingClientRect().bottom),
)"""


@dataclass(frozen=True)
class Step:
    """Values of controls, by name, and for how many milliseconds the result is shown.

    ``slides``: rows and columns change places, which the page shows as a movement.
    """

    values: Mapping[str, Any]
    shown: int = FRAME
    slides: bool = False


def along(name: str, values: Iterable[Any], shown: int = FRAME) -> tuple[Step, ...]:
    return tuple(Step({name: value}, shown) for value in values)


def there_and_back(
    name: str, start: Mapping[str, Any], values: range, shown: int = FRAME
) -> tuple[Step, ...]:
    """Move the slider ``name`` from one end to the other, wait, and go back in a quarter of the steps."""
    begin, end = Step({**start, name: values[0]}, 600), Step({name: values[-1]}, 1200)
    return (begin, *along(name, values[1:-1], shown), end, *along(name, values[-4:0:-4]))


POSITIONS, KEYS = range(8, 113, 8), range(0, 16, 3)
TOGETHER, FAR = range(7, 30, 2), range(11, 34, 2)
# By explorer, the number of the step that the still shows, and the steps, beginning with the start.
ANIMATIONS: dict[str, tuple[int, tuple[Step, ...]]] = {
    # Two words change places: attention moves with them, but with an encoding it does not.
    "shuffle": (
        1,
        (
            Step({"order": "1 2 3"}, 600),
            Step({"order": "3 2 1"}, 1200, slides=True),
            Step({"encoding": "sinusoidal"}, 1200),
            Step({"order": "1 2 3"}, 700, slides=True),
            Step({"encoding": "none"}, 300),
        ),
    ),
    # The cursor moves through the table: the curve of similarity keeps its shape.
    "sinusoid": (
        5,
        (Step({"position": 8}, 400), *along("position", [*POSITIONS[1:], *POSITIONS[-2:0:-1]])),
    ),
    "learned": (10, there_and_back("step", {}, range(0, 161, 16), 200)),
    # What four encodings make of the distance of one query from each key.
    "distance": (
        13,
        (
            Step({"len_q": 16, "len_k": 16, "query": 8, "key": 0}, 400),
            *along("key", KEYS[1:]),
            *(
                step
                for kind, way in (("shaw", KEYS[::-1]), ("t5", KEYS), ("alibi", KEYS[::-1]))
                for step in (Step({"kind": kind}, 600), *along("key", way[1:]))
            ),
            Step({"kind": "signed"}, 200),
        ),
    ),
    # Query and key move together: the score stays. One of them moves: the score follows the distance.
    "rotation": (
        5,
        (
            Step({"m": 5, "n": 9, "pair": 3, "locked": True}, 600),
            *along("m", TOGETHER),
            Step({"locked": False}, 600),
            *along("m", [*TOGETHER[-2::-1], 5]),
            *along("n", [*FAR[-2::-1], 9]),
            Step({"locked": True}, 200),
        ),
    ),
    "gate": (4, there_and_back("query", {"key": 0}, range(4, 28, 4), 500)),
    "attention": (10, there_and_back("step", {}, range(1, 12), 300)),
    # Ghosts light up, one after the other.
    "race": (
        1,
        (
            Step({"task": "copy_back"}, 600),
            *along("highlight", ("control", "learned", "alibi", "t5"), 900),
            Step({"highlight": ""}, 300),
        ),
    ),
    # The text grows: there are angles that training never had. Slowed down as by YaRN, there are none.
    "stretch": (
        16,
        (
            Step({"method": "none", "factor": 1}, 600),
            *along("factor", range(2, 17)),
            Step({"factor": 16}, 900),
            Step({"method": "yarn"}, 1200),
            *along("factor", range(13, 0, -3)),
        ),
    ),
    # One batch with several layouts, ways of counting and masks; wrong results are dark.
    "batch": (
        4,
        (
            Step({"arrangement": "left", "encoding": "learned", "counted": "own", "hide": True}, 600),
            Step({"counted": "column"}, 900),
            Step({"encoding": "rotary"}, 900),
            Step({"counted": "own", "arrangement": "packed"}, 600),
            Step({"hide": False}, 1000),
            Step({"hide": True}, 400),
            Step({"arrangement": "right"}, 500),
            Step({"arrangement": "left"}, 300),
        ),
    ),
    # Up the layers of Gemma 3, then Gemma 4, Llama 4 and gpt-oss.
    "spectrum": (
        12,
        (
            Step({"model": "gemma3", "layer": 0}, 600),
            *along("layer", range(1, 12)),
            Step({"model": "gemma4", "layer": 5}, 1200),
            Step({"model": "llama4", "layer": 3}, 900),
            Step({"layer": 4}, 800),
            Step({"model": "gpt_oss", "layer": 1}, 1200),
        ),
    ),
    # A patch is dragged through a picture numbered by rows, then with two coordinates, whose directions turn.
    "grid": (
        9,
        (
            Step({"encoding": "raster", "row": 3, "column": 1}, 600),
            *along("column", range(2, 8)),
            Step({"encoding": "axial"}, 900),
            *along("row", range(4, 6)),
            Step({"side": 16, "row": 7, "column": 7}, 800),
            Step({"encoding": "mixed", "direction": 0}, 700),
            *along("direction", range(6, 49, 6)),
            *along("spread", range(10, 91, 10)),
        ),
    ),
}


class Recorder:
    """Films an explorer in the page; ``explorer`` is its twin in this process."""

    def __init__(self, visit: Visit, explorer: Explorer, language: Language) -> None:
        self.visit, self.explorer, self.language, self.lowest = visit, explorer, language, 0.0

    def record(self) -> tuple[list[Image.Image], list[int], Image.Image]:
        """Return every frame, how many milliseconds each is shown, and the still; all of one size."""
        telling_step, steps = ANIMATIONS[self.explorer.name]
        self.visit.page.evaluate(RUN)
        self.visit.show(type(self.explorer))
        self.visit.page.evaluate("() => document.fonts.ready.then(() => null)")
        self.visit.page.evaluate(STOP)
        frames: list[Image.Image] = []
        shown: list[int] = []
        for number, step in enumerate(steps):
            for picture, milliseconds in self.pictures_of(step):
                if frames and np.array_equal(np.asarray(frames[-1]), np.asarray(picture)):
                    shown[-1] += milliseconds
                else:
                    frames.append(picture)
                    shown.append(milliseconds)
            if number == telling_step:
                telling = len(frames) - 1
        cut = (0, 0, frames[0].width, round(self.lowest + MARGIN))
        frames = with_one_palette([frame.crop(cut) for frame in frames])
        return frames, shown, frames[telling]

    def pictures_of(self, step: Step) -> Iterator[tuple[Image.Image, int]]:
        """Set the controls; return the pictures with their milliseconds: those of a slide, and the last."""
        for name, value in step.values.items():
            control = self.explorer.controls[name]
            if isinstance(control, Choice):
                value = [option for _, option in control.options].index(value)
            elif isinstance(value, Text):
                value = value.show(self.language)
            self.visit.page.evaluate(SET, [f"{self.explorer.name}-{name}", value])
            self.visit.page.locator("html[data-busy='0']").wait_for()
        on_the_way = CHANGE // FRAME if step.slides else 0
        for _ in range(on_the_way):
            yield self.picture_after(FRAME), FRAME
        yield self.picture_after(CHANGE), step.shown - on_the_way * FRAME

    def picture_after(self, milliseconds: int) -> Image.Image:
        self.visit.page.evaluate("milliseconds => { pictureTime += milliseconds; }", milliseconds)
        for _ in range(2):  # the clock has stopped, so a change does not come to rest
            self.visit.page.evaluate("() => new Promise((done) => nextFrame(() => done()))")
        self.lowest = max(self.lowest, self.visit.page.evaluate(LOWEST))
        return Image.open(io.BytesIO(self.visit.page.screenshot())).convert("RGB")


def with_one_palette(frames: Sequence[Image.Image]) -> list[Image.Image]:
    """Reduce ``frames``, of one size, to 256 colours, which look the same in half the bytes."""
    width, height = frames[0].size
    strip = Image.new("RGB", (width, height * len(frames)))
    for number, frame in enumerate(frames):
        strip.paste(frame, (0, number * height))
    strip = with_palette(strip, 128, 128).convert("RGB")
    return [strip.crop((0, top, width, top + height)) for top in range(0, strip.height, height)]


def save(path: Path, frame: Image.Image, **options: Any) -> None:
    # A higher method takes minutes and saves a tenth.
    frame.save(path, "WEBP", lossless=True, quality=75, method=4, **options)
    print(f"{path}: {path.stat().st_size:,} bytes", flush=True)


def main(names: Sequence[str]) -> None:
    chosen = [kind for kind in EXPLORERS if kind.name in (names or ANIMATIONS)]
    with page_folder() as folder, serving(folder) as address, chromium() as browser:
        for language in LANGUAGES:
            window: dict[str, Any] = {"viewport": {"width": WIDTH, "height": HEIGHT}}
            visit = Visit(browser, address, **window, bypass_csp=True)  # for LEFT_OUT
            visit.page.add_init_script(CLOCK)
            visit.open(f"explorer={chosen[0].name}&lang={language}")
            visit.page.add_style_tag(content=LEFT_OUT)
            for kind in chosen:
                frames, shown, still = Recorder(visit, kind(), language).record()
                later: dict[str, Any] = {"append_images": frames[1:], "duration": shown, "loop": 0}
                # With kmax 0 later frames hold only what changed.
                save(IMAGES / f"{kind.name}.{language}.webp", frames[0], save_all=True, kmax=0, **later)
                save(IMAGES / f"{kind.name}.{language}.still.webp", still)
            visit.close()


if __name__ == "__main__":
    main(sys.argv[1:])
