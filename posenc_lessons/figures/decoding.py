"""Teacher forcing: the target shifted right by one."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc_lessons.figures.colors import BLUE, MUTED, PAPER, VERMILLION
from posenc_lessons.figures.shapes import arrow, box, mixed, write
from posenc_lessons.figures.style import PX, Picture, new_drawing, styled
from posenc_lessons.language import Text

TOKEN = (58, 30)  # width and height of a token
GAP = 12
LEFT = 190  # room for the names of rows


@styled()
def shifted_target_figure(target: Sequence[str]) -> Picture:
    """Draw teacher forcing: the input is the target after <s>, the wanted output is the target before </s>.

    Under each wanted token stand the tokens that the causal mask lets the model see.
    """
    inputs, answers = ["<s>", *target], [*target, "</s>"]
    step = TOKEN[0] + GAP
    alt = Text(
        f"训练时输入 {' '.join(inputs)}，要的答案是 {' '.join(answers)}：每个位置答下一个词元。",
        f"In training {' '.join(inputs)} goes in and {' '.join(answers)} is wanted: each position answers "
        "with the next token.",
    )
    picture = new_drawing(LEFT + step * len(inputs) + 20, 118 + 20 * len(inputs), alt)
    (axes,) = picture.axes
    rows = (
        (30, Text("要的答案", "answers wanted"), answers, VERMILLION),
        (88, Text("输入", "input"), inputs, BLUE),
    )
    for y, name, tokens, color in rows:
        write(axes, LEFT / 2, y, name.show(), 13)
        for number, token in enumerate(tokens):
            _token(axes, LEFT + step * number, y, token, color)
    for number in range(len(inputs)):
        x = LEFT + step * number + TOKEN[0] / 2
        arrow(axes, (x, 72), (x, 46))
        if number + 1 < len(inputs):  # the wanted output of one place is the input of the next
            ends = [x + TOKEN[0] / 2, x + step - TOKEN[0] / 2]
            axes.plot(ends, [44, 74], linestyle=(0, (2, 3)), color=MUTED, linewidth=1.2 * PX)
    write(axes, LEFT / 2, 124, Text("看得见", "sees").show(), 13)
    for row in range(len(inputs)):
        for column in range(row + 1):
            corner = (LEFT + step * column, 116 + 20 * row)
            face = mixed(BLUE, 0.6 if row == column else 0.25)
            axes.add_patch(Rectangle(corner, TOKEN[0], 14, fc=face, ec="none"))
    return picture


def _token(axes: Axes, x: float, y: float, word: str, color: str) -> None:
    box(axes, (x, y - TOKEN[1] / 2), TOKEN, mixed(color, 0.15), mixed(color, 0.7))
    write(axes, x + TOKEN[0] / 2, y, word, 13, fill=None if word else PAPER)
