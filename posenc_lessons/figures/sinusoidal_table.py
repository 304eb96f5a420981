"""The sinusoidal table: its wavelengths, the similarity of its rows, and its rounding errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from posenc_lessons.figures.axis_names import DISTANCE_K, POSITION
from posenc_lessons.figures.colors import BLUE, GREEN, INK, MUTED, ORANGE, VERMILLION, YELLOW
from posenc_lessons.figures.line_names import names_above, names_in
from posenc_lessons.figures.style import DIVERGING, PX, Picture, new_picture, styled
from posenc_lessons.language import Text, joined

PAIR = Text("第 $i$ 对", "pair $i$")
WAVELENGTH = Text("波长（位置数，对数轴）", "wavelength in positions (log axis)")
ERROR_COLORS = (VERMILLION, ORANGE, BLUE, GREEN)
NOTHING = 1e-10  # smaller errors are not drawn: a log axis has no zero


@styled()
def binary_counter_figure(bits: np.ndarray, waves: np.ndarray) -> Picture:
    """Draw ``bits`` [length, n] of 0 and 1 beside ``waves`` [length, d_model] from −1 to 1."""
    length = len(bits)
    picture = new_picture(
        560,
        84 + 20 * length,
        alt=Text(
            f"左边是位置 0 到 {length - 1} 的二进制数字，右边是同样位置的正弦编码：都是左列变得快、"
            "右列变得慢。",
            f"Left, positions 0 to {length - 1} in binary digits; right, their sinusoidal codes: "
            "in both, the left columns change fast and the right ones slowly.",
        ),
        ncols=2,
        width_ratios=[bits.shape[1], waves.shape[1]],
    )
    left, right = picture.axes
    _cells(left, 2.0 * bits - 1, Text("二进制：开关跳来跳去", "binary: switches that jump"))
    smooth = Text("正弦：同样由快到慢，但平滑", "sinusoidal: fast to slow too, but smooth")
    _cells(right, waves, smooth)
    for (row, column), bit in np.ndenumerate(bits):
        left.text(column, row, str(bit), ha="center", va="center", fontsize=12 * PX, color="white")
    left.set_ylabel(POSITION.show())
    return picture


def _cells(axes: Axes, values: np.ndarray, title: Text) -> None:
    axes.imshow(values, cmap=DIVERGING, vmin=-1.3, vmax=1.3)
    axes.set_title(title.show(between="\n"), fontsize=14 * PX)
    axes.set_xlabel(Text("快 → 慢", "fast → slow").show(), color=MUTED)
    axes.set_xticks([])
    axes.set_yticks(range(len(values)))


@styled()
def wavelengths_figure(wavelengths: np.ndarray, length: int, shown: tuple[int, ...]) -> Picture:
    """Draw sin(2πp/λ_i) for pairs i in ``shown`` over ``length`` positions, and all λ_i [d_model/2].

    Waves without a full cycle within ``length`` have another colour.
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
    colors = [BLUE if wavelengths[pair] <= length else ORANGE for pair in shown]
    _stacked_waves(
        left, positions, {i: np.sin(2 * np.pi * positions / wavelengths[i]) for i in shown}, colors
    )
    left.set_xlabel(POSITION.show())
    left.set_title(Text("几列正弦", "a few of the sine columns").show(between="\n"))

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
    right.set_title(Text("每一对的波长", "the wavelength of every pair").show(between="\n"))
    right.tick_params(axis="y", which="minor", color=MUTED)
    return picture


@styled()
def similarity_terms_figure(
    offsets: np.ndarray,
    terms: Mapping[int, np.ndarray],
    measured: Mapping[int, np.ndarray],
) -> Picture:
    """Draw ``terms`` {i: cos(kθ_i)} and ``measured`` {p: PE(p)·PE(p+k)}, each [n] over ``offsets`` [n].

    The measured curves go from wide and pale to thin and dark, so that all can be seen even if they agree.
    """
    starts = ", ".join(map(str, measured))
    picture = new_picture(
        620,
        250,
        alt=Text(
            f"左：几个频率不同的余弦，只在 k = 0 处同时到顶。右：从位置 {starts} 量出的点积完全重合，"
            "左右对称。",
            "Left, cosines of several frequencies that all peak together only at k = 0. "
            f"Right, the dot product measured from positions {starts}: the curves coincide and are "
            "symmetric.",
        ),
        ncols=2,
        width_ratios=[1, 1.15],
    )
    left, right = picture.axes
    _stacked_waves(left, offsets, terms, [BLUE] * len(terms))
    left.axvline(0, color=VERMILLION, linewidth=1.2 * PX, linestyle=(0, (4, 3)))
    left.set_xlabel(DISTANCE_K.show())
    left.set_title(Text(r"几个 $\cos(k\theta_i)$", r"a few of the $\cos(k\theta_i)$").show(between="\n"))

    looks = ((11, YELLOW), (5, BLUE), (1.4, INK), (1.0, VERMILLION))
    for (start, products), (width, color) in zip(measured.items(), looks, strict=False):
        right.plot(offsets, products, color=color, linewidth=width * PX, label=f"$p$ = {start}")
    right.axhline(0, color=MUTED, linewidth=0.8 * PX)
    right.set(
        xlim=(offsets[0], offsets[-1]), xlabel=DISTANCE_K.show(), ylabel=Text("点积", "dot product").show()
    )
    right.set_title(Text("从三个位置量出的点积", "measured from three positions").show(between="\n"))
    names_in(right, "upper right")
    return picture


def _stacked_waves(
    axes: Axes, at: np.ndarray, waves: Mapping[int, np.ndarray], colors: Sequence[str]
) -> None:
    """Draw ``waves`` {i: from −1 to 1, [n]} over ``at`` [n] below one another, each with its pair i."""
    for row, (wave, color) in enumerate(zip(waves.values(), colors, strict=True)):
        axes.plot(at, 0.42 * wave - row, color=color, linewidth=1.4 * PX)
    axes.set_yticks([-row for row in range(len(waves))], [f"$i$ = {pair}" for pair in waves])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.set_xlim(float(at[0]), float(at[-1]))


@styled()
def float_error_figure(positions: np.ndarray, errors: Mapping[Text, Sequence[float] | np.ndarray]) -> Picture:
    """Draw ``errors`` {how the table was computed: largest error [n]} at ``positions`` [n]."""
    alt = Text("误差随位置变化：{names}。", "Error against position: {names}.")
    picture = new_picture(560, 290, alt=alt.format(names=joined(errors, "；", "; ")))
    (axes,) = picture.axes
    for (name, values), color in zip(errors.items(), ERROR_COLORS, strict=False):
        shown = np.where(np.asarray(values) > NOTHING, values, np.nan)
        axes.loglog(positions, shown, color=color, linewidth=2.2 * PX, label=name.show())
    axes.set_ylim(1e-9, 30)
    axes.set_xlim(float(positions[0]), float(positions[-1]))
    names_above(axes, columns=1)
    axes.axhline(1, color=MUTED, linewidth=0.8 * PX, linestyle=(0, (4, 3)))
    axes.set_xlabel(Text("位置 $p$（对数轴）", "position $p$ (log axis)").show())
    error = Text("一行里最大的误差（对数轴）", "largest error in the row (log axis)")
    axes.set_ylabel(error.show(between="\n"))
    return picture
