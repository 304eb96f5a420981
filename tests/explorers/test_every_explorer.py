"""What holds for every explorer, without a browser: the canvas shows what the controls say, always."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import ipywidgets
import numpy as np
import pytest
import torch

from posenc_lessons import choices, language
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import SAVED_SHARPNESS, Complaint, Explorer
from posenc_lessons.explorers.live import LiveCanvas
from posenc_lessons.explorers.widgets import widgets_in
from posenc_lessons.figures.draw import draw
from posenc_lessons.figures.scene import Arrows, Heatmap, Scene
from posenc_lessons.figures.style import Picture
from posenc_lessons.figures.theme import DARK, Theme
from posenc_lessons.language import HAN
from tests.explorers.values import random_value


@pytest.fixture(params=EXPLORERS, ids=lambda kind: kind.__name__)
def explorer(request: pytest.FixtureRequest) -> Iterator[Explorer]:
    made = request.param()
    yield made
    made.close()


def present_scene(explorer: Explorer) -> Scene:
    parameters = explorer.parameters()
    return explorer.scene(parameters, explorer.compute(parameters))


def assert_canvas_shows(explorer: Explorer, scene: Scene) -> None:
    canvas = explorer.canvas
    assert (canvas.stage["width"], canvas.stage["height"]) == (scene.width, scene.height)
    assert list(canvas.stage["panels"]) == [panel.name for panel in scene.panels]
    for panel in scene.panels:
        sent = canvas.axes[panel.name]
        assert (sent["x"]["start"], sent["x"]["end"]) == (panel.x.start, panel.x.end)
        assert (sent["y"]["start"], sent["y"]["end"]) == (panel.y.start, panel.y.end)
        assert sent["x"]["ticks"] == [list(tick) for tick in panel.x.shown_ticks()]
        for layer in panel.layers:
            data = getattr(canvas, f"{panel.name}_{layer.name}")
            if isinstance(layer, Heatmap):
                got = np.frombuffer(data["bytes"], np.uint8).reshape(data["shape"])
                np.testing.assert_array_equal(got, layer.indices())
            elif isinstance(layer, Arrows):
                got = np.frombuffer(data["bytes"], np.float32).reshape(data["shape"])
                np.testing.assert_array_equal(got, np.hstack([layer.start, layer.end]).astype(np.float32))
            else:
                assert tuple(data.get("texts", ())) == getattr(layer, "texts", ())
                got = np.frombuffer(data["bytes"], np.float32).reshape(data["shape"])
                np.testing.assert_array_equal(got, np.column_stack([layer.x, layer.y]).astype(np.float32))


def test_random_changes_leave_no_error_no_stale_frame_and_draw_no_numbers(explorer: Explorer) -> None:
    drawn = torch.random.get_rng_state()
    chance = random.Random(7)
    assert_canvas_shows(explorer, present_scene(explorer))
    assert explorer.message is None
    for step in range(150):
        name = chance.choice(list(explorer.controls))
        widget = explorer.controls[name]
        before = explorer.canvas.edition
        old, widget.value = widget.value, random_value(widget, chance)
        if explorer.message is not None:
            with pytest.raises(Complaint) as complaint:
                present_scene(explorer)
            assert explorer.message == complaint.value.text
            assert explorer.canvas.layout.display == "none"
            continue
        assert explorer.canvas.layout.display is None
        if widget.value != old:
            assert explorer.canvas.edition > before
        if step % 10 == 0:
            assert_canvas_shows(explorer, present_scene(explorer))
    assert torch.equal(drawn, torch.random.get_rng_state())


def test_what_it_says_has_no_stray_blanks_and_one_minus_sign(explorer: Explorer) -> None:
    chance = random.Random(11)
    for _ in range(60):
        widget = chance.choice([w for w in explorer.controls.values() if not isinstance(w, ipywidgets.Text)])
        widget.value = random_value(widget, chance)
        parameters = explorer.parameters()
        reading = explorer.caption(parameters, explorer.compute(parameters))
        for sentence in reading.parts().values():
            assert sentence == sentence.strip() and not re.search(r"\s\s", sentence), repr(sentence)
            assert not re.search(r"(?<![\w-])-[\d.]", sentence), sentence


def test_still_is_the_figure_of_the_present_parameters(explorer: Explorer) -> None:
    chance = random.Random(3)
    for name in ("length", "arrangement", "position", "encoding"):
        if name in explorer.controls:
            explorer.controls[name].value = random_value(explorer.controls[name], chance)
    np.testing.assert_array_equal(explorer.still().pixels(1), draw(present_scene(explorer)).pixels(1))


def test_the_code_it_shows_draws_the_same_picture(explorer: Explorer) -> None:
    code = explorer.code(explorer.parameters())
    *body, last = code.rstrip().splitlines()
    names: dict[str, object] = {}
    exec("\n".join([*body, f"picture = {last}"]), names)
    np.testing.assert_array_equal(names["picture"].pixels(1), explorer.still().pixels(1))  # type: ignore[attr-defined]


def test_words_stay_while_a_slider_moves_and_follow_the_language(explorer: Explorer) -> None:
    def titles() -> list[str]:
        return [panel["title"] for panel in explorer.canvas.stage["panels"].values()]

    before = titles()
    slider = next(w for w in explorer.controls.values() if isinstance(w, ipywidgets.IntSlider))
    slider.value = slider.value + slider.step
    assert titles() == before
    language.choose("zh")
    assert titles() != before


def test_an_exception_is_shown_and_the_next_change_recovers(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    sliders = (w for w in explorer.controls.values() if isinstance(w, ipywidgets.IntSlider))
    slider = next(w for w in sliders if w.value + 2 * w.step <= w.max)

    def broken(parameters: object) -> dict[str, object]:
        raise RuntimeError("<no such> number")

    monkeypatch.setattr(explorer, "compute", broken)
    slider.value = slider.value + slider.step
    assert (
        explorer.message is not None
        and "RuntimeError" in explorer.message.en
        and "出错" in explorer.message.zh
    )
    alert = next(each for each in widgets_in(explorer) if 'role="alert"' in str(getattr(each, "value", "")))
    assert "&lt;no such&gt;" in alert.value, "text from outside never becomes HTML"
    assert explorer.canvas.layout.display == "none"
    monkeypatch.undo()
    slider.value = slider.value + slider.step
    assert explorer.message is None and explorer.canvas.layout.display is None
    assert all('role="alert"' not in getattr(child, "value", "") for child in explorer.children)
    assert_canvas_shows(explorer, present_scene(explorer))


def test_a_button_does_not_hide_a_complaint(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    def complaining(parameters: object) -> dict[str, object]:
        raise Complaint("不行", "No")

    monkeypatch.setattr(explorer, "compute", complaining)
    explorer.reset()
    toggle = next(b for b in explorer.children[-2].children if isinstance(b, ipywidgets.ToggleButton))
    toggle.value = True
    assert explorer.message is not None and explorer.canvas.layout.display == "none"


def test_every_control_has_a_name_in_each_language(explorer: Explorer) -> None:
    language.choose("zh")
    chinese = {name: widget.description for name, widget in explorer.controls.items()}
    language.choose("en")
    english = {name: widget.description for name, widget in explorer.controls.items()}
    for name in explorer.controls:
        assert chinese[name] and english[name] and chinese[name] != english[name]
    for text in (*english.values(), explorer.canvas.alt):
        assert not HAN.search(text)


def test_changing_language_keeps_every_value(explorer: Explorer) -> None:
    chance = random.Random(1)
    for widget in explorer.controls.values():
        if not isinstance(widget, ipywidgets.Text):
            widget.value = random_value(widget, chance)
    of_a_language = {
        name for name, control in explorer.named_controls.items() if control.starting_text() is not None
    }
    before = {name: value for name, value in explorer.parameters().items() if name not in of_a_language}
    for choice in ("zh", "en", "both"):
        language.choose(choice)  # type: ignore[arg-type]
        assert explorer.parameters().items() >= before.items()
    assert_canvas_shows(explorer, present_scene(explorer))


def test_reset_goes_back_to_the_start_in_one_update(explorer: Explorer) -> None:
    start = explorer.parameters()
    chance = random.Random(5)
    for widget in explorer.controls.values():
        widget.value = random_value(widget, chance)
    edition = explorer.canvas.edition
    explorer.reset()
    assert explorer.parameters() == start
    assert explorer.canvas.edition == edition + 1
    assert_canvas_shows(explorer, present_scene(explorer))


def test_only_devices_that_exist_are_offered(explorer: Explorer) -> None:
    assert [device for _, device in explorer.controls["device"].options] == list(choices.available_devices())


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture's file says what would be drawn, which takes no time."""
    monkeypatch.setattr(Picture, "png", lambda picture, scale=2: f"PNG, {scale}: {picture!r}")
    monkeypatch.setattr(Picture, "svg", lambda picture: f"SVG: {picture!r}")


