"""The words that an exported page adds to a lesson's own."""

from __future__ import annotations

import html

from posenc_lessons.export.markdown import sides
from posenc_lessons.language import Language, Text

SKIP = Text("跳到正文", "Skip to the text")
CONTENTS = Text("本页内容", "On this page")
COURSE = Text("Transformer 怎样知道顺序", "How Transformers know order")
ABOUT = Text(
    "注意力自己看不见顺序，位置只能从四道门进来：每一种位置编码，这里都推导、手算、写成代码、拖着看。",
    "Attention alone cannot see order; positions come in by four doors. Every position encoding is derived "
    "here, worked by hand, written as code and moved with a slider.",
)
DOORS = Text("四道门：点一道，看它动起来", "The four doors: press one and see it move")
LESSONS = Text("课程", "Lessons")
MINUTES = Text("大约 {n} 分钟；学完以后，你能够：", "About {n} minutes, and you will be able to:")
EXPLORERS = Text("全部交互图", "All explorers")
GLOSSARY = Text("术语表", "Glossary")
SOLUTIONS = Text("练习的解答", "Solutions")
QUESTIONS = Text("常见问题", "Questions people ask")
SEARCH = Text("在全部课程、问题和术语里搜索", "Search lessons, questions and glossary")
FOUND = Text("{n} 处", "{n} found")
WAY = Text("前后各页", "Other pages")
WAY_ON = Text("读完以后", "After this page")
STILLS = Text(
    "交互图的 {n} 个位置。打开课程本身，可以拖动它的每一个控件。",
    "The interactive picture at {n} of its places. In the lesson itself every control of it moves.",
)
MADE = Text(
    "这些网页是课程运行之后的样子。要改代码、让练习批改你的答案，请打开课程本身：",
    "These pages show the lessons as they ran. To change code and have your answers checked, open the "
    "lessons themselves: ",
)
CODE = Text("这一格的代码", "The code of this cell")
GUESSED_WRONG = Text("你猜的是 {letter}，不对。", "You guessed {letter}, which is not right.")
LICENCE = Text("文字和图：CC BY 4.0；代码：MIT。", "Text and pictures: CC BY 4.0; code: MIT.")
LANGUAGE = Text("语言", "Language")
KEYS = Text("← → 翻页 · N 讲稿 · S 另开讲稿窗口", "← → turn · N notes · S notes in a window")
OTHER_LANGUAGE = Text("L：English", "L: 中文")


def as_html(text: Text, language: Language) -> str:
    """``text`` as HTML in ``language``; where a page has both, each in a span that it can hide."""
    if language == "both" and text.zh != text.en:
        return sides(f"{html.escape(text.zh)} · {html.escape(text.en)}", language)
    return html.escape(text.show(language))
