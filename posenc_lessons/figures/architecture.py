"""A drawing of the Transformer: encoder and decoder side by side."""

from matplotlib.axes import Axes

from posenc_lessons.figures.colors import BLUE, GREEN, MUTED, ORANGE, PURPLE, VERMILLION
from posenc_lessons.figures.shapes import arrow, box, mixed, write
from posenc_lessons.figures.style import PX, Picture, new_drawing, styled
from posenc_lessons.language import Text, current

WIDTH, HEIGHT = 800, 506
ENCODER, DECODER = 190, 600  # x of the middles of the two stacks
PART = (290, 28)  # width and height of a part
STEP = 42  # from one part to the next
BYPASS = 164  # distance of a residual's line from the middle
INSIDE = "#F5F7F9"

NORM = Text("相加并归一化", "add & norm")
FEED = Text("前馈网络", "feed-forward")
EMBED = Text("嵌入 ＋ 位置（门 1）", "embedding + position (door 1)")
COLORS = {"attention": ORANGE, "norm": MUTED, "feed": BLUE, "embed": GREEN, "out": PURPLE}

ENCODER_LAYER = (
    ("attention", Text("自注意力（门 2–4）", "self-attention (doors 2–4)")),
    ("norm", NORM),
    ("feed", FEED),
    ("norm", NORM),
)
DECODER_LAYER = (
    ("attention", Text("因果自注意力（门 2–4）", "causal self-attention (doors 2–4)")),
    ("norm", NORM),
    ("attention", Text("交叉注意力", "cross-attention")),
    ("norm", NORM),
    ("feed", FEED),
    ("norm", NORM),
)
ALT = Text(
    "左边是编码器，右边是解码器，都从下往上：嵌入加位置，然后是 N 层。编码器的一层有自注意力和前馈，"
    "解码器的一层在两者之间多一个交叉注意力，键和值来自编码器的输出。每个子层旁边有一条残差通路，后面是相加并归一化。",
    "Encoder on the left, decoder on the right, both from the bottom up: embedding plus position, then N "
    "layers. An encoder layer has self-attention and feed-forward; a decoder layer has cross-attention "
    "between the two, with keys and values from the encoder's output. A residual runs past each sublayer, "
    "and add & norm follows it.",
)


@styled()
def architecture_figure() -> Picture:
    """Draw encoder and decoder, post-norm as in Vaswani et al. 2017, figure 1, and the doors of positions."""
    picture = new_drawing(WIDTH, HEIGHT, ALT)
    (axes,) = picture.axes
    bottom = HEIGHT - 34
    write(axes, ENCODER, bottom, Text("原文 [B, S]", "source [B, S]").show(), 13)
    words = Text("目标（右移）[B, T]", "target (shifted) [B, T]")
    write(axes, DECODER, bottom, words.show(), 13)
    memory = _stack(axes, ENCODER, bottom, ENCODER_LAYER)
    top = _stack(axes, DECODER, bottom, DECODER_LAYER)
    _part(axes, DECODER, top - STEP, "out", Text("线性层，词表大小 V", "linear, V words"))
    arrow(axes, (DECODER, top - 8), (DECODER, top - STEP + PART[1] / 2))
    arrow(axes, (DECODER, top - STEP - PART[1] / 2), (DECODER, top - 2 * STEP + 16))
    write(axes, DECODER, top - 2 * STEP, "logits [B, T, V]", 13)
    write(axes, ENCODER, 128, Text("编码器：读", "encoder: reads").show(), 15)
    write(axes, DECODER, 20, Text("解码器：写", "decoder: writes").show(), 15)
    _to_cross_attention(axes, memory, _height(bottom, 2))
    return picture


def _height(bottom: float, number: int) -> float:
    """Return y of the middle of part ``number`` of a layer that begins at ``bottom``."""
    return bottom - 2 * STEP - 20 - STEP * number


def _stack(axes: Axes, x: float, bottom: float, layer: tuple[tuple[str, Text], ...]) -> float:
    """Draw the embedding and one layer upwards from ``bottom``; return y of the layer's top."""
    _part(axes, x, bottom - STEP, "embed", EMBED)
    arrow(axes, (x, bottom - 14), (x, bottom - STEP + PART[1] / 2))
    top = _height(bottom, len(layer) - 1) - PART[1] / 2 - 14
    low = _height(bottom, 0) + PART[1] / 2 + 18
    box(axes, (x - 182, top), (364, low - top), INSIDE, mixed(VERMILLION, 0.4))
    write(axes, x - 164, top + 14, "× N", 13, VERMILLION)
    for number, (kind, words) in enumerate(layer):
        y = _height(bottom, number)
        _part(axes, x, y, kind, words)
        below = bottom - STEP if number == 0 else _height(bottom, number - 1)
        arrow(axes, (x, below - PART[1] / 2), (x, y + PART[1] / 2))
        if kind == "norm":  # the residual runs from below the sublayer to the sum
            start = _height(bottom, number - 1) + PART[1] / 2 + 7
            side = x + BYPASS
            axes.plot([x, side, side], [start, start, y], color=MUTED, lw=1.4 * PX)
            arrow(axes, (side, y), (x + PART[0] / 2, y))
    arrow(axes, (x, _height(bottom, len(layer) - 1) - PART[1] / 2), (x, top - 8))
    return top


def _part(axes: Axes, x: float, y: float, kind: str, words: Text) -> None:
    color = COLORS[kind]
    box(axes, (x - PART[0] / 2, y - PART[1] / 2), PART, mixed(color, 0.2), mixed(color, 0.8))
    write(axes, x, y, words.show(), 11 if current() == "both" else 12.5)


def _to_cross_attention(axes: Axes, memory: float, y: float) -> None:
    between = (ENCODER + DECODER) / 2
    axes.plot(
        [ENCODER, ENCODER, between, between],
        [memory - 8, memory - 34, memory - 34, y],
        color=VERMILLION,
        linewidth=2 * PX,
    )
    arrow(axes, (between, y), (DECODER - PART[0] / 2, y), VERMILLION, 2)
    write(axes, ENCODER, memory - 50, "memory [B, S, d]", 13, VERMILLION)
    write(axes, between + 41, y - 14, "k, v", 12, VERMILLION)
