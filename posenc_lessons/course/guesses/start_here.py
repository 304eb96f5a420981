"""The guess of lesson 00, which shows how guesses work."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "rope-parameters",
        "RoPE 把位置变成角度。它给模型添了多少可训练的参数？",
        "RoPE turns positions into angles. How many trainable parameters does it add to a model?",
        wrong(
            "每个位置一个向量",
            "A vector for each position",
            "BERT 和 GPT-2 就是这样：一张可学习的表，第 03 课讲。RoPE 没有表，也就没有“表到头了”的事。",
            "BERT and GPT-2 do so: a learned table, the subject of lesson 03. RoPE has no table, so none "
            "that ends.",
        ),
        wrong(
            "每对特征一个角度",
            "An angle for each pair of features",
            "每对特征确实各有一个频率。可频率由公式给定，训练时不动。",
            "Each pair of features does have its own frequency. But a formula gives it, and training leaves "
            "it alone.",
        ),
        right(
            "一个也没有",
            "None",
            "角度只由位置和底数算出来。第 05 课里，你会自己写出这几行。",
            "The angles are computed from positions and a base. In lesson 05 you write these few lines "
            "yourself.",
        ),
    ),
)
