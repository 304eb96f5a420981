"""``posenc-lessons config FILE``: what a model's configuration says of positions, in plain words."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from .language import BilingualValueError, choose, current

CONFIG = """\
What a model's config.json says of positions, layer by layer: by which of the four doors they come in, how
features are paired, the base, what turns, how far it was stretched and by which method, and what is unusual.
FILE is a configuration, a folder with a config.json, or - for standard input. What is not known is an error.

一个模型的 config.json 怎样说位置，逐层列出：位置从四扇门的哪一扇进来，特征怎样配对，底数是多少，
转的是哪一部分，用什么办法拉长了多少，有什么不寻常。FILE 是配置文件、含有 config.json 的文件夹，
或者 -（标准输入）。不认识的就报错，从不猜测。
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """What ``posenc-lessons config`` takes besides ``--lang``."""
    command.add_argument("file", metavar="FILE", help="config.json, its folder, or - · 配置文件、文件夹或 -")
    command.set_defaults(run=describe)


def describe(options: argparse.Namespace) -> None:
    """Print what the file says; ValueError where it cannot be read or says what is not known."""
    choose(options.lang)
    config = _read(options.file)
    # Only here: PyTorch takes seconds to load, and the other commands do without it.
    from .encodings.config import describe_config

    told = describe_config(config)
    print(f"{told.en}\n\n{told.zh}" if current() == "both" else told.show())


def _read(name: str) -> Any:
    path = Path(name)
    if name != "-" and path.is_dir():
        path = path / "config.json"
    try:
        return json.loads(sys.stdin.read() if name == "-" else path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BilingualValueError(
            f"读不了 {path}：{error.strerror or error}", f"cannot read {path}: {error.strerror or error}"
        ) from error
    except ValueError as error:  # no JSON, or no UTF-8
        shown = "-" if name == "-" else path
        raise BilingualValueError(f"{shown} 不是 JSON：{error}", f"{shown} is not JSON: {error}") from error
