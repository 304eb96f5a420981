"""The lessons of the course, written and still to come."""

from __future__ import annotations

from dataclasses import dataclass

from posenc_lessons.course.coverage.cells import CELLS
from posenc_lessons.language import Text


@dataclass(frozen=True)
class Lesson:
    """One notebook of the course."""

    stem: str
    title: Text

    @property
    def ready(self) -> bool:
        """Is it written? It is once the coverage names its cells."""
        return self.stem in CELLS

    @property
    def number(self) -> str:
        return self.stem[:2]


LESSONS = (
    Lesson("00_start_here", Text("从这里开始", "Start here")),
    Lesson("01_why_position", Text("为什么需要位置编码", "Why position?")),
    Lesson("02_sinusoidal", Text("正弦位置编码", "Sinusoidal")),
    Lesson("03_learned", Text("可学习的位置编码", "Learned")),
    Lesson("04_relative", Text("相对位置编码", "Relative")),
    Lesson("05_rotary", Text("旋转位置编码", "Rotary")),
    Lesson("06_cope", Text("上下文位置编码", "CoPE")),
    Lesson("07_transformer", Text("从零搭建 Transformer", "A Transformer")),
    Lesson("08_longer_than_trained", Text("外推", "Longer than trained")),
)
