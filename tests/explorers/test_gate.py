"""The gate explorer: which gates each rule opens, their sums, and the rows of the table that are read."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.explorers import GateExplorer
from posenc_lessons.explorers.base import Complaint
from posenc_lessons.explorers.gate_captions import evenly_on_last_sentence
from posenc_lessons.explorers.gate_numbers import (
    MOST_CHARACTERS,
    MOST_TOKENS,
    gate_numbers,
    rule_logits,
    score_table,
    tokens_of,
)
from posenc_lessons.figures.gate import ACROSS, HIGH, lines_of, token_at

TEXT = "The dog ran. It ran off! Will the dog come back? 我等它。它来了"
START: dict[str, Any] = {
    **{"rule": "sentences", "chosen": "dog", "seed": 0},
    **{"table": "last", "rows": 64, "n": 0, "width": 1},
}


def numbers(text: str = TEXT, **changed: Any) -> dict[str, np.ndarray]:
    """Return the explorer's numbers for ``text``, at ``START`` but for what is ``changed``."""
    s = {**START, **changed}
    tokens = tokens_of(text)
    logits = rule_logits(tokens, s["rule"], s["chosen"], s["seed"], "cpu")
    return gate_numbers(tokens, logits, score_table(s["table"], s["rows"], s["n"], s["seed"]), s["width"])


@pytest.mark.parametrize(
    ("rule", "opens"),
    [
        ("every", lambda token: True),
        ("words", lambda token: token.is_word),
        ("sentences", lambda token: token.ends_sentence),
        ("chosen", lambda token: token.text.lower() == "dog"),
    ],
)
def test_counts_equal_those_of_a_loop_over_the_text(rule: str, opens: Any) -> None:
    gates = [opens(token) for token in tokens_of(TEXT)]
    n = len(gates)
    counts = np.array([[sum(gates[j : i + 1]) for j in range(n)] for i in range(n)])
    arrays, lower = numbers(rule=rule), np.tri(n, dtype=bool)
    np.testing.assert_array_equal(arrays["counts"][lower], counts[lower])
    np.testing.assert_array_equal(arrays["gates"], np.tril(np.broadcast_to(gates, lower.shape)))


def test_random_gates_are_fractional_and_follow_the_seed() -> None:
    first, again, other = (numbers(rule="random", seed=seed)["gates"] for seed in (1, 1, 2))
    lower = np.tri(len(first), dtype=bool)
    assert ((first[lower] > 0) & (first[lower] < 1)).all() and np.ptp(first[lower]) > 0.5
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other)[lower].max() > 0.1


def test_attention_by_distance_reads_the_table_at_steps_inside_it() -> None:
    arrays = numbers(table="random", rows=6, seed=5, width=3)
    places = np.arange(len(arrays["gates"]))
    steps = np.clip(np.subtract.outer(places, places) // 3, 0, 5)
    weights = np.tril(np.exp(arrays["table"].astype(float)[steps]))
    np.testing.assert_allclose(arrays["by_distance"], weights / weights.sum(axis=1)[:, None], atol=1e-5)
    np.testing.assert_array_equal(numbers(table="nth", rows=4, n=2)["table"], [-24, -12, 0, -12])


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(2, 6), st.integers(7, 12))
def test_counts_fit_sentences_of_two_lengths_and_no_step_by_distance_does(
    width: int, short: int, long: int
) -> None:
    text = " ".join(" ".join(["word"] * length) + "." for length in (short, long, short, long))
    arrays, tokens = numbers(text, width=width), tokens_of(text)
    assert evenly_on_last_sentence(tokens, arrays["by_count"]).min() > 0.999
    assert evenly_on_last_sentence(tokens, arrays["by_distance"]).min() < 0.9


# ---- readings ----


def test_the_reading_explains_the_picture_and_the_cell() -> None:
    explorer = GateExplorer(query=18, key=3)
    assert "By count, 100%" in explorer.reading.en and "按计数，注意力有 100%" in explorer.reading.zh
    assert "gates 2, tokens 15" in explorer.reading.en
    explorer.controls["rule"].value = "random"
    assert "this sentence" not in explorer.reading.en


# ---- controls and pointer ----


def counts(explorer: GateExplorer, query: int) -> list[float]:
    return explorer.compute(explorer.parameters())["counts"][query].tolist()


def test_a_chosen_token_may_be_typed_or_pointed_at() -> None:
    explorer = GateExplorer(text="a b a c", rule="chosen", chosen="a", query=3, key=0)
    assert counts(explorer, 3) == [2, 1, 1, 0]
    explorer.controls["chosen"].value = ""
    explorer.controls["key"].value = 1
    assert counts(explorer, 3) == [1, 1, 0, 0]
    explorer.controls["chosen"].value = "zebra"
    assert explorer.reading.en.startswith("There is no “zebra”")
    assert explorer.reading.zh.startswith("文字里没有“zebra”")


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({}, set()),
        ({"rule": "chosen"}, {"chosen"}),
        ({"rule": "random", "table": "nth"}, {"seed", "n"}),
    ],
)
def test_only_the_controls_in_use_are_shown(settings: dict[str, str], shown: set[str]) -> None:
    explorer = GateExplorer(**settings)
    assert {name for name in ("chosen", "n", "seed") if not explorer.controls[name].hidden} == shown


