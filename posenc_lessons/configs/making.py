"""Turn what was measured into layers: name rotations, biases and tables, and find encodings that do the same.

An encoding is made of the settings in the configuration and is compared with the small model: only one that
agrees is returned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.configs.layers import Layer, Part, Reads, Rotation, Sees
from posenc_lessons.configs.measuring import Measured, Network, ropes_of
from posenc_lessons.configs.rope import rates, rotary_part
from posenc_lessons.configs.small import HEADS, attribute
from posenc_lessons.configs.turns import Turn
from posenc_lessons.encodings.alibi import ALiBi, alibi_bias
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.encodings.rotary_axes import MultiAxisRotary
from posenc_lessons.encodings.sinusoidal import SinusoidalEncoding
from posenc_lessons.encodings.t5 import T5RelativeBias, t5_buckets
from posenc_lessons.encodings.temperature import LogTemperature, PowerTemperature, QueryTemperature
from posenc_lessons.language import Text
from posenc_lessons.probing import probe_rotation

#: The model computes angles in float32: at position p they are off by about p / 10⁷.
CLOSE = 2e-3

NO_ATTENTION = Text(
    "这一层没有注意力：顺序来自递归或卷积，或者这一层根本不看别的词元",
    "this layer has no attention: order comes from a recurrence or a convolution, or no other token is read",
)
ONCE = Text(
    "位置只在第一层之前加一次，层里不再有",
    "positions are added once, before the first layer, and no layer adds them again",
)
COUNTS = Text(
    "代码自己数位置：0、1、2……，不接受 position_ids",
    "the code counts positions by itself, 0, 1, 2, …: it takes no position_ids",
)
SINK = Text(
    "每个头另有一个学到的 logit 参与 softmax（attention sink）：权重之和小于 1",
    "each head has its own learned logit in the softmax (an attention sink): weights sum to less than 1",
)
LAST = Text(
    "旋转的是每个头末尾的一段，编码只管这一段；头里其余的特征不旋转",
    "the end of each head rotates, and the encoding is for that part; the other features do not turn",
)
_UNKNOWN_RATES = Text(
    "2：查询和键按位置旋转，但频率不是文件里的设置能给出的",
    "2: queries and keys are rotated by their positions, but no settings in the file give these frequencies",
)
_CLOCKWISE = Text(
    "2：查询和键按位置旋转，但方向相反（顺时针）：分数里 n − m 变成 m − n",
    "2: queries and keys are rotated by their positions, but the other way, clockwise: m − n instead of"
    " n − m in the scores",
)
_VALUES = Text(
    "2，值也按位置变：键和值一起旋转，输出再按查询的位置转回来",
    "2, and values too change by position: they rotate with the keys, and the output is rotated back",
)
_BY_CONTENT = Text(
    "3：分数里加了一项，它依赖内容，也可能依赖距离",
    "3: a term is added to scores that depends on content, and maybe on distance",
)
_BY_DISTANCE = Text(
    "3：按距离加在分数上的一项，不是 ALiBi，也不是 T5 的桶",
    "3: a term by distance is added to scores, neither ALiBi's nor T5's buckets",
)
_ANOTHER_TABLE = Text(
    "1：位置加在第一层之前，但不是学到的表，也不是这里有的正弦表",
    "1: positions are added before the first layer, by no learned table and no sinusoidal one known here",
)
_TEMPERATURE = Text(
    "2：查询乘上一个随位置变的数，但不是这里有的公式",
    "2: queries are multiplied by a number that changes with position, by no formula known here",
)
_SEES = Text(
    "谁看得见谁，不是窗口、块或全部", "who sees whom is neither a window, nor chunks, nor everything"
)
_NOT_PAIRS = Text(
    "查询随位置变，但小模型里看到的不是特征两两旋转",
    "queries change with position, but what the small model shows is no rotation of pairs",
)
_HIDDEN = Text("看不到它的查询和分数", "neither its queries nor its scores could be seen")


def layers_of(network: Network) -> list[Layer]:
    """Return every layer of the model that ``network`` stands for, at its full size."""
    known: dict[Any, tuple[tuple[Rotation, ...], tuple[Part, ...], Text | None]] = {}
    return [_layer(network, measured, known) for measured in network.layers]


def _layer(network: Network, measured: Measured, known: dict[Any, Any]) -> Layer:
    if not measured.attends:
        return Layer(attends=False, remarks=(NO_ATTENTION,))
    sees: Sees
    sees, window = _window(network, measured)  # type: ignore[assignment]
    reason = None if measured.turns else _NOT_PAIRS
    if measured.query is None and measured.turns and not network.adds:
        reason = _HIDDEN
    rotations, parts, lacks = _rotations(network, measured, known)
    bias, more = _bias(network, measured)
    parts += more
    if measured.values and measured.query is not None:
        lacks = _VALUES
    lacks = lacks or {"by content": _BY_CONTENT, "by distance": _BY_DISTANCE}.get(str(bias))
    temperature, part, problem = _temperature(network, measured)
    parts += part
    tables, missing = _tables(network, measured)
    turned = any(rotation.of == "attention" for rotation in rotations)
    reads: Reads = "place" if network.adds and not turned else "distance" if turned or bias else "none"
    remarks = [COUNTS] if turned and network.positions is None else []
    remarks += [ONCE] if tables else []
    remarks += [_SEES] if sees == "other" else []
    remarks += [SINK] if measured.sink else []
    remarks += [LAST] if any(rotation.start and rotation.of == "attention" for rotation in rotations) else []
    if measured.runs > 1:
        remarks.append(
            Text(
                f"这一层在一遍里运行 {measured.runs} 次，每次都用同样的位置",
                f"this layer runs {measured.runs} times in one pass, with the same positions each time",
            )
        )
    return Layer(
        True,
        sees,
        window,
        reads,
        rotations,
        bias,
        temperature,
        measured.sink,
        (*tables, *parts),
        lacks or missing or problem,
        tuple(remarks),
        reason,
    )


def _window(network: Network, measured: Measured) -> tuple[str, int | None]:
    """Return how far the layer sees in the model of full size: small windows stand for keys of the file."""
    sees, width = measured.view or ("whole", None)
    if width is None:
        return ("whole" if sees == "everything" else sees), None
    sizes = network.small.windows
    for factor, more in ((1, 0), (1, 1), (1, -1), (2, 0)):  # w, w + 1, w − 1, or half of w on both sides
        if (size := sizes.get(factor * width - more)) is not None:
            return sees, size[1] // factor + more
    if (size := sizes.get(2 * width + 1)) is not None:
        return sees, size[1] // 2
    return sees, width


def _rotations(
    network: Network, measured: Measured, known: dict[Any, Any]
) -> tuple[tuple[Rotation, ...], tuple[Part, ...], Text | None]:
    """Return the rotations of a layer, the encoding that does the attention's, and why there is none."""
    rotations: list[Rotation] = []
    parts: tuple[Part, ...] = ()
    lacks = None
    for of, turn, order in (
        ("attention", measured.query, measured.order),
        ("indexer", measured.indexer, measured.indexer_order),
    ):
        if turn is None or not len(turn.first):
            continue
        turn = _in_order_of_weights(turn, order)
        key = (
            of,
            turn.first[0].item(),
            turn.second[0].item(),
            turn.maps.shape,
            round(float(turn.angles[4].sum()), 4),
        )
        if key not in known:
            known[key] = _rotation(network, of, turn)
        rotation, part, problem = known[key]
        rotations.append(rotation)
        if of == "attention":
            parts, lacks = part, problem
            if measured.key is not None and not _same(measured.key, measured.query):
                lacks = _UNKNOWN_RATES
    return tuple(rotations), parts, lacks


