"""The exercises of lesson 03: each check knows the usual wrong answers and names the one it sees."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from posenc_lessons.exercises import learned_mistakes as mistakes
from posenc_lessons.exercises.reading import compare, numbers, same_shape
from posenc_lessons.exercises.solutions import learned as reference
from posenc_lessons.exercises.verdict import Verdict, Wrong, judge
from posenc_lessons.language import Text

Answer = Callable[..., Any]


def check_learned_positions(answer: Answer) -> Verdict:
    """Judge the class ``LearnedPositions(max_len, d_model)``, a module [B, L, d_model] → the same shape."""
    praise = Text(
        "对。表只建一次，登记为参数，第 m 个词元加第 m 行，超出表的句子会报错。",
        "Right. The table is made once and registered, token m gets row m, and a sentence beyond the table "
        "is an error.",
    )
    modules: list[nn.Module] = []
    made = judge(answer, partial(_make_modules, modules), praise)
    if not made.passed:
        return made
    for module, (max_len, d_model) in zip(modules, SIZES, strict=True):
        verdict = judge(module, partial(_examine_module, module, max_len, d_model), praise)
        if not verdict.passed:
            return verdict
    return made


def check_table_gradient(answer: Answer) -> Verdict:
    """Judge ``table_gradient(grad_output [B, L, d], positions [B, L], max_len) -> [max_len, d]``."""
    return judge(
        answer,
        _examine_table_gradient,
        Text(
            "对。查过的行收到每次查表的梯度之和，没查过的行是 0。",
            "Right. A row gets the sum over its look-ups, and rows nobody looked up get 0.",
        ),
    )


def check_count_parameters(answer: Answer) -> Verdict:
    """Judge ``count_parameters(vocab_size, max_len, d_model, n_types) -> int``."""
    return judge(
        answer,
        _examine_count_parameters,
        Text(
            "对。BERT-base 的三张表一共 23835648 个参数，位置表只占 393216 个。",
            "Right. BERT-base's three tables hold 23835648 parameters, of which positions take only 393216.",
        ),
    )


def check_position_ids(answer: Answer) -> Verdict:
    """Judge ``position_ids(is_real [B, L] bool) -> [B, L] int64``."""
    return judge(
        answer,
        _examine_position_ids,
        Text(
            "对。填充在左、在右、在中间，真词元都从 0 数起。",
            "Right. Padding on the left, on the right or in between, the real tokens count from 0.",
        ),
    )


def check_stretch(answer: Answer) -> Verdict:
    """Judge ``stretch(table [old_len, d], new_len) -> [new_len, d]``."""
    return judge(
        answer,
        _examine_stretch,
        Text(
            "对。首尾两行原样保留，中间均匀拉开，变长变短都行。",
            "Right. First and last row stay as they were, the rest is spread evenly, longer or shorter.",
        ),
    )


# --- the module ----------------------------------------------------------------------------------------

SIZES = ((6, 4), (5, 3))  # (max_len, d_model)


def _make_modules(modules: list[nn.Module], answer: Answer) -> None:
    for max_len, d_model in SIZES:
        module = answer(max_len, d_model)
        if not isinstance(module, nn.Module):
            kind = type(module).__name__
            raise Wrong(
                f"LearnedPositions(max_len, d_model) 应当是一个 nn.Module，得到的是 {kind}。",
                f"LearnedPositions(max_len, d_model) should be an nn.Module; got {kind}.",
            )
        modules.append(module.eval())


def _examine_module(module: nn.Module, max_len: int, d_model: int, ask: Answer) -> None:
    x = torch.randn(2, max_len - 2, d_model, generator=torch.Generator().manual_seed(0))
    call = f"LearnedPositions({max_len}, {d_model})(x [2, {max_len - 2}, {d_model}])"
    _same_twice(ask, x, call)
    table = _the_table(module, max_len, d_model)
    known = torch.randn(max_len, d_model, generator=torch.Generator().manual_seed(1))
    table.data = known.clone()
    for batch, length in ((2, max_len - 2), (3, 1), (1, max_len - 1), (max_len, max_len)):
        x = torch.randn(batch, length, d_model, generator=torch.Generator().manual_seed(length))
        given = x.clone()
        call = f"LearnedPositions({max_len}, {d_model})(x [{batch}, {length}, {d_model}])"
        value = numbers(ask(given), call)
        same_shape(value, tuple(x.shape), call)
        if not torch.equal(given, x):
            raise Wrong(
                "你的 forward 改动了传进来的 x（多半是用了 += 或 add_）。返回一个新张量：x + …",
                "Your forward changed the x it was given (a += or add_, most likely). Return a new tensor: "
                "x + …",
            )
        suspects = mistakes.module_suspects(x, known) if length < max_len else []
        compare(value, (x + known[:length]).double(), call, suspects, tolerance=1e-5)
    _learns(module, table, max_len, d_model)
    _refuses_what_is_too_long(module, known, max_len, d_model)


def _same_twice(ask: Answer, x: Tensor, call: str) -> None:
    first, second = (numbers(ask(x.clone()), call) for _ in range(2))
    same_shape(first, tuple(x.shape), call)
    if first.shape != second.shape or not bool((first - second).abs().max() < 1e-6):
        raise Wrong(
            "同一个 x 进去两次，出来的结果不一样：每次 forward 都建了一张新的表。表要在 __init__ 里建，只建"
            "一次。",
            "The same x twice gives two different results: each forward makes a new table. Make it once, in "
            "__init__.",
        )


def _the_table(module: nn.Module, max_len: int, d_model: int) -> nn.Parameter:
    """The module's one parameter, once it is known to be a table that can be trained."""
    parameters = list(module.parameters())
    shapes = [tuple(parameter.shape) for parameter in parameters]
    wanted = (max_len, d_model)
    if not parameters:
        _say_where_the_table_is(module, wanted)
    if shapes != [wanted]:
        yours = ", ".join(str(list(shape)) for shape in shapes)
        hint = (
            Text("行列反了：一行一个位置。", "Rows and columns are exchanged: one row per position.")
            if shapes == [wanted[::-1]]
            else Text(
                f"位置是 0 到 {max_len - 1}，正好 {max_len} 行。",
                f"Positions are 0 to {max_len - 1}: {max_len} rows.",
            )
        )
        raise Wrong(
            f"参数应当只有一张 [{max_len}, {d_model}] 的表，你的是 {yours}。{hint.zh}",
            f"The only parameter should be one table [{max_len}, {d_model}]; yours: {yours}. {hint.en}",
        )
    if not parameters[0].requires_grad:
        raise Wrong(
            "表是参数，但 requires_grad=False：它被冻住了，学不了。",
            "The table is a parameter with requires_grad=False: frozen, it cannot learn.",
        )
    return parameters[0]


