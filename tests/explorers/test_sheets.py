"""Each sheet: its example equals the definition, its three lines of code run, its files are up to date."""

from __future__ import annotations

import contextlib
import io
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from PIL import Image
from torch import Tensor, nn

from posenc_lessons.encodings import (
    SinusoidalEncoding,
    apply_rotary,
    cope_bias,
    grid_positions,
    relative_distances,
    rotary_frequencies,
    sinusoidal_encoding,
)
from posenc_lessons.explorers import sheet_examples as examples
from posenc_lessons.explorers.host import Host
from posenc_lessons.explorers.links import write_link
from posenc_lessons.explorers.sheets import FOLDER, LANGUAGES, SHEETS, write
from posenc_lessons.figures.formulas import FORMULAS, formula, set_formula
from posenc_lessons.figures.scene import Labels
from posenc_lessons.figures.sheet import Table
from posenc_lessons.language import shown_in

LESSONS = sorted(SHEETS)


def numbers(table: Table, row: int, start: int = 1) -> list[float]:
    return [float(word.replace("−", "-")) for word in table.rows[row][start:] if word]


# ---- the examples ----


def test_attention_without_positions_moves_its_outputs_with_its_inputs() -> None:
    x = [1.0, 0.5, 2.0]
    table = examples.attention_by_hand(x)
    by_hand = [sum(math.exp(a * b) * b for b in x) / sum(math.exp(a * b) for b in x) for a in x]
    assert numbers(table, 1) == pytest.approx(by_hand, abs=5e-5)
    assert numbers(table, 3) == pytest.approx([by_hand[-1], *by_hand[:-1]], abs=5e-5)


def test_sinusoids_of_four_positions() -> None:
    table = examples.sinusoid_by_hand(7, 100.0)
    for row, m in enumerate(range(7, 11)):
        assert numbers(table, row, 0)[0] == m
        expected = [math.sin(m), math.cos(m), math.sin(m / 10), math.cos(m / 10)]
        assert numbers(table, row) == pytest.approx(expected, abs=5e-5)


def test_a_stretched_table() -> None:
    table = examples.stretched_by_hand([0.0, 2.0, 6.0], 5)
    assert [numbers(table, row)[1] for row in range(5)] == [0, 1, 2, 4, 6]
    assert [numbers(table, row)[0] for row in range(5)] == [0, 0.5, 1, 1.5, 2]


def test_rows_of_shaws_table() -> None:
    table = examples.distances_by_hand(4, 2)
    assert [numbers(table, i) for i in range(4)] == [
        [min(max(j - i, -2), 2) + 2 for j in range(4)] for i in range(4)
    ]


def test_a_rotated_product_stays_when_both_positions_move() -> None:
    q, k = [1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]
    table = examples.rotary_by_hand(q, k, 3, 5)
    first, second = complex(1, 2) * np.exp(3j), complex(3, 4) * np.exp(0.03j)
    assert numbers(table, 0) == pytest.approx([first.real, first.imag, second.real, second.imag], abs=5e-4)
    pairs = (
        complex(1, 2).conjugate() * complex(4, 3) * np.exp(2j),
        complex(3, -4) * complex(2, 1) * np.exp(0.02j),
    )
    product = sum(pair.real for pair in pairs)
    assert numbers(table, 1)[-1] == numbers(table, 3)[-1] == pytest.approx(product, abs=5e-5)


def test_gates_are_added_up_to_the_query() -> None:
    table = examples.gates_by_hand([1.0, 0.5, 0.0, 0.8])
    assert [row[2] for row in table.rows] == ["2.30", "1.30", "0.80", "0.80"]
    assert table.rows[0][3] == "0.70·e[2] + 0.30·e[3]"
    assert examples.gates_by_hand([1.0, 1.0]).rows[0][3] == "e[2]"


def test_hidden_keys_get_no_weight() -> None:
    table = examples.mask_by_hand([2.0, 1.0, 0.0, 3.0], [1.0, 1.0, 0.0, 1.0])
    weights = numbers(table, 3)
    total = math.exp(2) + math.exp(1) + math.exp(3)
    expected = [math.exp(2) / total, math.exp(1) / total, 0, math.exp(3) / total]
    assert weights == pytest.approx(expected, abs=5e-4) and table.rows[2][3] == "−∞"


@pytest.mark.parametrize(
    ("windows", "length", "reached"),
    [([3, 3, 3, 0], 12, [3, 5, 7, 12]), ([3, 3], 4, [3, 4]), ([0, 2], 9, [9, 9])],
)
def test_windows_join_up_to_the_whole_text(windows: list[float], length: int, reached: list[int]) -> None:
    table = examples.reach_by_hand(windows, length)
    assert [int(row[3]) for row in table.rows] == reached
    assert sum(int(row[2]) for row in table.rows) == reached[-1] - 1


