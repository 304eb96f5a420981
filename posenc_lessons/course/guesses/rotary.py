"""The guesses of lesson 05."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "rotary-shift",
        "m = 5、n = 9 得到一个分数。把两个位置都加上 1000，分数变不变？",
        "m = 5 and n = 9 give some score. Add 1000 to both positions: does the score change?",
        wrong(
            "变：转的角度大得多",
            "Yes: the angles are much larger",
            "每支箭头确实多转了 1000θ。可两支多转的一样多，夹角没有动，点积只看夹角。",
            "Each arrow does rotate by 1000θ more. But both do so by the same amount, the "
            "angle between them stays, and a dot product sees only that angle.",
        ),
        right(
            "不变",
            "No",
            "转置就是往回转，两次旋转角度相加，只剩下 n−m：式 (2)。",
            "The transpose rotates back, two rotations add up, and only n−m is left: equation (2).",
        ),
        wrong(
            "要看 θ",
            "That depends on θ",
            "1000θ 也许正好是整圈，可用不着这样的巧合：不管 θ 是多少，两边多转的都一样。",
            "1000θ may happen to be whole turns, but no such luck is needed: whatever θ is, both "
            "sides rotate by the same amount more.",
        ),
    ),
    ask(
        "rotary-sign",
        "一对特征，n − m = 3 和 n − m = −3，分数一样吗？",
        "One pair of features: is the score at n − m = 3 the same as at n − m = −3?",
        wrong(
            "一样",
            "Yes",
            "两个词相距一样远，点积又是对称的，想到一样很自然。可对称的是 q 和 k 互换，不是前后互换。",
            "Both are equally far apart, and a dot product is symmetric. But it is symmetric in q and "
            "k, not in before and after.",
        ),
        right(
            "一般不一样",
            "In general not",
            "余弦那项不变，正弦那项变号：式 (3)。正弦那项是 0 时才一样，比如 q 和 k 在一条直线上。",
            "The cosine term stays, the sine term changes its sign: equation (3). They agree where the sine "
            "term is 0, as when q and k lie on one line.",
        ),
        wrong(
            "正好差一个负号",
            "They differ by a minus sign",
            "反过来转，容易以为全变号。变号的只有正弦那项，余弦那项还在。",
            "The rotation is reversed, but only the sine term changes its sign; the cosine term stays.",
        ),
    ),
    ask(
        "rotary-values",
        "把值也转 nθ，别的不改。输出还只和相对位置有关吗？",
        "Rotate the values by nθ as well and change nothing else. Does the output still depend only on "
        "relative positions?",
        wrong(
            "是：权重没有变",
            "Yes: the weights are the same",
            "权重确实不变。可被加起来的值带着自己的绝对角度，输出里就有了绝对位置。",
            "The weights are the same, that is true. But the values that are added up carry their "
            "absolute angles, and so does the output.",
        ),
        right(
            "不是；把输出往回转 mθ 就是了",
            "No; rotate the output back by mθ and it does",
            "每个值到达时转了 n 减 m 步，又只剩相对位置，代价是再转一次。",
            "Then each value arrives rotated by n minus m steps, and only relative positions are left, at "
            "the price of one more rotation.",
        ),
        wrong(
            "不是，也补救不了",
            "No, and nothing can be done",
            "许多个不同的角度已经加在一起了。可旋转是线性的：把和往回转，就是把每一项往回转。",
            "Many different angles have been added up. But a rotation is linear: "
            "rotating the sum back rotates each term back.",
        ),
    ),
    ask(
        "rotary-pairing",
        "两份代码都说自己是 RoPE，权重形状也一样。把一份的权重装进另一份，会怎样？",
        "Two code bases both say RoPE, and their weights have the same shapes. Load the weights of one into "
        "the other: what happens?",
        wrong(
            "会报错",
            "An error",
            "装错权重多半会报错，可报错靠的是形状，而这里形状全对。",
            "Wrong weights mostly do raise an error. But it is shapes that raise it, and here they all fit.",
        ),
        right(
            "不报错，只是算错",
            "No error, only wrong numbers",
            "两份代码也许把不同的特征配成一对。位置 0 上看不出来，别处全错。",
            "The two may pair different features. At position 0 nothing shows; elsewhere all is wrong.",
        ),
        wrong(
            "没事：RoPE 没有参数",
            "Nothing: RoPE has no parameters",
            "RoPE 确实没有参数。可 W_q 和 W_k 是照着一种配对训练出来的。",
            "RoPE has none, true. But W_q and W_k were trained for one way of pairing.",
        ),
    ),
    ask(
        "rotary-bfloat16",
        "位置 100000 到 104095，一共 4096 个，存成 bfloat16，还剩几个不同的数？",
        "Positions 100000 to 104095, 4096 of them, stored in bfloat16: how many different numbers are left?",
        wrong(
            "4096 个：bfloat16 的范围和 float32 一样",
            "4096: bfloat16 has the range of float32",
            "范围确实一样。少的是位数：只有 8 位有效的二进制位，到 256 就数不清了。",
            "The range is the same. What is missing are digits: 8 significant bits count exactly up to 256.",
        ),
        wrong(
            "大约一半",
            "About half of them",
            "舍入听起来只丢一点点，可到了这里，相邻两个数已经相差 512。",
            "Rounding sounds like losing a little, but here neighbouring numbers are 512 apart.",
        ),
        right(
            "不到 10 个",
            "Fewer than 10",
            "几百个词元站在同一个点上，转同样的角度。",
            "Hundreds of tokens stand on one spot and rotate by one angle.",
        ),
    ),
)
