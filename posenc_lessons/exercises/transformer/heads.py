"""Two exercises of lesson 07: split heads, and the mask."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.reading import is_boolean
from posenc_lessons.exercises.solutions import transformer as solutions
from posenc_lessons.language import Text

# Every size differs from the others, so that no two axes can be taken for each other.
SIZES = ((2, 5, 3, 4), (1, 5, 2, 3), (3, 7, 4, 2), (2, 1, 5, 3), (2, 3, 1, 4))  # B, L, h, d_head


def _counted(*shape: int) -> Tensor:
    """Return 0, 1, 2 … in ``shape``, so that no two entries can be taken for each other."""
    return torch.arange(torch.Size(shape).numel()).float().view(shape)


# ---- split heads ----------------------------------------------------------------------------------

SPLIT_HEADS = Exercise(
    solutions.split_heads,
    questions=[(_counted(batch, length, h * 3 * d_head), h) for batch, length, h, d_head in SIZES],
    praise=Text(
        "对。每个头拿到每个词元自己的查询、键、值，一个数也没有放错。",
        "Right. Each head gets its own query, key and value of every token, with every number in its place.",
    ),
    stub="split_heads_of_mine",
)

SPLIT_HEADS.mistake(
    "形状对，数不对：这是先全部查询、再全部键、再全部值的排法（GPT-2）。这里是一个头一个头排的：先切成 h "
    "段，每段里再分三份。",
    "The shape is right, the numbers are not: that is for all queries first, then all keys, then all "
    "values, as in GPT-2. Here it goes head by head: cut into h pieces first, then each into three.",
)(lambda fused, n_heads: fused.unflatten(-1, (3, n_heads, -1)).permute(2, 0, 3, 1, 4))
SPLIT_HEADS.mistake(
    "三份在最里面交错了：每个头的查询是连续的一段，接着是键，接着是值。",
    "The three are interleaved feature by feature: in each head the query is one run of features, then comes "
    "the key, then the value.",
)(lambda fused, n_heads: fused.unflatten(-1, (n_heads, -1, 3)).permute(4, 0, 2, 1, 3))
SPLIT_HEADS.mistake(
    "形状对，数不对：直接 view 成 [3, B, h, L, d_head]，把不同词元的特征切到了一个头里。先拆最后一维，再换"
    "轴。",
    "The shape is right, the numbers are not: a view straight to [3, B, h, L, d_head] cuts features of "
    "different tokens into one head. Split the last axis first, then exchange axes.",
)(lambda fused, n_heads: fused.reshape(3, fused.shape[0], n_heads, fused.shape[1], -1))
SPLIT_HEADS.mistake(
    "还差一步：查询、键、值还连在一起，最后一维应当是 d_head，三份放到最前面。",
    "One step is missing: query, key and value are still together. The last axis should be d_head, with the "
    "three in front.",
)(lambda fused, n_heads: fused.unflatten(-1, (n_heads, -1)).transpose(1, 2))
SPLIT_HEADS.mistake(
    "轴的次序不对，应当是 [3, B, h, L, d_head]：三份在最前面，批量在第二位，头在长度前面（不然注意力就在头"
    "之间做），一行一个词元。",
    "The axes are in another order than [3, B, h, L, d_head]: the three come first, the batch second, heads "
    "before length (or attention runs among the heads), and a row is a token.",
)(
    lambda fused, n_heads: solutions.split_heads(fused, n_heads).transpose(2, 3),
    lambda fused, n_heads: solutions.split_heads(fused, n_heads).transpose(0, 1),
    lambda fused, n_heads: solutions.split_heads(fused, n_heads).mT,
)
SPLIT_HEADS.mistake(
    "查询和键换了位置：每个头里先是查询，再是键，再是值。",
    "Query and key are exchanged: each head has its query first, then its key, then its value.",
)(lambda fused, n_heads: solutions.split_heads(fused, n_heads)[[1, 0, 2]])
recurring.in_reverse(SPLIT_HEADS, 2, "第 0 个头拿最前面的特征。", "head 0 takes the first features.")


# ---- causal mask and padding ----------------------------------------------------------------------

CAUSAL_PADDING_MASK = Exercise(
    solutions.causal_padding_mask,
    questions=[
        (torch.tensor([[0, 0, 0, 1, 1, 1], [1, 1, 1, 1, 0, 0]]).bool(),),  # padding in front and at the end
        *(
            (torch.arange(length) < torch.tensor(counts)[:, None],)
            for counts, length in (((3, 5), 5), ((2, 4, 1), 4), ((6,), 6), ((0, 1), 2))
        ),
    ],
    praise=Text(
        "对。看不到后面，也看不到填充；填充在前在后，它自己的那一行都看得见自己，不会有 NaN。",
        "Right. Nothing later is seen and no padding either; wherever the padding stands, its own rows see "
        "themselves, so there is no NaN.",
    ),
    call=lambda real: f"causal_padding_mask(real {list(real.shape)})",
    changed=CHANGED,
)


CAUSAL_PADDING_MASK.probe(is_boolean(torch.ones(2, 3, dtype=torch.bool)))


def _lower(real: Tensor) -> Tensor:
    return torch.ones(real.shape[1], real.shape[1], dtype=torch.bool).tril()


def _itself(real: Tensor) -> Tensor:
    return torch.eye(real.shape[1], dtype=torch.bool)


CAUSAL_PADDING_MASK.mistake(
    "头那一维要在第二位，大小是 1：[B, 1, L, L]，每个头都用它。",
    "The axis of heads is the second, of size 1: [B, 1, L, L], so that every head uses it.",
)(
    lambda real: solutions.causal_padding_mask(real)[:, 0],
    lambda real: solutions.causal_padding_mask(real).transpose(1, 2),
)
CAUSAL_PADDING_MASK.mistake(
    "填充在句子前面的时候，它自己的那几行什么也看不到，softmax 给出 NaN：让填充看得见自己。",
    "With padding in front, its own rows see nothing, and softmax gives NaN: let padding see itself.",
)(lambda real: _lower(real) & real[:, None, None, :])
CAUSAL_PADDING_MASK.mistake(
    "填充那几行还看得见别的填充：填充只看得见前面的真词元，和自己。",
    "The padding's rows see other padding too: padding sees the real tokens before it, and itself.",
)(lambda real: _lower(real) & (real[:, None, None, :] | ~real[:, None, :, None]))
CAUSAL_PADDING_MASK.mistake("只有填充，没有因果的三角形。", "Only padding: the triangle is missing.")(
    lambda real: real[:, None, None, :], lambda real: real[:, None, None, :].expand(-1, 1, real.shape[1], -1)
)
CAUSAL_PADDING_MASK.mistake(
    "只有因果的三角形，填充没有用上。", "Only the triangle: the padding was not used."
)(_lower, lambda real: _lower(real).expand(len(real), 1, -1, -1))
recurring.mask_inverted(CAUSAL_PADDING_MASK)
CAUSAL_PADDING_MASK.mistake(
    "两个条件要同时成立，用 &；用 | 的话，后面的词元只要不是填充就漏了进来。",
    "Both must hold, so &; with | a later token leaks in as long as it is not padding.",
)(lambda real: _lower(real) | real[:, None, None, :])
CAUSAL_PADDING_MASK.mistake(recurring.LOOKS_AHEAD)(
    lambda real: _lower(real).T & real[:, None, None, :],
    lambda real: (_lower(real).T & real[:, None, None, :]) | _itself(real),
)
CAUSAL_PADDING_MASK.mistake(
    "遮的应当是键，不是查询：填充那一行也要有东西可看（不然 softmax 给出 NaN），真词元却不该看得见填充。遮键"
    "用 real[:, None, None, :]。",
    "Hide keys, not queries: the padding's own row needs something to see (or softmax gives NaN), and real "
    "tokens should not see padding. Keys are hidden by real[:, None, None, :].",
)(
    lambda real: (_lower(real) & real[:, None, :, None]) | _itself(real),
    lambda real: _lower(real) & real[:, None, :, None],
    lambda real: solutions.causal_padding_mask(real) & real[:, None, :, None],
)
CAUSAL_PADDING_MASK.mistake(recurring.DIAGONAL_HIDDEN)(
    lambda real: _lower(real).tril(-1) & real[:, None, None, :]
)
CAUSAL_PADDING_MASK.mistake(
    "real 里的 True 是真词元；你把真词元遮住，留下了填充。",
    "True in real is a real token; yours hides those and leaves the padding.",
)(lambda real: _lower(real) & ~real[:, None, None, :])
