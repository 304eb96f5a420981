"""The exercises of lesson 07: heads and the mask here; the norm and decoding in files beside it."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.solutions import transformer as solutions
from posenc_lessons.exercises.transformer_decoding import check_cached_step, check_greedy
from posenc_lessons.exercises.transformer_norm import check_add_and_norm
from posenc_lessons.exercises.verdict import Asked, Wrong
from posenc_lessons.language import Text

__all__ = [
    "check_add_and_norm",
    "check_cached_step",
    "check_causal_padding_mask",
    "check_greedy",
    "check_join_heads",
    "check_split_heads",
]

# Every size differs from the others, so that no two axes can be taken for each other.
SIZES = ((1, 5, 2, 3), (2, 5, 3, 4), (3, 7, 4, 2), (2, 1, 5, 3), (2, 3, 1, 4))  # B, L, h, d_head


def _counted(*shape: int) -> Tensor:
    """0, 1, 2 … in ``shape``, so that no two entries can be taken for each other."""
    return torch.arange(torch.Size(shape).numel()).float().view(shape)


# ---- 1 · split heads ----------------------------------------------------------------------------------

SPLIT_HEADS = Exercise(
    solutions.split_heads,
    questions=[(_counted(batch, length, h * d_head), h) for batch, length, h, d_head in SIZES],
    praise=Text(
        "对。每个头拿到每个词元的一段特征，一个数也没有走错门。",
        "Right. Each head gets a run of features of every token, and not one number strayed.",
    ),
    stub="split_heads_of_mine",
)
check_split_heads = SPLIT_HEADS.check


@SPLIT_HEADS.mistake(
    "还差一步：头那一维要换到长度前面，transpose(1, 2)。不换，注意力就会在头之间做。",
    "One step is missing: the axis of heads belongs before that of length, transpose(1, 2). Without it "
    "attention runs among the heads.",
)
def heads_not_moved(x: Tensor, n_heads: int) -> Tensor:
    return x.unflatten(-1, (n_heads, -1))


@SPLIT_HEADS.mistake(
    "这是笔记的 [B·h, L, d_head]。这里把批量和头分开放：[B, h, L, d_head]，掩码和权重好对上号。",
    "That is the notes' [B·h, L, d_head]. Keep batch and heads apart here, [B, h, L, d_head], so that masks "
    "and weights can be matched to them.",
)
def split_as_in_the_notes(x: Tensor, n_heads: int) -> Tensor:
    return solutions.split_heads(x, n_heads).flatten(0, 1)


@SPLIT_HEADS.mistake("批量在最前面，头在第二位。", "Batch comes first, heads second.")
def heads_first(x: Tensor, n_heads: int) -> Tensor:
    return solutions.split_heads(x, n_heads).transpose(0, 1)


@SPLIT_HEADS.mistake(
    "n_heads 和 d_head 弄反了：先分成 n_heads 段，每段宽 d_head。",
    "n_heads and d_head are exchanged: there are n_heads pieces, each d_head wide.",
)
def n_features_a_head(x: Tensor, n_heads: int) -> Tensor:
    return x.unflatten(-1, (-1, n_heads)).transpose(1, 2)


@SPLIT_HEADS.mistake(
    "最后两维反了：一行一个词元，[..., L, d_head]。",
    "The last two axes are exchanged: a row for each token, [..., L, d_head].",
)
def tokens_in_columns(x: Tensor, n_heads: int) -> Tensor:
    return solutions.split_heads(x, n_heads).mT


@SPLIT_HEADS.mistake(
    "形状对，数不对：直接 view 成 [B, h, L, d_head]，把不同词元的特征切到了一个头里。先 view 成 "
    "[B, L, h, d_head]，再 transpose(1, 2)。",
    "The shape is right, the numbers are not: a view straight to [B, h, L, d_head] cuts features of "
    "different tokens into one head. View as [B, L, h, d_head] first, then transpose(1, 2).",
)
def split_by_a_view_alone(x: Tensor, n_heads: int) -> Tensor:
    return x.reshape(x.shape[0], n_heads, x.shape[1], -1)


@SPLIT_HEADS.mistake(
    "每个头应当拿一段连续的特征；你是隔着取的（0, h, 2h, …）。",
    "Each head takes a run of neighbouring features; yours takes every h-th one (0, h, 2h, …).",
)
def every_hth_feature(x: Tensor, n_heads: int) -> Tensor:
    return x.unflatten(-1, (-1, n_heads)).permute(0, 3, 1, 2)


@SPLIT_HEADS.mistake(
    "头的次序反了：第 0 个头拿最前面的特征。", "In reverse: head 0 takes the first features."
)
def split_in_reverse(x: Tensor, n_heads: int) -> Tensor:
    return solutions.split_heads(x, n_heads).flip(1)


@SPLIT_HEADS.right
def split_by_stacking(x: Tensor, n_heads: int) -> Tensor:
    return torch.stack(x.chunk(n_heads, dim=-1), dim=1)


# ---- 2 · join heads -----------------------------------------------------------------------------------

NOT_SIDE_BY_SIDE = Text(
    "头要接起来，不是平均或相加：宽度还是 h · d_head。混合各个头，是 W_o 的事。",
    "Heads are put side by side, neither averaged nor added: the width is h · d_head again. Mixing them is "
    "the work of W_o.",
)

JOIN_HEADS = Exercise(
    solutions.join_heads,
    questions=[(_counted(batch, h, length, d_head),) for batch, length, h, d_head in SIZES],
    praise=Text(
        "对。拆开再拼起来，原样不动；形状又是 [B, L, d]，残差接得上。",
        "Right. Split and joined, all is as it was, and the shape is [B, L, d] again, ready for the "
        "residual.",
    ),
    stub="join_heads_of_mine",
)
check_join_heads = JOIN_HEADS.check


@JOIN_HEADS.mistake(NOT_SIDE_BY_SIDE)
def averaged(heads: Tensor) -> Tensor:
    return heads.mean(dim=1)


@JOIN_HEADS.mistake(NOT_SIDE_BY_SIDE)
def added(heads: Tensor) -> Tensor:
    return heads.sum(dim=1)


@JOIN_HEADS.mistake(
    "停在了 [B·L, d]，批量没有还原，接不上残差。要 [B, L, d]。",
    "Left at [B·L, d]: the batch is not put back, and no residual can be added. [B, L, d] it is.",
)
def batch_not_put_back(heads: Tensor) -> Tensor:
    return solutions.join_heads(heads).flatten(0, 1)


@JOIN_HEADS.mistake("还差一步：把最后两维合成一维。", "One step is missing: flatten the last two axes.")
def not_flattened(heads: Tensor) -> Tensor:
    return heads.transpose(1, 2)


@JOIN_HEADS.mistake(
    "合错了两维：先把头换到长度后面，再合并头和 d_head。",
    "The wrong two axes were joined: move heads behind length first, then flatten heads and d_head.",
)
def wrong_axes_flattened(heads: Tensor) -> Tensor:
    return heads.flatten(2)


@JOIN_HEADS.mistake("长度应当在特征前面：[B, L, d]。", "Length comes before features: [B, L, d].")
def features_first(heads: Tensor) -> Tensor:
    return solutions.join_heads(heads).mT


@JOIN_HEADS.mistake(
    "形状对，数不对：没有先 transpose(1, 2)，不同词元的特征接到了一起。",
    "The shape is right, the numbers are not: without transpose(1, 2) first, features of different tokens "
    "are put together.",
)
def joined_by_a_view_alone(heads: Tensor) -> Tensor:
    return heads.reshape(heads.shape[0], heads.shape[2], -1)


@JOIN_HEADS.mistake(
    "每个头的特征应当连在一起；你把各个头交错着放了。",
    "The features of one head belong together; yours takes one from each head in turn.",
)
def interleaved(heads: Tensor) -> Tensor:
    return heads.permute(0, 2, 3, 1).flatten(2)


@JOIN_HEADS.mistake("头的次序反了：第 0 个头在最前面。", "In reverse: head 0 comes first.")
def joined_in_reverse(heads: Tensor) -> Tensor:
    return solutions.join_heads(heads.flip(1))


@JOIN_HEADS.right
def joined_by_concatenating(heads: Tensor) -> Tensor:
    return torch.cat(heads.unbind(dim=1), dim=-1)


# ---- 3 · causal mask and padding ----------------------------------------------------------------------

QUERIES_HIDDEN = Text(
    "遮的是键，不是查询：填充的那一行也要有东西可看，不然 softmax 给出 NaN。",
    "Hide keys, not queries: the padding's own row needs something to see, or softmax gives NaN.",
)
PADDING_ALONE = Text("只有填充，没有因果的三角形。", "Padding alone: the triangle is missing.")
TRIANGLE_ALONE = Text("只有因果的三角形，填充没有用上。", "The triangle alone: the padding was not used.")
NOT_BOOLEAN = Text(
    "每一格都对，但类型是 {dtype}，要 torch.bool：~mask 对整数是另一个意思。",
    "Every cell is right, but the type is {dtype} and torch.bool is wanted: ~mask means something else for "
    "integers.",
)

CAUSAL_PADDING_MASK = Exercise(
    solutions.causal_padding_mask,
    questions=[
        (torch.arange(length) < torch.tensor(counts)[:, None],)
        for counts, length in (((3, 5), 5), ((2, 4, 1), 4), ((6,), 6))
    ]
    + [(torch.arange(5) >= torch.tensor([2, 0])[:, None],)],  # padding in front
    praise=Text(
        "对。看不到后面，也看不到填充；填充在前在后，它自己的那一行都看得见自己，不会有 NaN。",
        "Right. Nothing later is seen and no padding either; wherever the padding stands, its own rows see "
        "themselves, so there is no NaN.",
    ),
    call=lambda real: f"causal_padding_mask(real {list(real.shape)})",
    changed=CHANGED,
)
check_causal_padding_mask = CAUSAL_PADDING_MASK.check


@CAUSAL_PADDING_MASK.probe
def _is_boolean(answer: Asked) -> None:
    dtype = answer(torch.ones(2, 3, dtype=torch.bool)).dtype
    if dtype != torch.bool:
        raise Wrong.saying(NOT_BOOLEAN, dtype=dtype)


@CAUSAL_PADDING_MASK.example(NOT_BOOLEAN)
def as_integers(real: Tensor) -> Tensor:
    return solutions.causal_padding_mask(real).int()


def _lower(real: Tensor) -> Tensor:
    return torch.ones(real.shape[1], real.shape[1], dtype=torch.bool).tril()


@CAUSAL_PADDING_MASK.mistake(
    "少了头那一维：[B, 1, L, L]，里面的 1 让每个头都用它。",
    "The axis of heads is missing: [B, 1, L, L], whose 1 lets every head use it.",
)
def without_an_axis_of_heads(real: Tensor) -> Tensor:
    return solutions.causal_padding_mask(real)[:, 0]


@CAUSAL_PADDING_MASK.mistake(
    "填充在句子前面的时候，它自己的那几行什么也看不到，softmax 给出 NaN：让填充看得见自己。",
    "With padding in front, its own rows see nothing, and softmax gives NaN: let padding see itself.",
)
def nothing_for_padding_in_front(real: Tensor) -> Tensor:
    return _lower(real) & real[:, None, None, :]


@CAUSAL_PADDING_MASK.mistake(PADDING_ALONE)
def padding_alone(real: Tensor) -> Tensor:
    return real[:, None, None, :]


@CAUSAL_PADDING_MASK.mistake(PADDING_ALONE)
def padding_alone_for_every_query(real: Tensor) -> Tensor:
    return real[:, None, None, :].expand(-1, 1, real.shape[1], -1)


@CAUSAL_PADDING_MASK.mistake(TRIANGLE_ALONE)
def triangle_alone(real: Tensor) -> Tensor:
    return _lower(real)


@CAUSAL_PADDING_MASK.mistake(TRIANGLE_ALONE)
def triangle_alone_for_every_sentence(real: Tensor) -> Tensor:
    return _lower(real).expand(len(real), 1, -1, -1)


@CAUSAL_PADDING_MASK.mistake(
    "多出来的 1 放错了地方：头那一维是第二维，[B, 1, L, L]。",
    "The extra 1 stands in the wrong place: heads are the second axis, [B, 1, L, L].",
)
def axis_of_heads_misplaced(real: Tensor) -> Tensor:
    return solutions.causal_padding_mask(real).transpose(1, 2)


@CAUSAL_PADDING_MASK.mistake(
    "意思反了：这里 True 表示可以看（nn.MultiheadAttention 才是 True 表示遮住）。",
    "The opposite sense: here True means may look (in nn.MultiheadAttention True hides).",
)
def true_where_hidden(real: Tensor) -> Tensor:
    return ~solutions.causal_padding_mask(real)


@CAUSAL_PADDING_MASK.mistake(
    "两个条件要同时成立，用 &；用 | 的话，后面的词元只要不是填充就漏了进来。",
    "Both must hold, so &; with | a later token leaks in as long as it is not padding.",
)
def either_condition(real: Tensor) -> Tensor:
    return _lower(real) | real[:, None, None, :]


@CAUSAL_PADDING_MASK.mistake(
    "三角形反了：你让词元只看后面。", "The triangle is the wrong one: yours looks ahead."
)
def looking_ahead(real: Tensor) -> Tensor:
    return _lower(real).T & real[:, None, None, :]


@CAUSAL_PADDING_MASK.mistake(
    "对角线也要是 True：词元可以看自己。第 0 行现在什么也看不到。",
    "The diagonal should be True as well: a token may see itself. Row 0 now sees nothing at all.",
)
def without_the_diagonal(real: Tensor) -> Tensor:
    return _lower(real).tril(-1) & real[:, None, None, :]


@CAUSAL_PADDING_MASK.mistake(QUERIES_HIDDEN)
def queries_and_keys_hidden(real: Tensor) -> Tensor:
    return solutions.causal_padding_mask(real) & real[:, None, :, None]


@CAUSAL_PADDING_MASK.mistake(QUERIES_HIDDEN)
def queries_hidden(real: Tensor) -> Tensor:
    return _lower(real) & real[:, None, :, None]


@CAUSAL_PADDING_MASK.mistake(
    "real 里的 True 是真词元；你把真词元遮住，留下了填充。",
    "True in real is a real token; yours hides those and leaves the padding.",
)
def real_tokens_hidden(real: Tensor) -> Tensor:
    return _lower(real) & ~real[:, None, None, :]


@CAUSAL_PADDING_MASK.example(CHANGED)
def real_overwritten(real: Tensor) -> Tensor:
    mask = solutions.causal_padding_mask(real)
    real.fill_(True)
    return mask


@CAUSAL_PADDING_MASK.right
def by_positions(real: Tensor) -> Tensor:
    at = torch.arange(real.shape[1])
    return (((at[None, :] < at[:, None])[None] & real[:, None]) | (at[None, :] == at[:, None]))[:, None]
