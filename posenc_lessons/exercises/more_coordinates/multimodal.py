"""The exercise of lesson 11 on positions after an image."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import Answer, Exercise
from posenc_lessons.exercises.reading import can_index
from posenc_lessons.exercises.solutions import more_coordinates as solutions
from posenc_lessons.language import Text

AFTER_IMAGE = Exercise(
    solutions.after_image,
    questions=((3, 2, 3, 2), (1, 4, 2, 3), (2, 1, 1, 1), (5, 3, 3, 2)),
    praise=Text(
        "对。文字接着出现过的最大的数往下数，三个轴一起。",
        "Right. Text goes on after the largest number so far, on all three axes.",
    ),
)
AFTER_IMAGE.probe(can_index(3, 2, 3, 2))


def _placed(
    first: Callable[[int, int, int], int] = lambda before, h, w: before + max(h, w),
    moved: Callable[[Tensor, int], Tensor] = lambda image, before: image + before,
) -> Answer:
    """Return the answer whose text goes on at ``first(before, h, w)``, with the image so ``moved``."""

    def positions(before: int, height: int, width: int, after: int) -> Tensor:
        text, following = (torch.arange(n)[:, None].expand(-1, 3) for n in (before, after))
        at = solutions.number_patches(height, width)
        image = torch.cat((torch.zeros(len(at), 1, dtype=torch.long), at), dim=1)  # (0, row, column)
        return torch.cat((text, moved(image, before), following + first(before, height, width)))

    return positions


AFTER_IMAGE.mistake(
    "你让文字跳过了全部 h·w 个图块。它只接着最大的数往下数：一张图片前进 max(h, w)。",
    "Text skips all h·w patches. It goes on after the largest number: an image takes max(h, w).",
)(_placed(lambda before, h, w: before + h * w))
AFTER_IMAGE.mistake(
    "后面的文字接着三个轴里最大的数：图片前进 max(h, w)。不占号、只占一个号、只看高或只看宽，都会撞在一起或跳"
    "过去。",
    "The text after the image goes on from the largest number on all three axes: the image takes max(h, w). "
    "With none, with one, or with one of the two sides in every case, numbers collide or are skipped.",
)(
    _placed(lambda before, h, w: before),
    _placed(lambda before, h, w: before + 1),
    _placed(lambda before, h, w: before + h),
    _placed(lambda before, h, w: before + w),
)
AFTER_IMAGE.mistake(
    "图片从 0 数起了。它的三个数，t、行和列，都从前面的文字停下的地方数起：before，那是下一个文字本该用的"
    "号。",
    "The image is counted from 0. Its three numbers, t, row and column, begin where the text stopped: at "
    "before, the number that the next text token would have had.",
)(
    _placed(moved=lambda image, before: image + torch.tensor([before, 0, 0])),
    _placed(moved=lambda image, before: image),
)
AFTER_IMAGE.mistake(
    "图片里的 t 在往前走。一张图片只有一个时刻：t 不变，变的是行和列。",
    "t moves within the image. An image has one moment: t stays, rows and columns change.",
)(_placed(moved=lambda image, at: image + at + torch.arange(len(image))[:, None] * torch.tensor([1, 0, 0])))
AFTER_IMAGE.mistake(
    "h 和 w 换了位置：第二列是行，第三列是列。",
    "h and w are exchanged: the second column is the row, the third the column.",
)(_placed(moved=lambda image, before: image[:, [0, 2, 1]] + before))
AFTER_IMAGE.mistake(
    "多跳了一个：最大的数已经是 before + max(h, w) − 1，下一个是 before + max(h, w)。",
    "One too many: the largest number is before + max(h, w) − 1, so the next is before + max(h, w).",
)(_placed(lambda before, h, w: before + max(h, w) + 1))
AFTER_IMAGE.mistake(
    "所有词元都从 0 数到底，三个轴一样：那就是普通的 RoPE，图片的行列全没了。",
    "All tokens are counted in one go, alike on all axes: that is plain RoPE, and rows and columns are gone.",
)(lambda before, height, width, after: torch.arange(before + height * width + after)[:, None].expand(-1, 3))
