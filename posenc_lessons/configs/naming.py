"""Name what was measured, and find the encodings of this library that do the same.

An encoding is made of the settings in the configuration and is compared with the small model: only one that
agrees is returned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.configs.added import bias_of, table_of, temperature_of
from posenc_lessons.configs.layers import Layer, Part, Reads, Rotation, Sees
from posenc_lessons.configs.measuring import LENGTH, Evidence, Network, ropes_of, trained_lengths
from posenc_lessons.configs.rope import rates, rotary_part
from posenc_lessons.configs.small import attribute
from posenc_lessons.configs.turns import Turn
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.encodings.rotary_axes import MultiAxisRotary
from posenc_lessons.language import Text
from posenc_lessons.probing import probe_rotation

#: The model computes angles in float32: at position p they are off by about p / 10⁷.
CLOSE, A_POSITION = 2e-3, 3e-7

NO_ATTENTION = Text(
    "没有注意力：顺序来自递归或卷积", "no attention: order comes from a recurrence or a convolution"
)
REMARKS = {
    "counts": Text(
        "代码自己数位置，不接受 position_ids", "the code counts positions itself and takes no position_ids"
    ),
    "once": Text("位置只在第一层之前加一次", "positions are added once, before the first layer"),
    "other": Text(
        "看得见的既不是窗口、块，也不是全部", "what a token sees is no window, no chunk and not everything"
    ),
    "sink": Text(
        "softmax 里多一个学到的数（attention sink）",
        "the softmax has one more, learned number (an attention sink)",
    ),
    "more": Text(
        "除了词元，还看别的键：摘要，或编码器的",
        "besides tokens it sees other keys: summaries, or an encoder's",
    ),
    "start": Text(
        "只旋转每个头末尾的一段", "only the end of each head rotates, and the encoding is for that part"
    ),
}
#: Why no encoding of this library does the same.
LACKS = {
    "frequencies": Text(
        "2：旋转，但频率不是文件里的设置能给出的", "2: no settings in the file give these frequencies"
    ),
    "clockwise": Text(
        "2：旋转，但方向相反（顺时针）", "2: the rotation is clockwise, so scores depend on m − n"
    ),
    "values": Text("4：值也随位置旋转，输出再转回来", "4: values rotate too, and the output is rotated back"),
    "by content": Text(
        "3：分数里加了一项，它依赖内容", "3: a term is added to scores that depends on content"
    ),
    "by distance": Text(
        "3：分数里加了一项，它依赖距离，但不是 ALiBi，也不是 T5 的桶",
        "3: a term by distance is added to scores, neither ALiBi's nor T5's buckets",
    ),
    "table": Text(
        "1：位置加在第一层之前，但不是已知的表", "1: positions are added first, by no table known here"
    ),
    "temperature": Text(
        "2：查询乘上随位置变的数，公式未知", "2: queries are multiplied by no formula known here"
    ),
}
#: Why a layer could not be measured.
REASONS = {
    "pairs": Text(
        "查询随位置变，但不是特征两两旋转", "queries change with position, but not as pairs that rotate"
    ),
    "hidden": Text("看不到它的查询和分数", "neither its queries nor its scores could be seen"),
}
#: A rotation, the encoding that does it, or why there is none.
Named = tuple[Rotation, Part | None, str | None]


def layers_of(network: Network) -> list[Layer]:
    """Return every layer of the model that ``network`` stands for, at its full size."""
    named: dict[tuple[str, int], Named] = {}
    return [_layer(network, number, evidence, named) for number, evidence in enumerate(network.layers)]


def _layer(network: Network, number: int, evidence: Evidence, named: dict[tuple[str, int], Named]) -> Layer:
    if not evidence.attends:
        return Layer(attends=False, remarks=(NO_ATTENTION,))
    sees, window = _window(network, evidence)
    rotations: list[Rotation] = []
    parts: list[Part] = []
    lacks: list[str | None] = ["values"] if evidence.values and evidence.query is not None else []
    for of, turn in (("attention", evidence.query), ("indexer", evidence.indexer)):
        if turn is None or not len(turn.first):
            continue
        if (of, id(turn)) not in named:
            named[of, id(turn)] = _rotation(network, number, of, turn)
        rotation, part, problem = named[of, id(turn)]
        rotations.append(rotation)
        if of == "attention":
            parts += [part] if part else []
            lacks.append(problem if evidence.key is None or _same(evidence.key, turn) else "frequencies")
    bias, part = bias_of(network, evidence)
    parts += [part] if part else []
    lacks.append(bias if bias in LACKS else None)
    tables, missing = table_of(network, evidence)
    temperature, part, problem = temperature_of(network, evidence)
    parts += [part] if part else []
    lacks += [missing, problem]
    turned = any(rotation.of == "attention" for rotation in rotations)
    reads: Reads = "place" if network.adds and not turned else "distance" if turned or bias else "none"
    unusual = {
        "counts": turned and network.positions is None,
        "once": bool(tables),
        "other": sees == "other",
        "sink": evidence.sink,
        "more": evidence.more > 0,
        "start": any(rotation.start for rotation in rotations if rotation.of == "attention"),
    }
    unseen = evidence.query is None and not network.adds
    return Layer(
        sees=sees,
        window=window,
        reads=reads,
        rotations=tuple(rotations),
        bias=bias,
        temperature=temperature,
        sink=evidence.sink,
        keys_of=evidence.shares,
        passes=evidence.runs,
        parts=(*tables, *parts),
        lacks=next((LACKS[name] for name in lacks if name), None),
        remarks=tuple(REMARKS[name] for name, holds in unusual.items() if holds),
        reason=REASONS["pairs"] if not evidence.turns else REASONS["hidden"] if unseen else None,
    )


def _window(network: Network, evidence: Evidence) -> tuple[Sees, int | None]:
    """Return how far the layer sees in the model of full size: small windows stand for keys of the file."""
    sees, width = evidence.view or ("whole", None)
    if width is None:
        return ("whole" if sees == "everything" else sees), None  # type: ignore[return-value]
    sizes = network.small.windows
    # A key w may mean w, w + 1 or w − 1 tokens, or half of them on both sides.
    for factor, more in ((1, 0), (1, 1), (1, -1), (2, 0), (2, -1)):
        if (size := sizes.get(factor * width - more)) is not None:
            return sees, size[1] // factor + (more if factor == 1 else 0)  # type: ignore[return-value]
    return sees, width  # type: ignore[return-value]


def _same(key: Turn, query: Turn) -> bool:
    """Return whether keys turn as queries do, at positions whose angles are exact enough."""
    near = key.positions < 1024
    return key.maps.shape == query.maps.shape and torch.allclose(key.maps[near], query.maps[near], atol=CLOSE)


def _rotation(network: Network, number: int, of: str, turn: Turn) -> Named:
    """Probe one rotation, name it and find an encoding that agrees with it."""
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
    if rotation.clockwise:
        return rotation, None, "clockwise"
    for part in _candidates(network, rotation, turn.maps.shape[-1]):
        if _agrees(network, number, part, rotation):
            return rotation._replace(base=float(part.settings["base"])), part, None
    return rotation, None, "frequencies"


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
    return all(_agrees_at(network, number, encoding, rotation, positions) for positions in runs)


def _agrees_at(
    network: Network, number: int, encoding: Any, rotation: Rotation, positions: Tensor | None
) -> bool:
    """Return whether ``encoding`` gives the model's queries at ``positions`` from those at the first, 0."""
    try:
        queries = network.features(number, positions, rotation.of)
    except (RuntimeError, ValueError, IndexError, TypeError):  # positions that the model does not take
        return False
    if queries is None:
        return False
    positions = torch.arange(queries.shape[-2]) if positions is None else positions
    queries = queries.double()
    lengths = queries.norm(dim=-1, keepdim=True)
    queries = (queries / (lengths / lengths[..., :1, :]))[..., rotation.start :][..., : encoding.d_head]
    start = queries[..., :1, :]
    start = start / encoding.turn(torch.ones_like(start), positions[:1])  # without the scale of what turns
    expected = encoding.turn(start.expand(queries.shape).contiguous(), positions)
    farthest = positions if positions.ndim == 1 else positions.amax(-1)
    allowed = (CLOSE + A_POSITION * farthest.double())[:, None] * start.abs().max()
    return bool(((expected - queries).abs() <= allowed).all())
