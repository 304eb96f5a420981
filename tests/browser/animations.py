"""Film the explorers for the READMEs: ``python -m tests.browser.animations [NAME …]``.

It sets each explorer, in the explorers' page and both languages, step by step as its entry of ``ANIMATIONS``
says. images/NAME.LANGUAGE.webp plays this in a loop. images/NAME.LANGUAGE.still.webp is its most telling
frame, for readers who want no motion. Both files stay if only the smoothing of letters differs.
"""

from __future__ import annotations

import io
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageSequence

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
SHARPNESS = 1.0  # pixels for each CSS pixel
BLOCK, NOISE = 16, 18  # pixels of a block; difference of its mean colour that is no change

# Words about the page itself, and what most readers leave folded.
LEFT_OUT = "header, .strip, .actions, .files, .note, details { display: none !important }"
# The clock of moving pictures. It stops between two frames while an explorer is filmed. Before that it runs;
# otherwise the picture of the previous tab would never fade out.
CLOCK = """
window.pictureTime = null;
const nextFrame = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (draw) => nextFrame((now) => draw(window.pictureTime ?? now));
"""
RUN, STOP = "() => { pictureTime = null; }", "() => { pictureTime = performance.now(); }"
SET = """([id, value]) => {
  const control = document.getElementById(id);
  const what = { checkbox: "checked", "select-one": "selectedIndex" }[control.type] ?? "value";
  control[what] = value;
  for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind));
}"""
LOWEST = """() => Math.max(
  ...[...document.querySelectorAll(".control, .present canvas, .reading")]
    .filter((element) => element.checkVisibility())
    .map((element) => element.getBoundingClientRect().bottom),
)"""
FRAME, GLIDE = 100, 300  # milliseconds: a frame during a glide, and the length of a glide


@dataclass(frozen=True)
class Step:
    """Values of controls, by name, and for how many milliseconds the result is shown.

    ``glides``: rows and columns change places, which the page shows as a movement.
    """

    values: Mapping[str, Any]
    shown: int = FRAME
    glides: bool = False


@dataclass(frozen=True)
class Animation:
    """``steps``, beginning with the start, and ``telling``, the step that the still shows."""

    steps: tuple[Step, ...]
    telling: int = 0


def along(name: str, values: Iterable[Any], shown: int = FRAME) -> tuple[Step, ...]:
    return tuple(Step({name: value}, shown) for value in values)


def there_and_back(
    explorer: Explorer, name: str, start: Mapping[str, Any], shown: int = FRAME, telling: int | None = None
) -> Animation:
    """Move the slider ``name`` from one end to the other, wait, and go back in a quarter of the steps.

    The still shows step ``telling``, the other end when None.
    """
    slider = explorer.controls[name]
    values = range(slider.min, slider.max + 1, slider.step)
    there = along(name, values[1:-1], shown)
    back = along(name, values[-4:0:-4])
    steps = (Step({**start, name: values[0]}, 600), *there, Step({name: values[-1]}, 1200), *back)
    return Animation(steps, telling=len(there) + 1 if telling is None else telling)


def shuffling(_: Explorer) -> Animation:
    """Exchange two words: attention moves with them, but with an encoding it does not."""
    sentence = Text("小狗追小猫", "the dog bites the man")
    orders = ("1 2 3 4 5", "1 5 2 3 4", "1 5 3 4 2")
    there = [Step({"order": order}, 700, glides=True) for order in orders[1:]]
    back = [Step({"order": order}, 700, glides=True) for order in (orders[1], orders[0])]
    steps = (
        Step({"sentence": sentence, "order": orders[0]}, 600),
        *there,
        Step({"encoding": "sinusoidal"}, 1200),
        *back,
        Step({"encoding": "none"}, 300),
    )
    return Animation(steps, telling=3)


def walking(_: Explorer) -> Animation:
    """Move the cursor through the table: the curve of similarity keeps its shape."""
    positions = range(8, 113, 8)
    start = Step({"position": positions[0]}, 400)
    return Animation((start, *along("position", [*positions[1:], *positions[-2:0:-1]])), telling=5)


def comparing(_: Explorer) -> Animation:
    """Compare what four encodings make of the distance of one query from each key."""
    keys = range(0, 16, 3)
    steps = [Step({"len_q": 16, "len_k": 16, "query": 8, "key": keys[0]}, 400)]
    steps += along("key", keys[1:])
    for kind, way in (("shaw", keys[::-1]), ("t5", keys), ("alibi", keys[::-1])):
        steps += [Step({"kind": kind}, 600), *along("key", way[1:])]
    return Animation((*steps, Step({"kind": "signed"}, 200)), telling=13)