def _same(key: Turn, query: Turn | None) -> bool:
    """Return whether keys turn as queries do, at positions whose angles are exact enough."""
    near = key.positions < 1024
    return (
        query is not None
        and key.maps.shape == query.maps.shape
        and torch.allclose(key.maps[near], query.maps[near], atol=CLOSE)
    )


def _in_order_of_weights(turn: Turn, order: Sequence[int] | None) -> Turn:
    """Return ``turn`` with features as the projection has them, if that is known."""
    d = turn.maps.shape[-1]
    if order is None or sorted(order) != list(range(min(order), min(order) + d)):
        return turn
    places = torch.tensor(order) - min(order)
    back = places.argsort()
    first, second = places[turn.first], places[turn.second]
    swapped = first > second
    first, second = torch.where(swapped, second, first), torch.where(swapped, first, second)
    by_first = first.argsort()
    return turn._replace(maps=turn.maps[:, back][:, :, back], first=first[by_first], second=second[by_first])


def _rotation(network: Network, of: str, turn: Turn) -> tuple[Rotation, tuple[Part, ...], Text | None]:
    """Probe one rotation, name it and find an encoding that agrees with it."""
    d, places = turn.maps.shape[-1], {at: row for row, at in enumerate(turn.positions.tolist())}

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        if positions.is_floating_point():
            raise TypeError("the model takes whole positions")
        if missing := [at for at in positions.tolist() if at not in places]:
            raise IndexError(f"not measured at position {missing[0]}")
        maps = turn.maps[[places[at] for at in positions.tolist()]]
        return torch.einsum("...li,lij->...lj", x.double(), maps).to(x.dtype)

    probe = probe_rotation(rotate, d, signature="x, positions")
    start = int(turn.first.min())
    pairing = probe.pairing or "listed"
    measured = torch.tensor(probe.inverse_frequencies, dtype=torch.float64)
    own, scale, named = _own_frequencies(network, turn, measured)
    clockwise = probe.direction == "clockwise"
    features = 2 * sum(1 for rate in own if rate)
    rotation = Rotation(of, pairing, features, probe.base, tuple(own), start, clockwise, scale)
    if of != "attention":
        return rotation._replace(base=_base(network, rotation, probe.base)), (), None
    if clockwise:
        return rotation, (), _CLOCKWISE
    for part in _candidates(network, rotation, probe.base, d):
        if _agrees(network, part, turn, rotation):
            rotation = rotation._replace(base=float(part.settings["base"]))
            return rotation if named else rotation._replace(inverse_frequencies=rates(part)), (part,), None
    return rotation, (), _UNKNOWN_RATES


