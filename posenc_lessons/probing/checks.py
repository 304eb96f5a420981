"""Checks of what every rotation has in common, before features are paired."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.language import Text
from posenc_lessons.probing.calls import CUBE, Caller, NotARotation, attempted, eye, noise
from posenc_lessons.probing.pairs import NOTHING, Pairs


def check_linear(caller: Caller, matrices: Tensor) -> None:
    """Raise NotARotation unless each token becomes its position's matrix times it, whatever else there is."""
    shape = [CUBE] * (caller.ndim - 1) + [caller.d_head]
    x = noise(*shape, seed=1)
    result = caller.cube(x)
    if not bool(result.isfinite().all()) or not bool(matrices.isfinite().all()):
        raise NotARotation("结果里有 NaN 或无穷大", "its result has NaN or infinite numbers")
    if not torch.equal(result, caller.cube(x)):
        raise NotARotation(
            "同样的输入，两次结果不一样", "two calls with the same input give different results"
        )
    _check_adds(caller, x, result)
    expected = (matrices @ x[..., None])[..., 0]
    coarse = torch.equal(result.to(torch.bfloat16).to(torch.float64), result)
    tolerance = (0.05 if coarse else 1e-5) * float(expected.abs().max())
    if float((result - expected).abs().max()) > tolerance:
        _explain(caller, x, result, tolerance)


def _check_adds(caller: Caller, x: Tensor, result: Tensor) -> None:
    added = caller.cube(x * 0)
    if float(added.abs().max()) == 0:
        return
    if float((result - x - added).abs().max()) < 1e-2 * float(x.abs().max()):
        raise NotARotation(
            "它把一个向量加到 x 上，不旋转：这是加法的位置编码",
            "it adds a vector to x instead of rotating it, as additive position encodings do",
        )
    raise NotARotation(
        "全是 0 的向量不再是 0：它还加了别的", "a vector of zeros does not stay zero: it adds something"
    )


def _explain(caller: Caller, x: Tensor, result: Tensor, tolerance: float) -> None:
    other = x.clone()
    other[..., -1, :] = other[..., -1, :] + 1
    if float((caller.cube(other) - result)[..., :-1, :].abs().max()) > tolerance:
        raise NotARotation(
            "一个词元的结果取决于别的词元", "the result of a token depends on the other tokens"
        )
    alike = caller.cube(x[(0,) * (caller.ndim - 2)].expand(x.shape))
    if float((alike - alike[(0,) * (caller.ndim - 2)]).abs().max()) > tolerance:
        raise NotARotation(
            "各个头（或各个序列）转得不一样：也许是在拆分头之前就转了",
            "heads (or sequences) are treated differently: perhaps it rotates before the heads are split",
        )
    raise NotARotation(
        "结果不是 x 的线性函数：转多少取决于内容", "its result is not linear in x: it depends on the content"
    )


def check_moves(matrices: Tensor) -> None:
    """Raise NotARotation if ``matrices`` [L, d, d] are all the same."""
    if float((matrices - matrices[:1]).abs().max()) > NOTHING:
        return
    if float((matrices[0] - eye(matrices.shape[-1])).abs().max()) <= NOTHING:
        raise NotARotation(
            "它什么也不做（恒等）：没有一个位置会转", "it is the identity: it never rotates, at any position"
        )
    raise NotARotation(
        "它在每个位置做的都一样：没有用到位置", "it does the same at every position: positions are not used"
    )


def check_idle(pairs: Pairs, matrices: Tensor, scale: float, tolerance: float) -> None:
    """Raise NotARotation if a feature without partner is changed, except by ``scale``."""
    if not len(pairs.idle):
        return
    order = torch.arange(matrices.shape[-1])
    order[pairs.first], order[pairs.second] = pairs.first_out, pairs.second_out
    if pairs.moved:
        order[pairs.idle] = matrices[0][:, pairs.idle].argmax(0)
    factors = matrices[:, order[pairs.idle], pairs.idle]  # [L, n]
    uneven = (factors - factors[:1]).abs().amax(0)
    if float(uneven.max()) > tolerance:
        feature = int(pairs.idle[int(uneven.argmax())])
        raise NotARotation(
            f"特征 {feature} 只乘上一个随位置变的数，没有正弦项",
            f"feature {feature} is only multiplied by a number that changes with the position; it has no sine",
        )
    off = torch.minimum((factors[0] - 1).abs(), (factors[0] - scale).abs())
    if float(off.max()) > tolerance:
        feature = int(off.argmax())
        factor, name = float(factors[0, feature]), int(pairs.idle[feature])
        raise NotARotation(
            f"特征 {name} 在每个位置都乘上 {factor:.3g}",
            f"feature {name} is multiplied by {factor:.3g} at every position",
        )
    if not len(pairs.first):
        raise NotARotation("没有一对特征在转", "no features rotate")


def counts_tokens(caller: Caller, matrices: Tensor, notes: list[Text]) -> bool:
    """Return whether the function ignores its positions and counts tokens from 0; note how it reads them."""
    later = attempted(lambda: caller.matrices(list(range(3, 3 + CUBE))))
    moves = float((matrices - matrices[:1]).abs().max()) > NOTHING
    if moves and later is not None and float((later - matrices).abs().max()) <= NOTHING:
        notes.append(
            Text(
                "它不看位置，自己从 0 数词元：有缓存或左填充时就错了。",
                "It ignores the positions and counts tokens from 0: wrong with a cache or padding on the left.",
            )
        )
        return True
    mixed = [4, 2, 0, 3, 1]
    shuffled = attempted(lambda: caller.matrices(mixed))
    if shuffled is not None and float((shuffled - matrices[mixed]).abs().max()) > 1e-4:
        notes.append(
            Text(
                "位置不是一个接一个时它转错：它没有逐个去读位置。",
                "Positions that do not follow each other are rotated wrongly: it does not read each of them.",
            )
        )
    return False
