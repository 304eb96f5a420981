"""Sines and cosines as positions (Vaswani et al. 2017, "Attention Is All You Need", §3.5)."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.arguments import (
    base_above_one,
    even_width,
    float64_device,
    present_device,
    probability,
    whole_number,
)
from posenc_lessons.encodings.doors import PositionEncoding, check_embeddings
from posenc_lessons.encodings.pairing import frequencies_of
from posenc_lessons.encodings.positions import real_positions, summary_of
from posenc_lessons.language import BilingualValueError


def sinusoidal_encoding(
    positions: int | Tensor,
    d_model: int,
    base: float = 10000.0,
    *,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """The sinusoidal encoding of ``positions``: sine in the even columns, cosine in the odd ones.

    PE(p, 2i) = sin(p · base^(−2i/d)),  PE(p, 2i+1) = cos(p · base^(−2i/d)),  i = 0 … d/2 − 1.

    Angles, sines and cosines are computed in float64 and rounded once, to ``dtype``. At position 10⁶ the same
    table built in float32 is wrong by 6e-2. (PyTorch itself reaches float16 and bfloat16 by way of float32:
    fewer than one number in 10,000 ends at the neighbour it was nearly as close to.)

    Args:
        positions: a length n, meaning 0 … n−1, or a tensor of any shape; fractions and negatives are welcome.
        d_model: how many columns, even.
        base: sets the slowest wave: 2π · base^(1 − 2/d) positions long.
        device: where the result lies; None means where ``positions`` lies.
        dtype: the floating type of the result.

    Returns:
        [n, d_model], or [*positions.shape, d_model] for a tensor.

    Raises:
        ValueError: d_model odd or below 2, base not above 1, n below 1, positions that are bool, complex or
            half precision or not finite, a dtype that is not floating, a device that is not there.
    """
    d_model, base = even_width(d_model), base_above_one(base)
    if not dtype.is_floating_point:
        raise BilingualValueError(
            f"dtype 必须是浮点类型，例如 torch.float32，收到 {dtype}",
            f"dtype must be a floating type such as torch.float32; got {dtype}",
        )
    if device is None and isinstance(positions, Tensor):
        device = positions.device
    device = present_device(device)
    wide_device = float64_device(device)
    if not isinstance(positions, Tensor):
        positions = torch.arange(whole_number("positions", positions, 1), device=wide_device)
    where = real_positions("positions", positions).to(wide_device).to(torch.float64)
    frequencies = frequencies_of(d_model, base).to(wide_device)  # [d_model/2], the same in both encodings
    angles = where[..., None] * frequencies
    pairs = torch.empty(*angles.shape, 2, device=wide_device, dtype=dtype)  # [..., d_model/2, 2]
    pairs[..., 0], pairs[..., 1] = angles.sin(), angles.cos()  # half the time of stacking, then rounding
    return pairs.flatten(-2).to(device)


def shift_matrix(
    offset: float, d_model: int, base: float = 10000.0, *, dtype: torch.dtype = torch.float32
) -> Tensor:
    """The matrix M_k [d_model, d_model] that moves every position by k = ``offset``: PE(p + k) = M_k · PE(p).

    It turns each sine–cosine pair by its own angle, k · base^(−2i/d), whatever p is:

        [ cos kθ   sin kθ ] [ sin pθ ]   [ sin (p+k)θ ]
        [−sin kθ   cos kθ ] [ cos pθ ] = [ cos (p+k)θ ]

    So M_k is a rotation, M_j · M_k = M_{j+k}, and M_{−k} is its inverse. A row of a table is a row vector:
    ``table @ shift_matrix(k, d_model).T`` moves a whole table. Raises as ``sinusoidal_encoding`` does.
    """
    try:
        where = torch.tensor(float(offset), dtype=torch.float64)
    except (TypeError, ValueError) as error:
        raise BilingualValueError(
            f"offset 必须是一个数，收到 {offset!r}", f"offset must be one number; got {offset!r}"
        ) from error
    waves = sinusoidal_encoding(where, d_model, base, dtype=dtype)  # [d_model]
    sine, cosine = waves[0::2], waves[1::2]
    matrix = torch.zeros(d_model, d_model, device=waves.device, dtype=dtype)
    even = torch.arange(0, d_model, 2, device=waves.device)
    matrix[even, even], matrix[even, even + 1] = cosine, sine
    matrix[even + 1, even], matrix[even + 1, even + 1] = -sine, cosine
    return matrix


class SinusoidalEncoding(PositionEncoding):
    """Door 1: add the sinusoidal encoding to the embeddings, then drop out.

    ``table`` [max_len, d_model] is a buffer: it follows ``.to(device, dtype)`` and is saved, and it is never
    trained. It is only a store of rows already worked out. Positions outside it (beyond ``max_len``,
    negative, fractional) are worked out when asked for, so there is no longest sequence.

    The table is a function of the arguments below and is worked out anew whenever the module is moved or
    converted: ``.double()`` gives float64's own values, not float32's in a wider coat, and ``.bfloat16()``
    followed by ``.float()`` loses nothing.

    Args:
        d_model: width of the embeddings, even.
        max_len: how many rows to store.
        base: see ``sinusoidal_encoding``.
        dropout: the share of numbers set to zero after the sum, in training only (the paper uses 0.1).
    """

    table: Tensor

    def __init__(
        self, d_model: int, max_len: int = 5000, base: float = 10000.0, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.max_len = whole_number("max_len", max_len, 1)
        self.d_model, self.base = even_width(d_model), base_above_one(base)
        self.dropout = nn.Dropout(probability("dropout", dropout))
        self.register_buffer("table", sinusoidal_encoding(self.max_len, self.d_model, self.base))

    def encode(self, positions: Tensor, dtype: torch.dtype | None = None) -> Tensor:
        """The vectors of ``positions``, [*positions.shape, d_model], in ``dtype`` (the table's for None)."""
        dtype = self.table.dtype if dtype is None else dtype
        if dtype == self.table.dtype and self._stored(positions):
            return self.table[positions]
        return sinusoidal_encoding(positions, self.d_model, self.base, device=self.table.device, dtype=dtype)

    def _stored(self, positions: Tensor) -> bool:
        if positions.dtype not in (torch.int64, torch.int32) or torch.compiler.is_compiling():
            return False  # worked out: a compiler may not look at the numbers
        ends = summary_of(positions)
        return ends.first >= 0 and ends.last < self.max_len

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        """``embeddings`` [B, L, d_model] plus the encoding of ``positions``, then dropout; same dtype."""
        check_embeddings(embeddings, positions, self.d_model)
        return self.dropout(embeddings + self.encode(positions, embeddings.dtype))

    def _exact(self, like: Tensor) -> Tensor:
        """The table where ``like`` is and in its dtype."""
        return sinusoidal_encoding(
            self.max_len, self.d_model, self.base, device=like.device, dtype=like.dtype
        )

    def _apply(self, fn: Any, recurse: bool = True) -> SinusoidalEncoding:
        # What .to(), .double(), .cuda(), .share_memory() … all call.
        before = self.table
        super()._apply(fn, recurse)
        if self.table is not before:  # rounding a rounded table again would lose exactness
            self.table.copy_(self._exact(self.table))
        return self

    def _load_from_state_dict(
        self, state_dict: dict[str, Any], prefix: str, local_metadata: dict[str, Any], *rest: Any
    ) -> None:
        # A saved table can only be this one (perhaps longer, shorter or rounded) or that of another base.
        saved, errors = state_dict.get(prefix + "table"), rest[-1]
        if saved is not None and saved.shape[1:] == self.table.shape[1:]:
            rows = min(len(saved), self.max_len)
            ours = sinusoidal_encoding(rows, self.d_model, self.base, device="cpu", dtype=torch.float64)
            if torch.allclose(saved[:rows].to("cpu", torch.float64), ours, atol=1e-2):
                taken_as_it_is = local_metadata.get("assign_to_params_buffers", False)
                state_dict[prefix + "table"] = self._exact(saved if taken_as_it_is else self.table)
            else:
                refusal = BilingualValueError(
                    f"{prefix}table 是用另一个 base 存下的，而这里 base={self.base}",
                    f"{prefix}table was saved by an encoding of another base; this one has base={self.base}",
                )
                errors.append(str(refusal))
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)

    def extra_repr(self) -> str:
        return f"{self.d_model}, max_len={self.max_len}, base={self.base:g}"
