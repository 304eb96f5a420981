"""The sheets as live pictures: the reader's own numbers in the example, to be saved as PNG or SVG.

``python -m posenc_lessons.explorers.sheets`` writes them with the lessons' numbers into ``images/sheets/``,
as PNG and PDF in each language.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from posenc_lessons.explorers import sheet_examples as examples
from posenc_lessons.explorers import sheet_words as words
from posenc_lessons.explorers.base import Complaint, Explorer
from posenc_lessons.explorers.controls import Control, LogSlider, Slider, TextBox
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.sheet import Sheet, Table, sheet_scene
from posenc_lessons.language import Language, Text, shown_in

NUMBERS = re.compile(r"[\s,，;；]+")  # the separators of numbers
SAVE_IT = Text(
    "换上自己的数，再存成 PNG 或 SVG。", "Put in numbers of your own and save the sheet as PNG or SVG."
)
FOLDER = Path(__file__).parents[2] / "images" / "sheets"
LANGUAGES: tuple[Language, ...] = ("zh", "en")


class Numbers(TextBox):
    """A line of ``least`` to ``most`` numbers, with spaces or commas between."""

    def __init__(
        self, label: Text, start: str, least: int, most: int, high: float = 1e6, low: float | None = None
    ) -> None:
        super().__init__(label, start)
        self.least, self.most, self.high, self.low = least, most, high, -high if low is None else low

    def numbers_in(self, typed: str) -> list[float]:
        """Return the numbers in ``typed``; Complaint for other text, or too few or too many numbers."""
        words = [word for word in NUMBERS.split(typed.replace("−", "-")) if word]
        try:
            found = [float(word) for word in words]
        except ValueError as error:
            raise Complaint(
                f"{self.label.zh}：只能写数，中间用空格隔开（输入的内容还在）",
                f"{self.label.en}: only numbers with spaces between them (what you typed is kept)",
            ) from error
        if not self.least <= len(found) <= self.most or not all(self.low <= n <= self.high for n in found):
            count = str(self.most) if self.least == self.most else f"{self.least}–{self.most}"
            raise Complaint(
                f"{self.label.zh}：要 {count} 个数，每个从 {self.low:g} 到 {self.high:g}（输入的内容还在）",
                f"{self.label.en}: {count} numbers, each from {self.low:g} to {self.high:g}"
                " (what you typed is kept)",
            )
        return found


class SheetExplorer(Explorer):
    """The sheet of one lesson. ``SHEETS`` has them by lesson: ``SHEETS["05"]()`` in a cell shows one."""

    saves_still = False  # lessons have many pictures, and this one is also in images/
    sheet: ClassVar[Sheet]
    example: ClassVar[Callable[..., Table]]
    asked: ClassVar[Mapping[str, Callable[[], Control]]]  # the controls, by argument of ``example``

    def make_controls(self) -> dict[str, Control]:
        return {name: make() for name, make in self.asked.items()}

    def compute(self, parameters: Parameters) -> Arrays:
        given = {name: self._given(name, parameters[name]) for name in self.asked}
        return {"table": type(self).example(**given)}

    def _given(self, name: str, value: Any) -> Any:
        control = self.controls[name]
        return control.numbers_in(value) if isinstance(control, Numbers) else value

    def scene(self, parameters: Parameters, arrays: Arrays) -> Scene:
        return sheet_scene(self.sheet, arrays["table"])

    def caption(self, parameters: Parameters, arrays: Arrays) -> Text:
        return SAVE_IT

    def code(self, parameters: Parameters) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
        return f"""\
from posenc_lessons.explorers.sheets import SHEETS

