"""What the usual mistakes in lesson 06's exercises return, so that a check can name the one it sees."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.exercises.reading import Suspect
from posenc_lessons.exercises.solutions import cope as reference
from posenc_lessons.language import Text

DIRECTION = Text(
    "累加的方向反了：cumsum 从第 0 个键加起，数的是开头到键；要从键加到查询：flip、cumsum、再 flip。",
    "The cumsum runs in the wrong direction: it starts from key 0 and counts from the beginning to the "
    "key. From the key to the query it is flip, cumsum, flip.",
)
GATES_FIRST = Text(
    "先过了门，后用掩码：查询后面的键也被数进去了，未来漏了出来。先把它们的分数变成 −∞，σ(−∞) = 0，再加。",
    "The gates come before the mask: keys after the query are counted too, and the future leaks. Set their "
    "scores to −∞ first, σ(−∞) = 0, then add up.",
)
KEY_LEFT_OUT = Text(
    "键自己没有数进去：从 k = j 加起，不是 j + 1。门全开时，自己到自己的位置是 1。",
    "The key itself was not counted: the sum starts at k = j, not j + 1. With all gates open, a token is at "
    "position 1 from itself.",
)
QUERY_LEFT_OUT = Text(
    "查询自己没有数进去：加到 k = i 为止，i 也算。",
    "The query itself was not counted: the sum runs through k = i, i included.",
)
TOKENS_COUNTED = Text(
    "你数的是词元（i − j + 1），门没有用上。",
    "You count tokens, i − j + 1; the gates were not used.",
)
NO_CLAMP = Text(
    "漏了封顶：门开得多，p 就超过表的最后一行。clamp(max=行数 − 1)。",
    "The clamp is missing: with many open gates p passes the last row of the table. clamp(max=rows − 1).",
)
SWAPPED = Text(
    "⌊p⌋ 和 ⌈p⌉ 换了位置（也就是两个权重换了）：p − ⌊p⌋ 乘的是 z[⌈p⌉]，离谁近，谁的权重大。",
    "⌊p⌋ and ⌈p⌉ have changed places, which is to say their weights have: p − ⌊p⌋ multiplies z[⌈p⌉]. The "
    "nearer one weighs more.",
)
ABOVE_THE_TABLE = Text(
    "p 恰好是最后一行 N − 1 时报错了：⌊p⌋ + 1 = N 在表外面。用 ⌈p⌉，或者先 clamp。",
    "It fails where p is exactly the last row, N − 1: ⌊p⌋ + 1 = N is outside the table. Use ⌈p⌉, or clamp.",
)
CUT_OFF = Text(
    "p 的梯度断了：share = p − ⌊p⌋ 要用没有 detach、没有取整的 p。",
    "p gets no gradient: share = p − ⌊p⌋ needs a p that was neither detached nor rounded.",
)


def _suffix_sums(gates: Tensor) -> Tensor:
    return gates.flip(-1).cumsum(dim=-1).flip(-1)


def sentence_suspects(is_end: Tensor) -> list[Suspect]:
    length = len(is_end)
    ends = is_end.double()
    row = ends.expand(length, -1)
    right = reference.sentences_back(is_end).double()
    before_key = torch.cat([torch.zeros(1, dtype=ends.dtype), ends.cumsum(0)[:-1]])
    return [
        (row.cumsum(-1).tril(), DIRECTION),
        (row.cumsum(-1), DIRECTION),
        (_suffix_sums(row).tril(), GATES_FIRST),
        (_suffix_sums(row), GATES_FIRST),
        ((right - row).tril(), KEY_LEFT_OUT),
        (right - ends[:, None] * torch.ones(length, length).tril(), QUERY_LEFT_OUT),
        (
            ends.cumsum(0)[:, None] - before_key[None, :],
            Text(
                "查询后面的键应当是 0；你用前缀和相减，那里出现了负数（或者把未来数了进去）。最后 tril "
                "一下。",
                "Keys after the query should be 0. You subtract running sums, and what stands there is "
                "negative, or counts the future. Finish with tril.",
            ),
        ),
        (right.T, Text("转置了：行是查询，列是键。", "Transposed: rows are queries, columns are keys.")),
        (torch.ones(length, length).tril().flip(-1).cumsum(-1).flip(-1).double(), TOKENS_COUNTED),
        (
            row.tril(),
            Text("这只是门，还没有加起来。", "Those are the gates; they have not been added up."),
        ),
        (
            (right > 0).double(),
            Text("要数有几个，不是有没有。", "Count how many ends there are, not whether there is one."),
        ),
    ]


def position_suspects(scores: Tensor, mask: Tensor, max_position: float) -> list[Suspect]:
    scores = scores.double()
    gates = scores.masked_fill(~mask, -math.inf).sigmoid()
    open_gates = scores.sigmoid()

    def finished(counts: Tensor) -> Tensor:
        return counts.clamp(max=max_position).masked_fill(~mask, 0)

    sums = _suffix_sums(gates)
    own = gates.diagonal(dim1=-2, dim2=-1)[..., None]
    no_sigmoid = scores.masked_fill(~mask, 0)
    return [
        (finished(gates.cumsum(dim=-1)), DIRECTION),
        (gates.cumsum(dim=-1).clamp(max=max_position), DIRECTION),
        (finished(open_gates.cumsum(dim=-1)), DIRECTION),
        (finished(_suffix_sums(open_gates)), GATES_FIRST),
        (_suffix_sums(open_gates).clamp(max=max_position), GATES_FIRST),
        (
            sums.clamp(max=max_position),
            Text(
                "藏着的键应当是 0：窗口外面的键没有被数，可是累加的结果还留在它们那一格里。",
                "Hidden keys should be 0: those outside the window were not counted, but the running sum "
                "still stands in their cells.",
            ),
        ),
        (sums.masked_fill(~mask, 0), NO_CLAMP),
        (sums, NO_CLAMP),
        (finished(sums - gates), KEY_LEFT_OUT),
        (finished(sums - own), QUERY_LEFT_OUT),
        (finished(_suffix_sums(mask.double().expand(scores.shape))), TOKENS_COUNTED),
        (
            finished(_suffix_sums(scores.masked_fill(~mask, -math.inf).softmax(dim=-1))),
            Text(
                "门用的是 sigmoid，不是 softmax：每个键开不开，各管各的，加起来不必是 1。",
                "Gates are a sigmoid, not a softmax: each key opens or shuts by itself, and they need not "
                "add up to 1.",
            ),
        ),
        (
            finished(_suffix_sums(no_sigmoid)),
            Text("漏了 sigmoid：你加的是分数。", "The sigmoid is missing: you add up scores."),
        ),
        (
            finished(_suffix_sums((no_sigmoid > 0).double() * mask)),
            Text(
                "门不是非开即关：σ 给出 0 到 1 之间的数。",
                "A gate is not either open or shut: σ gives a number between 0 and 1.",
            ),
        ),
        (
            finished(sums.round()),
            Text("p 不要取整，它可以是小数。", "Do not round p; it may be fractional."),
        ),
        (
            finished(gates.flip(-2).cumsum(dim=-2).flip(-2)),
            Text(
                "加错了方向：你沿着查询（dim=-2）加，应当沿着键（dim=-1）。",
                "Summed along the wrong axis: yours runs over queries (dim=-2), it should be keys (dim=-1).",
            ),
        ),
        (
            finished(gates.cumsum(dim=-2)),
            Text(
                "加错了方向：你沿着查询（dim=-2）加，应当沿着键（dim=-1）。",
                "Summed along the wrong axis: yours runs over queries (dim=-2), it should be keys (dim=-1).",
            ),
        ),
        (
            sums.clamp(max=max_position - 1).masked_fill(~mask, 0),
            Text(
                "封顶差 1：最大是 max_position 本身。",
                "The clamp is off by one: the largest is max_position itself.",
            ),
        ),
        (
            gates,
            Text("这只是门，还没有加起来。", "Those are the gates; they have not been added up."),
        ),
    ]


def interpolation_suspects(z: Tensor, p: Tensor) -> list[Suspect]:
    z, p = z.double(), p.double()
    below, above = p.floor().long(), p.ceil().long()
    low, high = z.gather(-1, below), z.gather(-1, above)
    share = p - below
    suspects = [
        (share * low + (1 - share) * high, SWAPPED),
        (
            share * high + (above - p) * low,
            Text(
                "p 是整数时得了 0：⌈p⌉ − p 和 p − ⌊p⌋ 那时都是 0。另一个权重要写成 1 − (p − ⌊p⌋)。",
                "Where p is whole it gives 0: there ⌈p⌉ − p and p − ⌊p⌋ are both 0. Write the other weight "
                "as 1 − (p − ⌊p⌋).",
            ),
        ),
        (low, Text("只用了 ⌊p⌋，没有插值。", "Only ⌊p⌋ is used; nothing is interpolated.")),
        (high, Text("只用了 ⌈p⌉，没有插值。", "Only ⌈p⌉ is used; nothing is interpolated.")),
        (
            z.gather(-1, p.round().long()),
            Text(
                "你取了最近的一格；要按远近混合两格。",
                "You take the nearest entry; mix the two by how near they are.",
            ),
        ),
        (
            (low + high) / 2,
            Text("两格各取了一半；权重要看 p 离谁近。", "Half of each; the weights should follow p."),
        ),
        (
            low + high,
            Text("两格直接相加了，还没有乘上权重。", "The two are simply added; the weights are missing."),
        ),
    ]
    if int(above.max()) < z.shape[-2] and p.shape[-1] <= z.shape[-1]:  # else gather itself refuses
        wrong_axis = share * z.gather(-2, above) + (1 - share) * z.gather(-2, below)
        name = Text(
            "gather 的方向错了：在位置那一维（dim=-1）上取；你在查询那一维上取，拿到了别的查询的 z。",
            "gather along the wrong axis: read along positions (dim=-1). Along the queries you read "
            "another query's z.",
        )
        suspects.append((wrong_axis, name))
    return suspects


def table_suspects(query: Tensor, wanted: Tensor) -> list[Suspect]:
    """What q · table[n] comes to when the usual mistakes make the table."""
    q, z = query.double(), wanted.double()
    square = q @ q
    return [
        (
            z * square,
            Text(
                "忘了除以 |q|²：q · (z q) = z |q|²。",
                "The division by |q|² is missing: q · (z q) = z |q|².",
            ),
        ),
        (
            z * square.sqrt(),
            Text("除以了 |q|，应为 |q|²。", "You divide by |q|; it should be |q|²."),
        ),
        (
            z / square.sqrt(),
            Text("多除了一个 |q|。", "One division by |q| too many."),
        ),
        (
            z / math.sqrt(len(q)),
            Text("多除了一个 √d：清单里 q·e 不除。", "Divided by √d; the listing does not divide q·e."),
        ),
        (
            z * q.sum(),
            Text(
                "每一行是同一个数抄了 d 遍，点积成了它乘 q 的和。让每一行和 q 同方向。",
                "Each row is one number d times over, so the dot product is that times the sum of q. Let "
                "each row point along q.",
            ),
        ),
        (-z, Text("符号反了。", "The sign is wrong.")),
        (
            z.roll(1),
            Text("错了一行：第 n 行管位置 n，从 0 数起。", "A row off: row n is position n, counted from 0."),
        ),
        (
            z.roll(-1),
            Text("错了一行：第 n 行管位置 n，从 0 数起。", "A row off: row n is position n, counted from 0."),
        ),
        (z.flip(0), Text("次序反了：第 0 行是位置 0。", "In reverse: row 0 is position 0.")),
    ]


def attention_suspects(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> list[Suspect]:
    q, k, v, e = (x.double() for x in (query, key, value, table))
    length, d = q.shape[-2:]
    last = len(e) - 1
    products = q @ k.transpose(-2, -1)
    mask = torch.ones(length, length, dtype=torch.bool).tril()
    everything = torch.ones_like(mask)
    root = math.sqrt(d)
    p = reference.positions(products / root, mask, last)
    z = q @ e.T
    bias = reference.interpolate(z, p)

    def answer(scores: Tensor, visible: Tensor = mask) -> Tensor:
        return scores.masked_fill(~visible, -math.inf).softmax(dim=-1) @ v

    def with_positions(other: Tensor) -> Tensor:
        return answer((products + reference.interpolate(z, other.clamp(0, last))) / root)

    gates = (products / root).masked_fill(~mask, -math.inf).sigmoid()
    whole = _suffix_sums(gates)
    below, above = p.floor().long(), p.ceil().long()
    swapped = (p - below) * z.gather(-1, below) + (1 - p + below) * z.gather(-1, above)
    plain = (products / root).masked_fill(~mask, -math.inf).softmax(dim=-1)
    return [
        (with_positions(_suffix_sums((products / root).sigmoid())), GATES_FIRST),
        (with_positions(gates.cumsum(dim=-1)), DIRECTION),
        (with_positions(whole - gates), KEY_LEFT_OUT),
        (with_positions(whole - gates.diagonal(dim1=-2, dim2=-1)[..., None]), QUERY_LEFT_OUT),
        (with_positions(_suffix_sums(mask.double().expand(products.shape))), TOKENS_COUNTED),
        (
            with_positions(whole.round()),
            Text("p 不要取整，它可以是小数。", "Do not round p; it may be fractional."),
        ),
        (answer((products + swapped) / root), SWAPPED),
        (
            with_positions(_suffix_sums(products.masked_fill(~mask, -math.inf).sigmoid())),
            Text(
                "门用了没有除以 √d 的 q·k，那是论文的公式；公开的代码除了。",
                "The gates are made from q·k not divided by √d, as in the paper's formula; the released code "
                "divides it.",
            ),
        ),
        (
            answer(products / root + bias),
            Text(
                "只有 q·k 除以了 √d，那是论文清单的写法；公开的代码把两项都除。",
                "Only q·k is divided by √d, which is the paper's listing; the released code divides both "
                "terms.",
            ),
        ),
        (
            answer(products + bias / root),
            Text("只有 q·e 除以了 √d，两项都要除。", "Only q·e is divided by √d; both terms should be."),
        ),
        (answer(products + bias), Text("忘了除以 √d。", "The division by √d is missing.")),
        (
            answer(products / root),
            Text("表没有用上：分数里漏了 z[p]。", "The table was not used: z[p] is missing from the scores."),
        ),
        (
            (plain + bias.masked_fill(~mask, 0) / root) @ v,
            Text("z[p] 加晚了：要加在 softmax 之前。", "z[p] comes too late: add it before the softmax."),
        ),
        (
            (plain + bias.masked_fill(~mask, 0)) @ v,
            Text("z[p] 加晚了：要加在 softmax 之前。", "z[p] comes too late: add it before the softmax."),
        ),
        (
            answer(
                (products + reference.interpolate(z, reference.positions(products / root, everything, last)))
                / root,
                everything,
            ),
            Text("没有因果掩码：查询看到了后面的键。", "No causal mask: queries see later keys."),
        ),
        (
            answer((products + bias) / root, everything),
            Text(
                "门用了掩码，softmax 却没有：查询看到了后面的键。",
                "The gates are masked, the softmax is not: queries see later keys.",
            ),
        ),
    ]


def slope_suspects(z: Tensor, p: Tensor) -> list[Suspect]:
    """∂/∂p as the usual mistakes give it."""
    z, p = z.double(), p.double()
    below, above = p.floor().long(), p.ceil().long()
    ahead = (below + 1).clamp(max=z.shape[-1] - 1)
    return [
        (
            z.gather(-1, above) - z.gather(-1, below),
            Text(
                "数值都对，可是 p 恰好是整数时梯度是 0：那里 ⌈p⌉ = ⌊p⌋，斜率 z[⌈p⌉] − z[⌊p⌋] 没有了。"
                "用 ⌊p⌋ 和 ⌊p⌋ + 1。",
                "The numbers are right, but the gradient is 0 where p is whole: there ⌈p⌉ = ⌊p⌋, and the "
                "slope z[⌈p⌉] − z[⌊p⌋] is gone. Use ⌊p⌋ and ⌊p⌋ + 1.",
            ),
        ),
        (
            z.gather(-1, below) - z.gather(-1, ahead),
            Text("梯度的符号反了。", "The gradient has the wrong sign."),
        ),
        (torch.zeros_like(p), CUT_OFF),
    ]
