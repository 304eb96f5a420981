"""Rotary embedding past its training: wavelengths before and after, angles seen and never seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from posenc_lessons.figures.colors import BLUE, CYCLE, INK, MUTED, ORANGE, VERMILLION
from posenc_lessons.figures.sinusoidal_table import PAIR, WAVELENGTH
from posenc_lessons.figures.style import PX, Picture, new_picture, styled
from posenc_lessons.language import Text, joined

STRETCH = Text("波长变成几倍", "wavelength, times what it was")
NO_TURN = Text("转不满一圈", "no full turn")
BEFORE = Text("原来", "before")
DIAL = 76  # CSS pixels for one dial
MARKS = ("o", "s", "^", "D", "v", "P")


@styled()
def stretched_wavelengths_figure(
    before: np.ndarray,
    after: Mapping[Text, np.ndarray],
    trained: int,
) -> Picture:
    """Wavelengths of the pairs [d/2] before and ``after`` {method: [d/2]}; right, how many times longer.

    A dashed line marks the ``trained`` length: a pair above it never came full circle in training.
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
    left.legend(loc="upper left", fontsize=11.5 * PX)
    return picture


@dataclass(frozen=True)
class Dials:
    """Pairs that turn at ``frequencies`` [d/2], radians per position, over distances below ``length``."""

    name: Text
    frequencies: np.ndarray
    length: int


@styled()
def seen_angles_figure(trained: Dials, now: Sequence[Dials], pairs: Sequence[int]) -> Picture:
    """A row of dials, one for each of ``pairs``, for the training and for each of ``now``.

    Blue: the angles that distances in training gave. Orange: those that distances now give and training
    never did. The arc is the way from distance 0 to the longest, the whole circle after one turn.
    """
    rows = [trained, *now]
    picture = new_picture(
        DIAL * len(pairs) + 150,
        (DIAL + 10) * len(rows) + 40,
        alt=_dials_alt(trained, now, pairs),
        nrows=len(rows),
        ncols=len(pairs),
    )
    for cell, axes in enumerate(list(picture.axes)):
        row, column = divmod(cell, len(pairs))
        _dial(axes, _swept(trained, pairs[column]), _swept(rows[row], pairs[column]))
        if row == 0:
            axes.set_title(f"$i$ = {pairs[column]}", fontsize=13 * PX)
        if column == 0:
            words = rows[row].name.show(between="\n")
            axes.set_ylabel(words, rotation=0, ha="right", va="center", fontsize=12.5 * PX)
    return picture


def _swept(dials: Dials, pair: int) -> float:
    return dials.length * float(dials.frequencies[pair])


def _is_new(seen: float, now: float) -> bool:
    """Whether 0 … ``now`` radians has angles of the circle that 0 … ``seen`` has not."""
    return min(now, 2 * np.pi) > min(seen, 2 * np.pi) + 1e-9


def _dials_alt(trained: Dials, now: Sequence[Dials], pairs: Sequence[int]) -> Text:
    news = [(dials.name, sum(_is_new(_swept(trained, i), _swept(dials, i)) for i in pairs)) for dials in now]
    zh = "；".join(f"{name.zh}：{n} 对遇到没见过的角度" for name, n in news)
    en = "; ".join(f"{name.en}: {n} meet angles never seen" for name, n in news)
    return Text(
        f"{len(pairs)} 对的表盘，训练长度 {trained.length}。{zh}。",
        f"Dials of {len(pairs)} pairs, trained on length {trained.length}. {en}.",
    )


def _dial(axes: Axes, seen: float, now: float) -> None:
    axes.add_patch(Circle((0, 0), 1, facecolor="white", edgecolor=MUTED, linewidth=1.1 * PX))
    _sector(axes, 0, min(seen, 2 * np.pi), BLUE, 0.22)
    if _is_new(seen, now):
        _sector(axes, seen, min(now, 2 * np.pi), ORANGE, 0.75)
    sweep = np.linspace(0, min(now, 2 * np.pi), 100)
    color = VERMILLION if _is_new(seen, now) else BLUE
    axes.plot(0.62 * np.cos(sweep), 0.62 * np.sin(sweep), color=color, linewidth=2 * PX)
    axes.plot([0, 1], [0, 0], color=INK, linewidth=1.4 * PX)
    axes.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(False)
    axes.spines[:].set_visible(False)


def _sector(axes: Axes, start: float, end: float, color: str, alpha: float) -> None:
    sweep = np.linspace(start, end, 100)
    axes.fill(np.append(np.cos(sweep), 0), np.append(np.sin(sweep), 0), color=color, alpha=alpha, linewidth=0)
