"""The guesses of lesson 11."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "raster-neighbours",
        "一张图切成 14×14 个图块，逐行编号，0 到 195。对只看号码之差的编码来说，"
        "第 0 行最右边那个图块（第 13 列）离谁最近？",
        "A picture of 14×14 patches is numbered along its rows, 0 to 195. To an encoding that sees only the "
        "difference of two numbers, which patch is nearest to the last of row 0 (column 13)?",
        wrong(
            "它正下方的那个：第 1 行，第 13 列",
            "The one right below: row 1, column 13",
            "图上它们确实挨着。可是号码差了一整行，14。",
            "In the picture they do touch. But their numbers are a whole row apart, 14.",
        ),
        right(
            "第 1 行最左边的那个",
            "The first of row 1",
            "13 号的下一个是 14 号，号码只差 1，图上却隔着整张图的宽。",
            "Number 13 is followed by number 14. They differ by 1, and stand a whole width apart.",
        ),
        wrong(
            "它左边的和正下方的一样近",
            "The one to its left and the one below, equally",
            "图上是这样。可是左边差 1，下边差 14。",
            "So it is in the picture. But the left one differs by 1 and the one below by 14.",
        ),
    ),
    ask(
        "axial-diagonal",
        "轴向 RoPE，查询和键的内容固定不变。一个头想偏爱“左上和右下”这一对邻居，胜过“右上和左下”。做得到吗？",
        "Axial RoPE, with the contents of query and key fixed. A head would like to favour its upper left "
        "and "
        "lower right neighbours over the upper right and lower left ones. Can it?",
        right(
            "做不到：两对的分数之和总是一样",
            "No: the scores of both pairs have the same sum",
            "分数是“行的一份”加“列的一份”。四个斜角邻居里，每一份都恰好各出现两次。",
            "A score is a part for the row plus a part for the column, and among the four diagonal "
            "neighbours "
            "each part occurs just twice.",
        ),
        wrong(
            "做得到：行和列都看得见，斜着当然也看得见",
            "Yes: it sees rows and columns, so it sees diagonals",
            "每个斜角邻居的行差和列差它都知道。可是两份只能相加，不能说“同时”。",
            "It does know both differences of every neighbour. But it can only add up the two parts; it "
            "has no "
            "way to say “both at once”.",
        ),
        wrong(
            "要看频率选得好不好",
            "That depends on the frequencies",
            "频率决定每一份是什么形状，可是不管什么形状，相加以后两对总是打平。",
            "They decide what shape each part has. But whatever the shapes, the two sums come out equal.",
        ),
    ),
    ask(
        "after-image",
        "M-RoPE：前面有 3 个文字词元，0、1、2；接着一张 2×3 的图片，6 个图块；再接文字。"
        "图片后面第一个文字是几号？",
        "M-RoPE: 3 text tokens at 0, 1, 2, then an image of 2×3, 6 patches, then text again. Which number "
        "has "
        "the first text token after the image?",
        wrong(
            "9：前面一共有 9 个词元",
            "9: there are 9 tokens before it",
            "它在序列里排第 9，没错。可是编号数的不是词元：图块共用行号和列号。",
            "Its place in the sequence is 9, true. But these numbers do not count tokens: patches share rows "
            "and columns.",
        ),
        wrong(
            "4：一张图片只是一个时刻",
            "4: an image is one moment",
            "时间轴上确实只占一个号，3。可是行和列数到了 4 和 5，4 号已经有人用了。",
            "On the axis of time it takes one number, 3. But its rows and columns go up to 4 and 5, so 4 is "
            "taken.",
        ),
        right(
            "6：接着出现过的最大的号",
            "6: one more than the largest so far",
            "图片的行是 3 和 4，列是 3、4、5，最大是 5。",
            "The image's rows are 3 and 4, its columns 3, 4 and 5; the largest is 5.",
        ),
    ),
    ask(
        "finer-pictures",
        "小模型只见过 8×8 个图块的图片，拿 16×16 的考它，同样的画面，只是更细。哪种办法最好？",
        "A small model has only seen pictures of 8×8 patches, and is tested at 16×16: the same scenes, "
        "finer. "
        "Which way is best?",
        wrong(
            "把学出来的表插值成 16×16",
            "Interpolate its learned table to 16×16",
            "ViT 就是这样做的，而且不用管坐标。可是这里的表在 8×8 上就学得最差，插值以后又掉一截："
            "两样都量到了。",
            "That is what ViT does, and no coordinates are needed. But here the table was already the "
            "worst at 8×8, and interpolating costs it some more: both were measured.",
        ),
        wrong(
            "旋转编码，行和列接着往下数",
            "Rotary, with rows and columns counted on",
            "相对位置没有上限，代码也不会报错。可是 8 到 15 的差，训练时一个也没有见过；而且画面更细，"
            "按格数，方块和间隔都大了一倍。两个原因各占多少，没有分开量。",
            "Relative positions have no end, and no code complains. But differences of 8 to 15 never "
            "occurred in training, and in a finer picture the squares and the gaps between them are "
            "twice as large, counted in patches. How much each of the two costs was not measured.",
        ),
        right(
            "把 16×16 的坐标压进 8×8 的范围",
            "Squeeze the coordinates of 16×16 into the range of 8×8",
            "画面没变，图块只是更密：量出来，方块和训练时一样大，最大的差是 7.5，训练时是 7；"
            "半格的差落在两个见过的差之间。",
            "The scene is the same and its patches are closer together. Measured like this its squares "
            "are as large as in training, the largest difference is 7.5 where it was 7, and one of half a "
            "step lies between two that were met.",
        ),
    ),
)
