"""Two exercises of lesson 09: the positions and the mask of documents packed into one row."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import Exercise
from posenc_lessons.exercises.solutions import whose_position as solutions
from posenc_lessons.language import Text

# ---- 3 · positions of a packed row --------------------------------------------------------------------

PACK_POSITIONS = Exercise(
    solutions.pack_positions,
    questions=(([3, 2],), ([1, 4, 2],), ([5],)),
    praise=Text("对。每篇文档都从 0 数起。", "Right. Every document begins at 0."),
)

PACK_POSITIONS.mistake(
    "没有重置：第二篇接着第一篇数。每篇从 0 开始。",
    "No reset: the second document goes on from the first. Each begins at 0.",
)(lambda lengths: torch.arange(sum(lengths)))
PACK_POSITIONS.mistake(
    "从 1 数起了。这门课的位置从 0 开始。", "You count from 1. Positions begin at 0 in this course."
)(lambda lengths: solutions.pack_positions(lengths) + 1)
PACK_POSITIONS.mistake(
    "这是第几篇文档，不是文档里的第几个词元。", "That is which document, not which token of the document."
)(lambda lengths: torch.cat([torch.full((length,), number) for number, length in enumerate(lengths)]))
PACK_POSITIONS.mistake(
    "重置晚了一个词元：文档的第一个词元就该是 0。",
    "The reset comes one token late: the document's first token is 0 already.",
)(lambda lengths: solutions.pack_positions(lengths).roll(1))
PACK_POSITIONS.mistake(
    "每篇文档是倒着数的：第一个词元应当是 0。",
    "Each document is counted backwards: its first token should be 0.",
)(lambda lengths: torch.cat([torch.arange(length).flip(0) for length in lengths]))


@PACK_POSITIONS.right
def by_subtracting_starts(lengths: list[int]) -> Tensor:
    sizes = torch.tensor(lengths)
    return torch.arange(int(sizes.sum())) - (sizes.cumsum(0) - sizes).repeat_interleave(sizes)


# ---- 4 · the mask of a packed row ---------------------------------------------------------------------

PACK_MASK = Exercise(
    solutions.pack_mask,
    questions=(
        (torch.tensor([0, 0, 0, 1, 1]),),
        (torch.tensor([0, 1, 1, 2, 2, 2]),),
        (torch.tensor([4, 4]),),
    ),
    praise=Text(
        "对。同一篇文档，而且不看后面：两个条件缺一不可。",
        "Right. The same document, and nothing later: both are needed.",
    ),
)

PACK_MASK.mistake(
    "后面的词元也看得见了：同一篇文档里还要因果。",
    "Later tokens are in sight: within a document it must be causal too.",
)(lambda text: text[:, None] == text[None, :])
PACK_MASK.mistake(
    "前面的文档也看得见了：这只是因果掩码，缺了文档这一半。",
    "Earlier documents are in sight: this is the causal mask alone, without its document half.",
)(lambda text: torch.ones(len(text), len(text)).tril().bool())
PACK_MASK.mistake(
    "行列反了：行是查询，列是键；你让词元看后面的。",
    "Rows and columns are exchanged: rows are queries, columns keys. Yours look ahead.",
)(lambda text: solutions.pack_mask(text).T)
PACK_MASK.mistake(
    "词元看不见自己：用 <=，不是 <。每篇的第一个词元会一个键也看不到。",
    "No token sees itself: use <=, not <. The first of each document would see no key at all.",
)(lambda text: solutions.pack_mask(text) & ~torch.eye(len(text), dtype=torch.bool))
PACK_MASK.mistake("取反了：这里 True 是“可以看”。", "Inverted: here True means “may look”.")(
    lambda text: ~solutions.pack_mask(text)
)


@PACK_MASK.right
def row_by_row(text: Tensor) -> Tensor:
    n = len(text)
    return torch.tensor([[bool(text[i] == text[j]) and j <= i for j in range(n)] for i in range(n)])
