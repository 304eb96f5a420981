"""Find the pairs of features in measured matrices, and say what else the matrices are."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc_lessons.probing.calls import NotARotation, eye, size
from posenc_lessons.probing.checks import NOTHING

SHARE = 1e-3  # an entry below this share of the largest one of its feature is rounding


@dataclass(frozen=True)
class Pairs:
    """The two features of each pair, in the input and in the output, and the features that stay."""

    first: Tensor  # [n] features of the input
    second: Tensor
    idle: Tensor  # [d_head − 2n]
    order: Tensor  # [d_head], where each feature is in the output

    @property
    def moved(self) -> bool:
        """The output has its features in another order."""
        return not torch.equal(self.order, torch.arange(len(self.order)))

    def blocks(self, matrices: Tensor) -> Tensor:
        """Return the entries of each pair's block in ``matrices`` [..., d, d]: [4, ..., n].

        For a rotation they are cos, −sin, sin, cos.
        """
        a, b, order = self.first, self.second, self.order
        places = ((a, a), (a, b), (b, a), (b, b))
        return torch.stack([matrices[..., order[row], column] for row, column in places])


def find_pairs(matrices: Tensor, tolerance: float) -> Pairs:
    """Return the pairs of ``matrices`` [L, d, d], of which the first is position 0's.

    Raises:
        NotARotation: a feature has several partners, or one that has no part of it.
    """
    d = matrices.shape[-1]
    order = _order_at_zero(matrices[0], tolerance)
    sizes = matrices[:, order].abs().amax(0)  # row i belongs to input feature i
    beside = sizes - torch.diag(sizes.diagonal())
    largest = torch.stack([beside.amax(0), beside.amax(1)]).amax(0)
    noise = size(matrices[0, order] - torch.diag(matrices[0, order].diagonal()))  # position 0 links none
    least = max(NOTHING, 8 * noise) if noise <= tolerance else NOTHING
    linked = (beside > least) & (beside > SHARE * largest[:, None]) & (beside > SHARE * largest[None])
    both = linked | linked.T
    for i in range(d):
        partners = both[i].nonzero().flatten().tolist()
        if len(partners) > 1:
            _refuse_mixing(matrices, i, partners)
        for j in partners:
            if not bool(linked[j, i]):
                zh = f"特征 {i} 的结果里有特征 {j}，反过来却没有：少了一个正弦项"
                en = f"feature {i} receives from {j}, but {j} not from {i}: one sine is missing"
                raise NotARotation(zh, en)
    first = torch.tensor([i for i in range(d) if bool(both[i, i + 1 :].any())], dtype=torch.int64)
    idle = torch.tensor([i for i in range(d) if not bool(both[i].any())], dtype=torch.int64)
    return Pairs(first, both.to(torch.int64).argmax(1)[first], idle, order)


def _order_at_zero(at_zero: Tensor, tolerance: float) -> Tensor:
    """Return where each feature is in the output, [d], if position 0 only moves features; else 0, 1, 2, …"""
    rows, columns = at_zero.argmax(0), torch.arange(len(at_zero))
    moved = torch.zeros_like(at_zero)
    moved[rows, columns] = at_zero[rows, columns]
    whole = sorted(rows.tolist()) == columns.tolist() and float(moved[rows, columns].min()) > 0.01
    return rows if whole and size(at_zero - moved) <= tolerance else columns


def _refuse_mixing(matrices: Tensor, feature: int, partners: list[int]) -> None:
    zh = f"特征 {feature} 不只和一个特征混在一起：{partners}"
    en = f"feature {feature} is mixed with several: {partners}"
    gram = matrices.transpose(1, 2) @ matrices
    if size(gram - gram[0, 0, 0] * eye(len(gram[0]))) < 1e-4:
        zh += "；长度没有变，但不是成对地转"
        en += "; lengths are kept, but features do not turn in pairs"
    raise NotARotation(zh, en)


def check_blocks(pairs: Pairs, matrices: Tensor, tolerance: float) -> float:
    """Return the common scale of the pairs, whose blocks in ``matrices`` [L, d, d] are rotations times it.

    Raises:
        NotARotation: some block is anything else, the scale changes, or a feature without partner does.
    """
    blocks = pairs.blocks(matrices)  # [4, L, n]
    p, q, r, s = blocks
    off = torch.stack([p - s, q + r]).abs().amax((0, 1))  # [n], 0 for rotations
    for i in range(len(pairs.first)):
        if float(off[i]) > tolerance:
            _refuse_block(int(pairs.first[i]), int(pairs.second[i]), blocks[..., i], tolerance)
    scales = (p * p + r * r).sqrt()  # [L, n]
    scale = float(scales[0].mean()) if len(pairs.first) else 1.0
    for i in range(len(pairs.first)):
        if size(scales[:, i] - scale) > tolerance:
            factors = ", ".join(f"{value:.6g}" for value in scales[:, i].tolist())
            names = f"{int(pairs.first[i])}, {int(pairs.second[i])}"
            zh = f"特征 {names} 在转，但长度随位置变，依次乘上 {factors}"
            en = f"features {names} turn, but their length changes, from position 0 by {factors}"
            raise NotARotation(zh, en)
    _check_idle(pairs, matrices, scale, tolerance)
    if not len(pairs.first):
        raise NotARotation("没有一对特征在转", "no pair of features rotates")
    return scale


def _check_idle(pairs: Pairs, matrices: Tensor, scale: float, tolerance: float) -> None:
    for feature in pairs.idle.tolist():
        factors = matrices[:, pairs.order[feature], feature]  # [L]
        if size(factors - factors[0]) > tolerance:
            zh = f"特征 {feature} 只乘上一个随位置变的数，没有正弦项"
            en = f"feature {feature} is only multiplied, by a changing number: it has no sine"
            raise NotARotation(zh, en)
        factor = float(factors[0])
        if min(abs(factor - 1), abs(factor - scale)) > tolerance:
            zh = f"特征 {feature} 在每个位置都乘上 {factor:.3g}"
            raise NotARotation(zh, f"feature {feature} is multiplied by {factor:.3g} at every position")


def _refuse_block(a: int, b: int, block: Tensor, tolerance: float) -> None:
    """Raise NotARotation that says what the ``block`` [4, L] of features ``a`` and ``b`` is instead."""
    p, q, r, s = block

    def zero(entry: Tensor) -> bool:
        return size(entry) <= 4 * tolerance

    names = f"{a}, {b}"
    if zero(p) or zero(s):
        lost = names if zero(p) and zero(s) else str(a if zero(p) else b)
        both = "features {} have no cosine: their own values are lost"
        en = (both if lost == names else "feature {} has no cosine: its own value is lost").format(lost)
        zh = f"特征 {lost} 没有余弦项：自己的值丢了"
    elif zero(p - s) and zero(q - r):
        zh, en = f"特征 {names} 的两个正弦项同号", f"both sines of features {names} have the same sign"
    elif zero(p + s) and zero(q - r):
        zh, en = f"特征 {names} 是镜像反射", f"features {names} are reflected in a mirror"
    elif any(
        zero(cross + sine * cos) and zero(straight - cos + sine * sine)
        for cos, sine, cross, straight in ((p, -q, -r, s), (s, r, q, p))
    ):
        zh = f"特征 {names} 里，算一个时用了另一个的新值：旧值被覆盖了"
        en = f"of features {names} one is computed from the other's new value: the old one was overwritten"
    elif zero(p * p + q * q - r * r - s * s) or zero(p * p + r * r - q * q - s * s):
        zh = f"特征 {names} 是一对，转的角度却不同：cos 和 sin 的表是按另一种配对排的"
        en = f"features {names} are a pair with two angles: cos and sin are laid out for another pairing"
    else:
        zh = f"特征 {names} 的 2×2 块不是 [[cos, −sin], [sin, cos]]"
        en = f"the block of features {names} is not [[cos, −sin], [sin, cos]]"
    raise NotARotation(zh, en)


def layout_of(pairs: Pairs, d_head: int) -> tuple[str, list[int]]:
    """Return "interleaved", "half_split" or "listed", and the likely widths of the exponent −2i/width."""
    first, gaps = pairs.first.tolist(), set((pairs.second - pairs.first).tolist())
    widths = [2 * len(first), d_head - d_head % 2]
    if gaps == {1} and len({feature % 2 for feature in first}) == 1:
        return "interleaved", widths
    if len(gaps) == 1 and first[-1] - first[0] < min(gaps):
        return "half_split", [2 * min(gaps), *widths]
    return "listed", widths
