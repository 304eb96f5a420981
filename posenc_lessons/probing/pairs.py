"""Find the pairs of features in measured matrices, and say what else the matrices are."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc_lessons.probing.calls import NotARotation

NOTHING = 1e-12  # an entry below this is 0
SHARE = 1e-3  # an entry below this share of the largest one of its feature is rounding


@dataclass(frozen=True)
class Pairs:
    """The two features of each pair, in the input and in the output, and the features that stay."""

    first: Tensor  # [n] features of the input
    second: Tensor
    first_out: Tensor  # [n] where they are in the output
    second_out: Tensor
    idle: Tensor  # [d_head − 2n]
    moved: bool  # the output has its features in another order


def find_pairs(matrices: Tensor, tolerance: float) -> Pairs:
    """Return the pairs of ``matrices`` [L, d, d], of which the first is position 0's.

    Raises:
        NotARotation: a feature has no partner, or several, or one that does not know of it.
    """
    d = matrices.shape[-1]
    order = _order_at_zero(matrices[0], tolerance)
    matrices = matrices[:, order]  # row i belongs to input feature i
    sizes = matrices.abs().amax(0)  # [d, d]
    beside = sizes - torch.diag(sizes.diagonal())
    largest = torch.minimum(torch.ones(d), torch.stack([beside.amax(0), beside.amax(1)]).amax(0))
    linked = (beside > NOTHING) & (beside > SHARE * largest[:, None]) & (beside > SHARE * largest[None])
    both = linked | linked.T
    _check_partners(matrices, linked, both)
    first = [i for i in range(d) if bool(both[i, i + 1 :].any())]
    second = [int(both[i].double().argmax()) for i in first]
    idle = [i for i in range(d) if not bool(both[i].any())]
    one, two = torch.tensor(first, dtype=torch.int64), torch.tensor(second, dtype=torch.int64)
    return Pairs(
        one, two, order[one], order[two], torch.tensor(idle, dtype=torch.int64), not _is_sorted(order)
    )


def _is_sorted(order: Tensor) -> bool:
    return torch.equal(order, torch.arange(len(order)))


def _order_at_zero(at_zero: Tensor, tolerance: float) -> Tensor:
    """Return where each feature is in the output, [d], if position 0 only moves features; else 0, 1, 2, …"""
    rows = at_zero.argmax(0)  # the row of each column's largest entry
    moved = torch.zeros_like(at_zero)
    columns = torch.arange(len(rows))
    moved[rows, columns] = at_zero[rows, columns]
    whole = sorted(rows.tolist()) == columns.tolist() and float(at_zero[rows, columns].min()) > 0.01
    return rows if whole and float((at_zero - moved).abs().max()) <= tolerance else columns


def _check_partners(matrices: Tensor, linked: Tensor, both: Tensor) -> None:
    d = len(linked)
    crowded = [i for i in range(d) if int(both[i].sum()) > 1]
    if crowded:
        feature = crowded[0]
        partners = ", ".join(str(j) for j in range(d) if bool(both[feature, j]))
        gram = matrices.transpose(1, 2) @ matrices
        scale = gram.diagonal(dim1=1, dim2=2).mean()
        kept = float((gram - scale * torch.eye(d, dtype=torch.float64)).abs().max()) < 1e-4
        raise NotARotation(
            f"特征 {feature} 和不止一个特征混在一起（{partners}）" + ("，长度倒是没有变" if kept else ""),
            f"feature {feature} is mixed with more than one other ({partners})"
            + ("; lengths are kept, but features do not turn in pairs" if kept else ""),
        )
    for i in range(d):
        for j in range(d):
            if bool(linked[i, j]) and not bool(linked[j, i]):
                raise NotARotation(
                    f"输出的特征 {i} 里有特征 {j}，特征 {j} 里却没有特征 {i}：少了一个正弦项",
                    f"feature {i} of the output has a part of feature {j}, but feature {j} has none of "
                    f"feature {i}: one sine is missing",
                )


def check_blocks(pairs: Pairs, matrices: Tensor, tolerance: float) -> float:
    """Return the common scale of all pairs, whose blocks are [[cos, −sin], [sin, cos]] times it.

    Raises:
        NotARotation: some block is anything else, or the scale differs between pairs or positions.
    """
    a, b, to_a, to_b = pairs.first, pairs.second, pairs.first_out, pairs.second_out
    p, q, r, s = matrices[:, to_a, a], matrices[:, to_a, b], matrices[:, to_b, a], matrices[:, to_b, b]
    off = torch.stack([p - s, q + r]).abs().amax(0)  # [L, n], 0 for rotations
    if float(off.max()) > tolerance:
        position, pair = divmod(int(off.argmax()), len(a))
        _explain(int(a[pair]), int(b[pair]), [entry[:, pair] for entry in (p, q, r, s)], tolerance)
    scales = (p * p + r * r).sqrt()  # [L, n]
    scale = float(scales[0].mean())
    uneven = (scales - scale).abs().amax(0)
    if float(uneven.max()) > tolerance:
        pair = int(uneven.argmax())
        lengths = ", ".join(f"{value:.3g}" for value in scales[:, pair].tolist())
        raise NotARotation(
            f"特征 {int(a[pair])} 和 {int(b[pair])} 虽然在转，但长度也在变：位置 0、1、2……处乘上 {lengths}",
            f"features {int(a[pair])} and {int(b[pair])} do turn, but their length changes too: it is "
            f"multiplied by {lengths} at positions 0, 1, 2, …",
        )
    return scale


def _explain(a: int, b: int, entries: list[Tensor], tolerance: float) -> None:
    """Raise NotARotation that says what the block of features ``a`` and ``b`` [L] is instead."""
    p, q, r, s = entries

    def zero(entry: Tensor) -> bool:
        return float(entry.abs().max()) <= tolerance

    missing = [feature for feature, entry in ((a, p), (b, s)) if zero(entry)]
    if missing:
        names = " and ".join(map(str, missing))
        raise NotARotation(
            f"输出的特征 {'、'.join(map(str, missing))} 没有余弦项：它自己的值丢了",
            f"feature {names} has no cosine: its own value is lost"
            if len(missing) == 1
            else f"features {names} have no cosine: their own values are lost",
        )
    if zero(p - s) and zero(q - r):
        raise NotARotation(
            f"特征 {a} 和 {b} 的两个正弦项同号，[[cos, sin], [sin, cos]]：少了一个负号",
            f"both sines of features {a} and {b} have the same sign, [[cos, sin], [sin, cos]]: a minus "
            f"is missing",
        )
    if zero(p + s) and zero(q - r):
        raise NotARotation(
            f"特征 {a} 和 {b} 是镜像，[[cos, sin], [sin, −cos]]，不是旋转",
            f"features {a} and {b} are reflected, [[cos, sin], [sin, −cos]]",
        )
    rows = float((p * p + q * q - r * r - s * s).abs().max()) <= 10 * tolerance
    columns = float((p * p + r * r - q * q - s * s).abs().max()) <= 10 * tolerance
    if rows or columns:
        raise NotARotation(
            f"特征 {a} 和 {b} 是一对，却各转各的角度：cos 和 sin 的表是按另一种配对排的",
            f"features {a} and {b} make a pair but turn by different angles: the tables of cos and sin are "
            f"laid out for another pairing",
        )
    raise NotARotation(
        f"特征 {a} 和 {b} 的 2×2 块不是 [[cos, −sin], [sin, cos]]",
        f"the block of features {a} and {b} is not [[cos, −sin], [sin, cos]]",
    )


def layout_of(pairs: Pairs, d_head: int) -> tuple[str, list[int]]:
    """Return "interleaved", "half_split" or "listed", and the likely widths of the exponent −2i/width."""
    first, second = pairs.first.tolist(), pairs.second.tolist()
    n, gaps = len(first), {b - a for a, b in zip(first, second, strict=True)}
    if len(gaps) != 1:
        return "listed", [2 * n, d_head]
    gap = gaps.pop()
    if gap == 1 and len({a % 2 for a in first}) == 1:
        return "interleaved", [2 * n, d_head]
    if max(first) - min(first) < gap:
        return "half_split", [2 * gap, 2 * n, d_head]
    return "listed", [2 * n, d_head]