@pytest.mark.usefixtures("undrawn")
def test_save_hands_over_the_still(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, str, bytes]] = []
    monkeypatch.setattr(explorer.canvas, "download", lambda *file: sent.append(file))
    for button in explorer.children[-2].children:
        if isinstance(button, ipywidgets.Button):
            button.click()
    still = explorer.still()
    assert sent == [
        (f"{explorer.name}.png", "image/png", still.png()),
        (f"{explorer.name}.svg", "image/svg+xml", still.svg()),
    ]


def test_show_the_code_follows_the_controls(explorer: Explorer) -> None:
    toggle = next(b for b in explorer.children[-2].children if isinstance(b, ipywidgets.ToggleButton))
    listing = explorer.children[-1]
    toggle.value = True
    assert listing.layout.display is None
    sliders = (w for w in explorer.controls.values() if isinstance(w, ipywidgets.IntSlider))
    slider = next(w for w in sliders if not w.disabled)
    shown = listing.value
    slider.value = slider.max
    assert listing.value != shown
    toggle.value = False
    assert listing.layout.display == "none"


@pytest.mark.usefixtures("undrawn")
def test_what_a_notebook_saves_is_the_still_and_its_words(explorer: Explorer) -> None:
    bundle, metadata = explorer._repr_mimebundle_()
    assert bundle["image/png"] == explorer.still().png(SAVED_SHARPNESS)
    assert bundle["text/plain"] == present_scene(explorer).alt.show("both")
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert metadata["image/png"]["width"] == present_scene(explorer).width


