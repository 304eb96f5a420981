"""Sines and cosines as positions (Vaswani et al. 2017, "Attention Is All You Need", §3.5)."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import (
    base_above_one,
    even_width,
    float64_device,
    number,
    one_of,
    whole_number,
)
from posenc_lessons.encodings.doors import PositionEncoding, check_embeddings
from posenc_lessons.encodings.known import hides_numbers
from posenc_lessons.encodings.pairing import frequencies_of
from posenc_lessons.encodings.positions import real_positions, summary_of

Order = Literal["interleaved", "halves", "cosines_first"]
ORDERS: tuple[Order, ...] = ("interleaved", "halves", "cosines_first")


def sinusoidal_encoding(
    positions: int | Tensor,
    d_model: int,
    base: float = 10000.0,
    *,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Return the sinusoidal encoding of ``positions``: sines in even columns, cosines in odd ones.

    PE(p, 2i) = sin(p · base^(−2i/d)),  PE(p, 2i+1) = cos(p · base^(−2i/d)),  i = 0 … d/2 − 1.

    Angles, sines and cosines are computed in float64 and rounded once, to ``dtype``. At position 10⁶ the same
    table built in float32 is wrong by 6e-2. (PyTorch itself rounds to float32 on the way to float16 and
    bfloat16: fewer than one number in 10,000 ends at a neighbour that is nearly as close.)

    Args:
        positions: a length n, meaning 0 … n−1, or a tensor of any shape, with fractions and negatives if
            needed.
        d_model: how many columns, even.
        base: sets the longest wave: 2π · base^(1 − 2/d) positions.
        device: the device of the result; None means that of ``positions``.
        dtype: the floating type of the result.

    Returns:
        [n, d_model], or [*positions.shape, d_model] for a tensor.

    Raises:
        ValueError: d_model odd or below 2, base not above 1, n below 1, positions that are bool, complex or
            half precision or not finite.

    >>> sinusoidal_encoding(3, d_model=4)
    tensor([[ 0.0000,  1.0000,  0.0000,  1.0000],
            [ 0.8415,  0.5403,  0.0100,  0.9999],
            [ 0.9093, -0.4161,  0.0200,  0.9998]])
    """
    d_model, base = even_width(d_model), base_above_one(base)
    if device is None and isinstance(positions, Tensor):
        device = positions.device
    device = torch.empty(0, device=device).device
    wide_device = float64_device(device)
    if not isinstance(positions, Tensor):
        positions = torch.arange(whole_number("positions", positions, 1), device=wide_device)
    return _waves(real_positions("positions", positions), d_model, base, device, dtype)


def _waves(positions: Tensor, d_model: int, base: float, device: torch.device, dtype: torch.dtype) -> Tensor:
    """Return ``sinusoidal_encoding`` of checked ``positions`` on a ``device`` that is there."""
    wide_device = float64_device(device)
    frequencies = frequencies_of(d_model, base).to(wide_device)  # [d_model/2], the same as in RoPE
    angles = positions.to(wide_device).to(torch.float64)[..., None] * frequencies  # [..., d_model/2]
    pairs = torch.empty(*angles.shape, 2, device=wide_device, dtype=dtype)  # [..., d_model/2, 2]
    pairs[..., 0], pairs[..., 1] = angles.sin(), angles.cos()  # twice as fast as stacking and then rounding
    return pairs.flatten(-2).to(device)


def shift_matrix(
    offset: float, d_model: int, base: float = 10000.0, *, dtype: torch.dtype = torch.float32
) -> Tensor:
    """Return the matrix M_k [d_model, d_model] that moves every position by k = ``offset``.

    PE(p + k) = M_k · PE(p) for every p. M_k rotates each sine–cosine pair by its own angle, k · base^(−2i/d):

        [ cos kθ   sin kθ ] [ sin pθ ]   [ sin (p+k)θ ]
        [−sin kθ   cos kθ ] [ cos pθ ] = [ cos (p+k)θ ]

    So M_k is a rotation, M_j · M_k = M_{j+k}, and M_{−k} is its inverse. A row of a table is a row vector:
    ``table @ shift_matrix(k, d_model).T`` moves a whole table. ``dtype`` is the floating type of the result.

    Raises:
        ValueError: an ``offset`` that is not a number; otherwise as ``sinusoidal_encoding``.

    >>> table = sinusoidal_encoding(10, d_model=8)
    >>> torch.allclose(table[:-3] @ shift_matrix(3, d_model=8).T, table[3:], atol=1e-6)
    True
    """
    where = torch.tensor(number("offset", offset), dtype=torch.float64)
    waves = sinusoidal_encoding(where, d_model, base, dtype=dtype)  # [d_model]
    sine, cosine = waves[0::2], waves[1::2]
    matrix = torch.zeros(d_model, d_model, device=waves.device, dtype=dtype)
    even = torch.arange(0, d_model, 2, device=waves.device)
    matrix[even, even], matrix[even, even + 1] = cosine, sine
    matrix[even + 1, even], matrix[even + 1, even + 1] = -sine, cosine
    return matrix