def test_the_pointer_moves_query_and_key_at_once_and_never_sees_the_future() -> None:
    explorer = GateExplorer(query=10, key=2)
    changes: list[None] = []
    explorer.on_change(lambda: changes.append(None))
    for panel, x, y, cursor, n_changes in (
        ("text", *place(explorer, 12), (12, 2), 1),
        ("text", *place(explorer, 1), (1, 1), 2),
        ("elsewhere", 0.0, 0.0, (1, 1), 2),
    ):
        explorer.point(panel, x, y)
        assert (explorer.controls["query"].value, explorer.controls["key"].value) == cursor, panel
        assert len(changes) == n_changes


def place(explorer: GateExplorer, token: int, behind: bool = False) -> tuple[float, float]:
    """Return where the text has ``token``, or the gap behind it."""
    lines = lines_of([each.text for each in tokens_of(explorer.controls["text"].value)])
    left, right = float(lines.left[token]), float(lines.right[token])
    return right - 0.1 if behind else (left + right) / 2, float(lines.y[token])


@pytest.mark.parametrize("n", [1, 28, 120])
def test_every_word_of_a_text_is_inside_the_picture_and_found_by_the_pointer(n: int) -> None:
    tokens = [str(at) * (1 + at % 7) for at in range(n)]
    lines = lines_of(tokens)
    assert lines.right.max() <= ACROSS and lines.y.max() + 2 * lines.size <= HIGH
    for at in range(0, n, 1 + n // 12):
        assert token_at(tokens, (lines.left[at] + lines.right[at]) / 2, lines.y[at]) == (at, False)
        assert token_at(tokens, lines.right[at] - 0.01, lines.y[at] + 2) == (at, True)


@pytest.mark.parametrize("rule", ["every", "words", "sentences", "chosen"])
def test_a_press_turns_a_gate_against_the_rule_and_back(rule: str) -> None:
    explorer = GateExplorer(rule=rule, query=15)
    gates = lambda: explorer.compute(explorer.parameters())["gates"][15]  # noqa: E731
    by_rule = gates()
    for at, kind in ((3, "press"), (7, "press"), (8, "drag"), (15, "press"), (15, "press")):
        explorer.point("text", *place(explorer, at, behind=True), kind)
        explorer.controls["query"].value = 15  # a drag along the words moves it
    assert explorer.controls["turned"].value == "3 7"
    assert np.flatnonzero(gates() != by_rule).tolist() == [3, 7]
    np.testing.assert_allclose(gates()[[3, 7]], 1 - by_rule[[3, 7]])
    explorer.point("text", *place(explorer, 3, behind=True))
    assert np.flatnonzero(gates() != by_rule).tolist() == [7]
    explorer.controls["text"].value += " more"
    assert explorer.controls["turned"].value == ""


def test_a_press_cannot_change_gates_that_come_from_scores() -> None:
    explorer = GateExplorer(rule="random", query=15, key=2)
    explorer.point("text", *place(explorer, 5, behind=True))
    assert explorer.controls["query"].value == 5 and explorer.controls["turned"].value == ""


@pytest.mark.parametrize("typed", ["99", "-1", "1.5", "dog"])
def test_a_gate_that_does_not_exist_is_a_complaint(typed: str) -> None:
    explorer = GateExplorer(text="one two three", turned=typed)
    assert explorer.message is not None and "from 0 to 2" in explorer.message.en
    explorer.controls["turned"].value = "2，0, 0"
    assert explorer.message is None


def test_an_empty_text_and_one_too_long_are_complaints_and_kept() -> None:
    with pytest.raises(Complaint) as empty:
        tokens_of("")
    assert "空" in empty.value.text.zh and "empty" in empty.value.text.en
    explorer = GateExplorer(text="word " * 400)
    assert explorer.message is not None
    assert "400" in explorer.message.en and str(MOST_TOKENS) in explorer.message.zh
    assert explorer.controls["text"].value == "word " * 400
    explorer.point("text", 1.0, 2.0)
    assert "400" in explorer.message.en
    explorer.controls["text"].value = "x" * (MOST_CHARACTERS + 1)
    assert explorer.message is not None and str(MOST_CHARACTERS) in explorer.message.zh
    for fits in ("word " * MOST_TOKENS, "🐕"):
        explorer.controls["text"].value = fits
        assert explorer.message is None
