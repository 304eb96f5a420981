"""What a model reads: text, vectors, tensors."""

from __future__ import annotations

from posenc_lessons.course.glossary.term import Term
from posenc_lessons.language import Text

WORDS = (
    Term(
        "token",
        "词元",
        Text(
            "模型读写文字的最小单位：一个词、半个词，或者一个字。",
            "The smallest piece of text a model reads or writes: a word, part of one, or a single character.",
        ),
        lesson="01",
        also=("句首标记", "句子类型"),  # the first token, BERT's token type
        fixed=True,
    ),
    Term(
        "vocabulary",
        "词表",
        Text(
            "模型认得的全部词元；每个词元有一个编号，嵌入表按编号取行。",
            "All the tokens a model knows. Each has a number, and the embedding table is looked up by it.",
        ),
        lesson="07",
    ),
    Term(
        "tokenizer",
        "分词器",
        Text(
            "把文字切成词元、再换成编号的程序；它不属于网络，训练网络时也不变。",
            "The program that cuts text into tokens and numbers them. It is no part of the network and does "
            "not change while the network trains.",
        ),
        lesson="07",
    ),
    Term(
        "embedding",
        "嵌入",
        Text(
            "代表一个词元的向量，从一张可训练的表里按编号取出。",
            "The vector that stands for a token, looked up by number in a table that is trained.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "feature",
        "特征",
        Text(
            "向量里的一个数，也就是张量最后一个维度上的一列；模型用它记住某种性质。",
            "One number of a vector: a column along a tensor's last dimension, where the model keeps some "
            "property.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "sequence",
        "序列",
        Text(
            "排成一行、有先有后的词元；长度记作 L。",
            "Tokens in a row, with a first and a last. Its length is written L.",
        ),
        lesson="01",
    ),
    Term(
        "batch",
        "批",
        Text(
            "同时算的几条序列，叠成张量的第一个维度；各条之间互不影响。",
            "Several sequences computed together, stacked along a tensor's first dimension. They do not "
            "affect one another.",
        ),
        lesson="01",
        also=("批次", "批量"),
    ),
    Term(
        "model width",
        "模型宽度",
        Text(
            "每个词元的向量有多少个特征，代码里叫 d_model；分给 h 个头，每个头得到 d_model / h 个。",
            "How many features each token's vector has, d_model in code. Shared among h heads, each gets "
            "d_model / h.",
        ),
        lesson="01",
        source="Vaswani et al. 2017, arXiv 1706.03762",
    ),
    Term(
        "context window",
        "上下文窗口",
        Text(
            "模型一次最多能看多少个词元。",
            "The most tokens a model can look at in one go.",
        ),
        lesson="08",
    ),
    Term(
        "padding",
        "填充",
        Text(
            "为了让一批序列一样长而补在短序列后面的空词元；要用掩码遮住，否则会被当成真的来看。",
            "Empty tokens added to the shorter sequences of a batch so that all are equally long. A mask "
            "hides them, or they are read as if they were real.",
        ),
        lesson="07",
        also=("空位",),
    ),
    Term(
        "tensor",
        "张量",
        Text(
            "多维的数表；形状 [B, h, L, d] 从左到右说出每个维度有多长。",
            "A table of numbers with any number of dimensions. Its shape, such as [B, h, L, d], gives the "
            "length of each.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "broadcasting",
        "广播",
        Text(
            "两个形状不同的张量相运算时，把长度为 1 的维度当作重复了很多遍，并不真的复制。",
            "How tensors of different shapes meet: a dimension of length 1 acts as if it were repeated, "
            "without being copied.",
        ),
        lesson="02",
        fixed=True,
    ),
    Term(
        "slice",
        "切片",
        Text(
            "用冒号取出张量的一段；table[:, :L] 是前 L 行，table[:, L] 只是第 L 行，少一个冒号就是另一回事。",
            "A stretch of a tensor, taken with a colon. table[:, :L] is the first L rows, table[:, L] is "
            "row L alone: one colon makes all the difference.",
        ),
        lesson="02",
    ),
    Term(
        "vectorised code",
        "向量化代码",
        Text(
            "把循环换成整块张量的运算；结果一样，快几十到几千倍。",
            "Code that replaces loops by operations on whole tensors: the same result, tens to thousands of "
            "times faster.",
        ),
        lesson="02",
        also=("向量化",),
    ),
)
