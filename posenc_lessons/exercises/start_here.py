"""The warm-up of lesson 00: an easy exercise, there to show how checks answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from posenc_lessons.exercises.solutions import start_here as reference
from posenc_lessons.exercises.verdict import Verdict, Wrong, judge
from posenc_lessons.language import Text

SENTENCES = (
    ["dog", "bites", "man"],
    ["狗", "咬", "人"],
    ["order", "is", "what", "we", "study"],
    ["hello", "world"],
    ["one"],
)


def check_swap_ends(answer: Callable[[list[str]], list[str]]) -> Verdict:
    """Judge ``swap_ends(words) -> list``: first and last word exchanged, in a new list."""
    return judge(
        answer,
        _examine_swap_ends,
        Text(
            "对。词一个没变，只换了顺序，意思就反过来了。这门课讲的就是这件事。",
            "Right. The same words in another order, and the meaning turns around. That is what this course "
            "is about.",
        ),
    )


def _examine_swap_ends(answer: Callable[[list[str]], Any]) -> None:
    for words in SENTENCES:
        given = list(words)
        swapped = answer(given)
        call = f"swap_ends({words})"
        if not isinstance(swapped, (list, tuple)):
            kind = type(swapped).__name__
            raise Wrong(
                f"{call} 应当返回一个列表，得到 {kind}。", f"{call} should return a list; got {kind}."
            )
        if given != words:
            raise Wrong(
                "你的函数改动了传进来的列表。先复制一份再换：swapped = list(words)。",
                "Your function changed the list it was given. Copy first: swapped = list(words).",
            )
        if list(swapped) != reference.swap_ends(words):
            _name_the_mistake(words, list(swapped), call)


def _name_the_mistake(words: list[str], swapped: list[Any], call: str) -> None:
    known = (
        (words, "什么也没换：首尾还在原地。", "nothing has moved: first and last are where they were."),
        (
            words[::-1],
            "你把整句话倒过来了；只换第一个和最后一个，中间的不动。",
            "you reversed the whole sentence; exchange the first and the last only and leave the middle.",
        ),
        (
            [words[-1], *words[1:]],
            "第一个换成了最后一个，但原来的第一个不见了。",
            "the last word came to the front, but the old first word is lost.",
        ),
        (
            [*words[:-1], words[0]],
            "最后一个换成了第一个，但原来的最后一个不见了。",
            "the first word went to the end, but the old last word is lost.",
        ),
        (
            [words[-1], *words[:-1]],
            "你把整句话转了一格；只要交换首尾。",
            "you rotated the whole sentence by one; only exchange the ends.",
        ),
        (
            [*words[1:], words[0]],
            "你把整句话转了一格；只要交换首尾。",
            "you rotated the whole sentence by one; only exchange the ends.",
        ),
        (
            [words[1], words[0], *words[2:]] if len(words) > 1 else words,
            "你换的是前两个词；要换的是第一个和最后一个。",
            "you exchanged the first two words; exchange the first and the last.",
        ),
    )
    for mistaken, zh, en in known:
        if swapped == mistaken:
            raise Wrong(f"{call}：{zh}", f"{call}: {en}")
    wanted = reference.swap_ends(words)
    raise Wrong(
        f"{call} 应当是 {wanted}，你的是 {swapped!r:.200}。",
        f"{call} should be {wanted}; yours is {swapped!r:.200}.",
    )