SHEETS["{self.sheet.lesson}"]({given}).still()
"""


def _of(
    sheet: Sheet, example: Callable[..., Table], **asked: Callable[[], Control]
) -> dict[str, type[SheetExplorer]]:
    """Make the explorer of one sheet, under the number of its lesson."""
    sliders = [name for name, make in asked.items() if isinstance(make(), Slider)]
    title = Text(f"带走这一页：{sheet.title.zh}", f"Keep this sheet: {sheet.title.en}")
    members = {
        "name": f"sheet-{sheet.lesson}",
        "title": title,
        "sheet": sheet,
        "example": staticmethod(example),
        "asked": asked,
        "stops": (sliders[0], ()) if sliders else None,  # an exported copy has one still
        "__doc__": f"The sheet of lesson {sheet.lesson}.",
    }
    return {sheet.lesson: type(f"Sheet{sheet.lesson}", (SheetExplorer,), members)}


def _position(zh: str, en: str, start: int) -> Callable[[], Control]:
    return lambda: Slider(Text(zh, en), 0, 200, start)


def _base() -> Control:
    return LogSlider(Text("底数 b", "base b"), 1, 6, 10000.0)


def _numbers(
    zh: str, en: str, start: str, least: int, most: int, high: float, low: float | None = None
) -> Callable[[], Control]:
    return lambda: Numbers(Text(zh, en), start, least, most, high, low)


SHEETS: dict[str, type[SheetExplorer]] = {
    **_of(
        words.ORDER_BLIND,
        examples.attention_by_hand,
        x=_numbers("x：2 到 5 个数", "x: 2 to 5 numbers", "1 0 2", 2, 5, 20),
    ),
    **_of(
        words.SINUSOID,
        examples.sinusoid_by_hand,
        first=_position("第一个位置 m", "first position m", 0),
        base=_base,
    ),
    **_of(
        words.LEARNED,
        examples.stretched_by_hand,
        rows=_numbers("旧表：2 到 5 行", "old table: 2 to 5 rows", "0 2 6", 2, 5, 1000),
        length=lambda: Slider(Text("新的行数", "new number of rows"), 2, 6, 5),
    ),
    **_of(
        words.RELATIVE,
        examples.distances_by_hand,
        length=lambda: Slider(Text("长度 L", "length L"), 2, 6, 5),
        k=lambda: Slider(Text("截断 k", "clip k"), 1, 5, 2),
    ),
    **_of(
        words.ROTARY,
        examples.rotary_by_hand,
        q=_numbers("q：4 个数", "q: 4 numbers", "1 2 3 4", 4, 4, 1000),
        k=_numbers("k：4 个数", "k: 4 numbers", "4 3 2 1", 4, 4, 1000),
        m=_position("查询的位置 m", "query's position m", 3),
        n=_position("键的位置 n", "key's position n", 5),
    ),
    **_of(
        words.COPE,
        examples.gates_by_hand,
        gates=_numbers("门控：2 到 6 个数", "gates: 2 to 6 numbers", "1 0.5 0 0.8", 2, 6, 1, 0),
    ),
    **_of(
        words.MASK,
        examples.mask_by_hand,
        scores=_numbers("4 个分数", "4 scores", "2 1 0 3", 4, 4, 1000),
        visible=_numbers("4 个键：1 看得见，0 藏起来", "4 keys: 1 visible, 0 hidden", "1 1 0 1", 4, 4, 1, 0),
    ),
    **_of(
        words.EXTENSION,
        examples.wavelengths_by_hand,
        base=_base,
        length=lambda: Slider(Text("训练长度 L", "trained length L"), 64, 8192, 2048, step=64),
        factor=lambda: Slider(Text("倍数 s", "factor s"), 1, 32, 4),
    ),
    **_of(
        words.WHOSE,
        examples.positions_by_hand,
        real=_numbers("一行：1 真词元，0 填充", "a row: 1 real, 0 padding", "0 0 1 1 1", 2, 8, 1, 0),
    ),
    **_of(
        words.LAYERS,
        examples.reach_by_hand,
        windows=_numbers(
            "2 到 6 层的窗口，0 看得见全部", "windows of 2 to 6 layers, 0 sees all", "3 3 3 0", 2, 6, 100, 0
        ),
        length=lambda: Slider(Text("文本长度", "length of the text"), 2, 64, 12),
    ),
    **_of(
        words.COORDINATES,
        examples.multimodal_by_hand,
        before=lambda: Slider(Text("前面几个文字词元", "text tokens before"), 1, 3, 3),
        height=lambda: Slider(Text("图片几行", "rows of the image"), 1, 2, 2),
        width=lambda: Slider(Text("图片几列", "columns of the image"), 1, 3, 3),
    ),
}


def files(language: Language) -> dict[str, bytes]:
    """Draw every sheet with the lessons' numbers, as PNG and PDF, by the file's name."""
    made = {}
    with shown_in(language):
        for lesson, explorer in SHEETS.items():
            still = explorer().still()
            pdf = io.BytesIO()
            still.savefig(pdf, format="pdf", metadata={"CreationDate": None})
            made[f"{lesson}.{language}.png"] = still.png()
            made[f"{lesson}.{language}.pdf"] = pdf.getvalue()
    return made


def write(folder: Path = FOLDER) -> list[Path]:
    """Write every sheet in both languages to ``folder``; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for language in LANGUAGES:
        for name, content in files(language).items():
            (folder / name).write_bytes(content)
            written.append(folder / name)
    return written


if __name__ == "__main__":
    for path in write(*map(Path, sys.argv[1:2])):
        print(f"{path}: {path.stat().st_size:,} bytes")
