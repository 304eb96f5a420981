"""The guesses of lesson 02."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "row-of-zero",
        "1 · d = 4 时，位置 0 的那一行是什么？",
        "1 · with d = 4, what is the row of position 0?",
        wrong(
            "`0 0 0 0`",
            "`0 0 0 0`",
            "位置是 0，就以为向量也是 0。角度是 0，可是 cos 0 = 1。",
            "Position 0, so 0 throughout? The angles are 0, but cos 0 = 1.",
        ),
        right(
            "`0 1 0 1`",
            "`0 1 0 1`",
            "所有的角度都是 0，正弦是 0，余弦是 1：指针全指着十二点。",
            "Every angle is 0, its sine 0 and its cosine 1: all hands point at twelve.",
        ),
        wrong(
            "`0 0 1 1`",
            "`0 0 1 1`",
            "先全部正弦、再全部余弦的代码是这样；论文的公式是一对一对交错的。",
            "Code that puts all sines first gives this; the paper's formula interleaves the pairs.",
        ),
    ),
    ask(
        "columns-that-move",
        "2 · d = 4，从位置 1 走到位置 2，哪两列变化大？",
        "2 · with d = 4, from position 1 to position 2, which two columns change a lot?",
        right(
            "第 0、1 列",
            "columns 0 and 1",
            "第一只钟每步转 1 弧度，第二只只转 0.01 弧度：快的在左，慢的在右。",
            "The first clock turns 1 radian a step, the second 0.01: fast on the left, slow on the right.",
        ),
        wrong(
            "第 2、3 列",
            "columns 2 and 3",
            "和写数字相反：十进制数里变得快的是最右边一位，这里最快的在最左边。",
            "It is the other way round from written numbers, where the rightmost digit is the fast one; "
            "here the fastest stands on the left.",
        ),
        wrong(
            "两个正弦列，第 0、2 列",
            "the two sines, columns 0 and 2",
            "快慢由频率决定，不由正弦还是余弦决定：一对里的两列属于同一只钟。",
            "The pace is the frequency's, not the sine's or the cosine's: both columns of a pair belong to "
            "one clock.",
        ),
    ),
    ask(
        "dot-product-far",
        "3 · 位置 3 和 5 的向量做点积，再拿位置 1003 和 1005 的来比，哪一个大？",
        "3 · the dot product of the vectors of positions 3 and 5, and that of 1003 and 1005. Which is "
        "larger?",
        wrong(
            "3 和 5 的大",
            "that of 3 and 5",
            "按比例想，3 和 5 差得多。可是钟只认相差几步。",
            "By proportion 3 and 5 differ much more. But clocks know only how many steps apart.",
        ),
        wrong(
            "1003 和 1005 的大",
            "that of 1003 and 1005",
            "数越大，以为向量也越大。正弦和余弦总在 −1 和 1 之间，每一行的模都一样。",
            "Larger positions, larger vectors? Sines and cosines stay between −1 and 1, and all rows have "
            "one norm.",
        ),
        right(
            "一样大",
            "they are equal",
            "点积是 Σ cos(kθ_i)，里面只有相差的步数 k = 2。",
            "The dot product is Σ cos(kθ_i), and only k = 2, the steps in between, is in it.",
        ),
    ),
)
