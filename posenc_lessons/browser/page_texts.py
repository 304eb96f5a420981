"""The words of the page without a kernel, in both languages: its own and those of its panels."""

from typing import Any

from posenc_lessons.browser import cell_texts
from posenc_lessons.explorers import EXPLORERS, panel_words
from posenc_lessons.language import NAMES, Text

WORDS: dict[str, Text] = {
    **panel_words.WORDS,
    **cell_texts.WORDS,
    "title": Text("位置编码交互图", "Position-encoding explorers"),
    "home": Text("‹ 课程", "‹ Lessons"),
    "homeToo": Text("全部课程和搜索", "All lessons, and search"),
    "language": Text("语言", "Language"),
    "mode": Text("显示", "Display"),
    "light": Text("浅色", "light"),
    "dark": Text("深色", "dark"),
    "projector": Text("投影（大字）", "projector (large type)"),
    "starting": Text(
        "正在准备（{percent}%），好了图就会动；现在改的设置会记住。",
        "Getting ready ({percent}%), then the picture moves; what you set now is kept.",
    ),
    "noWebAssembly": Text(
        "这个浏览器运行不了页面里的 Python（WebAssembly），所以图不会动。",
        "This browser cannot run the page's Python (WebAssembly), so the pictures stay as they are.",
    ),
    "makeLive": Text("让它动起来", "Make it live"),
    "gettingReady": Text("正在准备…… {percent}%", "Getting ready … {percent}%"),
    "failed": Text("页面里的 Python 没能启动：{error}", "The page's Python did not start: {error}"),
}


def table() -> dict[str, Any]:
    """Return page.js's data: {words: {name: {zh, en}}, languages: {code: name}, explorers: as words}."""
    return {
        "words": {name: text.parts() for name, text in WORDS.items()},
        "languages": NAMES,
        "explorers": {explorer.name: explorer.title.parts() for explorer in EXPLORERS},
    }
