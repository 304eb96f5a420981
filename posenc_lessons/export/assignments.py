"""Make a course folder for nbgrader, which hands out the lessons' exercises and grades them.

An assignment has only the exercises of one lesson and their explanations, so it is graded in seconds; a whole
lesson would have to be run, with all its training. Below each answer is a locked cell worth one point.
nbgrader restores the locked cells before it grades.
"""

import ast
import copy
import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import nbformat

from posenc_lessons.exercises.by_name import find_exercise
from posenc_lessons.export.cells import TOOLS
from posenc_lessons.export.exercise_cells import with_solution
from posenc_lessons.export.in_page import SETUP, asks
from posenc_lessons.language import Language, Text

SCHEMA = 3  # the version of nbgrader's metadata
POINTS = 1
SECONDS = 60  # the limit of a cell, because of endless loops
ENDING = "-points"  # the end of a grading cell's id, after the exercise's id
_ANSWERS = r"\]\(solutions/[^)]*\)"
_WAY_TO_ANSWERS = re.compile(rf"(?<=。)[^。\n]*{_ANSWERS}[^。\n]*。|(?<=\.) [^.\n]*{_ANSWERS}[^.\n]*\.")
GOES_ON = "raises-exception"  # so that JupyterLab runs the cells below an unsolved exercise

HEADING = Text("练习", "Exercises")
INTRODUCTION = Text(
    "这份作业是课程里 `{lesson}` 一课的练习。每道题有三格：说明；你写答案的一格；评分的一格。"
    "把答案格里的 `...` 换成你的代码，运行，它会说对不对；再运行下面的评分格，不报错就得分。"
    "评分格是锁住的，批改前会恢复原样。\n\n"
    "交之前从头运行一遍（Kernel → Restart Kernel and Run All Cells）：作业要能独自跑通，"
    "课文里定义过的东西这里没有。不要改文件名。",
    "These are the exercises of lesson `{lesson}`. Each has three cells: what is asked, your answer, "
    "and the points. Replace `...` by your code and run the cell; it says whether you are right. Then run "
    "the cell below it: no error means the point is yours. The cells with points are locked, and put back as "
    "they were before grading.\n\n"
    "Before you hand it in, run it from the top (Kernel → Restart Kernel and Run All Cells): it has to work "
    "by itself, and what the lesson defined is not here. Keep the file's name.",
)
POINT = Text("评分：用没有动过的检查再判一次", "points: judged once more, by the check as it came")

# A learner may have defined a check of that name, or changed the package's, so it is imported once more.
POINTS_CELL = """\
# {say}
import sys

for _name in [*sys.modules]:
    if _name.startswith("posenc_lessons.exercises"):
        del sys.modules[_name]

from posenc_lessons.exercises.by_name import find_exercise
from posenc_lessons.exercises.grading import grade

grade(find_exercise("{exercise}"), {stub})"""

CONFIG = f"""\
# 在课程文件夹里运行 nbgrader 的每个命令都读这个文件。
# Every nbgrader command typed in the course folder reads this file.
c = get_config()

# 课程的名字，取作业、交作业时要写 · the course's name, to be given when fetching and submitting
c.CourseDirectory.course_id = "posenc_lessons"

# 发作业、收作业的文件夹：要先建好，人人可写。不写就是 /usr/local/share/nbgrader/exchange
# the folder through which assignments go out and come in; it must exist and all must be able to write in it
# c.Exchange.root = "/srv/nbgrader/exchange"

# 解答删掉以后什么也不留，题目原来的空就在上面
# nothing stands where a solution was; the stub is above it
c.ClearSolutions.code_stub = {{"python": ""}}

# 每一格最多运行多少秒。死循环到时就停，那道题 0 分
# seconds for each cell: an endless loop is stopped after these, and earns 0 points
c.Execute.timeout = {SECONDS}

# 被删掉的评分格，批改时补回来 · cells with points that were deleted come back for grading
c.OverwriteCells.add_missing_cells = True

# 只收笔记本（另有 nbgrader 自己的两个 txt）：学生交来的 .py 批改时可能被导入
# only notebooks are taken in, and two .txt of nbgrader's own: a student's .py might be imported while grading
c.CourseDirectory.include = ["*.ipynb", "*.txt"]
"""


