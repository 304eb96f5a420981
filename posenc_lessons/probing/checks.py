"""Checks of what every rotation has in common, before features are paired."""

import torch
from torch import Tensor

from posenc_lessons.language import Text
from posenc_lessons.probing.calls import CUBE, NEAR, Caller, NotARotation, attempted, coarse, eye, noise, size

NOTHING = 1e-12  # an entry below this is 0


def check_linear(caller: Caller, matrices: Tensor) -> None:
    """Raise NotARotation unless each token becomes its position's matrix times it, whatever else there is."""
    x = noise(*[CUBE] * (caller.ndim - 1), caller.d_head)
    result = caller.cube(x)
    if not bool(result.isfinite().all() & matrices.isfinite().all()):
        raise NotARotation("结果里有 NaN 或无穷大", "its result has NaN or infinite numbers")
    if not torch.equal(result, caller.cube(x)):
        raise NotARotation("同样的输入，两次结果不一样", "two calls with the same input differ")
    added = caller.cube(x * 0)
    if size(added) and size(result - x - added) < 1e-2 * size(x):
        raise NotARotation("它把一个向量加到 x 上，不旋转", "it adds a vector to x instead of rotating it")
    if size(added):
        raise NotARotation("0 不再是 0：它还加了别的", "zeros do not stay zeros: it adds something")
    expected = (matrices @ x[..., None])[..., 0]
    tolerance = (0.05 if coarse(result) else 1e-5) * size(expected)
    if size(result - expected) > tolerance:
        _explain(caller, x, result, tolerance)


def _explain(caller: Caller, x: Tensor, result: Tensor, tolerance: float) -> None:
    altered = x.clone()
    altered[..., 2, :] = altered[..., 2, :] + 1
    if size((caller.cube(altered) - result)[..., [0, 1, 3, 4], :]) > tolerance:
        raise NotARotation("一个词元的结果取决于别的词元", "the result of a token depends on other tokens")
    first = (0,) * (caller.ndim - 2)
    alike = caller.cube(x[first].expand(x.shape))
    if size(alike - alike[first]) > tolerance:
        zh = "各个头（或各个序列）转得不一样：也许是在拆分头之前就转了"
        raise NotARotation(zh, "heads (or sequences) differ: perhaps it rotates before the heads are split")
    raise NotARotation("它不是线性的：结果取决于内容", "it is not linear: the result depends on the content")


def check_moves(matrices: Tensor) -> None:
    """Raise NotARotation if ``matrices`` [L, d, d] are all the same."""
    if size(matrices - matrices[:1]) > NOTHING:
        return
    if size(matrices[0] - eye(matrices.shape[-1])) <= NOTHING:
        raise NotARotation("它是恒等：从来不转", "it is the identity: it never rotates")
    raise NotARotation("每个位置都一样：没有用到位置", "it does the same at every position")


def note_reading(caller: Caller, matrices: Tensor, notes: list[Text]) -> None:
    """Note how the function reads its positions, and set ``caller.counts`` if it counts tokens itself."""
    later = attempted(lambda: caller.matrices([position + 3 for position in NEAR]))
    if later is not None and size(matrices - matrices[:1]) and size(later - matrices) <= NOTHING:
        caller.counts = True
        zh, en = "它不看位置，自己从 0 数词元：", "It ignores positions and counts tokens from 0: "
        notes.append(Text(f"{zh}有缓存或左填充时就错了。", f"{en}wrong with a cache or left padding."))
        return
    order = [4, 2, 0, 3, 1]
    shuffled = attempted(lambda: caller.matrices(order))
    if shuffled is not None and size(shuffled - matrices[order]) > 1e-4:
        zh = "位置不是一个接一个时就转错：它没有逐个去读位置。"
        notes.append(Text(zh, "Positions that do not follow each other go wrong: not all are read."))
