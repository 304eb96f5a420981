"""Find how the queries of a layer rotate with position, and the encoding that rotates them so.

Every sequence of a batch is one vector repeated, so that all differences between positions come from the
positions. Feature i at position p is fitted as a · x_i + b · x_j, with the features x at position 0, for
every partner j; the best partner is that of its pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor

from posenc_lessons.configs.layers import Part, Rotation
from posenc_lessons.configs.network import LENGTH, Network, ropes_of, trained_lengths
from posenc_lessons.configs.rope import rates, rotary_part
from posenc_lessons.configs.small import attribute
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.encodings.rotary_axes import MultiAxisRotary
from posenc_lessons.probing import probe_rotation

#: The largest error of a fit, as a share of the largest feature: the model computes in float32.
EXACT = 1e-4
#: A feature that changes by less is still; the second is tried if slow features fit any partner.
_STILL = (3e-6, 1e-3)
#: How close an encoding comes. The model computes angles in float32: at position p they are off by p / 10⁷.
CLOSE, A_POSITION = 2e-3, 3e-7


class Turn(NamedTuple):
    """Maps of the features at position 0 to those at each position.

    maps: [P, d, d], rows times this, without a factor of whole vectors. first, second: features of each
    pair, first < second. still: features that changed by a smaller share count as those that do not turn.
    """

    positions: Tensor
    maps: Tensor
    first: Tensor
    second: Tensor
    still: float = _STILL[0]


def turn_of(features: Tensor, positions: Tensor, earlier: list[Turn]) -> Turn | None:
    """Read the maps from queries or keys ``features`` [B, H, L, d] at ``positions`` [L], which begin with 0.

    A map that is in ``earlier`` is returned again if it fits; a new one is put there. Returns None if a
    feature changes in a way that is no rotation of pairs.
    """
    x = features.double().permute(2, 0, 1, 3).flatten(1, 2)  # [L, N, d]
    start, size = x[0], x[0].abs().max().clamp(min=1e-12)
    scale = x.norm(dim=-1, keepdim=True) / start.norm(dim=-1, keepdim=True).clamp(min=1e-12)  # [L, N, 1]
    flat = x / scale.clamp(min=1e-12)
    for turn in earlier:
        same_shape = turn.maps.shape[::2] == x.shape[::2]
        if same_shape and (start @ turn.maps - flat).abs().max() < turn.still * size:
            return turn
    change = (flat - start).abs().amax((0, 1)) / size  # [d]
    for still in _STILL:
        moved = (change > still).nonzero().flatten()
        factors, partner, error = _partners(flat[:, :, moved], start[:, moved])
        if error <= EXACT and torch.equal(partner[partner], torch.arange(len(moved))):
            break
    else:
        return None
    other = moved[partner]
    maps = torch.eye(x.shape[-1], dtype=torch.float64).repeat(len(x), 1, 1)
    maps[:, moved, moved] = factors[0]
    maps[:, other, moved] = factors[1]
    earlier.append(Turn(positions, maps, moved[moved < other], other[moved < other], still))
    return earlier[-1]


def _partners(x: Tensor, start: Tensor) -> tuple[Tensor, Tensor, float]:
    """Return the factors a and b [2, L, n] of each feature, its partner [n], and the relative error."""
    if not start.shape[-1]:
        return x.new_zeros(2, len(x), 0), torch.arange(0), 0.0
    gram = start.T @ start  # [n, n]
    cross = start.T @ x  # [L, n, n]: of x_j at 0 with x_i at p
    own = cross.diagonal(dim1=-2, dim2=-1)[:, :, None]  # [L, i, 1]
    others = cross.mT  # [L, i, j]
    diagonal = gram.diagonal()
    determinant = diagonal[:, None] * diagonal[None] - gram**2
    determinant.fill_diagonal_(torch.inf)
    b = (diagonal[:, None] * others - gram * own) / determinant
    a = (own - b * gram) / diagonal[:, None]
    error = x.square().sum(1)[:, :, None] - a * own - b * others  # [L, i, j]
    error.diagonal(dim1=-2, dim2=-1).fill_(torch.inf)
    partner = error.amax(0).argmin(1)  # [n]
    every = torch.arange(len(partner))
    factors = torch.stack((a[:, every, partner], b[:, every, partner]))
    fitted = factors[0][:, None] * start + factors[1][:, None] * start[:, partner]  # [L, N, n]
    return factors, partner, float((fitted - x).abs().max() / start.abs().max())


def named_rotation(network: Network, number: int, of: str, turn: Turn) -> tuple[Rotation, Part | None]:
    """Probe one rotation of a layer, and find an encoding of this library that agrees with it."""
    rows = {at: row for row, at in enumerate(turn.positions.tolist())}

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        if positions.is_floating_point() or not rows.keys() >= set(positions.tolist()):
            raise IndexError("the model was measured at some whole positions only")
        maps = turn.maps[[rows[at] for at in positions.tolist()]]
        return torch.einsum("...li,lij->...lj", x.double(), maps).to(x.dtype)

    probe = probe_rotation(rotate, turn.maps.shape[-1], signature="x, positions")
    frequencies, scale = _frequencies(network, turn, torch.tensor(probe.inverse_frequencies).double())
    rotation = Rotation(
        of,
        probe.pairing or "listed",
        2 * sum(1 for frequency in frequencies if frequency),
        probe.base,
        tuple(frequencies),
        int(turn.first.min()),
        probe.direction == "clockwise",
        scale,
    )
    for part in () if rotation.clockwise else _candidates(network, rotation, turn.maps.shape[-1]):
        if _agrees(network, number, part, rotation):
            return rotation._replace(base=float(part.settings["base"])), part
    return rotation, None


def _frequencies(network: Network, turn: Turn, probed: Tensor) -> tuple[list[float], float]:
    """Return the class's own frequencies and their scale where it has them, else those that were probed."""
    n = len(probed)
    for own, scale in network.frequencies:
        turning = own[own > 0]
        same = len(turning) == n and torch.allclose(turning, probed, rtol=1e-3, atol=1e-9)
        too_slow = max(1e-4, 5 * turn.still)  # to be seen at the farthest position
        still = len(own) > n and own[n:].max() * turn.positions[-1] < too_slow
        if same or (still and torch.allclose(own[:n], probed, rtol=1e-3)):
            return own.tolist(), round(scale, 7)
    return probed.tolist(), 1.0


