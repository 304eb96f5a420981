"""The guesses of lesson 01."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "dog-one-layer",
        "1 · 一层注意力，没有位置。“狗咬人”改成“人咬狗”，“狗”的新向量会变吗？",
        '1 · a layer of attention without positions. "Dog bites man" becomes "man bites dog". Does the new '
        'vector of "dog" change?',
        wrong(
            "会：它在句子里的位置变了",
            "Yes: its place in the sentence has changed",
            "我们读句子时看得见位置，就以为模型也看得见。可是公式里只有内容，i 和 j 只是名字。",
            "When we read, positions are in plain sight, and one believes that the model sees them. But the "
            "formula holds only content; i and j are names.",
        ),
        wrong(
            "会：它左右的词换了",
            "Yes: the words on its two sides have changed",
            "循环网络和卷积是这样。注意力没有“左右”：看得见的词还是那三个，加权求和不管次序。",
            "So it is with a recurrent network or a convolution. Attention has no sides: the same three "
            "words are in sight, and a weighted sum does not care about their order.",
        ),
        right(
            "不会",
            "No",
            "权重只由内容决定，求和又不管次序，所以一个数也不变。",
            "Weights depend only on content and a sum has no order, so not one number changes.",
        ),
    ),
    ask(
        "dog-six-layers",
        "2 · 不是一层，而是叠 6 层、每层好几个头，会变吗？",
        "2 · not one layer but a stack of 6, with several heads each. Does it change now?",
        wrong(
            "会：层数多了，总能认出次序",
            "Yes: with enough layers order can be worked out",
            "深度常常管用，但它只能加工已有的信息。每一层都把“打乱”原样传下去，没有哪一层能凭空造出次序。",
            "Depth often helps, but it works on what is there. Each layer passes a shuffle on as a shuffle, "
            "and none can make order out of nothing.",
        ),
        wrong(
            "会：不同的头看不同的词",
            "Yes: different heads attend to different words",
            "头与头看的确实不同，但每个头自己都是等变的，拼在一起也是。",
            "Heads do attend to different words, but each is equivariant, and so are they together.",
        ),
        right(
            "不会",
            "No",
            "等变的函数一个接一个，还是等变：6 层也好，600 层也好。",
            "One equivariant function after another is equivariant, be it 6 layers or 600.",
        ),
    ),
    ask(
        "dog-causal",
        "3 · 只有一层、没有位置编码，但加上因果掩码（每个词只能看自己和前面的词），会变吗？",
        "3 · one layer, no position encoding, but a causal mask (each word sees itself and the words before "
        "it). Does it change?",
        right(
            "会",
            "Yes",
            "“狗”在句首只看得见自己，在句尾还看得见另外两个词：看得见哪些，本身就是位置的线索。",
            'At the start "dog" sees only itself, at the end the two other words as well: which are in sight '
            "is a clue to the position.",
        ),
        wrong(
            "不会：掩码只遮住信息，不增加信息",
            "No: a mask hides information and adds none",
            "听上去很有道理。可是**遮住了哪些**由位置决定，所以掩码自己就带着次序进来了。",
            "It sounds right. But **which** are hidden depends on position, and so the mask itself brings "
            "order in.",
        ),
        wrong(
            "不会：没有位置编码，顺序就进不来",
            "No: without a position encoding order cannot come in",
            "没有掩码时确实如此，上面证明过。证明要每一行的分母加遍所有的词；有了掩码，这一步就断了。",
            "Without a mask that is true, and proved above. The proof needs every row's denominator to run "
            "over all words; under a mask that step breaks.",
        ),
    ),
    ask(
        "twice-as-many",
        "4 · 没有位置，也没有句首词元。先读“狗咬”，再读“狗狗咬咬”：最后一行一样吗？一层因果注意力，"
        "和六层双向的，各会怎样？",
        '4 · no positions and no first token. Read "dog bites", then "dog dog bites bites": is the last row '
        "the same? With one causal layer, and with six bidirectional ones?",
        wrong(
            "都不一样：多了一倍的词",
            "In neither: there are twice as many words",
            "个数翻了一倍，比例却没有变。softmax 只分份额，分给“狗”的和分给“咬”的还是原来那么多。",
            "Their number has doubled, but not their proportions. Softmax hands out shares, and the dogs "
            "together get as much as before, and so do the bites.",
        ),
        wrong(
            "因果的一样，双向的六层就数得出来",
            "With the causal layer, but six bidirectional ones can count",
            "层数多也数不出来：双向时，相同的词每层都得到相同的行，比例层层不变。",
            "Depth does not help to count: bidirectional, equal words get equal rows in every layer, and the "
            "proportions stay as they are.",
        ),
        right(
            "都一样",
            "In both",
            "每层都是份额的平均，只认比例，不认个数。因果注意力叠到第二层，才分得出来。",
            "Each layer averages by shares and knows proportions, not numbers. Only a second causal layer "
            "can tell them apart.",
        ),
    ),
)