def _base(network: Network, rotation: Rotation, fitted: float | None) -> float | None:
    """Return the base in the file with which plain frequencies are those of ``rotation``."""
    n = len(rotation.inverse_frequencies)
    own = torch.tensor(rotation.inverse_frequencies, dtype=torch.float64)
    for rope in ropes_of(network.small.full):
        base = rope.get("rope_theta")
        if base and torch.allclose(float(base) ** (-torch.arange(n).double() / n), own, rtol=1e-4):
            return float(base)
    return fitted


def _own_frequencies(network: Network, turn: Turn, measured: Tensor) -> tuple[list[float], float, bool]:
    """Return the class's own frequencies, their scale and True; those measured and False if it has others."""
    n = len(measured)
    for module in network.module.modules():
        for name, buffer in module.named_buffers(recurse=False):
            if buffer.ndim != 1 or "inv_freq" not in name or "original" in name or len(buffer) < n:
                continue
            rates = buffer.double().abs()
            turning = rates[rates > 0]
            same = len(turning) == n and torch.allclose(turning, measured, rtol=1e-3, atol=1e-9)
            still = not len(rates[n:]) or rates[n:].max() * turn.positions[-1] < 1e-4  # too slow to be seen
            if same or (still and torch.allclose(rates[:n], measured, rtol=1e-3)):
                scale = getattr(module, name.replace("inv_freq", "attention_scaling"), 1.0)
                return rates.tolist(), round(float(scale), 7), True
    return measured.tolist(), 1.0, False


def _candidates(network: Network, rotation: Rotation, fitted: float | None, d: int) -> Iterator[Part]:
    """Yield encodings that the settings in the file could mean; the last has the base that was fitted."""
    config = network.small.full
    longest = attribute(config, "max_position_embeddings")
    turned = 2 * len(rotation.inverse_frequencies)
    width = d if rotation.start == 0 else turned
    ropes: list[Mapping[str, Any]] = [rope for rope in ropes_of(config) if rope.get("rope_theta")]
    sections = [item.mrope_section for item in network.module.modules() if hasattr(item, "mrope_section")]
    if sections:  # M-RoPE, also where the file leaves the sections to the code
        ropes = [{"mrope_section": sections[0], **rope} for rope in ropes]
    bare = [{"rope_theta": rope["rope_theta"]} for rope in ropes]
    for rope in (*ropes, *bare, *([{"rope_theta": fitted}] if fitted else [])):
        rotary_dim = turned if turned <= width else width
        try:
            part = rotary_part(rope, longest, width, rotation.pairing, rotary_dim)
            part.makes(**part.settings)
        except (ValueError, TypeError):
            continue
        yield part
        if part.makes is MultiAxisRotary:
            for layout in ("contiguous", "interleaved"):
                yield Part(part.makes, {**part.settings, "layout": layout})
            plain = {key: value for key, value in part.settings.items() if key not in ("sections", "layout")}
            yield Part(RotaryEncoding, {**plain, "turning_pairs": None})


