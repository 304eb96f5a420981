"""The guesses of lesson 03."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "table-of-zeros",
        "1 · 表从**全是零**开始，能学会吗？",
        "1 · a table starts from **all zeros**. Can it learn?",
        wrong(
            "不能：零乘什么都是零，没有梯度",
            "No: zero times anything is zero, so no gradient",
            "两个零相乘的时候确实如此。可是表是**加**上去的，它自己不是梯度的因子。",
            "True of a product of two zeros. But the table is **added**, and is not a factor of its own "
            "gradient.",
        ),
        wrong(
            "不能：每一行都一样，永远分不开",
            "No: all rows are equal and stay equal",
            "隐藏层的神经元是这样。表的各行收到的梯度却不同，因为各个位置上的词元和答案不同。",
            "So it is with the neurons of a hidden layer. But the rows of a table get different gradients, "
            "for tokens and answers differ from position to position.",
        ),
        right(
            "能",
            "Yes",
            "表的梯度是 EᵀG，里面没有 P 这个因子，一步之后各行就分开了。",
            "Its gradient is EᵀG, of which P is not a factor; after one step the rows differ.",
        ),
    ),
    ask(
        "rows-seven-and-eight",
        "2 · 一个模型学会了“抄前面第 3 个词元”。它的表里，第 7 行和第 8 行会很像吗（余弦在 0.8 以上）？",
        '2 · a model has learned to "copy the token 3 places back". Are rows 7 and 8 of its table much '
        "alike, with a cosine above 0.8?",
        wrong(
            "会：它们是邻居",
            "Yes: they are neighbours",
            "正弦表里的邻居总是像的。学出来的表没有人要求它这样，要看任务。",
            "In a sinusoidal table neighbours are alike. Nobody asks that of a learned one; it is up to the "
            "task.",
        ),
        right(
            "不会",
            "No",
            "要准确地找到“前面第 3 个”，相邻的两行必须分得开：量出来平均是 0.27 左右。",
            'To hit "3 back" exactly, two neighbours must be told apart: the mean is about 0.27.',
        ),
        wrong(
            "随机初始化时不像，训练以后很像",
            "Not at the start, but much so after training",
            "找亮条的任务是这样（0.82）。训练带来的是任务用得上的东西，不是“邻居要像”这条规矩。",
            "The task with the bright bar does that (0.82). Training brings what a task has a use for, and "
            "no rule that neighbours be alike.",
        ),
    ),
    ask(
        "rows-never-trained",
        "3 · 训练只用长度 32 的句子，表有 48 行。训练完，第 32 到 47 行变成了什么？",
        "3 · training uses sentences of length 32, the table has 48 rows. Afterwards, what has become of "
        "rows 32 to 47?",
        wrong(
            "顺着前面的规律延续下去了",
            "They carry on the pattern of the rows before",
            "公式会延续，表不会：行与行之间没有任何联系，梯度只流向查过的行。",
            "A formula carries on; a table does not. Nothing ties one row to the next, and gradients reach "
            "only rows looked up.",
        ),
        wrong(
            "慢慢变成了零",
            "They have faded to zero",
            "有权重衰减的优化器（AdamW）会这样。这里用的是 Adam：梯度是 0，就一步不走。",
            "An optimiser with weight decay (AdamW) does that. Here it is Adam: gradient 0, no step.",
        ),
        right(
            "一点没变，还是当初的随机数",
            "Nothing: they are the random numbers they were",
            "没查过的行，梯度是 0。在那些位置上，准确率一步跌到随机猜测。",
            "A row nobody looked up has gradient 0. At those positions accuracy drops to guessing in one "
            "step.",
        ),
    ),
    ask(
        "stretched-table",
        "4 · 把 32 行的表用插值拉长到 48 行，不再训练，“抄前面第 3 个”还管用吗？",
        '4 · stretch the table from 32 rows to 48 by interpolation, no more training. Does "copy 3 back" '
        "still work?",
        wrong(
            "管用，只是稍差一点",
            "Yes, only a little worse",
            "“在全长的几分之几”那种任务是这样。“相距几个”不行：距离也被拉长了。",
            'That is so for tasks of "what fraction of the whole". Not for "how many apart": distances are '
            "stretched too.",
        ),
        right(
            "不管用：它改抄前面第 4、5 个了",
            "No: it copies from 4 and 5 back instead",
            "3 步拉长成 3 × 47/31 ≈ 4.55 步，它就在 4 和 5 之间犹豫。",
            "3 steps are stretched to 3 × 47/31 ≈ 4.55, so it wavers between 4 and 5.",
        ),
        wrong(
            "不管用：答案成了乱猜",
            "No: its answers are mere guesses",
            "准确率确实跌下来了，但不是乱猜：模型没有坏，只是换了个任务。",
            "Accuracy does collapse, but not into guesses: the model is not broken, it has changed its task.",
        ),
    ),
)
