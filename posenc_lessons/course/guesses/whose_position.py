"""The guesses of lesson 09."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "shifted-together",
        "一段文本左边填充了 2 格，填充都挡住了，只是真词元的位置成了 2、3、4，而不是 0、1、2。输出变不变？",
        "A text has 2 columns of padding on the left. They are hidden, but its real tokens now stand at 2, "
        "3, 4 instead of 0, 1, 2. Does the output change?",
        wrong(
            "用 RoPE 或可学习的表，都不变",
            "No, neither with RoPE nor with a learned table",
            "词元之间的关系没有变。可是表加上去的成了第 2、3、4 行，和第 0、1、2 行不同。",
            "The tokens stand to one another as before. But the table adds rows 2, 3, 4, "
            "which are not the vectors of rows 0, 1, 2.",
        ),
        right(
            "用 RoPE 不变，用表就变",
            "Not with RoPE, but with a table",
            "旋转的分数只看 n−m，一起移动就消掉了；表里的另外几行没有理由给出同样的分数。",
            "A rotated score sees only n−m, and what both have added cancels; other rows of a table have "
            "no reason to give the same scores.",
        ),
        wrong(
            "都变：每个位置都不对了",
            "Yes, with both: every position is wrong",
            "模型收到的每个数都变了，每个向量也都多转了一点。可是分数里只有两个角度之差。",
            "Every number that the model gets is different, and every vector is rotated "
            "further. But a score holds only the difference of two angles.",
        ),
    ),
    ask(
        "padding-on-the-right",
        "填充在右边，模型是因果的，忘了把填充挡住。真词元的输出变不变？",
        "Padding on the right, a causal model, and nobody hid the padding. Does the output of real tokens "
        "change?",
        wrong(
            "变：它们看见了填充",
            "Yes: they see padding",
            "没有因果掩码的编码器是这样，填充在左边时也是这样。这里填充全在后面。",
            "So it is in an encoder, which has no causal mask, and with padding on the left. Here all "
            "padding comes later.",
        ),
        wrong(
            "只有短的那几段变",
            "Only in the shorter texts",
            "只有它们有填充。可是它们也看不见排在自己后面的东西。",
            "Only they have padding. But they too see nothing that comes after them.",
        ),
        right(
            "不变",
            "No",
            "因果掩码已经把后面的都挡住了，填充也在其中。一边读一边生成时就不一样了：新词元接在填充后面。",
            "The causal mask hides all that comes later, padding included. It is another matter when the "
            "model goes on to generate: new tokens come behind that padding.",
        ),
    ),
    ask(
        "packed-reset-alone",
        "两篇文档接成一行，没有文档掩码，模型用 RoPE。把第二篇的位置改成重新从 0 数起，"
        "它的输出离单独运行更近了吗？",
        "Two documents are joined into one row without a document mask; the model has RoPE. Now the second "
        "is counted from 0 again. Does its output come nearer to that of a run alone?",
        wrong(
            "更近了",
            "Nearer",
            "位置和单独运行时完全一样了。可是同一篇里的差本来就没错，要治的不是位置。",
            "The positions are now those of a run by itself. But inside a document the differences "
            "were right before, so positions were not the trouble.",
        ),
        wrong(
            "一样远",
            "Neither nearer nor further",
            "一起移动不改变分数，可那说的是同一篇里；两篇之间的距离变了。",
            "A common shift changes no score: true inside one document; distances between "
            "the two have changed.",
        ),
        right(
            "更远了",
            "Further away",
            "前一篇被拉到了跟前：两篇用同一套位置，光看位置分不清该看哪一篇。",
            "The document before was brought close by: both now have the same positions, and position no "
            "longer tells which of the two to look at.",
        ),
    ),
    ask(
        "base-forgotten",
        "模型按底数 500000 训练，读文件的代码却用了 10000。第 5 个字母错得多，还是第 45 个？",
        "A model trained with base 500000 is run with 10000. Which is worse off, letter 5 or letter 45?",
        wrong(
            "第 5 个",
            "Letter 5",
            "开头能看的东西少，经不起错。可是近处的角度几乎没错：转错多少，和相距多远成正比。",
            "At the beginning there is little to look at. But angles nearby are almost "
            "right: the error is proportional to the distance.",
        ),
        wrong(
            "一样：每个角度都错了",
            "Neither: every angle is wrong",
            "错的底数用在每一对上。可是转错多少要乘上距离，第一对的频率还是 1，根本没变。",
            "The wrong base does go into every pair. But the error is multiplied by the "
            "distance, and the first pair has frequency 1 with any base.",
        ),
        right(
            "第 45 个",
            "Letter 45",
            "相距 |n−m|，第 i 对转错 |n−m|·(θ′−θ)：越靠后，要看的东西可能离得越远。",
            "At a distance |n−m| pair i is off by |n−m|·(θ′−θ), and a letter late in the text may have to "
            "look further back.",
        ),
    ),
    ask(
        "first-token-dropped",
        "缓存只留最近 16 个，最早的起始词元就这样扔掉了。任务只要看最近十来个字母。会怎样？",
        "The cache keeps the latest 16, and so the start token is thrown out. The task needs the latest ten "
        "letters or so. What happens?",
        wrong(
            "没有影响",
            "Nothing",
            "没有一个答案要从它那里读。可是 softmax 每行的和必须是 1，权重总得放在哪里。",
            "No answer is read from it. But the weights of a softmax must sum to 1, and they "
            "have to go somewhere.",
        ),
        right(
            "见过的字母还答得好，没见过的全错",
            "Letters seen before are fine, new ones all wrong",
            "见过的，要看的就在窗口里；没见过的没有地方可看，权重本来都放在起始词元上。",
            "What a seen letter needs is in the window. A new one has nowhere to look, and its weight used "
            "to go to the start token.",
        ),
        wrong(
            "什么都答错",
            "Everything goes wrong",
            "论文里的模型丢了开头的词元就垮。可垮的是把权重放在那里的那些头，有东西可看的照旧。",
            "The paper's models do break down without their first tokens. But what breaks are heads "
            "that put their weight there; those with something to look at go on.",
        ),
    ),
)