def turning(_: Explorer) -> Animation:
    """Move query and key together: the score stays. Move one of them: the score follows the distance."""
    there, far = range(7, 30, 2), range(11, 34, 2)
    start = {"m": 5, "n": 9, "pair": 3, "locked": True}
    return Animation(
        (
            Step(start, 600),
            *along("m", there),
            Step({"locked": False}, 600),
            *along("m", [*there[-2::-1], 5]),
            *along("n", [*far[-2::-1], 9]),
            Step({"locked": True}, 200),
        ),
        telling=5,
    )


def counting(explorer: Explorer) -> Animation:
    """Move the query through the text: the gates between the first word and the query count sentences."""
    return there_and_back(explorer, "query", {"key": 0}, telling=20)


def learning(explorer: Explorer) -> Animation:
    """Train a table, starting with random numbers."""
    return there_and_back(explorer, "step", {}, 200)


def writing(explorer: Explorer) -> Animation:
    """Let two models write a date, token by token."""
    return there_and_back(explorer, "step", {}, 300)


def racing(explorer: Explorer) -> Animation:
    """Train three encodings: the curves show how far beyond the trained length each one gets."""
    return there_and_back(explorer, "step", {"race": "quick"}, 250)


def stretching(_: Explorer) -> Animation:
    """Let the text grow: there are angles that training never had. Slowed down as by YaRN, there are none."""
    factors = range(1, 17)
    return Animation(
        (
            Step({"method": "none", "factor": 1}, 600),
            *along("factor", factors[1:]),
            Step({"factor": 16}, 900),
            Step({"method": "yarn"}, 1200),
            *along("factor", factors[-4::-3]),
        ),
        telling=16,
    )


def layer_by_layer(_: Explorer) -> Animation:
    """Go up the layers of Gemma 3, then look at Gemma 4, Llama 4 and gpt-oss."""
    return Animation(
        (
            Step({"model": "gemma3", "layer": 0}, 600),
            *along("layer", range(1, 12)),
            Step({"model": "gemma4", "layer": 5}, 1200),
            Step({"model": "llama4", "layer": 3}, 900),
            Step({"layer": 4}, 800),
            Step({"model": "gpt_oss", "layer": 1}, 1200),
        ),
        telling=12,
    )


def batch_positions(_: Explorer) -> Animation:
    """Show one batch with several layouts, ways of counting and masks; wrong results are dark."""
    right = {"layout": "left", "encoding": "learned", "counted": "own", "hide": True}
    return Animation(
        (
            Step(right, 600),
            Step({"counted": "column"}, 900),
            Step({"encoding": "rotary"}, 900),
            Step({"counted": "own", "layout": "packed"}, 600),
            Step({"hide": False}, 1000),
            Step({"hide": True}, 400),
            Step({"layout": "right"}, 500),
            Step({"layout": "left"}, 300),
        ),
        telling=4,
    )


def walking_patches(_: Explorer) -> Animation:
    """Drag a patch through a picture numbered by rows, then with two coordinates, whose directions turn."""
    return Animation(
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
        telling=9,
    )


ANIMATIONS: dict[str, Callable[[Explorer], Animation]] = {
    "shuffle": shuffling,
    "sinusoid": walking,
    "learned": learning,
    "distance": comparing,
    "rotation": turning,
    "gate": counting,
    "attention": writing,
    "race": racing,
    "stretch": stretching,
    "batch": batch_positions,
    "spectrum": layer_by_layer,
    "grid": walking_patches,
}


