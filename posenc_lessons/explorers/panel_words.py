"""The fixed words of a panel, in both languages; all other words come in views."""

from posenc_lessons.language import Text

DISCONNECTED = Text(
    "内核已停止或重启，这张图不再响应。请重新运行这个单元格（以及第一个单元格）。",
    "The kernel has stopped or restarted, so this picture no longer answers. "
    "Run this cell again (and the first one).",
)

WORDS: dict[str, Text] = {
    "menu": Text("选一张交互图", "Choose an explorer"),
    "controls": Text("设置", "Settings"),
    "rare": Text("更多设置", "More settings"),
    "tries": Text("试试看", "Try this"),
    "hint": Text(
        "点一个带编号的试法：滑块会自己摆好，这里会说该看什么。",
        "Press a numbered try: it sets the sliders, and this line says what to look for.",
    ),
    "drag": Text("拖动试试", "Drag me"),
    "next": Text("下一个", "Next"),
    "compare": Text("留下对照", "Compare"),
    "apart": Text("不再对照", "End comparison"),
    "pinned": Text("留下的图", "Kept picture"),
    "present": Text("现在的图", "Present picture"),
    "noDifference": Text("改一个设置，就能对照", "change a setting to compare"),
    "reset": Text("恢复初始值", "Reset"),
    "code": Text("看代码", "Show the code"),
    "codeTitle": Text("画出这张图的代码", "The code that draws this picture"),
    "copy": Text("复制", "Copy"),
    "copied": Text("复制好了。", "Copied."),
    "notCopied": Text(
        "浏览器不让复制，请自己选中：", "The browser does not allow copying; select it yourself:"
    ),
    "close": Text("关闭", "Close"),
    "link": Text("复制链接", "Copy link"),
    "linked": Text("链接复制好了，打开就是现在这张图。", "The link is copied: it opens this very picture."),
    "leftOut": Text(
        "链接复制好了，但“{names}”太长，没有放进去。",
        "The link is copied, without “{names}”: the text is too long for a link.",
    ),
    "png": Text("保存 PNG", "Save PNG"),
    "instead": Text(
        "指着图能做的事，用滑块和菜单也都能做。",
        "What pointing at the picture does, sliders and menus do too.",
    ),
    "ask": Text(
        "这个数怎么来的？点带框的数，或图上的一格、一点、一支箭。",
        "Where does a number come from? Press one in a box, or a cell, dot or arrow in the picture.",
    ),
    "askByKeys": Text(
        "图里的数：按方向键从一个走到下一个，按方括号换一张小图，按 Esc 关掉卡片。",
        "The numbers in the picture: arrow keys go from one to the next, brackets to the next panel, and "
        "Escape closes the card.",
    ),
    "pages": Text("图的各部分", "Parts of the picture"),
    # Short words on buttons, for little room.
    "onReset": Text("重置", "Reset"),
    "onCompare": Text("对照", "Compare"),
    "onCode": Text("代码", "Code"),
    "onLink": Text("链接", "Link"),
}
