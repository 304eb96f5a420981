"""The formulas of the sheets as grey pictures, for painters that cannot typeset mathematics.

``python -m posenc_lessons.figures.formulas`` sets them with Matplotlib and writes ``formulas.npz``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("formulas.npz")
WIDTH, HEIGHT, SHARPNESS = 872, 72, 2  # CSS pixels, and device pixels for each
SIZE = 23  # of the letters, in CSS pixels
LEVELS = 17  # levels of grey; few, so that the file stays small

FORMULAS: dict[str, str] = {
    "01": (
        r"$o_m=\sum_n a_{mn}\,v_n,\qquad"
        r" a_{mn}=\mathrm{softmax}_n(q_m\cdot k_n/\sqrt{d}),\qquad"
        r" f(Px)=P\,f(x)$"
    ),
    "02": r"$p_{m,2i}=\sin m\theta_i,\qquad p_{m,2i+1}=\cos m\theta_i,\qquad\theta_i=b^{-2i/d}$",
    "03": r"$x_m+E[m],\qquad E\in\mathbb{R}^{\,L\times d},\qquad 0\leq m<L$",
    "04": r"$(q_i\cdot k_j+q_i\cdot a_{c})/\sqrt{d},\qquad c=\mathrm{clip}(j-i,\,-k,\,k)+k$",
    "05": (
        r"$(R_m q)\cdot(R_n k)=q^{\top}R_{n-m}\,k,\qquad"
        r" R_m:\ \mathrm{pair}\ i\ \mapsto\ m\theta_i,\qquad"
        r"\theta_i=b^{-2i/d}$"
    ),
    "06": (
        r"$g_{ij}=\sigma(q_i\cdot k_j),\qquad"
        r" p_{ij}=\sum_{t=j}^{i}g_{it},\qquad"
        r" q_i\cdot k_j+q_i\cdot e[p_{ij}]$"
    ),
    "07": (
        r"$\mathrm{softmax}_n\left(\dfrac{q_m\cdot k_n}{\sqrt{d}}+M_{mn}\right)v_n,\qquad"
        r" M_{mn}\in\{0,\,-\infty\}$"
    ),
    "08": (
        r"$\lambda_i=2\pi\,b^{2i/d},\qquad"
        r"\mathrm{PI}:\ \lambda_i\,s,\qquad"
        r"\mathrm{NTK}:\ b\,\to\,b\,s^{\,d/(d-2)}$"
    ),
    "09": r"$\mathrm{position}_t=\sum_{u\leq t}\mathrm{real}_u-1$",
    "10": r"$\mathrm{reach}=1+\sum_{\ell}(w_\ell-1)\leq L$",
    "11": r"$q_1^{\top}R_{\Delta r}\,k_1+q_2^{\top}R_{\Delta c}\,k_2,\qquad \varphi_i=p_{a(i)}\,\theta_i$",
}


@cache
def formula(name: str) -> np.ndarray:
    """Return the formula of that lesson: float32 [rows, columns], 0 paper to 1 ink."""
    with np.load(FILE) as kept:
        return np.asarray(kept[name], dtype=np.float32) / 255


def set_formula(tex: str) -> np.ndarray:
    """Set ``tex`` with Matplotlib: uint8 [rows, columns], 0 paper to 255 ink."""
    import matplotlib as mpl

    from posenc_lessons.figures.style import PX, new_drawing, styled
    from posenc_lessons.language import Text

    with styled(), mpl.rc_context({"mathtext.fontset": "stix"}):
        picture = new_drawing(WIDTH, HEIGHT, Text(tex, tex))
        (axes,) = picture.axes
        axes.text(WIDTH / 2, HEIGHT / 2, tex, fontsize=SIZE * PX, ha="center", va="center", color="black")
        ink = 255 - picture.pixels(SHARPNESS)[..., 0]
        step = 255 / (LEVELS - 1)
        return (np.round(ink / step) * step).astype(np.uint8)


def write(path: Path = FILE) -> None:
    """Write every formula to ``path``."""
    np.savez_compressed(path, **{name: set_formula(tex) for name, tex in FORMULAS.items()})  # type: ignore[arg-type]


if __name__ == "__main__":
    write()
    print(f"{FILE}: {FILE.stat().st_size:,} bytes")
