"""The attention explorer shows what the models do, and says what it cannot read."""

import numpy as np
import pytest
import torch

from posenc_lessons.experiments.trained.rewriters import trained_rewriter
from posenc_lessons.explorers import attention
from posenc_lessons.explorers.attention import AttentionExplorer
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
from posenc_lessons.figures.attention import STEPS
from posenc_lessons.figures.scene import Heatmap, Line
from posenc_lessons.models import translate
from posenc_lessons.models.registry import COURSE_ENCODINGS

DATE = "March 7, 2024"


@pytest.mark.parametrize("encoding", COURSE_ENCODINGS)
@pytest.mark.parametrize("text", [DATE, "badge"])
def test_text_probabilities_and_weights_are_those_of_the_model(encoding: str, text: str) -> None:
    model, source = trained_rewriter(encoding), TASK.encode(text)[None]
    written = translate(model, source, TASK.start, TASK.end, 12)
    target = torch.cat([torch.tensor([[TASK.start]]), written[:, :-1]], dim=1)
    with torch.no_grad():
        logits, weights = model(source, target, need_weights=True)
    rewriting = rewrite(text, encoding)
    assert rewriting.written == tuple(map(target_symbol, written[0].tolist()))
    assert [rewriting.likeliest(at)[0][0] for at in range(len(rewriting.written))] == [*rewriting.written]
    np.testing.assert_allclose(rewriting.chances, logits[0].softmax(-1).numpy(), atol=1e-6)
    for kind in KINDS:
        np.testing.assert_allclose(rewriting.weights[kind], torch.cat(getattr(weights, kind)), atol=1e-6)


def test_the_axes_have_the_tokens() -> None:
    rewriting = rewrite(DATE, "rotary")
    assert rewriting.written == (*"2024-03-07", END)
    cross, encoder, decoder = (
        side_of(rewriting, "A", kind, 1, 3, 11) for kind in ("cross", "encoder", "decoder")
    )
    assert "".join(cross.columns) == "March␣7,␣2024" == "".join(encoder.rows) == "".join(encoder.columns)
    assert cross.rows == ("2", "0", "2") + ("·",) * 8 and len(cross.choices) == 3
    assert np.isnan(cross.weights[:, 3:]).all() and decoder.columns[:4] == (BEGIN, "2", "0", "2")
    assert np.isnan(decoder.weights[:, 0, 1:]).all(), "a token that writes sees nothing that comes later"


def test_swapping_the_encoding_shows_its_model_and_nothing_to_compare_shows_one() -> None:
    explorer = AttentionExplorer(encoding="shaw", other="rotary", step=8)
    arrays = explorer.compute(explorer.parameters())
    assert [rewriting.encoding for rewriting in arrays["rewritings"]] == ["shaw", "rotary"]
    own = rewrite(DATE, "shaw").weights["cross"][1]
    np.testing.assert_array_equal(arrays["sides"][0].weights[:, :8], own[:, :8])
    assert f"A {NAMES['shaw'].en}" in explorer.reading.en and "B RoPE" in explorer.reading.en
    explorer.controls["other"].value = attention.NOTHING
    heads = (f"head_0_{n}" for n in (1, 2, 3, 4))
    panels = explorer.present_scene()[0].panels
    assert [panel.name for panel in panels] == [*heads]
    assert "B " not in explorer.reading.en


