"""The exercises of lesson 09: which integer belongs to a token, and which mask goes with it."""

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.reading import can_index, is_boolean
from posenc_lessons.exercises.solutions import whose_position as solutions
from posenc_lessons.language import Text

# ---- harmless position vectors --------------------------------------------------------------------

PADDED = torch.tensor([False, False, True, True, True, True])
SIX = torch.tensor(
    [
        [0, 0, 0, 1, 2, 3],
        [0, 1, 2, 3, 4, 5],
        [0, 0, 0, 2, 4, 6],
        [5, 4, 3, 2, 1, 0],
        [0, 0, 0, 3, 1, 3],
        [9, 9, 100, 101, 102, 103],
    ]
)
HARMLESS = Exercise(
    solutions.harmless,
    questions=(
        (SIX, PADDED),
        (torch.tensor([[0, 1, 2], [4, 4, 4], [0, 2, 4], [0, 2, 1], [7, 8, 9]]), torch.tensor([True] * 3)),
        (
            torch.tensor([[0, 1, 2, 2, 2], [0, 1, 2, 3, 4], [0, 2, 3, 3, 5], [3, 5, 4, 0, 6]]),
            torch.tensor([True, True, True, False, True]),
        ),
    ),
    praise=Text(
        "对。每个真词元比它前面那个多 1，从哪里数起都行，填充上写什么也都行。",
        "Right. Each real token is one more than the real one before it; where the count begins does not "
        "matter, nor what stands at padding.",
    ),
)
check_harmless = HARMLESS

HARMLESS.probe(is_boolean(SIX, PADDED))


HARMLESS.mistake(
    "你要求从 0 数起。相对编码只看差：整体移动多少都行。",
    "You ask for a count from 0. A relative encoding sees only differences: any common shift will do.",
)(
    lambda vectors, real: solutions.harmless(vectors, real) & (vectors[:, real][:, 0] == 0),
    lambda vectors, real: (vectors == real.cumsum(dim=0) - 1).all(dim=1),
    lambda vectors, *_: (vectors == torch.arange(vectors.shape[1])).all(dim=1),
)
HARMLESS.mistake(
    "填充的位置也比了进去。填充没有词元看，先用 real 把它去掉。",
    "Padding was compared too. No token attends to it: leave it out by real first.",
)(lambda vectors, *_: (vectors.diff(dim=1) == 1).all(dim=1))
HARMLESS.mistake(
    "变了的距离被放过了：每个真词元都要比前一个正好多 1。",
    "Some distances changed unnoticed: each real token must be exactly 1 more than the one before.",
)(
    lambda vectors, real: (vectors[:, real].diff(dim=1) > 0).all(dim=1),
    lambda vectors, real: vectors[:, real][:, -1] - vectors[:, real][:, 0] == real.sum() - 1,
    lambda vectors, real: (vectors[:, real].diff(dim=1).abs() == 1).all(dim=1),
    lambda vectors, real: (vectors[:, real].diff(n=2, dim=1) == 0).all(dim=1),
)

# ---- the positions of new tokens ------------------------------------------------------------------

GO_ON = Exercise(
    solutions.go_on,
    questions=(
        (torch.tensor([[0, 0, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 1, 0, 0]]).bool(), 3),
        (torch.tensor([[True, True, False, False], [False, True, True, True], [True] * 4]), 2),
        (torch.tensor([[False, True, True]]), 4),
        (torch.tensor([[True]]), 1),
    ),
    praise=Text(
        "对。每一行接着自己的真词元往下数，填充在哪一边都一样。",
        "Right. Each row goes on from its own real tokens, on whichever side the padding is.",
    ),
)
check_go_on = GO_ON

GO_ON.probe(can_index(torch.tensor([[True, True, False]]), 2))


GO_ON.mistake(
    "你接着缓存的长度数，填充也算进去了。要接着真词元的个数数。",
    "You went on from the cache's length, padding included. Go on from the number of real tokens.",
)(lambda real, steps: (real.shape[1] + torch.arange(steps)).expand(len(real), -1))
recurring.off_by_one(
    GO_ON, "n 个词元占了 0 到 n − 1，下一个是 n。", "n tokens have 0 to n − 1, so the next is n."
)
GO_ON.mistake(
    "新词元又从 0 数起了：忘了把已经有多少个加上。",
    "New tokens are counted from 0 again: add how many there are already.",
)(lambda real, steps: torch.arange(steps).expand(len(real), -1))
GO_ON.mistake(
    "每个新词元的位置都一样了：一步加 1。", "All new tokens share one position: add 1 at each step."
)(lambda real, steps: real.sum(dim=1, keepdim=True).expand(-1, steps))
GO_ON.mistake(
    "你让所有的行都接着最长的那一行数。每一行接着自己的真词元。",
    "Every row goes on from the longest one. Each goes on from its own real tokens.",
)(lambda real, steps: (real.sum(dim=1).max() + torch.arange(steps)).expand(len(real), -1))


# ---- the mask of a packed row --------------------------------------------------------------------------

