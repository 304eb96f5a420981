"""``posenc-lessons config FILE``: describe what a model's configuration says about positions."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from .language import BilingualValueError, choose, current

CONFIG = """\
What a model's config.json says about positions, layer by layer: by which of the four doors they come in, how
features are paired, the base, what rotates, how far it was stretched and by which method, and what is
unusual. FILE is a configuration, a folder with a config.json, or - for standard input. What is unknown is an
error; for a model that is not known, --like names one whose code is the same.

一个模型的 config.json 怎样说位置，逐层列出：位置从四扇门的哪一扇进来，特征怎样配对，底数是多少，
旋转的是哪一部分，用什么办法拉长了多少，有什么不寻常。FILE 是配置文件、含有 config.json 的文件夹，
或者 -（标准输入）。不认识的就报错，从不猜测；模型不认识时，用 --like 指明代码与它相同的那个。
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of ``posenc-lessons config`` besides ``--lang``."""
    command.add_argument("file", metavar="FILE", help="config.json, its folder, or - · 配置文件、文件夹或 -")
    command.add_argument(
        "--like",
        metavar="TYPE",
        help="for a model that is not known: a model_type whose code is the same · 代码与它相同的 model_type",
    )
    command.add_argument(
        "--part",
        choices=("text", "vision"),
        default="text",
        help="vision: the vision tower of a model of text and pictures · 图文模型的视觉部分",
    )
    command.set_defaults(run=describe)


def describe(options: argparse.Namespace) -> None:
    """Describe the file; ValueError if it cannot be read or has unknown keys or values."""
    choose(options.lang)
    config = _read(options.file)
    # Imported here because PyTorch takes seconds to load and the other commands do not need it.
    from .encodings.config import describe_config

    told = describe_config(config, options.like, options.part)
    print(f"{told.en}\n\n{told.zh}" if current() == "both" else told.show())


def _read(name: str) -> Any:
    path = Path(name)
    if name != "-" and path.is_dir():
        path = path / "config.json"
    try:
        # Windows' Notepad begins UTF-8 with a mark, which JSON does not allow.
        text = sys.stdin.read().lstrip("\ufeff") if name == "-" else path.read_text(encoding="utf-8-sig")
        return json.loads(text, object_pairs_hook=_said_once)
    except BilingualValueError:
        raise
    except OSError as error:
        raise BilingualValueError(
            f"读不了 {path}：{error.strerror or error}", f"cannot read {path}: {error.strerror or error}"
        ) from error
    except (ValueError, RecursionError) as error:  # not JSON, not UTF-8, or nested too deeply
        shown = "-" if name == "-" else path
        raise BilingualValueError(f"{shown} 不是 JSON：{error}", f"{shown} is not JSON: {error}") from error


def _said_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict; ValueError for a key that occurs twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BilingualValueError(f"键 {key!r} 写了两次", f"the key {key!r} is there twice")
        found[key] = value
    return found
