"""The words that an exported page adds to those of a lesson."""

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
DOORS = Text("四道门", "Four doors")
DOORS_ARE = Text(
    "注意力的公式里，能放进位置的只有四处。点一道门，看它动起来。",
    "The four places in attention’s formula where a position can come in. Open one and move it.",
)
MADE = Text(
    "这些课也是 Jupyter 笔记本，用 PyTorch 运行，能训练模型：",
    "These lessons are also Jupyter notebooks, which run on PyTorch and train models: ",
)
VERSION = Text("第 {version} 版", "Version {version}")

RUNS = Text(
    "这一页的代码都能运行、修改，练习也在这里检查。有的格子先显示录好的结果：它们要训练模型，在网页里要几分钟，按了"
    "运行才开始；或者用到网页里没有的 PyTorch 功能。",
    "The code of this page runs here, and you can change it; exercises are checked here too. Some cells show "
    "recorded results first: they train a model, which takes minutes and starts only when you press Run, or "
    "they use parts of PyTorch that the page does not have.",
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
    "句子“{sentence}”，每个词下面有 {dials} 个表盘；旁边是“{first}”和“{second}”的指针，相隔 {apart} 步。",
    "The sentence “{sentence}” with {dials} dials below each word. Beside them, dials with the hands of both "
    "“{first}” and “{second}”, which are {apart} positions apart.",
)
DIALS_HOW = Text(
    "一个词的位置转动它的三根指针：快、慢、更慢。RoPE 也这样转动查询和键，"
    "所以位置进入分数，只凭两个词相隔几步。",
    "A word’s position turns its three hands: fast, slower, slowest. RoPE turns queries and keys like "
    "this, so that of two positions only the steps between them enter the score.",
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
    "注意力自己看不见顺序，位置要另外告诉它。怎么告诉？从正弦编码到 RoPE、ALiBi 和 CoPE："
    "推导，手算，写成代码，再拖动滑块看它们怎么变。",
    "Attention alone cannot see order: it has to be told positions. From sinusoids to RoPE, ALiBi and CoPE: "
    "derived, worked by hand, written as code, and moved with sliders.",
)
LESSONS = Text("课程", "Lessons")
MINUTES = Text("大约 {n} 分钟", "About {n} minutes")
EXPLORERS = Text("全部交互图", "All explorers")
GLOSSARY = Text("术语表", "Glossary")
MODELS = Text("真实的模型用什么", "What real models use")
MODELS_ABOUT = Text(
    "下面是 {n} 种文本模型的代码怎样对待位置。其中 {turning} 种成对地旋转特征："
    "{half} 种让前后两半配对，{near} 种让相邻的配对。",
    "This is how the code of {n} types of text models treats positions. {turning} of them rotate pairs of "
    "features: {half} pair the two halves of a head, {near} pair neighbours.",
)
MODELS_HOW = Text(
    "transformers {version}（{date}）代码里的默认值，发布的模型可以在 config.json 里另写。绝大多数行是程序"
    "造一个很小的模型、用数试出来的，几行是手写的。",
    "The defaults in the code of transformers {version}, {date}; a released model may say otherwise in its "
    "config.json. A program probed a small model of nearly every type with numbers; a few rows are by hand.",
)
MODELS_MEANS = Text("{column}：什么意思", "What “{column}” means")
MODELS_LESSON = Text("课里怎么说", "The lesson about it")
MODELS_TABLE = Text("每一种模型", "Every model type")
MODELS_NAME = Text("找模型", "Find a model")
MODELS_ALL = Text("全部", "all")
MODELS_SHOWN = Text("{all} 种里的 {n} 种", "{n} of {all} model types")
MODELS_RESET = Text("清除筛选", "Clear the choice")
SOLUTIONS = Text("练习的解答", "Solutions")
QUESTIONS = Text("常见问题", "Questions people ask")
QUESTIONS_ARE = Text(
    "每个问题一页：一句话的回答、一张会动的图、能运行的代码。",
    "A page for each: the answer in one line, a picture that moves, code that runs.",
)
QUESTIONS_ALL = Text("全部 {n} 个问题", "All {n} questions")
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
