"""The exercises of lesson 11."""

from collections.abc import Callable

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import can_index, random_numbers
from posenc_lessons.exercises.rotating import rotated_in_halves, rotated_interleaved
from posenc_lessons.exercises.solutions import more_coordinates as solutions
from posenc_lessons.language import Text

# ---- the row and column of each patch -----------------------------------------------------------------

NUMBER_PATCHES = Exercise(
    solutions.number_patches,
    questions=((2, 3), (3, 2), (1, 4), (4, 1), (3, 3)),
    praise=Text(
        "对。逐行数，行在前，列在后；宽决定什么时候换行。",
        "Right. Row by row, rows first, columns second; the width decides where a new row begins.",
    ),
)
check_number_patches = NUMBER_PATCHES
NUMBER_PATCHES.probe(can_index(2, 3))

NUMBER_PATCHES.mistake(
    "行和列反了：每块是（行，列），你给的是（列，行）。",
    "Row and column are exchanged: each patch is (row, column); yours is (column, row).",
)(lambda height, width: solutions.number_patches(height, width).flip(-1))
NUMBER_PATCHES.mistake(
    "高和宽写反了：一行有 width 个图块，数满 width 个才换行，所以除以 width，不是 height。",
    "Height and width are exchanged: a row has width patches, so divide by width.",
)(lambda height, width: solutions.number_patches(width, height))
NUMBER_PATCHES.mistake(
    "你是一列一列数的。图块的次序是逐行：先走完第 0 行。",
    "You go column by column. Patches come row by row: row 0 first, to its end.",
)(
    lambda height, width: (
        solutions.number_patches(height, width)
        .unflatten(0, (height, width))
        .transpose(0, 1)
        .reshape(height * width, 2)
    )
)
recurring.off_by_one(NUMBER_PATCHES, "行和列都从 0 数起。", "rows and columns count from 0.")
NUMBER_PATCHES.mistake(
    "行号要整除：写 //，不是 /；第 1 个图块在第 0 行，不在第 0.33 行。",
    "A row is a whole number: divide with //, not with /.",
)(
    lambda height, width: (
        (torch.arange(height * width)[:, None] / torch.tensor([width, 1])) % torch.tensor([9e9, width])
    )
)
NUMBER_PATCHES.mistake(
    "这是一行排到底的序号，不是行和列。每个图块要两个数。",
    "That is one number counted along all rows. Each patch needs two, its row and its column.",
)(lambda height, width: torch.arange(height * width)[:, None].expand(-1, 2))


# ---- axial rotation: half of the pairs by the row, half by the column ---------------------------------

GRID = solutions.number_patches(2, 3)

AXIAL_ROTATE = Exercise(
    solutions.axial_rotate,
    questions=(
        (random_numbers(6, 8), GRID, 100.0),
        (random_numbers(3, 4, seed=1), torch.tensor([[0, 0], [0, 2], [3, 0]]), 100.0),
        (random_numbers(2, 12, seed=2), torch.tensor([[5, 1], [2, 7]]), 10000.0),
        (random_numbers(2, 8, seed=3), torch.tensor([[0.25, -1.5], [2.0, 0.5]]), 10.0),
    ),
    praise=Text(
        "对。前一半的对只看行，后一半只看列，各有一套频率；位置不是整数也行。",
        "Right. The first half of the pairs sees only the row, the second only the column, each with all the "
        "frequencies; positions need not be whole.",
    ),
    changed=CHANGED,
)
check_axial_rotate = AXIAL_ROTATE


def _angles(x: Tensor, positions: Tensor, base: float) -> Tensor:
    quarter = x.shape[1] // 4
    theta = base ** (-torch.arange(quarter) / quarter)
    return (positions[:, :, None] * theta).flatten(1)


