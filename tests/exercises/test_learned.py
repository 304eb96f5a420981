"""Lesson 03's checks name the mistakes people really make, and accept other right answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.exercises import learned as checks
from posenc_lessons.exercises.solutions import learned as solutions
from posenc_lessons.exercises.verdict import Verdict
from tests.exercises.naming import names

CHECKS: dict[str, Callable[[Any], Verdict]] = {
    "LearnedPositions": checks.check_learned_positions,
    "table_gradient": checks.check_table_gradient,
    "count_parameters": checks.check_count_parameters,
    "position_ids": checks.check_position_ids,
    "stretch": checks.check_stretch,
}


class Unfinished(nn.Module):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()

    def forward(self, embeddings: Tensor) -> Any:
        return ...


def test_the_unfinished_module_is_not_yet() -> None:
    assert checks.check_learned_positions(Unfinished).status == "not yet"


# --- other right answers -------------------------------------------------------------------------------


class WithAParameter(nn.Module):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.max_len = max_len
        self.table = nn.Parameter(torch.zeros(max_len, d_model))

    def forward(self, x: Tensor) -> Tensor:
        if x.shape[1] > self.max_len:
            raise IndexError("too long")
        return x + self.table[: x.shape[1]]


class BySlicing(nn.Module):
    """Too long a sentence fails here too: the shapes no longer fit."""

    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, d_model))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[: x.shape[1]]


class WithOneHots(nn.Module):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x: Tensor) -> Tensor:
        hot = F.one_hot(torch.arange(x.shape[1]), len(self.table)).float()
        return x + hot @ self.table


@pytest.mark.parametrize("module", [WithAParameter, BySlicing, WithOneHots])
def test_another_right_module_passes(module: type[nn.Module]) -> None:
    verdict = checks.check_learned_positions(module)
    assert verdict.passed, verdict


def gradient_by_autograd(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor | None:
    table = torch.zeros(max_len, grad_output.shape[-1], requires_grad=True)
    table[positions].backward(grad_output)
    return table.grad


def gradient_by_one_hot(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    hot = F.one_hot(positions, max_len).to(grad_output.dtype)
    return torch.einsum("blr,bld->rd", hot, grad_output)


def gradient_by_a_loop(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    gradient = torch.zeros(max_len, grad_output.shape[-1])
    for b in range(len(positions)):
        for m in range(positions.shape[1]):
            gradient[positions[b, m]] += grad_output[b, m]
    return gradient


def stretch_with_interpolate(table: Tensor, new_len: int) -> Tensor:
    return F.interpolate(table.T[None], size=new_len, mode="linear", align_corners=True)[0].T


def ids_by_a_loop(is_real: Tensor) -> Tensor:
    ids = torch.zeros(is_real.shape, dtype=torch.int64)
    for row, marks in enumerate(is_real):
        ids[row, marks] = torch.arange(int(marks.sum()))
    return ids


def ids_by_where(is_real: Tensor) -> Tensor:
    return torch.where(is_real, is_real.cumsum(1) - 1, 0)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("table_gradient", gradient_by_autograd),
        ("table_gradient", gradient_by_one_hot),
        ("table_gradient", gradient_by_a_loop),
        ("stretch", stretch_with_interpolate),
        ("position_ids", ids_by_a_loop),
        ("position_ids", ids_by_where),
        ("count_parameters", lambda v, n, d, t: v * d + n * d + t * d),
        ("count_parameters", lambda v, n, d, t: torch.tensor((v + n + t) * d)),
    ],
)
def test_another_right_answer_passes(name: str, answer: Callable[..., Any]) -> None:
    verdict = CHECKS[name](answer)
    assert verdict.passed, verdict


# --- wrong modules -------------------------------------------------------------------------------------


class _Wrong(nn.Module):
    """A learned table; each wrong answer spoils ``forward`` in its own way."""

    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.max_len, self.d_model = max_len, d_model
        self.table = nn.Parameter(torch.randn(max_len, d_model))


class TableInsideForward(nn.Module):
    """The source notes' own: a new zero table at every call."""

    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.max_len, self.d_model = max_len, d_model

    def forward(self, x: Tensor) -> Tensor:
        table = nn.Embedding(self.max_len, self.d_model)
        nn.init.constant_(table.weight, 0.0)
        return x + table(torch.arange(x.shape[1]))


class RandomTableInsideForward(nn.Module):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.max_len, self.d_model = max_len, d_model

    def forward(self, x: Tensor) -> Tensor:
        return x + nn.Embedding(self.max_len, self.d_model)(torch.arange(x.shape[1]))


