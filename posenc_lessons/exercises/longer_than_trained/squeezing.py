"""The exercise of lesson 08 on positions squeezed into the trained range."""

from __future__ import annotations

import torch

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.solutions import longer_than_trained as solutions
from posenc_lessons.language import Text

SQUEEZE = Exercise(
    solutions.squeeze,
    questions=(
        (torch.tensor([7, 0, 11, 3]), 8, 12),
        (torch.tensor([0, 1, 2, 5, 9, 15]), 4, 16),
        (torch.arange(6), 8, 6),
        (torch.tensor([3, 7]), 8, 8),
    ),
    praise=Text(
        "对。长文压进训练过的范围，短文一动不动，而且小数留着，没有两个词元挤到一处。",
        "Right. A long text is squeezed into what was trained, a short one is left alone, and with the "
        "fractions kept no two tokens share a place.",
    ),
    changed=CHANGED,
)

SQUEEZE.mistake(
    "方向反了：你把位置乘了 length/trained，离训练过的范围更远了。应当除。",
    "The wrong way round: you multiplied by length/trained and went further from what was trained. Divide.",
)(
    lambda positions, trained, length: positions * max(length / trained, 1.0),
    lambda positions, trained, length: positions * (length / trained),
)
SQUEEZE.mistake(
    "取余数会让位置 trained 变回 0：相邻的两个词元忽然隔得很远。要压缩，不要绕回。",
    "The remainder sends position trained back to 0, and two neighbours are suddenly far apart. Squeeze, do "
    "not wrap round.",
)(lambda positions, trained, *_: positions % trained)
SQUEEZE.mistake(
    "你把超出的位置都当成了最后一个：后面的词元全挤在一处，分不出先后。",
    "You gave every position beyond the last trained one: all later tokens share one place, in no order.",
)(lambda positions, trained, *_: positions.clamp(max=trained - 1))
SQUEEZE.mistake(
    "取整了：每几个词元挤在同一个位置。旋转不在乎位置是不是整数，小数要留着。",
    "You rounded: several tokens share each place. A rotation does not mind fractions; keep them.",
)(
    lambda positions, trained, length: solutions.squeeze(positions, trained, length).floor(),
    lambda positions, trained, length: solutions.squeeze(positions, trained, length).round(),
)
SQUEEZE.mistake(
    "你让首尾对齐，除的是 (length − 1)/(trained − 1)。位置插值除以 length/trained。",
    "You matched first and last, dividing by (length − 1)/(trained − 1). Position interpolation divides by "
    "length/trained.",
)(lambda positions, trained, length: positions * min((trained - 1) / (length - 1), 1.0))
SQUEEZE.mistake(
    "倍数就是 length/trained：题里每次都不同，可以是 1.5，不要写死，也不要取整。",
    "The factor is length/trained itself: it is another one in each question and may be 1.5. Do not fix "
    "it and do not round it.",
)(
    lambda positions, trained, length: positions / 4 if length > trained else positions,
    lambda positions, trained, length: positions / max(-(-length // trained), 1),
    lambda positions, trained, length: positions / max(length // trained, 1),
    lambda positions, trained, length: positions / (length // trained),
    lambda positions, trained, length: positions / max(round(length / trained), 1),
)
SQUEEZE.mistake(
    "你除以的是 trained。要除以倍数 length/trained。",
    "You divided by trained. Divide by the factor, length/trained.",
)(lambda positions, trained, *_: positions / trained)
SQUEEZE.mistake(
    "你只压缩了超出训练的位置：它们落到了前面的位置中间，次序乱了。所有的位置都要除。",
    "You squeezed only positions past the training, and they landed among the earlier ones. Divide them all.",
)(
    lambda positions, trained, length: torch.where(
        positions < trained, positions, solutions.squeeze(positions, trained, length)
    )
)
recurring.unchanged(SQUEEZE)
SQUEEZE.mistake(
    "文本比训练的还短，位置就不该动；你把它拉长了。factor 至少是 1。",
    "This text is shorter than the training: leave its positions alone. The factor is 1 at least.",
)(lambda positions, trained, length: positions * trained / length)
