"""RoPE for positions of several coordinates, such as multimodal ones (time, row, column).

Pair i of a token at position p is rotated by the angle p · w_i; w_i has a frequency for each coordinate, in
radians per step. A score of a query and a key then depends only on the difference of their positions.

    coordinates    frequencies w_i of pair i          encoding
    one            θ_i                                ``RotaryEncoding``
    several        0 for all coordinates but one      ``AxialRotary``, ``MultiAxisRotary``
    two            any two numbers, learned           ``MixedRotary``

Sources: sections of pairs, Wang et al. 2024, "Qwen2-VL", arXiv 2409.12191, §2.1; interleaved sections,
"Qwen3-VL Technical Report", arXiv 2511.21631.
"""

from collections.abc import Hashable, Sequence
from typing import Literal, get_args

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import base_above_one, float64_device, one_of, whole_number
from posenc_lessons.encodings.context_extension import ContextExtension, check_extension
from posenc_lessons.encodings.doors import PositionEncoding, Role
from posenc_lessons.encodings.known import computed_once
from posenc_lessons.encodings.pairing import Pairing, check_pairing, frequencies_of, rotary_width
from posenc_lessons.encodings.positions import real_positions
from posenc_lessons.encodings.rotary import with_length
from posenc_lessons.encodings.rotating import (
    check_width,
    fitting_positions,
    rotate_by,
    tables_for,
    working_precision,
)
from posenc_lessons.language import BilingualValueError

