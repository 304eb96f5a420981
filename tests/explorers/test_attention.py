"""The attention explorer shows what the models do, and says what it cannot read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from posenc_lessons import choices
from posenc_lessons.experiments.trained.rewriters import N_HEADS, N_LAYERS, trained_rewriter
from posenc_lessons.explorers import attention
from posenc_lessons.explorers.attention import AttentionExplorer
from posenc_lessons.explorers.base import Complaint
from posenc_lessons.explorers.rewriting import (
    BEGIN,
    END,
    KINDS,
    NAMES,
    TASK,
    rewrite,
    right_answer,
    side_of,
    source_of,
    target_symbol,
)
from posenc_lessons.figures.scene import Heatmap
from posenc_lessons.models import translate
from posenc_lessons.models.registry import COURSE_ENCODINGS

DATE = "March 7, 2024"


@pytest.fixture
def explorer() -> Iterator[AttentionExplorer]:
    made = AttentionExplorer()
    yield made
    made.close()


def reading(explorer: AttentionExplorer) -> str:
    return explorer.present_scene()[1].en


@pytest.mark.parametrize("encoding", COURSE_ENCODINGS)
@pytest.mark.parametrize("text", [DATE, "badge"])
def test_the_written_text_is_that_of_greedy_decoding(encoding: str, text: str) -> None:
    model, tokens = trained_rewriter(encoding), TASK.encode(text)[None]
    written = translate(model, tokens, TASK.start, TASK.end, 12)[0].tolist()
    shown = rewrite(text, encoding)
    assert shown.written == tuple(map(target_symbol, written))
    assert [shown.likeliest(step)[0][0] for step in range(len(written))] == list(shown.written)


@pytest.mark.parametrize("encoding", COURSE_ENCODINGS)
def test_weights_and_probabilities_are_the_models_and_sum_to_1(encoding: str) -> None:
    shown = rewrite(DATE, encoding)
    model, source = trained_rewriter(encoding), TASK.encode(DATE)[None]
    written = translate(model, source, TASK.start, TASK.end, 12)
    target = torch.cat([torch.tensor([[TASK.start]]), written[:, :-1]], dim=1)
    with torch.no_grad():
        logits, weights = model(source, target, need_weights=True)
    np.testing.assert_allclose(shown.chances, logits[0].softmax(-1).numpy(), atol=1e-6)
    np.testing.assert_allclose(shown.chances.sum(axis=-1), 1, atol=1e-5)
    for kind in KINDS:
        own = torch.cat(getattr(weights, kind)).numpy()
        assert own.shape[:2] == (N_LAYERS, N_HEADS)
        np.testing.assert_allclose(shown.weights[kind], own, atol=1e-6)
        np.testing.assert_allclose(shown.weights[kind].sum(axis=-1), 1, atol=1e-5)


def test_a_step_shows_what_a_model_that_has_written_so_far_would_do() -> None:
    """A shorter target gives the same rows at every step, so no row depends on later tokens."""
    model, source = trained_rewriter("cope"), TASK.encode(DATE)[None]
    written = translate(model, source, TASK.start, TASK.end, 12)
    shown = rewrite(DATE, "cope")
    for step in (1, 4, 11):
        begun = torch.cat([torch.tensor([[TASK.start]]), written[:, : step - 1]], dim=1)
        with torch.no_grad():
            _, weights = model(source, begun, need_weights=True)
        for kind in ("decoder", "cross"):
            side = side_of(shown, "A", kind, 2, step, 11)
            assert len(side.choices) == step
            own = getattr(weights, kind)[1][0].numpy()
            np.testing.assert_allclose(np.nan_to_num(side.weights[:, :step, : own.shape[2]]), own, atol=1e-6)
            assert np.isnan(side.weights[:, step:]).all()
            assert side.rows == shown.written[:step] + ("·",) * (11 - step)


def test_the_axes_have_the_tokens() -> None:
    shown = rewrite(DATE, "rotary")
    cross, encoder, decoder = (
        side_of(shown, "A", kind, 1, 3, 11) for kind in ("cross", "encoder", "decoder")
    )
    assert "".join(cross.columns) == "March␣7,␣2024" == "".join(encoder.rows) == "".join(encoder.columns)
    assert cross.rows[:3] == ("2", "0", "2") and decoder.columns[:4] == (BEGIN, "2", "0", "2")
    assert np.isnan(decoder.weights[:, 0, 1:]).all(), "a token that writes sees nothing that comes later"
    assert np.isfinite(encoder.weights).all()


def test_swapping_the_encoding_loads_its_model(explorer: AttentionExplorer) -> None:
    for name in COURSE_ENCODINGS:
        explorer.controls["encoding"].value = name
        arrays = explorer.compute(explorer.parameters())
        assert [shown.encoding for shown in arrays["rewritings"]] == [name, "rotary"]
        assert arrays["sides"][0].name == NAMES[name]
        own = rewrite(DATE, name).weights["cross"][1]
        np.testing.assert_array_equal(arrays["sides"][0].weights[:, :8], own[:, :8])
        assert f"A {NAMES[name].en}" in reading(explorer)


def test_nothing_to_compare_shows_one_model(explorer: AttentionExplorer) -> None:
    explorer.controls["other"].value = attention.NOTHING
    scene, said = explorer.present_scene()
    heads = (f"head_0_{n}" for n in (1, 2, 3, 4))
    assert [panel.name for panel in scene.panels] == ["choices_0", *heads, "key"]
    assert "B " not in said.en


def test_pressing_a_small_head_makes_it_large(explorer: AttentionExplorer) -> None:
    assert explorer.pointed("head_0_3", 3.2, 6.1, "hover") == {}, "a picture stays still under the pointer"
    explorer.point("head_0_3", 3.2, 6.1)
    assert explorer.controls["head"].value == 3
    panels = {panel.name: panel for panel in explorer.present_scene()[0].panels if "head" in panel.name}
    sizes = {name: panel.box[2] for name, panel in panels.items()}
    assert [name for name, size in sizes.items() if size == max(sizes.values())] == ["head_0_3", "head_1_3"]
    weights = explorer.compute(explorer.parameters())["sides"][0].weights
    for head in (1, 2, 3, 4):
        shown = panels[f"head_0_{head}"].layers[0]
        assert isinstance(shown, Heatmap)
        np.testing.assert_array_equal(shown.values, weights[head - 1])


def test_the_reading_says_the_weights_of_the_row_pointed_at(explorer: AttentionExplorer) -> None:
    explorer.controls["head"].value = 0
    explorer.point("head_0_2", 3.2, 6.1)
    assert explorer.controls["row"].value == 7
    weights = rewrite(DATE, "sinusoidal").weights["cross"][1, 1, 6]
    best = int(weights.argmax())
    subscript = str(best + 1).translate(attention.SUBSCRIPTS)
    assert f", {DATE[best]}{subscript} {weights[best]:.2f}, " in reading(explorer)
    explorer.controls["head"].value = 2
    assert f"head 2 sees {DATE[best]}{subscript} {weights[best]:.2f}" in reading(explorer)
    assert explorer.pointed("head_0_2", 3.2, 9.7) == {}, "the eleventh row is not written yet"
    assert explorer.pointed("choices_0", 1.8, 0.3) == {"row": 3}


def test_the_row_follows_the_step(explorer: AttentionExplorer) -> None:
    explorer.controls["step"].value = 4
    assert (explorer.controls["row"].value, explorer.controls["row"].max) == (4, 4)
    explorer.controls["step"].value = 10
    assert explorer.controls["row"].value == 10
    explorer.controls["kind"].value = "encoder"
    assert explorer.controls["row"].max == len(DATE)
    explorer.controls["step"].value = 2
    assert explorer.controls["row"].value == 10, "rows of the encoder do not depend on the steps"


def test_the_last_step_stays_the_last_for_a_longer_text(explorer: AttentionExplorer) -> None:
    explorer.controls["text"].value = "abc"
    step = explorer.controls["step"]
    step.value = step.max
    explorer.controls["text"].value = DATE
    assert step.value == step.max == 11


def test_the_reading_says_the_right_answer_and_whether_it_was_written(explorer: AttentionExplorer) -> None:
    explorer.controls["other"].value = "none"
    explorer.controls["step"].value = explorer.controls["step"].max
    said = reading(explorer)
    assert "To be written: 2024-03-07." in said and "A sinusoidal: has written 2024-03-07 ✓" in said
    assert "B no encoding: has written" in said and "✗" in said
    explorer.controls["text"].value = "March March"
    assert "No right answer" in reading(explorer) and "✓" not in reading(explorer)


def test_the_reading_says_when_a_text_is_longer_than_in_training(explorer: AttentionExplorer) -> None:
    explorer.controls["text"].value = "abcdefghijab"
    assert "Training had 10 letters at most; these are 12." in reading(explorer)
    explorer.controls["text"].value = "abcdefghij"
    assert "Training had" not in reading(explorer)


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("", "There is no text", "还没有文字"),
        ("  \u3000 ", "There is no text", "还没有文字"),
        ("xyz!", "“x” “z” “!”", "没见过"),
        ("7 März 2024", "“ä” “z”", "“ä” “z”"),
        ("🐕 2024", "“🐕”", "“🐕”"),
        ("👩\u200d👧", "U+200D", "U+200D"),
        ("<b>x</b>", "“<”", "“<”"),
        ("abcdefghijabcdefghij", "20 characters", "20 个字符"),
        ("万" * 500, "“万”", "“万”"),
    ],
)
def test_unreadable_texts_are_refused_with_the_reason(
    explorer: AttentionExplorer, text: str, english: str, chinese: str
) -> None:
    explorer.controls["text"].value = text
    assert explorer.message is not None
    assert english in explorer.message.en and chinese in explorer.message.zh
    assert explorer.controls["text"].value == text, "what was typed is kept"
    explorer.controls["text"].value = "2024年3月7日"
    assert "To be written: 2024-03-07." in reading(explorer)
    assert explorer.message is None


@pytest.mark.parametrize(
    "text", ["j", "0", "-", "日日日", "30 February 2024", "7 march 2024", "２０２４年３月７日"]
)
def test_any_text_of_known_characters_is_shown(explorer: AttentionExplorer, text: str) -> None:
    explorer.controls["text"].value = text
    if text == "-":
        assert explorer.message is not None, "a source has no hyphen"
    else:
        assert explorer.message is None
        assert all(shown.written for shown in explorer.compute(explorer.parameters())["rewritings"])


def test_the_right_answer_follows_the_task() -> None:
    assert right_answer("badge") == "egdab" and right_answer(" 7 march 2024") == "2024-03-07"
    assert right_answer("30 February 2024") is None
    with pytest.raises(Complaint):
        right_answer("?")
    assert source_of("  ２０２４年3月7日 ") == "2024年3月7日"


def test_the_end_is_shown_as_a_token() -> None:
    assert rewrite(DATE, "sinusoidal").written == (*"2024-03-07", END)


@pytest.mark.skipif(len(choices.available_devices()) == 1, reason="this machine has no other device")
def test_another_device_gives_the_same_weights() -> None:
    for kind in KINDS:
        here, there = (
            rewrite(DATE, "cope", device).weights[kind] for device in ("cpu", choices.available_devices()[-1])
        )
        np.testing.assert_allclose(here, there, atol=1e-3)
    assert next(trained_rewriter("cope").parameters()).device.type == "cpu"
