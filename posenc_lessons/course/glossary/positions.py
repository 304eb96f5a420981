"""How order gets in: positions and their encodings."""

from __future__ import annotations

from posenc_lessons.course.glossary.term import Term
from posenc_lessons.language import Text

POSITIONS = (
    Term(
        "position encoding",
        "位置编码",
        Text(
            "让注意力知道词元站在哪里的办法，从四道门之一进来。",
            "Whatever tells attention where tokens stand. It comes in by one of the four doors.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "position index",
        "位置索引",
        Text(
            "词元在序列里排第几，从 0 数起。",
            "Where a token stands in its sequence, counted from 0.",
        ),
        lesson="00",
        also=("位置",),
        fixed=True,
    ),
    Term(
        "the four doors",
        "四道门",
        Text(
            "顺序能进入注意力的四处：嵌入、查询和键、分数、值。",
            "The four places where order can enter attention: the embeddings, the queries and keys, the "
            "scores, the values.",
        ),
        lesson="01",
        also=("四扇门",),
    ),
    Term(
        "permutation",
        "置换",
        Text(
            "把一行东西重新排列，一个不多，一个不少；写成矩阵，就是每行每列各有一个 1。",
            "A rearrangement of things in a row, none lost and none added. As a matrix it has a single 1 in "
            "each row and each column.",
        ),
        lesson="01",
        also=("打乱", "排列"),
        fixed=True,
    ),
    Term(
        "permutation equivariance",
        "置换等变",
        Text(
            "打乱输入，输出跟着同样地打乱，此外什么也不变：f(Px) = P f(x)。没有位置的自注意力正是如此。",
            "Shuffle the input and the output is shuffled alike, with nothing else changed: f(Px) = P f(x). "
            "Self-attention without positions is just that.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "permutation invariance",
        "置换不变",
        Text(
            "打乱输入，输出一点也不变：f(Px) = f(x)；求和、求平均就是这样。",
            "Shuffle the input and the output stays exactly as it was: f(Px) = f(x), as with a sum or a "
            "mean.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "absolute position",
        "绝对位置",
        Text(
            "词元是第几个，从序列开头数起。",
            "Which place a token has, counted from the beginning of the sequence.",
        ),
        lesson="04",
        fixed=True,
    ),
    Term(
        "relative position",
        "相对位置",
        Text(
            "键的位置减去查询的位置，n − m；有正有负，符号说明谁在前。",
            "The key's position minus the query's, n − m. It has a sign, and the sign says who comes first.",
        ),
        lesson="04",
        fixed=True,
    ),
    Term(
        "offset",
        "偏移",
        Text(
            "两个位置之间隔多少，或者位置从几数起；用 KV 缓存生成时，偏移就是已经写了多少个。",
            "How far one position is from another, or from where counting starts. When generating with a KV "
            "cache it is the number of tokens already there.",
        ),
        lesson="02",
        also=("距离", "隔"),
    ),
    Term(
        "sinusoidal encoding",
        "正弦位置编码",
        Text(
            "不用训练的位置表：偶数列是 sin(p·θ_i)，奇数列是 cos(p·θ_i)，θ_i = base^(−2i/d)。",
            "A table of positions that is not trained: even columns are sin(p·θ_i), odd ones cos(p·θ_i), "
            "with θ_i = base^(−2i/d).",
        ),
        lesson="02",
        also=("正弦编码",),
        fixed=True,
        source="Vaswani et al. 2017, arXiv 1706.03762",
    ),
    Term(
        "learned encoding",
        "可学习的位置编码",
        Text(
            "每个位置一个可训练的向量，加到嵌入上；表有多长，就只到多长。",
            "One trained vector per position, added to the embedding. It reaches as far as its table and no "
            "further.",
        ),
        lesson="03",
        also=("可学习位置编码", "可学习的编码", "学出来的"),
        source="Devlin et al. 2018, arXiv 1810.04805",
    ),
    Term(
        "frequency",
        "频率",
        Text(
            "每走一个位置转过多少弧度，记作 θ_i。",
            "How many radians are turned for each position, written θ_i.",
        ),
        lesson="02",
        also=("转速",),
        fixed=True,
    ),
    Term(
        "wavelength",
        "波长",
        Text(
            "走多少个位置转满一圈：2π / θ_i。",
            "How many positions make one full turn: 2π / θ_i.",
        ),
        lesson="02",
        fixed=True,
    ),
    Term(
        "base",
        "底数",
        Text(
            "频率按它的幂变小的那个数，论文取 10000；越大，最慢的指针转得越慢。",
            "The number whose powers slow the frequencies down, 10000 in the paper. The larger it is, the "
            "slower the slowest hand.",
        ),
        lesson="02",
    ),
    Term(
        "log space",
        "对数空间",
        Text(
            "先对数，再相乘，最后取指数：exp(−2i·ln(base)/d) 和 base^(−2i/d) 是同一个数。",
            "Take logarithms, multiply, take the exponential: exp(−2i·ln(base)/d) is the same number as "
            "base^(−2i/d).",
        ),
        lesson="02",
    ),
    Term(
        "rotation matrix",
        "旋转矩阵",
        Text(
            "[[cos α, −sin α], [sin α, cos α]]，把平面向量转过 α；转置就是转回去。",
            "[[cos α, −sin α], [sin α, cos α]], which turns a vector of the plane by α. Its transpose turns "
            "it back.",
        ),
        lesson="02",
        fixed=True,
    ),
    Term(
        "rotary position embedding",
        "旋转位置编码",
        Text(
            "简称 RoPE：把查询和键按各自的位置转过一个角度，点积里就只剩下位置之差。",
            "RoPE for short. Queries and keys are turned by angles that grow with their positions, and in "
            "their dot product only the difference of positions is left.",
        ),
        lesson="05",
        also=("RoPE",),
        source="Su et al. 2021, arXiv 2104.09864",
    ),
    Term(
        "interleaved pairing",
        "相邻配对",
        Text(
            "RoPE 把第 2i 个和第 2i+1 个特征当作一对来转。",
            "In RoPE, features 2i and 2i+1 are turned as a pair.",
        ),
        lesson="05",
    ),
    Term(
        "half-split pairing",
        "对半配对",
        Text(
            "RoPE 把第 i 个和第 i + d/2 个特征当作一对来转；和相邻配对只差一个固定的置换，"
            "权重却不能直接混用。",
            "In RoPE, features i and i + d/2 are turned as a pair. A fixed permutation leads to the "
            "interleaved form, but weights trained with one do not fit the other as they are.",
        ),
        lesson="05",
    ),
    Term(
        "partial rotation",
        "部分旋转",
        Text(
            "每个头只转前面一部分特征，其余的原样通过，不带位置。",
            "Only the first features of each head are turned; the rest pass through and carry no position.",
        ),
        lesson="05",
    ),
    Term(
        "decay with distance",
        "远程衰减",
        Text(
            "相隔越远，两个位置的相似度大体越小，中间会起伏。",
            "The further apart two positions are, the less alike, by and large, with ups and downs on the "
            "way.",
        ),
        lesson="05",
    ),
    Term(
        "Shaw's relative encoding",
        "Shaw 相对位置编码",
        Text(
            "每个截断后的距离有一个可训练的向量，加到键上，也可以加到值上。",
            "A trained vector for each clipped distance, added to the keys and, if wanted, to the values.",
        ),
        lesson="04",
        source="Shaw et al. 2018, arXiv 1803.02155",
    ),
    Term(
        "clipping",
        "截断",
        Text(
            "把距离限制在 −k 到 k 之间，更远的都当作 k；表因此只要 2k+1 行。",
            "Distances are held between −k and k, and whatever is further counts as k. So a table of 2k+1 "
            "rows is enough.",
        ),
        lesson="04",
    ),
    Term(
        "T5 buckets",
        "T5 分桶",
        Text(
            "近的距离各占一个桶，远的按对数合并；每个桶、每个头一个可训练的数，加到分数上。",
            "Near distances have a bucket each, far ones share, on a log scale. Each bucket has one trained "
            "number per head, added to the score.",
        ),
        lesson="04",
        source="Raffel et al. 2019, arXiv 1910.10683",
    ),
    Term(
        "ALiBi",
        "ALiBi",
        Text(
            "从分数里减去距离乘一个斜率；每个头斜率不同，都不用训练。",
            "A slope times the distance is subtracted from the score. Each head has its own slope, and none "
            "is trained.",
        ),
        lesson="04",
        source="Press et al. 2021, arXiv 2108.12409",
    ),
    Term(
        "Transformer-XL's four terms",
        "Transformer-XL 的四项",
        Text(
            "把带位置的 q·k 展开：内容对内容、内容对位置、位置对内容、位置对位置，"
            "再把后两项里的查询位置换成可训练的向量。",
            "What q·k expands into once positions are in: content with content, content with position, "
            "position with content, position with position; in the last two, trained vectors replace the "
            "query's position.",
        ),
        lesson="04",
        source="Dai et al. 2019, arXiv 1901.02860",
    ),
    Term(
        "gate",
        "门",
        Text(
            "0 到 1 之间的一个数，由内容决定放多少东西通过。CoPE 里，门开得多大，"
            "就把这个词元算作走了几分之几步。",
            "A number from 0 to 1 that lets content decide how much goes through. In CoPE it says what part "
            "of a step a token counts for.",
        ),
        lesson="06",
    ),
    Term(
        "contextual position encoding",
        "上下文位置编码",
        Text(
            "简称 CoPE：位置不按词元数，而是从键到查询把门加起来，于是可以数词、数句子。",
            "CoPE for short. A position is not a count of tokens but a sum of gates from key to query, so it "
            "can count words, or sentences.",
        ),
        lesson="06",
        also=("CoPE",),
        source="Golovneva et al. 2024, arXiv 2405.18719",
    ),
    Term(
        "extrapolation",
        "外推",
        Text(
            "在比训练时更长的序列上使用模型。",
            "Using a model on sequences longer than those it was trained on.",
        ),
        lesson="08",
        fixed=True,
    ),
    Term(
        "length generalisation",
        "长度泛化",
        Text(
            "外推时仍然答得对；用长度之外的准确率来量。",
            "Still being right when extrapolating, measured as accuracy beyond the trained length.",
        ),
        lesson="08",
        source="Kazemnejad et al. 2023, arXiv 2305.19466",
    ),
    Term(
        "interpolation",
        "插值",
        Text(
            "在两个已知的值之间取一个，离谁近就多像谁。",
            "A value between two known ones, closer to whichever is nearer.",
        ),
        lesson="03",
        fixed=True,
    ),
    Term(
        "position interpolation",
        "位置插值",
        Text(
            "把长序列的位置除以一个倍数，压回训练过的范围，再用 RoPE。",
            "The positions of a long sequence are divided until they fit the trained range; then RoPE goes "
            "on as before.",
        ),
        lesson="08",
        fixed=True,
        source="Chen et al. 2023, arXiv 2306.15595",
    ),
    Term(
        "NTK-aware scaling",
        "NTK 缩放",
        Text(
            "不压位置，而是加大底数：慢的指针放慢，快的几乎不动，近处的细节就保住了。",
            "Instead of squeezing positions, raise the base: slow hands get slower, fast ones hardly change, "
            "and detail nearby is kept.",
        ),
        lesson="08",
    ),
    Term(
        "YaRN",
        "YaRN",
        Text(
            "按波长区别对待：快的频率不动，慢的插值，中间过渡，再把分数略微调大。",
            "Treats frequencies by wavelength: fast ones stay, slow ones are interpolated, those between "
            "change over; and scores are raised a little.",
        ),
        lesson="08",
        source="Peng et al. 2023, arXiv 2309.00071",
    ),
)
