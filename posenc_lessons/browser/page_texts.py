"""The words of the page itself, in both languages: what Python's views do not say."""

from __future__ import annotations

from typing import Any

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import RESET, SAVE_PNG, SAVE_SVG, SHOW_CODE
from posenc_lessons.explorers.comparing import COMPARE, KEPT, PRESENT
from posenc_lessons.explorers.doors_map import BEHIND
from posenc_lessons.figures.four_doors import DOORS
from posenc_lessons.language import NAMES, Text

WORDS: dict[str, Text] = {
    "title": Text("位置编码交互图", "Position-encoding explorers"),
    "menu": Text("选一张交互图", "Choose an explorer"),
    "map": Text("四道门：按门找交互图", "The four doors: explorers by door"),
    "doors": Text(
        "位置从四道门进入注意力，门后是交互图",
        "Positions enter attention by four doors; behind each, explorers",
    ),
    "language": Text("语言", "Language"),
    "mode": Text("显示", "Display"),
    "light": Text("浅色", "light"),
    "dark": Text("深色", "dark"),
    "projector": Text("投影（大字）", "projector (large type)"),
    "controls": Text("设置", "Settings"),
    "rare": Text("更多设置", "More settings"),
    "tries": Text("试试看", "Try this"),
    "hint": Text(
        "点一个：滑块会自己摆好，这里会说该看什么。",
        "Press one: it sets the sliders, and this line says what to look for.",
    ),
    "next": Text("下一个", "Next"),
    "play": Text("播放：{name}", "Play: {name}"),
    "pause": Text("停下：{name}", "Pause: {name}"),
    "compare": COMPARE,
    "apart": Text("不再对照", "End comparison"),
    "pinned": KEPT,
    "present": PRESENT,
    # What a button is called, and what stands on it where there is little room.
    "onReset": Text("重置", "Reset"),
    "onCompare": Text("对照", "Compare"),
    "onCode": Text("代码", "Code"),
    "onLink": Text("链接", "Link"),
    "reset": RESET,
    "code": SHOW_CODE,
    "codeTitle": Text("画出这张图的代码", "The code that draws this picture"),
    "copy": Text("复制", "Copy"),
    "close": Text("关闭", "Close"),
    "link": Text("复制链接", "Copy link"),
    "linked": Text("链接复制好了，打开就是现在这张图。", "The link is copied: it opens this very picture."),
    "leftOut": Text(
        "链接复制好了，但“{names}”太长，没有放进去。",
        "The link is copied, without “{names}”: the text is too long for a link.",
    ),
    "copied": Text("复制好了。", "Copied."),
    "notCopied": Text(
        "浏览器不让复制，请自己选中：", "The browser does not allow copying; select it yourself:"
    ),
    "png": SAVE_PNG,
    "svg": SAVE_SVG,
    "open": Text("打开比赛文件", "Open a race file"),
    "save": Text("保存这场比赛", "Save this race"),
    "recorded": Text("回到录好的比赛", "Recorded race"),
    "starting": Text(
        "正在准备，几秒后图就会动；现在改的设置会记住。",
        "Getting ready: the picture moves in a few seconds; what you set now is kept.",
    ),
    "noWebAssembly": Text(
        "这个浏览器运行不了页面里的 Python（WebAssembly），所以图不会动。",
        "This browser cannot run the page's Python (WebAssembly), so the pictures stay as they are.",
    ),
    "makeLive": Text("让它动起来", "Make it live"),
    "gettingReady": Text("正在准备…… {percent}%", "Getting ready … {percent}%"),
    "failed": Text("页面里的 Python 没能启动：{error}", "The page's Python did not start: {error}"),
    "instead": Text(
        "指着图能做的事，用滑块和菜单也都能做。",
        "What pointing at the picture does, sliders and menus do too.",
    ),
}

ALL_DOORS = Text("四道门都有关", "All of them")


def doors() -> list[dict[str, Any]]:
    """The map: {number, name: {zh, en}, color, explorers} of each door, then without number and color."""
    behind = {number: [each.explorer.name for each in shown] for number, shown in BEHIND.items()}
    of_one = {name for names in behind.values() for name in names}
    rest = [explorer.name for explorer in EXPLORERS if explorer.name not in of_one]
    by_door = [
        {
            "number": door.number,
            "name": door.name.parts(),
            "color": door.color,
            "explorers": behind[door.number],
        }
        for door in DOORS
    ]
    return [*by_door, {"name": ALL_DOORS.parts(), "explorers": rest}]


def table() -> dict[str, Any]:
    """What page.js reads: {words: {name: {zh, en}}, languages: {code: name}, explorers: {name: {zh, en}},
    doors: the map}."""
    return {
        "words": {name: text.parts() for name, text in WORDS.items()},
        "languages": NAMES,
        "explorers": {explorer.name: explorer.title.parts() for explorer in EXPLORERS},
        "doors": doors(),
    }
