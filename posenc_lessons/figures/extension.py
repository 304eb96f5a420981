"""Wavelengths of rotary pairs before and after they are stretched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from posenc_lessons.figures.colors import CYCLE, INK, MUTED
from posenc_lessons.figures.line_names import names_in
from posenc_lessons.figures.sinusoidal_table import PAIR, WAVELENGTH
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text, joined

STRETCH = Text("波长变成几倍", "wavelength, times what it was")
NO_TURN = Text("转不满一圈", "no full turn")
BEFORE = Text("原来", "before")
MARKS = ("o", "s", "^", "D", "v", "P")


@styled()
def stretched_wavelengths_figure(
    before: np.ndarray,
    after: Mapping[Text, np.ndarray],
    trained: int,
) -> Picture:
    """Draw the wavelengths of the pairs before [d/2] and ``after`` {method: [d/2]}, and their ratio.

    A dashed line marks the ``trained`` length: a pair above it never made a full circle in training.
    """
    turned = int((before <= trained).sum())
    picture = new_picture(
        740,
        310,
        alt=Text(
            "每一对的波长，拉长前后：{names}。{n} 对里有 {turned} 对在训练的长度 {trained} 之内转完一圈。",
            "The wavelength of each pair before and after: {names}. Of {n} pairs {turned} come full circle "
            "within the trained length {trained}.",
        ).format(names=joined(after), n=len(before), turned=turned, trained=trained),
        ncols=2,
    )
    left, right = picture.axes
    pairs = np.arange(len(before))
    left.semilogy(pairs, before, color=INK, linewidth=2.6 * PX, label=BEFORE.show(between=" / "))
    for (name, wavelengths), color, mark in zip(after.items(), CYCLE, MARKS, strict=False):
        style: dict[str, Any] = {"color": color, "marker": mark, "markersize": 4.5 * PX}
        left.semilogy(pairs, wavelengths, linewidth=1.6 * PX, label=name.show(between=" / "), **style)
        right.plot(pairs, wavelengths / before, linewidth=1.6 * PX, **style)
    left.axhline(trained, color=MUTED, linewidth=1.4 * PX, linestyle=(0, (4, 3)))
    small: dict[str, Any] = {"color": MUTED, "ha": "right", "fontsize": 12 * PX}
    left.text(pairs[-1], trained * 0.8, f"$L$ = {trained}", va="top", **small)
    if 0 < turned < len(before):
        right.axvline(turned - 0.5, color=MUTED, linewidth=1.4 * PX, linestyle=(0, (4, 3)))
        top = float(max((wavelengths / before).max() for wavelengths in after.values()))
        words = NO_TURN.show(between="\n")
        right.text(pairs[-1], 1 + (top - 1) * 0.06, words, va="bottom", **small)
    left.set(xlabel=PAIR.show(), ylabel=WAVELENGTH.show(between="\n"))
    right.set(xlabel=PAIR.show(), ylabel=STRETCH.show(between="\n"))
    names_in(left, "upper left")
    return picture
