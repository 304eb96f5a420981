"""The guesses of lesson 06."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "cope-own-position",
        "门控全开的时候，一个词元到自己的位置是几？",
        "With all gates open, what is a token's position from itself?",
        wrong(
            "0",
            "0",
            "距离确实从 0 数起。可这里求和两头都算，词元自己的门控也在里面。",
            "Distance does count from 0. But this sum includes both ends, and with them the token's "
            "own gate.",
        ),
        right(
            "1",
            "1",
            "p 是从键到查询打开的门控数，两头都算：i−j+1。",
            "p counts the open gates from key to query, both ends included: i−j+1.",
        ),
        wrong(
            "要看查询",
            "That depends on the query",
            "门控由查询决定。可这里说好了全开，谁的查询都一样。",
            "Gates depend on the query. But here they are all open, whatever the query.",
        ),
    ),
    ask(
        "cope-leak",
        "算门控时用了还没掩码的 q·k，因果掩码只加在最后的分数上。会怎样？",
        "The gates are computed from q·k without a mask, and only the final scores are masked. What happens?",
        wrong(
            "会报错",
            "An error",
            "漏掩码是大错。可形状全对，权重的右上角也全是 0。",
            "A missing mask is a grave mistake. But every shape fits, and the upper right of "
            "the weights is all 0.",
        ),
        wrong(
            "损失变差",
            "The loss gets worse",
            "代码错了，按说该学得差。可偷看答案的模型，训练损失只会更好。",
            "Wrong code ought to learn less well. But a model that peeks has a better training loss, if "
            "anything.",
        ),
        right(
            "不报错，损失还可能更好，生成时才坏",
            "No error, perhaps a better loss, and it fails when it generates",
            "未来从位置 p 里漏进来；生成时后面是空的，熟悉的位置一个也对不上。",
            "The future leaks into the positions p. When the model generates, there is nothing ahead, and no "
            "position is the one it was trained with.",
        ),
    ),
    ask(
        "cope-first-step",
        "表从 0 开始训练。第一步，门控从位置那一项得到多少梯度？",
        "The table starts training from 0. How much gradient do the gates get from the positions at the "
        "first step?",
        wrong(
            "很小，但不是 0",
            "Little, but not 0",
            "梯度一般只是小，不会没有。可这里每一行都一样，斜率恰好是 0。",
            "Gradients are mostly just small, not absent. But here all rows are equal, and the slope is "
            "exactly 0.",
        ),
        right(
            "正好 0",
            "Exactly 0",
            "位置打多少分对谁都一样，数得准不准自然无所谓；先动的是表。",
            "Every position adds the same score, so counting better changes nothing yet; the table has to "
            "move first.",
        ),
        wrong(
            "无穷大：floor 不可导",
            "Infinite: floor has no derivative",
            "floor 有台阶。可插值的系数 p−⌊p⌋ 是连续的，斜率是两行之差。",
            "floor has steps. But the weight p−⌊p⌋ is continuous there, and the slope is the "
            "difference of two rows.",
        ),
    ),
    ask(
        "cope-longer",
        "Shaw（k = 16）、RoPE、CoPE（49 行）各学“从上次清零数到现在有几个”，长度 48 上训练，144 上测试。"
        "谁最好？",
        'Shaw (k = 16), RoPE and CoPE (49 rows) each learn "how many since the last reset", trained at '
        "length 48, tested at 144. Which is best?",
        wrong(
            "CoPE：它就是为数数设计的",
            "CoPE: it was made for counting",
            "论文的招牌任务就是数数。可 49 行的表里，后面的行没有训练过，长文本读到的正是它们；"
            "截短以后它才第一。",
            "Counting is the paper's own kind of task. But the later rows of a table of 49 were never "
            "trained, and a long text reads exactly those. With a shorter table CoPE does come first.",
        ),
        right(
            "Shaw：截断以后没有新距离",
            "Shaw: clipped, it meets no new distance",
            "16 以外都当作 16，长文本里没有一样是没见过的。五个种子的那场比赛（第 08 课）也是这样。",
            "Every distance beyond 16 counts as 16, so a long text brings nothing unseen. Lesson 08's race "
            "finds the same, with five seeds.",
        ),
        wrong(
            "RoPE：角度是周期的",
            "RoPE: angles are periodic",
            "角度确实转回来。可几个频率的组合在训练里没见过，它跌得最惨。",
            "Angles do come round. But the combination of several frequencies was never seen "
            "in training, and it falls furthest.",
        ),
    ),
)
