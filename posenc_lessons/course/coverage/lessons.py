"""The lessons of the course, written and still to come."""

from __future__ import annotations

from dataclasses import dataclass

from posenc_lessons.course.language import Text


@dataclass(frozen=True)
class Lesson:
    """One notebook of the course; ``ready`` when it is written."""

    stem: str
    title: Text
    ready: bool

    @property
    def number(self) -> str:
        return self.stem[:2]


LESSONS = (
    Lesson("00_start_here", Text("从这里开始", "Start here"), ready=True),
    Lesson("01_why_position", Text("为什么需要位置编码", "Why position?"), ready=True),
    Lesson("02_sinusoidal", Text("正弦位置编码", "Sinusoidal"), ready=True),
    Lesson("03_learned", Text("可学习的位置编码", "Learned"), ready=True),
    Lesson("04_relative", Text("相对位置编码", "Relative"), ready=False),
    Lesson("05_rotary", Text("旋转位置编码", "Rotary"), ready=False),
    Lesson("06_cope", Text("上下文位置编码", "CoPE"), ready=False),
    Lesson("07_transformer", Text("从零搭建 Transformer", "A Transformer"), ready=False),
    Lesson("08_longer_than_trained", Text("外推", "Longer than trained"), ready=False),
)
