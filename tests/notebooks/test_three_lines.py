"""The three lines at the end of each lesson answer their question, for right code and for wrong code."""

import contextlib
import io
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
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

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
SUMMARIES = ("summary", "recap")  # the ids of the cell "What to take away"


def three_lines(lesson: str) -> str:
    """Return the code in the summary of ``lesson``, which is the same in both languages."""
    (path,) = NOTEBOOKS.glob(f"{lesson}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    (text,) = ("".join(cell["source"]) for cell in cells if cell["id"] in SUMMARIES)
    zh, en = BLOCK.findall(text)
    assert zh == en
    return zh


def printed(lesson: str, **names: Any) -> list[str]:
    """Return what the three lines print; ``names`` stand for the reader's own model."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(three_lines(lesson), {"torch": torch, "math": math, **names})
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