def _agrees(network: Network, part: Part, turn: Turn, rotation: Rotation) -> bool:
    """Return whether an encoding rotates random vectors as the model does, where the model is exact."""
    encoding = part.makes(**part.settings)
    near = turn.positions < 1024
    width = part.settings["d_head"]
    block = slice(rotation.start, rotation.start + width)
    numbers = torch.Generator().manual_seed(3)
    x = torch.randn(1, 1, int(near.sum()), width, dtype=torch.float64, generator=numbers)
    expected = torch.einsum("...li,lij->...lj", x, turn.maps[near][:, block, block])
    turning = torch.cat((turn.first, turn.second)) - rotation.start
    expected[..., turning] *= rotation.scale
    positions = turn.positions[near]
    if not torch.allclose(encoding.turn(x, positions), expected, atol=CLOSE):
        return False
    if not _same_rates(part, rotation):
        return False
    return part.makes is not MultiAxisRotary or _agrees_on_axes(network, encoding, turn, x)


def _same_rates(part: Part, rotation: Rotation) -> bool:
    """Return whether slow pairs agree too: their angles are small at every position that was compared."""
    own = torch.tensor([rate for rate in rotation.inverse_frequencies if rate], dtype=torch.float64)
    return torch.allclose(torch.tensor(rates(part))[: len(own)].double(), own, rtol=1e-3)


def _agrees_on_axes(network: Network, encoding: Any, turn: Turn, x: Tensor) -> bool:
    """Return whether M-RoPE agrees with the model at positions of several coordinates."""
    numbers = torch.Generator().manual_seed(5)
    positions = torch.randint(1, 500, (x.shape[-2], encoding.axes), generator=numbers)
    positions[0] = 0
    try:
        watch = network.still(positions)
    except (RuntimeError, ValueError, IndexError):
        return False
    for number, layer in enumerate(network.layers):
        seen = network.of_layer(watch, number)
        if layer.query is None or seen is None or seen.query is None or layer.head != encoding.d_head:
            continue
        if not torch.equal(layer.query.first, turn.first):
            continue
        start = seen.query[:, :, :1].expand_as(seen.query)
        return torch.allclose(
            encoding.turn(start, positions), seen.query, atol=CLOSE * float(start.abs().max())
        )
    return False


def _bias(network: Network, measured: Measured) -> tuple[str | None, tuple[Part, ...]]:
    """Name what is added to scores, and return the encoding that adds the same."""
    if not isinstance(measured.bias, Tensor):
        return ("by content", ()) if measured.bias == "content" else (None, ())
    config, bias = network.small.full, measured.bias.double()
    length = bias.shape[-1]
    places = torch.arange(length)
    distances = places - places[:, None]
    toeplitz = all(
        torch.nan_to_num(bias.diagonal(offset, -2, -1), 0).std(-1).max() < 1e-3
        for offset in range(-length + 2, length - 1)
    )
    seen = ~bias.isnan()
    heads = int(attribute(config, "num_attention_heads") or attribute(config, "num_heads") or HEADS)
    for signed in (False, True):
        alibi = alibi_bias(bias.shape[0], places, places, signed, dtype=torch.float64)
        if torch.allclose(alibi[seen], bias[seen], atol=1e-3):
            return "ALiBi", (
                Part(
                    ALiBi, {"n_heads": heads, **({"signed": True} if signed and not measured.causal else {})}
                ),
            )
    buckets, farthest = (
        getattr(config, f"relative_attention_{name}", None) for name in ("num_buckets", "max_distance")
    )
    if buckets and farthest and toeplitz:
        both_ways = measured.encoder or not measured.causal
        row = t5_buckets(distances, buckets, farthest, bidirectional=both_ways)
        same = all(
            float(
                (values := bias[:, (row == bucket) & seen[0]])
                .max(-1)
                .values.sub(values.min(-1).values)
                .abs()
                .max()
            )
            < 1e-3
            for bucket in row[seen[0]].unique()
        )
        if same:
            sizes = {"n_heads": heads, "n_buckets": buckets, "max_distance": farthest}
            return "T5", (Part(T5RelativeBias, {**sizes, "bidirectional": both_ways}),)
    return ("by distance" if toeplitz else "by content"), ()


