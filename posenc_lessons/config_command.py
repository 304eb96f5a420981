"""``posenc-lessons config FILE``: what a model does with positions, measured by its configuration."""

import argparse
import json

from .language import choose, current

CONFIG = """\
What the model of a config.json does with positions, layer by layer: by which of the four doors they come in,
how features are paired, the base, what rotates, how far it was stretched and by which method, how far a layer
sees. With transformers (pip install 'posenc-lessons[models]') a small model of the type is built and
measured; without it, a table of well-known types is read. FILE is a configuration, a folder with a
config.json, or - for standard input. Code that a file names (auto_map) is never run. For a type that is not
known, --like names one whose code is the same.

一个 config.json 的模型怎样对待位置，逐层列出：位置从四扇门的哪一扇进来，特征怎样配对，底数是多少，旋转的是
哪一部分，用什么办法拉长了多少，每层看多远。装了 transformers（pip install 'posenc-lessons[models]'）就造一个
小模型当场去量；没有装，就查一张常见模型的表。FILE 是配置文件、含有 config.json 的文件夹，或者 -（标准输入）。
文件里点名的代码（auto_map）从不运行。模型不认识时，用 --like 指明代码与它相同的那个。
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of ``posenc-lessons config`` besides ``--lang``."""
    command.add_argument("file", metavar="FILE", help="config.json, its folder, or - · 配置文件、文件夹或 -")
    command.add_argument(
        "--like",
        metavar="TYPE",
        help="for a model that is not known: a model_type whose code is the same · 代码与它相同的 model_type",
    )
    command.add_argument("--json", action="store_true", help="print one JSON object · 只输出一个 JSON 对象")
    command.set_defaults(run=describe, refused=2)


def describe(options: argparse.Namespace) -> None:
    """Print what the file says; BilingualError if it cannot be read or its model is not known."""
    choose(options.lang)
    # Imported here because PyTorch takes seconds to load and the other commands do not need it.
    from .configs import describe_config, read_config
    from .configs.files import read_file

    file = read_file(options.file)
    if options.json:
        print(json.dumps(read_config(file, options.like).as_json(), ensure_ascii=False))
        return
    words = describe_config(file, options.like)
    print(f"{words.en}\n\n{words.zh}" if current() == "both" else words.show())
