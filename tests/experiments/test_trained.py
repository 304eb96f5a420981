"""The trained models that come with the course do what their descriptions say."""

import pytest
import torch

from posenc_lessons.encodings.cope import CoPE
from posenc_lessons.experiments import reverse, rewrite_date
from posenc_lessons.experiments.tasks.counting import INCREMENT, PASS, RESET
from posenc_lessons.experiments.trained import counter, induction, rewriters, tables
from posenc_lessons.experiments.trained.counter import gate_logits, new_counter
from posenc_lessons.experiments.trained.induction import (
    NOTHING,
    START,
    WINDOW,
    answers,
    encode,
    fresh_texts,
    losses,
    trained_induction,
    window_mask,
)
from posenc_lessons.experiments.trained.tables import TABLES, TableHistory, record_table, table_history
from posenc_lessons.models import Seq2Seq, translate

# ---- the counter of lesson 06: its gates can be read ----

COMMANDS = torch.tensor(
    [PASS, INCREMENT, PASS, RESET, INCREMENT, INCREMENT, PASS, PASS, INCREMENT, RESET, PASS]
)


def test_the_returned_gates_are_those_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[torch.Tensor] = []
    bias = CoPE.score_bias
    monkeypatch.setattr(CoPE, "score_bias", lambda *args: (inside.append(args[-1]), bias(*args))[1])
    logits = gate_logits(new_counter(), COMMANDS)
    assert logits.shape == (counter.N_LAYERS, counter.N_HEADS, len(COMMANDS), len(COMMANDS))
    torch.testing.assert_close(logits, torch.cat(inside), rtol=1e-5, atol=1e-5)


# ---- induction: the models answer what they were trained for ----


def test_the_right_answers_for_banana() -> None:
    right, counted = answers(encode("banana")[None])
    n, a = (induction.LETTERS.index(letter) for letter in "na")
    assert right[0, 1:].tolist() == [NOTHING, NOTHING, NOTHING, n, a, n]
    assert counted.tolist() == [[False, *[True] * 6]]


def test_texts_begin_with_the_start_token_and_repeat_letters() -> None:
    texts = fresh_texts(64)
    assert (texts[:, 0] == START).all() and texts[:, 1:].max() < START
    right, _ = answers(texts)
    assert 0.4 < (right[:, 20:] != NOTHING).float().mean() < 0.95


@pytest.mark.parametrize(
    ("name", "most"), [("rotary", 0.003), ("learned", 0.12), ("windowed", 0.4), ("sink", 0.4)]
)
def test_models_are_as_accurate_as_their_description_says(name: str, most: float) -> None:
    mask = window_mask(induction.LENGTH + 1, WINDOW) if name in ("windowed", "sink") else None
    assert losses(trained_induction(name), fresh_texts(), mask=mask).nanmean() < most


# ---- learned tables: rows that were never used did not move ----


@pytest.mark.parametrize("name", TABLES.names)
def test_trained_rows_moved_and_the_others_did_not(name: str) -> None:
    record = table_history(name)
    moved = (record.tables - record.tables[0]).norm(dim=2)
    assert (moved[:, tables.LENGTH :] == 0).all()
    assert (moved[-1, : tables.LENGTH] > 1).all()


@pytest.mark.parametrize("name", TABLES.names)
def test_training_again_gives_the_table_recorded(name: str) -> None:
    again, shipped = TableHistory(), table_history(name)
    record_table(again, name, tables.EVERY, progress=False)
    torch.testing.assert_close(again.tables[:2], shipped.tables[:2], atol=5e-3, rtol=0)
    assert (again.accuracy[:2] - shipped.accuracy[:2]).abs().mean() < 0.02


# ---- rewriters: what each of the eight can do ----

SAMPLE = 200
# The least and the largest share of sources rewritten correctly: dates, and 3 to 10 letters reversed.
# ALiBi's penalty is the same on both sides, which is enough for dates, whose parts look different.
SHARES = {
    "none": ((0, 0.3), (0, 0.1)),
    "sinusoidal": ((0.99, 1), (0.99, 1)),
    "learned": ((0.99, 1), (0.99, 1)),
    "shaw": ((0.99, 1), (0.9, 1)),
    "t5": ((0.99, 1), (0.9, 1)),
    "alibi": ((0.99, 1), (0, 0.7)),
    "rotary": ((0.99, 1), (0.95, 1)),
    "cope": ((0.99, 1), (0.9, 1)),
}


def share_right(model: Seq2Seq, sources: list[str]) -> float:
    """Return the share of ``sources`` that the model rewrites without a mistake (no teacher forcing)."""
    task = rewriters.rewriting_task()
    longest = max(map(len, sources))
    tokens = torch.stack([task.encode(source, longest) for source in sources])
    most = max(len(task.solve(source)) for source in sources) + 1
    written = translate(model, tokens, task.start, task.end, most, tokens != task.pad)
    pairs = zip(written, sources, strict=True)
    return sum(task.decode(answer) == task.solve(source) for answer, source in pairs) / len(sources)


def dates() -> list[str]:
    return rewrite_date().draw((SAMPLE, rewriters.LONGEST), torch.Generator().manual_seed(5))


def letters() -> list[str]:
    return reverse(rewriters.LETTERS, 3).draw(
        (SAMPLE, rewriters.MOST_LETTERS), torch.Generator().manual_seed(6)
    )


@pytest.mark.parametrize("name", SHARES)
def test_a_trained_rewriter_rewrites_as_its_table_says(name: str) -> None:
    model, (of_dates, of_letters) = rewriters.trained_rewriter(name), SHARES[name]
    assert of_dates[0] <= share_right(model, dates()) <= of_dates[1]
    assert of_letters[0] <= share_right(model, letters()) <= of_letters[1]
