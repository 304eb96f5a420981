"""One small picture of every figure function and explorer, for the tests that every picture must pass.

A new figure function gets a line here.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.text import Text as Label

from posenc_lessons.explorers import (
    EXPLORERS,
    AttentionExplorer,
    DistanceExplorer,
    GateExplorer,
    GridExplorer,
    RaceExplorer,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.accuracy import race_curves_figure, seed_dots_figure
from posenc_lessons.figures.architecture import architecture_figure
from posenc_lessons.figures.four_doors import doors_strip_figure, four_doors_figure
from posenc_lessons.figures.heatmaps import Heatmap, heatmaps_figure
from posenc_lessons.figures.lines import lines_figure
from posenc_lessons.figures.matrix_chain import Step, heads_split_figure, matrix_chain_figure
from posenc_lessons.figures.race import TaskResults
from posenc_lessons.figures.rotary import pairing_figure
from posenc_lessons.figures.style import Picture
from posenc_lessons.figures.token_strips import Strip, token_strips_figure
from posenc_lessons.language import Text

THETA = 10000.0 ** (-np.arange(0, 32, 2) / 32)
ANGLES = np.outer(np.arange(48), THETA)
TABLE = np.stack([np.sin(ANGLES), np.cos(ANGLES)], axis=2).reshape(48, 32)
EVEN = np.full((4, 4), 0.25)
WORDS = ("我", "love", "猫🐈", "a$b$", "□")
NUMBERS = np.arange(12).reshape(3, 4)
TASKS = [
    TaskResults(
        Text(f"抄 {n} 步之前", f"copy {n} back"),
        {"alibi": np.array([[1, 1, 0.1], [0.9, 1, 0.3]]), "shaw": np.array([[1, 1, n / 4]])},
        chance=0.1,
        order_blind=np.array([0.4, 0.3, 0.2]),
    )
    for n in range(3)
]
RACE = (TASKS, ("shaw", "alibi"), (16, 32, 128), 32)
SENTENCE = tuple(Text(zh, en) for zh, en in (("我", "I"), ("爱", "love"), ("你", "you"), ("！", "!")))

GALLERY: dict[str, Callable[[], Picture]] = {
    "architecture": architecture_figure,
    "doors_strip": lambda: doors_strip_figure((2,)),
    "four_doors": four_doors_figure,
    "four_doors, at 3 and 4": lambda: four_doors_figure((3, 4)),
    "matrix_chain": lambda: matrix_chain_figure(
        [Step("$X$", Text("嵌入", "embeddings"), EVEN), Step("$A$", Text("权重", "weights"), EVEN, "softmax")]
    ),
    "heads_split": lambda: heads_split_figure(NUMBERS, NUMBERS.reshape(3, 2, 2).swapaxes(0, 1), NUMBERS),
    "lines": lambda: lines_figure(
        Text("上界下降，分数不降", "The bound falls, scores do not"),
        Text("相对位置（步）", "relative position (steps)"),
        Text("分数", "score"),
        np.arange(1, 200),
        {
            Text("上界", "bound"): 9 / np.arange(1, 200),
            Text("分数", "scores"): TABLE.T[:3, :1] + np.zeros(199),
        },
        logs="x",
    ),
    "pairing": lambda: pairing_figure(4),
    "race_curves": lambda: race_curves_figure(*RACE),
    "heatmaps": lambda: heatmaps_figure(
        [Heatmap(Text("轴向", "axial"), TABLE[:8, :12], framed=(1, 2)), Heatmap(Text("逐行", "raster"), EVEN)]
    ),
    "heatmaps, numbers": lambda: heatmaps_figure(
        [Heatmap(Text("相邻配对", "interleaved"), -np.eye(8), (-1, 1))],
        Text("输出特征", "feature out"),
        Text("输入特征", "feature in"),
        numbers=True,
    ),
    "heatmaps, masks": lambda: heatmaps_figure(
        [
            Heatmap(Text("填充掩码", "padding mask"), np.ones((5, 5), bool)),
            Heatmap(Text("因果掩码", "causal mask"), np.tri(5, dtype=bool)),
        ],
        tokens=WORDS,
        numbers=True,
    ),
    "heatmaps, two scales": lambda: heatmaps_figure(
        [
            Heatmap(Text("门 $g$，第 1 层", "gates $g$, layer 1"), np.where(np.tri(10), 0.5, np.nan), (0, 1)),
            Heatmap(Text("位置 $p$", "positions $p$"), np.where(np.tri(10), 7.0, np.nan), (0, 7)),
        ],
        tokens="R+·++··R+·",
        side=320,
    ),
    "seed_dots": lambda: seed_dots_figure(
        {
            Text("CoPE，16 行", "CoPE, 16 rows"): ((0.98, 0.97, 0.99), (0.98, 0.97, 0.99)),
            Text("旋转", "rotary"): ((0.9,), (0.5,)),
        },
        (Text("训练的长度", "trained length"), Text("3 倍", "3 times")),
        0.3,
    ),
    "token_strips": lambda: token_strips_figure(
        [
            Strip(
                Text("上一句短", "a short last sentence"),
                SENTENCE,
                (0, 0, 1, 2),
                (
                    (Text("相对位置 $j-i$", "relative position $j-i$"), ("−3", "−2", "−1", "0")),
                    (Text("位置 $p$", "position $p$"), ("2", "1", "1", "0.5")),
                ),
                frozenset({(1, 1), (1, 2)}),
            )
        ]
        * 2
    ),
}

# Of the explorers: each as it begins, and with settings that change its panels.
SETTINGS: tuple[tuple[type[Explorer], dict[str, Any]], ...] = (
    *((explorer, {}) for explorer in EXPLORERS),
    (AttentionExplorer, {"head": 3}),
    (DistanceExplorer, {"kind": "alibi", "len_q": 20, "len_k": 30}),
    (GateExplorer, {"text": "a"}),
    (GridExplorer, {"encoding": "mrope", "frame": 2}),
    (RaceExplorer, {"highlight": "learned"}),
)


def _still(explorer: type[Explorer], settings: dict[str, Any]) -> Callable[[], Picture]:
    return lambda: explorer(**settings).still()


GALLERY |= {f"{explorer.name} {settings}": _still(explorer, settings) for explorer, settings in SETTINGS}


def words_of(picture: Figure) -> list[str]:
    """Return the text of every label, shown or not."""
    return [label.get_text() for label in picture.findobj(Label) if isinstance(label, Label)]
