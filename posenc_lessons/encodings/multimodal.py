"""Positions (t, h, w) of text, images and video in one sequence, as M-RoPE counts them.

Sources: Wang et al. 2024, "Qwen2-VL", arXiv 2409.12191, §2.1; time in seconds, Bai et al. 2025, "Qwen2.5-VL
Technical Report", arXiv 2502.13923; the code of both in transformers 5.23.0 (``get_rope_index``).
"""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import number, one_of, whole_number
from posenc_lessons.encodings.grids import grid_positions
from posenc_lessons.language import BilingualValueError

Resume = Literal["largest", "side"]


def multimodal_positions(
    segments: Sequence[tuple[Any, ...]], *, tokens_per_second: float = 4.0, resume: Resume = "largest"
) -> tuple[Tensor, int]:
    """Return the positions (t, h, w) of a sequence of text, images and video, and their delta.

    A token of text has t = h = w, and the next token one more. A patch has t = first + its time, h = first +
    its row, w = first + its column, where ``first`` is the position that a token of text would have there.
    Frame i of a video is at time ⌊i · seconds_per_grid · tokens_per_second⌋.

    Args:
        segments: in their order: ("text", n) for n tokens, ("image", h, w), ("video", frames, h, w,
            seconds_per_grid). h, w and frames count patches after merging, which the language model gets.
        tokens_per_second: how many positions a second of video takes: ``vision_config.tokens_per_second`` of
            Qwen2.5-VL, by default 4 in transformers. In Qwen2-VL each frame is one position after the one
            before: seconds_per_grid = 1 and tokens_per_second = 1.
        resume: with which position the sequence goes on after an image or a video. "largest": the largest
            one so far plus 1, as in the code that came with Qwen2-VL and in transformers' ``qwen2_5_omni``.
            "side": ``first`` + max(h, w), as in ``qwen2_vl`` and ``qwen2_5_vl`` of transformers 5.23.0. The
            two agree for images. They differ for a video whose largest time is not below max(h, w): with
            "side", the text after it repeats positions of frames.

    Returns:
        positions: int64 [L, 3], one row (t, h, w) for each token.
        delta: the largest position + 1 − L. A token generated later, at place n (from 0), gets the position
            n + delta on all three axes.

    Raises:
        ValueError: a segment not of the three kinds; sizes below 1, seconds below 0.

    >>> positions, delta = multimodal_positions([("text", 3), ("image", 2, 3), ("text", 2)])
    >>> positions.T
    tensor([[0, 1, 2, 3, 3, 3, 3, 3, 3, 6, 7],
            [0, 1, 2, 3, 3, 3, 4, 4, 4, 6, 7],
            [0, 1, 2, 3, 4, 5, 3, 4, 5, 6, 7]])
    >>> delta
    -3
    """
    one_of("resume", resume, get_args(Resume))
    tokens_per_second = number("tokens_per_second", tokens_per_second, above=0)
    parts: list[Tensor] = []
    first = largest = 0
    for segment in segments:
        times, height, width = _size_of(segment, tokens_per_second)
        if segment[0] == "text":
            part = times[:, None].expand(-1, 3) + first  # [n, 3]
        else:
            patches = grid_positions(height, width, device="cpu").repeat(len(times), 1)
            of_patches = times.repeat_interleave(height * width)[:, None]  # [frames · h · w, 1]
            part = torch.cat((of_patches, patches), dim=-1) + first  # [frames · h · w, 3]
        largest = max(largest, int(part.max()))
        side = len(times) if segment[0] == "text" else max(height, width)
        first = largest + 1 if resume == "largest" else first + side
        parts.append(part)
    positions = torch.cat(parts)
    return positions, largest + 1 - len(positions)


def _size_of(segment: Any, tokens_per_second: float) -> tuple[Tensor, int, int]:
    """Return the times of a segment, int64 [frames] from 0 on, its height and its width.

    For text, the times count its tokens. ValueError if it is no segment.
    """
    match segment:
        case ("text", n):
            return torch.arange(whole_number("n", n, 1), device="cpu"), 1, 1
        case ("image", height, width):
            times, seconds = 1, 0.0
        case ("video", frames, height, width, seconds_per_grid):
            times = whole_number("frames", frames, 1)
            seconds = number("seconds_per_grid", seconds_per_grid, least=0)
        case _:
            raise BilingualValueError(
                "每一段必须是 ('text', n)、('image', h, w) 或 ('video', frames, h, w, seconds_per_grid)，"
                f"收到 {segment!r}",
                "a segment must be ('text', n), ('image', h, w) or "
                f"('video', frames, h, w, seconds_per_grid); got {segment!r}",
            )
    # As in transformers, in float32, and rounded down after the multiplication, not before.
    starts = torch.arange(times, dtype=torch.float32, device="cpu") * (seconds * tokens_per_second)
    return starts.long(), whole_number("h", height, 1), whole_number("w", width, 1)