def test_wavelengths_before_and_after() -> None:
    table = examples.wavelengths_by_hand(10000.0, 2048, 4)
    for i in range(4):
        plain = 2 * math.pi * 10000 ** (2 * i / 8)
        ntk = 2 * math.pi * (10000 * 4 ** (8 / 6)) ** (2 * i / 8)
        expected = [plain, 2048 / plain, 4 * plain, ntk]
        assert numbers(table, i) == pytest.approx(expected, abs=0.06)


def test_padding_takes_no_position() -> None:
    table = examples.positions_by_hand([0.0, 1.0, 1.0, 0.0, 1.0])
    assert table.rows[2] == ("cumsum − 1", "·", "0", "1", "·", "2")


def test_text_goes_on_after_the_largest_number_of_an_image() -> None:
    table = examples.multimodal_by_hand(3, 2, 3)
    assert [numbers(table, row) for row in range(3)] == [
        [0, 1, 2, 3, 3, 3, 3, 3, 3, 6],
        [0, 1, 2, 3, 3, 3, 4, 4, 4, 6],
        [0, 1, 2, 3, 4, 5, 3, 4, 5, 6],
    ]


# ---- the three lines ----


def printed(lesson: str, **names: Any) -> list[str]:
    """Return what the sheet's code prints; ``names`` replace the reader's own model."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec("\n".join(SHEETS[lesson].sheet.code), {"torch": torch, "math": math, **names})
    return out.getvalue().splitlines()


@pytest.mark.parametrize(("sees", "low", "high"), [(False, 0, 1e-6), (True, 1e-2, 10)])
def test_lines_tell_a_model_that_sees_order(sees: bool, low: float, high: float) -> None:
    torch.manual_seed(0)
    x, add = torch.randn(7, 8), SinusoidalEncoding(8, 16)

    def model(x: Tensor) -> Tensor:
        x = add(x[None], torch.arange(len(x)))[0] if sees else x
        return F.scaled_dot_product_attention(x, x, x)

    (said,) = printed("01", model=model, x=x)
    assert low <= float(said.removeprefix("tensor(").removesuffix(")")) <= high


@pytest.mark.parametrize("halves", [False, True])
def test_lines_tell_how_sines_are_laid_out(halves: bool) -> None:
    table = sinusoidal_encoding(10, 8)
    if halves:
        table = torch.cat([table[:, 0::2], table[:, 1::2]], dim=1)
    norms = [[float(n) for n in re.findall(r"\d\.\d*", said)] for said in printed("02", table=table)]
    assert [norm == [1.0] * 4 for norm in norms] == [not halves, halves]


def test_lines_tell_which_rows_were_never_trained() -> None:
    table = nn.Embedding(6, 4)
    assert printed("03", table=table, loss=table(torch.arange(4)).square().sum()) == ["tensor([4, 5])"]


@pytest.mark.parametrize("sign", [1, -1])
def test_lines_tell_the_sign_of_distances(sign: int) -> None:
    index = (sign * relative_distances(3, 5)).clamp(-2, 2) + 2
    first, shape, ends = printed("04", index=index)
    assert (first, shape, ends) == (f"tensor({sign})", "torch.Size([3, 5])", "tensor(0) tensor(4)")


@pytest.mark.parametrize(("pairing", "second"), [("interleaved", 1), ("half_split", 4)])
def test_lines_tell_the_pairing(pairing: Any, second: int) -> None:
    def rope(x: Tensor, position: int) -> Tensor:
        return apply_rotary(x[None], torch.tensor([position]), pairing=pairing)[0]

    assert printed("05", d=8, rope=rope) == [f"tensor([0, {second}])"]


@pytest.mark.parametrize("leaks", [False, True])
def test_lines_tell_gates_that_leak(leaks: bool) -> None:
    torch.manual_seed(0)
    table, hidden = torch.randn(5, 8), ~torch.ones(4, 4).tril().bool()

    def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        scores = q @ k.mT
        masked = scores.masked_fill(hidden, -math.inf)
        bias = cope_bias(q, scores if leaks else masked, table)
        return (masked + bias).softmax(dim=-1) @ v

    q, k, v = torch.randn(3, 1, 4, 8)
    (said,) = printed("06", attend=attend, q=q, k=k, v=v)
    assert (said == "tensor(0.)") is not leaks


@pytest.mark.parametrize(("true_is_visible", "said"), [(True, "True"), (False, "False")])
def test_lines_tell_what_true_means(true_is_visible: bool, said: str) -> None:
    def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(q, k, v, mask if true_is_visible else ~mask)

    torch.manual_seed(0)
    assert printed("07", attend=attend, q=torch.randn(1, 4), k=torch.randn(2, 4), v=torch.randn(2, 4)) == [
        said
    ]


@pytest.mark.parametrize(("factor", "said"), [(1.0, "tensor(1.) tensor(1.)"), (4.0, "tensor(4.) tensor(4.)")])
def test_lines_tell_an_extension(factor: float, said: str) -> None:
    before = rotary_frequencies(8, 10000.0).float()
    assert printed("08", before=before, after=before / factor)[0] == said


@pytest.mark.parametrize(("right", "low", "high"), [(True, 0, 1e-5), (False, 1e-3, 10)])
def test_lines_tell_padding_that_changes_the_output(right: bool, low: float, high: float) -> None:
    torch.manual_seed(0)
    embed, add = nn.Embedding(9, 8), SinusoidalEncoding(8, 16)

    def model(ids: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        real = torch.ones_like(ids) if attention_mask is None else attention_mask
        counted = (real.cumsum(dim=-1) - 1).clamp(min=0)
        at = counted if right else torch.arange(ids.shape[1]).expand_as(ids)
        x = add(embed(ids), at)
        return F.scaled_dot_product_attention(x, x, x, (real > 0)[:, None, :])

    ids, real = torch.tensor([[0, 0, 3, 4, 5]]), torch.tensor([[0, 0, 1, 1, 1]])
    (said,) = printed("09", model=model, ids=ids, real=real, pad=2)
    assert low <= float(said.partition("(")[2].partition(",")[0].rstrip(")")) <= high


@pytest.mark.parametrize(("reads", "said"), [(True, "tensor(True)"), (False, "tensor(False)")])
def test_lines_tell_a_layer_that_reads_positions(reads: bool, said: str) -> None:
    def attend(x: Tensor, positions: Tensor) -> Tensor:
        q = apply_rotary(x, positions) if reads else x
        return F.scaled_dot_product_attention(q, q, x)

    x, places = torch.randn(6, 8, generator=torch.Generator().manual_seed(0)), torch.arange(6)
    assert printed("10", layers=[attend], x=x, places=places) == [said]


@pytest.mark.parametrize(("order", "right", "down"), [([0, 1], [0, 1], [1, 0]), ([1, 0], [1, 0], [0, 1])])
def test_lines_tell_rows_from_columns(order: list[int], right: list[int], down: list[int]) -> None:
    said = printed("11", positions=grid_positions(2, 3)[:, order], h=2, w=3)
    assert said == [f"tensor({right})", f"tensor({down})"]


# ---- the live sheet and its files ----


@pytest.mark.parametrize("typed", ["1 2 3", "1 2 3 4 5", "1 2 3 x", "1 2 3 1e9", "", "nan 1 2 3"])
def test_wrong_numbers_are_named_and_kept(typed: str) -> None:
    sheet = SHEETS["05"]()
    sheet.controls["q"].value = typed
    assert sheet.message is not None and "q: 4 numbers" in sheet.message.en
    assert sheet.controls["q"].value == typed
    sheet.controls["q"].value = "1，2 3 −4"
    assert sheet.message is None


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_code_of_a_sheet_draws_the_sheet(lesson: str) -> None:
    sheet = SHEETS[lesson]()
    names: dict[str, Any] = {}
    *lines, last = sheet.present_code().strip().splitlines()
    exec("\n".join([*lines, f"drawn = {last}"]), names)
    assert names["drawn"].png() == sheet.still().png()


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_page_can_start_a_sheet_from_its_link(lesson: str) -> None:
    sheet = SHEETS[lesson]()
    host = Host()
    view = host.answer("start", [sheet.name, write_link(sheet, "en")])
    assert (view["explorer"], view["language"], view["alert"]) == (sheet.name, "en", "")
    host.close()
    sheet.close()


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_committed_formula_equals_matplotlibs(lesson: str) -> None:
    """Versions of Matplotlib may differ slightly."""
    again = set_formula(FORMULAS[lesson]) / 255
    assert again.shape == formula(lesson).shape and np.abs(again - formula(lesson)).mean() < 0.02


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sheets")
    assert {path.name for path in write(folder)} == {path.name for path in FOLDER.iterdir()}
    return folder


@pytest.mark.parametrize("lesson", LESSONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_committed_sheet_is_up_to_date_and_light(lesson: str, language: str, drawn: Path) -> None:
    name = f"{lesson}.{language}.png"
    blocks: Callable[[Path], np.ndarray] = lambda path: np.asarray(  # noqa: E731
        Image.open(path).convert("L").resize((58, 28), Image.Resampling.BOX), dtype=int
    )
    assert np.abs(blocks(FOLDER / name) - blocks(drawn / name)).max() < 18, "run `make images`"
    for path in (FOLDER / name, FOLDER / name.replace(".png", ".pdf")):
        assert path.stat().st_size < 60_000, f"{path.name} is larger than 60 kB"


def test_a_sheet_has_one_language_and_both_means_chinese() -> None:
    def words(language: Any) -> list[str]:
        with shown_in(language):
            (panel,) = SHEETS["05"]().present_scene()[0].panels
        return [word for layer in panel.layers if isinstance(layer, Labels) for word in layer.texts]

    assert words("both") == words("zh") != words("en")
