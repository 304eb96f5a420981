"""Name what was measured in each layer, with the encodings of this library that do the same.

An encoding is made of the settings in the configuration and is compared with the small model: only one that
agrees is returned.
"""

from posenc_lessons.configs.added import bias_of, table_of, temperature_of
from posenc_lessons.configs.layers import Layer, Part, Reads, Rotation, Sees
from posenc_lessons.configs.network import WARM, Network, Place
from posenc_lessons.configs.rotations import NoSuchRotation, rotation_of
from posenc_lessons.configs.watching import Attended
from posenc_lessons.language import Text

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
    "rotation": Text(
        "查询或键随位置变，但不是文件里的设置能给出的旋转",
        "queries or keys change with position, but no settings in the file give these frequencies",
    ),
    "hidden": Text("看不到它的查询和分数", "neither its queries nor its scores could be seen"),
}


def layers_of(network: Network) -> list[Layer]:
    """Return every layer of the model that ``network`` stands for, at its full size."""
    return [_layer(network, number, place) for number, place in enumerate(network.places)]


def _layer(network: Network, number: int, place: Place) -> Layer:
    if not place.attends:
        return Layer(attends=False, remarks=(NO_ATTENTION,))
    record = network.of_layer(network.still(None), number)
    queries = network.features(number, network.positions)
    reason = "hidden" if queries is None and not network.adds else None
    rotations: list[Rotation] = []
    parts: list[Part | None] = []
    lacks: list[str | None] = []
    try:
        for of in ("attention", "indexer"):
            if (turning := rotation_of(network, number, of)) is not None:
                rotations.append(turning[0])
                parts += [turning[1]] if of == "attention" else []
    except NoSuchRotation:
        reason = "rotation"
    if any(rotation.clockwise for rotation in rotations):
        parts, lacks = [], ["clockwise"]
    bias, part = bias_of(network, place, record) if record is not None else (None, None)
    tables, missing = table_of(network, place.encoder)
    temperature, factor, problem = None, None, None
    if queries is not None and not reason:
        temperature, factor, problem = temperature_of(network, queries)
        lacks.append("values" if record is not None and _values_change(record) else None)
    parts += [part, factor]
    lacks += [bias, missing, problem]
    sees, window = _window(network, place)
    turned = any(rotation.of == "attention" for rotation in rotations)
    reads: Reads = "place" if network.adds and not turned else "distance" if turned or bias else "none"
    unusual = {
        "counts": turned and network.positions is None,
        "once": bool(tables),
        "other": sees == "other",
        "sink": record is not None and record.sink,
        "more": record is not None and record.more > 0,
        "start": any(rotation.start for rotation in rotations if rotation.of == "attention"),
    }
    return Layer(
        sees=sees,
        window=window,
        reads=reads,
        rotations=tuple(rotations),
        bias=bias,
        temperature=temperature,
        sink=unusual["sink"],
        keys_of=place.keys_of,
        passes=place.runs,
        parts=(*tables, *filter(None, parts)),
        lacks=next((LACKS[name] for name in lacks if name in LACKS), None),
        remarks=tuple(REMARKS[name] for name, holds in unusual.items() if holds),
        reason=REASONS[reason] if reason else None,
    )


def _values_change(record: Attended) -> bool:
    """Return whether values differ by position, from that on which convolutions have filled."""
    if record.value is None:
        return False
    values = record.value[..., WARM:, :]
    return bool((values - values[..., :1, :]).abs().max() > 1e-5)


def _window(network: Network, place: Place) -> tuple[Sees, int | None]:
    """Return how far the layer sees in the model of full size: small windows stand for keys of the file."""
    sees, width = place.view
    if width is None:
        return ("whole" if sees == "everything" else sees), None  # type: ignore[return-value]
    sizes = network.small.windows
    # A key w may mean w, w + 1 or w − 1 tokens, or half of them on both sides.
    for factor, more in ((1, 0), (1, 1), (1, -1), (2, 0), (2, -1)):
        if (size := sizes.get(factor * width - more)) is not None:
            return sees, size[1] // factor + (more if factor == 1 else 0)  # type: ignore[return-value]
    return sees, width  # type: ignore[return-value]
