"""The exercises of lesson 07: each check knows the usual wrong answers and names the one it sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises import transformer_decoding_mistakes as decoding
from posenc_lessons.exercises import transformer_mistakes as mistakes
from posenc_lessons.exercises.reading import compare, numbers, random_numbers, same_shape
from posenc_lessons.exercises.solutions import transformer as reference
from posenc_lessons.exercises.verdict import Verdict, Wrong, judge
from posenc_lessons.language import Text

Answer = Callable[..., Any]


def check_split_heads(answer: Answer) -> Verdict:
    """Judge ``split_heads(x [B, L, h·d_head], n_heads) -> [B, h, L, d_head]``."""
    return judge(
        answer,
        _examine_split_heads,
        Text(
            "对。每个头拿到每个词元的一段特征，一个数也没有走错门。",
            "Right. Each head gets a run of features of every token, and not one number strayed.",
        ),
    )


def check_join_heads(answer: Answer) -> Verdict:
    """Judge ``join_heads(heads [B, h, L, d_head]) -> [B, L, h·d_head]``."""
    return judge(
        answer,
        _examine_join_heads,
        Text(
            "对。拆开再拼起来，原样不动；形状又是 [B, L, d]，残差接得上。",
            "Right. Split and joined, all is as it was, and the shape is [B, L, d] again, ready for the "
            "residual.",
        ),
    )


def check_causal_padding_mask(answer: Answer) -> Verdict:
    """Judge ``causal_padding_mask(real bool [B, L]) -> bool [B, 1, L, L]``."""
    return judge(
        answer,
        _examine_mask,
        Text(
            "对。看不到后面，也看不到填充；填充自己的那一行也有东西可看，不会有 NaN。",
            "Right. Nothing later is seen and no padding either; the padding's own rows still see something, "
            "so there is no NaN.",
        ),
    )


def check_add_and_norm(answer: Answer) -> Verdict:
    """Judge ``add_and_norm(x, y [B, L, d], gain, shift [d], eps) -> [B, L, d]``."""
    return judge(
        answer,
        _examine_add_and_norm,
        Text(
            "对。先相加，再逐个词元归一化；别的词元怎么变，都与它无关。",
            "Right. Add first, then normalise each token by itself; whatever the others do is none of its "
            "business.",
        ),
    )


def check_cached_step(answer: Answer) -> Verdict:
    """Judge ``cached_step(query, key, value [B, h, 1, d_head], cache) -> (output, cache)``."""
    return judge(
        answer,
        _examine_cached_step,
        Text(
            "对。一个一个来，和一次算完的因果注意力一样。",
            "Right. One by one, it equals causal attention worked out at a stroke.",
        ),
    )


def check_greedy(answer: Answer) -> Verdict:
    """Judge ``greedy(next_logits, start, end, max_len) -> list of tokens``."""
    return judge(
        answer,
        _examine_greedy,
        Text(
            "对。每次取最可能的，说完就停，最多 max_len 个。",
            "Right. The likeliest each time, stopping when all is said, max_len tokens at most.",
        ),
    )


def _named_shape(value: Tensor, right: tuple[int, ...], known: list[mistakes.ShapeName], call: str) -> None:
    """Pass when the shape is right; name the mistake that gives this one, or state both shapes."""
    shape = tuple(value.shape)
    for mistaken, name in known:
        if shape == mistaken != right:
            raise Wrong(name.zh, name.en)
    same_shape(value, right, call)


# ---- 1 and 2 · heads --------------------------------------------------------------------------------------

# Every size differs from the others, so that no two axes can be taken for each other.
HEADS = ((1, 5, 2, 3), (2, 5, 3, 4), (3, 7, 4, 2), (2, 1, 5, 3), (2, 3, 1, 4))  # B, L, h, d_head


def _examine_split_heads(answer: Answer) -> None:
    for batch, length, n_heads, d_head in HEADS:
        x = torch.arange(batch * length * n_heads * d_head).float().view(batch, length, -1)
        call = f"split_heads(x {list(x.shape)}, {n_heads})"
        value = numbers(answer(x.clone(), n_heads), call)
        right = reference.split_heads(x, n_heads).double()
        _named_shape(value, tuple(right.shape), mistakes.split_shapes(batch, length, n_heads, d_head), call)
        compare(value, right, call, mistakes.split_suspects(x, n_heads), tolerance=1e-6)


def _examine_join_heads(answer: Answer) -> None:
    for batch, length, n_heads, d_head in HEADS:
        heads = torch.arange(batch * length * n_heads * d_head).float().view(batch, n_heads, length, d_head)
        call = f"join_heads(heads {list(heads.shape)})"
        value = numbers(answer(heads.clone()), call)
        right = reference.join_heads(heads).double()
        _named_shape(value, tuple(right.shape), mistakes.join_shapes(batch, length, n_heads, d_head), call)
        compare(value, right, call, mistakes.join_suspects(heads), tolerance=1e-6)


# ---- 3 · causal mask and padding --------------------------------------------------------------------------


def _examine_mask(answer: Answer) -> None:
    for counts, length in (((3, 5), 5), ((2, 4, 1), 4), ((6,), 6)):
        real = torch.arange(length) < torch.tensor(counts)[:, None]
        call = f"causal_padding_mask(real {list(real.shape)})"
        given = real.clone()
        answered = answer(given)
        value = numbers(answered, call)
        if not torch.equal(given, real):
            raise Wrong(
                "你的函数改动了传进来的 real。返回一个新张量。",
                "Your function changed the tensor real it was given. Return a new one.",
            )
        right = reference.causal_padding_mask(real).double()
        _named_shape(value, tuple(right.shape), mistakes.mask_shapes(len(counts), length), call)
        compare(value, right, call, mistakes.mask_suspects(real), tolerance=1e-6)
        if answered.dtype != torch.bool:
            raise Wrong(
                f"{call} 的每一格都对，但类型是 {answered.dtype}，要 torch.bool：~mask 对整数是另一个意思。",
                f"Every cell of {call} is right, but the type is {answered.dtype} and torch.bool is wanted: "
                "~mask means something else for integers.",
            )


# ---- 4 · add & norm ---------------------------------------------------------------------------------------


def _examine_add_and_norm(answer: Answer) -> None:
    for seed, (batch, length, width) in enumerate(((2, 3, 4), (3, 5, 8), (2, 4, 6))):
        x, y = (
            random_numbers(batch, length, width, seed=seed),
            random_numbers(batch, length, width, seed=seed + 10),
        )
        gain, shift = random_numbers(width, seed=seed + 20), random_numbers(width, seed=seed + 30)
        if seed == 1:  # features that hardly differ show where eps stands
            y[0, 1] = 1e-3 * y[0, 1] - x[0, 1]
        if seed == 2:  # and features that do not differ at all, whether it is there
            x[1, 0], y[1, 0] = 1, 2  # whole numbers, so that the sum is 3 to the last bit
        _examine_one_norm(answer, x, y, gain, shift, 1e-5)


def _examine_one_norm(answer: Answer, x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> None:
    call = f"add_and_norm(x {list(x.shape)}, y {list(y.shape)}, gain, shift, {eps})"
    given = x.clone(), y.clone(), gain.clone(), shift.clone()
    value = numbers(answer(*given, eps), call, allow_nan=True)
    if not all(torch.equal(*pair) for pair in zip(given, (x, y, gain, shift), strict=True)):
        raise Wrong(
            "你的函数改动了传进来的张量。返回一个新张量。",
            "Your function changed a tensor it was given. Return a new one.",
        )
    same_shape(value, tuple(x.shape), call)
    flat = (x + y).amax(dim=-1) == (x + y).amin(dim=-1)
    spoilt = ~torch.isfinite(value).all(dim=-1)
    if spoilt.any() and not (spoilt & ~flat).any():
        raise Wrong(mistakes.NO_EPS.zh, mistakes.NO_EPS.en)
    numbers(value, call)  # refuses NaN anywhere else
    x, y, gain, shift = x.double(), y.double(), gain.double(), shift.double()
    right = reference.add_and_norm(x, y, gain, shift, eps)
    compare(value, right, call, mistakes.norm_suspects(x, y, gain, shift, eps), tolerance=1e-4)


# ---- 5 · one step with the cache --------------------------------------------------------------------------


def _examine_cached_step(answer: Answer) -> None:
    for seed, (batch, n_heads, length, d_head) in enumerate(((1, 1, 4, 3), (2, 3, 5, 4))):
        shape = (batch, n_heads, length, d_head)
        query, key, value = (random_numbers(*shape, seed=seed + 10 * which) for which in range(3))
        stepped = torch.cat(_token_by_token(answer, query, key, value), dim=2)
        query, key, value = query.double(), key.double(), value.double()
        causal = torch.ones(length, length, dtype=torch.bool).tril()
        right = F.scaled_dot_product_attention(query, key, value, attn_mask=causal)
        compare(stepped, right, "cached_step", decoding.step_suspects(query, key, value), tolerance=1e-5)


def _token_by_token(answer: Answer, query: Tensor, key: Tensor, value: Tensor) -> list[Tensor]:
    batch, n_heads, length, d_head = query.shape
    outputs: list[Tensor] = []
    cache: Any = None
    for t in range(length):
        returned = answer(*(x[:, :, t : t + 1].clone() for x in (query, key, value)), cache)
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise Wrong(
                "要返回两样东西：输出和新的缓存。写成 return output, (keys, values)。",
                "Two things should be returned, the output and the new cache: return output, (keys, values).",
            )
        output, cache = returned
        call = f"cached_step(…), t = {t}"
        read = numbers(output, call)
        known = decoding.grown_axes(batch, n_heads, t + 1, d_head)
        _named_shape(read, (batch, n_heads, 1, d_head), known, call)
        outputs.append(read)
    return outputs


# ---- 6 · greedy decoding ----------------------------------------------------------------------------------

VOCAB, LOST, UNLIKELY = 9, 7, 8


class _Scripted:
    """A model that says ``script`` and then ``end``, as long as it is handed everything said so far."""

    def __init__(self, script: list[int], start: int, end: int, max_len: int) -> None:
        self.said = [start, *script]
        self.next = [*script, end]
        self.calls_left = max_len + 2  # one more than a careful loop needs, then it is called endless
        self.overrun = False

    def __call__(self, tokens: Any) -> Tensor:
        if not isinstance(tokens, Tensor) or tokens.ndim != 2 or tokens.shape[0] != 1:
            shape = list(tokens.shape) if isinstance(tokens, Tensor) else type(tokens).__name__
            raise ValueError(f"next_logits: [1, T], int64; {shape}")
        self.calls_left -= 1
        if self.calls_left < 0:
            self.overrun = True
            raise RuntimeError("max_len")
        row = tokens[0].tolist()
        logits = -1.0 - torch.rand(1, len(row), VOCAB, generator=torch.Generator().manual_seed(len(row)))
        logits[..., UNLIKELY] = -50.0
        for t in range(len(row)):
            known = row[: t + 1] == self.said[: t + 1] and t < len(self.next)
            logits[0, t, self.next[t] if known else LOST] = -0.5  # the largest, though not above 0
        return logits


def _examine_greedy(answer: Answer) -> None:
    start, end = 5, 6
    for script, max_len in (([2, 0, 3], 6), ([1, 4, 4, 2, 0], 4), ([], 3), ([3, 1], 2)):
        model = _Scripted(script, start, end, max_len)
        try:
            tokens = answer(model, start, end, max_len)
        except Exception:
            if not model.overrun:
                raise
            raise Wrong(
                f"max_len = {max_len}，你却问了模型 {max_len + 2} 次以上：循环停不下来。",
                f"With max_len = {max_len} you asked the model more than {max_len + 2} times: the loop does "
                "not stop.",
            ) from None
        read = _tokens(tokens)
        right = script[:max_len]
        if read == right:
            continue
        for mistaken, name in decoding.greedy_suspects(script, start, end, max_len, LOST, UNLIKELY):
            if read == mistaken:
                raise Wrong(name.zh, name.en)
        raise Wrong(
            f"模型会说 {script} 然后终止，max_len = {max_len}，结果应当是 {right}，你的是 {read}。",
            f"The model says {script} and then the end; with max_len = {max_len} the result should be "
            f"{right}; yours is {read}.",
        )


def _tokens(value: Any) -> list[int]:
    """A learner's tokens as a list of int, from a list, a tuple or a tensor of one axis."""
    if isinstance(value, Tensor) and value.ndim == 2 and value.shape[0] == 1:
        value = value[0]
    if isinstance(value, Tensor) and value.ndim == 1 and not value.is_floating_point():
        value = value.tolist()
    if not isinstance(value, list | tuple):
        kind = type(value).__name__
        raise Wrong(
            f"要返回一个词元列表，你返回的是 {kind}。", f"Return a list of tokens; yours is a {kind}."
        )
    read = []
    for token in value:
        whole = token.item() if isinstance(token, Tensor) and token.numel() == 1 else token
        if not isinstance(whole, int):
            kind = type(whole).__name__
            raise Wrong(
                f"列表里要整数，你的里面有 {kind}。", f"The list should hold integers; yours holds a {kind}."
            )
        read.append(whole)
    return read
