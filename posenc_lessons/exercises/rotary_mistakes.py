"""What the usual mistakes in lesson 05's exercises return, so that a check can name the one it sees."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.exercises.reading import Suspect
from posenc_lessons.exercises.solutions import rotary as reference
from posenc_lessons.language import Text

TRANSPOSED = Text(
    "旋转转置了：sin 的两个符号放反，转成了顺时针 R_mᵀ。查询和键若都这样转，分数里的 n−m 就变成 m−n。"
    "应当是 (a cos − b sin, a sin + b cos)。",
    "Your rotation is transposed: the two signs of sin are swapped, so it turns clockwise, by R_mᵀ. "
    "With queries and keys both turned so, (R_m q)·(R_n k) holds m−n where n−m belongs. "
    "It should be (a cos − b sin, a sin + b cos).",
)
DEGREES = Text(
    "角度用了度数：cos 和 sin 要的是弧度。",
    "The angles are in degrees: cos and sin want radians.",
)


def split(x: Tensor, halves: bool) -> tuple[Tensor, Tensor]:
    return tuple(x.chunk(2, dim=-1)) if halves else (x[..., 0::2], x[..., 1::2])  # type: ignore[return-value]


def join(a: Tensor, b: Tensor, halves: bool) -> Tensor:
    return torch.cat([a, b], dim=-1) if halves else torch.stack([a, b], dim=-1).flatten(-2)


def turned(x: Tensor, angles: Tensor, *, halves: bool = False) -> Tensor:
    """x [..., L, d] with each pair turned anticlockwise by angles [L, d/2]."""
    a, b = split(x, halves)
    return join(a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos(), halves)


def rates(d: int, base: float) -> Tensor:
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)


def rotate_suspects(x: Tensor, positions: Tensor, base: float) -> list[Suspect]:
    x, d = x.double(), x.shape[-1]
    p = positions.double()[:, None]
    i = torch.arange(d // 2, dtype=torch.float64)
    angles = p * rates(d, base)
    twice, tiled = angles.repeat_interleave(2, dim=-1), torch.cat([angles, angles], dim=-1)
    a, b = split(x, True)
    by_90 = join(-b, a, True)
    even, odd = split(x, False)
    return [
        (turned(x, -angles, halves=True), TRANSPOSED),
        (
            turned(x, angles),
            Text(
                "配对错了：你把相邻的第 2i 个和第 2i+1 个配成一对。这里要对半配对：第 i 个和第 i + d/2 个。",
                "The wrong pairing: yours are neighbours, 2i with 2i+1. Here it is half-split: feature i "
                "goes with feature i + d/2.",
            ),
        ),
        (
            x * twice.cos() + by_90 * twice.sin(),
            Text(
                "cos 和 sin 的表按另一种次序排了：repeat_interleave 给出 θ0 θ0 θ1 θ1 …，那是相邻配对用的。"
                "对半配对要接起来：cat([t, t])，排成 θ0 θ1 … θ0 θ1 …。",
                "The cos and sin tables are laid out in the other order: repeat_interleave gives "
                "θ0 θ0 θ1 θ1 …, for neighbours. Halves need them joined, cat([t, t]): θ0 θ1 … θ0 θ1 ….",
            ),
        ),
        (
            x * tiled.cos() + join(-odd, even, False) * tiled.sin(),
            Text(
                "两种写法混在一起了：表是对半接起来的，交换伙伴时却用了相邻的两个。两样要用同一种配对。",
                "Two conventions are mixed: the tables are laid out for halves, but neighbours change "
                "places. Both must use one pairing.",
            ),
        ),
        (
            x * tiled.cos() + join(b, a, True) * tiled.sin(),
            Text(
                "少了负号：交换一对特征时，第一个要取负，(a, b) → (−b, a)。",
                "A minus sign is missing: when a pair changes places the first becomes negative, "
                "(a, b) → (−b, a).",
            ),
        ),
        (
            x * tiled.cos() + x * tiled.sin(),
            Text(
                "sin 前面乘的应当是转过 90° 的 x，也就是 (−b, a)，不是 x 自己。",
                "What sin multiplies is x turned by 90°, (−b, a), not x itself.",
            ),
        ),
        (
            join(*split(turned(x, angles, halves=True), True), False),
            Text(
                "转得对，放错了地方：你把两半交错叠起来了。用 cat 接起来，第一个特征全在前半。",
                "Turned well, put back wrongly: you interleaved the halves. Join them with cat, first "
                "features in the first half.",
            ),
        ),
        (
            turned(x, p * base ** (-i / d), halves=True),
            Text(
                "指数里用了 i/d，应当是 2i/d（i 数的是第几对）。",
                "The exponent is i/d where it should be 2i/d (i counts pairs).",
            ),
        ),
        (
            turned(x, p * base ** (2 * i / d), halves=True),
            Text(
                "θ 的指数少了负号：θ_i = base^(−2i/d) 应当越来越小，你的越来越大。",
                "θ lost its minus sign: θ_i = base^(−2i/d) should shrink, yours grows.",
            ),
        ),
        (
            turned(x, p * 10000.0 ** (-2 * i / d), halves=True),
            Text(
                "底数写死成了 10000：请用传进来的 base。",
                "The base is fixed at 10000: use the base that was passed in.",
            ),
        ),
        (
            turned(x, p.expand(-1, d // 2), halves=True),
            Text(
                "每一对都转了同样的角度：第 i 对要乘上自己的 θ_i。",
                "Every pair turns by the same angle: multiply pair i by its own θ_i.",
            ),
        ),
        (
            turned(x, torch.arange(len(p)).double()[:, None] * rates(d, base), halves=True),
            Text(
                "没有用上 positions：你数的是 0、1、2 …，而位置是传进来的。",
                "positions was not used: you count 0, 1, 2 …, but the positions are given.",
            ),
        ),
        (
            turned(x, (p + 1) * rates(d, base), halves=True),
            Text("位置多数了 1：位置 0 不转。", "Positions are off by one: position 0 does not turn."),
        ),
        (turned(x, torch.deg2rad(angles), halves=True), DEGREES),
        (
            x + join(angles.sin(), angles.cos(), False),
            Text(
                "这是加法，也就是第 02 课的正弦编码。RoPE 不加，只转。",
                "That adds, which is lesson 02's sinusoidal encoding. RoPE adds nothing; it turns.",
            ),
        ),
        (x, Text("x 原样返回了，没有转。", "x came back unchanged; nothing was turned.")),
    ]


def score_suspects(query: Tensor, key: Tensor, distance: int, base: float) -> list[Suspect]:
    query, key, d = query.double(), key.double(), len(query)

    def at(angles: Tensor, *, halves: bool = False) -> Tensor:
        return query @ turned(key[None], angles[None], halves=halves)[0]

    theta = rates(d, base)
    return [
        (
            at(abs(distance) * theta),
            Text(
                "你用了 |n−m|：距离的符号丢了，往前看和往后看变成一样。RoPE 看到的是 n−m。",
                "You used |n−m|: the sign of the distance is lost, and ahead looks like behind. "
                "RoPE sees n−m.",
            ),
        ),
        (
            at(-distance * theta),
            Text(
                "方向反了：这是 qᵀ R_(m−n) k。旋转转置了，或者转的是查询。应当是 qᵀ R_(n−m) k，转键。",
                "The wrong way round: that is qᵀ R_(m−n) k. The rotation is transposed, or you turned the "
                "query instead of the key. It should be qᵀ R_(n−m) k.",
            ),
        ),
        (
            at(distance * theta, halves=True),
            Text(
                "配对错了：你用了对半式（i 和 i + d/2），这里要相邻配对（2i 和 2i+1）。",
                "The wrong pairing: half-split (i with i + d/2). Here neighbours belong together "
                "(2i with 2i+1).",
            ),
        ),
        (
            query @ key,
            Text(
                "没有用上 distance：这只是 q·k。",
                "distance was not used: this is plain q·k.",
            ),
        ),
        (
            query @ turned(key[None], (distance * theta)[None])[0] / math.sqrt(d),
            Text(
                "这里要的是 qᵀ R k 本身，先不除以 √d。",
                "Wanted is qᵀ R k itself, not yet divided by √d.",
            ),
        ),
        (
            turned(query[None], (distance * theta)[None])[0] @ turned(key[None], (distance * theta)[None])[0],
            Text(
                "查询和键转了同样的角度，正好抵消。只转其中的键。",
                "Query and key were turned by the same angle, and it cancels. Turn the key alone.",
            ),
        ),
        (
            torch.cos(distance * theta).sum(),
            Text(
                "这是第 02 课里位置和位置的点积 Σ cos。这里要把 q 和 k 的内容也算进去。",
                "That is lesson 02's dot product of position with position, Σ cos. Here the contents of "
                "q and k count too.",
            ),
        ),
        (at(torch.deg2rad(distance * theta)), DEGREES),
    ]


def partial_suspects(x: Tensor, positions: Tensor, fraction: float, base: float) -> list[Suspect]:
    x, d = x.double(), x.shape[-1]
    p = positions.double()[:, None]
    width = int(d * fraction) // 2 * 2
    theta = rates(width, base)
    first, rest = x[..., :width], x[..., width:]

    def both(part: Tensor) -> Tensor:
        return torch.cat([part, rest], dim=-1)

    suspects = [
        (both(turned(first, -p * theta)), TRANSPOSED),
        (
            both(turned(first, p * theta, halves=True)),
            Text(
                "配对错了：这里要相邻配对（2i 和 2i+1）；你用了对半配对。",
                "The wrong pairing: here neighbours belong together, 2i with 2i+1; yours is half-split.",
            ),
        ),
        (
            both(turned(first, p * rates(d, base)[: width // 2])),
            Text(
                "频率是按整个头的宽度 d_head 算的。分母应当是真正转的那部分的宽度。",
                "The frequencies are those of the whole d_head. Divide by the width that turns.",
            ),
        ),
        (
            turned(x, p * rates(d, base)),
            Text(
                "整个头都转了：只转前面 fraction 那一部分，其余原样留下。",
                "The whole head was turned: turn only the first fraction of it and leave the rest.",
            ),
        ),
        (
            torch.cat([x[..., : d - width], turned(x[..., d - width :], p * theta)], dim=-1),
            Text(
                "转的是后面一部分：应当转前面的，后面的原样留下。",
                "You turned the last features: turn the first ones and leave the last.",
            ),
        ),
        (
            both(torch.zeros_like(first)) if width < d else torch.zeros_like(x),
            Text("前面那部分变成了 0。", "The first part became 0."),
        ),
        (x, Text("x 原样返回了，没有转。", "x came back unchanged; nothing was turned.")),
    ]
    up = min(d, width + 2)
    if int(d * fraction) % 2:
        suspects.append(
            (
                torch.cat([turned(x[..., :up], p * rates(up, base)), x[..., up:]], dim=-1),
                Text(
                    "d_head · fraction 是奇数时，要往下取偶数，你往上取了。",
                    "When d_head · fraction is odd, go down to an even number; you went up.",
                ),
            )
        )
    return suspects


def convert_suspects(weight: Tensor, n_heads: int) -> list[Suspect]:
    weight = weight.double()
    heads = weight.unflatten(0, (n_heads, -1))
    d_head = heads.shape[1]
    back = heads.unflatten(1, (2, d_head // 2)).transpose(1, 2).flatten(1, 2).flatten(0, 1)
    suspects = [
        (
            back,
            Text(
                "方向反了：这个置换把对半式变成相邻式。第 i 行应当取自原来的第 2i 行。",
                "The wrong way round: this permutation turns half-split into interleaved. Row i should come "
                "from row 2i.",
            ),
        ),
        (
            reference.to_half_split(weight, 1),
            Text(
                "你把所有的头当成一个头来重排，行跑到别的头里去了。每个头各自重排。",
                "All heads were reordered as if they were one, so rows moved into other heads. Reorder "
                "each head by itself.",
            ),
        ),
        (
            heads.flip(1).flatten(0, 1),
            Text(
                "这是首尾颠倒，不是把偶数行放前面、奇数行放后面。",
                "That is last to first, not even rows before odd ones.",
            ),
        ),
        (
            torch.cat([heads[:, 1::2], heads[:, 0::2]], dim=1).flatten(0, 1),
            Text(
                "奇数行放到前面了：一对里的第一个（偶数行）要在前半，否则旋转的方向会反。",
                "Odd rows came first: the first of each pair (even rows) belongs in the first half, or "
                "the rotation runs backwards.",
            ),
        ),
        (weight, Text("权重原样返回了。", "The weight came back unchanged.")),
    ]
    if weight.shape[1] == weight.shape[0]:
        columns = weight.T.unflatten(0, (n_heads, -1))
        moved = torch.cat([columns[:, 0::2], columns[:, 1::2]], dim=1).flatten(0, 1).T
        suspects.append(
            (
                moved,
                Text(
                    "你重排了列，列是输入。nn.Linear 的权重是 [输出, 输入]，要重排的是行。",
                    "You reordered columns, which are inputs. nn.Linear keeps [outputs, inputs]: rows, then.",
                ),
            )
        )
    return suspects


def attend_suspects(query: Tensor, key: Tensor, value: Tensor) -> list[Suspect]:
    q, k, v = (x.double() for x in (query, key, value))
    root = math.sqrt(q.shape[-1])
    by_head = torch.einsum("blid,bljd->blij", q, k) / root
    dots = torch.einsum("blhd,bmhd->bhlm", q, k)

    def over_positions(weights: Tensor) -> Tensor:
        return torch.einsum("bhlm,bmhd->blhd", weights, v)

    return [
        (
            torch.einsum("blij,bljd->blid", by_head.softmax(dim=-1), v),
            Text(
                "注意力跑到头那一维上去了：[B, L, H, d] 里倒数第二维是头，不是位置，于是每个词元只看自己。"
                "先 transpose(1, 2)。",
                "Attention runs over the head axis: in [B, L, H, d] the last axis but one is heads, "
                "so each token sees only itself. transpose(1, 2) first.",
            ),
        ),
        (
            over_positions(dots.softmax(dim=-1)),
            Text("忘了除以 √d_head。", "The division by √d_head is missing."),
        ),
        (
            over_positions((dots / q.shape[-1]).softmax(dim=-1)),
            Text(
                "你除以的是 d_head，应当除以它的平方根。", "You divide by d_head; divide by its square root."
            ),
        ),
        (
            over_positions((dots / root).softmax(dim=-2)),
            Text(
                "softmax 做错了方向：应当对键归一化，dim=-1。",
                "softmax over the wrong axis: normalise over the keys, dim=-1.",
            ),
        ),
        (
            over_positions((dots / root).softmax(dim=1)),
            Text(
                "softmax 做在头那一维上了：应当对键归一化，dim=-1。",
                "softmax was taken over the heads: normalise over the keys, dim=-1.",
            ),
        ),
        (over_positions(dots / root), Text("少了 softmax。", "The softmax is missing.")),
        (
            over_positions((dots / root).transpose(-2, -1).softmax(dim=-1)),
            Text("查询和键换了位置。", "Query and key changed places."),
        ),
        (
            over_positions(
                (dots / root)
                .tril()
                .masked_fill(torch.ones(dots.shape[-2:]).triu(1).bool(), -math.inf)
                .softmax(dim=-1)
            ),
            Text(
                "这里不要因果掩码：每个词元看得到所有位置。",
                "No causal mask here: each token sees every position.",
            ),
        ),
        (v, Text("这就是 v 自己：每个词元只看了自己。", "That is v itself: each token saw only itself.")),
    ]
