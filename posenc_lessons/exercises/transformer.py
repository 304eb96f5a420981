"""The exercises of lesson 07."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import is_boolean, random_numbers
from posenc_lessons.exercises.solutions import transformer as solutions
from posenc_lessons.exercises.verdict import Wrong
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
check_split_heads = SPLIT_HEADS

SPLIT_HEADS.mistake(
    "形状对，数不对：这里是一个头一个头排的，先切成 h 段，每段里再分三份。",
    "The shape is right, the numbers are not: cut into h heads first, then each into three.",
)(lambda fused, n_heads: fused.unflatten(-1, (3, n_heads, -1)).permute(2, 0, 3, 1, 4))
SPLIT_HEADS.mistake(
    "三份在最里面交错了：每个头的查询是连续的一段，接着是键，接着是值。",
    "The three are interleaved feature by feature: in each head the query is one run of features.",
)(lambda fused, n_heads: fused.unflatten(-1, (n_heads, -1, 3)).permute(4, 0, 2, 1, 3))
SPLIT_HEADS.mistake(
    "形状对，数不对：直接 view 混了不同词元的特征。先拆最后一维，再换轴。",
    "The shape is right, the numbers are not: split the last axis first, then exchange axes.",
)(lambda fused, n_heads: fused.reshape(3, fused.shape[0], n_heads, fused.shape[1], -1))
SPLIT_HEADS.mistake(
    "还差一步：查询、键、值还连在一起，最后一维应当是 d_head，三份放到最前面。",
    "One step is missing: the last axis should be d_head, with the three in front.",
)(lambda fused, n_heads: fused.unflatten(-1, (n_heads, -1)).transpose(1, 2))
SPLIT_HEADS.mistake(
    "轴的次序不对：应当是 [3, B, h, L, d_head]，三份在最前面，头在长度前面。",
    "The axes are in another order: [3, B, h, L, d_head] is wanted, the three first, heads before length.",
)(
    lambda fused, n_heads: solutions.split_heads(fused, n_heads).transpose(2, 3),
    lambda fused, n_heads: solutions.split_heads(fused, n_heads).transpose(0, 1),
    lambda fused, n_heads: solutions.split_heads(fused, n_heads).mT,
)


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
    changed=CHANGED,
)
check_causal_padding_mask = CAUSAL_PADDING_MASK


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
)(
    lambda real: _lower(real) & (real[:, None, None, :] | ~real[:, None, :, None]),
    lambda real: (_lower(real) & real[:, None, None, :]) | ~real[:, None, :, None],
)
CAUSAL_PADDING_MASK.mistake(
    "只有填充，没有因果的三角形。", "Your mask has only the padding: the triangle is missing."
)(lambda real: real[:, None, None, :], lambda real: real[:, None, None, :].expand(-1, 1, real.shape[1], -1))
CAUSAL_PADDING_MASK.mistake(
    "只有因果的三角形，填充没有用上。", "Your mask has only the triangle: the padding was not used."
)(_lower, lambda real: _lower(real).expand(len(real), 1, -1, -1))
recurring.mask_inverted(CAUSAL_PADDING_MASK)
CAUSAL_PADDING_MASK.mistake(recurring.MASK_INVERTED)(lambda real: ~(_lower(real) & real[:, None, None, :]))
CAUSAL_PADDING_MASK.mistake(
    "两个条件要同时成立，用 &；用 | 的话，后面的词元只要不是填充就漏了进来。",
    "Both conditions must hold, so use &: with | a later token leaks in as long as it is not padding.",
)(lambda real: _lower(real) | real[:, None, None, :])
CAUSAL_PADDING_MASK.mistake(recurring.LOOKS_AHEAD)(
    lambda real: _lower(real).T & real[:, None, None, :],
    lambda real: (_lower(real).T & real[:, None, None, :]) | _itself(real),
)
CAUSAL_PADDING_MASK.mistake(
    "遮的应当是键，不是查询：用 real[:, None, None, :]，每一行都还有东西可看。",
    "You hide queries: hide keys, real[:, None, None, :], and every row keeps something to see.",
)(
    lambda real: (_lower(real) & real[:, None, :, None]) | _itself(real),
    lambda real: _lower(real) & real[:, None, :, None],
    lambda real: solutions.causal_padding_mask(real) & real[:, None, :, None],
    lambda real: (solutions.causal_padding_mask(real) & real[:, None, :, None]) | _itself(real),
)
CAUSAL_PADDING_MASK.mistake(recurring.DIAGONAL_HIDDEN)(
    lambda real: _lower(real).tril(-1) & real[:, None, None, :]
)
CAUSAL_PADDING_MASK.mistake(
    "你把真词元遮住，留下了填充：real 里的 True 是真词元。",
    "You hide real tokens and leave the padding: True in real is a real token.",
)(lambda real: _lower(real) & ~real[:, None, None, :])


# ---- one step of decoding with the cache --------------------------------------------------------------

Cache = Any  # keys and values so far, None at first: what an answer returns is handed to it again
Stepped = tuple[Tensor, Cache]

TWO_THINGS = Text(
    "应当返回两样东西：输出和新的缓存。最后一行写 return output, (keys, values)。",
    "Two things should be returned: the output and the new cache. End with return output, (keys, values).",
)


def _questions() -> list[tuple[Tensor, Tensor, Tensor]]:
    """Return texts of every length, the longest first: in a step or two mistakes may look alike."""
    questions: list[tuple[Tensor, Tensor, Tensor]] = []
    for shape in ((1, 1, 4, 3), (2, 3, 5, 4)):
        query, key, value = random_numbers(3, *shape)
        questions += [(query[:, :, :t], key[:, :, :t], value[:, :, :t]) for t in range(shape[2], 0, -1)]
    return questions


def _last_step(answer: Answer, query: Tensor, key: Tensor, value: Tensor) -> Any:
    """Hand [B, h, T, d_head] to ``answer`` token by token, and return what its last step puts out."""
    output: Any = None
    cache: Cache = None
    for t in range(query.shape[2]):
        token = {name: x[:, :, t : t + 1] for name, x in (("query", query), ("key", key), ("value", value))}
        arguments = {name: x.clone() for name, x in token.items()}
        returned = answer(*arguments.values(), cache)
        if not all(torch.equal(x, token[name]) for name, x in arguments.items()):
            raise Wrong.saying(CHANGED)
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise Wrong.saying(TWO_THINGS)
        output, cache = returned
    return output


def _named(query: Tensor, *_: Tensor) -> str:
    """Name the last step; the rows below it show all tokens."""
    t = query.shape[2] - 1
    names = ", ".join(f"{name}[:, :, {t}:]" for name in ("query", "key", "value"))
    return f"cached_step({names}, cache)[0]  # t = {t}"


CACHED_STEP = Exercise(
    solutions.cached_step,
    questions=_questions,
    praise=Text(
        "对。一个一个来，和一次算完的因果注意力一样。",
        "Right. One by one, it equals causal attention worked out at a stroke.",
    ),
    pose=_last_step,
    call=_named,
)
check_cached_step = CACHED_STEP


def _attend(query: Tensor, key: Tensor, value: Tensor, dim: int = -1) -> Tensor:
    return (query @ key.mT / math.sqrt(query.shape[-1])).softmax(dim=dim) @ value


def _longer(cache: Cache, key: Tensor, value: Tensor, dim: int = 2) -> tuple[Tensor, Tensor]:
    if cache is None:
        return key, value
    return torch.cat([cache[0], key], dim=dim), torch.cat([cache[1], value], dim=dim)


CACHED_STEP.mistake(
    "缓存没有用上：新词元只看见自己，权重是 1，输出就是它自己的值。",
    "The cache is not used: the new token sees only itself, with weight 1, and the output is its own value.",
)(lambda query, key, value, *_: (_attend(query, key, value), (key, value)))
CACHED_STEP.mistake(
    "返回的缓存没有变长：把新的键和值接上去，连同它们一起返回。",
    "The cache you return has not grown: join the new key and value on and return them with it.",
)(lambda query, key, value, cache: (_attend(query, *_longer(cache, key, value)), cache or (key, value)))
CACHED_STEP.mistake(
    "返回的缓存里只有这一个词元，前面的丢了。",
    "The cache you return holds only this token; those before are lost.",
)(lambda query, key, value, cache: (_attend(query, *_longer(cache, key, value)), (key, value)))
CACHED_STEP.mistake(
    "新词元没有看自己：先把它的键和值接上去，再算注意力。",
    "The new token does not see itself: join its key and value on first, then attend.",
)(lambda query, key, value, cache: (_attend(query, *(cache or (key, value))), _longer(cache, key, value)))


def _step(attend: Callable[[Tensor, Tensor, Tensor], Tensor] = _attend, dim: int = 2) -> Answer:
    """Return a step that attends by ``attend`` to keys and values that grow along ``dim``."""

    def step(query: Tensor, key: Tensor, value: Tensor, cache: Cache) -> Stepped:
        key, value = _longer(cache, key, value, dim)
        return attend(query, key, value), (key, value)

    return step


CACHED_STEP.mistake(
    "你给这一行套了因果掩码的第 0 行，只看得见第一个键：新词元在最后，不需要掩码。",
    "You put row 0 of the causal mask on this row: the new token stands last and needs no mask.",
)(_step(lambda query, key, value: F.scaled_dot_product_attention(query, key, value, is_causal=True)))
CACHED_STEP.mistake("漏了 softmax：分数还不是权重。", "The softmax is missing: scores are not yet weights.")(
    _step(lambda query, key, value: query @ key.mT / math.sqrt(query.shape[-1]) @ value)
)
CACHED_STEP.mistake(recurring.NOT_DIVIDED)(
    _step(lambda query, key, value: _attend(query * math.sqrt(query.shape[-1]), key, value))
)
CACHED_STEP.mistake(recurring.DIVIDED_BY_THE_WIDTH)(
    _step(lambda query, key, value: _attend(query / math.sqrt(query.shape[-1]), key, value))
)


CACHED_STEP.mistake(
    "新的键和值接错了方向：缓存是 [B, h, t, d_head]，要沿长度那一维接，dim=2。",
    "New keys and values are joined on along the wrong axis: the cache grows along dim=2.",
)(_step(dim=1), _step(dim=0))