def _temperatures(config: Any) -> Iterator[Part]:
    """Yield the temperatures that settings in ``config``, or a model's code, could mean."""

    def has(*names: str) -> bool:
        return all(isinstance(getattr(config, name, None), (int, float)) for name in names)

    if has("attn_scale", "floor_scale"):
        yield Part(QueryTemperature, {"scale": config.attn_scale, "step": int(config.floor_scale)})
    if has("log_scaling_alpha", "log_scaling_n_floor"):
        yield Part(
            LogTemperature, {"scale": config.log_scaling_alpha, "floor": int(config.log_scaling_n_floor)}
        )
    for rope in ropes_of(config):
        if (beta := rope.get("llama_4_scaling_beta")) and rope.get("original_max_position_embeddings"):
            yield Part(
                QueryTemperature, {"scale": beta, "step": rope["original_max_position_embeddings"], "plus": 0}
            )
    yield Part(PowerTemperature, {"exponent": 0.1, "step": 2048})  # numbers in Beam's code


def _temperature(
    network: Network, measured: Measured
) -> tuple[Mapping[str, Any] | None, tuple[Part, ...], Text | None]:
    """Return the factor of queries by position, the encoding that has it, and why there is none."""
    if all((scale - 1).abs().max() < 1e-3 for _, scale in measured.scales) or not measured.turns:
        return None, (), None
    for small, full in zip(
        _temperatures(network.small.config), _temperatures(network.small.full), strict=True
    ):
        encoding: Any = small.makes(**small.settings)
        if all(
            any(
                torch.allclose(encoding.times((positions + 1).double()), scale, rtol=1e-3)
                for positions in (where, torch.arange(len(where)))
            )
            for where, scale in measured.scales
        ):
            return {"kind": full.makes.__name__, **full.settings}, (full,), None
    where, scale = measured.scales[-1]
    return (
        {str(int(at)): round(float(value), 6) for at, value in zip(where, scale, strict=True)},
        (),
        _TEMPERATURE,
    )


def _tables(network: Network, measured: Measured) -> tuple[tuple[Part, ...], Text | None]:
    """Return the encoding that is added before the first layer, and why there is none."""
    if not network.adds:
        return (), None
    mine = [
        table
        for table in network.tables
        if ("encoder." in table[0]) == measured.encoder and "encoder" in table[0]
    ]
    for _, table, first in mine or network.tables:
        width = table.shape[-1]
        for order in ("interleaved", "halves", "cosines_first"):
            for one_less in (False, True):
                for offset in dict.fromkeys((first, 0, 1, 2)):
                    settings: dict[str, Any] = {"order": order, "first": offset}
                    if one_less:
                        settings["base"] = 10000.0 ** (width / (width - 2))
                    if _is_sinusoidal(table, width, settings, first):
                        return (Part(SinusoidalEncoding, _full_sines(network, settings, one_less)),), None
    for _, table, first in mine or network.tables:
        if any(table.data_ptr() == parameter.data_ptr() for parameter in network.module.parameters()):
            return (Part(LearnedEncoding, _full_table(network, table, first)),), None
    return (), _ANOTHER_TABLE


def _is_sinusoidal(table: Tensor, width: int, settings: Mapping[str, Any], first: int) -> bool:
    """Return whether the rows of ``table`` from that of position 0 on are those of the encoding."""
    if width % 2 or len(table) < first + 12:
        return False
    encoding = SinusoidalEncoding(width, 16, **settings)
    for row in dict.fromkeys((first, 0, settings["first"])):
        if torch.allclose(table[row : row + 12].float(), encoding.encode(torch.arange(12)), atol=1e-4):
            return True
    return False


def _full_sines(network: Network, settings: Mapping[str, Any], one_less: bool) -> dict[str, Any]:
    width = int(network.small.full.hidden_size)
    base = {"base": 10000.0 ** (width / (width - 2))} if one_less else {}
    return {"d_model": width, **settings, **base}


def _full_table(network: Network, table: Tensor, first: int) -> dict[str, Any]:
    """Return width and rows of a table at full size: of the rows, those that are positions."""
    config, small = network.small.full, network.small
    rows, width = table.shape
    for value, tiny in small.rows.values():
        if 0 <= rows - tiny < 8:
            rows += value - tiny
            break
    hidden = int(config.hidden_size)
    if width != small.config.hidden_size:
        hidden = attribute(config, "embedding_size") or attribute(config, "word_embed_proj_dim") or hidden
    return {"d_model": hidden, "max_len": rows - first}