def _one_rope(x: Tensor, positions: Tensor, base: float) -> Tensor:
    theta = base ** (-2 * torch.arange(x.shape[1] // 2) / x.shape[1])  # [d/2]
    axis = positions.repeat_interleave(x.shape[1] // 4, dim=1)  # [L, d/2]
    return rotated_interleaved(x, axis * theta)


AXIAL_ROTATE.mistake(
    "行和列换了：前一半的对由行来转，后一半由列来转。",
    "Row and column are exchanged: the row turns the first half of the pairs, the column the second.",
)(lambda x, positions, base: solutions.axial_rotate(x, positions.flip(-1), base))
AXIAL_ROTATE.mistake(
    "行和列轮流来了：行转的是前一半的对，列转的是后一半，不是一对行、一对列。",
    "Rows and columns take turns: the row turns the first half of the pairs, the column the second half.",
)(lambda x, at, base: rotated_interleaved(x, _angles(x, at, base).unflatten(1, (2, -1)).mT.flatten(1)))
AXIAL_ROTATE.mistake(
    "转反了（矩阵转置了）：正角度是逆时针，第一个特征减去 b·sin。",
    "You rotated the other way: positive angles turn anticlockwise, so the first feature is minus b·sin.",
)(lambda x, positions, base: rotated_interleaved(x, -_angles(x, positions, base)))
AXIAL_ROTATE.mistake(
    "两半都由同一个数来转（行，或者行与列之和）：那样就有图块分不清了。一半看行，一半看列。",
    "One number turns both halves: one half sees the row, the other the column.",
)(
    lambda x, at, base: solutions.axial_rotate(x, at[:, [0, 0]], base),
    lambda x, at, base: solutions.axial_rotate(x, at.sum(dim=1, keepdim=True).expand(-1, 2), base),
)
AXIAL_ROTATE.mistake(
    "指数里用了整个 d：每个轴只有 d/2 个特征，频率是 base^(−2i/(d/2))。",
    "The exponent has all of d: an axis has d/2 features, and its frequencies are base^(−2i/(d/2)).",
)(lambda x, positions, base: solutions.axial_rotate(x, positions, base**0.5))
AXIAL_ROTATE.mistake(
    "两个轴该各有一套从快到慢的频率。你的行拿走了快的一半，列只剩慢的。",
    "The row has the fast half and the column the slow one: each axis has frequencies from fast to slow.",
)(_one_rope)
AXIAL_ROTATE.mistake(
    "结果排错了次序：先放了所有对的第一个特征，再放第二个。每一对的两个要挨着，比如 stack 以后 flatten。",
    "The results are in the wrong order: the two features of a pair belong together, as with stack, flatten.",
)(
    lambda *given: torch.cat(
        [solutions.axial_rotate(*given)[:, 0::2], solutions.axial_rotate(*given)[:, 1::2]], dim=1
    )
)
AXIAL_ROTATE.mistake(recurring.HALVES_PAIRED)(lambda x, *rest: rotated_in_halves(x, _angles(x, *rest)))


# ---- positions after an image -------------------------------------------------------------------------

AFTER_IMAGE = Exercise(
    solutions.after_image,
    questions=((3, 2, 3, 2), (1, 4, 2, 3), (2, 1, 1, 1), (5, 3, 3, 2)),
    praise=Text(
        "对。文字接着出现过的最大的数往下数，三个轴一起。",
        "Right. Text goes on after the largest number so far, on all three axes.",
    ),
)
check_after_image = AFTER_IMAGE
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
    "后面的文字接错了号：它接着三个轴里最大的数，图片前进 max(h, w)。",
    "The text after the image begins at a wrong number: the image takes max(h, w).",
)(
    _placed(lambda before, h, w: before),
    _placed(lambda before, h, w: before + 1),
    _placed(lambda before, h, w: before + h),
    _placed(lambda before, h, w: before + w),
    _placed(lambda before, h, w: before + h + w),
    _placed(lambda before, h, w: before + max(h, w) - 1),
)
AFTER_IMAGE.mistake(
    "图片从 0 数起了：它的三个数，t、行和列，都从 before 数起。",
    "The image is counted from 0: its three numbers, t, row and column, begin at before.",
)(
    _placed(moved=lambda image, before: image + torch.tensor([before, 0, 0])),
    _placed(moved=lambda image, before: image),
    _placed(moved=lambda image, before: image + torch.tensor([0, before, before])),
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
    "You skip a number: the largest is before + max(h, w) − 1, so the next is before + max(h, w).",
)(_placed(lambda before, h, w: before + max(h, w) + 1))
AFTER_IMAGE.mistake(
    "所有词元都从 0 数到底，三个轴一样：那就是普通的 RoPE，图片的行列全没了。",
    "All tokens are counted in one go, alike on all axes: that is plain RoPE, and rows and columns are gone.",
)(lambda before, height, width, after: torch.arange(before + height * width + after)[:, None].expand(-1, 3))
