"""The examples of the sheets, computed by the package from the reader's numbers."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.encodings import (
    apply_rotary,
    cope_positions,
    multimodal_positions,
    relative_distances,
    rotary_frequencies,
    scaled_frequencies,
    sinusoidal_encoding,
)
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.figures.sheet import Table
from posenc_lessons.language import Text
from posenc_lessons.models.masks import positions_among_real


def digits(values: Tensor, places: int = 4) -> tuple[str, ...]:
    """Write each of ``values`` with that many decimals and a true minus sign."""
    return tuple(f"{float(value):.{places}f}".replace("-", "−") for value in values)


def whole(values: Tensor) -> tuple[str, ...]:
    """Write each of ``values`` as a whole number with a true minus sign."""
    return tuple(str(int(value)).replace("-", "−") for value in values)


def shared(*names: str) -> tuple[Text, ...]:
    """Name columns by symbols that both languages share."""
    return tuple(Text(name, name) for name in names)


# ---- 01: attention without positions ----


def attention_by_hand(x: list[float]) -> Table:
    """Attend from each of the numbers ``x`` to all, and again with the last number moved to the front."""
    values = torch.tensor(x, dtype=torch.float64)
    rows: list[tuple[str, ...]] = []
    for tokens in (values, values.roll(1)):
        outputs = (tokens[:, None] * tokens).softmax(dim=-1) @ tokens
        rows += [("x", *digits(tokens, 2)), ("softmax(x xᵀ) x", *digits(outputs))]
    return Table(shared("", *(str(place) for place in range(len(x)))), tuple(rows))


# ---- 02: sinusoids ----


def sinusoid_by_hand(first: int, base: float) -> Table:
    """Encode four positions from ``first`` on with d = 4."""
    table = sinusoidal_encoding(torch.arange(first, first + 4), 4, base=base, dtype=torch.float64)
    head = shared("m", "sin m", "cos m", "sin mθ₁", "cos mθ₁")
    return Table(head, tuple((str(first + n), *digits(row)) for n, row in enumerate(table)))


# ---- 03: learned tables ----


def stretched_by_hand(rows: list[float], length: int) -> Table:
    """Stretch a table of one column to ``length`` rows."""
    table = LearnedEncoding(1, len(rows)).to(torch.float64)
    table.table.data = torch.tensor(rows, dtype=torch.float64)[:, None]
    places = torch.arange(length, dtype=torch.float64) * (len(rows) - 1) / (length - 1)
    new = table.resized(length).table.detach()[:, 0]
    head = (Text("新的行", "new row"), Text("在旧表中的位置", "place in the old table"), Text("值", "value"))
    return Table(head, tuple((str(n), *digits(places[[n]], 3), *digits(new[[n]], 3)) for n in range(length)))


# ---- 04: relative positions ----


def distances_by_hand(length: int, k: int) -> Table:
    """Number the rows of Shaw's table for ``length`` queries and keys."""
    index = relative_distances(length, length, clip=k) + k
    head = (Text("查询 i", "query i"), *shared(*(f"j = {j}" for j in range(length))))
    return Table(head, tuple((str(i), *whole(row)) for i, row in enumerate(index)))


# ---- 05: rotary ----


def rotary_by_hand(q: list[float], k: list[float], m: int, n: int) -> Table:
    """Rotate ``q`` at ``m`` and ``k`` at ``n``, here and 1000 positions further on."""
    vectors = torch.tensor([q, k], dtype=torch.float64)
    rows: list[tuple[str, ...]] = []
    for at in ((m, n), (m + 1000, n + 1000)):
        query, key = apply_rotary(vectors, torch.tensor(at))
        for name, vector in (("q", query), ("k", key)):
            rows.append((f"R({at[name == 'k']}) {name}", *digits(vector, 3), ""))
        rows[-1] = (*rows[-1][:-1], *digits((query @ key)[None]))
    head = (*shared("", "0", "1", "2", "3"), Text("q · k", "q · k"))
    return Table(head, tuple(rows))


# ---- 06: CoPE ----


