"""The tasks, compared with plain Python; the same seed gives the same batches."""

import datetime
from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.experiments import (
    PairTask,
    Task,
    copy_back,
    count_since_reset,
    look_up,
    reverse,
    rewrite_date,
    sort,
    what_followed,
)
from posenc_lessons.experiments.tasks import counting
from posenc_lessons.language import BilingualValueError

Row = list[int]


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def rows(task: Task, length: int, seed: int) -> list[tuple[Row, dict[int, int]]]:
    """Return three sequences with the counted answers of each, by position."""
    tokens, targets, counted = task.batch(3, length, seeded(seed))
    assert tokens.shape == targets.shape == counted.shape == (3, length)
    assert counted.dtype == torch.bool
    assert tokens.min() >= 0 and tokens.max() < task.vocab_size
    asked = targets[counted]
    assert asked.min() >= 0 and asked.max() < task.n_answers
    return [
        (tokens[b].tolist(), {at: targets[b, at].item() for at in counted[b].nonzero().flatten().tolist()})
        for b in range(3)
    ]


@settings(max_examples=40)
@given(n_back=st.integers(1, 5), vocab_size=st.integers(2, 20), extra=st.integers(1, 9))
def test_copy_back_asks_for_the_token_so_many_steps_before(n_back: int, vocab_size: int, extra: int) -> None:
    task = copy_back(n_back, vocab_size)
    assert task.vocab_size == task.n_answers == vocab_size
    for tokens, answers in rows(task, n_back + extra, 0):
        assert answers == {at: tokens[at - n_back] for at in range(n_back, len(tokens))}


@settings(max_examples=40)
@given(largest=st.integers(1, 12), length=st.integers(1, 60), seed=st.integers(0, 9))
def test_count_since_reset_counts_since_the_last_reset(largest: int, length: int, seed: int) -> None:
    task = count_since_reset(largest, p_increment=0.5, p_reset=0.05)
    assert (task.vocab_size, task.n_answers) == (3, largest + 1)
    for tokens, answers in rows(task, length, seed):
        count, expected = 0, {}
        for at, token in enumerate(tokens):
            count = 0 if token == counting.RESET else count + (token == counting.INCREMENT)
            expected[at] = min(count, largest)
        assert answers == expected