def _say_where_the_table_is(module: nn.Module, shape: tuple[int, int]) -> None:
    def is_table(value: object) -> bool:
        return isinstance(value, Tensor) and tuple(value.shape[-2:]) == shape

    if any(is_table(buffer) for buffer in module.buffers()):
        raise Wrong(
            "表是缓冲区（buffer）：会保存，会跟着设备走，但不会训练。要学的东西用 nn.Parameter 或 "
            "nn.Embedding。",
            "The table is a buffer: saved and moved with the module, but not trained. What is to be learned "
            "needs nn.Parameter or nn.Embedding.",
        )
    if any(is_table(value) for value in vars(module).values()):
        raise Wrong(
            "表只是一个普通的张量属性：优化器看不见它，state_dict 里也没有它。把它包进 nn.Parameter(...)。",
            "The table is a plain tensor attribute: no optimiser sees it and state_dict lacks it. Wrap it "
            "in nn.Parameter(...).",
        )
    raise Wrong(
        "list(module.parameters()) 是空的：表是在 forward 里临时建的，用完就扔，永远学不到东西。在 __init__ "
        "里建好，存成 self.table。",
        "list(module.parameters()) is empty: the table is made inside forward and thrown away after use, so "
        "it can never learn. Make it in __init__ and keep it as self.table.",
    )


def _learns(module: nn.Module, table: nn.Parameter, max_len: int, d_model: int) -> None:
    x = torch.zeros(2, max_len, d_model)
    out = module(x)
    if out.requires_grad:
        (out * torch.ones_like(out)).sum().backward()
    if table.grad is None or not bool(table.grad.abs().sum() > 0):
        raise Wrong(
            "数值对，但梯度到不了表：中间有 .detach()、.data 或 torch.no_grad()，表还是学不了。",
            "The numbers are right, but no gradient reaches the table: there is a .detach(), .data or "
            "torch.no_grad() on the way, so it still cannot learn.",
        )


def _refuses_what_is_too_long(module: nn.Module, table: Tensor, max_len: int, d_model: int) -> None:
    x = torch.randn(1, max_len + 2, d_model, generator=torch.Generator().manual_seed(2))
    call = f"LearnedPositions({max_len}, {d_model})(x [1, {max_len + 2}, {d_model}])"
    try:
        value = module(x.clone())
    except Exception:  # any error is what we want: somebody is told
        return
    if isinstance(value, Tensor) and value.shape == x.shape:
        for mistaken, name in mistakes.too_long_suspects(x, table):
            if bool(((value.detach() - mistaken).abs() <= 1e-5).all()):
                raise Wrong(name.zh, name.en)
    raise Wrong(
        f"{call} 比表长，应当报错，却给出了结果。位置 {max_len} 没有对应的行。",
        f"{call} is longer than the table and should be an error, yet a result came. Position {max_len} has "
        "no row.",
    )


# --- the gradient --------------------------------------------------------------------------------------


