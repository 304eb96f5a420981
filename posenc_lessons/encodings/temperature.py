"""Scaling queries by their position: the longer the text before a query, the sharper its softmax.

A softmax over n keys flattens as n grows; a factor on the query that grows with n keeps it sharp. Sources:
Nakanishi 2025, "Scalable-Softmax Is Superior for Attention", arXiv 2501.19399, and released models, by their
folders in transformers 5.23.0.
"""

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.encodings.doors import PositionEncoding, Role
from posenc_lessons.encodings.positions import positions_of, real_positions


class ScaledQueries(PositionEncoding):
    """Door 2, queries only: multiply each query by a number that depends on its position.

    Keys do not change, so a cache of keys stays valid. A subclass returns the numbers in ``times``:

    >>> class ByTheRoot(ScaledQueries):
    ...     def times(self, lengths):
    ...         return lengths.sqrt()
    >>> ByTheRoot().turn(torch.ones(1, 1, 4, 1), torch.arange(4)).flatten()
    tensor([1.0000, 1.4142, 1.7321, 2.0000])
    """

    def times(self, lengths: Tensor) -> Tensor:
        """Return the factor of each query: [L] or [B, L].

        ``lengths`` [L] or [B, L] are floating, position + 1 and at least 0: how many tokens there are up to
        the query, including itself.
        """
        raise NotImplementedError

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """Scale queries ``x`` [B, H, L, d_head] at ``positions`` [L] or [B, L]; return keys unchanged."""
        positions = positions_of("positions", positions, x.shape[0], x.shape[-2], x.device)
        positions = real_positions("positions", positions)
        if role == "key":
            return x
        wide = torch.promote_types(x.dtype, torch.float32)
        times = self.times((positions + 1).clamp(min=0).to(wide))
        return (x.to(wide) * times[..., None, :, None]).to(x.dtype)  # [B, H, L, d_head]


class QueryTemperature(ScaledQueries):
    """Door 2: multiply the query at position p by 1 + scale · ln(1 + ⌊(p + plus) / step⌋), a staircase.

    Sources: Llama 4's layers without RoPE (``models/llama4``), "inspired by Scalable-Softmax"; Ministral 3's
    layers, which rotate as well (``models/ministral3``, ``llama_4_scaling_beta``).

    Args:
        scale: how much sharper, 0.1 in Llama 4.
        step: the factor is 1 at the first step − ``plus`` positions; 8192 in Llama 4.
        plus: 1 in Llama 4; 0 in Ministral 3, where each stair begins one position later.

    >>> QueryTemperature(scale=1.0, step=2).turn(torch.ones(1, 1, 4, 1), torch.arange(4)).flatten()
    tensor([1.0000, 1.6931, 1.6931, 2.0986])
    """

    def __init__(self, scale: float = 0.1, step: int = 8192, plus: int = 1) -> None:
        super().__init__()
        self.scale, self.step = number("scale", scale, least=0), whole_number("step", step, 1)
        self.plus = whole_number("plus", plus, 0)

    def times(self, lengths: Tensor) -> Tensor:
        """Return 1 + scale · ln(1 + ⌊(length − 1 + plus) / step⌋), of the shape of ``lengths``."""
        counted = (lengths + (self.plus - 1)).clamp(min=0)
        return 1 + self.scale * (counted / self.step).floor().log1p()

    def extra_repr(self) -> str:
        return f"scale={self.scale:g}, step={self.step}" + (f", plus={self.plus}" if self.plus != 1 else "")


class PowerTemperature(ScaledQueries):
    """Door 2: multiply the query at position p by (1 + (p + 1) / step)^exponent, a smooth curve.

    Source: Beam's layers without RoPE (``models/beam``, ``compute_attention_scaling``).

    Args:
        exponent: 0 or more, 0.1 in Beam.
        step: the length at which the factor is 2^exponent, 2048 in Beam.

    >>> PowerTemperature(exponent=1.0, step=2).turn(torch.ones(1, 1, 4, 1), torch.arange(4)).flatten()
    tensor([1.5000, 2.0000, 2.5000, 3.0000])
    """

    def __init__(self, exponent: float = 0.1, step: int = 2048) -> None:
        super().__init__()
        self.exponent, self.step = number("exponent", exponent, least=0), whole_number("step", step, 1)

    def times(self, lengths: Tensor) -> Tensor:
        """Return (1 + length / step)^exponent, of the shape of ``lengths``."""
        return torch.exp(self.exponent * (lengths / self.step).log1p())

    def extra_repr(self) -> str:
        return f"exponent={self.exponent:g}, step={self.step}"


class LogTemperature(ScaledQueries):
    """Door 2: multiply the query at position p by 1 + scale · ln((p + 1) / floor), by 1 up to ``floor``.

    Source: Inkling's layers without window (``models/inkling`` and ``models/inkling2``, ``log_scaling_alpha``
    and ``log_scaling_n_floor``; there the factor multiplies the whole score, the relative bias too).

    Args:
        scale: 0.1 in Inkling.
        floor: the factor of the first ``floor`` tokens is 1; 128000 in Inkling 2.

    >>> LogTemperature(scale=1.0, floor=2).turn(torch.ones(1, 1, 4, 1), torch.arange(4)).flatten()
    tensor([1.0000, 1.0000, 1.4055, 1.6931])
    """

    def __init__(self, scale: float = 0.1, floor: int = 128000) -> None:
        super().__init__()
        self.scale, self.floor = number("scale", scale, least=0), whole_number("floor", floor, 1)

    def times(self, lengths: Tensor) -> Tensor:
        """Return 1 + scale · ln(max(length / floor, 1)), of the shape of ``lengths``."""
        return 1 + self.scale * (lengths / self.floor).clamp(min=1).log()

    def extra_repr(self) -> str:
        return f"scale={self.scale:g}, floor={self.floor}"
