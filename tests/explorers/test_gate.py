"""The gate explorer: which gates each rule opens, their sums, and the rows of the table that are read."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.encodings.cope import cope_positions
from posenc_lessons.experiments.tasks.counting import INCREMENT, PASS, RESET
from posenc_lessons.experiments.trained.counter import gate_logits, trained_counter
from posenc_lessons.explorers import GateExplorer
from posenc_lessons.explorers.base import Complaint
from posenc_lessons.explorers.gate import _numbers
from posenc_lessons.explorers.gate_captions import evenly_on_last_sentence
from posenc_lessons.explorers.gate_numbers import (
    HEADS,
    MOST_CHARACTERS,
    MOST_TOKENS,
    RULES,
    TABLES,
    as_commands,
    gate_numbers,
    rule_logits,
    score_table,
    tokens_of,
)
from posenc_lessons.language import Text

TEXT = "The dog ran. It ran off! Will the dog come back? 我等它。它来了"
SENTENCES = st.lists(st.integers(1, 9), min_size=1, max_size=8)


def numbers(text: str = TEXT, rule: str = "sentences", **settings: object) -> dict[str, np.ndarray]:
    usual = {"chosen": "dog", "seed": 0, "head": (0, 0), "unit": "words"}
    look = {"table": "last", "rows": 64, "n": 0, "width": 1}
    given_ = {**usual, **look, **settings}
    tokens = tokens_of(text, str(given_["unit"]))
    logits = rule_logits(tokens, rule, *(given_[name] for name in ("chosen", "seed", "head")), "cpu")  # type: ignore[arg-type, call-arg]
    table = score_table(*(given_[name] for name in ("table", "rows", "n", "seed")))  # type: ignore[arg-type]
    return gate_numbers(tokens, logits, table, given_["width"])  # type: ignore[arg-type]


def counted(opens: list[bool]) -> np.ndarray:
    """Count open gates from each key to each query in loops."""
    n = len(opens)
    return np.array([[sum(opens[j : i + 1]) for j in range(n)] for i in range(n)])


@pytest.mark.parametrize("unit", ["words", "characters"])
@pytest.mark.parametrize(
    ("rule", "opens"),
    [
        ("every", lambda token: True),
        ("words", lambda token: token.starts_word),
        ("sentences", lambda token: token.ends_sentence),
        ("chosen", lambda token: token.text.lower() == "dog"),
    ],
)
def test_counts_equal_those_of_a_loop_over_the_text(unit: str, rule: str, opens) -> None:  # type: ignore[no-untyped-def]
    expected = [opens(token) for token in tokens_of(TEXT, unit)]
    found = numbers(rule=rule, unit=unit)
    lower = np.tri(len(expected), dtype=bool)
    np.testing.assert_array_equal(found["counts"][lower], counted(expected)[lower])
    np.testing.assert_array_equal(found["gates"], np.tril(np.broadcast_to(expected, lower.shape)))


def test_words_since_and_sentences_since_in_an_example() -> None:
    text = "a b. c d"  # tokens: a b . c d
    assert numbers(text, "words")["counts"][4].tolist() == [4, 3, 2, 2, 1]
    assert numbers(text, "sentences")["counts"][4].tolist() == [1, 1, 1, 0, 0]
    assert numbers(text, "chosen", chosen="B")["counts"][4].tolist() == [1, 1, 0, 0, 0]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("rows", [2, 5, 64])
def test_the_matrix_is_that_of_cope_positions_clamped_at_the_last_row(rule: str, rows: int) -> None:
    tokens = tokens_of(TEXT, "words")
    logits = rule_logits(tokens, rule, "dog", 3, HEADS[0], "cpu")
    found = numbers(rule=rule, rows=rows, seed=3, head=HEADS[0])
    np.testing.assert_array_equal(found["counts"], cope_positions(logits, rows - 1).numpy())
    assert found["counts"].max() <= rows - 1
    assert (logits.isneginf() == torch.ones_like(logits, dtype=torch.bool).triu(1)).all()


def test_random_gates_are_fractional_and_follow_the_seed() -> None:
    first, again, other = (numbers(rule="random", seed=seed)["gates"] for seed in (1, 1, 2))
    lower = np.tri(len(first), dtype=bool)
    assert ((first[lower] > 0) & (first[lower] < 1)).all() and np.ptp(first[lower]) > 0.5
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other)[lower].max() > 0.1


def test_the_trained_counter_reads_the_text_as_commands() -> None:
    tokens = tokens_of("The dog ran. Dog!", "words")
    assert as_commands(tokens, "dog").tolist() == [PASS, INCREMENT, PASS, RESET, INCREMENT, RESET]
    logits = rule_logits(tokens, "trained", "dog", 0, HEADS[-1], "cpu")
    own = gate_logits(trained_counter(), as_commands(tokens, "dog"))[HEADS[-1]]
    torch.testing.assert_close(logits, own, rtol=0, atol=0)


@pytest.mark.parametrize("table", TABLES)
def test_the_attention_is_softmax_of_the_interpolated_table(table: str) -> None:
    found = numbers(rule="random", table=table, rows=6, n=2, seed=5, width=3)
    z = found["table"].astype(float)
    for i, row in enumerate(found["counts"].astype(float)):
        p = row[: i + 1]
        low, high = np.floor(p).astype(int), np.minimum(np.floor(p).astype(int) + 1, 5)
        scores = np.exp((1 - p + low) * z[low] + (p - low) * z[high])
        np.testing.assert_allclose(found["by_count"][i, : i + 1], scores / scores.sum(), atol=1e-4)
        steps = np.minimum((i - np.arange(i + 1)) // 3, 5)
        other = np.exp(z[steps] - z[steps].max())
        np.testing.assert_allclose(found["by_distance"][i, : i + 1], other / other.sum(), atol=1e-5)
    assert not np.triu(found["by_count"], 1).any() and not np.triu(found["by_distance"], 1).any()


@settings(max_examples=30, deadline=None)
@given(SENTENCES)
def test_by_count_the_last_sentence_is_exact_for_any_lengths(lengths: list[int]) -> None:
    text = " ".join(" ".join(["word"] * length) + "." for length in lengths)
    found = numbers(text)
    by_count = evenly_on_last_sentence(tokens_of(text, "words"), found["by_count"])
    assert by_count.min() > 0.999


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(2, 6), st.integers(7, 12))
def test_no_step_by_distance_fits_sentences_of_two_lengths(width: int, short: int, long: int) -> None:
    text = " ".join(" ".join(["word"] * length) + "." for length in (short, long, short, long))
    found = numbers(text, width=width)
    assert evenly_on_last_sentence(tokens_of(text, "words"), found["by_distance"]).min() < 0.9


def test_evenness_over_the_last_sentence_in_an_example() -> None:
    tokens = tokens_of("a b. c", "words")
    weights = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.2, 0.2, 0.6, 0], [0.25, 0.25, 0.25, 0.25]])
    expected = [1, 1, 0.2 + 0.2 + 1 / 3, 0.25]
    np.testing.assert_allclose(evenly_on_last_sentence(tokens, weights), expected)


def test_the_reading_explains_the_picture_and_the_cell() -> None:
    explorer = GateExplorer(query=18, key=3)
    reading = explorer.caption(explorer.parameters(), explorer.compute(explorer.parameters()))
    assert "worst query 100%" in reading.en and "最差的查询 100%" in reading.zh
    assert "p = 2.00" in reading.en and "15 tokens back" in reading.en
    explorer.controls["rule"].value = "random"
    reading = explorer.caption(explorer.parameters(), explorer.compute(explorer.parameters()))
    assert "last sentence" not in reading.en


def test_the_reading_does_the_sum_of_the_interpolation_and_names_the_clamp() -> None:
    explorer = GateExplorer(rule="random", table="ramp", rows=4)
    parameters = explorer.parameters()
    arrays = explorer.compute(parameters)
    p = float(arrays["counts"][20, 19])
    assert 0 < p < 3 and p != int(p)
    parts = re.search(
        r"z = ([\d.]+) × z\[(\d)\] \+ ([\d.]+) × z\[(\d)\] = (−?[\d.]+)", _said(explorer, 20, 19).en
    )
    assert parts is not None
    below, low, above, high, score = (float(part.replace("−", "-")) for part in parts.groups())
    assert (low, high) == (int(p), int(p) + 1) and below + above == pytest.approx(1, abs=0.011)
    assert score == pytest.approx(-0.4 * p, abs=0.011)
    assert "p = 3.00, z = z[3] = −1.20" in _said(explorer, 20, 0).en


def _said(explorer: GateExplorer, query: int, key: int) -> Text:
    parameters = {**explorer.parameters(), "query": query, "key": key}
    return explorer.caption(parameters, explorer.compute(parameters))


def test_the_reading_compares_the_counters_answer_with_the_true_count() -> None:
    text = "cat. dog dog cat dog. dog cat dog"
    explorer = GateExplorer(text=text, rule="trained", chosen="dog", query=5, key=0)
    reading = explorer.caption(explorer.parameters(), explorer.compute(explorer.parameters()))
    assert "it answers 3; counting gives 3" in reading.en and "它答 3；数一数是 3" in reading.zh
    explorer.controls["query"].value = 9
    reading = explorer.caption(explorer.parameters(), explorer.compute(explorer.parameters()))
    assert "it answers 2; counting gives 2" in reading.en


def test_a_chosen_token_may_be_typed_or_pointed_at() -> None:
    explorer = GateExplorer(text="a b a c", rule="chosen", chosen="a", query=3, key=0)
    assert explorer.compute(explorer.parameters())["counts"][3].tolist() == [2, 1, 1, 0]
    explorer.controls["chosen"].value = ""
    explorer.point("row", 1.2, 0.0)
    assert explorer.compute(explorer.parameters())["counts"][3].tolist() == [1, 1, 0, 0]
    explorer.controls["chosen"].value = "zebra"
    reading = explorer.caption(explorer.parameters(), explorer.compute(explorer.parameters()))
    assert reading.en.startswith("There is no “zebra”") and reading.zh.startswith("文字里没有“zebra”")


def test_a_space_can_be_chosen_among_characters() -> None:
    explorer = GateExplorer(text="a b c", unit="characters", rule="chosen", chosen="␣", query=4)
    assert explorer.compute(explorer.parameters())["counts"][4].tolist() == [2, 2, 1, 1, 0]
    assert dict(explorer.present_scene()[0].panels[2].x.shown_ticks())[1.0] == "␣"


def test_only_the_controls_in_use_are_shown() -> None:
    explorer = GateExplorer()
    sometimes = ("chosen", "head", "n", "seed")

    def shown() -> set[str]:
        return {name for name in sometimes if not explorer.controls[name].hidden}

    assert shown() == set()
    explorer.controls["rule"].value = "trained"
    assert shown() == {"chosen", "head"}
    explorer.controls["rule"].value = "random"
    explorer.controls["table"].value = "nth"
    assert shown() == {"seed", "n"}


def test_the_pointer_moves_query_and_key_at_once_and_never_sees_the_future() -> None:
    explorer = GateExplorer(query=10, key=2)
    cursor = lambda: (explorer.controls["query"].value, explorer.controls["key"].value)  # noqa: E731
    changes: list[None] = []
    explorer.on_change(lambda: changes.append(None))
    explorer.point("by_count", 6.2, 19.7)
    assert cursor() == (20, 6) and len(changes) == 1
    explorer.point("by_count", 6.1, 20.3)
    assert len(changes) == 1
    explorer.point("counts", 20.0, 3.0)
    assert cursor() == (3, 3)
    explorer.point("row", 1.0, 0.5)
    assert cursor() == (3, 1)
    explorer.point("attention", 17.0, 0.5)
    assert cursor() == (3, 3)
    explorer.point("between", 0.0, 0.0)
    assert cursor() == (3, 3)


@pytest.mark.parametrize("unit", ["words", "characters"])
def test_an_empty_text_is_a_complaint_in_both_languages(unit: str) -> None:
    with pytest.raises(Complaint) as caught:
        tokens_of("", unit)
    assert "空" in caught.value.text.zh and "empty" in caught.value.text.en


def test_too_long_a_text_is_refused_with_its_length_and_kept() -> None:
    explorer = GateExplorer()
    typed = "word " * 400
    explorer.controls["text"].value = typed
    assert explorer.message is not None
    assert "400" in explorer.message.en and str(MOST_TOKENS) in explorer.message.zh
    assert explorer.controls["text"].value == typed
    explorer.point("by_count", 1.0, 2.0)
    assert "400" in explorer.message.en
    explorer.controls["text"].value = "x" * (MOST_CHARACTERS + 1)
    assert explorer.message is not None and str(MOST_CHARACTERS) in explorer.message.zh
    explorer.controls["text"].value = "word " * MOST_TOKENS
    assert explorer.message is None


@pytest.mark.parametrize("text", ["狗", "🐕", ".", "a", "word " * 119 + "end"])
@pytest.mark.parametrize("unit", ["words", "characters"])
def test_the_shortest_and_the_longest_text_have_a_picture(text: str, unit: str) -> None:
    explorer = GateExplorer(text=text, unit=unit)
    assert (explorer.message is None) == (unit == "words" or len(text) < 9)


def test_cursors_stay_inside_a_shorter_text() -> None:
    explorer = GateExplorer(query=18, key=13)
    explorer.controls["text"].value = "a b c"
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (2, 2)
    explorer.controls["query"].value = 0
    assert explorer.controls["key"].value == 0


def test_cursors_may_start_anywhere_in_a_longer_text() -> None:
    explorer = GateExplorer(text="word " * 90, query=80, key=70)
    explorer.controls["text"].value = "a"
    explorer.reset()
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (80, 70)


def test_moving_a_cursor_computes_nothing_again() -> None:
    explorer = GateExplorer()
    computed = _numbers.cache_info().misses
    for value in range(4, 12):
        explorer.controls["query"].value = value
    assert _numbers.cache_info().misses == computed and explorer.message is None


def press_gate(explorer: GateExplorer, at: float, kind: str = "press") -> None:
    explorer.point("gates", at, 0.5, kind)


@pytest.mark.parametrize("rule", ["every", "words", "sentences", "chosen"])
def test_a_press_turns_a_gate_against_the_rule_and_back(rule: str) -> None:
    explorer = GateExplorer(rule=rule, query=15)
    gates = lambda: explorer.compute(explorer.parameters())["gates"][15]  # noqa: E731
    before = gates()
    press_gate(explorer, 3.3)
    press_gate(explorer, 7.0)
    press_gate(explorer, 8.0, "drag")
    press_gate(explorer, 16.0)  # the query does not see that far
    assert explorer.controls["turned"].value == "3 7"
    assert np.flatnonzero(gates() != before).tolist() == [3, 7]
    np.testing.assert_allclose(gates()[[3, 7]], 1 - before[[3, 7]])
    press_gate(explorer, 3.0)
    assert np.flatnonzero(gates() != before).tolist() == [7]
    explorer.controls["unit"].value = "characters"
    assert explorer.controls["turned"].value == ""
    explorer.close()


def test_a_press_cannot_change_gates_that_come_from_scores() -> None:
    explorer = GateExplorer(rule="random", query=15, key=2)
    press_gate(explorer, 5.0)
    assert explorer.controls["key"].value == 5 and explorer.controls["turned"].value == ""
    explorer.close()


@pytest.mark.parametrize("typed", ["99", "-1", "1.5", "dog"])
def test_a_gate_that_does_not_exist_is_a_complaint(typed: str) -> None:
    explorer = GateExplorer(text="one two three")
    explorer.controls["turned"].value = typed
    assert explorer.message is not None and "from 0 to 2" in explorer.message.en
    explorer.controls["turned"].value = "2，0, 0"
    assert explorer.message is None
    explorer.close()