def _examine_table_gradient(answer: Answer) -> None:
    for positions, max_len in (
        (torch.tensor([[0, 0, 3, 1], [3, 3, 3, 2]]), 6),
        (torch.tensor([[0, 1, 2], [0, 1, 2]]), 5),
        (torch.tensor([[2]]), 3),
    ):
        generator = torch.Generator().manual_seed(max_len)
        grad_output = torch.randn(*positions.shape, 3, generator=generator)
        call = f"table_gradient(grad_output {list(grad_output.shape)}, {positions.tolist()}, {max_len})"
        value = numbers(answer(grad_output.clone(), positions.clone(), max_len), call)
        if value.shape == grad_output.shape or value.shape == grad_output.shape[1:]:
            raise Wrong(
                f"形状是 {list(value.shape)}，还是按词元排的。梯度要按表的行排：[max_len, d] = [{max_len}, "
                "3]。",
                f"Shape {list(value.shape)} is still one row per token. The gradient has one row per row of "
                f"the table: [max_len, d] = [{max_len}, 3].",
            )
        same_shape(value, (max_len, 3), call)
        right = reference.table_gradient(grad_output, positions, max_len).double()
        compare(
            value, right, call, mistakes.gradient_suspects(grad_output, positions, max_len), tolerance=1e-5
        )


# --- the count -----------------------------------------------------------------------------------------


def _examine_count_parameters(answer: Answer) -> None:
    for sizes in ((11, 7, 5, 3), (30522, 512, 768, 2), (50257, 1024, 768, 0)):
        vocab_size, max_len, d_model, n_types = sizes
        count = answer(*sizes)
        call = f"count_parameters({vocab_size}, {max_len}, {d_model}, {n_types})"
        if isinstance(count, Tensor) and count.numel() == 1 and not count.is_complex():
            count = count.item()
        if isinstance(count, bool) or not isinstance(count, (int, float)) or count != count // 1:
            shown = f"{count!r}"[:60]
            raise Wrong(
                f"{call} 应当返回一个整数，得到 {shown}。",
                f"{call} should return a whole number; got {shown}.",
            )
        right = reference.count_parameters(*sizes)
        if count == right:
            continue
        name = mistakes.count_suspects(*sizes).get(int(count))
        if name is not None:
            raise Wrong(f"{call} = {count:.0f}：{name.zh}", f"{call} = {count:.0f}: {name.en}")
        raise Wrong(
            f"{call} 应当是 {right}，你的是 {count:.0f}。", f"{call} should be {right}; yours is {count:.0f}."
        )


# --- position ids --------------------------------------------------------------------------------------


def _examine_position_ids(answer: Answer) -> None:
    for rows in (
        ["111", "110"],
        ["0011", "0111", "1111"],
        ["11010", "01110"],
    ):
        is_real = torch.tensor([[mark == "1" for mark in row] for row in rows])
        call = f"position_ids({is_real.int().tolist()})"
        answered = answer(is_real.clone())
        value = numbers(answered, call)
        same_shape(value, tuple(is_real.shape), call)
        right = reference.position_ids(is_real).double()
        compare(value, right, call, mistakes.position_id_suspects(is_real), tolerance=0.0)
        if answered.is_floating_point() or answered.dtype == torch.bool:
            raise Wrong(
                f"数都对，但类型是 {answered.dtype}，不能拿去查表。加上 .long()。",
                f"The numbers are right, but {answered.dtype} cannot look anything up in a table. Add "
                ".long().",
            )


# --- stretching a table --------------------------------------------------------------------------------


def _examine_stretch(answer: Answer) -> None:
    for old_len, width, new_len in ((4, 3, 6), (3, 2, 5), (5, 2, 3), (4, 4, 4), (2, 3, 7)):
        table = torch.randn(old_len, width, generator=torch.Generator().manual_seed(old_len))
        given = table.clone()
        call = f"stretch(table [{old_len}, {width}], {new_len})"
        value = numbers(answer(given, new_len), call)
        if value.shape == (old_len, new_len) and old_len != new_len:
            raise Wrong(
                f"你拉长的是特征，不是位置：形状成了 [{old_len}, {new_len}]，应当是 [{new_len}, {width}]。"
                "F.interpolate 拉的是最后一维，先转置。",
                f"You stretched the features, not the positions: the shape is [{old_len}, {new_len}] where "
                f"it should be [{new_len}, {width}]. F.interpolate stretches the last axis: transpose first.",
            )
        same_shape(value, (new_len, width), call)
        if not torch.equal(given, table):
            raise Wrong(
                "你的函数改动了传进来的 table。返回一张新表。",
                "Your function changed the table it was given. Return a new one.",
            )
        right = reference.stretch(table.double(), new_len)
        compare(value, right, call, mistakes.stretch_suspects(table, new_len), tolerance=1e-5)