def test_pressing_a_small_head_makes_it_large() -> None:
    explorer = AttentionExplorer(other="rotary")
    assert explorer.pointed("head_0_3", 3.2, 6.1, "hover") == {}, "a picture stays still under the pointer"
    explorer.point("head_0_3", 3.2, 6.1)
    assert explorer.controls["head"].value == 3
    panels = {panel.name: panel for panel in explorer.present_scene()[0].panels}
    assert [name for name, panel in panels.items() if panel.hero] == ["head_0_3", "head_1_3"]
    weights = explorer.compute(explorer.parameters())["sides"][0].weights
    for head in (1, 2, 4):
        heatmap = panels[f"head_0_{head}"].layers[0]
        assert isinstance(heatmap, Heatmap)
        np.testing.assert_array_equal(heatmap.values, weights[head - 1])


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_is_drawn_for_each_weight_that_can_be_seen(kind: str) -> None:
    explorer = AttentionExplorer(kind=kind, head=2, row=7)
    weights = explorer.compute(explorer.parameters())["sides"][0].weights[1]
    lines = [layer for layer in explorer.present_scene()[0].panels[0].layers if isinstance(layer, Line)]
    drawn = {layer.name: len(layer.x) // 3 for layer in lines}
    assert sum(drawn.values()) == (weights >= STEPS[0][0]).sum()
    assert sum(n for name, n in drawn.items() if name.startswith("own")) == (weights[6] >= STEPS[0][0]).sum()
    assert [layer.width for layer in lines] == [width for _, width, _ in STEPS] * 2


def test_the_reading_says_the_weights_of_the_row_pointed_at() -> None:
    explorer = AttentionExplorer(head=2, step=8)
    explorer.point("head_0_2", 6.4 / 11, 0.1)
    assert explorer.controls["row"].value == 7
    weights = rewrite(DATE, "sinusoidal").weights["cross"][1, 1, 6]
    best = int(weights.argmax())
    assert f"For “3” head 2 looks at “{DATE[best]}” {weights[best]:.0%}, " in explorer.reading.en
    assert explorer.pointed("head_0_2", 9.7 / 11, 0.1) == {}, "the tenth token is not written yet"


def test_the_row_follows_the_step_and_the_last_step_stays_the_last() -> None:
    explorer = AttentionExplorer()
    step, row = explorer.slider("step"), explorer.slider("row")
    step.value = 4
    assert (row.value, row.max) == (4, 4)
    step.value = 10
    assert row.value == 10
    explorer.controls["kind"].value = "encoder"
    assert row.max == len(DATE)
    step.value = 2
    assert row.value == 10, "rows of the encoder do not depend on the steps"
    explorer.controls["text"].value = "abc"
    step.value = step.max
    explorer.controls["text"].value = DATE
    assert step.value == step.max == 11


def test_the_reading_says_the_right_answer_and_whether_it_was_written() -> None:
    explorer = AttentionExplorer(other="none")
    explorer.controls["step"].value = explorer.slider("step").max
    assert "To be written: 2024-03-07." in explorer.reading.en
    assert "A sinusoidal: has written 2024-03-07 ✓" in explorer.reading.en
    assert "B no encoding: has written" in explorer.reading.en and "✗" in explorer.reading.en
    for text, words in (
        ("March March", "No right answer"),
        ("abcdefghijab", "Training had 10 letters at most"),
    ):
        explorer.controls["text"].value = text
        assert words in explorer.reading.en and ("✓" not in explorer.reading.en or text == "abcdefghijab")
    explorer.controls["text"].value = "abcdefghij"
    assert "Training had" not in explorer.reading.en


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("  \u3000 ", "There is no text", "还没有文字"),
        ("-xyz!", "“x” “z” “!”", "没见过"),
        ("🐕 2024", "“🐕”", "“🐕”"),
        ("👩\u200d👧", "U+200D", "U+200D"),
        ("abcdefghijabcdefghij", "20 characters", "20 个字符"),
        ("万" * 500, "“万”", "“万”"),
    ],
)
def test_unreadable_texts_are_refused_with_the_reason(text: str, english: str, chinese: str) -> None:
    explorer = AttentionExplorer(text=text)
    assert explorer.message is not None
    assert english in explorer.message.en and chinese in explorer.message.zh
    assert explorer.controls["text"].value == text, "what was typed is kept"
    explorer.controls["text"].value = "2024年3月7日"
    assert "To be written: 2024-03-07." in explorer.reading.en and explorer.message is None


def test_the_right_answer_follows_the_task_and_any_known_characters_are_read() -> None:
    assert right_answer("badge") == "egdab" and right_answer(" 7 march 2024") == "2024-03-07"
    assert right_answer("30 February 2024") is None
    assert source_of("  ２０２４年3月7日 ") == "2024年3月7日"
    assert all(rewrite(text, "rotary").written for text in ("j", "0", "日日日", "30 February 2024"))
