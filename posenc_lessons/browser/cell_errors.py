"""Explain errors to readers: a sentence about the meaning, and the line of a cell that raised it."""

import linecache
import re
import traceback

from posenc_lessons.exercises import verdict
from posenc_lessons.language import Text

NOTHING_TO_READ = "EOF when reading a line"  # Python's words for input() where nobody can type
# Messages of Python and NumPy about a size beyond 32-bit addresses.
BEYOND_THE_TAB = ("index-sized integer", "array is too big", "Maximum allowed dimension exceeded")
# Python's messages about a name that torch, or one of its modules or tensors, does not have.
OF_TORCH = re.compile(
    r"(?:module 'torch[\w.]*'|'(?:Tensor|Parameter)' object) has no attribute '(\w+)'"
    r"|cannot import name '(\w+)' from 'torch"
)
UNREADABLE = Text(
    "第 {line} 行不合 Python 的语法，这一格没有运行；你写的代码还在。",
    "Line {line} is not Python, so this cell did not run; your code is still here.",
)
EXHAUSTED = Text(
    "这一格要的内存超过了浏览器给一个标签页的；Python 已重新启动，你写的代码还在。",
    "This cell wanted more memory than the browser gives to a tab. Python was started again; your code is "
    "still here.",
)
TOO_LARGE = Text(
    "这一格要的内存超过了浏览器给一个标签页的：把它做小一些。",
    "This cell wanted more memory than the browser gives to a tab: make it smaller.",
)
LACKED = Text(
    "网页里的 torch 没有 {name}。如果 PyTorch 有，可以在 JupyterLab 里运行这一格。",
    "The page's torch has no {name}. If PyTorch has it, run this cell in JupyterLab.",
)
NOT_HERE = Text(
    "网页里没有 {name} 这个包。装了它的话，可以在 JupyterLab 里运行这一格。",
    "The page does not have the package {name}. Where it is installed, run this cell in JupyterLab.",
)
NO_INPUT = Text(
    "网页里没有地方输入，用不了 input()：把值直接写进代码。",
    "A page has nowhere to type for input(): write the value into the code.",
)


def place_of(error: BaseException) -> tuple[str, int, str]:
    """Return the file, number and text of the last line of a cell, called <NAME>, that raised ``error``."""
    if isinstance(error, SyntaxError):
        lines = [(error.filename or "", error.lineno or 1)]
    else:
        frames = traceback.walk_tb(error.__traceback__)
        lines = [(frame.f_code.co_filename, line) for frame, line in frames]
    cells = [(file, line) for file, line in lines if file.startswith("<") and not file.startswith("<frozen")]
    file, line = cells[-1] if cells else ("", 0)
    return file, line, linecache.getline(file, line).strip()


def meaning_of(error: BaseException) -> Text:
    """Return what ``error`` means, in plain words."""
    if isinstance(error, SyntaxError):
        return UNREADABLE.format(line=error.lineno or 1)
    if isinstance(error, MemoryError):
        return EXHAUSTED
    if any(words in str(error) for words in BEYOND_THE_TAB):
        return TOO_LARGE
    if isinstance(error, ModuleNotFoundError):
        return NOT_HERE.format(name=error.name)
    if isinstance(error, (AttributeError, ImportError)) and (name := OF_TORCH.search(str(error))):
        return LACKED.format(name=name[1] or name[2])
    if isinstance(error, EOFError) and NOTHING_TO_READ in str(error):
        return NO_INPUT
    return verdict.meaning_of(error)
