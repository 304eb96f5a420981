"""Every explorer, without a browser: a panel always shows what the controls say."""

import random
import re
from typing import Any

import numpy as np
import pytest
import torch

from posenc_lessons import choices, language
from posenc_lessons.explorers import EXPLORERS, SinusoidExplorer
from posenc_lessons.explorers.base import SAVED_SHARPNESS, Complaint, Explorer
from posenc_lessons.explorers.caption import Caption, as_html
from posenc_lessons.explorers.controls import Choice, Slider, TextBox
from posenc_lessons.explorers.host import Host, View
from posenc_lessons.explorers.links import follow, read_link, write_link
from posenc_lessons.explorers.panel import FOLDER
from posenc_lessons.figures import canvas_data
from posenc_lessons.figures.draw import draw
from posenc_lessons.figures.four_doors import DOORS
from posenc_lessons.figures.scene import Arrows, Heatmap, Scene
from posenc_lessons.figures.style import LARGEST, Picture
from posenc_lessons.figures.theme import DARK, LIGHT, THEMES, contrast
from posenc_lessons.language import CHINESE, HAN
from tests.explorers.values import random_value

NAMES = [kind.name for kind in EXPLORERS]
TRIES = [(kind, at) for kind in EXPLORERS for at in range(len(kind.tries))]
# The background of the words: the theme's paper in a page, these two in JupyterLab's themes.
BEHIND_WORDS = {"light": ("#FFFFFF",), "dark": ("#14171C", "#111111"), "projector": ("#FFFFFF",)}
# Explorers whose reading has numbers in the colours of the picture.
COLORED = {"sinusoid", "learned", "distance", "rotation", "gate", "attention", "race", "stretch", "batch"}
COLORED |= {"spectrum", "grid"}
COLORED_IN_A_TRY = {"race"}  # it mentions a line only if one is chosen
COLOR = re.compile(r'<span style="color:(#\w{6});font-weight:600"(?: data-mark="[^"]*")?>([^<]*)<')


class Listener:
    """A panel in a notebook, which collects everything that is pushed to it."""

    def __init__(self, explorer: Explorer) -> None:
        self.pushes = 0
        self.host = Host(explorer, push=self.receive)
        self.view: View = self.host.answer("view")

    def receive(self, answer: View) -> None:
        self.pushes += 1
        self.view |= {**answer, "data": {**self.view["data"], **answer.get("data", {})}}


def present_scene(explorer: Explorer) -> Scene:
    parameters = explorer.parameters()
    return explorer.scene(parameters, explorer.compute(parameters))


def assert_shows(view: View, scene: Scene) -> None:
    """Assert that ``view`` has the panels, axes and numbers of ``scene``."""
    assert (view["stage"]["width"], view["stage"]["height"]) == (scene.width, scene.height)
    assert list(view["stage"]["panels"]) == [panel.name for panel in scene.panels]
    for panel in scene.panels:
        axes = view["axes"][panel.name]
        assert (axes["x"]["start"], axes["x"]["end"]) == (panel.x.start, panel.x.end)
        assert (axes["y"]["start"], axes["y"]["end"]) == (panel.y.start, panel.y.end)
        assert axes["x"]["ticks"] == [list(tick) for tick in panel.x.shown_ticks()]
        for layer in panel.layers:
            data = view["data"][f"{panel.name}_{layer.name}"]
            kind: Any = np.uint8 if isinstance(layer, Heatmap) else np.float32
            numbers = np.frombuffer(data["bytes"], kind).reshape(data["shape"])
            if isinstance(layer, Heatmap):
                expected = layer.indices()
            elif isinstance(layer, Arrows):
                expected = np.hstack([layer.start, layer.end])
            else:
                expected = np.column_stack([layer.x, layer.y])
                assert tuple(data.get("texts", ())) == getattr(layer, "texts", ())
            np.testing.assert_array_equal(numbers, expected.astype(kind))


