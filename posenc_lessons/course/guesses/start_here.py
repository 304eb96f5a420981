"""The guesses of lesson 00."""

from __future__ import annotations

from posenc_lessons.course.guesses import Choice, Guess
from posenc_lessons.language import Text

GUESSES = (
    Guess(
        "how-many-doors",
        Text(
            "要让顺序进到注意力的公式里，有几处可以下手？",
            "At how many places of attention's formula can order come in?",
        ),
        (
            Choice(
                Text("一处：输入", "One: the input"),
                Text(
                    "诱人，因为 2017 年的论文就加在这里，许多人只见过那张图。"
                    "今天多数大模型的输入里却没有位置。",
                    "Tempting: the paper of 2017 adds them there, and many have seen no other picture. Yet "
                    "in most of today's large models the input holds no positions.",
                ),
            ),
            Choice(
                Text("两处：输入和分数", "Two: the input and the scores"),
                Text(
                    "诱人，因为“谁看谁”由分数决定。可分数来自查询和键，权重又乘在值上，这两处也能带上位置。",
                    "Tempting, since the scores decide which word attends to which. But they are made of "
                    "queries and keys, and the weights go to values: positions can come in there too.",
                ),
            ),
            Choice(
                Text("四处", "Four"),
                Text(
                    "嵌入、查询和键、分数、值：公式从左到右就这几步，每一步都有人用。",
                    "The embeddings, the queries and keys, the scores, the values: the steps of the formula "
                    "from left to right, each of them in use somewhere.",
                ),
                right=True,
            ),
            Choice(
                Text("哪里都行，没有数", "Anywhere; there is no number"),
                Text(
                    "诱人，因为写法有几十种。可它们改的总是这四样东西里的一样或几样。",
                    "Tempting, for there are dozens of variants. But each of them changes one or more of the "
                    "same four things.",
                ),
            ),
        ),
    ),
)