def course_folder(notebooks: Mapping[str, Any], language: Language) -> dict[str, bytes]:
    """Return the files of a course folder: nbgrader's settings, and an assignment for each lesson."""
    files = {"nbgrader_config.py": CONFIG.encode()}
    for name, notebook in notebooks.items():
        if "/" not in name:  # solutions are written into the assignments
            stem = name.removesuffix(".ipynb")
            text = nbformat.writes(assignment(notebook, stem, language)) + "\n"
            files[f"source/{stem}/{stem}.ipynb"] = text.encode()
    return files


def assignment(notebook: Any, lesson: str, language: Language) -> Any:
    """Return the exercises of ``notebook``, which is already in ``language``, with solutions and points."""
    cells = list(_cells(notebook, lesson, language))
    return nbformat.v4.new_notebook(metadata=copy.deepcopy(notebook.metadata), cells=cells)


def _cells(notebook: Any, lesson: str, language: Language) -> Iterator[Any]:
    title = notebook.cells[0].source.split("\n")[0]
    words = _prose(INTRODUCTION.format(lesson=lesson), language)
    yield _locked("markdown", "title", f"{title}\n\n## {HEADING.show(language)}\n\n{words}")
    tools = ""
    for above, cell in itertools.pairwise(notebook.cells):
        if cell.id == SETUP:
            yield _locked("code", SETUP, cell.source)
        elif cell.id in TOOLS:
            tools = _tools(cell.source)
            yield _locked("code", cell.id, tools)
        elif asks(cell):
            yield _locked("markdown", above.id, _WAY_TO_ANSWERS.sub("", above.source))
            yield from _answer_and_points(cell, tools, language)


def _answer_and_points(cell: Any, tools: str, language: Language) -> Iterator[Any]:
    name = cell.metadata["exercise"]
    imported = {alias.asname or alias.name for node in _imports(tools) for alias in node.names}
    answer = with_solution(cell.source, find_exercise(name), imported)
    yield _cell("code", cell.id, answer, solution=True)
    points = POINTS_CELL.format(say=POINT.show(language), exercise=name, stub=name.partition(".")[2])
    graded = _cell("code", f"{cell.id}{ENDING}", points, grade=True, locked=True, points=POINTS)
    graded.metadata.tags = [GOES_ON]
    yield graded


def _imports(source: str) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]


def _tools(source: str) -> str:
    """Return the code that the lesson needs: its imports from elsewhere, and torch's settings."""
    others = [node for node in _imports(source) if "posenc_lessons" not in ast.unparse(node)]
    settings = [ast.unparse(node) for node in ast.parse(source).body if isinstance(node, ast.Expr)]
    return "\n".join(
        [
            *map(ast.unparse, others),
            "",
            *(setting for setting in settings if setting.startswith("torch.set_")),
        ]
    )


def _prose(text: Text, language: Language) -> str:
    if language != "both":
        return text.show(language)
    return f'<div lang="zh">\n\n{text.zh}\n\n</div>\n<div lang="en">\n\n{text.en}\n\n</div>'


def _locked(kind: str, name: str, source: str) -> Any:
    return _cell(kind, name, source, locked=True)


def _cell(kind: str, name: str, source: str, **known: Any) -> Any:
    """Return a cell with nbgrader's metadata under ``name``."""
    nbgrader = {
        **{"grade": False, "solution": False, "locked": False, "task": False},
        **{"grade_id": name, "schema_version": SCHEMA, "cell_type": kind, **known},
    }
    new = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
    return new(source, id=name, metadata={"nbgrader": nbgrader})
