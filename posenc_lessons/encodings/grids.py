"""Positions of the patches of a picture, and a learned table stretched to another picture.

Sources: the table of a Vision Transformer and its stretching, Dosovitskiy et al. 2020, "An Image is Worth
16x16 Words", §3.1 and §3.2.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.language import BilingualValueError


def grid_positions(height: int, width: int, *, device: torch.device | str | None = None) -> Tensor:
    """Return (row, column) of each patch, row by row from the top left: int64 [height · width, 2].

    Raises:
        ValueError: a ``height`` or ``width`` below 1.

    >>> grid_positions(2, 3).tolist()
    [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    """
    height, width = whole_number("height", height, 1), whole_number("width", width, 1)
    rows, columns = torch.arange(height, device=device), torch.arange(width, device=device)
    return torch.stack((rows.repeat_interleave(width), columns.repeat(height)), dim=-1)


def interpolate_table(
    table: Tensor,
    size: tuple[int, int],
    new_size: tuple[int, int],
    *,
    prefix: int = 0,
) -> Tensor:
    """Return a table of ``new_size`` patches, interpolated from one of ``size`` patches as in ViT and DINOv2.

    Both tables have their patches row by row. The outer edges of the two grids coincide, not the centres of
    their outermost patches (PyTorch's ``align_corners=False``). Half precisions are interpolated in float32
    and rounded once.

    Args:
        table: [prefix + height · width, d_model].
        size, new_size: (height, width) in patches, before and after.
        prefix: how many rows in front belong to no patch (a class token, registers); they stay as they are.

    Returns:
        [prefix + new height · new width, d_model], with the dtype and device of ``table``; gradients reach
        ``table``.

    Raises:
        ValueError: a table whose rows are not ``prefix`` + height · width.

    >>> table = torch.tensor([[9.0], [0.0], [1.0]])  # a class token and two patches, one above the other
    >>> interpolate_table(table, (2, 1), (4, 1), prefix=1).shape
    torch.Size([5, 1])
    """
    (height, width), (new_height, new_width) = size, new_size
    prefix = whole_number("prefix", prefix, 0)
    if table.ndim != 2 or len(table) != prefix + height * width or not table.is_floating_point():
        raise BilingualValueError(
            f"table 必须是浮点张量 [{prefix} + {height} · {width}, d_model]，每个图块一行，"
            f"收到 {table.dtype} {list(table.shape)}",
            f"table must be floating, [{prefix} + {height} · {width}, d_model], a row for each patch; "
            f"got {table.dtype} {list(table.shape)}",
        )
    wide = table[prefix:].to(torch.promote_types(table.dtype, torch.float32))
    picture = wide.T.reshape(1, -1, height, width)  # [1, d_model, height, width]
    # With ``size``, not ``scale_factor``: a rounded factor can give one row too few.
    resized = F.interpolate(picture, size=(new_height, new_width), mode="bicubic", align_corners=False)
    return torch.cat((table[:prefix], resized[0].flatten(1).T.to(table.dtype)))