def _candidates(network: Network, rotation: Rotation, d: int) -> Iterator[Part]:
    """Yield encodings that the settings in the file could mean; the last has the base that was fitted."""
    config = network.small.full
    turned = 2 * len(rotation.inverse_frequencies)
    width = turned if rotation.start else d
    ropes: list[Mapping[str, Any]] = [rope for rope in ropes_of(config) if rope.get("rope_theta")]
    sections = [item.mrope_section for item in network.module.modules() if hasattr(item, "mrope_section")]
    if sections:  # M-RoPE, also where the file leaves the sections to the code
        ropes = [{"mrope_section": sections[0], **rope} for rope in ropes]
    ropes += [{"rope_theta": rope["rope_theta"]} for rope in ropes]
    for rope in (*ropes, {"rope_theta": rotation.base}):
        try:
            longest = attribute(config, "max_position_embeddings")
            part = rotary_part(rope, longest, width, rotation.pairing, min(turned, width))
            part.makes(**part.settings)
        except (ValueError, TypeError):
            continue
        yield part
        if part.makes is MultiAxisRotary:
            yield from (
                Part(part.makes, {**part.settings, "layout": way}) for way in ("contiguous", "interleaved")
            )
            plain = {key: value for key, value in part.settings.items() if key not in ("sections", "layout")}
            yield Part(RotaryEncoding, {**plain, "turning_pairs": None})


def _agrees(network: Network, number: int, part: Part, rotation: Rotation) -> bool:
    """Return whether an encoding turns the model's own vectors as the model does, at all kinds of positions.

    Slow pairs hardly turn at any of them, so their frequencies are compared too.
    """
    encoding: Any = part.makes(**part.settings)
    extension = part.settings["extension"]
    own = torch.tensor([rate for rate in rotation.inverse_frequencies if rate])
    same_rates = torch.allclose(torch.tensor(rates(part))[: len(own)], own, rtol=1e-3)
    if not same_rates or abs((extension.scale if extension else 1.0) - rotation.scale) > 1e-3:
        return False
    runs: list[Tensor | None] = [network.positions]
    longest = max(trained_lengths(network.small.full), default=0)
    if network.positions is not None and longest:
        runs.append(torch.tensor([0, 1, 7, 313, longest - 1, longest + longest // 2, 2 * longest]))
    if part.makes is MultiAxisRotary:
        numbers = torch.Generator().manual_seed(5)
        coordinates = torch.randint(1, 500, (LENGTH, encoding.axes), generator=numbers)
        runs.append(coordinates * (torch.arange(LENGTH) > 0)[:, None])
    for positions in runs:
        features = network.features(number, positions, rotation.of)
        at = network.at if positions is None else positions
        if features is None or (turn := turn_of(features, at, [])) is None:
            return False
        if not same_turn(turn.maps[:, rotation.start :, rotation.start :], _maps(encoding, at), at):
            return False
    return True


def _maps(encoding: Any, positions: Tensor) -> Tensor:
    """Return what ``encoding`` does to each feature, [P, d, d], without the factor of what it turns."""
    each = torch.eye(encoding.d_head, dtype=torch.float64)[None, :, None]  # [1, d, 1, d]
    turned = encoding.turn(each.expand(-1, -1, len(positions), -1).contiguous(), positions)[0].transpose(0, 1)
    return turned / encoding.turn(each, positions[:1])[0, 0, 0, 0]


def same_turn(maps: Tensor, others: Tensor, positions: Tensor) -> bool:
    """Return whether the first features of ``maps`` [P, d, d] turn as in ``others``."""
    d = min(maps.shape[-1], others.shape[-1])
    farthest = positions if positions.ndim == 1 else positions.amax(-1)
    allowed = (CLOSE + A_POSITION * farthest.double())[:, None, None]
    return bool(((maps[:, :d, :d] - others[:, :d, :d]).abs() <= allowed).all())
