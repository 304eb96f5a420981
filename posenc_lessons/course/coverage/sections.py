"""What the five sets of study notes teach, section by section, in the words of this course."""

from __future__ import annotations

from dataclasses import dataclass

from posenc_lessons.course.coverage.cells import CELLS
from posenc_lessons.course.coverage.lessons import Lesson
from posenc_lessons.language import Text


@dataclass(frozen=True)
class Section:
    """One section of the study notes, and the lessons (by number) that treat it."""

    number: str
    title: Text
    lessons: tuple[str, ...]

    def cells(self, lesson: Lesson) -> tuple[str, ...]:
        """The cells of ``lesson`` that treat this section."""
        return CELLS.get(lesson.stem, {}).get(self.number, ())


DOCUMENTS = (
    Text("D0 · 一个笔记本里的各种编码", "D0 · all the encodings in one notebook"),
    Text("D1 · 为什么要位置，从 BERT 到 CoPE", "D1 · why positions, from BERT to CoPE"),
    Text("D2 · 逐行注释的 RoPE", "D2 · RoPE with notes on every line"),
    Text("D3 · 从零搭建 Transformer", "D3 · a Transformer from scratch"),
    Text("D4 · 一条学习路线", "D4 · a path through the subject"),
)

COVERAGE = (
    Section("§0.1", Text("正弦编码写成模块", "The sinusoidal encoding as a module"), ("02",)),
    Section(
        "§0.2",
        Text("正弦编码写成函数，带一张印出来的表", "The same as a function, with a printed table"),
        ("02",),
    ),
    Section("§0.3", Text("可学习的绝对位置", "Absolute positions that are learned"), ("03",)),
    Section("§0.4", Text("带符号、会截断的距离", "Distances with a sign, clipped"), ("04",)),
    Section(
        "§0.5", Text("键和值都带相对位置的多头注意力", "Heads with relative keys and values"), ("04", "07")
    ),
    Section("§0.6", Text("相邻两个特征一起转的 RoPE", "RoPE that turns neighbouring features"), ("05",)),
    Section(
        "§0.7",
        Text("缩放点积注意力，有掩码，可接 RoPE", "Scaled dot products, a mask, RoPE on demand"),
        ("01", "05"),
    ),
    Section(
        "§0.8",
        Text("图：热力图、距离、旋转、多头", "Pictures: heatmap, distances, rotation, heads"),
        ("01", "02", "04", "05"),
    ),
    Section(
        "§1.1", Text("没有位置，注意力看不见顺序", "Without positions attention is blind to order"), ("01",)
    ),
    Section(
        "§1.2", Text("BERT 和 GPT 加上去的可学习向量", "The learned vectors BERT and GPT add"), ("01", "03")
    ),
    Section(
        "§1.3", Text("按列号改写正弦公式，手算四行", "The sine formula by column, four rows by hand"), ("02",)
    ),
    Section(
        "§1.4",
        Text("绝对、相对，以及 LLaMA 里的 RoPE", "Absolute, relative, and RoPE as in LLaMA"),
        ("04", "05"),
    ),
    Section("§1.5", Text("高维空间里的旋转", "Rotation in many dimensions"), ("05",)),
    Section("§1.6", Text("由内容决定走几步的 CoPE", "CoPE, where content decides how far"), ("06",)),
    Section("§2.1", Text("前后两半配对、只转一部分的 RoPE", "RoPE by halves, turning only a part"), ("05",)),
    Section("§2.2", Text("转了一半特征的注意力分数", "Scores with half the features turned"), ("05",)),
    Section("§2.3", Text("机器翻译弄错的词", "Words that machine translation got wrong"), ("00",)),
    Section("§3.1", Text("选择计算设备", "Choosing where to compute"), ("00", "07")),
    Section("§3.2", Text("靠广播造出正弦表", "A sinusoidal table by broadcasting"), ("02", "07")),
    Section("§3.3", Text("分成几个头，再合起来", "Splitting into heads and joining them"), ("07",)),
    Section("§3.4", Text("宽度可以不同的多头注意力", "Heads with widths of their own"), ("07",)),
    Section("§3.5", Text("相加，再归一化", "Add and normalise"), ("07",)),
    Section("§3.6", Text("前馈层、编码器，和乘 √d", "Feed-forward, encoder, and a factor √d"), ("02", "07")),
    Section("§3.7", Text("带缓存的解码器", "A decoder with a cache"), ("07",)),
    Section("§3.8", Text("三个词元的自注意力", "Self-attention on three tokens"), ("01", "07")),
    Section("§4.1", Text("先学什么，后学什么", "What to study first, and what next"), ("00",)),
    Section("§4.2", Text("“RoPE 外推更好”：量一量", "“RoPE extrapolates better”: measured"), ("08",)),
    Section("§4.3", Text("用两层循环造正弦表", "The sinusoidal table by two loops"), ("02",)),
    Section("§4.4", Text("用 nn.Embedding 查位置", "Positions looked up in nn.Embedding"), ("03",)),
    Section("§4.5", Text("一个头的 RoPE", "RoPE with one head"), ("05",)),
    Section("§4.6", Text("多个头的 RoPE", "RoPE with several heads"), ("05",)),
)