class Recorder:
    """Films an explorer in the page; ``explorer`` is its twin in this process."""

    def __init__(self, visit: Visit, explorer: Explorer) -> None:
        self.visit, self.explorer, self.lowest = visit, explorer, 0.0

    def record(
        self, planned: Callable[[Explorer], Animation], language: Language
    ) -> tuple[list[Image.Image], list[int], Image.Image]:
        """Return every frame, how many milliseconds each is shown, and the still; all of one size."""
        animation = planned(self.explorer)
        self.visit.page.evaluate(RUN)
        self.visit.page.evaluate("name => document.getElementById(`tab-${name}`).click()", self.explorer.name)
        self.visit.page.locator(f"#panel-{self.explorer.name}[data-live]").wait_for()
        self.visit.page.evaluate("() => document.fonts.ready.then(() => null)")
        self.visit.settle()
        self.visit.page.evaluate(STOP)
        frames: list[Image.Image] = []
        shown: list[int] = []
        for number, step in enumerate(animation.steps):
            self.set(step.values, language)
            for taken, milliseconds in self.shots(step):
                if frames and np.array_equal(np.asarray(frames[-1]), np.asarray(taken)):
                    shown[-1] += milliseconds
                else:
                    frames.append(taken)
                    shown.append(milliseconds)
            if number == animation.telling:
                telling = len(frames) - 1
        cut = (0, 0, frames[0].width, round((self.lowest + MARGIN) * SHARPNESS))
        frames = with_one_palette([frame.crop(cut) for frame in frames])
        return frames, shown, frames[telling]

    def set(self, values: Mapping[str, Any], language: Language) -> None:
        for name, value in values.items():
            widget = self.explorer.controls[name]
            if isinstance(widget, Choice):
                value = [option for _, option in widget.options].index(value)
            elif isinstance(value, Text):
                value = value.show(language)
            self.visit.page.evaluate(SET, [f"{self.explorer.name}-{name}", value])
            self.visit.settle()

    def shots(self, step: Step) -> Iterator[tuple[Image.Image, int]]:
        """Return the pictures of ``step`` with their milliseconds: those of a glide, and the last."""
        left = step.shown
        for _ in range(GLIDE // FRAME if step.glides else 0):
            self.advance(FRAME)
            yield self.shot(), FRAME
            left -= FRAME
        self.advance(GLIDE)
        yield self.shot(), left

    def advance(self, milliseconds: int) -> None:
        self.visit.page.evaluate("milliseconds => { pictureTime += milliseconds; }", milliseconds)
        self.visit.settle()

    def shot(self) -> Image.Image:
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


def as_loop(frames: Sequence[Image.Image], shown: Sequence[int]) -> bytes:
    """Join ``frames`` into an endless loop, each shown for its milliseconds."""
    others = {"save_all": True, "append_images": frames[1:], "duration": list(shown), "loop": 0}
    return as_webp(frames[0], **others, kmax=0)  # later frames hold only what changed


def as_webp(frame: Image.Image, **options: Any) -> bytes:
    buffer = io.BytesIO()
    # A higher value takes minutes and saves a tenth.
    frame.save(buffer, "WEBP", lossless=True, quality=75, method=4, **options)
    return buffer.getvalue()


def frames_of(content: bytes) -> list[tuple[np.ndarray, int]]:
    """Return the frames of a moving picture, [height, width, 3], and how many milliseconds each is shown."""
    with Image.open(io.BytesIO(content)) as image:
        frames = []
        for frame in ImageSequence.Iterator(image):
            pixels = np.asarray(frame.convert("RGB"))
            frames.append((pixels, int(frame.info["duration"])))
        return frames


def show_the_same(before: bytes, now: bytes) -> bool:
    """Return whether two moving pictures show the same frames, up to noise, for the same time."""
    pairs = list(itertools.zip_longest(frames_of(before), frames_of(now)))
    return all(one and other and _alike(*one, *other) for one, other in pairs)


def _alike(one: np.ndarray, shown: int, other: np.ndarray, shown_other: int) -> bool:
    if one.shape != other.shape or shown != shown_other:
        return False
    return bool(np.abs(_blocks(one) - _blocks(other)).max() <= NOISE)


def _blocks(frame: np.ndarray) -> np.ndarray:
    """Return the mean colours of blocks of BLOCK × BLOCK pixels."""
    size = (frame.shape[1] // BLOCK, frame.shape[0] // BLOCK)
    return np.asarray(Image.fromarray(frame).resize(size, Image.Resampling.BOX), dtype=int)


def keep(name: str, moving: bytes, still: bytes) -> None:
    """Write both files, unless the existing ones show the same."""
    paths = [IMAGES / f"{name}{suffix}" for suffix in (".webp", ".still.webp")]
    as_before = all(path.is_file() for path in paths) and show_the_same(paths[0].read_bytes(), moving)
    for path, content in zip(paths, (moving, still), strict=True):
        if not as_before:
            path.write_bytes(content)
        print(f"{path}: {path.stat().st_size:,} bytes{', as before' if as_before else ''}", flush=True)


def main(names: Sequence[str]) -> None:
    chosen = [kind for kind in EXPLORERS if not names or kind.name in names]
    with page_folder() as folder, serving(folder) as address, chromium() as browser:
        for language in LANGUAGES:
            visit = Visit(
                browser,
                address,
                viewport={"width": WIDTH, "height": HEIGHT},
                device_scale_factor=SHARPNESS,
                bypass_csp=True,  # for LEFT_OUT
            )
            visit.page.add_init_script(CLOCK)
            visit.open(f"explorer={chosen[0].name}&lang={language}")
            visit.page.add_style_tag(content=LEFT_OUT)
            for kind in chosen:
                frames, shown, still = Recorder(visit, kind()).record(ANIMATIONS[kind.name], language)
                keep(f"{kind.name}.{language}", as_loop(frames, shown), as_webp(still))
            visit.close()


if __name__ == "__main__":
    main(sys.argv[1:])
