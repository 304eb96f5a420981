"""What the usual mistakes of lesson 07's exercises return, and what to say to each."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.exercises.reading import Suspect
from posenc_lessons.exercises.solutions import transformer as reference
from posenc_lessons.language import Text

ShapeName = tuple[tuple[int, ...], Text]  # a shape that a known mistake gives, and its name


# ---- 1 · split heads --------------------------------------------------------------------------------------


def split_shapes(batch: int, length: int, n_heads: int, d_head: int) -> list[ShapeName]:
    """Shapes that the usual mistakes return for ``split_heads``."""
    return [
        (
            (batch, length, n_heads, d_head),
            Text(
                "还差一步：头那一维要换到长度前面，transpose(1, 2)。不换，注意力就会在头之间做。",
                "One step is missing: the axis of heads belongs before that of length, transpose(1, 2). "
                "Without it attention runs among the heads.",
            ),
        ),
        (
            (batch * n_heads, length, d_head),
            Text(
                "这是笔记的 [B·h, L, d_head]。这里把批量和头分开放：[B, h, L, d_head]，掩码和权重好对上号。",
                "That is the notes' [B·h, L, d_head]. Keep batch and heads apart here, [B, h, L, d_head], so "
                "that masks and weights can be matched to them.",
            ),
        ),
        (
            (n_heads, batch, length, d_head),
            Text("批量在最前面，头在第二位。", "Batch comes first, heads second."),
        ),
        (
            (batch, d_head, length, n_heads),
            Text(
                "n_heads 和 d_head 弄反了：先分成 n_heads 段，每段宽 d_head。",
                "n_heads and d_head are exchanged: there are n_heads pieces, each d_head wide.",
            ),
        ),
        (
            (batch, n_heads, d_head, length),
            Text(
                "最后两维反了：一行一个词元，[..., L, d_head]。",
                "The last two axes are exchanged: a row for each token, [..., L, d_head].",
            ),
        ),
    ]


def split_suspects(x: Tensor, n_heads: int) -> list[Suspect]:
    """Heads as the usual mistakes cut them; all have the right shape."""
    batch, length, d_model = x.shape
    d_head = d_model // n_heads
    return [
        (
            x.reshape(batch, n_heads, length, d_head),
            Text(
                "形状对，数不对：直接 view 成 [B, h, L, d_head]，把不同词元的特征切到了一个头里。先 view 成"
                " [B, L, h, d_head]，再 transpose(1, 2)。",
                "The shape is right, the numbers are not: a view straight to [B, h, L, d_head] cuts features "
                "of different tokens into one head. View as [B, L, h, d_head] first, then transpose(1, 2).",
            ),
        ),
        (
            x.unflatten(-1, (d_head, n_heads)).permute(0, 3, 1, 2),
            Text(
                "每个头应当拿一段连续的特征；你是隔着取的（0, h, 2h, …）。",
                "Each head takes a run of neighbouring features; yours takes every h-th one (0, h, 2h, …).",
            ),
        ),
        (
            reference.split_heads(x, n_heads).flip(1),
            Text("头的次序反了：第 0 个头拿最前面的特征。", "In reverse: head 0 takes the first features."),
        ),
    ]


# ---- 2 · join heads ---------------------------------------------------------------------------------------


def join_shapes(batch: int, length: int, n_heads: int, d_head: int) -> list[ShapeName]:
    """Shapes that the usual mistakes return for ``join_heads``."""
    return [
        (
            (batch, length, d_head),
            Text(
                "头要接起来，不是平均或相加：宽度还是 h · d_head。混合各个头，是 W_o 的事。",
                "Heads are put side by side, neither averaged nor added: the width is h · d_head again. "
                "Mixing them is the work of W_o.",
            ),
        ),
        (
            (batch * length, n_heads * d_head),
            Text(
                "停在了 [B·L, d]，批量没有还原，接不上残差。要 [B, L, d]。",
                "Left at [B·L, d]: the batch is not put back, and no residual can be added. [B, L, d] it is.",
            ),
        ),
        (
            (batch, length, n_heads, d_head),
            Text("还差一步：把最后两维合成一维。", "One step is missing: flatten the last two axes."),
        ),
        (
            (batch, n_heads, length * d_head),
            Text(
                "合错了两维：先把头换到长度后面，再合并头和 d_head。",
                "The wrong two axes were joined: move heads behind length first, then flatten heads and "
                "d_head.",
            ),
        ),
        (
            (batch, n_heads * d_head, length),
            Text("长度应当在特征前面：[B, L, d]。", "Length comes before features: [B, L, d]."),
        ),
    ]


def join_suspects(heads: Tensor) -> list[Suspect]:
    """Tokens as the usual mistakes put them together; all have the right shape."""
    batch, n_heads, length, d_head = heads.shape
    return [
        (
            heads.reshape(batch, length, n_heads * d_head),
            Text(
                "形状对，数不对：没有先 transpose(1, 2)，不同词元的特征接到了一起。",
                "The shape is right, the numbers are not: without transpose(1, 2) first, features of "
                "different tokens are put together.",
            ),
        ),
        (
            heads.permute(0, 2, 3, 1).flatten(2),
            Text(
                "每个头的特征应当连在一起；你把各个头交错着放了。",
                "The features of one head belong together; yours takes one from each head in turn.",
            ),
        ),
        (
            reference.join_heads(heads.flip(1)),
            Text("头的次序反了：第 0 个头在最前面。", "In reverse: head 0 comes first."),
        ),
    ]


# ---- 3 · causal mask and padding --------------------------------------------------------------------------


def mask_shapes(batch: int, length: int) -> list[ShapeName]:
    """Shapes that the usual mistakes return for ``causal_padding_mask``."""
    return [
        (
            (batch, length, length),
            Text(
                "少了头那一维：[B, 1, L, L]，里面的 1 让每个头都用它。",
                "The axis of heads is missing: [B, 1, L, L], whose 1 lets every head use it.",
            ),
        ),
        (
            (batch, 1, 1, length),
            Text("只有填充，没有因果的三角形。", "Padding alone: the triangle is missing."),
        ),
        (
            (length, length),
            Text("只有因果的三角形，填充没有用上。", "The triangle alone: the padding was not used."),
        ),
        (
            (batch, length, 1, length),
            Text(
                "多出来的 1 放错了地方：头那一维是第二维，[B, 1, L, L]。",
                "The extra 1 stands in the wrong place: heads are the second axis, [B, 1, L, L].",
            ),
        ),
    ]


def mask_suspects(real: Tensor) -> list[Suspect]:
    """Masks [B, 1, L, L] as the usual mistakes make them, as numbers 1 and 0."""
    batch, length = real.shape
    full = (batch, 1, length, length)
    lower = torch.ones(length, length, dtype=torch.bool).tril()
    keys, queries = real[:, None, None, :], real[:, None, :, None]
    suspects = [
        (
            ~(lower & keys),
            Text(
                "意思反了：这里 True 表示可以看（nn.MultiheadAttention 才是 True 表示遮住）。",
                "The opposite sense: here True means may look (in nn.MultiheadAttention True hides).",
            ),
        ),
        (
            lower | keys,
            Text(
                "两个条件要同时成立，用 &；用 | 的话，后面的词元只要不是填充就漏了进来。",
                "Both must hold, so &; with | a later token leaks in as long as it is not padding.",
            ),
        ),
        (
            lower.T & keys,
            Text("三角形反了：你让词元只看后面。", "The triangle is the wrong one: yours looks ahead."),
        ),
        (
            lower.tril(-1) & keys,
            Text(
                "对角线也要是 True：词元可以看自己。第 0 行现在什么也看不到。",
                "The diagonal should be True as well: a token may see itself. Row 0 now sees nothing at all.",
            ),
        ),
        (lower & queries & keys, HIDES_QUERIES),
        (lower & queries, HIDES_QUERIES),
        (
            keys.expand(full),
            Text("只有填充，没有因果的三角形。", "Padding alone: the triangle is missing."),
        ),
        (
            lower.expand(full),
            Text("只有因果的三角形，填充没有用上。", "The triangle alone: the padding was not used."),
        ),
        (
            lower & ~keys,
            Text(
                "real 里的 True 是真词元；你把真词元遮住，留下了填充。",
                "True in real is a real token; yours hides those and leaves the padding.",
            ),
        ),
    ]
    return [(mask.expand(full).double(), name) for mask, name in suspects]


HIDES_QUERIES = Text(
    "遮的是键，不是查询：填充的那一行也要有东西可看，不然 softmax 给出 NaN。",
    "Hide keys, not queries: the padding's own row needs something to see, or softmax gives NaN.",
)


# ---- 4 · add & norm ---------------------------------------------------------------------------------------

NO_EPS = Text(
    "根号里少了 eps：特征差别很小时结果不对，全都一样时方差是 0，得到 NaN。",
    "eps is missing under the root: features that hardly differ come out wrong, and where all are equal the "
    "variance is 0 and gives NaN.",
)


def norm_suspects(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> list[Suspect]:
    """x + y, normalised as the usual mistakes do it."""
    total = x + y

    def over(dims: tuple[int, ...], of: Tensor = total) -> Tensor:
        mean = of.mean(dim=dims, keepdim=True)
        variance = (of - mean).square().mean(dim=dims, keepdim=True)
        return (of - mean) / (variance + eps).sqrt()

    centred = total - total.mean(dim=-1, keepdim=True)
    variance = centred.square().mean(dim=-1, keepdim=True)
    return [
        (
            over((-2, -1)) * gain + shift,
            Text(
                "你在 [L, d] 上归一化：每个词元的结果都取决于别的词元，未来会漏进来，长度也固定了。"
                "只在最后一维上归一化，dim=-1。",
                "You normalise over [L, d]: every token's result depends on all the others, the future leaks "
                "in, and the length is frozen. Normalise over the last axis alone, dim=-1.",
            ),
        ),
        (
            over((-2,)) * gain + shift,
            Text(
                "你在长度那一维上归一化了，把同一个特征在各个词元之间比。应当是 dim=-1，一个词元一份。",
                "You normalise along the length, comparing one feature among tokens. It is dim=-1, each "
                "token by itself.",
            ),
        ),
        (
            over((0,)) * gain + shift,
            Text(
                "你在批量那一维上归一化了，那是批归一化。应当是 dim=-1。",
                "You normalise over the batch, which is batch normalisation. It is dim=-1.",
            ),
        ),
        (
            over((-1,), y) * gain + shift,
            Text("漏了残差：要归一化的是 x + y。", "The residual is missing: normalise x + y."),
        ),
        (over((-1,), x) * gain + shift, Text("y 没有用上。", "y was not used.")),
        (
            x + over((-1,), y) * gain + shift,
            Text(
                "次序反了：先相加，再归一化；你是归一化了 y，再加 x。",
                "In the wrong order: add first, then normalise; yours normalises y and then adds x.",
            ),
        ),
        (
            over((-1,)),
            Text("gain 和 shift 没有用上。", "gain and shift were not used."),
        ),
        (over((-1,)) * gain, Text("shift 没有加上。", "shift was not added.")),
        (
            over((-1,)) + shift,
            Text("gain 没有乘上。", "gain was not multiplied in."),
        ),
        (
            (over((-1,)) + shift) * gain,
            Text("先乘 gain，再加 shift。", "Multiply by gain first, add shift afterwards."),
        ),
        (
            centred / (variance * total.shape[-1] / (total.shape[-1] - 1) + eps).sqrt() * gain + shift,
            UNBIASED,
        ),
        (
            centred / ((variance * total.shape[-1] / (total.shape[-1] - 1)).sqrt() + eps) * gain + shift,
            UNBIASED,
        ),
        (
            centred / (variance + eps) * gain + shift,
            Text("除以的是方差，应为标准差：开根号。", "You divide by the variance; take its square root."),
        ),
        (
            total / (total.square().mean(dim=-1, keepdim=True) + eps).sqrt() * gain + shift,
            Text(
                "没有减去均值：那是 RMSNorm，也是好东西，但不是这里要的。",
                "The mean is not subtracted: that is RMSNorm, a fine thing, but not what is asked for here.",
            ),
        ),
        (
            total / (variance + eps).sqrt() * gain + shift,
            Text("没有减去均值。", "The mean is not subtracted."),
        ),
        (
            centred * gain + shift,
            Text("没有除以标准差。", "It is not divided by the standard deviation."),
        ),
        (centred / variance.sqrt() * gain + shift, NO_EPS),
        (
            centred / (variance.sqrt() + eps) * gain + shift,
            Text(
                "eps 要放在根号里面：√(方差 + eps)；特征差别很小时，两种写法差得多。",
                "eps belongs under the root, √(variance + eps); where features hardly differ, the two "
                "forms do.",
            ),
        ),
    ]


UNBIASED = Text(
    "方差要除以 d，你除以了 d − 1：torch 的 std 和 var 默认除以 d − 1，写 unbiased=False。",
    "The variance is divided by d, yours by d − 1: torch's std and var do that unless told unbiased=False.",
)
