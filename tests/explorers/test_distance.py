"""The distance explorer: each kind says what the encoding of that name does."""

import pytest

from posenc_lessons.explorers import DistanceExplorer, ShuffleExplorer, shuffle
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.distance import LONGEST

MIXED = "狗追 the cat 👩‍👩‍👧"


def cursor(explorer: DistanceExplorer) -> tuple[int, int]:
    return explorer.controls["query"].value, explorer.controls["key"].value


def test_alibi_has_a_fan_of_all_heads_and_only_its_own_controls() -> None:
    explorer = DistanceExplorer(kind="alibi", head=8)
    arrays = explorer.compute(explorer.parameters())
    step = arrays["distances"] == 1
    assert [float(line[step][0]) for line in arrays["fan"]] == [-(2.0**-n) for n in range(1, 9)]
    hidden = {name for name, control in explorer.controls.items() if control.hidden}
    assert hidden == {"clip", "bidirectional"}
    explorer.controls["kind"].value = "t5"
    assert explorer.compute(explorer.parameters())["fan"] == []


def test_the_pointer_previews_then_moves_both_cursors_once_for_each_cell() -> None:
    explorer = DistanceExplorer(kind="shaw", clip=2)
    reading, changes = explorer.reading, []
    explorer.on_change(lambda: changes.append(cursor(explorer)))
    explorer.point("matrix", 6.2, 0.7, "hover")
    preview = explorer.reading
    assert cursor(explorer) == (2, 5) and "m = 1" in preview.en and "n − m = 5" in preview.en
    assert "= 4." in preview.en
    explorer.point("matrix", 6.2, 0.7, "leave")
    assert explorer.reading == reading
    for x, y in ((6.2, 0.7), (6.1, 0.8)):
        explorer.point("matrix", x, y)
    explorer.point("key", 0.0, 0.0)
    assert cursor(explorer) == (1, 6) and explorer.reading == preview
    assert changes == [(2, 5), (2, 5), (1, 6)], "a preview, its end, one press"


@pytest.mark.parametrize(("x", "key"), [(3.2, 5), (-1.6, 0), (-9.0, 0), (40.0, 7)])
def test_pointing_chooses_a_distance(x: float, key: int) -> None:
    explorer = DistanceExplorer(query=2)
    explorer.point("profile", x, 0.0)
    assert cursor(explorer) == (2, key)


# ---- a sentence ----


@pytest.mark.parametrize(
    ("make", "most"),
    [(DistanceExplorer, LONGEST), (ShuffleExplorer, shuffle.MOST_WORDS)],
)
def test_a_sentence_too_long_is_refused_and_kept(make: type[Explorer], most: int) -> None:
    explorer = make(sentence="word " * 500)
    assert explorer.message is not None
    assert all("500" in words and str(most) in words for words in explorer.message.parts().values())
    assert explorer.controls["sentence"].value == "word " * 500
    for fits in ("word " * most, MIXED):
        explorer.controls["sentence"].value = fits
        assert explorer.message is None


def test_the_matrix_has_the_size_of_the_sentence_unless_a_slider_is_larger() -> None:
    explorer = DistanceExplorer(sentence=MIXED)
    assert (explorer.controls["len_q"].value, explorer.controls["len_k"].value) == (5, 5)
    explorer.controls["len_k"].value = 7
    (matrix,) = (panel for panel in explorer.present_scene()[0].panels if panel.name == "matrix")
    labels = [label for _, label in matrix.x.shown_ticks()]
    assert labels == ["0 狗", "1 追", "2 the", "3 cat", "4 👩‍👩‍👧", "5", "6"]
    assert len(matrix.y.shown_ticks()) == 5
    explorer.controls["sentence"].value = "狗追 a cat 👩‍👩‍👧"  # other words, as many
    assert explorer.controls["len_k"].value == 7
    explorer.restore({"query": 0, "key": 6})
    assert "m = 0 “狗”" in explorer.reading.en and "n = 6:" in explorer.reading.en