@settings(max_examples=40)
@given(n_keys=st.integers(1, 4), n_values=st.integers(2, 9), extra=st.integers(0, 40), seed=st.integers(0, 9))
def test_look_up_asks_for_the_later_value_of_a_key_given_long_ago(
    n_keys: int, n_values: int, extra: int, seed: int
) -> None:
    length, blank = 4 * n_keys + extra, n_keys * n_values + n_keys
    for tokens, answers in rows(look_up(n_keys, n_values), length, seed):
        asked, values = length // 4, {}
        for token in tokens[: length // 2]:
            if token < n_keys * n_values:
                values.setdefault(token // n_values, []).append(token % n_values)
        assert sorted(values) == [*range(n_keys)] and all(len(each) == 2 for each in values.values())
        assert tokens[length // 2 : length - asked] == [blank] * (length - asked - length // 2)
        assert answers == {
            at: values[tokens[at] - n_keys * n_values][1] for at in range(length - asked, length)
        }


@settings(max_examples=40)
@given(vocab_size=st.integers(2, 9), length=st.integers(2, 40), seed=st.integers(0, 99))
def test_what_followed_asks_for_the_token_after_the_latest_of_its_kind(
    vocab_size: int, length: int, seed: int
) -> None:
    task = what_followed(vocab_size)
    assert task.vocab_size == task.n_answers == vocab_size
    try:
        asked = rows(task, length, seed)
    except BilingualValueError:  # so short that, with this seed, every token is new
        assert length <= vocab_size
        return
    for tokens, answers in asked:
        followed: dict[int, int] = {}
        expected = {}
        for at, token in enumerate(tokens):
            if at:
                followed[tokens[at - 1]] = token
            if token in tokens[:at]:
                expected[at] = followed[token]
        assert answers == expected


@pytest.mark.parametrize("task", [copy_back(3), count_since_reset(), look_up()])
def test_chance_is_the_share_of_the_commonest_answer(task: Task) -> None:
    _, targets, counted = task.batch(2000, 64, seeded(0))
    late = counted & (torch.arange(64) >= 48)
    commonest = targets[late].bincount().max() / late.sum()
    assert commonest.item() == pytest.approx(task.chance, abs=0.03)


SMALL_ENOUGH = {  # for every set of tokens to come up often
    "copy_back": (copy_back(2, vocab_size=3), 6),
    "count_since_reset": (count_since_reset(largest=2, p_increment=0.4, p_reset=0.2), 7),
    "look_up": (look_up(n_keys=1, n_values=2), 8),
    "what_followed": (what_followed(vocab_size=3), 7),
}


@pytest.mark.parametrize("name", SMALL_ENOUGH)
def test_order_blind_is_the_best_guess_without_the_order(name: str) -> None:
    task, length = SMALL_ENOUGH[name]
    tokens, targets, counted = task.batch(6000, length, seeded(0))
    assert task.order_blind is not None
    guesses = task.order_blind(tokens)
    answers: dict[tuple[object, ...], Counter[int]] = {}
    right = 0
    for row, at in counted.nonzero().tolist():
        known = (int(tokens[row, at]), *sorted(tokens[row, :at].tolist()))
        answers.setdefault(known, Counter())[int(targets[row, at])] += 1
        right += int(guesses[row, at] == targets[row, at])
    best = sum(max(each.values()) for each in answers.values())
    assert right / best == pytest.approx(1, abs=0.03), "the commonest answer to each set of tokens"


# ---- two sequences ----


def pairs(task: PairTask, length: int, seed: int = 0) -> list[tuple[str, str]]:
    """Return eight sources and their answers as text, with shapes and special tokens checked."""
    (source, so_far), targets, counted = task.batch(8, length, seeded(seed))
    assert source.shape == (8, length)
    assert so_far.shape == targets.shape == counted.shape
    assert source.max() < task.source_vocab and targets.max() < task.target_vocab
    said = []
    for b in range(8):
        answer = task.decode(targets[b])
        n = len(answer)
        assert so_far[b, 0] == task.start and so_far[b, 1:].tolist() == targets[b, :-1].tolist()
        assert targets[b, n] == task.end and (targets[b, n + 1 :] == task.pad).all()
        assert counted[b].tolist() == [at <= n for at in range(targets.shape[1])]
        text = "".join(task.source_symbols[i - task.first_symbol] for i in source[b].tolist() if i)
        assert source[b].tolist() == task.encode(text, length).tolist()
        assert (source[b, len(text) :] == task.pad).all() and (source[b, : len(text)] > task.end).all()
        said.append((text, answer))
    return said


@settings(max_examples=20)
@given(length=st.integers(1, 20), shortest=st.none() | st.integers(1, 20))
def test_reverse_and_sort_give_the_right_answers(length: int, shortest: int | None) -> None:
    shortest = shortest if shortest is None else min(shortest, length)
    for text, answer in pairs(reverse("xyz", shortest), length):
        assert [*answer] == [*reversed(text)]
        assert len(text) == length if shortest is None else shortest <= len(text) <= length
    for text, answer in pairs(sort("acb", shortest), length):
        assert answer == "a" * text.count("a") + "c" * text.count("c") + "b" * text.count("b")


MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def test_a_date_is_rewritten_from_each_of_the_three_forms() -> None:
    seen = set()
    for text, answer in (pair for seed in range(10) for pair in pairs(rewrite_date(), 24, seed)):
        if "年" in text:
            day = datetime.datetime.strptime(text, "%Y年%m月%d日").date()
            assert "年0" not in text and "月0" not in text, "written without zeros"
            seen.add("Chinese")
        else:
            month, *numbers = text.replace(",", "").split()
            if month.isdigit():
                number, month, year = (month, *numbers)
                seen.add("day first")
            else:
                number, year = numbers
                seen.add("month first")
            day = datetime.date(int(year), MONTHS.index(month[:3]) + 1, int(number))
        assert answer == day.isoformat() and 1900 <= day.year <= 2099
    assert seen == {"Chinese", "day first", "month first"}


@pytest.mark.parametrize(
    "typed",
    [
        "7 March 2024",
        " 7  march 2024",
        "MARCH 7, 2024",
        "2024年3月7日",
        "２０２４年０３月０７日",
        "07 March 2024",
    ],
)
def test_typed_dates_are_understood(typed: str) -> None:
    task = rewrite_date()
    assert task.solve(typed) == task.solve(task.tidy(typed)) == "2024-03-07"
    assert task.encode(typed).tolist() == task.encode(task.tidy(typed)).tolist()


def test_an_answer_stops_at_the_end_token() -> None:
    task = reverse("ab")
    assert task.decode([task.start, 3, 4, task.end, 3]) == "ab" and task.decode([4, 4]) == "bb"


# ---- all ----

TASKS = {
    "copy_back": (lambda: copy_back(2), 8),
    "count_since_reset": (lambda: count_since_reset(), 8),
    "look_up": (lambda: look_up(), 8),
    "reverse": (lambda: reverse(shortest=2), 8),
    "sort": (lambda: sort(), 8),
    "rewrite_date": (lambda: rewrite_date(), 18),
    "what_followed": (lambda: what_followed(), 8),
}


@pytest.mark.parametrize("name", TASKS)
def test_the_same_generator_gives_the_same_batch(name: str) -> None:
    make, length = TASKS[name]

    def inputs(seed: int) -> torch.Tensor:
        given = make().batch(6, length, seeded(seed))[0]
        return given[0] if isinstance(given, tuple) else given

    assert torch.equal(inputs(5), inputs(5)) and not torch.equal(inputs(5), inputs(6))


BAD = {
    "zero back": (lambda: copy_back(0), r"n_back .*got 0"),
    "one word": (lambda: copy_back(1, vocab_size=1), r"vocab_size .*got 1"),
    "too short": (lambda: copy_back(5).batch(2, 5), r"length 5 is .*copy_back\(5\)"),
    "no keys": (lambda: look_up(0), r"n_keys .*got 0"),
    "no room for keys": (lambda: look_up().batch(2, 7), r"length 7 .*look_up"),
    "no count": (lambda: count_since_reset(0), r"largest .*got 0"),
    "below shortest": (lambda: sort(shortest=5).batch(2, 4), r"length .*5 or more; got 4"),
    "no date fits": (lambda: rewrite_date().batch(2, 17), r"length .*18 or more; got 17"),
    "no such day": (lambda: rewrite_date().solve("2023年2月30日"), r"is not a date "),
    "no date": (lambda: rewrite_date().solve("2024-03-07"), r"'2024-03-07' is not a date "),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_both_languages(case: str) -> None:
    call, message = BAD[case]
    with pytest.raises(BilingualValueError, match=message):
        call()
