"""How long each wave of the sinusoidal encoding is, and which ones a sequence is too short to see whole."""

from __future__ import annotations

import numpy as np

from posenc_lessons.figures.colors import BLUE, INK, MUTED, ORANGE, VERMILLION
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text

PAIR = Text("第 $i$ 对", "pair $i$")
POSITION = Text("位置 $p$", "position $p$")
WAVELENGTH = Text("波长（位置数，对数轴）", "wavelength in positions (log axis)")
SOME = Text("几列正弦", "a few of the sine columns")
ALL = Text("每一对的波长", "the wavelength of every pair")


@styled()
def wavelengths_figure(wavelengths: np.ndarray, length: int, shown: tuple[int, ...]) -> Picture:
    """Left, sin(2πp/λ_i) for the pairs i in ``shown`` over ``length`` positions; right, all λ_i [d_model/2].

    Waves longer than ``length`` are drawn in another colour: within the sequence they never come round.
    """
    whole = int((wavelengths <= length).sum())
    picture = new_picture(
        620,
        262,
        alt=Text(
            f"{len(wavelengths)} 对的波长在对数轴上是一条直线；长度 {length} 的序列里，前 {whole} "
            "对能转完一圈。",
            f"On a log axis the wavelengths of the {len(wavelengths)} pairs form a straight line; "
            f"within {length} positions the first {whole} come full circle.",
        ),
        ncols=2,
        width_ratios=[1.1, 1],
    )
    left, right = picture.axes
    positions = np.linspace(0, length, 1600)
    for row, pair in enumerate(shown):
        wave = np.sin(2 * np.pi * positions / wavelengths[pair])
        color = BLUE if wavelengths[pair] <= length else ORANGE
        left.plot(positions, 0.42 * wave - row, color=color, linewidth=1.4 * PX)
    left.set_yticks([-row for row in range(len(shown))], [f"$i$ = {pair}" for pair in shown])
    left.grid(False, axis="y")
    left.spines["left"].set_visible(False)
    left.tick_params(axis="y", length=0)
    left.set(xlim=(0, length), xlabel=POSITION.show())
    left.set_title(SOME.show(between="\n"))

    pairs = np.arange(len(wavelengths))
    short = wavelengths <= length
    right.semilogy(pairs[short], wavelengths[short], color=BLUE, linewidth=3 * PX)
    right.semilogy(pairs[~short], wavelengths[~short], color=ORANGE, linewidth=3 * PX)
    right.axhline(length, color=VERMILLION, linewidth=1.2 * PX, linestyle=(0, (4, 3)))
    right.text(0, length * 1.25, f"$L$ = {length}", color=VERMILLION, fontsize=12 * PX)
    right.plot([0], wavelengths[:1], "o", color=INK, markersize=6 * PX)
    right.plot(pairs[-1:], wavelengths[-1:], "o", color=INK, markersize=6 * PX)
    right.text(6, wavelengths[0] * 0.92, f"{wavelengths[0]:.2f}", va="top", fontsize=12 * PX)
    right.text(pairs[-1] - 4, wavelengths[-1] * 1.1, f"{wavelengths[-1]:.0f}", ha="right", fontsize=12 * PX)
    right.set(xlabel=PAIR.show(), ylabel=WAVELENGTH.show(between="\n"))
    right.set_title(ALL.show(between="\n"))
    right.tick_params(axis="y", which="minor", color=MUTED)
    return picture
