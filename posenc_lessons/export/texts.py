"""The words that an exported page adds to those of a lesson."""

from __future__ import annotations

import html

from posenc_lessons.language import Language, Text

SEARCH = Text("在课程、问题和术语里搜索", "Search lessons, questions and glossary")
SEARCH_SHORT = Text("搜索 /", "Search /")
RESULTS = Text("找到的内容", "Search results")
THEME = Text("明暗", "Theme")
LIGHT = Text("浅色", "Light")
DARK = Text("深色", "Dark")
PROJECTOR = Text("投影", "Projector")
WAY_ON = Text("前后各页", "Before and after this page")
DOORS = Text("位置从四道门进来，点一道看它动起来", "Positions come in by four doors. Open one")
MADE = Text(
    "这些课也是 Jupyter 笔记本，用 PyTorch 运行，能训练模型：",
    "These lessons are also Jupyter notebooks, which run on PyTorch and train models: ",
)
VERSION = Text("第 {version} 版", "Version {version}")
TEACHERS = Text("教师", "For teachers")

RUNS = Text(
    "这一页的代码都能运行、修改，练习也在这里检查。有的格子先显示录好的结果：它们要训练模型，在网页里要几分钟，按了"
    "运行才开始，用到这个模型的格子要等它；或者用到网页里没有的 PyTorch 功能。",
    "The code of this page runs here, and you can change it; exercises are checked here too. Some cells show "
    "recorded results first: they train a model, which takes minutes here and starts only when you press Run "
    "(cells that use the model wait for it), or they use parts of PyTorch that the page does not have.",
)
READ_ONLY = Text(
    "这一份只供阅读，代码旁边是录好的结果。要运行，请用 posenc-lessons lab 打开课程。",
    "This copy is for reading: results were recorded. To run the code, open the lesson with "
    "posenc-lessons lab.",
)
TO_EXERCISE = Text("到下一个练习约 {n}\u00a0分钟", "About {n}\u00a0min to the next exercise")
KEPT = Text("记下了，看答案之前随时可以改。", "Kept. You can change it until you see the answer.")
TO_ANSWER = Text("↓ 看答案", "↓ To the answer")
TO_QUESTION = Text("↑ 回到题目", "↑ Back to the question")
NOTES = Text("关于这一页：哪些代码能运行，我的作业", "About this page: what runs, my work")

DIALS_STAYS = Text("指针都在转，两个词的夹角不变", "Every hand turns. The angle between two words stays.")
DIALS_ALT = Text(
    "句子“{sentence}”，每个词下面有 {dials} 个表盘，指针转到它的位置，越往下转得越慢。旁边的表盘里是“{first}”"
    "和“{second}”的两根指针：句子怎么移，夹角都不变，因为两个词总是相隔 {apart} 个位置。",
    "The sentence “{sentence}”; below each word {dials} dials, their hands turned to its position, slower "
    "from one to the next. Beside them, dials with the hands of “{first}” and “{second}”: wherever the "
    "sentence begins, their angle stays, because the words are always {apart} positions apart.",
)
DIALS_APART = Text("相隔 {apart} 步", "{apart} apart")
DIALS_SLIDER = Text("移动句子", "Move the sentence")

