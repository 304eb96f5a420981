"""Attention, and the Transformer built around it."""

from __future__ import annotations

from posenc_lessons.course.glossary.term import Term
from posenc_lessons.language import Text

ATTENTION = (
    Term(
        "attention",
        "注意力",
        Text(
            "每个词元按权重从各个词元那里取来信息；权重由查询和键的点积决定。",
            "Each token gathers information from the tokens by weights, and the weights come from dot "
            "products of queries with keys.",
        ),
        lesson="01",
        fixed=True,
        source="Vaswani et al. 2017, arXiv 1706.03762",
    ),
    Term(
        "self-attention",
        "自注意力",
        Text(
            "查询、键和值都来自同一个序列的注意力。",
            "Attention whose queries, keys and values all come from one and the same sequence.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "cross-attention",
        "交叉注意力",
        Text(
            "查询来自一个序列，键和值来自另一个；解码器就这样读编码器的输出。",
            "Attention whose queries come from one sequence, its keys and values from another: how a decoder "
            "reads the encoder's output.",
        ),
        lesson="07",
        fixed=True,
    ),
    Term(
        "query",
        "查询",
        Text(
            "词元发出的问题：一个向量，拿去和每个键做点积。",
            "The question a token asks: a vector that meets every key in a dot product.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "key",
        "键",
        Text(
            "词元挂出的招牌：一个向量，和查询的点积越大，就越受注意。",
            "The sign a token hangs out: a vector. The larger its dot product with a query, the more "
            "attention it gets.",
        ),
        lesson="01",
    ),
    Term(
        "value",
        "值",
        Text(
            "词元被注意到时交出的内容：一个向量，输出是这些向量的加权和。",
            "What a token hands over when it is attended to: a vector. The output is a weighted sum of "
            "these.",
        ),
        lesson="01",
    ),
    Term(
        "head",
        "头",
        Text(
            "注意力的一路：有自己的查询、键和值，宽度是 d_k；几个头并排，各看各的。",
            "One strand of attention, with queries, keys and values of its own, d_k wide. Several heads work "
            "side by side, each looking for something else.",
        ),
        lesson="01",
    ),
    Term(
        "multi-head attention",
        "多头注意力",
        Text(
            "把特征分给几个头，各自做注意力，再拼起来乘一个矩阵。",
            "Features shared out among several heads; each attends on its own, and the results are joined "
            "and multiplied by one more matrix.",
        ),
        lesson="01",
        fixed=True,
        source="Vaswani et al. 2017, arXiv 1706.03762",
    ),
    Term(
        "score",
        "分数",
        Text(
            "softmax 之前，一个查询对一个键的打分：q·k / √d_k，可能再加一个位置偏置。",
            "What a query thinks of a key before softmax: q·k / √d_k, perhaps plus a bias for position.",
        ),
        lesson="01",
    ),
    Term(
        "attention weight",
        "注意力权重",
        Text(
            "分数经过 softmax 的结果：都不小于 0，每一行的和是 1。",
            "A score after softmax. Weights are never below 0, and each row of them adds up to 1.",
        ),
        lesson="01",
        also=("权重",),
        fixed=True,
    ),
    Term(
        "softmax",
        "softmax",
        Text(
            "先取指数，再除以总和，把一行分数变成一行权重；一定要说清沿哪个维度。",
            "Exponentials divided by their sum, which turn a row of scores into a row of weights. Always say "
            "along which dimension.",
        ),
        lesson="01",
    ),
    Term(
        "logits",
        "logits",
        Text(
            "还没有归一化的分数，softmax 的输入；模型最后一层给每个候选词元一个。",
            "Scores not yet normalised, what goes into softmax. A model's last layer gives one for every "
            "token it could say next.",
        ),
        lesson="07",
    ),
    Term(
        "scaled dot-product attention",
        "缩放点积注意力",
        Text(
            "softmax(QKᵀ / √d_k) V；除以 √d_k，分数的大小就不随头的宽度增长。",
            "softmax(QKᵀ / √d_k) V. Dividing by √d_k keeps scores from growing with the width of a head.",
        ),
        lesson="01",
        fixed=True,
        source="Vaswani et al. 2017, arXiv 1706.03762",
    ),
    Term(
        "mask",
        "掩码",
        Text(
            "一张布尔表，说哪个查询可以看哪个键；不许看的分数填 −∞，权重就是 0。本课里 True 表示可以看。",
            "A boolean table of which query may look at which key. A forbidden score becomes −∞ and its "
            "weight 0. In this course True means may look.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "causal mask",
        "因果掩码",
        Text(
            "只许看自己和前面的词元的掩码，下三角；没有它，语言模型训练时会偷看答案。",
            "The lower-triangular mask by which a token sees only itself and those before it. Without it a "
            "language model in training peeks at the answer.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "cache",
        "缓存",
        Text(
            "算过一次、留着再用的结果；它依赖的东西变了就必须重算。"
            "“缓存 cos 和 sin 的值”是说把这两张表存下来。",
            "A result kept to be used again; when what it depends on changes, it must be computed anew. To "
            "“cache cos and sin values” is to keep those two tables.",
        ),
        lesson="05",
    ),
    Term(
        "KV cache",
        "KV 缓存",
        Text(
            "逐个生成词元时留下的旧键和旧值；新词元只算自己的，位置从已有的长度接着数。",
            "The keys and values kept while tokens are generated one by one. A new token computes only its "
            "own, and its position goes on from the length so far.",
        ),
        lesson="07",
        fixed=True,
    ),
    Term(
        "residual connection",
        "残差连接",
        Text(
            "把一层的输入加到它的输出上；信息多了一条近路，很深的网络也能训练。",
            "A layer's input added to its output: a short cut for information, which lets very deep networks "
            "train.",
        ),
        lesson="07",
        also=("残差",),
        fixed=True,
    ),
    Term(
        "layer normalisation",
        "层归一化",
        Text(
            "把每个词元自己的 d 个特征调成均值 0、方差 1，再乘一个系数、加一个偏移；不跨位置。",
            "Brings the d features of each token to mean 0 and variance 1, then scales and shifts them. It "
            "never reaches across positions.",
        ),
        lesson="07",
        source="Ba et al. 2016, arXiv 1607.06450",
    ),
    Term(
        "feed-forward network",
        "前馈网络",
        Text(
            "两个线性层夹一个非线性函数，对每个位置单独算，参数共用。",
            "Two linear layers with a nonlinearity between, applied to each position by itself with shared "
            "parameters.",
        ),
        lesson="07",
        fixed=True,
    ),
    Term(
        "encoder",
        "编码器",
        Text(
            "读完整个输入的那一半 Transformer，每个词元可以看所有词元。",
            "The half of a Transformer that reads the whole input, every token looking at all the others.",
        ),
        lesson="07",
        fixed=True,
    ),
    Term(
        "decoder",
        "解码器",
        Text(
            "从左到右写输出的那一半 Transformer，用因果掩码，可以再用交叉注意力读编码器。",
            "The half of a Transformer that writes, from left to right, under a causal mask; cross-attention "
            "may let it read the encoder.",
        ),
        lesson="07",
        fixed=True,
    ),
    Term(
        "dropout",
        "随机失活",
        Text(
            "训练时随机把一部分数变成 0，其余的放大一点，均值不变；用模型时关掉。",
            "In training, some numbers are set to 0 at random and the rest scaled up, which keeps the mean. "
            "In use it is switched off.",
        ),
        lesson="02",
        also=("dropout",),
    ),
    Term(
        "fused attention",
        "融合注意力",
        Text(
            "把注意力的几步并成一个算子，不写出 L×L 的权重；快而省内存，代价是看不到权重。",
            "All steps of attention in one operation that never writes down the L×L weights: fast and small, "
            "at the price of not seeing them.",
        ),
        lesson="07",
        source="Dao et al. 2022, arXiv 2205.14135",
    ),
)