PACK_MASK = Exercise(
    solutions.pack_mask,
    questions=(
        (torch.tensor([0, 1, 2, 0, 1]),),
        (torch.tensor([0, 0, 1, 0, 1, 2]),),  # a document of one token
        (torch.tensor([0, 1, 2]),),
        (torch.tensor([0, 0]),),
        (torch.tensor([0]),),
    ),
    praise=Text(
        "对。位置回到 0 就是新的一篇；同一篇，而且不看后面，两个条件缺一不可。",
        "Right. Where positions fall back to 0 a document begins; the same document, and nothing later: both "
        "are needed.",
    ),
    changed=CHANGED,
)
check_pack_mask = PACK_MASK
PACK_MASK.probe(is_boolean(torch.tensor([0, 1, 0])))


def _documents(positions: Tensor) -> Tensor:
    return (positions == 0).cumsum(0)


def _shifted(positions: Tensor) -> Tensor:
    return _documents(positions).roll(1).index_fill(0, torch.tensor([0]), 1)


PACK_MASK.mistake(
    "后面的词元也看得见了：同一篇文档里还要因果。",
    "Later tokens are in sight: within a document it must be causal too.",
)(lambda positions: _documents(positions)[:, None] == _documents(positions))
PACK_MASK.mistake(
    "前面的文档也看得见了：这只是因果掩码，缺了文档这一半。",
    "Earlier documents are in sight: this is only the causal mask, without its document half.",
)(lambda positions: torch.ones(len(positions), len(positions)).tril().bool())
PACK_MASK.mistake(
    "位置说不出是哪一篇：每篇都有自己的 0、1、2，第二篇的 0 就看见了第一篇的 0。先找出哪里是新的一篇。",
    "Positions do not say which document it is: find out first where one begins.",
)(
    lambda positions: positions <= positions[:, None],
    lambda positions: (positions <= positions[:, None]).tril(),
    lambda positions: positions == positions[:, None],
    lambda positions: (positions == positions[:, None]).tril(),
)
PACK_MASK.mistake(
    "篇的边界错了一个词元：位置是 0 的词元是新一篇的第一个，不是上一篇的最后一个。",
    "The border is one token off: a token at position 0 is the first of its document.",
)(lambda positions: (_shifted(positions)[:, None] == _shifted(positions)).tril())
PACK_MASK.mistake(recurring.LOOKS_AHEAD)(lambda positions: solutions.pack_mask(positions).T)
PACK_MASK.mistake(recurring.DIAGONAL_HIDDEN)(lambda positions: solutions.pack_mask(positions).tril(-1))
recurring.mask_inverted(PACK_MASK)


# ---- the keys of a sliding cache ----------------------------------------------------------------------

TURN_FURTHER = Exercise(
    solutions.turn_further,
    questions=(
        (torch.tensor([3, 7, 8, 9, 10, 11, 12]), 2, 3),  # positions that do not begin at 0
        (torch.arange(8), 1, 4),
        (torch.arange(10), 2, 3),
        (torch.tensor([0, 4, 5, 6, 7, 8]), 1, 4),
        (torch.arange(6), 0, 3),
        (torch.arange(3), 1, 2),
        (torch.tensor([4, 5, 6, 7]), 2, 0),  # positions[-0:] is all of them
    ),
    praise=Text(
        "对。再转“新减旧”这么多：开头的不动，后面的往回转。",
        "Right. Turn on by new minus old: the first stay, the later ones are turned back.",
    ),
    changed=CHANGED,
)
check_turn_further = TURN_FURTHER

TURN_FURTHER.mistake(
    "符号反了：旧位置大，新位置小，要往回转，是负数。",
    "The sign is wrong: old positions are larger than new ones, so it is a turn back, a negative number.",
)(lambda *given: -solutions.turn_further(*given))
TURN_FURTHER.mistake(
    "你给的是新位置本身。键已经按旧位置转过了，只要再转两者之差。",
    "Those are the new positions themselves: only the difference from the old ones is left to turn.",
)(lambda positions, first, latest: torch.arange(first + latest))
TURN_FURTHER.mistake(
    "一点没转：旧键还停在旧位置上，和新的计数对不上。",
    "Nothing is turned: the old keys stay where they were and do not fit the new count.",
)(lambda positions, first, latest: torch.zeros(first + latest, dtype=torch.long))
TURN_FURTHER.mistake(
    "留下的是最前面的 first + latest 个：应当是开头 first 个，和最近 latest 个。",
    "Yours keeps the first first + latest of them: keep the first and the latest.",
)(lambda positions, first, latest: torch.arange(first + latest) - positions[: first + latest])


@TURN_FURTHER.mistake(
    "latest 可以是 0，而 positions[-0:] 是全部：从 len(positions) - latest 开始取。",
    "latest may be 0, and positions[-0:] is all of them: begin at len(positions) - latest.",
)
def latest_by_a_negative_index(positions: Tensor, first: int, latest: int) -> Tensor:
    remaining = torch.cat([positions[:first], positions[-latest:]])
    return torch.arange(len(remaining)) - remaining


TURN_FURTHER.mistake(
    "你按扔掉了几个来转。要看每个键现在在哪里：positions 也许早就编过号，也不一定从 0 开始。",
    "You rotate by how many were dropped: it depends on where each key stands now.",
)(
    *(
        lambda positions, first, latest, sign=sign: (
            sign
            * torch.cat([torch.zeros(first), torch.full((latest,), float(first + latest - len(positions)))])
        )
        for sign in (1, -1)
    )
)
