"""Lesson 07's checks name the usual mistakes, and accept other right ways (the rest: test_every_check)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.exercises import transformer as checks
from posenc_lessons.exercises.solutions import transformer as solutions
from posenc_lessons.models import MultiHeadAttention
from tests.exercises.naming import names

NAMES = ("split_heads", "join_heads", "causal_padding_mask", "add_and_norm", "cached_step", "greedy")
CHECKS: dict[str, Callable[..., Any]] = {name: getattr(checks, f"check_{name}") for name in NAMES}


def test_the_reference_solutions_agree_with_the_package_and_pytorch() -> None:
    x = torch.randn(2, 5, 12)
    heads = solutions.split_heads(x, 3)
    assert torch.equal(heads, MultiHeadAttention(12, 3)._split(x))
    assert torch.equal(solutions.join_heads(heads), x)
    norm = nn.LayerNorm(12)
    nn.init.normal_(norm.weight)
    nn.init.normal_(norm.bias)
    y = torch.randn(2, 5, 12)
    torch.testing.assert_close(
        solutions.add_and_norm(x, y, norm.weight, norm.bias, norm.eps), norm(x + y), atol=1e-5, rtol=1e-5
    )


# ---- wrong answers with a name ----------------------------------------------------------------------------


def split_by_a_view_alone(x: Tensor, n_heads: int) -> Tensor:
    return x.reshape(x.shape[0], n_heads, x.shape[1], -1)


def split_without_moving_heads(x: Tensor, n_heads: int) -> Tensor:
    return x.unflatten(-1, (n_heads, -1))


def split_as_in_the_notes(x: Tensor, n_heads: int) -> Tensor:
    return solutions.split_heads(x, n_heads).flatten(0, 1)


def split_every_other_feature(x: Tensor, n_heads: int) -> Tensor:
    return x.unflatten(-1, (-1, n_heads)).permute(0, 3, 1, 2)


def split_into_n_features(x: Tensor, n_heads: int) -> Tensor:
    return x.unflatten(-1, (-1, n_heads)).transpose(1, 2)


def split_with_heads_first(x: Tensor, n_heads: int) -> Tensor:
    return solutions.split_heads(x, n_heads).transpose(0, 1)


def split_with_columns_for_tokens(x: Tensor, n_heads: int) -> Tensor:
    return solutions.split_heads(x, n_heads).mT


def split_in_reverse(x: Tensor, n_heads: int) -> Tensor:
    return solutions.split_heads(x, n_heads).flip(1)


def join_by_a_view_alone(heads: Tensor) -> Tensor:
    return heads.reshape(heads.shape[0], heads.shape[2], -1)


def join_by_the_mean(heads: Tensor) -> Tensor:
    return heads.mean(dim=1)


def join_by_the_sum(heads: Tensor) -> Tensor:
    return heads.sum(dim=1)


def join_as_in_the_notes(heads: Tensor) -> Tensor:
    return heads.transpose(1, 2).reshape(-1, heads.shape[1] * heads.shape[3])


def join_not_flattened(heads: Tensor) -> Tensor:
    return heads.transpose(1, 2)


def join_of_the_wrong_axes(heads: Tensor) -> Tensor:
    return heads.flatten(2)


def join_with_features_first(heads: Tensor) -> Tensor:
    return solutions.join_heads(heads).mT


def join_interleaved(heads: Tensor) -> Tensor:
    return heads.permute(0, 2, 3, 1).flatten(2)


def join_in_reverse(heads: Tensor) -> Tensor:
    return solutions.join_heads(heads.flip(1))


def _lower(real: Tensor) -> Tensor:
    return torch.ones(real.shape[1], real.shape[1], dtype=torch.bool).tril()


def mask_of_the_opposite_sense(real: Tensor) -> Tensor:
    return ~solutions.causal_padding_mask(real)


def mask_with_or(real: Tensor) -> Tensor:
    return _lower(real) | real[:, None, None, :]


def mask_looking_ahead(real: Tensor) -> Tensor:
    return _lower(real).T & real[:, None, None, :]


def mask_without_the_diagonal(real: Tensor) -> Tensor:
    return _lower(real).tril(-1) & real[:, None, None, :]


def mask_of_queries(real: Tensor) -> Tensor:
    return _lower(real) & real[:, None, :, None]


def mask_of_queries_and_keys(real: Tensor) -> Tensor:
    return _lower(real) & real[:, None, :, None] & real[:, None, None, :]


def mask_of_padding_alone(real: Tensor) -> Tensor:
    return real[:, None, None, :]


def mask_of_the_triangle_alone(real: Tensor) -> Tensor:
    return _lower(real)


def mask_without_the_axis_of_heads(real: Tensor) -> Tensor:
    return _lower(real) & real[:, None, :]


def mask_with_the_axis_misplaced(real: Tensor) -> Tensor:
    return solutions.causal_padding_mask(real).transpose(1, 2)


def mask_of_padding_turned_around(real: Tensor) -> Tensor:
    return _lower(real) & ~real[:, None, None, :]


def mask_of_numbers(real: Tensor) -> Tensor:
    return solutions.causal_padding_mask(real).int()


def mask_written_into_the_input(real: Tensor) -> Tensor:
    mask = solutions.causal_padding_mask(real)
    real.fill_(True)
    return mask


def _normal(total: Tensor, dims: tuple[int, ...], eps: float, correction: int = 0) -> Tensor:
    variance = total.var(dim=dims, keepdim=True, correction=correction)
    return (total - total.mean(dim=dims, keepdim=True)) / (variance + eps).sqrt()


def norm_as_in_the_notes(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    return _normal(x + y, (-2, -1), eps) * gain + shift


def norm_along_the_length(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    return _normal(x + y, (1,), eps) * gain + shift


def norm_over_the_batch(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    return _normal(x + y, (0,), eps) * gain + shift


def norm_without_the_residual(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    return _normal(y, (-1,), eps) * gain + shift


def norm_of_x_alone(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    return _normal(x, (-1,), eps) * gain + shift


def norm_before_the_sum(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    return x + _normal(y, (-1,), eps) * gain + shift


def norm_without_gain_and_shift(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    return _normal(x + y, (-1,), eps)


def norm_without_shift(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    return _normal(x + y, (-1,), eps) * gain


def norm_without_gain(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    return _normal(x + y, (-1,), eps) + shift


def norm_shifted_first(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    return (_normal(x + y, (-1,), eps) + shift) * gain


def norm_of_d_minus_1(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    return _normal(x + y, (-1,), eps, correction=1) * gain + shift


def norm_by_std(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    total = x + y
    return (total - total.mean(-1, keepdim=True)) / (total.std(-1, keepdim=True) + eps) * gain + shift


def norm_by_the_variance(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    total = x + y
    variance = total.var(-1, keepdim=True, correction=0)
    return (total - total.mean(-1, keepdim=True)) / (variance + eps) * gain + shift


def norm_by_the_root_mean_square(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    total = x + y
    return total / (total.square().mean(-1, keepdim=True) + eps).sqrt() * gain + shift


def norm_not_centred(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    total = x + y
    return total / (total.var(-1, keepdim=True, correction=0) + eps).sqrt() * gain + shift


def norm_merely_centred(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    total = x + y
    return (total - total.mean(-1, keepdim=True)) * gain + shift


def norm_with_eps_outside(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    total = x + y
    deviation = total.std(-1, keepdim=True, correction=0)
    return (total - total.mean(-1, keepdim=True)) / (deviation + eps) * gain + shift


def norm_without_eps(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    total = x + y
    centred = total - total.mean(-1, keepdim=True)
    return centred / centred.square().mean(-1, keepdim=True).sqrt() * gain + shift


def norm_with_nan_where_all_is_equal(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    total = x + y
    flat = total.amax(-1, keepdim=True) == total.amin(-1, keepdim=True)
    right = F.layer_norm(total, total.shape[-1:], gain, shift, eps)
    return torch.where(flat, math.nan, right)


def norm_in_place(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    x += y
    return F.layer_norm(x, x.shape[-1:], gain, shift, eps)


def _longer(cache: Any, key: Tensor, value: Tensor, dim: int = 2) -> tuple[Tensor, Tensor]:
    if cache is None:
        return key, value
    return torch.cat([cache[0], key], dim=dim), torch.cat([cache[1], value], dim=dim)


def _attend(query: Tensor, key: Tensor, value: Tensor, dim: int = -1) -> Tensor:
    return (query @ key.mT / math.sqrt(query.shape[-1])).softmax(dim=dim) @ value


def step_that_forgets(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    return _attend(q, k, v), (k, v)


def step_that_keeps_the_first(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    return _attend(q, *_longer(cache, k, v)), cache or (k, v)


def step_that_keeps_the_last(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    return _attend(q, *_longer(cache, k, v)), (k, v)


def step_blind_to_itself(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    return _attend(q, *(cache or (k, v))), _longer(cache, k, v)


def step_with_a_causal_mask(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    k, v = _longer(cache, k, v)
    mask = torch.ones(1, k.shape[2], dtype=torch.bool).tril()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask), (k, v)


def step_with_softmax_over_queries(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    k, v = _longer(cache, k, v)
    return _attend(q, k, v, dim=-2), (k, v)


def step_not_divided(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    k, v = _longer(cache, k, v)
    return (q @ k.mT).softmax(dim=-1) @ v, (k, v)


def step_divided_by_d(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    k, v = _longer(cache, k, v)
    return (q @ k.mT / q.shape[-1]).softmax(dim=-1) @ v, (k, v)


def step_with_keys_for_values(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    k, _ = _longer(cache, k, v)
    return _attend(q, k, k), (k, k)


def step_with_keys_in_front(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    _, values = _longer(cache, k, v)
    keys = k if cache is None else torch.cat([k, cache[0]], dim=2)
    return _attend(q, keys, values), (keys, values)


def step_grown_in_heads(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    k, v = _longer(cache, k, v, dim=1)
    return _attend(q, k, v), (k, v)


def step_grown_in_batch(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    k, v = _longer(cache, k, v, dim=0)
    return _attend(q, k, v), (k, v)


def step_for_every_token(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    k, v = _longer(cache, k, v)
    return _attend(q, k, v).expand_as(v), (k, v)


def step_without_a_cache(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
    return _attend(q, k, v)


Model = Callable[[Tensor], Tensor]


def _greedy(model: Model, start: int, end: int, max_len: int, at: int = -1) -> list[int]:
    tokens = [start]
    while len(tokens) <= max_len:
        token = int(model(torch.tensor([tokens]))[0, at].argmax())
        if token == end:
            break
        tokens.append(token)
    return tokens[1:]


def greedy_with_the_start(model: Model, start: int, end: int, max_len: int) -> list[int]:
    return [start, *_greedy(model, start, end, max_len)]


def greedy_with_the_end(model: Model, start: int, end: int, max_len: int) -> list[int]:
    tokens = _greedy(model, start, end, max_len)
    return tokens if len(tokens) == max_len else [*tokens, end]


def greedy_with_start_and_end(model: Model, start: int, end: int, max_len: int) -> list[int]:
    return [start, *greedy_with_the_end(model, start, end, max_len)]


def greedy_at_position_0(model: Model, start: int, end: int, max_len: int) -> list[int]:
    return _greedy(model, start, end, max_len, at=0)


def greedy_for_the_least(model: Model, start: int, end: int, max_len: int) -> list[int]:
    return _greedy(lambda tokens: -model(tokens), start, end, max_len)


def greedy_with_the_last_alone(model: Model, start: int, end: int, max_len: int) -> list[int]:
    return _greedy(lambda tokens: model(tokens[:, -1:]), start, end, max_len)


def greedy_past_the_end(model: Model, start: int, end: int, max_len: int) -> list[int]:
    return _greedy(model, start, -1, max_len)


def greedy_one_too_many(model: Model, start: int, end: int, max_len: int) -> list[int]:
    return _greedy(model, start, end, max_len + 1)


def greedy_one_short(model: Model, start: int, end: int, max_len: int) -> list[int]:
    return _greedy(model, start, end, max_len - 1)


def greedy_without_a_limit(model: Model, start: int, end: int, max_len: int) -> list[int]:
    return _greedy(model, start, -1, 10**6)


def greedy_of_numbers(model: Model, start: int, end: int, max_len: int) -> list[float]:
    return [float(token) for token in _greedy(model, start, end, max_len)]


NAMED = [
    (split_by_a_view_alone, "切到了一个头里", "into one head"),
    (split_without_moving_heads, "transpose(1, 2)", "transpose(1, 2)"),
    (split_as_in_the_notes, "[B·h, L, d_head]", "[B·h, L, d_head]"),
    (split_every_other_feature, "隔着取", "every h-th"),
    (split_into_n_features, "弄反了", "exchanged"),
    (split_with_heads_first, "批量在最前面", "Batch comes first"),
    (split_with_columns_for_tokens, "最后两维反了", "last two axes"),
    (split_in_reverse, "次序反了", "In reverse"),
    (join_by_a_view_alone, "没有先 transpose", "without transpose"),
    (join_by_the_mean, "不是平均", "neither averaged"),
    (join_by_the_sum, "不是平均或相加", "nor added"),
    (join_as_in_the_notes, "[B·L, d]", "[B·L, d]"),
    (join_not_flattened, "最后两维合成一维", "flatten the last two"),
    (join_of_the_wrong_axes, "合错了两维", "wrong two axes"),
    (join_with_features_first, "长度应当在特征前面", "Length comes before"),
    (join_interleaved, "交错", "each head in turn"),
    (join_in_reverse, "次序反了", "In reverse"),
    (mask_of_the_opposite_sense, "意思反了", "opposite sense"),
    (mask_with_or, "用 &", "so &"),
    (mask_looking_ahead, "只看后面", "looks ahead"),
    (mask_without_the_diagonal, "对角线", "diagonal"),
    (mask_of_queries, "遮的是键", "Hide keys"),
    (mask_of_queries_and_keys, "遮的是键", "Hide keys"),
    (mask_of_padding_alone, "只有填充", "Padding alone"),
    (mask_of_the_triangle_alone, "只有因果", "triangle alone"),
    (mask_without_the_axis_of_heads, "少了头那一维", "axis of heads is missing"),
    (mask_with_the_axis_misplaced, "放错了地方", "wrong place"),
    (mask_of_padding_turned_around, "留下了填充", "leaves the padding"),
    (mask_of_numbers, "torch.bool", "torch.bool"),
    (mask_written_into_the_input, "改动了", "changed"),
    (norm_as_in_the_notes, "[L, d]", "[L, d]"),
    (norm_along_the_length, "长度那一维", "along the length"),
    (norm_over_the_batch, "批归一化", "batch normalisation"),
    (norm_without_the_residual, "漏了残差", "residual is missing"),
    (norm_of_x_alone, "y 没有用上", "y was not used"),
    (norm_before_the_sum, "先相加", "add first"),
    (norm_without_gain_and_shift, "gain 和 shift 没有用上", "gain and shift were not used"),
    (norm_without_shift, "shift 没有加上", "shift was not added"),
    (norm_without_gain, "gain 没有乘上", "gain was not multiplied"),
    (norm_shifted_first, "先乘 gain", "Multiply by gain first"),
    (norm_of_d_minus_1, "d − 1", "d − 1"),
    (norm_by_std, "d − 1", "d − 1"),
    (norm_by_the_variance, "开根号", "square root"),
    (norm_by_the_root_mean_square, "RMSNorm", "RMSNorm"),
    (norm_not_centred, "没有减去均值", "mean is not subtracted"),
    (norm_merely_centred, "没有除以标准差", "not divided by the standard"),
    (norm_with_eps_outside, "根号里面", "under the root, √"),
    (norm_without_eps, "少了 eps", "eps is missing"),
    (norm_with_nan_where_all_is_equal, "少了 eps", "eps is missing"),
    (norm_in_place, "改动了", "changed"),
    (step_that_forgets, "缓存没有用上", "cache is not used"),
    (step_that_keeps_the_first, "没有变长", "has not grown"),
    (step_that_keeps_the_last, "前面的丢了", "before are lost"),
    (step_blind_to_itself, "没有看自己", "does not see itself"),
    (step_with_a_causal_mask, "第 0 行", "row 0"),
    (step_with_softmax_over_queries, "查询那一维", "over the queries"),
    (step_not_divided, "忘了除以", "division by √d_head is missing"),
    (step_divided_by_d, "应为 √d_head", "√d_head it is"),
    (step_with_keys_for_values, "键当成了值", "keys for values"),
    (step_with_keys_in_front, "对不上号", "no longer match"),
    (step_grown_in_heads, "接错了方向", "wrong axis"),
    (step_grown_in_batch, "接错了方向", "wrong axis"),
    (step_for_every_token, "只要新词元", "Only the new token"),
    (step_without_a_cache, "两样东西", "Two things"),
    (greedy_with_the_start, "不要起始词元", "Leave the start"),
    (greedy_with_the_end, "不要终止词元", "Leave the end"),
    (greedy_with_start_and_end, "起始和终止", "both the start and the end"),
    (greedy_at_position_0, "第 0 个位置", "position 0"),
    (greedy_for_the_least, "argmax", "argmax"),
    (greedy_with_the_last_alone, "忘了前面", "forgets those before"),
    (greedy_past_the_end, "没有停下来", "went on"),
    (greedy_one_too_many, "多了一个", "One token too many"),
    (greedy_one_short, "少了一个", "One token short"),
    (greedy_without_a_limit, "停不下来", "does not stop"),
    (greedy_of_numbers, "要整数", "should hold integers"),
]
EXERCISES = {
    "split": "split_heads",
    "join": "join_heads",
    "mask": "causal_padding_mask",
    "norm": "add_and_norm",
    "step": "cached_step",
    "greedy": "greedy",
}


def _check_for(answer: Callable[..., Any]) -> Callable[..., Any]:
    return CHECKS[EXERCISES[answer.__name__.split("_")[0]]]


@pytest.mark.parametrize(("answer", "zh", "en"), NAMED, ids=[answer.__name__ for answer, *_ in NAMED])
def test_the_mistake_is_named(answer: Callable[..., Any], zh: str, en: str) -> None:
    names(_check_for(answer)(answer), zh, en)


@pytest.mark.parametrize("start", EXERCISES)
def test_every_exercise_knows_at_least_four_wrong_answers(start: str) -> None:
    assert sum(answer.__name__.startswith(start) for answer, *_ in NAMED) >= 4


def test_other_right_ways_to_write_it_pass_too() -> None:
    def split_by_stacking(x: Tensor, n_heads: int) -> Tensor:
        return torch.stack(x.chunk(n_heads, dim=-1), dim=1)

    def join_by_concatenating(heads: Tensor) -> Tensor:
        return torch.cat(list(heads.unbind(dim=1)), dim=-1)

    def mask_by_positions(real: Tensor) -> Tensor:
        at = torch.arange(real.shape[1])
        return ((at[None, :] <= at[:, None])[None] & real[:, None])[:, None]

    def norm_by_pytorch(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
        return F.layer_norm(x + y, x.shape[-1:], gain, shift, eps)

    def norm_by_std_of_d(x: Tensor, y: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
        total = x + y
        variance = total.var(-1, keepdim=True, unbiased=False)
        return gain * (total - total.mean(-1, keepdim=True)) / torch.sqrt(variance + eps) + shift

    def step_by_the_kernel(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> Any:
        past = cache or {"k": k[:, :, :0], "v": v[:, :, :0]}
        past = {"k": torch.cat([past["k"], k], 2), "v": torch.cat([past["v"], v], 2)}
        return F.scaled_dot_product_attention(q, past["k"], past["v"]), past

    def greedy_with_a_for_loop(model: Model, start: int, end: int, max_len: int) -> Tensor:
        tokens = torch.tensor([[start]])
        for _ in range(max_len):
            chosen = model(tokens)[:, -1].softmax(dim=-1).argmax(dim=-1)
            if chosen.item() == end:
                break
            tokens = torch.cat([tokens, chosen[None]], dim=1)
        return tokens[0, 1:]

    assert checks.check_split_heads(split_by_stacking).passed
    assert checks.check_join_heads(join_by_concatenating).passed
    assert checks.check_causal_padding_mask(mask_by_positions).passed
    assert checks.check_add_and_norm(norm_by_pytorch).passed
    assert checks.check_add_and_norm(norm_by_std_of_d).passed
    assert checks.check_cached_step(step_by_the_kernel).passed
    assert checks.check_greedy(greedy_with_a_for_loop).passed
