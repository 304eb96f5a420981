"""The guess of lesson 00, which shows how guesses go."""

from __future__ import annotations

from posenc_lessons.course.guesses import ask, right, wrong

GUESSES = (
    ask(
        "rope-parameters",
        "RoPE 把位置变成角度。它给模型添了多少要训练的参数？",
        "RoPE turns positions into angles. How many parameters to be trained does it add to a model?",
        wrong(
            "每个位置一个向量",
            "A vector for each position",
            "容易这么猜：BERT 和 GPT-2 就是这样：一张可学习的表，第 03 课讲。RoPE 没有表，"
            "所以也没有“表到头了”。",
            "Tempting, since BERT and GPT-2 do so: a learned table, in lesson 03. RoPE has no table, and so "
            "none that comes to its end.",
        ),
        wrong(
            "每对特征一个角度",
            "An angle for each pair of features",
            "每对特征确实各有一个角频率。可它们由一个公式给定，训练时不动。",
            "Tempting, since each pair of features does have an angular frequency of its own. But a formula "
            "gives them, and training leaves them alone.",
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
