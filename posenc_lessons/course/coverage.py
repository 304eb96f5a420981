"""Find the cells of the lessons that treat each section of the study notes.

The course grew from five sets of public study notes, D0 to D4, which are mostly right and sometimes wrong.
§ 0.1 is the first section of D0. ``covers`` in the metadata of a lesson's cell names the sections that the
cell treats. Lessons also teach subjects that are in no section.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from posenc_lessons.course.html_table import Cell, HtmlTable, Line, Link
from posenc_lessons.course.lessons import GLOSSARY, lessons_and_glossary, shipped_lessons
from posenc_lessons.language import Text

DOCUMENTS = (
    Text("D0 · 一个笔记本里的各种编码", "D0 · all the encodings in one notebook"),
    Text("D1 · 为什么要位置，从 BERT 到 CoPE", "D1 · why positions, from BERT to CoPE"),
    Text("D2 · 逐行注释的 RoPE", "D2 · RoPE with notes on every line"),
    Text("D3 · 从零搭建 Transformer", "D3 · a Transformer from scratch"),
    Text("D4 · 一条学习路线", "D4 · a path through the subject"),
)

SECTIONS = {
    "§0.1": Text("正弦编码写成模块", "The sinusoidal encoding as a module"),
    "§0.2": Text("正弦编码写成函数，带一张印出来的表", "The same as a function, with a printed table"),
    "§0.3": Text("可学习的绝对位置", "Absolute positions that are learned"),
    "§0.4": Text("带符号、会截断的距离", "Distances with a sign, clipped"),
    "§0.5": Text("键和值都带相对位置的多头注意力", "Heads with relative keys and values"),
    "§0.6": Text("相邻两个特征一起转的 RoPE", "RoPE that turns neighbouring features"),
    "§0.7": Text("缩放点积注意力，有掩码，可接 RoPE", "Scaled dot products, a mask, RoPE on demand"),
    "§0.8": Text("图：热力图、距离、旋转、多头", "Pictures: heatmap, distances, rotation, heads"),
    "§1.1": Text("没有位置，注意力看不见顺序", "Without positions attention is blind to order"),
    "§1.2": Text("BERT 和 GPT 加上去的可学习向量", "The learned vectors BERT and GPT add"),
    "§1.3": Text("按列号改写正弦公式，手算四行", "The sine formula by column, four rows by hand"),
    "§1.4": Text("绝对、相对，以及 LLaMA 里的 RoPE", "Absolute, relative, and RoPE as in LLaMA"),
    "§1.5": Text("高维空间里的旋转", "Rotation in many dimensions"),
    "§1.6": Text("由内容决定走几步的 CoPE", "CoPE, where content decides how far"),
    "§2.1": Text("前后两半配对、只转一部分的 RoPE", "RoPE by halves, turning only a part"),
    "§2.2": Text("转了一半特征的注意力分数", "Scores with half the features turned"),
    "§2.3": Text("机器翻译弄错的词", "Words that machine translation got wrong"),
    "§3.1": Text("选择计算设备", "Choosing where to compute"),
    "§3.2": Text("靠广播造出正弦表", "A sinusoidal table by broadcasting"),
    "§3.3": Text("分成几个头，再合起来", "Splitting into heads and joining them"),
    "§3.4": Text("宽度可以不同的多头注意力", "Heads with their own widths"),
    "§3.5": Text("相加，再归一化", "Add and normalise"),
    "§3.6": Text("前馈层、编码器，和乘 √d", "Feed-forward, encoder, and a factor √d"),
    "§3.7": Text("带缓存的解码器", "A decoder with a cache"),
    "§3.8": Text("三个词元的自注意力", "Self-attention on three tokens"),
    "§4.1": Text("先学什么，后学什么", "What to study first, and what next"),
    "§4.2": Text("“RoPE 外推更好”：量一量", "“RoPE extrapolates better”: measured"),
    "§4.3": Text("用两层循环造正弦表", "The sinusoidal table by two loops"),
    "§4.4": Text("用 nn.Embedding 查位置", "Positions looked up in nn.Embedding"),
    "§4.5": Text("一个头的 RoPE", "RoPE with one head"),
    "§4.6": Text("多个头的 RoPE", "RoPE with several heads"),
}


def covered(folder: Path) -> dict[str, dict[str, list[str]]]:
    """Return {section: {lesson: ids of its cells about the section}}, read from ``folder``."""
    found: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for lesson in lessons_and_glossary(folder):
        notebook = json.loads((folder / f"{lesson}.ipynb").read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            for section in cell["metadata"].get("covers", ()):
                found[section].setdefault(lesson, []).append(cell["id"])
    return found


def table(folder: Path | None = None) -> HtmlTable:
    """Return every section with links to its cells in ``folder`` (None: the shipped lessons)."""
    places = covered(folder or shipped_lessons())
    rows: list[list[Cell] | Text] = []
    for section, title in SECTIONS.items():
        if section.endswith(".1"):
            rows.append(DOCUMENTS[int(section[1])])
        rows.append([section, title, list(_links(places.get(section, {})))])
    head = (Text("节", "Section"), Text("讲什么", "What it teaches"), Text("在课程里", "In the course"))
    caption = Text("课程所依据的笔记，逐节对照", "The study notes this course grew from, section by section")
    plain = (
        f"{section} {title.show('both')} → {', '.join(map(_short, places.get(section, {})))}"
        for section, title in SECTIONS.items()
    )
    return HtmlTable(caption, head, rows, "\n".join(plain))


def _short(lesson: str) -> str:
    """Return the number of a lesson, or a word for the glossary, which has no number."""
    return "A–Z" if lesson == GLOSSARY else lesson[:2]


def _links(places: dict[str, list[str]]) -> Iterator[Line]:
    """Return one line for each lesson: its number and its cells."""
    for lesson, cells in places.items():
        links = [Link(cell, f"{lesson}.ipynb#cell-id={cell}") for cell in cells]
        yield [Link(_short(lesson), f"{lesson}.ipynb"), *links]
