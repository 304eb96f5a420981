"""The name and the colour of each encoding, the same in every picture."""

from dataclasses import dataclass

from posenc_lessons.figures.colors import BLUE, GREEN, INK, MUTED, ORANGE, PURPLE, SKY, VERMILLION
from posenc_lessons.language import Text


@dataclass(frozen=True)
class Look:
    """The name of an encoding and how its line is drawn."""

    name: Text
    color: str
    dashed: bool


LOOKS = dict(
    none=Look(Text("无", "none"), MUTED, True),
    sinusoidal=Look(Text("正弦", "sinusoidal"), SKY, False),
    learned=Look(Text("可学习", "learned"), BLUE, True),
    shaw=Look(Text("Shaw", "Shaw"), GREEN, False),
    t5=Look(Text("T5", "T5"), ORANGE, True),
    alibi=Look(Text("ALiBi", "ALiBi"), PURPLE, True),
    rotary=Look(Text("RoPE", "RoPE"), VERMILLION, False),
    cope=Look(Text("CoPE", "CoPE"), INK, False),
    # For pictures. Axial RoPE has RoPE's colour.
    grid_sinusoidal=Look(Text("二维正弦", "2-D sinusoid"), SKY, False),
    axial=Look(Text("轴向 RoPE", "axial RoPE"), VERMILLION, False),
    mixed=Look(Text("混合方向 RoPE", "mixed RoPE"), GREEN, False),
    # A variant has its encoding's colour if no other curve has it; a number is the size of its table.
    cope_short=Look(Text("CoPE 12", "CoPE 12"), INK, True),
    control=Look(Text("对照", "control"), MUTED, False),
)
