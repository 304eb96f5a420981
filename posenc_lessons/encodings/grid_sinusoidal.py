"""Sines and cosines of row and column, side by side.

Sources: learned tables of this form, Dosovitskiy et al. 2020, "An Image is Worth 16x16 Words", appendix D.4;
sinusoids, He et al. 2021, "Masked Autoencoders Are Scalable Vision Learners", arXiv 2111.06377, and its code,
``util/pos_embed.py``.
"""

from torch import Tensor

from posenc_lessons.encodings.arguments import base_above_one, even_width
from posenc_lessons.encodings.doors import PositionEncoding, check_embeddings
from posenc_lessons.encodings.known import computed_once
from posenc_lessons.encodings.sinusoidal import sinusoidal_encoding
from posenc_lessons.language import BilingualValueError


class GridSinusoidal(PositionEncoding):
    """Door 1: add the sinusoidal encodings of row and column, each in its half of the features.

    No parameters, nothing to save, any size. Positions have to be given; those of a picture are
    ``grid_positions(height, width)``, and they need not be whole.

    Args:
        d_model: width of the embeddings, a multiple of 4.
        base: see ``sinusoidal_encoding``.

    >>> GridSinusoidal(d_model=16)(torch.zeros(1, 6, 16), grid_positions(2, 3)).shape  # 2 × 3 patches
    torch.Size([1, 6, 16])
    """

    axes = 2
    needs_positions = True

    def __init__(self, d_model: int, base: float = 10000.0) -> None:
        super().__init__()
        self.d_model, self.base = even_width(d_model), base_above_one(base)
        if self.d_model % 4:
            raise BilingualValueError(
                f"d_model 必须是 4 的倍数，行和列各占一半，每个频率各占一列正弦和一列余弦，收到 {d_model}",
                f"d_model must be a multiple of 4, sines and cosines for row and column; got {d_model}",
            )

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        """Return ``embeddings`` [B, L, d_model] plus the encoding of ``positions`` [L, 2] or [B, L, 2]."""
        check_embeddings(embeddings, positions, self.d_model, self.axes)
        width, kind = self.d_model // 2, embeddings.dtype
        what = ("sinusoids of a grid", self.d_model, self.base, kind)

        def both() -> Tensor:
            by_axis = sinusoidal_encoding(positions, width, self.base, dtype=kind)  # [..., 2, width]
            return by_axis.flatten(-2)

        return embeddings + computed_once(positions, what, both)

    def extra_repr(self) -> str:
        return f"{self.d_model}, base={self.base:g}"