class SinusoidalEncoding(PositionEncoding):
    """Door 1: add the sinusoidal encoding to the embeddings.

    ``table`` [max_len, d_model] is a buffer: it follows ``.to(device, dtype)``, and it is neither trained nor
    saved. It stores rows that are computed in advance. Other positions (beyond ``max_len``, negative,
    fractional) are computed on demand, so there is no longest sequence.

    The table depends only on the arguments below and is computed again whenever the module is moved or
    converted: ``.double()`` gives float64's own values instead of widened float32 ones, and ``.bfloat16()``
    followed by ``.float()`` loses nothing.

    Args:
        d_model: width of the embeddings, even.
        max_len: how many rows to store.
        base: see ``sinusoidal_encoding``.
        order: "interleaved" as in the paper; "halves", all sines, then all cosines (Marian, Pegasus,
            M2M-100); "cosines_first", all cosines, then all sines (MusicGen).
        first: the number added to each position; fairseq's models begin at 2.

    >>> encoding = SinusoidalEncoding(d_model=16, max_len=100)
    >>> encoding(torch.zeros(2, 5, 16)).shape  # positions 0 … 4
    torch.Size([2, 5, 16])
    """

    table: Tensor

    def __init__(
        self,
        d_model: int,
        max_len: int = 5000,
        base: float = 10000.0,
        order: Order = "interleaved",
        first: int = 0,
    ) -> None:
        super().__init__()
        self.order: Order = one_of("order", order, ORDERS)
        self.first = whole_number("first", first, 0)
        self.max_len = whole_number("max_len", max_len, 1)
        self.d_model, self.base = even_width(d_model), base_above_one(base)
        default = torch.empty(0)  # of the device and dtype that a parameter made here would have
        self.register_buffer("table", self._exact(default), persistent=False)

    def encode(self, positions: Tensor, dtype: torch.dtype | None = None) -> Tensor:
        """Return the vectors of ``positions``, [*positions.shape, d_model], in ``dtype`` or the table's."""
        dtype = self.table.dtype if dtype is None else dtype
        if dtype == self.table.dtype and self._stored(positions):
            return self.table[positions]
        return self._rows(real_positions("positions", positions), self.table.device, dtype)

    def _rows(self, positions: Tensor, device: torch.device, dtype: torch.dtype) -> Tensor:
        """Return the waves of checked positions plus ``first``, with columns in this ``order``."""
        rows = _waves(positions + self.first, self.d_model, self.base, device, dtype)
        if self.order == "interleaved":
            return rows
        halves = rows[..., 0::2], rows[..., 1::2]  # sines and cosines, [..., d_model/2] each
        return torch.cat(halves if self.order == "halves" else halves[::-1], dim=-1)

    def _stored(self, positions: Tensor) -> bool:
        if positions.dtype not in (torch.int64, torch.int32) or hides_numbers(positions):
            return False
        ends = summary_of(positions)
        return ends.first >= 0 and ends.last < self.max_len

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        """Return ``embeddings`` [B, L, d_model] plus the encoding of ``positions``."""
        check_embeddings(embeddings, positions, self.d_model)
        return embeddings + self.encode(positions, embeddings.dtype)

    def _exact(self, like: Tensor) -> Tensor:
        """Return the table, computed with the device and dtype of ``like``."""
        positions = torch.arange(self.max_len, device=float64_device(like.device))
        return self._rows(positions, like.device, like.dtype)

    def _apply(self, fn: Any, recurse: bool = True) -> SinusoidalEncoding:
        # .to(), .double(), .cuda(), .share_memory() and others call this.
        old_table = self.table
        super()._apply(fn, recurse)
        if self.table is not old_table:  # computed again, because rounding a rounded table would lose digits
            self.table.copy_(self._exact(self.table))
        return self

    def extra_repr(self) -> str:
        text = f"{self.d_model}, max_len={self.max_len}, base={self.base:g}"
        text += f", order={self.order!r}" if self.order != "interleaved" else ""
        return text + (f", first={self.first}" if self.first else "")
