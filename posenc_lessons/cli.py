"""``posenc-lessons lab`` opens the lessons in JupyterLab; ``posenc-lessons explore`` the explorers as a page;
``posenc-lessons export`` makes copies of the lessons to take along; ``posenc-lessons config`` describes what
a model's configuration says about positions; ``posenc-lessons probe`` measures which rotation a function is.

The first two serve only this machine (127.0.0.1) and print the address, so they work the same on a laptop and
on a server without a screen.
"""

import argparse
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from . import __version__, config_command, probe_command
from .browser import explore
from .course.learner_copy import Copied, copy_lessons
from .course.lessons import PACKAGE, in_checkout, shipped_lessons
from .language import LANGUAGES, BilingualError, Text
from .serving import LOOPBACK, Refusal, free_port, serve

FORMS = ("site", "ipynb", "slides", "book", "nbgrader")
EXPORT = """\
Copies of the lessons that travel, in their own folder. Existing files of the same name are replaced,
and nothing is left anywhere else. Lessons with pictures are run, which takes minutes, so that
the pictures speak the language as well.
With --to site: pages that link to each other, a front page, the explorers' page; for both languages in zh/
and en/.
With --to book: one PDF in each language, of all lessons or some, with linked contents and the solutions.
With --to slides: a deck for each lesson, in each language; the key L leads from one to the other.
With --to nbgrader: the exercises as a course folder, to hand out and grade; what is there already stays.

可以带走的课程，写在单独的文件夹里。同名文件会被替换，别处什么也不留下。
有图的课会先运行一遍（要几分钟），图里的字才会是所选的语言。
--to site：互相链接的网页，还有首页和交互图网页；两种语言都导出时，分别在 zh/ 和 en/。
--to book：每种语言一份 PDF，全部或选出的几课，有能点的目录和解答。
--to slides：每一课、每种语言一份幻灯片；两种语言都导出时，按 L 换语言。
--to nbgrader：把练习做成 nbgrader 的课程文件夹，用来发作业、批改；已经有的文件原样保留。
"""
COURSE = "posenc_lessons_course"


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; exit with 0 if the server was stopped, 1 if something went wrong.

    ``config`` and ``probe`` exit with 2 if they refuse what they were given. The exit status is 130 if Ctrl+C
    stopped a command before it was done, so that a command after ``&&`` does not run.
    """
    for stream in (sys.stdout, sys.stderr):
        # A console or a log that cannot write Chinese gets ? instead of an error.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    signal.signal(signal.SIGTERM, _stop)
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except BilingualError as error:
        print(f"posenc-lessons: {error}", file=sys.stderr)
        sys.exit(options.refused)
    except BrokenPipeError:  # a reader of our output, such as `head`, has stopped reading
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes again when it ends
        sys.exit(1)
    except KeyboardInterrupt:
        print()
        sys.exit(130)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="posenc-lessons", description="How Transformers know order · Transformer 怎样知道顺序"
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.set_defaults(refused=1)
    verbs = parser.add_subparsers(required=True, metavar="lab | explore | export | config | probe")

    serving = argparse.ArgumentParser(add_help=False)
    serving.add_argument("--no-browser", action="store_true", help="print the address only · 只显示网址")
    serving.add_argument("--port", type=_port, help="serve on this port · 指定端口")

    lab = verbs.add_parser(
        "lab", parents=[serving], help="open the lessons in JupyterLab · 在 JupyterLab 里打开课程"
    )
    lab.add_argument("--dir", type=Path, help=f"where your copy lives (./{COURSE}) · 课程副本放在哪里")
    lab.set_defaults(run=open_lab)

    page = _verb(
        verbs,
        "explore",
        "the explorers as a page, served or as a folder · 交互图单独成页，打开或写成文件夹",
        explore.EXPLORE,
        [serving],
    )
    page.add_argument(
        "--out", type=Path, metavar="DIR", help="write the page there instead · 不提供，只把网页写到这里"
    )
    page.set_defaults(run=open_explorer)

    _add_export(verbs)
    help_on_config = "what a model's config.json says of positions · 一个模型的 config.json 怎样说位置"
    config_command.add_options(_verb(verbs, "config", help_on_config, config_command.CONFIG))
    help_on_probe = "which rotation a function is, measured · 测一测一个函数做的是哪一种旋转"
    probe_command.add_options(_verb(verbs, "probe", help_on_probe, probe_command.PROBE))
    return parser


def _verb(
    verbs: Any, name: str, help: str, description: str, parents: Sequence[argparse.ArgumentParser] = ()
) -> argparse.ArgumentParser:
    """Add a command with a description of several lines, and --lang, "both" for those without ``parents``."""
    raw = argparse.RawDescriptionHelpFormatter
    verb: argparse.ArgumentParser = verbs.add_parser(
        name, parents=parents, help=help, description=description, formatter_class=raw
    )
    default, words = (
        (None, "language of the page · 网页的语言") if parents else ("both", "(both) language · 语言")
    )
    verb.add_argument("--lang", choices=LANGUAGES, default=default, help=words)
    return verb


def _add_export(verbs: Any) -> None:
    export = _verb(
        verbs,
        "export",
        "copies of the lessons that travel: one language · 可以带走的课程：单一语言的副本",
        EXPORT,
    )
    export.add_argument(
        "--to",
        choices=FORMS,
        default=FORMS[0],
        help="(%(default)s) form · 形式",
    )
    export.add_argument(
        "--lesson",
        action="append",
        default=[],
        metavar="N",
        help="this lesson, 2 or 02_sinusoidal, or question, which_pairing; may be repeated (all lessons, "
        "questions and solutions) · 只要这一课或这个问题，可以写多次（默认全部，连同问题和解答）",
    )
    export.add_argument(
        "--out", type=Path, metavar="DIR", help="(./posenc_lessons_LANG) where to write · 写到哪里"
    )
    export.add_argument(
        "--no-run",
        action="store_true",
        help="do not run the lessons: quick, but words inside pictures stay in both languages"
        " · 不运行课程：快，但图里的字仍是两种语言",
    )
    export.add_argument(
        "--no-live",
        action="store_true",
        help="with --to site or slides: explorers as stills only, no folder live/ with Python, no"
        " explorers' page"
        " · 与 --to site 或 slides 同用：交互图只留静止的图，不写 Python（live 文件夹）和交互图网页",
    )
    export.add_argument(
        "--address",
        type=_web_address,
        metavar="URL",
        help="with --to site: where the pages will be, for a sitemap.xml that names them and for"
        " search engines"
        " · 与 --to site 同用：网页将来的网址，写进列出各页的 sitemap.xml，给搜索引擎看",
    )
    export.add_argument(
        "--install",
        metavar="SPEC",
        help="with --to ipynb: a first cell that has pip install SPEC, a wheel's name or address or git+https://…,"
        " where this package is missing, as on Colab"
        " · 与 --to ipynb 同用：第一格在没有本软件包的地方（例如 Colab）用 pip 安装 SPEC，即 wheel 的文件名、"
        "网址或 git+https://…",
    )
    export.set_defaults(run=export_lessons)


def _web_address(text: str) -> str:
    """Return the address given to --address; ArgumentTypeError for anything else."""
    if not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", text):
        raise argparse.ArgumentTypeError(
            f"an address such as https://example.org/lessons/ is wanted, not {text!r}"
            f" · 只能是 https://example.org/lessons/ 这样的网址，不能是 {text!r}"
        )
    return text


def _port(text: str) -> int:
    """Return the port given to --port; argparse puts the option's name before the message."""
    if not (text.isdecimal() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(
            f"a port is a whole number from 1 to 65535, not {text!r}"
            f" · 端口是 1 到 65535 的整数，不能是 {text!r}"
        )
    return int(text)


def open_lab(options: argparse.Namespace) -> None:
    """Serve the lessons in JupyterLab: in the repository, the lessons themselves, else a learner's copy."""
    folder = _lessons(options.dir)
    port = free_port(options.port, first=8888)
    command = [
        *("jupyterlab", "--no-browser", f"--ServerApp.ip={LOOPBACK}"),
        *(f"--ServerApp.port={port}", "--ServerApp.port_retries=0"),
        f"--ServerApp.root_dir={folder}",
        # In a container the user is root; on loopback with a token that is safe.
        "--ServerApp.allow_root=True",
        # Ctrl+C stops immediately instead of asking in English.
        "--ServerApp.answer_yes=True",
        # The classic notebook's old settings: JupyterLab has no use for them, and they print a warning.
        "--ServerApp.jpserver_extensions=notebook_shim=False",
        "--Application.log_level=ERROR",
        *_encrypted(),
    ]
    # Settings for JupyterLab (no news, no search for updates), unless the reader has others, and the lessons'
    # extension.
    ours = PACKAGE / "course" / "jupyter"
    serve("JupyterLab", command, port, "lab/tree/00_start_here.ipynb", ours, browser=not options.no_browser)


def open_explorer(options: argparse.Namespace) -> None:
    """Serve the explorers' page, or write it into the folder of --out."""
    if options.out is None:
        explore.serve(options)
        return
    folder = options.out.absolute()
    try:
        explore.write(folder)
    except OSError as error:
        raise _not_written(error, folder, "--out") from error
    _say(
        Text(
            f"网页在 {folder}：打开 index.html，或把整个文件夹放到任何网站上",
            f"The page is in {folder}: open index.html, or put the whole folder on any web server",
        )
    )


def _encrypted() -> list[str]:
    """Return the option that encrypts kernel messages, if zmq can; else the kernel would print a warning."""
    import zmq

    return ["--KernelManager.transport_encryption=auto"] if zmq.has("curve") else []


def export_lessons(options: argparse.Namespace) -> None:
    """Write the chosen lessons, in one language and one form, into a separate folder."""
    # Imported here because converting notebooks takes a second to load.
    from .export import exporting

    source = shipped_lessons()
    folder = (options.out or Path(f"posenc_lessons_{options.lang}")).absolute()
    try:
        lessons = tuple(exporting.lesson_named(wanted, source) for wanted in options.lesson)
        chosen = exporting.Options(
            *(options.lang, options.to, lessons, folder),
            run=not options.no_run,
            install=options.install,
            live=not options.no_live,
            address=options.address,
        )
        written = exporting.export(chosen, source, lambda text: print(text.show("both"), flush=True))
    except OSError as error:
        raise _not_written(error, folder, "--out") from error
    if written:
        files = "1 file is" if len(written) == 1 else f"{len(written)} files are"
        _say(Text(f"{len(written)} 个文件在 {folder}", f"{files} in {folder}"))
    else:  # a course folder, in which existing files stay
        _say(Text(f"文件都已经在 {folder} 里了", f"{folder} has all the files already"))


def _lessons(wanted: Path | None) -> Path:
    """Return the folder to open; in an installation, copy the lessons into it first."""
    source = shipped_lessons()
    if wanted is None and in_checkout():
        return source
    folder = (wanted or Path(COURSE)).absolute()
    try:
        copied = copy_lessons(source, folder, __version__)
    except OSError as error:
        raise _not_written(error, folder, "--dir") from error
    _say_copied(copied, folder)
    return folder


def _say_copied(copied: Copied, folder: Path) -> None:
    _say(
        Text(
            f"课程在 {folder}。尽管在里面改写，你的改动不会被覆盖。",
            f"The lessons are in {folder}. Write in them as you like: your changes are never overwritten.",
        )
    )
    if copied.updated:
        names = ", ".join(copied.updated)
        _say(Text(f"已更新到新版：{names}", f"Brought up to date: {names}"))
    for theirs, beside in copied.beside.items():
        _say(
            Text(
                f"{theirs} 里有你的改动，原样保留；新版放在旁边：{beside}",
                f"{theirs} has your changes and stays; its new version is beside it: {beside}",
            )
        )


def _say(text: Text) -> None:
    """Print ``text`` in both languages, English first, as errors do."""
    print(f"{text.en}\n{text.zh}", flush=True)


def _not_written(error: OSError, folder: Path, option: str) -> Refusal:
    """Explain why ``folder`` cannot be written, and by which ``option`` to name another."""
    place = error.filename2 or error.filename  # the second is where a file was to be put
    why = error.strerror if place in (None, str(folder)) else f"{error.strerror}: {place}"
    return Refusal(
        f"{folder} 不能写入（{why}）。用 {option} 指定自己的文件夹；磁盘满了，就腾出空间再运行一次。",
        f"{folder} cannot be written ({why}). Name a folder of your own with {option}; if the disk is full, "
        "free some space and run the same command again.",
    )


def _stop(signal_number: int, frame: FrameType | None) -> None:
    sys.exit(128 + signal_number)


if __name__ == "__main__":
    main()
