"""The guesses of lesson 04."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "five-hundred-apart",
        "1 · 一张只认识距离 −16 到 16 的表，碰上相距 500 的两个词元，会怎样？",
        "1 · a table knows the distances −16 to 16. What happens when two tokens are 500 apart?",
        wrong(
            "报错：没有这一行",
            "An error: there is no such row",
            "绝对位置的表是这样（第 03 课）。相对的表先截断，再查。",
            "A table of absolute positions does that (lesson 03). A relative one clips first.",
        ),
        right(
            "和相距 16 的词元查到同一行",
            "They read the same row as two tokens 16 apart",
            "截断以后都是 16：这一层只知道“很远”，不知道多远。",
            'Clipped, both are 16: the layer knows "far", not how far.',
        ),
        wrong(
            "互相看不见",
            "They cannot attend to each other",
            "滑动窗口是这样。截断的是距离，不是注意力：内容那一项照常。",
            "A sliding window does that. What is clipped is the distance, not attention: the term of the "
            "contents is there as ever.",
        ),
    ),
    ask(
        "table-of-pairs",
        "2 · 公式里每一对 (i, j) 都要一个向量。L = 2048，向量有 64 个数，每个 4 字节，共占多少内存？",
        "2 · the formula wants a vector for every pair (i, j). With L = 2048 and 64 numbers per vector of 4 "
        "bytes, how much memory is that?",
        wrong(
            "8 KiB：表只有 33 行",
            "8 KiB: the table has only 33 rows",
            "表本身确实这么小。可是照公式给每一对查一次，同样的 33 行一共抄了 L × L 遍。",
            "The table itself is no larger. Looked up for every pair, as the formula has it, its 33 rows "
            "are copied L × L times.",
        ),
        wrong(
            "16 MiB",
            "16 MiB",
            "这是每一对**一个数**的大小，分数矩阵就是这样。这里每一对是 64 个数。",
            "That is **one number** per pair, as in the matrix of scores. Here each pair has 64.",
        ),
        right(
            "1 GiB",
            "1 GiB",
            "2048 × 2048 × 64 × 4 字节 = 1 GiB，键和值各一张。先乘后取，就不用造它。",
            "2048 × 2048 × 64 × 4 bytes = 1 GiB, once for keys and once for values. Multiply first, hand "
            "out later, and it is never built.",
        ),
    ),
    ask(
        "distance-without-sign",
        "3 · 只告诉注意力相距几步（|j - i|），不说在哪一边。没有掩码时，它分得清“狗咬人”和“人咬狗”吗？",
        "3 · tell attention how many steps apart (|j − i|) and not on which side. Without a mask, can it "
        'tell "dog bites man" from "man bites dog"?',
        wrong(
            "分得清：有位置信息了",
            "Yes: there is some position in it now",
            "它确实知道谁近谁远，可是正着读和倒着读，远近都一样。",
            "It does know near from far, but forwards and backwards near and far are the same.",
        ),
        right(
            "分不清",
            "No",
            "倒过来读，每两个词之间的距离一个也没变，输出就只是倒过来。",
            "Read backwards, no distance between two words has changed, so the output merely comes out "
            "backwards.",
        ),
        wrong(
            "有好几个头就分得清",
            "Only with several heads",
            "每个头的斜率不同，可是左右都一样扣分，几个头合起来还是左右不分。",
            "Heads differ in their slopes, but each takes off as much on the left as on the right; together "
            "they cannot tell the sides either.",
        ),
    ),
)
