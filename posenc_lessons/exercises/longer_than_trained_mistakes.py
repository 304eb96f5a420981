"""What the usual mistakes in lesson 08's exercises return, so that a check can name the one it sees."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.exercises.reading import Suspect
from posenc_lessons.language import Text

ROUNDED = Text(
    "取整了：每几个词元挤在同一个位置。旋转不在乎位置是不是整数，小数要留着。",
    "You rounded: several tokens share each place. A rotation does not mind fractions; keep them.",
)
ABRUPT = Text(
    "中间少了过渡：slow 和 fast 之间要按圈数线性地混合。",
    "There is no way between: from slow to fast, mix in proportion to the turns.",
)
ORDER = Text("次序是：平均、最小、最大。", "The order is mean, least, largest.")


def squeeze_suspects(positions: Tensor, trained: int, length: int) -> list[Suspect]:
    p, factor = positions.double(), length / trained
    suspects = [
        (
            p * max(factor, 1),
            Text(
                "方向反了：你把位置乘了 factor，离训练过的范围更远了。应当除。",
                "The wrong way round: you multiplied by the factor and went further from what was trained. "
                "Divide.",
            ),
        ),
        (
            p % trained,
            Text(
                "取余数会让位置 trained 变回 0：相邻的两个词元忽然隔得很远。要压缩，不要绕回。",
                "The remainder sends position trained back to 0, and two neighbours are suddenly far apart. "
                "Squeeze, do not wrap round.",
            ),
        ),
        (
            p.clamp(max=trained - 1),
            Text(
                "你把超出的位置都当成了最后一个：后面的词元全挤在一处，分不出先后。",
                "You gave every position beyond the last trained one: all later tokens share one place, in "
                "no order.",
            ),
        ),
        (
            (p / max(factor, 1)).floor(),
            ROUNDED,
        ),
        (
            (p / max(factor, 1)).round(),
            ROUNDED,
        ),
        (
            p * (trained - 1) / max(length - 1, 1) if length > trained else p,
            Text(
                "你让首尾对齐，除的是 (length − 1)/(trained − 1)。位置插值除以 length/trained。",
                "You matched first and last, dividing by (length − 1)/(trained − 1). Position interpolation "
                "divides by length/trained.",
            ),
        ),
        (
            p / trained,
            Text(
                "你除以的是 trained。要除以倍数 length/trained。",
                "You divided by trained. Divide by the factor, length/trained.",
            ),
        ),
        (
            p - max(length - trained, 0),
            Text(
                "你做的是平移：位置差没有变，开头还变成了负数。要压缩。",
                "You shifted: the distances stay as they were, and the start became negative. Squeeze.",
            ),
        ),
    ]
    if length > trained:
        suspects.append(
            (
                p,
                Text("位置原样返回了，没有压缩。", "The positions came back unchanged."),
            )
        )
    if length < trained:
        suspects.append(
            (
                p / factor,
                Text(
                    "文本比训练的还短，位置就不该动；你把它拉长了。factor 至少是 1。",
                    "This text is shorter than the training: leave its positions alone. The factor is 1 at "
                    "least.",
                ),
            )
        )
    return suspects


def larger_base_suspects(base: float, d: int, factor: float) -> list[Suspect]:
    def number(value: float) -> Tensor:
        return torch.tensor(value, dtype=torch.float64)

    return [
        (
            number(base * factor),
            Text(
                "指数丢了：底数只乘了 factor，最慢的一对慢不到 factor 倍，因为它的指数是 −(d−2)/d，不是 −1。",
                "The exponent is missing: with the base times factor the slowest pair is slower by less than "
                "factor, for its exponent is −(d−2)/d and not −1.",
            ),
        ),
        (
            number(base * factor ** ((d - 2) / d)),
            Text(
                "指数颠倒了：应当是 d/(d−2)，比 1 大一点；你用了 (d−2)/d。",
                "The exponent is upside down: it is d/(d−2), a little above 1; yours is (d−2)/d.",
            ),
        ),
        (
            number(base * factor ** (d / (d - 1))),
            Text(
                "最后一对的指数是 −(d−2)/d：i 数到 d/2 − 1，2i 是 d − 2。你用了 d − 1。",
                "The last pair's exponent is −(d−2)/d: i ends at d/2 − 1, so 2i is d − 2. You used d − 1.",
            ),
        ),
        (
            number(base * factor ** (d // 2 / (d // 2 - 2))) if d > 4 else number(base * factor**d),
            Text(
                "d 是特征数，不是对数：用 d/(d−2)，不要先除以 2。",
                "d counts features, not pairs: use d/(d−2) without halving d first.",
            ),
        ),
        (
            number((base * factor) ** (d / (d - 2))),
            Text(
                "指数只属于 factor：base · factor^(d/(d−2))，底数自己不乘方。",
                "The exponent belongs to factor alone: base · factor^(d/(d−2)); do not raise the base too.",
            ),
        ),
        (
            number(base / factor ** (d / (d - 2))),
            Text(
                "除反了：底数变小，转得更快。要更大的底数，转得更慢。",
                "The wrong way round: a smaller base turns faster. Slower needs a larger base.",
            ),
        ),
        (number(base), Text("底数没有变。", "The base has not changed.")),
        (
            number(factor ** (d / (d - 2))),
            Text("少乘了原来的底数。", "The old base is missing from the product."),
        ),
    ]


def unfinished_suspects(d: int, base: float, trained: int) -> list[Suspect]:
    i = torch.arange(d // 2, dtype=torch.float64)
    theta = base ** (-2 * i / d)
    return [
        (
            trained * theta / (2 * math.pi) >= 1,
            Text(
                "反了：你标出的是转满一圈的。要转不满的。",
                "The other way round: those do come full circle. Wanted are those that do not.",
            ),
        ),
        (
            trained * theta < 1,
            Text(
                "少了 2π：trained · θ 是弧度，一圈是 2π 弧度，不是 1。",
                "2π is missing: trained · θ is in radians, and a turn is 2π of them, not 1.",
            ),
        ),
        (
            trained * theta < math.pi,
            Text("一圈是 2π，你只要求了半圈。", "A turn is 2π; you asked for half of one."),
        ),
        (
            trained * theta < 360,
            Text(
                "θ 是弧度：一圈是 2π，不是 360。",
                "θ is in radians: a turn is 2π, not 360.",
            ),
        ),
        (
            trained * base ** (-i / d) < 2 * math.pi,
            Text(
                "指数里用了 i/d，应当是 2i/d。",
                "The exponent is i/d where it should be 2i/d.",
            ),
        ),
        (
            trained * base ** (2 * i / d) < 2 * math.pi,
            Text(
                "θ 的指数少了负号：θ_i = base^(−2i/d)，越往后越慢。",
                "θ lost its minus sign: θ_i = base^(−2i/d), slower and slower.",
            ),
        ),
        (
            trained * 10000.0 ** (-2 * i / d) < 2 * math.pi,
            Text(
                "底数写死成了 10000：请用传进来的 base。",
                "The base is fixed at 10000: use the base that was passed in.",
            ),
        ),
    ]


def by_parts_suspects(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> list[Suspect]:
    turns = trained * theta / (2 * math.pi)
    ramp = ((turns - slow) / (fast - slow)).clamp(0, 1)

    def mixed(kept: Tensor) -> Tensor:
        return kept * theta + (1 - kept) * theta / factor

    return [
        (
            mixed(1 - ramp),
            Text(
                "反了：转得多的对应当保留，转得少的才除以 factor。",
                "The wrong way round: keep pairs that turn often, divide those that hardly turn.",
            ),
        ),
        (
            mixed((turns - slow) / (fast - slow)),
            Text(
                "忘了把份额夹在 0 和 1 之间：两头的对被推过了头。",
                "The share is not kept between 0 and 1: the pairs at either end are pushed too far.",
            ),
        ),
        (
            mixed(((trained * theta - slow) / (fast - slow)).clamp(0, 1)),
            Text(
                "少了 2π：圈数是 trained · θ / 2π。",
                "2π is missing: the number of turns is trained · θ / 2π.",
            ),
        ),
        (
            1 / (ramp / theta + (1 - ramp) * factor / theta),
            Text(
                "你混合的是波长。论文混合的是频率：γ·θ + (1−γ)·θ/factor。",
                "You mixed wavelengths. The paper mixes frequencies: γ·θ + (1−γ)·θ/factor.",
            ),
        ),
        (
            ramp * theta + (1 - ramp) * theta * factor,
            Text(
                "慢的对乘了 factor，转得更快了。要除。",
                "Slow pairs were multiplied by factor and turn faster. Divide.",
            ),
        ),
        (
            torch.where(turns >= (slow + fast) / 2, theta, theta / factor),
            ABRUPT,
        ),
        (
            torch.where(turns > slow, theta, theta / factor),
            ABRUPT,
        ),
        (
            torch.where(turns >= fast, theta, theta / factor),
            ABRUPT,
        ),
        (
            theta / factor,
            Text(
                "所有的对都除了 factor：那是位置插值。这里快的对要保留。",
                "Every pair was divided by factor: position interpolation. Here fast pairs are kept.",
            ),
        ),
        (theta, Text("theta 原样返回了。", "theta came back unchanged.")),
        (
            ramp,
            Text("这是份额 γ，还要用它去混合频率。", "That is γ; now mix the frequencies with it."),
        ),
    ]


def answers(seeds: int, batch: int, length: int, trained: int, seed: int) -> tuple[Tensor, Tensor]:
    """``right`` [S, B, L], better before ``trained``, and ``counted`` [B, L], fewer in later sequences."""
    generator = torch.Generator().manual_seed(seed)
    share = torch.where(torch.arange(length) < trained, 0.9, 0.35)
    level = torch.linspace(0.7, 1.4, seeds)[:, None, None]
    right = torch.rand(seeds, batch, length, generator=generator) < share * level
    counted = torch.rand(batch, length, generator=generator) < torch.linspace(0.95, 0.5, batch)[:, None]
    counted[:, -1] = True  # every sequence has something to count beyond the training
    return right, counted


def beyond_suspects(right: Tensor, counted: Tensor, trained: int) -> list[Suspect]:
    length = right.shape[2]

    def of_seeds(counts: Tensor) -> Tensor:
        return right[:, counts].double().mean(dim=1)

    def three(shares: Tensor) -> Tensor:
        return torch.stack([shares.mean(), shares.min(), shares.max()])

    late = torch.arange(length) >= trained
    counts = counted & late
    shares = of_seeds(counts)
    suspects = [
        (
            three(of_seeds(counted)),
            Text(
                "训练过的位置也算进去了，它们把失败盖住了。只算 trained 和它后面的。",
                "Positions of the training are in it and hide the failure. Count those from trained on.",
            ),
        ),
        (
            three(of_seeds(late.expand_as(counted))),
            Text(
                "不该数的也数了：没有答案的位置（counted 为 False）不算。",
                "Answers that do not count are in it: leave out positions where counted is False.",
            ),
        ),
        (
            three(right.double().flatten(1).mean(dim=1)),
            Text(
                "所有位置都算进去了：训练过的和没有答案的都不该算。",
                "Every position is in it: neither trained ones nor those without an answer should be.",
            ),
        ),
        (
            three(of_seeds(counted & ~late)),
            Text(
                "你算的是训练过的位置。要的是从 trained 开始的那些。",
                "Those are the positions of the training. Wanted are those from trained on.",
            ),
        ),
        (
            three((right & counts).double().flatten(1).mean(dim=1)),
            Text(
                "分母错了：除以该数的个数，不是所有的格子。",
                "The denominator is wrong: divide by how many count, not by every cell.",
            ),
        ),
        (
            three((right & counts).sum(dim=(0, 2)).double() / (len(right) * counts.sum(dim=1))),
            Text(
                "散布要看种子，不是句子：先对每个种子求平均。",
                "The spread is over seeds, not sequences: average within each seed first.",
            ),
        ),
        (
            torch.stack([shares.mean(), shares.mean(), shares.mean()]),
            Text(
                "三个数一样：先每个种子各自平均，再取平均、最小、最大。",
                "All three are the same: average each seed, then take mean, least and largest.",
            ),
        ),
        (
            torch.stack([shares.min(), shares.mean(), shares.max()]),
            ORDER,
        ),
        (
            torch.stack([shares.mean(), shares.max(), shares.min()]),
            ORDER,
        ),
    ]
    if trained + 1 < length:
        later = counted & (torch.arange(length) > trained)
        suspects.append(
            (
                three(of_seeds(later)),
                Text(
                    "差了一个：训练过的是 0 到 trained − 1，位置 trained 已经是新的。",
                    "Off by one: training had 0 to trained − 1, so position trained is new already.",
                ),
            )
        )
    if len(right) > 1:
        deviation = shares.std(unbiased=False)
        for spread in (deviation, shares.std()):
            suspects.append(
                (
                    torch.stack([shares.mean(), shares.mean() - spread, shares.mean() + spread]),
                    Text(
                        "那是平均加减标准差。这里要真正出现过的最小和最大。",
                        "That is the mean and one standard deviation either way. Wanted are the least and "
                        "the largest that occurred.",
                    ),
                )
            )
    return suspects
