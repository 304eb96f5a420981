"""Find the encoding that rotates the queries and keys of a layer as the model does.

Each text is one vector repeated, so that all differences between positions come from the positions. An
encoding is made of the settings in the file; it is the model's if it gives the model's queries and keys at
each position from those at position 0.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.configs.layers import Part, Rotation
from posenc_lessons.configs.network import LENGTH, Network, ropes_of, trained_lengths
from posenc_lessons.configs.rope import rates, rotary_part
from posenc_lessons.configs.small import attribute
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.encodings.rotary_axes import MultiAxisRotary

#: How close an encoding comes. The model computes angles in float32: at position p they are off by p / 10⁷.
CLOSE, A_POSITION = 2e-3, 3e-7


class NoSuchRotation(Exception):
    """Queries or keys change with position, and no encoding from the file's settings does the same."""


def rotation_of(network: Network, number: int, of: str) -> tuple[Rotation, Part] | None:
    """Return the rotation in a layer, of its "attention" or "indexer", and its encoding; None if none turns.

    Raises:
        NoSuchRotation: what positions do is no rotation that the file's settings could mean.
    """
    features = network.features(number, network.positions, of)
    if features is None:
        return None
    flat = _of_one_length(features)
    moved = (flat - flat[..., :1, :]).abs().amax((0, 1, 2)) > 1e-3 * flat.abs().max()  # [d]
    if not moved.any():
        return None
    start = int(moved.nonzero()[0])
    turned = ("attention", "key") if of == "attention" else ("indexer",)
    for part in _candidates(network, features.shape[-1], start):
        if (own := _frequencies(network, part)) is None:
            continue
        for clockwise in (False, True):
            if all(_agrees(network, number, role, part, start, clockwise) for role in turned):
                frequencies, scale = own
                turning = 2 * sum(map(bool, frequencies))
                pairing, base = part.settings["pairing"], part.settings["base"]
                return Rotation(of, pairing, turning, base, frequencies, start, clockwise, scale), part
    raise NoSuchRotation


def _of_one_length(features: Tensor) -> Tensor:
    """Return ``features`` [B, H, P, d] with every vector as long as that at position 0."""
    features = features.double()
    lengths = features.norm(dim=-1, keepdim=True).clamp(min=1e-12)
    return features * (lengths[..., :1, :] / lengths)


def _frequencies(network: Network, part: Part) -> tuple[tuple[float, ...], float] | None:
    """Return the frequencies of an encoding and its factor, as the class has them; None if it has others.

    Slow pairs hardly turn at any position that can be asked for, so that only this tells them apart.
    """
    own, extension = rates(part), part.settings["extension"]
    scale = extension.scale if extension is not None else 1.0
    turning = torch.tensor([rate for rate in own if rate], dtype=torch.float64)
    for theirs, factor in network.frequencies:
        n = int((theirs > 0).sum())
        for listed in (theirs, theirs.sort(descending=True).values):  # Ernie's code lists them by axis
            same = n == len(turning) and torch.allclose(turning, listed[:n], rtol=1e-3)
            if same and abs(scale - factor) < 1e-3:
                return tuple(listed.tolist()), round(factor, 7)
    return None if network.frequencies else (own, scale)


def _candidates(network: Network, d: int, start: int) -> Iterator[Part]:
    """Yield encodings of ``d`` features, from ``start`` on, that the file's settings could mean."""
    config = network.small.full
    ropes: list[Mapping[str, Any]] = [rope for rope in ropes_of(config) if rope.get("rope_theta")]
    sections = [item.mrope_section for item in network.module.modules() if hasattr(item, "mrope_section")]
    if sections:  # M-RoPE, also where the file leaves the sections to the code
        ropes = [{"mrope_section": sections[0], **rope} for rope in ropes]
    ropes += [{"rope_theta": rope["rope_theta"]} for rope in ropes]
    ropes += [{"rope_theta": base} for base in _fitted_bases(network)]
    turned = {2 * len(own) for own, _ in network.frequencies} or {attribute(config, "rotary_dim") or d}
    for rope in (*ropes, {"rope_theta": 10000.0}):
        for features in sorted(turned):
            for pairing in ("half_split", "interleaved"):
                width = features if start else d
                try:
                    longest = attribute(config, "max_position_embeddings")
                    part = rotary_part(rope, longest, width, pairing, min(features, width))
                    part.makes(**part.settings)
                except (ValueError, TypeError):
                    continue
                yield part
                if part.makes is MultiAxisRotary:
                    plain = {name: part.settings[name] for name in part.settings if name != "sections"}
                    for layout in ("contiguous", "interleaved"):
                        yield Part(part.makes, {**part.settings, "layout": layout})
                    del plain["layout"]
                    yield Part(RotaryEncoding, {**plain, "turning_pairs": None})


def _fitted_bases(network: Network) -> Iterator[float]:
    """Yield the bases of the class's own frequencies, for files whose settings are not where others are."""
    for own, _ in network.frequencies:
        if len(own) > 1 and own[-1] > 0:
            yield float(f"{float(own[0] / own[-1]) ** (len(own) / (len(own) - 1)):.5g}")


def _agrees(network: Network, number: int, of: str, part: Part, start: int, clockwise: bool) -> bool:
    """Return whether an encoding turns queries, keys or an indexer's queries as the model does."""
    encoding: Any = part.makes(**part.settings)
    runs: list[Tensor | None] = [network.positions]
    longest = max(trained_lengths(network.small.full), default=0)
    if network.positions is not None and longest:
        runs.append(torch.tensor([0, 1, 7, 313, longest - 1, longest + longest // 2, 2 * longest]))
    if part.makes is MultiAxisRotary:
        numbers = torch.Generator().manual_seed(5)
        coordinates = torch.randint(1, 500, (LENGTH, encoding.axes), generator=numbers)
        runs.append(coordinates * (torch.arange(LENGTH) > 0)[:, None])
    for positions in runs:
        features = network.features(number, positions, of)
        if features is None:
            return of == "key"  # keys may not be seen
        at = network.at if positions is None else positions
        turned = _of_one_length(features)[..., start:][..., : encoding.d_head]  # [B, H, P, d]
        resting = turned[..., :1, :].expand(turned.shape)
        if clockwise:  # turned back, all are as at position 0
            turned, resting = resting, turned
        factor = encoding.turn(torch.ones_like(turned[..., :1, :]), at[:1])  # of what turns
        expected = encoding.turn((resting / factor).contiguous(), at)
        farthest = at if at.ndim == 1 else at.amax(-1)
        allowed = (CLOSE + A_POSITION * farthest.double())[:, None] * turned.abs().max()
        if not ((expected - turned).abs() <= allowed).all():
            return False
    return True