Layout = Literal["contiguous", "interleaved"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


def angles_on_axes(positions: Tensor, frequencies: Tensor) -> Tensor:
    """Return Σ_a p_a · w_ai in radians, the angle of pair i for the token at position p.

    Args:
        positions: [..., axes], integers or real numbers.
        frequencies: [axes, n], radians per step on each axis for each of n pairs; or [H, axes, n], with
            ``positions`` [..., L, axes], for heads with their own frequencies.

    Returns:
        float64 [..., n], or [..., H, L, n], on the device of ``positions`` (on the CPU for MPS, which has no
        float64). Gradients reach ``frequencies``.

    Raises:
        ValueError: positions that are bool, complex, half precision or not finite.

    >>> w = torch.tensor([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])  # by the row, by the column, by both
    >>> angles_on_axes(torch.tensor([[2, 3]]), w)
    tensor([[2.0000, 3.0000, 2.5000]], dtype=torch.float64)
    """
    positions = real_positions("positions", positions)
    device = float64_device(positions.device)
    if frequencies.ndim == 3:
        positions = positions[..., None, :, :]
    return positions.to(device).to(torch.float64) @ frequencies.to(device).to(torch.float64)


class RotaryOnAxes(PositionEncoding):
    """Door 2: rotate queries and keys by several coordinates: the base class of ``AxialRotary`` and M-RoPE.

    ``frequencies_at`` of a subclass says how fast each pair turns on each axis. Cosines and sines are
    computed once for all layers that share a tensor of positions and have the same settings.
    """

    def __init__(self, d_head: int, axes: int, pairing: Pairing) -> None:
        super().__init__()
        self.d_head, self.axes = whole_number("d_head", d_head, 2), axes
        self.pairing = check_pairing("pairing", pairing)

    def settings(self) -> tuple[Hashable, ...]:
        """Return the settings that ``frequencies_at`` depends on, besides the positions."""
        raise NotImplementedError

    def frequencies_at(self, positions: Tensor) -> tuple[Tensor, float]:
        """Return frequencies [axes, n] at ``positions``, and the scale of cosines and sines."""
        raise NotImplementedError

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """Return ``x`` [B, H, L, d_head] rotated by ``positions``; the same shape and dtype.

        ``positions`` are [L, axes] or [B, L, axes].

        Raises:
            ValueError: heads of another width, positions that do not fit ``x`` or are not finite numbers.
        """
        check_width(x, self.d_head)
        positions = fitting_positions(positions, x, self.axes)

        def tables() -> tuple[Tensor, ...]:
            frequencies, scale = self.frequencies_at(positions)
            angles = angles_on_axes(positions, frequencies)  # float64 [L, n] or [B, L, n]
            return tables_for(x, angles, self.pairing, scale)

        name = (type(self), x.device, working_precision(x), self.pairing, *self.settings())
        return rotate_by(x, computed_once(positions, name, tables), self.pairing)


class MultiAxisRotary(RotaryOnAxes):
    """Door 2: M-RoPE, rotary embedding in which each pair reads one of the coordinates (t, h, w).

    For text, whose tokens have t = h = w, it *is* ``RotaryEncoding`` (with the same pairing). Positions of
    text with pictures come from ``multimodal_positions``. Without positions, tokens are taken for text.

    Args:
        d_head: features of a head.
        sections: how many pairs read each axis; they add up to ``rotary_dim``/2.
        layout: which pairs. "contiguous": the first sections[0] pairs read axis 0, the next sections[1] axis
            1, and so on (Qwen2-VL). "interleaved": the axes take turns until each has all its pairs
            (Qwen3-VL).
        base: 10000 in RoPE's paper; 1000000 in Qwen2-VL and Qwen2.5-VL.
        pairing: which features make a pair; "half_split" in all of Qwen's models.
        rotary_dim: rotate the first ``rotary_dim`` features and leave the rest (Qwen3.5); None rotates all.
        extension: other frequencies for longer texts, as in ``RotaryEncoding``.

    >>> encoding = MultiAxisRotary(d_head=128, sections=(16, 24, 24))  # Qwen2-VL
    >>> positions, delta = multimodal_positions([("text", 3), ("image", 2, 3), ("text", 2)])
    >>> encoding.turn(torch.randn(1, 2, 11, 128), positions).shape
    torch.Size([1, 2, 11, 128])
    """

    def __init__(
        self,
        d_head: int,
        sections: Sequence[int],
        layout: Layout = "contiguous",
        base: float = 10000.0,
        pairing: Pairing = "half_split",
        rotary_dim: int | None = None,
        extension: ContextExtension | None = None,
    ) -> None:
        d_head = whole_number("d_head", d_head, 2)
        checked = tuple(whole_number("sections", pairs, 0) for pairs in sections)
        width = rotary_width(rotary_dim, d_head)
        if sum(checked) != width // 2:
            half = "d_head/2" if rotary_dim is None else "rotary_dim/2"
            raise BilingualValueError(
                f"sections 数的是特征对，和必须是 {half}={width // 2}，收到 {checked}，和是 {sum(checked)}",
                f"sections count pairs and must add up to {half}={width // 2}; "
                f"got {checked}, which add up to {sum(checked)}",
            )
        super().__init__(d_head, len(checked), pairing)
        self.sections, self.layout, self.rotary_dim = checked, one_of("layout", layout, LAYOUTS), width
        self.base, self.extension = base_above_one(base), check_extension(extension)

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """Return ``x`` [B, H, L, d_head] rotated by ``positions``; the same shape and dtype.

        ``positions`` are [L, axes] or [B, L, axes]. Those of a text may be [L]: the same number on all axes
        (t = h = w).

        Raises:
            ValueError: heads of another width, positions that do not fit ``x`` or are not finite numbers.
        """
        if isinstance(positions, Tensor) and positions.ndim == 1:
            positions = positions[:, None].expand(-1, self.axes)
        return super().turn(x, positions, role)

    @property
    def allows_cache(self) -> bool:
        """True unless the angles follow the length of each call."""
        return self.extension is None or not self.extension.follows_length

    def settings(self) -> tuple[Hashable, ...]:
        """Return the settings that the frequencies depend on, besides the positions."""
        return self.sections, self.base, self.layout, self.rotary_dim, self.extension

    def frequencies_at(self, positions: Tensor) -> tuple[Tensor, float]:
        """Return the frequencies [axes, n], and the extension's scale of cosines and sines."""
        theta, scale = frequencies_of(self.rotary_dim, self.base), 1.0
        if self.extension is not None:
            extension = with_length(self.extension, positions)
            theta, scale = extension.frequencies(self.rotary_dim, self.base)
        return on_their_axes(theta, _axes_of_pairs(self.sections, self.layout), self.axes), scale

    def extra_repr(self) -> str:
        text = f"{self.d_head}, sections={self.sections}, layout={self.layout!r}, base={self.base:g}"
        text += f", pairing={self.pairing!r}"
        if 2 * sum(self.sections) != self.d_head:
            text += f", rotary_dim={self.rotary_dim}"
        return text if self.extension is None else f"{text}, extension={self.extension!r}"


def on_their_axes(theta: Tensor, axis_of_pair: Sequence[int], axes: int) -> Tensor:
    """Return frequencies [axes, n]: each pair has its ``theta`` [n] on its axis, 0 on the others."""
    return theta * (torch.arange(axes, device="cpu")[:, None] == torch.tensor(axis_of_pair, device="cpu"))


def _axes_of_pairs(sections: tuple[int, ...], layout: Layout) -> list[int]:
    """Return the axis that each pair reads."""
    if layout == "contiguous":
        return [axis for axis, pairs in enumerate(sections) for _ in range(pairs)]
    rounds = range(max(sections))
    return [axis for turn in rounds for axis, pairs in enumerate(sections) if turn < pairs]
