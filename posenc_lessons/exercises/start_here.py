"""The warm-up of lesson 00: an easy exercise that shows how checks answer."""

from typing import Any

from posenc_lessons.exercises.exercise import Exercise
from posenc_lessons.exercises.reading import yours
from posenc_lessons.exercises.solutions import start_here as solutions
from posenc_lessons.exercises.verdict import Wrong
from posenc_lessons.language import Text

LIST_CHANGED = Text(
    "你的函数改动了传进来的列表。先复制一份再换：swapped = list(words)。",
    "Your function changed the list it was given. Copy first: swapped = list(words).",
)
NOTHING = Text(
    "结果是 None：words.reverse()、words.insert(…) 这样的方法改动列表本身，返回 None。",
    "The result is None: words.reverse() and words.insert(…) change the list itself and return None.",
)
NOT_A_LIST = Text("应当返回一个列表。", "A list should be returned.")


def _words(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise Wrong.saying(NOT_A_LIST, yours(type(value).__name__))
    return list(value)


SWAP_ENDS = Exercise(
    solutions.swap_ends,
    questions=(
        (["dog", "bites", "man"],),
        (["狗", "咬", "人"],),
        (["order", "is", "what", "we", "study"],),
        (["hello", "world"],),
    ),
    praise=Text(
        "对。词一个没变，只换了顺序，意思就反过来了。这门课讲的就是这件事。",
        "Right. The same words in another order mean something else. That is what this course is about.",
    ),
    read=_words,
    changed=LIST_CHANGED,
    nothing=NOTHING,
)
check_swap_ends = SWAP_ENDS


SWAP_ENDS.mistake("什么也没换：首尾还在原地。", "Nothing has moved: first and last are where they were.")(
    lambda words: words
)
SWAP_ENDS.mistake(
    "你把整句话倒过来了；只换第一个和最后一个，中间的不动。",
    "You reversed the whole sentence; exchange the first and the last only and leave the middle.",
)(lambda words: words[::-1])
SWAP_ENDS.mistake(
    "只换了一头，原来在那里的词不见了。",
    "Only one end was exchanged, and the word that stood there is lost.",
)(lambda words: [words[-1], *words[1:]], lambda words: [*words[:-1], words[0]])
SWAP_ENDS.mistake(
    "你只写了三个词的情形（或者丢了中间的词）：句子可以有任意多个词，中间的都要留着。",
    "Your function fits a sentence of three words only: keep all the words between the ends, however many.",
)(lambda words: [words[2], words[1], words[0]], lambda words: [words[-1], words[1], words[0]])
