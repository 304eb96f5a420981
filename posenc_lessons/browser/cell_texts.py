"""The words around a lesson's cells in a page, in both languages."""

from posenc_lessons.language import Text

WORDS: dict[str, Text] = {
    "aboutTorch": Text(
        "本页的代码在浏览器里运行。这里的 torch 是用 NumPy 写的，名字和结果与 PyTorch 相同，"
        "只有课程用到的部分，也慢得多。改过的代码只保存在这个浏览器里。",
        "Code on this page runs in your browser. Its torch is written on NumPy: it has PyTorch's names and "
        "gives its results, holds only what the lessons use, and is much slower. What you type is kept in "
        "this browser.",
    ),
    "run": Text("运行", "Run"),
    "check": Text("检查", "Check"),
    "edit": Text("修改", "Edit"),
    "stop": Text("停止", "Stop"),
    "resetCell": Text("恢复原样", "Reset cell"),
    "editor": Text("代码：{cell}", "Code: {cell}"),
    "pythonStarts": Text("Python 正在启动…… {percent}%", "Python is starting … {percent}%"),
    "runsAbove": Text(
        "先运行上面需要的代码（{at}/{of}）……", "Running the code above that this needs ({at} of {of}) …"
    ),
    "runs": Text("正在运行……", "Running …"),
    "error": Text("报错", "error"),
    "nextExercise": Text("接着做：", "Next: "),
    "allSolved": Text("这一课的练习全做对了。接着读：", "All exercises of this lesson are solved. Read on: "),
    "ranQuietly": Text("运行好了，没有要显示的。", "Done: it shows nothing."),
    "stopped": Text(
        "已停止；各格生成的变量没有了，需要时会重新运行。你写的代码还在。",
        "Stopped. The variables that cells made are gone and are made again when needed; your code is still "
        "here.",
    ),
    "explorerEnded": Text(
        "这张交互图随 Python 一起停了：再运行一次这一格，它就回来。",
        "This explorer ended with Python. Run its cell again to bring it back.",
    ),
    "crashed": Text(
        "页面里的 Python 出了故障，已重新启动（{error}）。你写的代码还在。",
        "The page's Python failed and was started again ({error}). Your code is still here.",
    ),
    "aboveFailed": Text(
        "上面的一格出了错，它的结果是这一格需要的：",
        "A cell above, which this one needs, ended in an error: ",
    ),
    "needsTraining": Text(
        "这一格需要一个模型，上面这一格训练它，要先运行：",
        "This cell needs a model. The cell above that trains it has to run first: ",
    ),
    "trains": Text(
        "结果是录好的。这一格训练模型：在 JupyterLab 里 {lab} 分钟，在这里 {page} 分钟。",
        "The result was recorded. This cell trains a model: {lab} min in JupyterLab, {page} min here.",
    ),
    "runsSteps": Text("正在运行：第 {steps} 步，共 {of} 步", "Running: step {steps} of {of}"),
    "onlyRecorded": Text(
        "结果是录好的：这一格用到的 PyTorch 功能，网页里没有。",
        "The result was recorded: this cell uses parts of PyTorch that the page does not have.",
    ),
    "recordedPicture": Text(
        "这张图是录好的，画的是没改过的代码；你改的不会画进去。",
        "This picture was recorded. It shows what the code as published draws, not your changes.",
    ),
    "solved": Text("✔ 做对了", "✔ Solved"),
    "solvedEarlier": Text("以前做对过；现在这一版没有通过。", "Solved earlier; this version does not pass."),
    "solvedNotKept": Text(
        "做对了，但这个浏览器存不下这个记录：关掉本页以后就没有了。",
        "Solved, but this browser cannot keep that: it is gone once you close the page.",
    ),
    "cellsRun": Text("运行了 {ran}/{cells} 格", "{ran} of {cells} cells run"),
    "exercisesSolved": Text("做对 {solved}/{exercises} 道练习", "{solved} of {exercises} exercises solved"),
    "myWork": Text("我的记录", "My work"),
    "saveWork": Text("导出全部记录", "Export all my work"),
    "loadWork": Text("导入记录", "Import"),
    "saveNotebook": Text("下载笔记本（.ipynb，含我的代码）", "Download the notebook (.ipynb) with my code"),
    "startOver": Text("清空，重新开始", "Start over"),
    "sureToStartOver": Text(
        "每一课猜过的、做对的、写过的代码都会从这个浏览器里删掉。",
        "Guesses, solved exercises and code of every lesson are removed from this browser.",
    ),
    "forgetAll": Text("全部删掉", "Remove all"),
    "keepAll": Text("留着", "Keep it"),
    "begunAnew": Text("已清空。", "All is removed."),
    "plainEditor": Text(
        "用普通文本框写代码（适合读屏软件）", "Plain text boxes for code (for screen readers)"
    ),
    "leaveEditor": Text(
        "代码框里 Tab 是缩进；先按 Esc 再按 Tab，就到下一个按钮；普通文本框里 Tab 直接到下一个。"
        "Shift+Enter 运行。",
        "In a code box Tab indents; Esc, then Tab, moves on to the next button. In a plain one Tab moves "
        "on. Shift+Enter runs.",
    ),
    "notWork": Text(
        "这个文件不是从课程里导出的记录；什么也没有改。",
        "This file is no record exported from the course; nothing was changed.",
    ),
    "loaded": Text(
        "导入了：{guesses} 个猜测，{solved} 道做对的练习，{drafts} 格代码。",
        "Imported: guesses: {guesses}, solved exercises: {solved}, cells with code: {drafts}.",
    ),
    "notKeptHere": Text(
        "这个浏览器存不下你的记录（不允许，或满了）：关掉本页之前，请用“导出全部记录”存成文件。",
        "This browser cannot keep your work: it is not allowed to, or is full. Before you close the page, "
        "press “Export all my work”, which writes it to a file.",
    ),
    "changedSince": Text("你改过之后，这一格有了新版本", "This cell has a new version since you changed it"),
    "otherText": Text(
        "另一份代码（另一个标签页或导入的文件）", "Other code for this cell (from another tab, or a file)"
    ),
    "notKept": Text(
        "这个浏览器存不下你写的代码：关掉本页之前，请把它复制到别处。",
        "This browser cannot keep what you type: copy it elsewhere before you close the page.",
    ),
    "otherTab": Text(
        "另一个标签页也改了这一格；两份都留着。",
        "Another tab has changed this cell too; both texts are kept.",
    ),
    "useOther": Text("换成那一份", "Use that one"),
    "noSuchCell": Text("这一页没有格子 {cell}。", "There is no cell {cell} on this page."),
}