def test_a_control_that_is_not_there_is_named() -> None:
    with pytest.raises(TypeError, match="lenght"):
        EXPLORERS[1](lenght=3)


def test_whatever_pointing_does_the_controls_do_too(explorer: Explorer) -> None:
    controlled = type(explorer)()
    for panel in explorer.present_scene()[0].panels:
        for across, up in np.random.default_rng(3).random((4, 2)):
            x = panel.x.start + across * (panel.x.end - panel.x.start)
            y = panel.y.start + up * (panel.y.end - panel.y.start)
            explorer.canvas.pointer = {"panel": panel.name, "x": x, "y": y}
            controlled.restore(explorer.parameters())
            assert controlled.canvas.alt == explorer.canvas.alt
            assert controlled._caption.value == explorer._caption.value
    controlled.close()


def test_an_explorer_has_its_theme_from_its_first_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[Theme] = []
    monkeypatch.setattr(LiveCanvas, "paint", lambda canvas, scene, spoken: painted.append(scene.theme))
    for make in EXPLORERS:
        make(theme=DARK).close()
    assert painted == [DARK] * len(EXPLORERS), "each once, and dark"
    assert tuple(EXPLORERS[0](theme=DARK).still().pixels(1)[0, 0, :3]) == (0x14, 0x17, 0x1C)
