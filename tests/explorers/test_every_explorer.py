"""Every explorer, without a browser: a panel always shows what the controls say."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

from posenc_lessons import choices, language
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import SAVED_SHARPNESS, Complaint, Explorer
from posenc_lessons.explorers.controls import Slider, TextBox
from posenc_lessons.explorers.doors_map import BEHIND
from posenc_lessons.explorers.host import Host, View
from posenc_lessons.explorers.panel import FOLDER
from posenc_lessons.figures.draw import draw
from posenc_lessons.figures.four_doors import DOORS
from posenc_lessons.figures.scene import Arrows, Heatmap, Scene
from posenc_lessons.figures.style import LARGEST, Picture
from posenc_lessons.figures.theme import DARK, LIGHT, THEMES
from posenc_lessons.language import HAN
from tests.explorers.values import random_value


@pytest.fixture(params=EXPLORERS, ids=lambda kind: kind.__name__)
def explorer(request: pytest.FixtureRequest) -> Iterator[Explorer]:
    made = request.param()
    yield made
    made.close()


class Listener:
    """A panel in a notebook, which collects everything that is pushed to it."""

    def __init__(self, explorer: Explorer) -> None:
        self.pushes = 0
        self.host = Host(explorer, kernel=True, push=self.receive)
        self.view: View = self.host.answer("view")

    def receive(self, answer: View) -> None:
        self.pushes += 1
        self.view |= {**answer, "data": {**self.view["data"], **answer.get("data", {})}}


def present_scene(explorer: Explorer) -> Scene:
    parameters = explorer.parameters()
    return explorer.scene(parameters, explorer.compute(parameters))


def assert_shows(view: View, scene: Scene) -> None:
    assert (view["stage"]["width"], view["stage"]["height"]) == (scene.width, scene.height)
    assert list(view["stage"]["panels"]) == [panel.name for panel in scene.panels]
    for panel in scene.panels:
        sent = view["axes"][panel.name]
        assert (sent["x"]["start"], sent["x"]["end"]) == (panel.x.start, panel.x.end)
        assert (sent["y"]["start"], sent["y"]["end"]) == (panel.y.start, panel.y.end)
        assert sent["x"]["ticks"] == [list(tick) for tick in panel.x.shown_ticks()]
        for layer in panel.layers:
            data = view["data"][f"{panel.name}_{layer.name}"]
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
    chance, panel = random.Random(7), Listener(explorer)
    assert_shows(panel.view, present_scene(explorer))
    assert explorer.message is None
    for step in range(150):
        control = explorer.controls[chance.choice(list(explorer.controls))]
        before = panel.pushes
        old, control.value = control.value, random_value(control, chance)
        assert panel.pushes == before + (control.value != old), "each change is told once"
        if explorer.message is not None:
            with pytest.raises(Complaint) as complaint:
                present_scene(explorer)
            assert explorer.message == complaint.value.text
            assert panel.view["alert"] and not panel.view["reading"], "in place of the picture"
            continue
        assert panel.view["reading"] and not panel.view["alert"]
        if step % 10 == 0:
            assert_shows(panel.view, present_scene(explorer))
    assert torch.equal(drawn, torch.random.get_rng_state())


def test_readings_have_no_stray_spaces_and_one_minus_sign(explorer: Explorer) -> None:
    chance = random.Random(11)
    for _ in range(60):
        control = chance.choice(
            [each for each in explorer.controls.values() if not isinstance(each, TextBox)]
        )
        control.value = random_value(control, chance)
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
    names: dict[str, Any] = {}
    exec("\n".join([*body, f"picture = {last}"]), names)
    np.testing.assert_array_equal(names["picture"].pixels(1), explorer.still().pixels(1))


def slider_of(explorer: Explorer) -> Slider:
    """Return the first slider with at least two steps left."""
    sliders = (each for each in explorer.controls.values() if isinstance(each, Slider))
    return next(each for each in sliders if each.value + 2 * each.step <= each.max)


def test_words_in_the_picture_change_only_with_the_language(explorer: Explorer) -> None:
    panel, slider = Listener(explorer), slider_of(explorer)

    def titles() -> list[str]:
        return [each["title"] for each in panel.view["stage"]["panels"].values()]

    before = titles()
    slider.value += slider.step
    assert titles() == before
    language.choose("zh")
    assert titles() != before and panel.view["language"] == "zh"


def test_an_exception_is_shown_and_the_next_change_recovers(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, slider = Listener(explorer), slider_of(explorer)

    def broken(parameters: object) -> dict[str, object]:
        raise RuntimeError("<no such> number")

    monkeypatch.setattr(explorer, "compute", broken)
    slider.value += slider.step
    assert explorer.message is not None and "出错" in explorer.message.zh
    assert "RuntimeError: &lt;no such&gt;" in panel.view["alert"], "text from outside never becomes HTML"
    assert explorer.hides_picture and panel.view["reading"] == ""
    monkeypatch.undo()
    slider.value += slider.step
    assert explorer.message is None and panel.view["alert"] == "" and panel.view["reading"]
    assert_shows(panel.view, present_scene(explorer))


def test_a_message_about_a_button_does_not_clear_an_error(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer.show_message(Complaint("按钮", "button").text, in_place=False)
    assert explorer.message is not None and not explorer.hides_picture

    def complaining(parameters: object) -> dict[str, object]:
        raise Complaint("不行", "No")

    monkeypatch.setattr(explorer, "compute", complaining)
    explorer.reset()
    assert explorer.hides_picture
    explorer.show_message(Complaint("按钮", "button").text, in_place=False)
    assert explorer.hides_picture


def test_every_control_and_action_has_a_name_in_each_language(explorer: Explorer) -> None:
    labels = [each.label for each in (*explorer.controls.values(), *explorer.actions().values())]
    for label in labels:
        assert label.zh and label.en and HAN.search(label.zh) and not HAN.search(label.en)


def test_changing_language_keeps_every_value(explorer: Explorer) -> None:
    chance, panel = random.Random(1), Listener(explorer)
    for control in explorer.controls.values():
        if not isinstance(control, TextBox):
            control.value = random_value(control, chance)
    of_a_language = {name for name, each in explorer.controls.items() if each.starting_text() is not None}
    before = {name: value for name, value in explorer.parameters().items() if name not in of_a_language}
    for choice in ("zh", "en", "both"):
        language.choose(choice)  # type: ignore[arg-type]
        assert explorer.parameters().items() >= before.items()
    assert_shows(panel.view, present_scene(explorer))


def test_reset_restores_the_start_in_one_update(explorer: Explorer) -> None:
    start, panel, chance = explorer.parameters(), Listener(explorer), random.Random(5)
    for control in explorer.controls.values():
        control.value = random_value(control, chance)
    before = panel.pushes
    explorer.reset()
    assert explorer.parameters() == start and panel.pushes == before + 1
    assert_shows(panel.view, present_scene(explorer))


def test_rare_controls_are_folded_away(explorer: Explorer) -> None:
    described = Listener(explorer).view["controls"]
    folded = {each["name"] for each in described if each["rare"]} - {"device"}
    assert folded == explorer.rare & {each["name"] for each in described}


def test_only_devices_that_exist_are_offered(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    there = Listener(explorer).view["controls"]
    assert (len(choices.available_devices()) > 1) == any(each["name"] == "device" for each in there)
    monkeypatch.setattr(choices, "available_devices", lambda: ("cpu", "mps"))
    more = type(explorer)()
    described = Listener(more).view["controls"][-1]
    assert (described["name"], described["options"], described["rare"]) == ("device", ["cpu", "mps"], True)
    more.close()


def test_what_a_notebook_saves_is_the_still_and_its_words(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Picture, "png", lambda picture, *options: f"PNG, {options}: {picture!r}")
    bundle, metadata = explorer._repr_mimebundle_()
    assert bundle["image/png"] == explorer.still().png(SAVED_SHARPNESS, LARGEST)
    assert bundle["text/plain"] == present_scene(explorer).alt.show("both")
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert metadata["image/png"]["width"] == present_scene(explorer).width


def test_an_unknown_control_is_named() -> None:
    with pytest.raises(TypeError, match="lenght"):
        EXPLORERS[1](lenght=3)


def test_controls_can_do_everything_that_pointing_does(explorer: Explorer) -> None:
    controlled = type(explorer)()
    for panel in explorer.present_scene()[0].panels:
        for across, up in np.random.default_rng(3).random((4, 2)):
            x = panel.x.start + across * (panel.x.end - panel.x.start)
            y = panel.y.start + up * (panel.y.end - panel.y.start)
            explorer.point(panel.name, x, y)
            controlled.restore(explorer.parameters())
            assert controlled.reading == explorer.reading
            assert controlled.shown is not None and explorer.shown is not None
            assert controlled.shown.alt == explorer.shown.alt
    controlled.close()


def test_the_first_picture_has_the_chosen_theme(explorer: Explorer) -> None:
    dark = type(explorer)(theme=DARK)
    assert dark.shown is not None and dark.shown.theme == DARK
    assert tuple(dark.still().pixels(1)[0, 0, :3]) == (0x14, 0x17, 0x1C)
    dark.close()


def test_an_explorer_follows_the_pages_theme_unless_one_was_given() -> None:
    explorer = EXPLORERS[0]()
    host = Host(explorer, kernel=True)
    for is_dark, theme in ((True, DARK), (False, LIGHT)):
        host.answer("follow_page", [is_dark])
        assert explorer.theme == theme
    explorer.theme = THEMES["projector"]
    host.answer("follow_page", [True])
    assert explorer.theme == THEMES["projector"]
    explorer.close()


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_an_explorer_of_one_door_has_its_colour(make: type[Explorer]) -> None:
    behind = [door for door, shown in BEHIND.items() if make in {each.explorer for each in shown}]
    assert make.door == (behind[0] if len(behind) == 1 else 0)
    style = (FOLDER / "panel.css").read_text(encoding="utf-8")
    worn = re.findall(r'^\[data-door="(\d)"\] \{ --accent: (#\w+);', style, re.MULTILINE)
    colors = {str(door.number): door.color.lower() for door in DOORS}
    assert {number: colors[number] for number, _ in worn} == dict(worn)
    assert not make.door or str(make.door) in dict(worn)
