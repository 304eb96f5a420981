"""The race explorer shows the numbers of the recorded runs."""

import numpy as np

from posenc_lessons.experiments.race import recorded_race
from posenc_lessons.explorers import RaceExplorer


def test_the_reading_says_the_finding_and_the_description_names_the_recording_and_its_machine() -> None:
    recorded, explorer = recorded_race(), RaceExplorer()
    described = explorer.present_scene()[0].alt.parts()
    for language, words in explorer.reading.parts().items():
        assert recorded.date in described[language] and recorded.machine["processor"] in described[language]
        for encoding in ("shaw", "rotary", "sinusoidal"):
            assert f"{np.mean(recorded.accuracy('copy_back', encoding), axis=0)[-1]:.2f}" in words


def test_the_numbers_shown_are_those_of_the_runs() -> None:
    results, explorer = recorded_race(), RaceExplorer(task="count_since_reset", highlight="shaw")
    scene, reading = explorer.present_scene()
    rows = np.array(results.accuracy("count_since_reset", "shaw"))
    layers = {layer.name: layer for layer in scene.panels[0].layers}
    np.testing.assert_allclose(layers["shaw"].y, rows.mean(axis=0))  # type: ignore[union-attr]
    strokes = layers["shaw_spread"].y.reshape(-1, 3)  # type: ignore[union-attr]
    np.testing.assert_allclose(strokes[:, :2].T, [rows.min(axis=0), rows.max(axis=0)])
    assert f"{rows[:, -1].mean():.2f} ({rows[:, -1].min():.2f}–{rows[:, -1].max():.2f})" in reading.en


def test_the_pointer_highlights_a_curve_and_hovering_keeps_the_choice() -> None:
    explorer, results = RaceExplorer(highlight="rotary"), recorded_race()
    race = results.race
    end = np.log2(race.test_lengths[-1])
    shares = {e: np.mean(results.accuracy("copy_back", e), axis=0)[-1] for e in race.encodings}
    best = max(shares, key=lambda e: shares[e])
    assert explorer.pointed("curves", end, shares[best] + 0.01) == {"highlight": best}
    far_from_every_curve = (np.log2(race.test_lengths[0]), -0.03)
    assert explorer.pointed("curves", *far_from_every_curve) == {"highlight": ""}
    reading = explorer.reading
    explorer.point("curves", *far_from_every_curve, "hover")
    assert explorer.reading != reading
    explorer.point("curves", *far_from_every_curve, "leave")
    assert (explorer.reading, explorer.controls["highlight"].value) == (reading, "rotary")
