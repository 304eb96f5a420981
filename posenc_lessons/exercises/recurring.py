"""Messages for mistakes that recur: each is written once, and every exercise in which it is made uses it.

An exercise says which wrong answer it is. A message that needs the exercise's own words stands there.
"""

from __future__ import annotations

from posenc_lessons.language import Text

# ---- positions and rows ----

POSITIONS_NOT_USED = Text(
    "没有用传进来的 positions：位置不一定是 0、1、2 …",
    "The positions passed in were not used: they need not be 0, 1, 2 …",
)
FIRST_SENTENCES_POSITIONS = Text(
    "每个句子都用了第一句的位置：positions 是 [B, L]，每句一行。",
    "Every sentence has the first one's positions: positions is [B, L], a row for each.",
)
FIRST_ROWS = Text(
    "你取了表的前 L 行，没有用 positions：有填充、有缓存时，第 1 列的词元不一定在位置 0。",
    "You take the first L rows and do not use positions: with padding or a cache the token in the first "
    "column need not be at position 0.",
)
ANGLE_OF_THE_NEXT = Text(
    "位置多了 1：从 0 数起，位置 0 的角度全是 0。",
    "Positions are one too large: count from 0, so that position 0 has every angle 0.",
)
ROW_OF_THE_NEXT = Text(
    "错开了一行：位置从 0 数起，位置 0 是第 0 行。",
    "A row off: positions count from 0, and position 0 is row 0.",
)
COUNTED_FROM_1 = Text(
    "你从 1 数起。这门课的位置从 0 开始。", "You count from 1. Positions begin at 0 in this course."
)
EXCHANGED_COORDINATES = Text(
    "行和列反了：每块是（行，列），你给的是（列，行）。",
    "Row and column are exchanged: each patch is (row, column); yours is (column, row).",
)

# ---- vectors to which positions are added ----

NOT_ADDED = Text("输出就是 x 本身：位置还没有加上去。", "The output is x itself: no position was added.")
X_LOST = Text(
    "只返回了位置的那几行，x 不见了：应当是 x 加上它们。",
    "Only the rows of the positions came back, and x is gone: add them to x.",
)
MULTIPLIED = Text("这里是相加，不是相乘。", "The two are added, not multiplied.")
ROOT_OF_THE_EMBEDDING = Text(
    "x 被乘了 √d：那是嵌入层的事，这里不要。",
    "x was multiplied by √d: that is for the embedding layer, not for here.",
)
X_CHANGED = Text(
    "你的代码改动了传进来的 {changed}（多半是用了 +=、add_ 或 clamp_）。返回一个新张量：x + …",
    "Your code changed the {changed} it was given (a +=, add_ or clamp_, most likely). Return a new "
    "tensor: x + …",
)
UNCHANGED = Text("原样返回了，什么也没有变。", "It came back unchanged.")

# ---- angles and rotations ----

BASE_FIXED = Text(
    "底数写死成了 10000：请用传进来的 base。", "The base is fixed at 10000: use the base that was passed in."
)
HALF_EXPONENT = Text(
    "指数里是 2i/d，你用了 i/d（i 数的是第几对，不是第几列）。",
    "The exponent is 2i/d; yours is i/d (i counts pairs, not columns).",
)
RATE_WITHOUT_MINUS = Text(
    "频率少了负号：θ_i = base^(−2i/d) 应当越来越小，你的越来越大。",
    "The frequency lost its minus sign: θ_i = base^(−2i/d) should shrink, yours grows.",
)
IN_DEGREES = Text(
    "把角度当成了度数：sin 和 cos 收的是弧度，不用换算。",
    "The angles were treated as degrees: sin and cos take radians, so no conversion.",
)
WITHOUT_2_PI = Text(
    "漏了 2π：转一圈是 2π 弧度，不是 1 弧度。", "2π is missing: a full turn is 2π radians, not 1."
)
HALVES_PAIRED = Text(
    "配对错了：这里要相邻配对（2i 和 2i+1）；你用了对半配对（i 和 i + d/2）。",
    "The wrong pairing: here neighbours belong together, 2i with 2i+1; yours is half-split, i with i + d/2.",
)
BFLOAT16 = Text(
    "位置 257 就错了：位置或角度多半存成了 bfloat16，它只能准确数到 256，再往后 257 会变成 256。用 "
    "torch.float64 算角度。（最大误差 {error}）",
    "Position 257 is already wrong: positions or angles are probably held in bfloat16, which counts "
    "exactly only to 256; after that 257 becomes 256. Compute the angles in torch.float64. (Largest "
    "error: {error}.)",
)
FLOAT32 = Text(
    "近处都对，位置 1000000 错了：角度，或者算角度用的频率，是 float32 的，只有约 7 位有效数字，大角度的"
    "小数部分就丢了。频率和角度都用 torch.float64 算，最后只舍入一次。（最大误差 {error}）",
    "Near positions are right, position 1000000 is wrong: the angles, or the frequencies they are made "
    "of, are float32, about 7 digits, and a large angle loses its fraction. Compute both in "
    "torch.float64 and round once, at the end. (Largest error: {error}.)",
)

# ---- scores, weights and masks ----

NOT_DIVIDED = Text(
    "忘了除以 √d，d 是一个头的宽度。", "The division by √d is missing, where d is the width of a head."
)
DIVIDED_BY_THE_WIDTH = Text(
    "你除以的是 d，应当除以它的平方根 √d。", "You divide by d; divide by its square root, √d."
)
WITHOUT_SOFTMAX = Text(
    "还没有做 softmax：这些还是分数。", "The softmax is missing: these are still the scores."
)
SOFTMAX_OVER_QUERIES = Text(
    "softmax 做错了方向：要对键归一化，dim=-1，每一行加起来是 1。",
    "softmax over the wrong axis: normalise over the keys, dim=-1, so that each row adds up to 1.",
)
MASK_INVERTED = Text("意思反了：这里 True 表示可以看。", "Inverted: here True means may look.")
MASK_TO_BE_ADDED = Text(
    "这是加到分数上的掩码（0 和 −∞）。这里要布尔的：True 表示可以看。",
    "That is a mask to be added to scores (0 and −∞). A boolean one is wanted: True means may look.",
)
DIAGONAL_HIDDEN = Text(
    "对角线也要是 True：词元可以看自己。现在第 0 行什么也看不到，softmax 会给出 NaN。",
    "The diagonal should be True as well: a token may see itself. Row 0 now sees nothing at all, and "
    "softmax would give NaN.",
)
LOOKS_AHEAD = Text(
    "三角形反了：一行一个查询，一列一个键，第 i 行看 j ≤ i；你的看后面。",
    "The triangle is the wrong one: rows are queries, columns keys, and row i sees j ≤ i; yours looks ahead.",
)
