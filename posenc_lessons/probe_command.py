"""``posenc-lessons probe MODULE:FUNCTION``: measure which rotation a function is, by calling it."""

import argparse
import contextlib
import importlib
import json
import operator
import sys
from pathlib import Path
from typing import Any

from .language import BilingualValueError, choose

PROBE = """\
Which rotation is this function? It is called with vectors and positions of our choice, and the answer says
which two features make a pair, in which direction and how fast each turns, whether lengths are kept, and how
exact it is at far positions and in bfloat16; or what the function does instead of rotating. FUNCTION is
rotate(x [..., L, d_head], positions [L]), or takes tables of cos and sin, queries and keys, complex numbers.
MODULE is imported from the current folder or from what is installed; its code runs.

这个函数做的是哪一种旋转？我们选好向量和位置去调用它，然后告诉你：哪两个特征是一对，往哪个方向转，每一对转多快，
长度变不变，位置很远时和用 bfloat16 时差多少；如果不是旋转，就说它在做什么。FUNCTION 是
rotate(x [..., L, d_head], positions [L])，也可以收 cos 和 sin 的表、查询和键、复数。
MODULE 从当前文件夹或已安装的包里导入，它的代码会运行。
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of ``posenc-lessons probe`` besides ``--lang``."""
    command.add_argument(
        "function", metavar="MODULE:FUNCTION", help="or FILE.py:FUNCTION · 例如 rope:apply_rope"
    )
    command.add_argument(
        "--d-head",
        type=int,
        default=64,
        metavar="N",
        help="(%(default)s) features of a head · 每个头的特征数",
    )
    command.add_argument(
        "--signature",
        metavar="NAMES",
        help='its parameters, such as "q, k, cos, sin"; guessed from their names otherwise · 参数名',
    )
    command.add_argument(
        "--tables",
        metavar="MODULE:NAME",
        help="what makes cos and sin of positions; by default ours · 由位置算出 cos 和 sin 的函数或模块",
    )
    command.add_argument("--json", action="store_true", help="print one JSON object · 输出一个 JSON 对象")
    command.set_defaults(run=probe, refused=2)


def probe(options: argparse.Namespace) -> None:
    """Print what the function is; BilingualError if it cannot be imported or called."""
    choose(options.lang)
    with contextlib.redirect_stdout(sys.stderr):  # what their code prints is not part of the answer
        function = _imported(options.function)
        tables = _imported(options.tables) if options.tables else None
        # Imported here because PyTorch takes seconds to load and the other commands do not need it.
        from .probing import probe_rotation

        answer = probe_rotation(function, options.d_head, signature=options.signature, tables=tables)
    print(json.dumps(answer.as_dict(), ensure_ascii=False) if options.json else answer)


def _imported(name: str) -> Any:
    """Return what ``name``, MODULE:FUNCTION or FILE.py:FUNCTION, names."""
    module, _, inner = name.rpartition(":")
    if not module or not inner:
        raise BilingualValueError(
            f"要写成 模块:函数，例如 rope:apply_rope，收到 {name!r}",
            f"write MODULE:FUNCTION, such as rope:apply_rope; got {name!r}",
        )
    folder = Path.cwd()
    if module.endswith(".py"):
        folder, module = Path(module).resolve().parent, Path(module).stem
    sys.path.insert(0, str(folder))
    try:
        return operator.attrgetter(inner)(importlib.import_module(module))
    except Exception as error:  # whatever their code raises when it is imported
        raise BilingualValueError(
            f"拿不到 {name}：{type(error).__name__}：{error}",
            f"cannot import {name}: {type(error).__name__}: {error}",
        ) from error
