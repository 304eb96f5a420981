"""Exercises of lesson 04 on Shaw's table: rows and scores."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Answer, Exercise
from posenc_lessons.exercises.reading import can_index, explained, random_numbers
from posenc_lessons.exercises.solutions import relative as solutions
from posenc_lessons.exercises.verdict import Asked
from posenc_lessons.language import Text

ABSOLUTE = Text(
    "你用的是 |n − m|：前一个和后一个拿到同一行，左右分不清。要带正负号的 n − m。",
    "You use |n − m|: left cannot be told from right. The sign of n − m belongs in.",
)
FROM_ZERO = Text(
    "你从 0 数起，没有用传进来的位置。解码时只有一个查询，它排在最后，不在位置 0。",
    "You count from 0: use the positions passed in. In decoding the one query stands last, not at 0.",
)
NOT_BROADCAST = Text(
    "gather 不会广播：前面有批量和头时，行号也要 expand 成 [..., L_q, L_k]。",
    "gather does not broadcast: expand the row numbers to [..., L_q, L_k] as well.",
)
NOT_CLIPPED = Text(
    "没有截断：距离超过 k 时，行号跑到了 0 … 2k 之外；负的绕到表的末尾，查到了别的距离。",
    "The clipping is missing: for distances beyond k the row falls outside 0 … 2k.",
)
NOT_SHIFTED = Text(
    "漏了 + k：负的行号在 Python 里从表的末尾倒着数，不报错，却查到了别的距离。",
    "The + k is missing: a negative row counts from the end of the table.",
)
REVERSED = Text(
    "你算的是 m − n，正负号反了：应当是键的位置减查询的位置，n − m。",
    "You compute m − n, the opposite sign: key position minus query position is wanted, n − m.",
)
TABLE_NOT_USED = Text(
    "表没有用上：分数里只有内容 q·k。", "The table was not used: the scores hold only the content, q·k."
)

table_rows: Answer = solutions.table_rows  # an answer like any other


def _ahead(query_positions: Tensor, key_positions: Tensor) -> Tensor:
    """Return n − m [L_q, L_k]: how far the key is ahead of the query."""
    return key_positions[None, :] - query_positions[:, None]


def _positions(*runs: tuple[int, int]) -> list[Tensor]:
    """Return positions first, first + 1, … for each (first, how many)."""
    return [torch.arange(first, first + many) for first, many in runs]


# ---- 1 · rows of the table --------------------------------------------------------------------------------

TABLE_ROWS = Exercise(
    solutions.table_rows,
    questions=[
        (*_positions((0, 3), (0, 5)), 2),
        (*_positions((0, 4), (0, 4)), 1),
        (*_positions((4, 1), (0, 5)), 2),  # a step of decoding: one query, all keys so far
        (*_positions((2, 6), (7, 2)), 3),
        (torch.tensor([9, 3]), torch.tensor([3, 8, 0, 30]), 4),
    ],
    praise=Text(
        "对。n − m，截断，再加 k：每一行都在 0 到 2k 之间，查询和键不一样多也没问题。",
        "Right. n − m, clipped, plus k: every row lies between 0 and 2k, also when queries and keys differ "
        "in number.",
    ),
    tolerance=0.0,
)
TABLE_ROWS.probe(can_index(torch.arange(2), torch.arange(3), 1))


def _rows(of: Callable[[Tensor, int], Tensor]) -> Answer:
    """Return the answer whose rows are ``of(n − m, k)``."""
    return lambda query_positions, key_positions, k: of(_ahead(query_positions, key_positions), k)


rows_counted_from_zero = TABLE_ROWS.mistake(FROM_ZERO)(
    lambda queries, keys, k: solutions.table_rows(torch.arange(len(queries)), torch.arange(len(keys)), k)
)
rows_without_sign = TABLE_ROWS.mistake(ABSOLUTE)(_rows(lambda ahead, k: ahead.abs().clamp(max=k) + k))
rows_without_sign_or_shift = TABLE_ROWS.mistake(ABSOLUTE)(_rows(lambda ahead, k: ahead.abs().clamp(max=k)))
rows_of_query_minus_key = TABLE_ROWS.mistake(REVERSED)(_rows(lambda ahead, k: (-ahead).clamp(-k, k) + k))
rows_not_clipped = TABLE_ROWS.mistake(NOT_CLIPPED)(_rows(lambda ahead, k: ahead + k))
rows_not_shifted = TABLE_ROWS.mistake(NOT_SHIFTED)(_rows(lambda ahead, k: ahead.clamp(-k, k)))
recurring.off_by_one(
    TABLE_ROWS,
    "距离 −k 在第 0 行，距离 k 在第 2k 行；−1 会绕到表的最后一行，2k + 1 表里没有。",
    "distance −k belongs in row 0, distance k in row 2k; −1 wraps to the end, and there is no 2k + 1.",
)
TABLE_ROWS.mistake(
    "截断之前就要加 k：你把所有负的距离都截成了 0。",
    "Add k before clipping to 0 … 2k: yours turns every negative distance into 0.",
)(_rows(lambda ahead, k: ahead.clamp(0, 2 * k)))
TABLE_ROWS.mistake(
    "行和列反了：一行一个查询，一列一个键。",
    "Rows and columns are exchanged: a row for each query, a column for each key.",
)(lambda query_positions, key_positions, k: rows_of_query_minus_key(key_positions, query_positions, k))


# ---- 2 · Shaw's scores ------------------------------------------------------------------------------------


def _queries_keys_and_table() -> Iterator[tuple[Tensor, ...]]:
    cases = (
        ((), (0, 5), (0, 2), 4, 1),
        ((), (0, 3), (0, 5), 4, 2),
        ((), (6, 1), (0, 7), 4, 2),  # a step of decoding
        ((2, 3), (1, 5), (0, 4), 3, 2),
        ((2,), (0, 7), (0, 7), 5, 3),
    )
    for seed, (front, queries, keys, d_head, k) in enumerate(cases):
        query = random_numbers(*front, queries[1], d_head, seed=seed)
        key = random_numbers(*front, keys[1], d_head, seed=seed + 10)
        yield query, key, random_numbers(2 * k + 1, d_head, seed=seed + 20), *_positions(queries, keys)


def _ask_for_scores(
    answer: Asked, query: Tensor, key: Tensor, table: Tensor, query_positions: Tensor, key_positions: Tensor
) -> Any:
    with explained("same number of dimensions", NOT_BROADCAST):
        return answer(query, key, table, query_positions, key_positions)


SHAW_SCORES = Exercise(
    solutions.shaw_scores,
    questions=_queries_keys_and_table,
    praise=Text(
        "对。两项都除以 √d，正负号、截断都对，前面带上批量和头也成立。",
        "Right. Both terms divided by √d, sign and clipping in order, and it holds with batch and heads in "
        "front.",
    ),
    pose=_ask_for_scores,
)


def _scores(
    joined: Callable[[Tensor, Tensor, int], Tensor] = lambda content, position, d: (
        (content + position) / d**0.5
    ),
    rows_of: Answer = table_rows,
) -> Answer:
    """Return the answer whose scores are ``joined(q·k, q·a, d)``, of [..., L_q, L_k] each, not divided.

    ``rows_of`` says which rows of the table a are.
    """

    def scores(query: Tensor, key: Tensor, table: Tensor, *positions: Tensor) -> Tensor:
        rows = table[rows_of(*positions, len(table) // 2)]
        position = torch.einsum("...id,ijd->...ij", query, rows)
        return joined(query @ key.mT, position, query.shape[-1])

    return scores


SHAW_SCORES.mistake(TABLE_NOT_USED)(_scores(lambda content, position, d: content / d**0.5))
SHAW_SCORES.mistake("只有位置那一项，漏了 q·k。", "Only the term of positions is there: q·k is missing.")(
    _scores(lambda content, position, d: position / d**0.5)
)
SHAW_SCORES.mistake("这里要分数，还不做 softmax。", "Scores are wanted here, before any softmax.")(
    _scores(lambda content, position, d: ((content + position) / d**0.5).softmax(dim=-1))
)
SHAW_SCORES.mistake(recurring.NOT_DIVIDED)(_scores(lambda content, position, d: content + position))
SHAW_SCORES.mistake(
    "两项里只有一项除以了 √d；括号在外面：q·(k + a)/√d，两项都要除。",
    "Only one of the two terms is divided by √d: it is q·(k + a)/√d.",
)(
    _scores(lambda content, position, d: content / d**0.5 + position),
    _scores(lambda content, position, d: content + position / d**0.5),
)
SHAW_SCORES.mistake(recurring.DIVIDED_BY_THE_WIDTH)(
    _scores(lambda content, position, d: (content + position) / d)
)
SHAW_SCORES.mistake(REVERSED)(_scores(rows_of=rows_of_query_minus_key))
SHAW_SCORES.mistake(FROM_ZERO)(_scores(rows_of=rows_counted_from_zero))
SHAW_SCORES.mistake(ABSOLUTE)(_scores(rows_of=rows_without_sign), _scores(rows_of=rows_without_sign_or_shift))
SHAW_SCORES.mistake(NOT_SHIFTED)(_scores(rows_of=rows_not_shifted))
SHAW_SCORES.mistake(NOT_CLIPPED)(_scores(rows_of=rows_not_clipped))