class PlainTensor(nn.Module):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.table = torch.randn(max_len, d_model, requires_grad=True)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[: x.shape[1]]


class Buffer(nn.Module):
    table: Tensor

    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.register_buffer("table", torch.randn(max_len, d_model))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[: x.shape[1]]


class Frozen(_Wrong):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__(max_len, d_model)
        self.table.requires_grad_(False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[: x.shape[1]]


class Detached(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x + self.table.detach()[: x.shape[1]]


class Transposed(nn.Module):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(d_model, max_len))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table.T[: x.shape[1]]


class OneRowTooMany(nn.Module):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Embedding(max_len + 1, d_model)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table(torch.arange(1, x.shape[1] + 1))


class WithALinearToo(_Wrong):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__(max_len, d_model)
        self.linear = nn.Linear(d_model, d_model)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x) + self.table[: x.shape[1]]


class IgnoresPositions(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[0]


class AddsTheLastRow(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[x.shape[1] - 1]


class ColonForgotten(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[None][:, x.size(1)]


class OffByOne(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[torch.arange(1, x.shape[1] + 1)]


class ByBatch(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[: x.size(0), None]


class RowsAlone(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return self.table[: x.shape[1]].expand_as(x)


class AddsNothing(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x + 0 * self.table[: x.shape[1]]


class Multiplies(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x * self.table[: x.shape[1]]


class Backwards(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[: x.shape[1]].flip(0)


class AddsTheSum(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[: x.shape[1]].sum(dim=0)


class ScalesEmbeddings(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x * self.d_model**0.5 + self.table[: x.shape[1]]


class InPlace(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        x += self.table[: x.shape[1]]
        return x


class Wraps(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[torch.arange(x.shape[1]) % self.max_len]


class Clips(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[torch.arange(x.shape[1]).clamp(max=self.max_len - 1)]


class LeavesTheRest(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        head, tail = x[:, : self.max_len], x[:, self.max_len :]
        return torch.cat([head + self.table[: head.shape[1]], tail], dim=1)


class CutsTheSentence(_Wrong):
    def forward(self, x: Tensor) -> Tensor:
        return x[:, : self.max_len] + self.table[: x.shape[1]]


class ForgotSuper(nn.Module):
    def __init__(self, max_len: int, d_model: int) -> None:
        self.table = nn.Parameter(torch.zeros(max_len, d_model))


class NoModule:
    def __init__(self, max_len: int, d_model: int) -> None:
        self.table = torch.zeros(max_len, d_model)


@pytest.mark.parametrize(
    ("module", "zh", "en"),
    [
        (TableInsideForward, "在 forward 里临时建的", "made inside forward"),
        (RandomTableInsideForward, "每次 forward 都建了一张新的表", "each forward makes a new table"),
        (PlainTensor, "普通的张量属性", "plain tensor attribute"),
        (Buffer, "缓冲区", "buffer"),
        (Frozen, "冻住", "frozen"),
        (Detached, "梯度到不了表", "no gradient reaches"),
        (Transposed, "行列反了", "exchanged"),
        (OneRowTooMany, "正好 6 行", "6 rows"),
        (WithALinearToo, "参数应当只有一张", "only parameter"),
        (IgnoresPositions, "都加了第 0 行", "Every position gets row 0"),
        (AddsTheLastRow, "都加了第 3 行", "Every position gets row 3"),
        (ColonForgotten, "[:, :L]", "[:, :L]"),
        (OffByOne, "错开了一行", "Off by one"),
        (ByBatch, "数错了维", "wrong axis"),
        (RowsAlone, "x 不见了", "x is gone"),
        (AddsNothing, "还没有加上去", "was not added"),
        (Multiplies, "乘了上去", "multiply"),
        (Backwards, "顺序反了", "Backwards"),
        (AddsTheSum, "各行之和", "sum of the rows"),
        (ScalesEmbeddings, "√d", "√d"),
        (InPlace, "改动了传进来的 x", "changed the x"),
        (Wraps, "取余", "modulo"),
        (Clips, "截到最后一行", "clips"),
        (LeavesTheRest, "什么也没加", "got nothing added"),
        (CutsTheSentence, "应当报错", "should be an error"),
        (ForgotSuper, "AttributeError", "AttributeError"),
        (NoModule, "nn.Module", "nn.Module"),
    ],
)
def test_the_wrong_module_is_named(module: type, zh: str, en: str) -> None:
    names(checks.check_learned_positions(module), zh, en)


# --- wrong functions -----------------------------------------------------------------------------------


def overwrites(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    gradient = torch.zeros(max_len, grad_output.shape[-1])
    for b in range(len(positions)):
        for m in range(positions.shape[1]):
            gradient[positions[b, m]] = grad_output[b, m]
    return gradient


def takes_the_mean(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    times = torch.bincount(positions.flatten(), minlength=max_len).clamp(min=1)
    return solutions.table_gradient(grad_output, positions, max_len) / times[:, None]


def divides_by_the_batch(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return solutions.table_gradient(grad_output, positions, max_len) / len(positions)


def first_sentence_only(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return solutions.table_gradient(grad_output[:1], positions[:1], max_len)


def last_sentence_only(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return solutions.table_gradient(grad_output[-1:], positions[-1:], max_len)


def counts_look_ups(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return solutions.table_gradient(torch.ones_like(grad_output), positions, max_len)


def ignores_positions(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return solutions.table_gradient(
        grad_output, torch.arange(positions.shape[1]).expand_as(positions), max_len
    )


def one_row_per_token(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return grad_output


def nothing_collected(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return torch.zeros(max_len, grad_output.shape[-1])


def off_by_one_row(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    return solutions.table_gradient(grad_output, (positions + 1).clamp(max=max_len - 1), max_len)


def counts_rows(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return vocab_size + max_len + n_types


def multiplies_all(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return vocab_size * max_len * d_model * n_types


def a_position_for_each_word(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return vocab_size * max_len * d_model


def forgets_types(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return (vocab_size + max_len) * d_model


def forgets_positions(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return (vocab_size + n_types) * d_model


def forgets_words(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return (max_len + n_types) * d_model


def positions_alone(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return max_len * d_model


def counts_the_layer_norm(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return (vocab_size + max_len + n_types + 2) * d_model


def one_position_too_many(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    return (vocab_size + max_len + 1 + n_types) * d_model


def half_a_parameter(vocab_size: int, max_len: int, d_model: int, n_types: int) -> float:
    return 0.5


def no_number(vocab_size: int, max_len: int, d_model: int, n_types: int) -> float:
    return float("nan")


def counts_the_columns(is_real: Tensor) -> Tensor:
    return torch.arange(is_real.shape[1]).expand(is_real.shape)


def counts_the_columns_and_clears_padding(is_real: Tensor) -> Tensor:
    return counts_the_columns(is_real) * is_real


def from_one(is_real: Tensor) -> Tensor:
    return is_real.cumsum(1) * is_real


def from_one_everywhere(is_real: Tensor) -> Tensor:
    return is_real.cumsum(1)


def as_roberta(is_real: Tensor) -> Tensor:
    return is_real.cumsum(1) * is_real + 1


def padding_left_at_minus_one(is_real: Tensor) -> Tensor:
    return is_real.cumsum(1) - 1


def down_the_batch(is_real: Tensor) -> Tensor:
    return (is_real.cumsum(0) - 1) * is_real


def the_mask_itself(is_real: Tensor) -> Tensor:
    return is_real.long()


def of_floats(is_real: Tensor) -> Tensor:
    return solutions.position_ids(is_real).float()


def nearest(table: Tensor, new_len: int) -> Tensor:
    places = torch.arange(new_len, dtype=torch.float64) * (len(table) - 1) / (new_len - 1)
    return table[places.round().long()]


def row_below(table: Tensor, new_len: int) -> Tensor:
    places = torch.arange(new_len, dtype=torch.float64) * (len(table) - 1) / (new_len - 1)
    return table[places.floor().long()]


def interpolate_by_default(table: Tensor, new_len: int) -> Tensor:
    return F.interpolate(table.T[None], size=new_len)[0].T


def corners_not_aligned(table: Tensor, new_len: int) -> Tensor:
    return F.interpolate(table.T[None], size=new_len, mode="linear")[0].T


def ends_not_kept(table: Tensor, new_len: int) -> Tensor:
    places = torch.arange(new_len) * len(table) / new_len
    below = places.floor().long()
    above = (below + 1).clamp(max=len(table) - 1)
    share = (places - below)[:, None]
    return (1 - share) * table[below] + share * table[above]


def wrong_axis(table: Tensor, new_len: int) -> Tensor:
    return F.interpolate(table[None], size=new_len, mode="linear", align_corners=True)[0]


def upside_down(table: Tensor, new_len: int) -> Tensor:
    return solutions.stretch(table, new_len).flip(0)


def shares_exchanged(table: Tensor, new_len: int) -> Tensor:
    places = torch.arange(new_len) * (len(table) - 1) / (new_len - 1)
    below = places.floor().long().clamp(max=len(table) - 2)
    share = (places - below)[:, None]
    return share * table[below] + (1 - share) * table[below + 1]


def repeats(table: Tensor, new_len: int) -> Tensor:
    return table[torch.arange(new_len) % len(table)]


def repeats_the_last_row(table: Tensor, new_len: int) -> Tensor:
    return table[torch.arange(new_len).clamp(max=len(table) - 1)]


def pads_with_zeros(table: Tensor, new_len: int) -> Tensor:
    return F.pad(table, (0, 0, 0, max(new_len - len(table), 0)))[:new_len]


def rows_too_few(table: Tensor, new_len: int) -> Tensor:
    return solutions.stretch(table, new_len)[:-1]


def spoils_the_table(table: Tensor, new_len: int) -> Tensor:
    new = solutions.stretch(table, new_len)
    table.zero_()
    return new


NAMED = [
    ("table_gradient", overwrites, "后一次盖掉前一次", "keeps only the last"),
    ("table_gradient", takes_the_mean, "取了平均", "the mean"),
    ("table_gradient", divides_by_the_batch, "批量大小", "batch size"),
    ("table_gradient", first_sentence_only, "第一个句子", "first sentence"),
    ("table_gradient", last_sentence_only, "最后一个句子", "last sentence"),
    ("table_gradient", counts_look_ups, "查了几次", "how often"),
    ("table_gradient", ignores_positions, "没有用 positions", "positions was not used"),
    ("table_gradient", one_row_per_token, "按词元排", "one row per token"),
    ("table_gradient", nothing_collected, "全是 0", "All zeros"),
    ("table_gradient", off_by_one_row, "错开了一行", "Off by one"),
    ("count_parameters", counts_rows, "行数", "counted rows"),
    ("count_parameters", multiplies_all, "不是相乘", "do not multiply"),
    ("count_parameters", a_position_for_each_word, "每个词", "once per word"),
    ("count_parameters", forgets_types, "词元类型", "token-type table is missing"),
    ("count_parameters", forgets_positions, "少了位置表", "position table is missing"),
    ("count_parameters", forgets_words, "少了词表", "word table is missing"),
    ("count_parameters", positions_alone, "只是位置表", "position table alone"),
    ("count_parameters", counts_the_layer_norm, "LayerNorm", "LayerNorm"),
    ("count_parameters", one_position_too_many, "多数了一行", "One row too many"),
    ("count_parameters", half_a_parameter, "整数", "whole number"),
    ("count_parameters", no_number, "整数", "whole number"),
    ("position_ids", counts_the_columns, "没有看 is_real", "is_real was not used"),
    ("position_ids", counts_the_columns_and_clears_padding, "推后", "pushes them back"),
    ("position_ids", from_one, "从 1 数起", "starts at 1"),
    ("position_ids", from_one_everywhere, "从 1 数起", "starts at 1"),
    ("position_ids", as_roberta, "RoBERTa", "RoBERTa"),
    ("position_ids", padding_left_at_minus_one, "−1", "−1"),
    ("position_ids", down_the_batch, "方向错了", "Wrong axis"),
    ("position_ids", the_mask_itself, "is_real 本身", "is_real itself"),
    ("position_ids", of_floats, ".long()", ".long()"),
    ("stretch", nearest, "最近的一行", "nearest row"),
    ("stretch", row_below, "下面那一行", "row below"),
    ("stretch", interpolate_by_default, "nearest", "nearest"),
    ("stretch", corners_not_aligned, "align_corners=False", "align_corners=False"),
    ("stretch", ends_not_kept, "(old_len − 1) / (new_len − 1)", "(old_len − 1) / (new_len − 1)"),
    ("stretch", wrong_axis, "拉长的是特征", "stretched the features"),
    ("stretch", upside_down, "颠倒", "Upside down"),
    ("stretch", shares_exchanged, "份额对调", "shares are exchanged"),
    ("stretch", repeats, "重复了一遍", "repeat the table"),
    ("stretch", repeats_the_last_row, "最后一行抄到底", "copy the last one"),
    ("stretch", pads_with_zeros, "补了 0", "zeros after"),
    ("stretch", rows_too_few, "形状应当是", "should have shape"),
    ("stretch", spoils_the_table, "改动了传进来的 table", "changed the table"),
]


@pytest.mark.parametrize(
    ("name", "answer", "zh", "en"), NAMED, ids=[f"{name}-{answer.__name__}" for name, answer, *_ in NAMED]
)
def test_the_mistake_is_named(name: str, answer: Callable[..., Any], zh: str, en: str) -> None:
    names(CHECKS[name](answer), zh, en)


def test_every_exercise_has_at_least_four_named_wrong_answers() -> None:
    for name in CHECKS:
        if name != "LearnedPositions":
            assert sum(exercise == name for exercise, *_ in NAMED) >= 4
