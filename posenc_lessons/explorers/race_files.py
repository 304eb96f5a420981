"""The race explorer's files: valid names, reading results, and the results to which a new race adds."""

from __future__ import annotations

import os
from pathlib import Path

from posenc_lessons.experiments.race import Race, Results, results_from_json
from posenc_lessons.explorers.base import Complaint
from posenc_lessons.language import text_of

LONGEST_NAME = 255  # characters of a file's name, on all systems
MOST_BYTES = 20_000_000  # of a results file; the recorded race, which is large, has 47 thousand


def named_file(name: str) -> Path | None:
    """Return the path of that name, which must lie in the working folder; None for an empty name."""
    name = name.strip()
    if not name:
        return None
    if len(name) > LONGEST_NAME:
        raise Complaint(
            f"这不能作文件名：有 {len(name)} 个字符，最多 {LONGEST_NAME} 个。",
            f"This cannot be the name of a file: it has {len(name)} characters, and {LONGEST_NAME} is the "
            "most.",
        )
    here = Path.cwd().resolve()
    try:
        path = Path(os.path.abspath(here / name)).resolve()
        path.exists()
    except (OSError, ValueError, RuntimeError) as error:  # too long, a zero byte, links in a circle
        raise Complaint(
            f"这不能作文件名：{error}。", f"This cannot be the name of a file: {error}."
        ) from error
    if path.suffix != ".json" or not path.is_relative_to(here) or not path.parent.is_dir():
        raise Complaint(
            f"{name} 不能用：文件名要以 .json 结尾，并且在工作文件夹 {here} 里。",
            f"Invalid file name {name}: it must end in .json and lie inside the working folder {here}.",
        )
    return path


def results_named(name: str) -> Results:
    """Return the results in the file of that name, which must exist."""
    path = named_file(name)
    if path is None:
        raise Complaint("请先填结果文件的名字。", "Name the results file first.")
    if not path.exists():
        raise Complaint(
            f"没有找到 {path.name}：它应该在 {path.parent}。",
            f"{path.name} was not found in {path.parent}.",
        )
    return _read(path)


def results_to_add_to(race: Race, path: Path | None, stopped: Results | None) -> Results | None:
    """Return the results to which ``race`` adds: those in ``path`` if it exists, else those of ``stopped``.

    A stopped race with other conditions is ignored; a file with other conditions is refused by the race.
    """
    if path is not None and path.exists():
        return _read(path)
    if stopped is None or not stopped.runs:
        return None
    try:
        stopped.race.joined(race)
    except ValueError:
        return None
    return stopped


def results_in(content: bytes, name: str) -> Results:
    """Return the results in ``content``, which comes from a file of that name."""
    check_size(len(content), name)
    try:
        return results_from_json(content, name)
    except ValueError as error:
        raise as_complaint(error) from error
    except RecursionError as error:
        raise Complaint(
            f"{name} 不是结果文件：括号套得太深。", f"{name} is not a results file: its brackets go too deep."
        ) from error


def as_complaint(error: Exception) -> Complaint:
    """Return the library's error as a complaint, in both languages if it has both."""
    said = text_of(error)
    return Complaint(said.zh, said.en)


def _read(path: Path) -> Results:
    if not path.is_file():  # a folder, or a pipe, which would block
        raise Complaint(f"{path.name} 不是文件。", f"{path.name} is not a file.")
    try:
        check_size(path.stat().st_size, path.name)
        content = path.read_bytes()
    except OSError as error:
        raise Complaint(
            f"{path.name} 读不出来：{error.strerror}。", f"{path.name} cannot be read: {error.strerror}."
        ) from error
    return results_in(content, path.name)


def check_size(size: int, name: str) -> None:
    """Raise ``Complaint`` if a file of that name has too many bytes to be a race."""
    if size > MOST_BYTES:
        raise Complaint(
            f"{name} 有 {size:,} 字节，结果文件最多 {MOST_BYTES:,} 字节：这不像是一场比赛。",
            f"{name} has {size:,} bytes and results have {MOST_BYTES:,} at most: this is no race.",
        )
