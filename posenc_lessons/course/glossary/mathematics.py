"""Mathematics, numbers in a machine, and training."""

from __future__ import annotations

from posenc_lessons.course.glossary.term import Term
from posenc_lessons.language import Text

MATHEMATICS = (
    Term(
        "dot product",
        "点积",
        Text(
            "两个向量逐个相乘再求和；方向越一致越大，垂直时为 0。",
            "Two vectors multiplied number by number and summed. The better their directions agree, the "
            "larger it is; at right angles it is 0.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "outer product",
        "外积",
        Text(
            "一个向量的每个数乘另一个的每个数，排成一张乘法表；位置乘频率就是这样。",
            "Each number of one vector times each of another, laid out as a multiplication table: that is "
            "how positions meet frequencies.",
        ),
        lesson="02",
        fixed=True,
    ),
    Term(
        "norm",
        "范数",
        Text(
            "向量各数的平方和再开方，也就是它的长度；旋转不改变它。",
            "The square root of the sum of a vector's squares: its length. Rotation leaves it as it is.",
        ),
        lesson="05",
        also=("长度",),
    ),
    Term(
        "cosine similarity",
        "余弦相似度",
        Text(
            "点积除以两个长度：只比方向，从 −1 到 1。",
            "The dot product over both lengths. It compares directions alone and runs from −1 to 1.",
        ),
        lesson="02",
        fixed=True,
    ),
    Term(
        "transpose",
        "转置",
        Text(
            "把矩阵的行和列对调；写反一次，旋转就朝另一边转。",
            "A matrix with rows and columns exchanged. Get it wrong once, and a rotation turns the other "
            "way.",
        ),
        lesson="02",
        fixed=True,
    ),
    Term(
        "identity matrix",
        "单位矩阵",
        Text(
            "对角线上是 1、其余是 0 的矩阵；乘上去什么也不变。",
            "1 on the diagonal and 0 elsewhere. Multiplying by it changes nothing.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "orthogonal matrix",
        "正交矩阵",
        Text(
            "转置就是逆的矩阵：R Rᵀ = I；长度和夹角都不变，旋转和置换都属于它。",
            "A matrix whose transpose is its inverse: R Rᵀ = I. It keeps lengths and angles; rotations and "
            "permutations are of this kind.",
        ),
        lesson="05",
        also=("正交",),
        fixed=True,
    ),
    Term(
        "block-diagonal matrix",
        "分块对角矩阵",
        Text(
            "小矩阵排在对角线上，其余是 0；RoPE 的 d×d 旋转就是 d/2 个 2×2 旋转。",
            "Small matrices along the diagonal and 0 elsewhere: RoPE's d×d rotation is d/2 rotations of "
            "size 2×2.",
        ),
        lesson="05",
        also=("分块对角",),
        fixed=True,
    ),
    Term(
        "linear map",
        "线性映射",
        Text(
            "乘一个固定的矩阵；从 PE(p) 到 PE(p+k) 就是，矩阵只看 k。",
            "Multiplication by a fixed matrix. PE(p) goes to PE(p+k) that way, by a matrix that depends on k "
            "alone.",
        ),
        lesson="02",
        also=("线性变换",),
        fixed=True,
    ),
    Term(
        "radian",
        "弧度",
        Text(
            "用弧长量的角：一整圈是 2π。sin 和 cos 在代码里都用弧度。",
            "An angle measured along the circle: a full turn is 2π. In code, sin and cos take radians.",
        ),
        lesson="02",
        fixed=True,
    ),
    Term(
        "complex number",
        "复数",
        Text(
            "a + bi，平面上的一点；乘上 e^{iα} 就是转过 α，所以 RoPE 可以写成复数乘法。",
            "a + bi, a point of the plane. To multiply by e^{iα} is to turn by α, so RoPE can be written as "
            "multiplication.",
        ),
        lesson="05",
        fixed=True,
    ),
    Term(
        "standard deviation",
        "标准差",
        Text(
            "数值离平均值通常有多远；方差的平方根。",
            "How far numbers usually are from their mean: the square root of the variance.",
        ),
        lesson="01",
        fixed=True,
    ),
    Term(
        "rounding error",
        "舍入误差",
        Text(
            "真实的数存进有限的位数时丢掉的那一点；位置越大，角度丢得越多。",
            "What is lost when a real number is stored in finitely many digits. The larger the position, the "
            "more its angle loses.",
        ),
        lesson="02",
        also=("舍入", "浮点误差"),
        fixed=True,
    ),
    Term(
        "bfloat16",
        "bfloat16",
        Text(
            "只有 8 位有效二进制数字的浮点数；256 以上的整数就不能一一分清，不能用来存位置。",
            "A floating-point number with 8 significant bits. Above 256 it cannot tell one whole number from "
            "the next, so it must not hold positions.",
        ),
        lesson="02",
    ),
    Term(
        "parameter",
        "参数",
        Text(
            "模块里由训练来改变的数；优化器看得到它，state_dict 里也有它。",
            "A number in a module that training changes. The optimiser sees it, and it is in the state_dict.",
        ),
        lesson="02",
        fixed=True,
    ),
    Term(
        "buffer",
        "缓冲区",
        Text(
            "跟着模块走、但不训练的张量：随 .to 搬家，默认存进 state_dict，优化器看不到。",
            "A tensor that belongs to a module but is not trained: it moves with .to, is saved in the "
            "state_dict unless told otherwise, and no optimiser sees it.",
        ),
        lesson="02",
        also=("buffer",),
        fixed=True,
    ),
    Term(
        "state_dict",
        "state_dict",
        Text(
            "模块存盘的内容：参数和缓冲区，按名字排。",
            "What is saved of a module: its parameters and buffers, by name.",
        ),
        lesson="02",
    ),
    Term(
        "device",
        "设备",
        Text(
            "张量所在、也是计算所在的地方：cpu、cuda 或 mps；一次运算里的张量要在同一处。",
            "Where a tensor lives and is computed: cpu, cuda or mps. Tensors of one operation must be in the "
            "same place.",
        ),
        lesson="00",
        fixed=True,
    ),
    Term(
        "initialisation",
        "初始化",
        Text(
            "训练之前给参数的值；标准差取多大，决定了开头学得快还是慢。",
            "The values parameters have before training. Their spread decides how learning starts.",
        ),
        lesson="03",
    ),
    Term(
        "gradient",
        "梯度",
        Text(
            "损失对每个参数的变化率；训练沿着它的反方向走一小步。",
            "How fast the loss changes with each parameter. Training takes a small step the other way.",
        ),
        lesson="03",
        fixed=True,
    ),
    Term(
        "loss",
        "损失",
        Text(
            "一个数，说模型错得有多厉害；训练就是让它变小。",
            "One number for how wrong the model is. Training makes it smaller.",
        ),
        lesson="03",
    ),
    Term(
        "random seed",
        "随机种子",
        Text(
            "随机数从哪里开始；种子相同，每次运行的数字就相同。",
            "Where random numbers start. With the same seed, every run gives the same ones.",
        ),
        lesson="03",
        also=("种子",),
        fixed=True,
    ),
    Term(
        "accuracy",
        "准确率",
        Text(
            "答对的占多少；猜的准确率是几分之一，要先算好再比。",
            "The share of right answers. Work out what guessing would give before you compare.",
        ),
        lesson="03",
    ),
    Term(
        "perplexity",
        "困惑度",
        Text(
            "平均每个词元的损失取指数，好比模型每一步在几个词元之间犹豫；越小越好。",
            "The exponential of the mean loss per token: how many tokens, as it were, the model wavers "
            "between at each step. Smaller is better.",
        ),
        lesson="08",
        fixed=True,
    ),
)
