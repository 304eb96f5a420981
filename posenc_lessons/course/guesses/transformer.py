"""The guesses of lesson 07."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "transformer-view",
        "把 [B, L, d] 的张量直接 view 成 [B, h, L, d/h]，形状对了。数对吗？",
        "view a [B, L, d] tensor directly as [B, h, L, d/h]: the shape is right. Are the numbers?",
        wrong(
            "对：一个数也没丢",
            "Yes: no number is lost",
            "view 回去确实完全复原。可头 0 拿到的是前几个词元的全部特征，不是每个词元的前一段。",
            "A view back does restore everything. But head 0 gets all the features of the first "
            "tokens, not the first features of every token.",
        ),
        right(
            "不对：词元混进了不同的头",
            "No: tokens end up in different heads",
            "先拆最后一维，再把头换到前面；少了转置（transpose），后面的词元在头 0 里整个不见了。",
            "Split the last axis first, then move heads to the front; without the transpose later tokens "
            "are missing from head 0 altogether.",
        ),
        wrong(
            "不对，不过形状会报错",
            "No, but the shape raises an error",
            "形状不对多半会报错，可这里元素个数相等，view 乐意得很。",
            "Wrong shapes mostly raise one. But here the number of elements agrees, and view is happy.",
        ),
    ),
    ask(
        "transformer-parameters",
        "一个编码器层里（f = 4d），注意力和前馈，谁的参数多？",
        "In an encoder layer with f = 4d, which has more parameters, attention or feed-forward?",
        wrong(
            "注意力",
            "Attention",
            "论文的名字里只有它，可它只有四个 d × d 的矩阵。",
            "It is the one in the paper's title. But it has only four matrices of d × d.",
        ),
        wrong(
            "一样多",
            "The same",
            "两个子层并列，看上去不相上下。可四个 d × d 对两个 d × 4d，后者相当于八个。",
            "The two sublayers stand side by side and look alike. But it is four of d × d against two of d × "
            "4d, worth eight.",
        ),
        right(
            "前馈，多一倍",
            "Feed-forward, twice as many",
            "两个 d × 4d 的矩阵，相当于八个 d × d。",
            "Two matrices of d × 4d, worth eight of d × d.",
        ),
    ),
    ask(
        "transformer-bag",
        "完全没有位置编码，编码器加解码器学得会把 10 个随机字母倒着写吗？学得会排序吗？",
        "With no position encoding at all, can encoder and decoder learn to write 10 random letters "
        "backwards? To sort them?",
        wrong(
            "两样都学不会",
            "Neither",
            "顺序是位置给的。可排序只问有什么，不问在哪里。",
            "Order does come from positions. But sorting asks only what is there, not where.",
        ),
        right(
            "排序会，倒写只对一半",
            "Sorting yes; reversing gets half of it",
            "一袋字母就够排序；倒写时，猜剩下最多的那种字母能对 0.48，没有位置的模型到不了更高。",
            "A bag of letters is enough to sort; for reversing, guessing the commonest letter left is right "
            "0.48 of the time, and no model without positions gets further.",
        ),
        wrong(
            "两样都会，因果掩码透露了顺序",
            "Both: the causal mask gives order away",
            "掩码确实透露了目标的顺序。可原文是编码器读的，那里没有因果掩码。",
            "The mask does give away the order of the target. But the source is read by the "
            "encoder, which has no causal mask.",
        ),
    ),
    ask(
        "transformer-cross-cache",
        "一步一步地写，自注意力的缓存每步多一个键和值。交叉注意力的缓存呢？",
        "Writing step by step, the cache of self-attention grows by one key and value a step. And that of "
        "cross-attention?",
        wrong(
            "也每步多一个",
            "It grows by one a step too",
            "两种注意力的代码一样。可它的键和值来自原文，原文没有变长。",
            "Both run the same code. But its keys and values come from the source, which does not grow.",
        ),
        right(
            "第一步算好，以后不变",
            "It is made at the first step and stays",
            "memory 不变，键和值也就不变；每步重算一遍，答案对，只是白费功夫。",
            "The memory stays, and so do its keys and values; computing them again in each step gives the "
            "right answer for wasted work.",
        ),
        wrong(
            "不能缓存，每步要重算",
            "It cannot be cached and is computed again each step",
            "每步的查询确实不同。可变的只是查询，键和值与它无关。",
            "Each step does have another query. But only the query changes; keys and values do "
            "not depend on it.",
        ),
    ),
    ask(
        "transformer-embedding",
        "刚建好的嵌入，10000 个词，512 维，照论文乘上 √512，再加正弦位置。位置还分辨得出来吗？",
        "A fresh embedding of 10000 words, 512 wide, times √512 as in the paper, plus sinusoidal positions: "
        "can the positions still be made out?",
        wrong(
            "可以：乘法只是放大",
            "Yes: the factor only enlarges",
            "放大不丢信息，这话不错。可放大的只有词：它的标准差成了 22.6，位置的均方根只有 0.71。",
            "Enlarging loses nothing, true. But it enlarges only words: their spread becomes "
            "22.6, against 0.71 for positions.",
        ),
        right(
            "几乎不行",
            "Hardly",
            "单看点积最大的位置，只猜对 4%；不乘的时候是 94%。",
            "Taking the position with the largest dot product gets 4% right; without the factor it is 94%.",
        ),
        wrong(
            "不行，但不乘词就分辨不出",
            "No, but without it words cannot be made out",
            "论文说要放大词。可这种嵌入的标准差已经是 1，不乘时词猜对 100%。",
            "The paper says to enlarge words. But such an embedding has spread 1 already, and "
            "without the factor words are guessed at 100%.",
        ),
    ),
)