BEGIN = Text("从这里开始，20 分钟", "Begin: twenty minutes")
GO_ON = Text(
    "接着学 {title}（已完成 {solved}/{exercises} 个练习）",
    "Go on with {title}: {solved} of {exercises} exercises solved",
)
TOTAL = Text(
    "十二课，大约 {n} 小时。只有三小时，就学 01、02、05。",
    "Twelve lessons, about {n} hours. With three hours, take 01, 02 and 05.",
)
GOALS = Text("目标", "Goals")
GUIDE = Text("教学指南", "Teaching guide")
SKIP = Text("跳到正文", "Skip to the text")
CONTENTS = Text("本页内容", "On this page")
COURSE = Text("Transformer 怎样知道顺序", "How Transformers know order")
ABOUT = Text(
    "注意力自己看不见顺序，位置只能从四道门进来：每一种位置编码，这里都推导、手算、写成代码，再拖动滑块看它怎么变。",
    "Attention alone cannot see order; positions come in by four doors. Every position encoding is "
    "derived here, worked by hand, written as code and moved with a slider.",
)
LESSONS = Text("课程", "Lessons")
MINUTES = Text("大约 {n} 分钟", "About {n} minutes")
EXPLORERS = Text("全部交互图", "All explorers")
GLOSSARY = Text("术语表", "Glossary")
MODELS = Text("真实的模型用什么", "What real models use")
MODELS_ABOUT = Text(
    "{n} 种文本模型的代码怎样对待位置：从哪道门进来，特征怎样配对，旋转多少，底数多大，哪些层不一样。",
    "How the code of {n} types of text models treats positions: by which door they come in, how features "
    "are paired, how much of a head turns, by which base, and which layers differ.",
)
MODELS_HOW = Text(
    "表里说的是 transformers {version} 的代码（{date} 看的），而且是代码的默认值："
    "发布的模型可以在自己的 config.json 里另写。绝大多数行是程序看出来的：给每种模型造一个很小的，用数去试，"
    "看哪些特征在转、和谁一对、转多快、哪一层看多远。试不出来的几行是手写的。",
    "The table is about the code of transformers {version}, looked at on {date}, and about what the code "
    "does by default: a released model may say otherwise in its config.json. Nearly every row was found by a "
    "program, which builds a small model of each type and probes it with numbers: which features turn, with "
    "which partner, how fast, and how far each layer sees. The few rows that no probe could fill were "
    "written by hand.",
)
MODELS_COLUMNS = Text("各栏的意思", "What the columns mean")
MODELS_TABLE = Text("每一种模型", "Every model type")
MODELS_NAME = Text("模型的名字", "Name of the model type")
MODELS_ALL = Text("全部", "all")
MODELS_SHOWN = Text("{n} 种", "{n} shown")
MODELS_RESET = Text("全部显示", "Show all")
SOLUTIONS = Text("练习的解答", "Solutions")
QUESTIONS = Text("常见问题", "Questions people ask")
FOUND = Text("{n} 处", "{n} found")
SOLUTION = Text("参考解答", "Solution")
CODE = Text("这一格的代码", "The code of this cell")
TOOLS = Text("这一页用到的工具", "What this page imports")
LICENCE = Text("文字和图：CC BY 4.0；代码：MIT。", "Text and pictures: CC BY 4.0; code: MIT.")
BOOK_ABOUT = Text(
    "从正弦编码到 RoPE 和 CoPE：推导、手算、代码、练习",
    "From the sinusoid to RoPE and CoPE: derived, worked by hand, written as code, practised",
)
BOOK_EDITION = Text("中文版", "English edition")
BOOK_CONTENTS = Text("目录", "Contents")
BOOK_READING = Text("这本书怎么读", "How to read this book")
BOOK_ADVICE = Text(
    "每一课都是能运行的笔记本，运行 posenc-lessons lab 就能打开。"
    "书里印的是运行之后的样子，只用来画图的代码略去了。"
    "交互图在纸上只能停在一处；运行 posenc-lessons explore，就能在浏览器里动手调。"
    "看到先猜的卡片，先选一个再往下读。题目的提示印在题目下面，想过了再看；解答在书的后面。",
    "Every lesson is a notebook that runs: posenc-lessons lab opens it. The book shows it as it ran; code "
    "that only draws a picture is left out. On paper an interactive picture stands still; with "
    "posenc-lessons explore it moves in your browser. Where a card asks for a guess, make one before you "
    "read on. Hints stand below an exercise: read them after you have tried. The solutions are at the back.",
)
KEYS = Text("← → 翻页 · N 讲稿 · S 另开讲稿窗口", "← → turn · N notes · S notes in a window")
GUESS = Text("先猜", "Guess first")
SETTLED = Text("回到刚才的猜测", "Back to your guess")
OTHER_LANGUAGE = Text("L：English", "L: Chinese")


def as_html(text: Text, language: Language) -> str:
    """Return ``text`` as HTML in ``language``."""
    return html.escape(text.show(language))
