"""What the usual mistakes in lesson 02's exercises return, so that a check can name the one it sees."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.exercises.reading import Suspect
from posenc_lessons.language import Text


def frequency_suspects(d_model: int, base: float) -> list[Suspect]:
    i = torch.arange(d_model // 2, dtype=torch.float64)
    log = math.log(base)
    return [
        (
            torch.exp(2 * i * log / d_model),
            Text(
                "指数少了负号：频率应当越来越小，你的越来越大。",
                "The exponent lost its minus sign: frequencies should shrink, yours grow.",
            ),
        ),
        (
            torch.exp(-i * log / d_model),
            Text(
                "指数里用了 i/d，应当是 2i/d：现在最慢的钟只慢到 √base 倍左右。",
                "The exponent is i/d where it should be 2i/d: your slowest clock stops near √base.",
            ),
        ),
        (
            torch.exp(-4 * i * log / d_model),
            Text(
                "指数里的 2 乘了两次：arange(0, d, 2) 已经是 2i 了，别再乘 2。",
                "The 2 is in twice: arange(0, d, 2) already is 2i, so do not double it again.",
            ),
        ),
        (
            torch.exp(-2 * i / d_model),
            Text(
                "base 不见了：指数里要乘上 ln(base)，否则底数就成了 e。",
                "The base is missing: multiply the exponent by ln(base), or the base becomes e.",
            ),
        ),
        (
            torch.exp(-2 * i * math.log10(base) / d_model),
            Text(
                "用了 log10：与 exp 配对的是自然对数 math.log。",
                "That is log10: the partner of exp is the natural logarithm, math.log.",
            ),
        ),
        (
            torch.exp(-2 * i * math.log(10000.0) / d_model),
            Text(
                "底数写死成了 10000：请用传进来的 base。",
                "The base is fixed at 10000: use the base that was passed in.",
            ),
        ),
        (
            torch.exp(2 * i) * (-log / d_model),
            Text(
                "括号错位：−ln(base)/d 要在 exp 的里面，不是乘在外面。",
                "A bracket is misplaced: −ln(base)/d belongs inside exp, not multiplied outside it.",
            ),
        ),
        (
            torch.exp(-i * log / max(d_model // 2 - 1, 1)),
            Text(
                "分母用了 d/2 − 1。tensor2tensor 的代码确实这样写，但论文的公式是 2i/d。",
                "The denominator is d/2 − 1. tensor2tensor's code does that, but the paper's formula is "
                "2i/d.",
            ),
        ),
    ]


def table_suspects(positions: Tensor, d_model: int, base: float) -> list[Suspect]:
    p = positions.double()[:, None]
    i = torch.arange(d_model // 2, dtype=torch.float64)
    column = torch.arange(d_model, dtype=torch.float64)
    theta = base ** (-2 * i / d_model)
    right = p * theta

    def interleave(sine: Tensor, cosine: Tensor) -> Tensor:
        return torch.stack([sine, cosine], dim=-1).flatten(-2)

    def waves(angles: Tensor) -> Tensor:
        return interleave(angles.sin(), angles.cos())

    own_angle = p * base ** (-column / d_model)
    doubled = p * base ** (-2 * column / d_model)
    return [
        (
            interleave(right.cos(), right.sin()),
            Text(
                "正弦和余弦放反了：从 0 数起，偶数列（0、2、4…）是正弦，奇数列是余弦。位置 0 "
                "那一行应当是 0 1 0 1。",
                "Sine and cosine are swapped: counting from 0, even columns (0, 2, 4 …) are sine, odd "
                "ones cosine. "
                "The row of position 0 should read 0 1 0 1.",
            ),
        ),
        (
            torch.cat([right.sin(), right.cos()], dim=1),
            Text(
                "你的布局是拼接式：先全部正弦，再全部余弦。这里要交错式：table[:, 0::2] 与 table[:, 1::2]。",
                "Your layout is concatenated: all sines, then all cosines. "
                "Here they interleave: table[:, 0::2] and table[:, 1::2].",
            ),
        ),
        (
            waves(p * base ** (-i / d_model)),
            Text(
                "指数里用了 i/d，应当是 2i/d（i 数的是第几对，不是第几列）。",
                "The exponent is i/d where it should be 2i/d (i counts pairs, not columns).",
            ),
        ),
        (
            torch.where(column % 2 == 0, own_angle.sin(), own_angle.cos()),
            Text(
                "奇数列 j 的指数应当是 (j−1)/d：它和左边那一列是一对，频率相同。你用了 j/d。",
                "An odd column j has exponent (j−1)/d: it shares its left neighbour's frequency. You "
                "used j/d.",
            ),
        ),
        (
            torch.where(column % 2 == 0, doubled.sin(), doubled.cos()),
            Text(
                "指数里的 2i 用了列号：列号 j 本身就等于 2i（偶数列），不用再乘 2。",
                "The 2i in your exponent doubles the column index; column j already equals 2i (for even j).",
            ),
        ),
        (
            waves(p * torch.exp(-2 * i / d_model)),
            Text("base 不见了：频率是 base^(−2i/d)。", "The base is missing: the frequency is base^(−2i/d)."),
        ),
        (
            waves(p * 10000.0 ** (-2 * i / d_model)),
            Text(
                "底数写死成了 10000：请用传进来的 base。",
                "The base is fixed at 10000: use the base that was passed in.",
            ),
        ),
        (
            waves(p * base ** (2 * i / d_model)),
            Text(
                "频率少了负号：应当除以 base^(2i/d)，你乘上去了。",
                "The frequency lost its minus sign: divide by base^(2i/d); you multiplied.",
            ),
        ),
        (
            waves((p + 1) * theta),
            Text(
                "位置多了 1：从 0 数起，位置 0 的角度全是 0。",
                "Positions are one too large: count from 0, so that position 0 has every angle 0.",
            ),
        ),
        (
            waves(torch.arange(len(positions), dtype=torch.float64)[:, None] * theta),
            Text(
                "没有用传进来的 positions：它不一定是 0、1、2…",
                "The positions passed in were not used: they need not be 0, 1, 2 …",
            ),
        ),
        (
            waves(torch.deg2rad(right)),
            Text(
                "把角度当成了度数：sin 和 cos 收的是弧度，不用换算。",
                "The angles were treated as degrees: sin and cos take radians, so no conversion.",
            ),
        ),
        (
            waves(2 * math.pi * right),
            Text(
                "角度多乘了 2π：公式里是 sin(pos·θ)，θ 已经是弧度。",
                "The angles carry an extra 2π: the formula is sin(pos·θ), and θ is in radians already.",
            ),
        ),
    ]


def similarity_suspects(offsets: Tensor, d_model: int, base: float) -> list[Suspect]:
    i = torch.arange(d_model // 2, dtype=torch.float64)
    k = offsets.double()
    angles = torch.outer(k, base ** (-2 * i / d_model))
    right = angles.cos().sum(dim=1)
    return [
        (
            right / (d_model // 2),
            Text(
                "你求了平均（或余弦相似度）。点积是求和：k = 0 时等于 d/2，不是 1。",
                "You took the mean (or the cosine similarity). A dot product is the sum: d/2 at k = 0, "
                "not 1.",
            ),
        ),
        (
            2 * right,
            Text(
                "大了一倍：每一对列合起来只贡献一个 cos(kθ_i)，共 d/2 项，不是 d 项。",
                "Twice too large: each pair of columns gives one cos(kθ_i) in all, so d/2 terms, not d.",
            ),
        ),
        (
            angles.sin().sum(dim=1),
            Text(
                "你加的是 sin(kθ_i)。sin·sin + cos·cos 合成的是 cos：k = 0 时应当最大。",
                "You summed sin(kθ_i). sin·sin + cos·cos folds into a cosine: it should be largest at k = 0.",
            ),
        ),
        (
            (angles.sin() + angles.cos()).sum(dim=1),
            Text(
                "这是把 PE(k) 的各列加了起来，不是两个向量的点积。",
                "That adds up the columns of PE(k); it is not the dot product of two vectors.",
            ),
        ),
        (
            torch.outer(k, base ** (-i / d_model)).cos().sum(dim=1),
            Text("指数里用了 i/d，应当是 2i/d。", "The exponent is i/d where it should be 2i/d."),
        ),
        (
            torch.outer(k, 10000.0 ** (-2 * i / d_model)).cos().sum(dim=1),
            Text(
                "底数写死成了 10000：请用传进来的 base。",
                "The base is fixed at 10000: use the base that was passed in.",
            ),
        ),
        (
            torch.deg2rad(angles).cos().sum(dim=1),
            Text(
                "把角度当成了度数：cos 收的是弧度。",
                "The angles were treated as degrees: cos takes radians.",
            ),
        ),
    ]


def shift_suspects(offset: int, d_model: int, base: float) -> list[Suspect]:
    i = torch.arange(d_model // 2, dtype=torch.float64)
    theta = base ** (-2 * i / d_model)

    def blocks(angles: Tensor, lower_sign: float = -1.0) -> Tensor:
        cos, sin = angles.cos(), angles.sin()
        rows = torch.stack([torch.stack([cos, sin], -1), torch.stack([lower_sign * sin, cos], -1)], -2)
        return torch.block_diag(*rows)

    right = blocks(offset * theta)
    concatenated = torch.cat([torch.arange(0, d_model, 2), torch.arange(1, d_model, 2)])
    return [
        (
            right.T,
            Text(
                "你的矩阵转置了（sin 的符号反了）：它把 PE(p) 变成 PE(p−k)，往回走了 k 步。",
                "Your matrix is transposed (the sines have the opposite sign): it turns PE(p) into PE(p−k), "
                "k steps backwards.",
            ),
        ),
        (
            right[concatenated][:, concatenated],
            Text(
                "你的矩阵配的是拼接式布局（先全部正弦，再全部余弦）。这里每一对列相邻，2×2 "
                "的块排在对角线上。",
                "Your matrix fits the concatenated layout (all sines, then all cosines). "
                "Here a pair is two neighbouring columns, so the 2×2 blocks sit along the diagonal.",
            ),
        ),
        (
            blocks(torch.full_like(theta, float(offset))),
            Text(
                "每一块都转了同样的角度：第 i 块应当转 kθ_i，每只钟有自己的快慢。",
                "Every block turns by the same angle: block i should turn by kθ_i, each clock at its "
                "own rate.",
            ),
        ),
        (
            blocks(offset * theta, lower_sign=1.0),
            Text(
                "两个 sin 同号，就不是旋转了：一个正，一个负。",
                "Both sines have the same sign, so this is no rotation: one is plus, the other minus.",
            ),
        ),
        (
            blocks(theta),
            Text("没有用到 offset：角度是 kθ_i。", "The offset was not used: the angle is kθ_i."),
        ),
        (
            blocks(offset * base ** (-i / d_model)),
            Text("指数里用了 i/d，应当是 2i/d。", "The exponent is i/d where it should be 2i/d."),
        ),
        (
            blocks(offset * 10000.0 ** (-2 * i / d_model)),
            Text(
                "底数写死成了 10000：请用传进来的 base。",
                "The base is fixed at 10000: use the base that was passed in.",
            ),
        ),
        (
            blocks(torch.deg2rad(offset * theta)),
            Text(
                "把角度当成了度数：cos 和 sin 收的是弧度。",
                "The angles were treated as degrees: cos and sin take radians.",
            ),
        ),
    ]


def adding_suspects(x: Tensor, table: Tensor) -> list[Suspect]:
    batch, length, d_model = x.shape
    max_len = len(table)
    suspects: list[Suspect] = []
    if length < max_len:
        suspects.append(
            (
                x + table[length],
                Text(
                    f"少了一个冒号：table[L] 只取出第 {length} 这一行，加到了每个位置上。要的是前 L 行，"
                    "table[:L]。",
                    f"A colon is missing: table[L] is the single row {length}, added to every position. "
                    "You want the first L rows, table[:L].",
                ),
            )
        )
    if length + 1 <= max_len - 1:
        suspects.append(
            (
                x + table[1 : length + 1],
                Text(
                    "从第 1 行取起了：位置 0 的词元要加第 0 行。",
                    "You started at row 1: the token at position 0 takes row 0.",
                ),
            )
        )
    if batch <= max_len:
        suspects.append(
            (
                x + table[:batch][:, None, :],
                Text(
                    "加错了轴：你按句子的序号（第 0 轴）取行，同一句里每个位置都一样。位置在第 1 轴。",
                    "Wrong axis: rows were picked by sentence (axis 0), so every position of a sentence "
                    "gets the "
                    "same one. Positions are axis 1.",
                ),
            )
        )
    suspects += [
        (
            x + table[-length:],
            Text(
                "取成了表的最后 L 行：要前 L 行，table[:L]。",
                "Those are the last L rows of the table: you want the first, table[:L].",
            ),
        ),
        (
            table[:length].expand(batch, length, d_model),
            Text(
                "只返回了位置编码，词嵌入 x 不见了。",
                "Only the position codes came back: the embeddings x are lost.",
            ),
        ),
        (
            x * table[:length],
            Text("这里是相加，不是相乘。", "The two are added, not multiplied."),
        ),
        (
            x,
            Text("x 原样返回了，还没有加上位置编码。", "x came back unchanged: no position code was added."),
        ),
        (
            x * math.sqrt(d_model) + table[:length],
            Text(
                "这里不要乘 √d：那是嵌入层的事。",
                "No √d here: that is for the embedding layer.",
            ),
        ),
    ]
    return suspects