def gates_by_hand(gates: list[float]) -> Table:
    """Count the ``gates`` from each key to the last one, and show how the table is interpolated."""
    # The logit of a closed gate is finite, because −inf would mean a hidden key.
    opened = torch.tensor(gates, dtype=torch.float64)
    logits = (opened / (1 - opened)).log().clamp(min=-1e6)
    positions = cope_positions(logits[None], max_position=len(gates))[0]
    rows = []
    for j, (gate, p) in enumerate(zip(gates, positions.tolist(), strict=True)):
        below = math.floor(p + 1e-9)
        share = max(p - below, 0.0)
        mix = f"e[{below}]" if share < 1e-6 else f"{1 - share:.2f}·e[{below}] + {share:.2f}·e[{below + 1}]"
        rows.append((str(j), f"{gate:.2f}", f"{p:.2f}", mix))
    return Table((Text("键 j", "key j"), *shared("g", "p", "e[p]")), tuple(rows))


# ---- 07: masks ----


def mask_by_hand(scores: list[float], visible: list[float]) -> Table:
    """Turn ``scores`` into weights without and with the mask; ``visible`` is 1 or 0 for each key."""
    row = torch.tensor(scores, dtype=torch.float64)
    seen = torch.tensor([each > 0 for each in visible])
    masked = row.masked_fill(~seen, -math.inf)
    head = shared("", *(f"n = {n}" for n in range(len(scores))))
    rows = (
        ("q·k/√d", *digits(row, 2)),
        ("softmax", *digits(row.softmax(dim=-1), 3)),
        ("+ M", *(text if keep else "−∞" for text, keep in zip(digits(masked, 2), seen, strict=True))),
        ("softmax", *digits(masked.softmax(dim=-1), 3)),
    )
    return Table(head, rows)


# ---- 08: longer texts ----


def wavelengths_by_hand(base: float, length: int, factor: float) -> Table:
    """List the wavelengths of d = 8, plain, interpolated and with the NTK base."""
    plain = 2 * math.pi / rotary_frequencies(8, base)
    ways = [
        2 * math.pi / scaled_frequencies(8, base, method, factor, length)[0] for method in ("linear", "ntk")
    ]
    head = (
        Text("对 i", "pair i"), Text("波长", "wavelength"), Text("圈数", "rounds in L"), *shared("PI", "NTK"),
    )  # fmt: skip
    rows = [
        (
            str(i),
            *digits(plain[[i]], 1),
            *digits(length / plain[[i]], 2),
            *(digits(way[[i]], 1)[0] for way in ways),
        )
        for i in range(4)
    ]
    return Table(head, tuple(rows))


# ---- 09: whose position ----


def positions_by_hand(real: list[float]) -> Table:
    """Number the tokens of one row, by columns and by real tokens."""
    row = torch.tensor([[each > 0 for each in real]])
    counted = positions_among_real(row)[0]
    given = ["·" if not seen else word for seen, word in zip(row[0], whole(counted), strict=True)]
    rows = (
        ("real", *whole(row[0].long())),
        ("arange", *(str(n) for n in range(len(real)))),
        ("cumsum − 1", *given),
    )
    return Table(shared("", *(str(n) for n in range(len(real)))), rows)


# ---- 10: not every layer ----


def reach_by_hand(windows: list[float], length: int) -> Table:
    """Add up how many tokens the last output depends on, layer by layer; a window of 0 sees all."""
    reached, rows = 1, []
    for layer, window in enumerate(windows):
        w = int(window)
        more = length - reached if w == 0 else min(w - 1, length - reached)
        reached += more
        rows.append((str(layer), "∞" if w == 0 else str(w), f"+{more}", str(reached)))
    head = (
        Text("层", "layer"), Text("看得见", "sees"), Text("多几个", "more"), Text("够得着", "reach"),
    )  # fmt: skip
    return Table(head, tuple(rows))


# ---- 11: more coordinates ----


def multimodal_by_hand(before: int, height: int, width: int) -> Table:
    """Number text, an image and one more text token on three axes."""
    numbered, _ = multimodal_positions([("text", before), ("image", height, width), ("text", 1)])
    rows = tuple((name, *whole(axis)) for name, axis in zip("thw", numbered.T, strict=True))
    return Table(shared("", *(str(place) for place in range(len(numbered)))), rows)
