"""The course's formulas on one sheet, each at its door."""

from __future__ import annotations

from posenc_lessons.figures.colors import INK, MUTED, PAPER
from posenc_lessons.figures.four_doors import DOORS
from posenc_lessons.figures.shapes import box, mixed, write
from posenc_lessons.figures.style import Picture, new_drawing, styled
from posenc_lessons.language import Text

WIDTH, ROW = 860, 54
ATTENTION = Text("注意力", "attention")
FORMULAS: tuple[tuple[int, Text, str, str], ...] = (  # door, name, formula, lesson; by doors
    (0, ATTENTION, r"$\sum_n\ \mathrm{softmax}_n(q_m\cdot k_n/\sqrt{d})\ v_n$", "01"),
    (1, Text("正弦", "sinusoidal"), r"$p_{m,2i}=\sin m\theta_i,\ \ p_{m,2i+1}=\cos m\theta_i$", "02"),
    (1, Text("可学习", "learned"), r"$p_m=E[m]$", "03"),
    (2, Text("RoPE", "RoPE"), r"$(R_m q)\cdot(R_n k)=q^{\top}R_{n-m}\,k$", "05"),
    (3, Text("Shaw 的键", "Shaw keys"), r"$q_m\cdot a_{\mathrm{clip}(n-m,\,k)}$", "04"),
    (3, Text("T5", "T5"), r"$b_{\mathrm{bucket}(n-m)}$", "04"),
    (3, Text("ALiBi", "ALiBi"), r"$-s_h\,|n-m|$", "04"),
    (3, Text("CoPE", "CoPE"), r"$q_m\cdot e[p_{mn}],\ \ p_{mn}=\sum_{t=n}^{m}\sigma(q_m\cdot k_t)$", "06"),
    (4, Text("Shaw 的值", "Shaw values"), r"$\sum_n a_{mn}\,(v_n+c_{\mathrm{clip}(n-m,\,k)})$", "04"),
)
FREQUENCIES = r"$\theta_i = b^{-2i/d},\ \ b = 10000$"


@styled()
def formula_sheet_figure() -> Picture:
    """Draw every encoding's formula in the course's letters, in the colour of its door, with its lesson."""
    alt = Text(
        "公式表：每种位置编码的公式，所在的门和课。", "Formula sheet: each encoding, its door and lesson."
    )
    picture = new_drawing(WIDTH, ROW * len(FORMULAS) + 52, alt)
    (axes,) = picture.axes
    colors = {0: INK} | {door.number: door.color for door in DOORS}
    for row, (door, name, formula, lesson) in enumerate(FORMULAS):
        y, color = 30 + ROW * row, colors[door]
        box(axes, (10, y - 24), (WIDTH - 20, 48), mixed(color, 0.07) if door else PAPER, mixed(color, 0.5))
        if door:
            write(axes, 60, y, Text(f"门 {door}", f"door {door}").show(), 12, color)
        write(axes, 210, y, name.show(), 13)
        write(axes, 530, y, formula, 15)
        write(axes, WIDTH - 44, y, lesson, 12, MUTED)
    write(axes, WIDTH / 2, ROW * len(FORMULAS) + 28, FREQUENCIES, 14, MUTED)
    return picture
