"""Lesson 04's checks name the mistakes people really make, and accept other right answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from posenc_lessons import encodings
from posenc_lessons.exercises import relative as checks
from posenc_lessons.exercises.solutions import relative as solutions
from tests.exercises.naming import names

NAMES = ("table_rows", "shaw_scores", "weights_by_distance", "bucket", "slopes")
CHECKS: dict[str, Callable[..., Any]] = {name: getattr(checks, f"check_{name}") for name in NAMES}


def test_the_reference_solutions_agree_with_the_package() -> None:
    rows = solutions.table_rows(3, 7, 2)
    torch.testing.assert_close(rows, encodings.relative_distances(3, 7, clip=2) + 2)
    weights, table = torch.rand(2, 3, 7, dtype=torch.float64), torch.randn(5, 4, dtype=torch.float64)
    by_distance = solutions.weights_by_distance(weights, 2)
    torch.testing.assert_close(by_distance @ table, encodings.relative_values(weights, table))
    key, query = torch.zeros(7, 4, dtype=torch.float64), torch.randn(3, 4, dtype=torch.float64)
    scores = solutions.shaw_scores(query, key, table)
    torch.testing.assert_close(scores, encodings.relative_scores(query, table, 7) / 2)
    steps = torch.arange(300)
    theirs = encodings.t5_buckets(-steps, 16, 128, bidirectional=False)
    inside = torch.isin(steps, checks._off_the_edges(16, 128))  # elsewhere rounding may decide
    assert torch.equal(solutions.bucket(steps, 16, 128)[inside], theirs[inside])
    for n_heads in range(1, 40):
        torch.testing.assert_close(solutions.slopes(n_heads).double(), encodings.alibi_slopes(n_heads))


# ---- wrong answers with a name ------------------------------------------------------------------------


def _ahead(len_q: int, len_k: int) -> Tensor:
    return torch.arange(len_k)[None, :] - torch.arange(len_q)[:, None]


def rows_without_sign(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k).abs().clamp(max=k) + k


def rows_without_sign_or_shift(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k).abs().clamp(max=k)


def rows_of_i_minus_j(len_q: int, len_k: int, k: int) -> Tensor:
    return (-_ahead(len_q, len_k)).clamp(-k, k) + k


def rows_not_clipped(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k) + k


def rows_not_shifted(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k).clamp(-k, k)


def rows_neither_clipped_nor_shifted(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k)


def rows_one_too_low(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k).clamp(-k, k) + k - 1


def rows_one_too_high(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k).clamp(-k, k) + k + 1


def rows_clipped_before_the_shift(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k).clamp(0, 2 * k)


def rows_by_remainder(len_q: int, len_k: int, k: int) -> Tensor:
    return (_ahead(len_q, len_k) + k) % (2 * k + 1)


def rows_as_in_the_notes(len_q: int, len_k: int, k: int) -> Tensor:
    range_q, range_k = torch.arange(len_q), torch.arange(len_k)
    return (range_q[None, :] - range_k[:, None]).clamp(-k, k) + k


def rows_of_floats(len_q: int, len_k: int, k: int) -> Tensor:
    return solutions.table_rows(len_q, len_k, k).float()


def _position(query: Tensor, key: Tensor, table: Tensor, rows: Tensor) -> Tensor:
    return torch.einsum("...id,ijd->...ij", query, table[rows])


def _scores(query: Tensor, key: Tensor, table: Tensor, rows: Tensor | None = None) -> Tensor:
    """Not divided; with the rows given, or the right ones."""
    if rows is None:
        rows = solutions.table_rows(query.shape[-2], key.shape[-2], len(table) // 2)
    return query @ key.mT + _position(query, key, table, rows)


def _sizes(query: Tensor, key: Tensor, table: Tensor) -> tuple[int, int, int]:
    return query.shape[-2], key.shape[-2], len(table) // 2


def scores_of_content_alone(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return query @ key.mT / math.sqrt(query.shape[-1])


def scores_of_position_alone(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return (_scores(query, key, table) - query @ key.mT) / math.sqrt(query.shape[-1])


def scores_not_divided(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return _scores(query, key, table)


def scores_with_content_divided(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    content = query @ key.mT
    return _scores(query, key, table) - content + content / math.sqrt(query.shape[-1])


def scores_with_position_divided(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    content = query @ key.mT
    return (_scores(query, key, table) - content) / math.sqrt(query.shape[-1]) + content


def scores_divided_by_d(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return _scores(query, key, table) / query.shape[-1]


def scores_of_i_minus_j(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    rows = rows_of_i_minus_j(*_sizes(query, key, table))
    return _scores(query, key, table, rows) / math.sqrt(query.shape[-1])


def scores_without_sign(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    rows = rows_without_sign(*_sizes(query, key, table))
    return _scores(query, key, table, rows) / math.sqrt(query.shape[-1])


def scores_with_rows_wrapped(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    rows = rows_not_shifted(*_sizes(query, key, table))
    return _scores(query, key, table, rows) / math.sqrt(query.shape[-1])


def scores_with_the_table_on_the_key(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    rows = solutions.table_rows(*_sizes(query, key, table))
    by_key = torch.einsum("...jd,ijd->...ij", key, table[rows])
    return (query @ key.mT + by_key) / math.sqrt(query.shape[-1])


def scores_gathered_over_queries(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    content = query @ key.mT
    rows = solutions.table_rows(*_sizes(query, key, table)).expand(content.shape)
    return (content + (query @ table.T).gather(-2, rows)) / math.sqrt(query.shape[-1])


def scores_without_clipping(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    rows = rows_not_clipped(*_sizes(query, key, table))
    return _scores(query, key, table, rows) / math.sqrt(query.shape[-1])


def scores_for_two_axes_only(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    rows = solutions.table_rows(*_sizes(query, key, table))
    return (query @ key.T + torch.einsum("id,ijd->ij", query, table[rows])) / math.sqrt(query.shape[-1])


def totals_overwritten(weights: Tensor, k: int) -> Tensor:
    kept = weights.new_zeros(*weights.shape[:-1], 2 * k + 1)
    rows = solutions.table_rows(*weights.shape[-2:], k)
    for j in range(weights.shape[-1]):
        kept[..., torch.arange(weights.shape[-2]), rows[:, j]] = weights[..., j]
    return kept


def totals_reversed(weights: Tensor, k: int) -> Tensor:
    return solutions.weights_by_distance(weights, k).flip(-1)


def totals_without_the_far_ones(weights: Tensor, k: int) -> Tensor:
    near = _ahead(*weights.shape[-2:]).abs() <= k
    return solutions.weights_by_distance(weights * near, k)


def totals_averaged(weights: Tensor, k: int) -> Tensor:
    counts = solutions.weights_by_distance(torch.ones_like(weights), k)
    return solutions.weights_by_distance(weights, k) / counts.clamp(min=1)


def totals_counted(weights: Tensor, k: int) -> Tensor:
    return solutions.weights_by_distance(torch.ones_like(weights), k)


def totals_without_sign(weights: Tensor, k: int) -> Tensor:
    rows = rows_without_sign(*weights.shape[-2:], k).expand(weights.shape)
    return weights.new_zeros(*weights.shape[:-1], 2 * k + 1).scatter_add(-1, rows, weights)


def totals_by_key(weights: Tensor, k: int) -> Tensor:
    return weights.clone()


def totals_that_spoil_the_weights(weights: Tensor, k: int) -> Tensor:
    totals = solutions.weights_by_distance(weights, k)
    weights.zero_()
    return totals


def _log(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    exact = n_buckets // 2
    stretch = (n_buckets - exact) / math.log(max_distance / exact)
    return (steps.clamp(min=1).double() / exact).log() * stretch


def _joined(steps: Tensor, n_buckets: int, beyond: Tensor) -> Tensor:
    return torch.where(steps < n_buckets // 2, steps, beyond.long())


def buckets_without_a_ceiling(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    return _joined(steps, n_buckets, n_buckets // 2 + _log(steps, n_buckets, max_distance).floor())


def buckets_one_too_many(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    wide = n_buckets // 2 + _log(steps, n_buckets, max_distance).floor()
    return _joined(steps, n_buckets, wide.clamp(max=n_buckets))


def buckets_without_the_first_half(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    wide = _log(steps, n_buckets, max_distance).floor()
    return _joined(steps, n_buckets, wide.clamp(max=n_buckets - 1))


def buckets_rounded(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    wide = n_buckets // 2 + _log(steps, n_buckets, max_distance).round()
    return _joined(steps, n_buckets, wide.clamp(max=n_buckets - 1))


def buckets_rounded_up(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    wide = n_buckets // 2 + _log(steps, n_buckets, max_distance).ceil()
    return _joined(steps, n_buckets, wide.clamp(max=n_buckets - 1))


def buckets_with_the_logarithm_from_1(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    exact = n_buckets // 2
    wide = steps.clamp(min=1).double().log() / math.log(max_distance) * (n_buckets - exact)
    return _joined(steps, n_buckets, (exact + wide.floor()).clamp(max=n_buckets - 1))


def buckets_of_equal_width(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    exact = n_buckets // 2
    wide = (steps - exact).double() / (max_distance - exact) * (n_buckets - exact)
    return _joined(steps, n_buckets, (exact + wide.floor()).clamp(max=n_buckets - 1))


def buckets_merely_clipped(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    return steps.clamp(max=n_buckets - 1)


def buckets_all_by_logarithm(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    wide = n_buckets // 2 + _log(steps, n_buckets, max_distance).floor()
    return wide.clamp(0, n_buckets - 1).long()


def buckets_of_floats(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    return solutions.bucket(steps, n_buckets, max_distance).float()


def slopes_from_1(n_heads: int) -> Tensor:
    return 2.0 ** (-8 * torch.arange(n_heads) / n_heads)


def slopes_of_base_e(n_heads: int) -> Tensor:
    return torch.exp(-8 * torch.arange(1, n_heads + 1) / n_heads)


def slopes_on_a_line(n_heads: int) -> Tensor:
    return torch.arange(1, n_heads + 1) / n_heads


def slopes_always_halved(n_heads: int) -> Tensor:
    return 2.0 ** -torch.arange(1, n_heads + 1).float()


def slopes_reversed(n_heads: int) -> Tensor:
    return solutions.slopes(n_heads).flip(0)


def slopes_negative(n_heads: int) -> Tensor:
    return -solutions.slopes(n_heads)


def slopes_by_the_formula_for_any_number(n_heads: int) -> Tensor:
    return 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)


def _made_up(n_heads: int, choose: Callable[[Tensor, int], Tensor]) -> Tensor:
    smaller = 2 ** (n_heads.bit_length() - 1)
    larger = slopes_by_the_formula_for_any_number(2 * smaller)
    return torch.cat([slopes_by_the_formula_for_any_number(smaller), choose(larger, n_heads - smaller)])


def slopes_made_up_in_a_row(n_heads: int) -> Tensor:
    return _made_up(n_heads, lambda larger, extra: larger[:extra])


def slopes_made_up_from_the_second(n_heads: int) -> Tensor:
    return _made_up(n_heads, lambda larger, extra: larger[1::2][:extra])


def slopes_cut_off(n_heads: int) -> Tensor:
    power = 1 << (n_heads - 1).bit_length()
    return slopes_by_the_formula_for_any_number(power)[:n_heads]


def slopes_sorted(n_heads: int) -> Tensor:
    return solutions.slopes(n_heads).sort(descending=True).values


NAMED = [
    (rows_without_sign, "|j − i|", "|j − i|"),
    (rows_without_sign_or_shift, "|j − i|", "|j − i|"),
    (rows_of_i_minus_j, "符号反了", "opposite sign"),
    (rows_not_clipped, "没有截断", "clipping is missing"),
    (rows_not_shifted, "漏了 + k", "+ k is missing"),
    (rows_neither_clipped_nor_shifted, "也没有加 k", "Neither clipped"),
    (rows_one_too_low, "最后一行", "last row"),
    (rows_one_too_high, "2k + 1", "2k + 1"),
    (rows_clipped_before_the_shift, "之前就要加 k", "Add k before"),
    (rows_by_remainder, "余数", "remainder"),
    (rows_as_in_the_notes, "行和列反了", "rows and columns exchanged"),
    (rows_of_floats, "int64", "int64"),
    (scores_of_content_alone, "表没有用上", "table was not used"),
    (scores_of_position_alone, "漏了 q·k", "q·k is missing"),
    (scores_not_divided, "忘了除以 √d", "division by √d is missing"),
    (scores_with_content_divided, "只有 q·k 除以了", "Only q·k is divided"),
    (scores_with_position_divided, "只有 q·a 除以了", "Only q·a is divided"),
    (scores_divided_by_d, "应为 √d", "√d it is"),
    (scores_of_i_minus_j, "符号反了", "opposite sign"),
    (scores_without_sign, "|j − i|", "|j − i|"),
    (scores_with_rows_wrapped, "漏了 + k", "+ k is missing"),
    (scores_with_the_table_on_the_key, "应当是查询", "it is the query's"),
    (scores_gathered_over_queries, "gather 的方向错了", "wrong axis"),
    (scores_without_clipping, "没有截断", "clipping is missing"),
    (scores_for_two_axes_only, "报错", "raised"),
    (totals_overwritten, "scatter_add", "scatter_add"),
    (totals_reversed, "符号反了", "opposite sign"),
    (totals_without_the_far_ones, "扔掉了", "drop the keys"),
    (totals_averaged, "平均", "mean"),
    (totals_counted, "有几个键", "count the keys"),
    (totals_without_sign, "|j − i|", "|j − i|"),
    (totals_by_key, "一列一个键", "column per key"),
    (totals_that_spoil_the_weights, "改动了", "changed the weights"),
    (buckets_without_a_ceiling, "没有封顶", "No ceiling"),
    (buckets_one_too_many, "封顶差 1", "ceiling is off by one"),
    (buckets_without_the_first_half, "漏加了", "far half lacks"),
    (buckets_rounded, "四舍五入", "rounds to the nearest"),
    (buckets_rounded_up, "向上取整", "rounds up"),
    (buckets_with_the_logarithm_from_1, "对数要从", "logarithm starts at"),
    (buckets_of_equal_width, "按距离均分", "evenly by distance"),
    (buckets_merely_clipped, "只是截断", "Plain clipping"),
    (buckets_all_by_logarithm, "近处也取了对数", "near half"),
    (buckets_of_floats, "int64", "int64"),
    (slopes_from_1, "从 0 开始", "starts at 0"),
    (slopes_of_base_e, "用了 e", "yours is e"),
    (slopes_on_a_line, "等差", "arithmetic"),
    (slopes_always_halved, "只对 8 个头", "8 heads only"),
    (slopes_reversed, "次序反了", "In reverse"),
    (slopes_negative, "正数", "positive"),
    (slopes_by_the_formula_for_any_number, "不是 2 的幂", "no power of two"),
    (slopes_made_up_in_a_row, "取的是连续的", "follow each other"),
    (slopes_made_up_from_the_second, "从第 0 个", "starts from 1"),
    (slopes_cut_off, "直接截了", "cut off"),
    (slopes_sorted, "重新排了序", "sorted anew"),
]
EXERCISES = {
    "rows": "table_rows",
    "scores": "shaw_scores",
    "totals": "weights_by_distance",
    "buckets": "bucket",
    "slopes": "slopes",
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
    def rows_clipped_after_the_shift(len_q: int, len_k: int, k: int) -> Tensor:
        return (_ahead(len_q, len_k) + k).clamp(0, 2 * k)

    def scores_by_the_definition(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
        return _scores(query, key, table) / query.shape[-1] ** 0.5

    def totals_by_one_hot(weights: Tensor, k: int) -> Tensor:
        rows = solutions.table_rows(*weights.shape[-2:], k)
        one_hot = torch.nn.functional.one_hot(rows, 2 * k + 1).to(weights.dtype)
        return torch.einsum("...ij,ijr->...ir", weights, one_hot)

    def buckets_of_the_package(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
        return encodings.t5_buckets(-steps, n_buckets, max_distance, bidirectional=False)

    def buckets_in_float32(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
        exact = n_buckets // 2
        log = (steps.clamp(min=1).float() / exact).log() / math.log(max_distance / exact)
        wide = exact + (log * (n_buckets - exact)).long()
        return torch.where(steps < exact, steps, wide.clamp(max=n_buckets - 1))

    assert checks.check_table_rows(rows_clipped_after_the_shift).passed
    assert checks.check_shaw_scores(scores_by_the_definition).passed
    assert checks.check_weights_by_distance(totals_by_one_hot).passed
    assert checks.check_bucket(buckets_of_the_package).passed
    assert checks.check_bucket(buckets_in_float32).passed
    assert checks.check_slopes(encodings.alibi_slopes).passed