def change(explorer: Explorer) -> None:
    """Move the first slider by a step; without one, take another option of the first choice."""
    for control in explorer.controls.values():
        if isinstance(control, Slider):
            control.value += control.step if control.value < control.max else -control.step
            return
    choice = next(control for control in explorer.controls.values() if isinstance(control, Choice))
    choice.value = next(option for _, option in choice.options if option != choice.value)


# ---- settings ----


@pytest.mark.parametrize("steps", [30, pytest.param(150, marks=pytest.mark.sweep)])
def test_random_changes_leave_no_error_no_stale_frame_and_draw_no_numbers(
    explorer: Explorer, steps: int
) -> None:
    state = torch.random.get_rng_state()
    chance, panel = random.Random(steps), Listener(explorer)
    assert explorer.message is None
    for step in range(steps):
        control = explorer.controls[chance.choice(list(explorer.controls))]
        pushes = panel.pushes
        old, control.value = control.value, random_value(control, chance)
        assert panel.pushes == pushes + (control.value != old), "each change is told once"
        if explorer.message is not None:
            with pytest.raises(Complaint) as complaint:
                present_scene(explorer)
            assert explorer.message == complaint.value.text
            assert panel.view["alert"] and not panel.view["reading"], "in place of the picture"
            continue
        assert panel.view["reading"] and not panel.view["alert"]
        for sentence in explorer.reading.parts().values():
            assert sentence == sentence.strip() and not re.search(r"\s\s", sentence), repr(sentence)
            if not any(isinstance(each, TextBox) for each in explorer.controls.values()):
                assert not re.search(r"(?<![\w-])-[\d.]", sentence), sentence
        if step % 10 == 0:
            assert_shows(panel.view, present_scene(explorer))
    assert torch.equal(state, torch.random.get_rng_state())


