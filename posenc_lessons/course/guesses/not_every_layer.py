"""The guesses of lesson 10."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "layers-without-positions",
        "一个因果模型，每四层有一层没有任何位置编码。那一层知道词元的先后吗？",
        "A causal model has no position encoding at all in one layer of every four. Does that layer know the "
        "order of the tokens?",
        wrong(
            "不知道：没有位置，注意力看不出次序",
            "No: without positions attention cannot see order",
            "对一层没有掩码的注意力是这样。这里有因果掩码，下面还有三层已经看过次序。",
            "True of a single layer without a mask. Here there is a causal mask, and below it are three "
            "layers that have seen the order.",
        ),
        right(
            "知道：掩码漏进来一点，其余是下面的层写进向量里的",
            "Yes: the mask lets a little in, and the layers below have written the rest into the vectors",
            "它自己的分数只比内容。可是它比的内容，已经是下面几层按位置混合过的。",
            "Its own scores compare content only. But the content it compares was mixed by position in the "
            "layers below.",
        ),
        wrong(
            "知道：因果掩码把次序全告诉了它",
            "Yes: the causal mask tells it the whole order",
            "掩码确实漏进来次序。可是只有一层时，前面的词元怎样对调，最后一个都看不出来；文本一长，漏进来的也越来越弱。",
            "The mask does let order in. But with one layer the last token cannot tell how those before it "
            "were exchanged, and the longer the text, the weaker what gets in.",
        ),
    ),
    ask(
        "gap-of-a-thousand",
        "四层：三层旋转，各看一个窗口；一层看得见全部，没有位置。文本的后一半，位置都加上 1000。"
        "输入不变，哪几层的注意力权重会变？",
        "Four layers: three rotate and see a window each, one sees all and has no positions. Add 1000 to "
        "every position in the second half of the text. With the same input, in which layers do the "
        "attention weights change?",
        wrong(
            "四层都变：位置改了",
            "In all four: the positions are different",
            "四层收到的位置确实都变了。可是有一层从来不读它们。",
            "All four do receive other positions. But one of them never reads them.",
        ),
        right(
            "只有旋转的那三层",
            "Only in the three that rotate",
            "跨过断口的一对词元，距离多了 1000，旋转的层就看见了；没有位置的层只比内容，一点也不变。",
            "For a pair of tokens across the gap the distance has grown by 1000, and a rotating layer sees "
            "it; the layer without positions compares content and does not change at all.",
        ),
        wrong(
            "只有看得见全部的那一层：窗口够不到 1000 那么远",
            "Only in the one that sees all: no window reaches as far as 1000",
            "窗口确实短。可是窗口数的是词元，不是位置：断口两边的词元仍然挨着，都在窗口里。",
            "A window is short indeed. But it counts tokens, not positions: the tokens at the gap are still "
            "neighbours, both inside the window.",
        ),
    ),
    ask(
        "windows-in-a-row",
        "32 层，每层都只看最近 4096 个词元。最后一个词元的输出，最多取决于往回多少个词元？",
        "32 layers, each of which sees only the latest 4096 tokens. On how many tokens, counted back from "
        "the last, can the last output depend?",
        wrong(
            "4096 个",
            "4096",
            "一层是 4096 个。可是窗口里最早的那个词元，在下面那层也往回看过同样多。",
            "For one layer, yes. But the earliest token in the window has itself looked back 4096 in the "
            "layer below.",
        ),
        right(
            "131,000 个左右",
            "About 131,000",
            "每层多 4095 个，32 层接起来是 1 + 32·4095 = 131041。",
            "Each layer adds 4095, and 32 of them in a row make 1 + 32·4095 = 131041.",
        ),
        wrong(
            "整段文本，不论多长",
            "The whole text, however long",
            "窗口会接起来，所以够得很远。可是每层只多出一个窗口，总归有限。",
            "Windows do join up, so it reaches far. But each layer adds one window and no more.",
        ),
    ),
    ask(
        "slowest-that-rotates",
        "头宽 512，底数 1000000，旋转 64 对。部分旋转在指数里除以 128，按比例旋转除以 512。"
        "谁的最慢的一对转得更慢？",
        "A head of width 512, base 1000000, 64 pairs that rotate. Partial rotation divides the exponent by "
        "128, proportional rotation by 512. In which of them is the slowest rotating pair slower?",
        right(
            "部分旋转",
            "Partial rotation",
            "除以 128，64 对就走完整条频谱，末尾接近 1/底数；除以 512，它们只是整条频谱里最快的四分之一。",
            "Divided by 128, the 64 pairs run through the whole spectrum, down to nearly 1/base; divided by "
            "512, they are only the fastest quarter of it.",
        ),
        wrong(
            "按比例旋转",
            "Proportional rotation",
            "除数大，听起来频率就小。可是它除的是负指数：除得越多，频率越接近 1。",
            "A larger divisor sounds like a smaller frequency. But it divides a negative exponent: the more "
            "it divides, the closer the frequency is to 1.",
        ),
        wrong(
            "一样：都是 64 对，底数也一样",
            "Neither: 64 pairs and the same base in both",
            "对数和底数都一样，第一对也一样，是 1。从第二对起，频率就分开了。",
            "Pairs and base are the same, and so is the first frequency, 1. From the second pair on they "
            "part.",
        ),
    ),
    ask(
        "one-absorbed-query",
        "键是 W c，先压缩再还原，所以缓存里只要留 c。要是键还要按自己的位置旋转，"
        "能不能仍然只用一个查询，直接和每个 c 比？",
        "A key is W c, compressed and restored, so that a cache need keep only c. If the key is also rotated"
        " by its position, can one query still be compared with every c directly?",
        wrong(
            "能：旋转也是矩阵，乘进 W 里就行",
            "Yes: a rotation is a matrix too and can be multiplied into W",
            "旋转确实是矩阵。可是每个距离是另一个矩阵，乘进去以后，每个距离也就是另一个查询。",
            "It is a matrix. But it is another one for each distance, and multiplied in it makes another "
            "query for each distance.",
        ),
        right(
            "不能：每个距离要一个不同的查询",
            "No: each distance needs another query",
            "分数是 (Wᵀ R q)·c，中间的 R 由距离决定。要么给每个键都还原一次，要么另留几个特征专门旋转。",
            "The score is (Wᵀ R q)·c, and the R in between depends on the distance. Either every key is "
            "restored, or a few features are set apart to rotate.",
        ),
        wrong(
            "能：把 c 旋转了再存",
            "Yes: rotate c before it is kept",
            "这样缓存倒是对了。可是 W 和旋转不能交换次序，W(R c) 不是 R(W c)，算出来的是另一个模型。",
            "The cache would be fine. But W and the rotation do not commute: W(R c) is not R(W c), and the "
            "result is another model.",
        ),
    ),
)
