"""The exercises of lesson 04: Shaw's tables here, T5's buckets and ALiBi's slopes in a file of their own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import torch
from torch import Tensor

from posenc_lessons import encodings
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import NOT_AN_INDEX, can_index, random_numbers
from posenc_lessons.exercises.relative_biases import BUCKET, SLOPES
from posenc_lessons.exercises.solutions import relative as solutions
from posenc_lessons.language import Text

ABSOLUTE = Text(
    "你用的是 |j − i|：前一个和后一个拿到同一行，左右分不清。要带符号的 j − i。",
    "You use |j − i|: the token before and the token after get the same row, and left cannot be told from "
    "right. The sign of j − i belongs in.",
)
RAISED = Text("你的函数{where}报错了，{error}", "Your function raised{where} {error}")
TURNED = Text(
    "你算的是 i − j，符号反了：应当是键的位置减查询的位置，j − i。",
    "You compute i − j, the opposite sign: key position minus query position is wanted, j − i.",
)

check_bucket = BUCKET.check
check_slopes = SLOPES.check


def _ahead(len_q: int, len_k: int) -> Tensor:
    """j − i [len_q, len_k]: how far the key is ahead of the query."""
    return torch.arange(len_k)[None, :] - torch.arange(len_q)[:, None]


# ---- 1 · rows of the table --------------------------------------------------------------------------------

TABLE_ROWS = Exercise(
    solutions.table_rows,
    questions=((3, 5, 2), (4, 4, 1), (6, 2, 3), (2, 9, 4), (1, 1, 2)),
    praise=Text(
        "对。j − i，截断，再加 k：每一行都在 0 到 2k 之间，查询和键不一样多也没问题。",
        "Right. j − i, clipped, plus k: every row lies between 0 and 2k, also when queries and keys differ "
        "in number.",
    ),
    tolerance=0.0,
)
check_table_rows = TABLE_ROWS.check
TABLE_ROWS.probe(can_index(2, 3, 1))


@TABLE_ROWS.mistake(ABSOLUTE)
def rows_without_sign(len_q: int, len_k: int, k: int) -> Tensor:
    return rows_without_sign_or_shift(len_q, len_k, k) + k


@TABLE_ROWS.mistake(ABSOLUTE)
def rows_without_sign_or_shift(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k).abs().clamp(max=k)


@TABLE_ROWS.mistake(TURNED)
def rows_of_i_minus_j(len_q: int, len_k: int, k: int) -> Tensor:
    return (-_ahead(len_q, len_k)).clamp(-k, k) + k


@TABLE_ROWS.mistake(
    "没有截断：距离超过 k 时，行号跑到了 0 … 2k 之外。",
    "The clipping is missing: for distances beyond k the row falls outside 0 … 2k.",
)
def rows_not_clipped(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k) + k


@TABLE_ROWS.mistake(
    "漏了 + k：负的行号在 Python 里从表的末尾倒着数，不报错，却查到了别的距离。",
    "The + k is missing: a negative row counts from the end of the table, so there is no error, only the row "
    "of another distance.",
)
def rows_not_shifted(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k).clamp(-k, k)


@TABLE_ROWS.mistake("没有截断，也没有加 k。", "Neither clipped nor shifted by k.")
def rows_neither_clipped_nor_shifted(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k)


@TABLE_ROWS.mistake(
    "差 1：距离 −k 应当在第 0 行，你给的是 −1，会绕到表的最后一行。",
    "Off by one: distance −k belongs in row 0; yours is −1, which wraps to the last row.",
)
def rows_one_too_low(len_q: int, len_k: int, k: int) -> Tensor:
    return solutions.table_rows(len_q, len_k, k) - 1


@TABLE_ROWS.mistake(
    "差 1：距离 k 应当在第 2k 行，你给的是 2k + 1，表里没有。",
    "Off by one: distance k belongs in row 2k; yours is 2k + 1, which the table lacks.",
)
def rows_one_too_high(len_q: int, len_k: int, k: int) -> Tensor:
    return solutions.table_rows(len_q, len_k, k) + 1


@TABLE_ROWS.mistake(
    "截断之前就要加 k：你把所有负的距离都截成了 0。",
    "Add k before clipping to 0 … 2k: yours turns every negative distance into 0.",
)
def rows_clipped_before_the_shift(len_q: int, len_k: int, k: int) -> Tensor:
    return _ahead(len_q, len_k).clamp(0, 2 * k)


@TABLE_ROWS.mistake(
    "你取了余数：远处的键绕回来，冒充近处的。要截断 clamp，不要取余 %。",
    "You take the remainder: far keys come round and pose as near ones. Use clamp, not %.",
)
def rows_by_remainder(len_q: int, len_k: int, k: int) -> Tensor:
    return rows_not_clipped(len_q, len_k, k) % (2 * k + 1)


@TABLE_ROWS.mistake(
    "形状是 {shape}，行和列反了：一行一个查询，一列一个键，应为 [{len_q}, {len_k}]。",
    "The shape is {shape}, rows and columns exchanged: a row for each query, a column for each key, [{len_q}"
    ", {len_k}].",
)
def rows_as_in_the_notes(len_q: int, len_k: int, k: int) -> Tensor:
    return rows_of_i_minus_j(len_k, len_q, k)


@TABLE_ROWS.example(NOT_AN_INDEX)
def rows_of_floats(len_q: int, len_k: int, k: int) -> Tensor:
    return solutions.table_rows(len_q, len_k, k).float()


@TABLE_ROWS.right
def rows_clipped_after_the_shift(len_q: int, len_k: int, k: int) -> Tensor:
    return (_ahead(len_q, len_k) + k).clamp(0, 2 * k)


@TABLE_ROWS.right
def rows_by_the_package(len_q: int, len_k: int, k: int) -> Tensor:
    return encodings.relative_distances(len_q, len_k, clip=k) + k


# ---- 2 · Shaw's scores ------------------------------------------------------------------------------------


def _queries_keys_and_table() -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    cases = (((), 5, 2, 4, 1), ((), 3, 5, 4, 2), ((), 4, 4, 6, 1), ((2, 3), 5, 4, 3, 2), ((2,), 7, 7, 5, 3))
    for seed, (front, len_q, len_k, d_head, k) in enumerate(cases):
        query = random_numbers(*front, len_q, d_head, seed=seed)
        key = random_numbers(*front, len_k, d_head, seed=seed + 10)
        yield query, key, random_numbers(2 * k + 1, d_head, seed=seed + 20)


SHAW_SCORES = Exercise(
    solutions.shaw_scores,
    questions=_queries_keys_and_table,
    praise=Text(
        "对。两项都除以 √d，符号、截断都对，前面带上批量和头也成立。",
        "Right. Both terms divided by √d, sign and clipping in order, and it holds with batch and heads in "
        "front.",
    ),
)
check_shaw_scores = SHAW_SCORES.check


def _position(query: Tensor, key: Tensor, table: Tensor, rows_of: Answer = solutions.table_rows) -> Tensor:
    """q·a [..., L_q, L_k], not divided, with the table's rows as ``rows_of`` has them."""
    rows = rows_of(query.shape[-2], key.shape[-2], len(table) // 2)
    return torch.einsum("...id,ijd->...ij", query, table[rows])


def _with_rows(rows_of: Answer, query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return (query @ key.mT + _position(query, key, table, rows_of)) / math.sqrt(query.shape[-1])


@SHAW_SCORES.mistake("只有内容，表没有用上。", "Content alone: the table was not used.")
def scores_of_content_alone(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return query @ key.mT / math.sqrt(query.shape[-1])


@SHAW_SCORES.mistake("只有位置那一项，漏了 q·k。", "Only the term of positions: q·k is missing.")
def scores_of_position_alone(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return _position(query, key, table) / math.sqrt(query.shape[-1])


@SHAW_SCORES.mistake("忘了除以 √d。", "The division by √d is missing.")
def scores_not_divided(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return query @ key.mT + _position(query, key, table)


@SHAW_SCORES.mistake(
    "只有 q·k 除以了 √d；括号在外面：q·(k + a)/√d，两项都要除。",
    "Only q·k is divided by √d; the division is outside the bracket, q·(k + a)/√d, and holds for both terms.",
)
def scores_with_content_divided(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return query @ key.mT / math.sqrt(query.shape[-1]) + _position(query, key, table)


@SHAW_SCORES.mistake("只有 q·a 除以了 √d，两项都要除。", "Only q·a is divided by √d; both terms should be.")
def scores_with_position_divided(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return query @ key.mT + _position(query, key, table) / math.sqrt(query.shape[-1])


@SHAW_SCORES.mistake("除以的是 d，应为 √d。", "You divide by d; √d it is.")
def scores_divided_by_d(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return scores_not_divided(query, key, table) / query.shape[-1]


@SHAW_SCORES.mistake(TURNED)
def scores_of_i_minus_j(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return _with_rows(rows_of_i_minus_j, query, key, table)


@SHAW_SCORES.mistake(ABSOLUTE)
def scores_without_sign(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return _with_rows(rows_without_sign, query, key, table)


@SHAW_SCORES.mistake(ABSOLUTE)
def scores_without_sign_or_shift(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return _with_rows(rows_without_sign_or_shift, query, key, table)


@SHAW_SCORES.mistake(
    "漏了 + k：负的行号绕到了表的末尾。", "The + k is missing: negative rows wrap to the end of the table."
)
def scores_with_rows_not_shifted(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return _with_rows(rows_not_shifted, query, key, table)


@SHAW_SCORES.mistake(
    "你拿键和表做了点积，应当是查询：q_i · a_{{j−i}}。",
    "You take the table's dot product with the key; it is the query's: q_i · a_{{j−i}}.",
)
def scores_with_the_table_on_the_key(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    rows = solutions.table_rows(query.shape[-2], key.shape[-2], len(table) // 2)
    by_key = torch.einsum("...jd,ijd->...ij", key, table[rows])
    return (query @ key.mT + by_key) / math.sqrt(query.shape[-1])


@SHAW_SCORES.mistake(
    "gather 的方向错了：q·a 的形状是 [..., L_q, 2k+1]，要在最后一维（距离）上取，dim=-1；你在查询那一维上取，"
    "拿到的是别的查询的点积。",
    "gather along the wrong axis: q·a has shape [..., L_q, 2k+1] and is read along its last one, the "
    "distances, dim=-1. Along the queries you read another query's products.",
)
def scores_gathered_over_queries(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    content = query @ key.mT
    rows = solutions.table_rows(query.shape[-2], key.shape[-2], len(table) // 2).expand(content.shape)
    return (content + (query @ table.T).gather(-2, rows)) / math.sqrt(query.shape[-1])


@SHAW_SCORES.mistake(
    "没有截断：比 k 还靠前的键，行号成了负数，绕到表的末尾，查到了后面的距离。",
    "The clipping is missing: for keys further before than k the row is negative and wraps to the end of the "
    "table, where the later distances are.",
)
def scores_without_clipping(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return _with_rows(rows_not_clipped, query, key, table)


@SHAW_SCORES.example(RAISED)
def scores_for_two_axes_only(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    return query @ key.T / math.sqrt(query.shape[-1]) + scores_of_position_alone(query, key, table)


@SHAW_SCORES.right
def scores_by_the_package(query: Tensor, key: Tensor, table: Tensor) -> Tensor:
    position = encodings.relative_scores(query, table, key.shape[-2])
    return (query @ key.mT + position) / math.sqrt(query.shape[-1])


# ---- 3 · weights by distance ------------------------------------------------------------------------------


def _weights() -> Iterator[tuple[Tensor, int]]:
    for seed, (front, len_q, len_k, k) in enumerate((((), 3, 6, 1), ((), 4, 4, 2), ((2, 3), 5, 3, 2))):
        yield random_numbers(*front, len_q, len_k, seed=seed).softmax(dim=-1), k


WEIGHTS_BY_DISTANCE = Exercise(
    solutions.weights_by_distance,
    questions=_weights,
    praise=Text(
        "对。同一距离的权重加在一起，一份不少；乘上值的表 [2k+1, d] 就是门 4。",
        "Right. Weights at one distance are added up and none is lost; multiply by the table of values "
        "[2k+1, d] and you have door 4.",
    ),
    changed=CHANGED,
)
check_weights_by_distance = WEIGHTS_BY_DISTANCE.check

OVERWRITTEN = Text(
    "截断之后，好几个键落在同一个距离上，你只留下了其中一个：要加起来（scatter_add，不是 scatter）。",
    "After clipping several keys fall on one distance, and you keep only one of them: add them up "
    "(scatter_add, not scatter).",
)


def _added_up(rows_of: Answer, weights: Tensor, k: int) -> Tensor:
    rows = rows_of(*weights.shape[-2:], k).expand(weights.shape)
    return weights.new_zeros(*weights.shape[:-1], 2 * k + 1).scatter_add(-1, rows, weights)


@WEIGHTS_BY_DISTANCE.mistake(
    "形状还是一列一个键 {shape}；要一列一个距离：[..., L_q, {columns}]。",
    "The shape is still a column per key, {shape}; a column per distance is wanted: [..., L_q, {columns}].",
    columns=lambda weights, k: 2 * k + 1,
)
def totals_by_key(weights: Tensor, k: int) -> Tensor:
    return weights


def _last_kept(weights: Tensor, k: int, order: Iterable[int]) -> Tensor:
    kept = weights.new_zeros(*weights.shape[:-1], 2 * k + 1)
    rows = solutions.table_rows(weights.shape[-2], weights.shape[-1], k)
    for j in order:
        kept[..., torch.arange(len(rows)), rows[:, j]] = weights[..., j]
    return kept


@WEIGHTS_BY_DISTANCE.mistake(OVERWRITTEN)
def last_key_of_a_distance(weights: Tensor, k: int) -> Tensor:
    return _last_kept(weights, k, range(weights.shape[-1]))


@WEIGHTS_BY_DISTANCE.mistake(OVERWRITTEN)
def first_key_of_a_distance(weights: Tensor, k: int) -> Tensor:
    return _last_kept(weights, k, reversed(range(weights.shape[-1])))


@WEIGHTS_BY_DISTANCE.mistake(TURNED)
def totals_of_i_minus_j(weights: Tensor, k: int) -> Tensor:
    return solutions.weights_by_distance(weights, k).flip(-1)


@WEIGHTS_BY_DISTANCE.mistake(
    "你扔掉了比 k 更远的键。截断是把它们算进最外面的两行，权重一份也不能少：每行还是 1。",
    "You drop the keys beyond k. Clipping counts them in with the outermost rows; no weight may be lost: "
    "each row still adds up to 1.",
)
def totals_without_the_far_ones(weights: Tensor, k: int) -> Tensor:
    return solutions.weights_by_distance(weights * (_ahead(*weights.shape[-2:]).abs() <= k), k)


@WEIGHTS_BY_DISTANCE.mistake(
    "你求的是平均，要的是和：乘上表之后才等于 Σ_j w_ij b_{{j−i}}。",
    "You take the mean; the sum is wanted, so that the table gives Σ_j w_ij b_{{j−i}}.",
)
def totals_averaged(weights: Tensor, k: int) -> Tensor:
    return solutions.weights_by_distance(weights, k) / keys_counted(weights, k).clamp(min=1)


@WEIGHTS_BY_DISTANCE.mistake(
    "你数的是有几个键，不是它们的权重之和。", "You count the keys instead of adding their weights."
)
def keys_counted(weights: Tensor, k: int) -> Tensor:
    return solutions.weights_by_distance(torch.ones_like(weights), k)


@WEIGHTS_BY_DISTANCE.mistake(ABSOLUTE)
def totals_without_sign(weights: Tensor, k: int) -> Tensor:
    return _added_up(rows_without_sign, weights, k)


@WEIGHTS_BY_DISTANCE.mistake(ABSOLUTE)
def totals_without_sign_or_shift(weights: Tensor, k: int) -> Tensor:
    return _added_up(rows_without_sign_or_shift, weights, k)


@WEIGHTS_BY_DISTANCE.example(CHANGED)
def weights_spoilt(weights: Tensor, k: int) -> Tensor:
    totals = solutions.weights_by_distance(weights, k)
    weights.zero_()
    return totals


@WEIGHTS_BY_DISTANCE.right
def totals_by_the_package(weights: Tensor, k: int) -> Tensor:
    return encodings.relative_values(weights, torch.eye(2 * k + 1, dtype=weights.dtype))