def test_an_exception_is_shown_and_the_next_change_recovers(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(parameters: object) -> dict[str, object]:
        raise RuntimeError("<no such> number")

    panel = Listener(explorer)
    monkeypatch.setattr(explorer, "compute", broken)
    change(explorer)
    assert explorer.message is not None and "出错" in explorer.message.zh
    assert "RuntimeError: &lt;no such&gt;" in panel.view["alert"], "text from outside never becomes HTML"
    assert panel.view["reading"] == "" and panel.view["takes"] == {}
    monkeypatch.undo()
    change(explorer)
    assert explorer.message is None and panel.view["alert"] == "" and panel.view["reading"]
    assert_shows(panel.view, present_scene(explorer))


def test_reset_restores_the_start_in_one_update(explorer: Explorer) -> None:
    start, panel, chance = explorer.parameters(), Listener(explorer), random.Random(5)
    for control in explorer.controls.values():
        control.value = random_value(control, chance)
    pushes = panel.pushes
    explorer.reset()
    assert explorer.parameters() == start and panel.pushes == pushes + 1
    assert_shows(panel.view, present_scene(explorer))


def test_rare_controls_are_folded_away_and_the_first_one_is_a_slider(explorer: Explorer) -> None:
    controls = Listener(explorer).view["controls"]
    assert {spec["name"] for spec in controls if spec["rare"]} == explorer.rare
    assert explorer.first is None or isinstance(explorer.controls[explorer.first], Slider)


def test_the_device_chosen_for_the_lessons_is_computed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = SinusoidExplorer()
    monkeypatch.setattr(choices, "device", lambda: "meta")  # which has no numbers to show
    explorer.controls["position"].value = 3
    assert explorer.message is not None and "meta" in explorer.message.en


def test_an_unknown_control_is_named() -> None:
    with pytest.raises(TypeError, match="lenght"):
        EXPLORERS[1](lenght=3)


# ---- language ----


def test_words_change_with_the_language_and_values_stay(explorer: Explorer) -> None:
    chance, panel = random.Random(1), Listener(explorer)
    change(explorer)
    for control in explorer.controls.values():
        if not isinstance(control, TextBox):
            control.value = random_value(control, chance)
    of_a_language = {name for name, item in explorer.controls.items() if item.starting_text() is not None}
    values = {name: value for name, value in explorer.parameters().items() if name not in of_a_language}
    titles = {}
    for spoken in ("zh", "en", "both"):
        language.choose(spoken)  # type: ignore[arg-type]
        assert panel.view["language"] == spoken and explorer.parameters().items() >= values.items()
        assert_shows(panel.view, present_scene(explorer))
        titles[spoken] = "".join(item["title"] for item in panel.view["stage"]["panels"].values())
    assert HAN.search(titles["zh"]) and not HAN.search(titles["en"]) and len({*titles.values()}) == 3


def test_every_control_has_a_name_in_each_language(explorer: Explorer) -> None:
    for control in explorer.controls.values():
        zh, en = control.label.zh, control.label.en
        assert zh and en and HAN.search(zh) and not HAN.search(en)


def test_in_an_english_copy_nothing_is_chinese(explorer: Explorer) -> None:
    language.only("en")
    english = type(explorer)()
    scene, reading = english.present_scene()
    texts = [box.value for box in english.controls.values() if isinstance(box, TextBox)]
    texts += [scene.alt.show(), reading.show(), *english.present_code().splitlines()]
    language.only("both")
    assert [text for text in texts if CHINESE.search(text)] == []


# ---- picture and code ----


def test_the_still_is_the_present_picture(explorer: Explorer) -> None:
    pixels = explorer.still().pixels(1)
    np.testing.assert_array_equal(pixels, draw(present_scene(explorer)).pixels(1))


def test_the_code_makes_an_explorer_with_the_present_picture(explorer: Explorer) -> None:
    for at in range(-1, len(explorer.tries)):
        if at >= 0:
            explorer.follow_try(at)
        names: dict[str, Any] = {}
        exec(explorer.present_code().removesuffix("explorer.still()\n"), names)
        assert names["explorer"].parameters() == explorer.parameters()
        assert painted(names["explorer"].shown) == painted(explorer.shown)


def test_what_a_notebook_saves_is_the_still_and_its_words(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Picture, "png", lambda picture, *options: f"PNG, {options}: {picture!r}")
    bundle, metadata = explorer._repr_mimebundle_()
    assert bundle["image/png"] == explorer.still().png(SAVED_SHARPNESS, LARGEST)
    assert bundle["text/plain"] == present_scene(explorer).alt.show("both")
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert metadata["image/png"]["width"] == present_scene(explorer).width


@pytest.mark.parametrize("mode", THEMES)
def test_numbers_in_the_reading_have_legible_colours_of_the_picture(explorer: Explorer, mode: str) -> None:
    explorer.theme = THEMES[mode]
    if explorer.name in COLORED_IN_A_TRY:
        explorer.follow_try(0)
    with language.shown_in("en"):
        colored = COLOR.findall(as_html(explorer.reading, explorer.theme))
    assert colored or explorer.name not in COLORED
    panels = explorer.present_scene()[0].panels
    colors = {layer.color for panel in panels for layer in panel.layers if not isinstance(layer, Heatmap)}
    spans = explorer.reading.spans["en"] if isinstance(explorer.reading, Caption) else ()
    assert {explorer.theme.shown(span.color) for span in spans} <= colors
    for color, number in colored:
        assert number in explorer.reading.en, number
        assert min(contrast(color, paper) for paper in BEHIND_WORDS[mode]) >= 4.5, number


def test_the_first_picture_has_the_chosen_theme(explorer: Explorer) -> None:
    dark = type(explorer)(theme=DARK)
    assert dark.shown is not None and dark.shown.theme == DARK
    assert tuple(dark.still().pixels(1)[0, 0, :3]) == (0x14, 0x17, 0x1C)


def test_an_explorer_follows_the_pages_theme_unless_one_was_given() -> None:
    explorer = EXPLORERS[0]()
    host = Host(explorer)
    for is_dark, theme in ((True, DARK), (False, LIGHT)):
        host.answer("follow_page", [is_dark])
        assert explorer.theme == theme
    explorer.theme = THEMES["projector"]
    host.answer("follow_page", [True])
    assert explorer.theme == THEMES["projector"]


def test_an_explorer_of_one_door_has_its_colour() -> None:
    style = (FOLDER / "panel.css").read_text(encoding="utf-8")
    worn = dict(re.findall(r'^\[data-door="(\d)"\] \{ --accent: (#\w+);', style, re.MULTILINE))
    assert worn.keys() == {str(kind.door) for kind in EXPLORERS if kind.door}
    colors = {str(door.number): door.color.lower() for door in DOORS}
    assert {number: colors[number] for number in worn} == worn


# ---- tries, pointer, links ----


@pytest.mark.parametrize("spoken", ["zh", "en"])
@pytest.mark.parametrize(("kind", "at"), TRIES, ids=lambda each: getattr(each, "name", each))
def test_each_try_shows_a_different_picture_without_an_error(
    kind: type[Explorer], at: int, spoken: language.Language
) -> None:
    language.choose(spoken)
    explorer, attempt = kind(), kind.tries[at]
    first, start = explorer.shown, explorer.parameters()
    explorer.follow_try(at)
    values = explorer.parameters()
    assert explorer.message is None and values != start
    assert {name: values[name] for name in attempt.values} == attempt.settings(), "a range cut it short"
    assert painted(explorer.shown) != painted(first)


@pytest.mark.parametrize("kind", EXPLORERS, ids=NAMES)
def test_a_try_shows_the_same_wherever_it_is_offered_but_not_where_it_changes_nothing(
    kind: type[Explorer],
) -> None:
    plain = kind()
    plain.follow_try(0)
    other = kind(**{name: plain.parameters()[name] for name in kind.tries[0].values})
    assert other.tries[0] == kind.tries[1]
    plain.follow_try(1)
    other.follow_try(0)
    assert other.parameters() == plain.parameters()


def painted(scene: Scene | None) -> tuple[object, ...]:
    """Return everything that is painted of ``scene``."""
    assert scene is not None
    return canvas_data.stage(scene, "en"), canvas_data.axes(scene), canvas_data.data(scene)


def test_hovering_sets_nothing_and_controls_do_everything_that_pressing_does(explorer: Explorer) -> None:
    controlled = type(explorer)()
    for panel in explorer.present_scene()[0].panels:
        for across, up in np.random.default_rng(3).random((4, 2)):
            x = panel.x.start + across * (panel.x.end - panel.x.start)
            y = panel.y.start + up * (panel.y.end - panel.y.start)
            values, reading = explorer.parameters(), explorer.reading
            explorer.point(panel.name, x, y, "hover")
            assert explorer.parameters() == values, panel.name
            explorer.point(panel.name, x, y, "leave")
            assert (explorer.parameters(), explorer.reading) == (values, reading)
            explorer.point(panel.name, x, y)
            controlled.restore(explorer.parameters())
            assert controlled.reading == explorer.reading
            assert painted(controlled.shown) == painted(explorer.shown)


def test_a_link_restores_an_explorer(explorer: Explorer) -> None:
    chance, restored = random.Random(4), type(explorer)()
    for control in explorer.controls.values():
        assert control.from_text(control.as_text(control.value)) == control.value
        assert control.from_data(control.as_data()["value"]) == control.value
        control.value = random_value(control, chance, ["a&b=c #50% 中文 ？"])
    request = read_link(write_link(explorer, "zh"), NAMES)
    assert (request.explorer, request.language, request.problems) == (explorer.name, "zh", ())
    assert follow(restored, request.values) == ()
    for name, value in explorer.parameters().items():
        assert restored.parameters()[name] == pytest.approx(value), name


@pytest.mark.parametrize("kind", EXPLORERS, ids=NAMES)
def test_formulas_of_a_scene_have_signs_that_the_page_draws_too(kind: type[Explorer]) -> None:
    """The canvas (panel/type.js) knows letters and a dot; it writes other commands out."""
    explorer = kind()
    for panel in explorer.present_scene()[0].panels:
        for text in (panel.title, panel.x.label, panel.y.label):
            for formula in re.findall(r"\$([^$]+)\$", f"{text.zh} {text.en}"):
                assert not re.search(r"[\\_^{]", formula.replace(r"\cdot", "")), (panel.name, formula)
    explorer.close()
