"""The words that an exported page adds to a lesson's own."""

from __future__ import annotations

import html

from posenc_lessons.export.markdown import sides
from posenc_lessons.language import Language, Text

SKIP = Text("跳到正文", "Skip to the text")
CONTENTS = Text("本页内容", "On this page")
COURSE = Text("Transformer 怎样知道顺序", "How Transformers know order")
LESSONS = Text("课程", "Lessons")
EXPLORERS = Text("全部交互图，单独成页", "All explorers, on a page of their own")
SOLUTIONS = Text("解答", "solutions")
QUESTIONS = Text("常见问题", "Questions people ask")
SEARCH = Text("在全部课程里搜索", "Search all lessons")
FOUND = Text("{n} 处", "{n} found")
WAY = Text("前后各课", "Other lessons")
WAY_ON = Text("读完以后", "After this lesson")
STILLS = Text(
    "交互图的 {n} 个位置。打开课程本身，可以拖动它的每一个控件。",
    "The interactive picture at {n} of its places. In the lesson itself every control of it moves.",
)
MADE = Text(
    "这一页是课程运行之后的样子。要改代码、让练习批改你的答案，请打开课程本身：",
    "This page shows the lesson as it ran. To change its code and have your answers checked, open the lesson "
    "itself: ",
)
CODE = Text("这一格的代码", "The code of this cell")
GUESSED_RIGHT = Text("你猜的是 {letter}，猜对了。", "You guessed {letter}, and that is right.")
GUESSED_WRONG = Text("你猜的是 {letter}，不对。", "You guessed {letter}, which is not right.")
LICENCE = Text("文字和图：CC BY 4.0；代码：MIT。", "Text and pictures: CC BY 4.0; code: MIT.")
LANGUAGE = Text("语言", "Language")
KEYS = Text("← → 翻页 · N 讲稿 · S 另开讲稿窗口", "← → turn · N notes · S notes in a window")
OTHER_LANGUAGE = Text("L：English", "L: 中文")


def say(text: Text, language: Language) -> str:
    """``text`` as HTML in ``language``; where a page has both, each in a span that it can hide."""
    if language == "both" and text.zh != text.en:
        return sides(f"{html.escape(text.zh)} · {html.escape(text.en)}", language)
    return html.escape(text.show(language))
