"""Cut a reader's text, Chinese or English, into tokens."""

import re
from functools import lru_cache
from typing import NamedTuple

from posenc_lessons.explorers.base import too_long
from posenc_lessons.language import HAN_CLASS

# Chinese is written without spaces, so each Han character is a word here; other words end at spaces.
WORD = re.compile(rf"[{HAN_CLASS}]|[^\s{HAN_CLASS}]+")

# A full stop, a question or exclamation mark ends a sentence unless a letter or digit follows directly, as in
# 3.14; several in a row, "?!" or "……", are one end.
_INSIDE = rf"(?![^\W{HAN_CLASS}])"
SENTENCE_END = re.compile(rf"(?:[。！？…｡]|[.!?]{{2,}}|[.!?]{_INSIDE})+")
_CLAUSE_MARK = rf"[，、；：“”‘’（）()《》「」『』【】—\"]|[,;:]{_INSIDE}"

# Sentence ends and other marks are separate pieces; they come before words, which could otherwise hold them.
_PIECE = re.compile(
    rf"(?P<end>{SENTENCE_END.pattern})|(?P<mark>{_CLAUSE_MARK})"
    rf"|[{HAN_CLASS}]|(?:(?!{SENTENCE_END.pattern}|{_CLAUSE_MARK})[^\s{HAN_CLASS}])+"
)


def words_in(sentence: str, most: int) -> list[str]:
    """Return the words of ``sentence``: each Han character, and anything else between spaces; [] if blank.

    Raises ``Complaint`` if there are more than ``most``.
    """
    words = WORD.findall(sentence)
    if len(words) > most:
        raise too_long(
            f"句子有 {len(words)} 个词，这张图最多放 {most} 个",
            f"The sentence has {len(words)} words and the picture holds {most}",
        )
    return words


class Token(NamedTuple):
    """A piece of a text, and whether it is a word, or ends a sentence."""

    text: str
    is_word: bool
    ends_sentence: bool


@lru_cache(maxsize=64)
def word_tokens(text: str) -> tuple[Token, ...]:
    """Return the words of ``text`` and its punctuation; each mark, or run of sentence ends, is one token."""
    pieces = _PIECE.finditer(text)
    return tuple(Token(p[0], not (p["end"] or p["mark"]), bool(p["end"])) for p in pieces)
